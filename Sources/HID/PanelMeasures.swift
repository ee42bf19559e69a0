// PanelMeasures.swift: what a panel says of a contact besides its place, in IOKit's units.
//
//     pressure ──axis──▶ 0...1      diameters ──resolution──▶ radii, mm      tilts or azimuth ──▶ polar, radians
//
// Station   frame → hid
// Fed by    FrameAssembler, with each contact of a scan
// Feeds     the records of FrameAssembler: a transducer, a pressure, an orientation
// Knows     one device's axes. No identity, no time.
//
// Where a panel gives its ellipses no resolution of their own they are in the units of its surface; where that has
// none either, the panel is taken to be as wide as a phone's, so that a finger keeps its share of the glass.
//
// Sources   documented  the kernel's multi-touch-protocol: diameters are in surface units
//           documented  W3C Pointer Events: tilts as altitude and azimuth
//           observed    WebKit HIDEventGenerator.mm: a stylus is polar, its altitude counted from upright and its
//                       azimuth the other way round
//           invented    a pen's properties that its panel does not measure are estimates no correction follows; an angle
//                       without resolution is in degrees, an azimuth without one goes once round its axis; pressure is
//                       0...1 for a pencil too, where WebKit saw 0...500

import Basics

struct PanelMeasures: Sendable {
    /// What a contact's record says besides place and index.
    struct Reading: Hashable, Sendable {
        var transducer = DigitizerTransducer.finger
        var pressure = Fixed.zero
        var orientation = DigitizerOrientation.quality(DigitizerOrientation.Quality())
        var estimated: DigitizerEventMask = []

        /// A finger of which only its place is known.
        static let nothing = Reading()

        /// Adds what the panel measured to a finger's record.
        func fill(_ record: inout DigitizerEvent) {
            record.transducer = transducer
            record.mask.formUnion(estimated)
            record.orientation = orientation
            // One that leaves presses no more.
            record.pressure = record.isTouching ? pressure : .zero
        }
    }

    /// Millimetres; zero when neither said nor assumed.
    let panelWidth: Fixed
    private let pressure: DeviceAxis?
    private let azimuth: DeviceAxis?
    private let tiltX, tiltY: DeviceAxis?
    /// Of a unit of an ellipse's diameter.
    private let millimetres: Double

    /// What a panel is taken to be wide of which nobody says: a phone's of 375 points, 163 to the inch.
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

    func reading(of attributes: ContactAttributes) -> Reading {
        let isPen = attributes.tool == .pen
        if !isPen, attributes.pressure == nil, attributes.major == nil, attributes.minor == nil { return .nothing }
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
            let lie = PenLie(
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

    /// An azimuth, 0..<2π.
    private func turn(_ value: Int32) -> Double {
        if let resolution = azimuth?.resolution, resolution > 0, resolution.isFinite {
            return PenLie.oneTurn(Double(value) / resolution)
        }
        guard let range = azimuth?.range else { return PenLie.oneTurn(Double(value) * .pi / 180) }
        let span = Double(range.upperBound) - Double(range.lowerBound)
        return PenLie.oneTurn((Double(value) - Double(range.lowerBound)) / span * 2 * .pi)
    }

    /// IOKit counts the other way round.
    private static func reversed(_ azimuth: Double) -> Fixed { Fixed(PenLie.oneTurn(2 * .pi - azimuth)) }
}

/// How a pen lies, from its leaning to the right and towards the person.
package struct PenLie: Hashable, Sendable {
    /// Radians from upright, 0...π/2.
    let fromUpright: Double
    /// Radians from the x axis towards the y axis, 0..<2π; 0 for an upright one.
    let azimuth: Double

    /// - Parameters: Radians; what leans as far as it lies is taken to lean a little less.
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
