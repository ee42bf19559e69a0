// PanelMeasures.swift: converts a panel's measurements of a contact, apart from its position, to IOKit's units.
//
// Station   frame → hid
// Input     FrameAssembler, with each contact of a scan
// Output    a transducer, a pressure and an orientation for FrameAssembler's records
// Knows     one device's axes. No identity, no time.
//
//     pressure ──axis──▶ 0...1      diameters ──resolution──▶ radii, mm      tilts or azimuth ──▶ polar, radians
//
// Ellipses without a resolution of their own are in the units of the panel's surface. If that has no resolution either,
// the panel counts as wide as a phone, so that a finger keeps its share of the panel.
//
// Sources   documented  the kernel's multi-touch-protocol: diameters are in surface units
//           documented  W3C Pointer Events: tilts as altitude and azimuth
//           observed    WebKit HIDEventGenerator.mm: a stylus is polar, its altitude counts from upright and its azimuth
//                       in the opposite direction
//           invented    a pen's unmeasured properties are estimates without corrections; an angle without resolution is
//                       in degrees, an azimuth without one goes once round its axis; a pencil's pressure is 0...1, where
//                       WebKit had 0...500

import Basics

/// The conversion of one device's measurements.
struct PanelMeasures: Sendable {
    /// The content of a contact's record besides position and index.
    struct Reading: Equatable, Sendable {
        /// Whether the panel measured anything. Most panels do not.
        private(set) var isMeasured = true
        var transducer = DigitizerTransducer.finger
        var pressure = Fixed.zero
        var orientation = DigitizerOrientation.quality(DigitizerOrientation.Quality())
        var estimated: DigitizerEventMask = []

        /// The reading of a finger without measurements.
        static let unmeasured = {
            var reading = Reading()
            reading.isMeasured = false
            return reading
        }()

        static func == (a: Reading, b: Reading) -> Bool {
            guard a.isMeasured || b.isMeasured else { return true }
            return a.transducer == b.transducer && a.pressure == b.pressure && a.orientation == b.orientation
                && a.estimated == b.estimated
        }

        /// Adds the reading to a finger's record.
        func fill(_ record: inout DigitizerEvent) {
            record.transducer = transducer
            record.mask.formUnion(estimated)
            record.orientation = orientation
            // A finger that has lifted has no pressure.
            record.pressure = record.isTouching ? pressure : .zero
        }

        /// Whether the record of a touching finger that has moved, and has not changed otherwise, has this reading.
        func isContent(of record: borrowing DigitizerEvent) -> Bool {
            // No `&&`: it takes its right side as a closure, and a closure cannot capture a borrowed value.
            guard record.transducer == transducer, record.mask == estimated.union(.position) else { return false }
            guard record.pressure == pressure else { return false }
            return record.orientation == orientation
        }
    }

    /// In millimeters; zero if it is neither reported nor assumed.
    let panelWidth: Fixed
    private let pressure: DeviceAxis?
    private let azimuth: DeviceAxis?
    private let tiltX, tiltY: DeviceAxis?
    /// The size of one unit of an ellipse's diameter, in millimeters.
    private let millimetres: Double

    /// The assumed width of a panel without a resolution, in millimeters: a phone's of 375 points, 163 to the inch.
    static let assumedWidth = 375 / 163 * 25.4

    init(_ device: DeviceDescription, _ ranges: AxisRanges) {
        (pressure, azimuth, tiltX, tiltY) = (device.pressure, device.azimuth, device.tiltX, device.tiltY)
        let span = Double(ranges.x.upperBound) - Double(ranges.x.lowerBound)
        func usable(_ axis: DeviceAxis?) -> Double? {
            guard let resolution = axis?.resolution, resolution > 0, resolution.isFinite else { return nil }
            return resolution
        }
        let surface = usable(device.x)
        let ellipse = usable(device.major ?? device.minor)
        if let ellipse {
            millimetres = 1 / ellipse
        } else if let surface {
            millimetres = 1 / surface
        } else {
            millimetres = span > 0 ? Self.assumedWidth / span : 0
        }
        if let surface {
            panelWidth = Fixed(span / surface)
        } else {
            panelWidth = ellipse == nil ? Fixed(Self.assumedWidth) : .zero
        }
    }

