// Measures.swift: what a panel measured of a finger besides its place, in the screen's units.
//
//     millimetres ──the panel's width──▶ points          IOKit's polar angles ──rotation──▶ UIKit's
//
// Station   router
// Fed by    Router, with each finger that lands or moves
// Feeds     TouchContact
// Knows     one finger's record, the panel's width, how the glass is turned
//
// Sources   observed  WebKit HIDEventGenerator.mm: IOKit's altitude is counted from upright, its azimuth the other way
//                     round than UITouch's
//           invented  163 points to the inch where the panel does not say how wide it is: most phones' density

import Basics
import HID

struct Measures: Hashable, Sendable {
    /// Points.
    var radius = Fixed.zero
    /// 0...1.
    var pressure = Fixed.zero
    var tool = TouchTool.direct
    var angles: PencilAngles?

    init() {}

    /// - Parameter width: The panel's, in millimetres; zero when unknown.
    init(_ record: DigitizerEvent, on width: Fixed, _ geometry: ScreenGeometry) {
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

    /// The same to an interface that is this way up.
    func seen(as orientation: InterfaceOrientation) -> Measures {
        guard orientation != .portrait, let angles else { return self }
        var turned = self
        turned.angles = PencilAngles(altitude: angles.altitude, azimuth: orientation.angle(angles.azimuth))
        return turned
    }

    static let pointsPerMillimetre = 163 / 25.4
}
