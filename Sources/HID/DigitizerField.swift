// DigitizerField.swift: access to a digitizer event by field number, as IOHIDEventGetIntegerValue and its like.
//
// Station   hid
// Input     IOKit's field numbers, from tests and tools that print an event
// Output    values
// Knows     field numbers and their storage. The numbers are IOKit's, `(11 << 16) | offset`.
//
// A field is an integer or a fixed number; each can be read and written as the other. Four fields are bits of `options`,
// and one is bits of the event mask. A field of an orientation exists only in that orientation: otherwise reading it
// gives 0, and writing it does nothing.
//
// Sources   documented  IOHIDEventTypes.h (numbers), IOHIDEventData.h (conversions, the synthesised estimated mask)

public import Basics

/// The number of a field of a digitizer event.
public enum DigitizerField: UInt32, Sendable, CaseIterable {
    case x = 0xB0000
    case y, z, buttonMask, type, index, identity, eventMask, range, touch, pressure, auxPressure, twist
    case tiltX, tiltY, altitude, azimuth, quality, density, irregularity, majorRadius, minorRadius, collection
    case childEventMask = 0xB0018
    case isDisplayIntegrated, qualityRadiiAccuracy, generationCount, willUpdateMask, didUpdateMask, estimatedMask
    case orientationType
}

extension DigitizerEvent {
    /// The field as `IOHIDEventGetIntegerValue` returns it: the whole part of a fixed number, or the bits of NaN.
    public func integer(_ field: DigitizerField) -> Int32 { value(of: field).integer }

    /// The field as `IOHIDEventGetFixedValue` returns it: an integer times 65536, without the bits that overflow.
    public func fixed(_ field: DigitizerField) -> Fixed { value(of: field).fixed }

    public mutating func set(_ field: DigitizerField, to value: Int32) {
        set(field, to: .integer(value))
    }

    public mutating func set(_ field: DigitizerField, to value: Fixed) {
        set(field, to: .fixed(value))
    }

    private enum Value {
        case integer(Int32)
        case fixed(Fixed)

        static func bits(_ value: UInt32) -> Value { .integer(Int32(bitPattern: value)) }

        var integer: Int32 {
            switch self {
            case .integer(let value): value
            case .fixed(let value): value == .nan ? value.rawValue : value.rawValue / 65536
            }
        }

        var bits: UInt32 { UInt32(bitPattern: integer) }

        var fixed: Fixed {
            switch self {
            case .integer(let value): Fixed(rawValue: value == Fixed.nan.rawValue ? value : value &* 65536)
            case .fixed(let value): value
            }
        }
    }

    private func value(of field: DigitizerField) -> Value {
        switch field {
        case .x: .fixed(position.x)
        case .y: .fixed(position.y)
        case .z: .fixed(z)
        case .buttonMask: .bits(buttonMask)
        case .type: .integer(Int32(transducer.rawValue))
        case .index: .bits(index)
        case .identity: .bits(identity)
        case .eventMask: .bits(mask.rawValue)
        case .range: .integer(options.contains(.range) ? 1 : 0)
        case .touch: .integer(options.contains(.touch) ? 1 : 0)
        case .collection: .integer(options.contains(.isCollection) ? 1 : 0)
        case .isDisplayIntegrated: .integer(options.contains(.displayIntegrated) ? 1 : 0)
        case .pressure: .fixed(pressure)
        case .auxPressure: .fixed(barrel.pressure)
        case .twist: .fixed(barrel.twist)
        case .tiltX, .tiltY, .altitude, .azimuth, .quality, .density, .irregularity, .majorRadius, .minorRadius,
            .qualityRadiiAccuracy:
            .fixed(orientation.wordIndex(of: field).map { orientation.words[$0] } ?? .zero)
        case .childEventMask: .bits(childMask.rawValue)
        case .generationCount: .bits(generationCount)
        case .willUpdateMask: .bits(corrections.expected.rawValue)
        case .didUpdateMask: .bits(corrections.made.rawValue)
        case .estimatedMask: .bits(estimated.rawValue)
        case .orientationType: .integer(Int32(orientation.kind.rawValue))
        }
    }

