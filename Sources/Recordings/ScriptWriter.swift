// ScriptWriter.swift: writes contacts as a finger script; FingerScript documents the format.
//
// In the panel's own units the script has a line `axes`, and every position stays exact. With a screen it has points,
// as a person would write them. The lines of a frame are its fingers' acts. `scan` begins a frame where nothing else
// would: a frame without changes, or one with the time of the previous frame.

import Basics
import HID

/// Writes the format `touchline-script`.
struct ScriptWriter: FrameWriter {
    private let ranges: AxisRanges
    private let screen: ScreenGeometry?
    private var numbers = FingerNumbers()
    private var lastTime: Int64?

    init(ranges: AxisRanges, screen: ScreenGeometry?) { (self.ranges, self.screen) = (ranges, screen) }

    func begin(into bytes: inout [UInt8]) {
        guard screen == nil else { return }
        bytes.append("axes ")
        append(ranges.x.lowerBound, ranges.y.lowerBound, to: &bytes)
        bytes.append(" ")
        append(ranges.x.upperBound, ranges.y.upperBound, to: &bytes)
        bytes.append("\n")
    }

    mutating func write(_ frame: ContactFrame, into bytes: inout [UInt8]) {
        let time = max(lastTime ?? 0, frame.time.nanoseconds)
        let steps = numbers.update(with: frame)
        if time == lastTime || steps.allSatisfy({ $0.change == .rest }) {
            bytes.append("scan")
            append(time: time, to: &bytes)
        }
        lastTime = time
        for step in steps {
            switch step.change {
            case .rest: continue
            case .land: bytes.append("down f")
            case .move: bytes.append("move f")
            case .lift: bytes.append("up f")
            case .cancel: bytes.append("cancel f")
            }
            bytes.append(decimal: step.number + 1)
            if step.change == .land || step.change == .move {
                bytes.append(" ")
                append(step.contact, to: &bytes)
            }
            append(time: time, to: &bytes)
        }
    }

    func finish(at time: Duration?, into bytes: inout [UInt8]) {}

    private func append(time: Int64, to bytes: inout [UInt8]) {
        bytes.append(" @")
        bytes.append(decimal: time / 1_000_000_000)
        bytes.append(".")
        bytes.append(decimal: time % 1_000_000_000, width: 9)
        bytes.append("\n")
    }

    private func append(_ contact: DeviceContact, to bytes: inout [UInt8]) {
        guard let screen else { return append(contact.x, contact.y, to: &bytes) }
        let point = screen.point(of: contact, on: ranges)
        bytes.append("(")
        bytes.append(sixtyFourths: point.x)
        bytes.append(",")
        bytes.append(sixtyFourths: point.y)
        bytes.append(")")
    }

    private func append(_ x: Int32, _ y: Int32, to bytes: inout [UInt8]) {
        bytes.append("(")
        bytes.append(decimal: x)
        bytes.append(",")
        bytes.append(decimal: y)
        bytes.append(")")
    }
}

extension ScreenGeometry {
    /// The screen position of a contact on a panel, in 1/64 pt.
    func point(of contact: DeviceContact, on ranges: AxisRanges) -> Point<ScreenSpace> {
        screenPoint(ranges.panelPosition(contact.x, contact.y))
    }
}

extension [UInt8] {
    /// Appends a multiple of 1/64, exactly and as short as possible: `12.5`.
    mutating func append(sixtyFourths value: Double) { append(wholeSixtyFourths: Int64(clamping: value * 64)) }

    /// Appends the number of 64ths.
    mutating func append(wholeSixtyFourths whole: Int64) {
        append(decimal: whole / 64)
        var rest = whole.magnitude % 64
        guard rest > 0 else { return }
        append(0x2E)
        while rest > 0 {
            append(0x30 + UInt8(rest * 10 / 64))
            rest = rest * 10 % 64
        }
    }
}
