// DigitizerElements.swift: the values of a HID touch device that Apple's driver reads, and their transducers.
//
// Station   device → hid
// Input     DigitizerDriver, with a descriptor once and then with reports
// Output    the readings of one transducer in one report, for DigitizerDriver
// Knows     bits, usages, logical and physical ranges. No event.
//
// Sources   documented  IOHIDFamily 1915.140.3, IOHIDEventDriver.cpp (parseDigitizerElement and what reads them)
//           inferred    a screen's nameless collections are fingers, from recordings of three panels: IOKit would take
//                       all of them for one

import Basics

/// The usages of the digitizer page that the driver needs.
enum DigitizerUsage {
    static let page: UInt16 = 0x0D
    static let desktop: UInt16 = 0x01
    static let buttons: UInt16 = 0x09
    static let firstApplication: UInt16 = 0x01
    static let touchScreen: UInt16 = 0x04
    static let touchPad: UInt16 = 0x05
    static let lastApplication: UInt16 = 0x0E
    static let stylus: UInt16 = 0x20
    static let puck: UInt16 = 0x21
    static let finger: UInt16 = 0x22
    static let deviceSettings: UInt16 = 0x23
    static let gestureCharacter: UInt16 = 0x24
}

/// One value of a report.
struct DigitizerElement: Sendable {
    /// The meaning of a value.
    enum Role: Hashable, Sendable {
        case x, y, z, index, touch, untouch, inRange, confidence, isValid, pressure, barrelPressure, twist
        case barrelSwitch, eraser, invert, tilt, scanTime
        /// The number of the button, from 0.
        case button(UInt32)
    }

    let role: Role
    let reportID: UInt8
    private let bitOffset, bitSize: Int
    private let isSigned: Bool
    private let logical, physical: (minimum: Int64, maximum: Int64)
    private(set) var value: Int64 = 0
    /// Whether the last report changed it.
    private(set) var isCurrent = false

    /// - Returns: Nil for a value that the driver does not use.
    init?(_ field: ReportDescriptor.Field, index: Int, _ usage: HIDUsage) {
        guard field.bitSize > 0, field.bitSize <= 32, let role = Self.role(of: usage) else { return nil }
        let isPlace = role == .x || role == .y || role == .z
        guard !isPlace || !field.flags.contains(.relative) else { return nil }
        self.role = role
        reportID = field.reportID ?? 0
        bitOffset = field.bitOffset + index * field.bitSize
        bitSize = field.bitSize
        isSigned = field.logicalMinimum < 0
        logical = (field.logicalMinimum, field.logicalMaximum)
        physical = (field.physicalMinimum, field.physicalMaximum)
    }

    private static func role(of usage: HIDUsage) -> Role? {
        switch (usage.page, usage.usage) {
        case (DigitizerUsage.desktop, 0x30): .x
        case (DigitizerUsage.desktop, 0x31): .y
        case (DigitizerUsage.desktop, 0x32): .z
        case (DigitizerUsage.buttons, 1...32): .button(UInt32(usage.usage) - 1)
        case (DigitizerUsage.page, 0x30): .pressure
        case (DigitizerUsage.page, 0x31): .barrelPressure
        case (DigitizerUsage.page, 0x32): .inRange
        case (DigitizerUsage.page, 0x33), (DigitizerUsage.page, 0x42): .touch
        case (DigitizerUsage.page, 0x34): .untouch
        case (DigitizerUsage.page, 0x36), (DigitizerUsage.page, 0x37): .isValid
        case (DigitizerUsage.page, 0x38), (DigitizerUsage.page, 0x51): .index
        case (DigitizerUsage.page, 0x3C): .invert
        case (DigitizerUsage.page, 0x3D), (DigitizerUsage.page, 0x3E): .tilt
        case (DigitizerUsage.page, 0x41): .twist
        case (DigitizerUsage.page, 0x44): .barrelSwitch
        case (DigitizerUsage.page, 0x45): .eraser
        case (DigitizerUsage.page, 0x47): .confidence
        case (DigitizerUsage.page, 0x56): .scanTime
        default: nil
        }
    }

    /// - Parameter start: The index of the first byte after the report's id.
    mutating func read(_ report: Span<UInt8>, from start: Int) {
        isCurrent = false
        guard (bitOffset + bitSize + 7) / 8 <= report.count - start else { return }
        var bits: UInt64 = 0
        let first = bitOffset / 8
        for (shift, byte) in (first...((bitOffset + bitSize - 1) / 8)).enumerated() {
            bits |= UInt64(report[start + byte]) << UInt64(8 * shift)
        }
        bits = (bits >> UInt64(bitOffset % 8)) & ((1 << UInt64(bitSize)) - 1)
        var read = Int64(bits)
        if isSigned, bits >> UInt64(bitSize - 1) != 0 { read -= 1 << Int64(bitSize) }
        isCurrent = read != value
        value = read
    }

    /// The value as 0...1 of its logical range, saturating.
    var calibrated: Fixed { Fixed(normalising: value, from: logical.minimum, to: logical.maximum) }

