// WebDriverWriter.swift: writes contacts as W3C WebDriver Actions, which a browser plays and WebDriverReader reads.
//
//     clock     none     pause 0 | pause 8 | pause 9 | pause 0      one tick a frame, and the time until the next
//     finger1   touch    move    | down    | move    | up
//     finger2   touch    pause   | pause   | move    | down         moved to its position before its touch-down
//
// Station   device
// Input     RecordingWriter
// Output    a file, all of it at the end: a source is a column, and the frames come row by row
//
// Sources   documented  Docs/Spec/Input.md section 3.11
//           invented    the member `touchline`; a move by nothing for a scan without changes

import Basics
import HID

/// Writes WebDriver Actions.
///
/// A tick of no length moves a finger to the position of its touch-down. Positions are the panel's own units, which the
/// member `touchline` declares; browsers ignore that member. With a screen, positions are CSS pixels, and a browser can
/// play them. Times are whole milliseconds, each rounded separately, so that they do not drift.
struct WebDriverWriter: FrameWriter {
    private struct Source {
        var number: Int
        var isPen: Bool
        /// Its items so far, each after a comma, and their number.
        var items: [UInt8] = []
        var count = 0
    }

    private let device: DeviceDescription
    private let ranges: AxisRanges
    private let screen: ScreenGeometry?
    private let pressure: DeviceAxis
    private var numbers = FingerNumbers()
    private var sources: [Source] = []
    /// By number: whether its current or last contact is a pen.
    private var penNumbers: [Bool] = []
    /// The milliseconds of each tick.
    private var ticks: [Int64] = []
    private var lastTime: Int64 = 0

    /// The pressure axis of a device that does not describe one.
    static let pressure = DeviceAxis(minimum: 0, maximum: 65536)

    init(device: DeviceDescription, ranges: AxisRanges, screen: ScreenGeometry?) {
        (self.device, self.ranges, self.screen) = (device, ranges, screen)
        pressure = device.pressure.flatMap { $0.range == nil ? nil : $0 } ?? Self.pressure
    }

    func begin(into bytes: inout [UInt8]) {}

