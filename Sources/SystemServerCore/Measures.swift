// Measures.swift: what a panel measures of a finger besides its position, in the screen's units.
//
//     millimetres ──the panel's width──▶ points          IOKit's polar angles ──rotation──▶ UIKit's
//
// Station   router
// Input     Router: each finger that lands or moves
// Output    TouchContact
// Knows     one finger's record, the panel's width, the rotation of the panel
//
// Sources   observed  WebKit HIDEventGenerator.mm: IOKit counts altitude from upright, and azimuth in the opposite direction
//                     to UITouch
//           invented  163 points per inch if the panel does not report its width: the density of most phones

import Basics
import HID

/// Radius, pressure, tool and pencil angles of one finger.
struct Measures: Hashable, Sendable {
    /// The radius in points.
    var radius = Fixed.zero
    /// The pressure, 0...1.
    var pressure = Fixed.zero
    var tool = TouchTool.direct
    var angles: PencilAngles?

    init() {}

    /// - Parameter width: The panel's width in millimetres; zero if unknown.
    init(_ record: borrowing DigitizerEvent, on width: Fixed, _ geometry: ScreenGeometry) {
        pressure = record.pressure
        let millimetres = record.majorRadius
        if millimetres > .zero {
            let scale = width > .zero ? geometry.width / width.double : Self.pointsPerMillimetre
            radius = Fixed(millimetres.double * scale)
        }
        guard record.transducer == .stylus else { return }
        tool = .pencil
        guard case .polar(let polar) = record.orientation else { return }
        let turn = Double(geometry.rotation) / 180 * .pi
        var azimuth = (turn - polar.azimuth.double).truncatingRemainder(dividingBy: 2 * .pi)
        if azimuth < 0 { azimuth += 2 * .pi }
        angles = PencilAngles(altitude: Fixed(.pi / 2 - polar.altitude.double), azimuth: Fixed(azimuth))
    }

    /// The same measures in the space of an interface with this orientation.
    func seen(as orientation: InterfaceOrientation) -> Measures {
        guard orientation != .portrait, let angles else { return self }
        var turned = self
        turned.angles = PencilAngles(altitude: angles.altitude, azimuth: orientation.angle(angles.azimuth))
        return turned
    }

    static let pointsPerMillimetre = 163 / 25.4
}
