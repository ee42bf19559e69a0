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
        sentence += "  mask \(transducer.mask)  options \(transducer.options)"
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
            "mask": transducer.mask.names, "options": transducer.options.names,
        ]
    }

    private func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}