    /// The value in its physical range, or in its logical range if it has no physical one.
    var scaled: Fixed {
        let hasOwn = physical.maximum > physical.minimum
        let (low, high) = hasOwn ? (physical.minimum, physical.maximum) : (logical.minimum, logical.maximum)
        guard logical.maximum > logical.minimum else { return .zero }
        let share = (Double(value) - Double(logical.minimum)) / (Double(logical.maximum) - Double(logical.minimum))
        return Fixed(share * (Double(high) - Double(low)) + Double(low))
    }

    /// The value's bytes, as they are in the report.
    var asScanTime: DigitizerScanTime {
        DigitizerScanTime(ticks: UInt32(truncatingIfNeeded: value), width: UInt8((bitSize + 7) / 8))
    }
}

/// A collection of the descriptor, and its last state.
struct Transducer: Sendable {
    /// The kind of a transducer.
    enum Kind: Sendable {
        case stylus, puck, finger

        /// - Parameter usage: The usage of the collection on the digitizer page.
        static func of(_ usage: UInt16) -> Kind {
            switch usage {
            case DigitizerUsage.puck: .puck
            // A collection without a name belongs to a touch screen.
            case DigitizerUsage.finger, DigitizerUsage.touchScreen, DigitizerUsage.touchPad, 0: .finger
            default: .stylus
            }
        }

        var transducer: DigitizerTransducer {
            switch self {
            case .stylus: .stylus
            case .puck: .puck
            case .finger: .finger
            }
        }

        /// A finger without confidence is a hand, also if the panel never reports confidence.
        func transducer(isConfident: Bool) -> DigitizerTransducer {
            self == .finger && !isConfident ? .hand : transducer
        }
    }

    /// The state of a transducer after a report.
    struct State: Hashable, Sendable {
        var isTouching = false
        var isInRange = false
        var position = Point<DigitizerSpace>.zero
        var z = Fixed.zero
    }

    let collection: Int
    let kind: Kind
    /// The indices of its elements in the driver's list, in the descriptor's order.
    var elements: [Int]
    var state = State()

    init(collection: Int, kind: Kind, elements: [Int]) {
        (self.collection, self.kind, self.elements) = (collection, kind, elements)
    }

    /// The collection of an element: the innermost enclosing transducer, or else the digitizer's application.
    ///
    /// A collection without a name in a screen is a transducer too, because some panels name only their first finger.
    static func collection(of innermost: Int?, in descriptor: ReportDescriptor) -> Int? {
        var next = innermost
        var unnamed: Int?
        while let index = next {
            let collection = descriptor.collections[index]
            next = collection.parent
            let isApplication = collection.type == ReportDescriptor.Collection.application
            if unnamed == nil, !isApplication, collection.usage.usage == 0 { unnamed = index }
            guard collection.type <= 2, collection.usage.page == DigitizerUsage.page else { continue }
            let usages =
                isApplication
                ? DigitizerUsage.firstApplication...DigitizerUsage.lastApplication
                : DigitizerUsage.stylus...DigitizerUsage.gestureCharacter
            guard usages.contains(collection.usage.usage) else { continue }
            let isTouch = [DigitizerUsage.touchScreen, DigitizerUsage.touchPad].contains(collection.usage.usage)
            return isApplication && isTouch ? unnamed ?? index : index
        }
        return nil
    }
}

/// The values of one transducer in one report, changed or not.
struct Reading: Sendable {
    /// Whether any value has changed, or it touches.
    var isHandled = false
    /// Whether the panel reports the data as valid.
    var isValid = true
    /// The contact's number, or the report's id if the device does not number contacts.
    var index: UInt32
    var position = Point<DigitizerSpace>.zero
    var z = Fixed.zero
    var isTouching = false
    var isUntouched = false
    /// Nil if the device does not report it.
    var inRange: Bool?
    var isConfident = false
    var isInverted = false
    var buttons: UInt32 = 0
    var pressure = Fixed.zero
    var barrelPressure = Fixed.zero
    var twist = Fixed.zero

    init(_ transducer: Transducer, _ elements: [DigitizerElement], report id: UInt8) {
        index = UInt32(id)
        for place in transducer.elements {
            let element = elements[place]
            let isOn = element.value != 0
            var counts = element.isCurrent && element.reportID == id
            switch element.role {
            case .x: position.x = element.calibrated
            case .y: position.y = element.calibrated
            case .z: z = element.calibrated
            case .index: index = UInt32(truncatingIfNeeded: element.value)
            case .touch:
                isTouching = isOn
                // A finger that rests is reported too.
                counts = counts || isOn
            case .untouch: isUntouched = isOn
            case .inRange: inRange = isOn
            case .confidence: isConfident = isConfident || element.value == 1
            case .isValid: isValid = isValid && isOn
            case .pressure: pressure = element.calibrated
            case .barrelPressure: barrelPressure = element.calibrated
            case .twist: twist = element.scaled
            case .barrelSwitch: press(1, isOn)
            case .eraser:
                press(2, isOn)
                isInverted = isInverted || isOn
            case .invert: isInverted = isInverted || isOn
            case .tilt: break
            case .button(let number):
                press(number, isOn)
                counts = counts || buttons != 0
            case .scanTime: counts = false
            }
            isHandled = isHandled || counts
        }
    }

    private mutating func press(_ button: UInt32, _ isOn: Bool) {
        if isOn { buttons |= 1 << button } else { buttons &= ~(1 << button) }
    }
}