    /// Converts the measurements of one contact.
    func reading(of attributes: ContactAttributes) -> Reading {
        let isPen = attributes.tool == .pen
        if !isPen, attributes.pressure == nil, attributes.major == nil, attributes.minor == nil { return .unmeasured }
        var reading = Reading()
        if let value = attributes.pressure, let range = pressure?.range {
            reading.pressure = Fixed(
                normalising: Int64(value), from: Int64(range.lowerBound), to: Int64(range.upperBound))
        }
        let radii = (
            major: radius(attributes.major ?? attributes.minor), minor: radius(attributes.minor ?? attributes.major)
        )
        guard isPen else {
            reading.orientation = .quality(
                DigitizerOrientation.Quality(majorRadius: radii.major, minorRadius: radii.minor))
            return reading
        }
        reading.transducer = .stylus
        if attributes.pressure == nil || pressure?.range == nil { reading.estimated.insert(.estimatedPressure) }
        var polar = DigitizerOrientation.Polar(majorRadius: radii.major, minorRadius: radii.minor)
        if attributes.tiltX != nil || attributes.tiltY != nil {
            let lie = PenOrientation(
                tiltX: radians(attributes.tiltX ?? 0, on: tiltX), tiltY: radians(attributes.tiltY ?? 0, on: tiltY))
            (polar.altitude, polar.azimuth) = (Fixed(lie.fromUpright), Self.reversed(lie.azimuth))
        } else {
            reading.estimated.insert(.estimatedAltitude)
            if let value = attributes.azimuth {
                polar.azimuth = Self.reversed(turn(value))
            } else {
                reading.estimated.insert(.estimatedAzimuth)
            }
        }
        reading.orientation = .polar(polar)
        return reading
    }

    private func radius(_ diameter: Int32?) -> Fixed {
        guard let diameter, diameter > 0 else { return .zero }
        return Fixed(Double(diameter) * millimetres / 2)
    }

    private func radians(_ value: Int32, on axis: DeviceAxis?) -> Double {
        guard let resolution = axis?.resolution, resolution > 0, resolution.isFinite else {
            return Double(value) * .pi / 180
        }
        return Double(value) / resolution
    }

    /// The azimuth of a pen, 0..<2π.
    private func turn(_ value: Int32) -> Double {
        if let resolution = azimuth?.resolution, resolution > 0, resolution.isFinite {
            return PenOrientation.oneTurn(Double(value) / resolution)
        }
        guard let range = azimuth?.range else { return PenOrientation.oneTurn(Double(value) * .pi / 180) }
        let span = Double(range.upperBound) - Double(range.lowerBound)
        return PenOrientation.oneTurn((Double(value) - Double(range.lowerBound)) / span * 2 * .pi)
    }

    /// IOKit counts azimuths in the opposite direction.
    private static func reversed(_ azimuth: Double) -> Fixed { Fixed(PenOrientation.oneTurn(2 * .pi - azimuth)) }
}

/// The orientation of a pen, from its tilts to the right and towards the person.
package struct PenOrientation: Hashable, Sendable {
    /// In radians from upright, 0...π/2.
    let fromUpright: Double
    /// In radians from the x axis towards the y axis, 0..<2π; 0 for an upright pen.
    let azimuth: Double

    /// - Parameters: In radians. A tilt beyond 89.99° counts as 89.99°.
    init(tiltX: Double, tiltY: Double) {
        let most = 89.99 / 180 * Double.pi
        func slope(_ tilt: Double) -> Double {
            let tilt = max(-most, min(most, tilt))
            return Trigonometry.sine(tilt) / Trigonometry.cosine(tilt)
        }
        let (x, y) = (slope(tiltX), slope(tiltY))
        fromUpright = Trigonometry.arcTangent((x * x + y * y).squareRoot())
        azimuth = Self.oneTurn(Self.angle(x: x, y: y))
    }

    static func oneTurn(_ angle: Double) -> Double {
        guard angle.isFinite else { return 0 }
        let rest = angle.truncatingRemainder(dividingBy: 2 * .pi)
        return rest < 0 ? rest + 2 * .pi : rest
    }

    private static func angle(x: Double, y: Double) -> Double {
        if x > 0 { return Trigonometry.arcTangent(y / x) }
        if x < 0 { return Trigonometry.arcTangent(y / x) + (y < 0 ? -.pi : .pi) }
        return y == 0 ? 0 : (y < 0 ? -.pi / 2 : .pi / 2)
    }
}