    private mutating func set(_ field: DigitizerField, to value: Value) {
        switch field {
        case .x: position.x = value.fixed
        case .y: position.y = value.fixed
        case .z: z = value.fixed
        case .buttonMask: buttonMask = value.bits
        // An unknown transducer or orientation changes nothing here. IOKit would store the number.
        case .type: transducer = UInt8(exactly: value.integer).flatMap(DigitizerTransducer.init) ?? transducer
        case .index: index = value.bits
        case .identity: identity = value.bits
        case .eventMask: mask = DigitizerEventMask(rawValue: value.bits)
        case .range: set(.range, value.integer != 0)
        case .touch: set(.touch, value.integer != 0)
        case .collection: set(.isCollection, value.integer != 0)
        case .isDisplayIntegrated: set(.displayIntegrated, value.integer != 0)
        case .pressure: pressure = value.fixed
        case .auxPressure: barrel.pressure = value.fixed
        case .twist: barrel.twist = value.fixed
        case .tiltX, .tiltY, .altitude, .azimuth, .quality, .density, .irregularity, .majorRadius, .minorRadius,
            .qualityRadiiAccuracy:
            guard let place = orientation.wordIndex(of: field) else { return }
            var words = orientation.words
            words[place] = value.fixed
            orientation = DigitizerOrientation(orientation.kind, words: words)
        case .childEventMask: childMask = DigitizerEventMask(rawValue: value.bits)
        case .generationCount: generationCount = value.bits
        case .willUpdateMask: corrections.expected = DigitizerUpdateMask(rawValue: value.bits)
        case .didUpdateMask: corrections.made = DigitizerUpdateMask(rawValue: value.bits)
        // The write only adds estimates and never removes any.
        case .estimatedMask:
            let estimates = DigitizerUpdateMask(rawValue: value.bits)
            if estimates.contains(.altitude) { mask.insert(.estimatedAltitude) }
            if estimates.contains(.azimuth) { mask.insert(.estimatedAzimuth) }
            if estimates.contains(.pressure) { mask.insert(.estimatedPressure) }
        // The same 24 bytes are reinterpreted.
        case .orientationType:
            guard let kind = UInt8(exactly: value.integer).flatMap(DigitizerOrientation.Kind.init) else { return }
            orientation = DigitizerOrientation(kind, words: orientation.words)
        }
    }

    private mutating func set(_ option: DigitizerOptions, _ isOn: Bool) {
        if isOn { options.insert(option) } else { options.remove(option) }
    }

    /// The estimated properties: bits 28 to 30 of the event mask, as an update mask.
    public var estimated: DigitizerUpdateMask {
        var estimates: DigitizerUpdateMask = []
        if mask.contains(.estimatedAltitude) { estimates.insert(.altitude) }
        if mask.contains(.estimatedAzimuth) { estimates.insert(.azimuth) }
        if mask.contains(.estimatedPressure) { estimates.insert(.pressure) }
        return estimates
    }
}

extension DigitizerOrientation {
    /// The six words of IOKit's union, of which a tilt uses two.
    var words: InlineArray<6, Fixed> {
        switch self {
        case .tilt(let tilt): [tilt.x, tilt.y, .zero, .zero, .zero, .zero]
        case .polar(let polar):
            [polar.altitude, polar.azimuth, polar.quality, polar.density, polar.majorRadius, polar.minorRadius]
        case .quality(let quality):
            [
                quality.quality, quality.density, quality.irregularity, quality.majorRadius, quality.minorRadius,
                quality.accuracy,
            ]
        }
    }

    init(_ kind: Kind, words: InlineArray<6, Fixed>) {
        self =
            switch kind {
            case .tilt: .tilt(Tilt(x: words[0], y: words[1]))
            case .polar:
                .polar(
                    Polar(
                        altitude: words[0], azimuth: words[1], quality: words[2], density: words[3],
                        majorRadius: words[4], minorRadius: words[5]))
            case .quality:
                .quality(
                    Quality(
                        quality: words[0], density: words[1], irregularity: words[2], majorRadius: words[3],
                        minorRadius: words[4], accuracy: words[5]))
            }
    }

    /// The index of a field in the six words; nil if this orientation does not have the field.
    fileprivate func wordIndex(of field: DigitizerField) -> Int? {
        switch (kind, field) {
        case (.tilt, .tiltX), (.polar, .altitude), (.quality, .quality): 0
        case (.tilt, .tiltY), (.polar, .azimuth), (.quality, .density): 1
        case (.polar, .quality), (.quality, .irregularity): 2
        case (.polar, .density), (.quality, .majorRadius): 3
        case (.polar, .majorRadius), (.quality, .minorRadius): 4
        case (.polar, .minorRadius), (.quality, .qualityRadiiAccuracy): 5
        default: nil
        }
    }
}
