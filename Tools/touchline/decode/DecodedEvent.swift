// DecodedEvent.swift: one IOHIDEvent, for a person or a program.

import Basics
import Foundation
import HID

/// One IOHIDEvent as text or JSON.
struct DecodedEvent {
    private let event: HIDEvent

    /// - Parameter event: Its time stamp counts from the recording's first report.
    init(_ event: HIDEvent) { self.event = event }

    /// One line for the event, and one for each transducer.
    var text: [String] {
        let milliseconds = Double(event.timeStamp.nanoseconds) / 1e6
        return ["  \(fixed(milliseconds, 3)) ms  \(description(of: event.hand))"]
            + event.fingers.map { "      \(description(of: $0))" }
    }

    var json: [String: Any] {
        var object = fields(of: event.hand)
        object["time"] = event.timeStamp.nanoseconds
        object["children"] = event.fingers.map(fields)
        if let scanTime = event.scanTime { object["scanTime"] = Int(scanTime.ticks) }
        object["record"] = HIDEventRecord(event).encoded().map { String(format: "%02x", $0) }.joined()
        return object
    }

    private func description(of transducer: DigitizerEvent) -> String {
        let kind = transducer.options.contains(.isCollection) ? "collection" : "\(transducer.transducer)"
        var sentence = "\(kind) \(transducer.index)"
        sentence += "  x \(fixed(transducer.position.x.double, 4))  y \(fixed(transducer.position.y.double, 4))"
        sentence += "  mask \(Self.names(of: transducer.mask))  options \(Self.names(of: transducer.options))"
        if transducer.pressure != .zero { sentence += "  pressure \(fixed(transducer.pressure.double, 4))" }
        if transducer.buttonMask != 0 { sentence += "  buttons \(transducer.buttonMask)" }
        return sentence
    }

    private func fields(of transducer: DigitizerEvent) -> [String: Any] {
        [
            "transducer": "\(transducer.transducer)", "index": Int(transducer.index),
            "identity": Int(transducer.identity), "x": transducer.position.x.double,
            "y": transducer.position.y.double,
            "z": transducer.z.double, "pressure": transducer.pressure.double, "buttons": Int(transducer.buttonMask),
            "mask": Self.list(of: transducer.mask), "options": Self.list(of: transducer.options),
        ]
    }

    private func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

    private static func names(of mask: DigitizerEventMask) -> String { joined(list(of: mask)) }
    private static func names(of options: DigitizerOptions) -> String { joined(list(of: options)) }
    private static func joined(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: "+") }

    private static func list(of mask: DigitizerEventMask) -> [String] {
        names(
            of: mask,
            [
                (.range, "range"), (.touch, "touch"), (.position, "position"), (.identity, "identity"),
                (.attribute, "attribute"), (.cancel, "cancel"),
            ])
    }

    private static func list(of options: DigitizerOptions) -> [String] {
        names(
            of: options,
            [
                (.isAbsolute, "absolute"), (.isCollection, "collection"), (.range, "range"), (.touch, "touch"),
                (.invert, "invert"),
            ])
    }

    /// Returns the names of the set bits, and the remaining bits as a number.
    private static func names<Bits: OptionSet>(of bits: Bits, _ known: [(bit: Bits, name: String)]) -> [String]
    where Bits.Element == Bits, Bits.RawValue: FixedWidthInteger {
        let rest = known.reduce(bits) { $0.subtracting($1.bit) }
        return known.filter { bits.contains($0.bit) }.map(\.name)
            + (rest.isEmpty ? [] : ["0x" + String(rest.rawValue, radix: 16)])
    }
}