    mutating func write(_ frame: ContactFrame, into bytes: inout [UInt8]) {
        let steps = numbers.update(with: frame)
        guard !steps.isEmpty else { return }
        let nanoseconds = max(0, frame.time.nanoseconds)
        let time = max(lastTime, nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 >= 500_000 ? 1 : 0))
        if time > lastTime {
            if ticks.isEmpty { ticks.append(0) }
            ticks[ticks.count - 1] += time - lastTime
            lastTime = time
        }
        if steps.contains(where: { $0.change == .land }) {
            beginTick()
            for step in steps where step.change == .land { move(step, withAttributes: false) }
        }
        beginTick()
        var isWritten = false
        for step in steps {
            switch step.change {
            case .land:
                add(step) { bytes in bytes.append(#"{"type":"pointerDown","button":0"#) }
            case .move: move(step, withAttributes: true)
            case .rest:
                guard step.contact.attributes != ContactAttributes() else { continue }
                move(step, withAttributes: true)
            case .lift: add(step, withAttributes: false) { $0.append(#"{"type":"pointerUp","button":0"#) }
            case .cancel: add(step, withAttributes: false) { $0.append(#"{"type":"pointerCancel""#) }
            }
            isWritten = true
        }
        guard !isWritten, let first = steps.first else { return }
        add(first, withAttributes: false) {
            $0.append(#"{"type":"pointerMove","duration":0,"origin":"pointer","x":0,"y":0"#)
        }
    }

    mutating func finish(at time: Duration?, into bytes: inout [UInt8]) {
        bytes.append("{\"actions\":[\n{\"type\":\"none\",\"id\":\"clock\",\"actions\":[")
        for (index, duration) in ticks.enumerated() {
            bytes.append(index == 0 ? "\n" : ",\n")
            bytes.append(#"{"type":"pause","duration":"#)
            bytes.append(decimal: duration)
            bytes.append("}")
        }
        bytes.append("\n]}")
        // Contacts that begin in one frame have increasing numbers, and in one tick they begin in the order of the
        // sources.
        for source in sources.sorted(by: { ($0.number, $0.isPen ? 1 : 0) < ($1.number, $1.isPen ? 1 : 0) }) {
            bytes.append(",\n{\"type\":\"pointer\",\"id\":\"")
            bytes.append(source.isPen ? "pen" : "finger")
            bytes.append(decimal: source.number + 1)
            bytes.append("\",\"parameters\":{\"pointerType\":\"")
            bytes.append(source.isPen ? "pen" : "touch")
            bytes.append("\"},\"actions\":[\n")
            bytes.append(contentsOf: source.items)
            bytes.append("\n]}")
        }
        bytes.append("\n]")
        if screen == nil { appendExtension(to: &bytes) }
        bytes.append("}\n")
    }

    private func appendExtension(to bytes: inout [UInt8]) {
        bytes.append(",\n\"touchline\":{\"axes\":")
        append(list: [ranges.x.lowerBound, ranges.y.lowerBound, ranges.x.upperBound, ranges.y.upperBound], to: &bytes)
        bytes.append(",\"pressure\":")
        append(list: [pressure.minimum, pressure.maximum], to: &bytes)
        bytes.append(",\"name\":\"")
        bytes.append(json: device.name)
        bytes.append("\",\"id\":")
        append(
            list: device.numbers.all.map { Int32($0) }, to: &bytes)
        bytes.append("}")
    }

    private func append(list values: [Int32], to bytes: inout [UInt8]) {
        for (index, value) in values.enumerated() {
            bytes.append(index == 0 ? "[" : ",")
            bytes.append(decimal: value)
        }
        bytes.append("]")
    }

    private mutating func beginTick() { ticks.append(0) }

    private mutating func move(_ step: FingerNumbers.Step, withAttributes: Bool) {
        let (contact, ranges, screen) = (step.contact, ranges, screen)
        add(step, withAttributes: withAttributes) { bytes in
            bytes.append(#"{"type":"pointerMove","duration":0,"x":"#)
            if let screen {
                let point = screen.point(of: contact, on: ranges)
                bytes.append(sixtyFourths: point.x)
                bytes.append(#","y":"#)
                bytes.append(sixtyFourths: point.y)
            } else {
                bytes.append(decimal: contact.x)
                bytes.append(#","y":"#)
                bytes.append(decimal: contact.y)
            }
        }
    }

    /// Adds an item to the current tick, unless its source has one already.
    private mutating func add(
        _ step: FingerNumbers.Step, withAttributes: Bool = true, _ write: (inout [UInt8]) -> Void
    ) {
        while penNumbers.count <= step.number { penNumbers.append(false) }
        // The tool of a contact stays until it lifts; a contact that ends has few attributes.
        if step.change == .land { penNumbers[step.number] = step.contact.attributes.tool == .pen }
        let isPen = penNumbers[step.number]
        let known = sources.firstIndex { $0.number == step.number && $0.isPen == isPen }
        if known == nil { sources.append(Source(number: step.number, isPen: isPen)) }
        let index = known ?? sources.count - 1
        while sources[index].count < ticks.count - 1 {
            sources[index].items.append(sources[index].count == 0 ? "" : ",\n")
            sources[index].items.append(#"{"type":"pause"}"#)
            sources[index].count += 1
        }
        guard sources[index].count < ticks.count else { return }
        if sources[index].count > 0 { sources[index].items.append(",\n") }
        write(&sources[index].items)
        if withAttributes { append(step.contact.attributes, to: &sources[index].items) }
        sources[index].items.append("}")
        sources[index].count += 1
    }

    private func append(_ attributes: ContactAttributes, to bytes: inout [UInt8]) {
        if let value = attributes.pressure {
            let share =
                (Double(value) - Double(pressure.minimum)) / (Double(pressure.maximum) - Double(pressure.minimum))
            bytes.append(#","pressure":"#)
            bytes.append(text: "\(max(0, min(1, share)))")
        }
        let scale = screen.map { $0.bounds.width / Double(Int64(ranges.x.upperBound) - Int64(ranges.x.lowerBound)) }
        for (name, value) in [("width", attributes.major), ("height", attributes.minor)] {
            guard let value, value >= 0 else { continue }
            bytes.append(text: #","\#(name)":"#)
            if let scale {
                bytes.append(text: fixedText(Double(value) * scale, digits: 3))
            } else {
                bytes.append(decimal: value)
            }
        }
    }
}

extension [UInt8] {
    /// Appends a text for the inside of a JSON string.
    mutating func append(json text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case 0..<0x20, 0x7F:
                append("\\u")
                append(hex: UInt32(byte), width: 4)
            default: append(byte)
            }
        }
    }
}
