// ScriptPiece.swift: splits a long script at times when nothing is held.
//
// Input     Synthesizer, a person's script
// Output    `touchline input`, which plays one piece after another
//
// Sources   invented

import Basics
import HID
public import Recordings

/// A part of a script that can be played separately.
public struct ScriptPiece: Hashable, Sendable {
    /// Times count from the end of the previous piece, so that pauses are kept.
    public var text: String
    public var length: Duration

    /// Splits a script.
    ///
    /// - Parameters:
    ///   - lines: The lines of the script, in order.
    ///   - limit: The largest piece in bytes.
    /// - Throws: `GestureError` if fingers, keys or pointers are held longer than a piece allows.
    public static func pieces(
        of lines: [FingerScript.Line], limit: Int = FingerScript.textLimit
    ) throws(GestureError) -> [ScriptPiece] {
        var pieces: [ScriptPiece] = []
        var (zero, end, bytes) = (Duration.zero, Duration.zero, 0)
        var kept: [FingerScript.Line] = []
        func close() {
            guard !kept.isEmpty else { return }
            var text = ""
            for line in kept {
                text += "\(FingerScript.Line(time: line.time - zero, act: line.act, number: 0))\n"
            }
            pieces.append(ScriptPiece(text: text, length: end - zero))
            (kept, bytes, zero) = ([], 0, end)
        }
        for stay in stays(of: lines) {
            let size = stay.reduce(0) { $0 + "\($1)".utf8.count + 1 }
            guard size <= limit, stay.count <= FingerScript.lineLimit else {
                throw .outOfRange(
                    what: "script", found: "\(size)",
                    expected: "at most \(limit) bytes between two moments at which nothing is held")
            }
            if bytes + size > limit || kept.count + stay.count > FingerScript.lineLimit { close() }
            kept += stay
            bytes += size
            end = stay.last?.time ?? end
        }
        close()
        return pieces
    }

    /// The parts from nothing held to nothing held; the last one may leave something held.
    static func stays(of lines: [FingerScript.Line]) -> [[FingerScript.Line]] {
        var stays: [[FingerScript.Line]] = []
        var stay: [FingerScript.Line] = []
        var held = Held()
        for (index, line) in lines.enumerated() {
            stay.append(line)
            held.apply(line.act)
            // Lines with one time form one frame.
            let isLast = index + 1 == lines.count || lines[index + 1].time > line.time
            if held.isEmpty, isLast {
                stays.append(stay)
                stay = []
            }
        }
        if !stay.isEmpty { stays.append(stay) }
        return stays
    }

    private struct Held {
        private var fingers: [Int] = []
        private var keys: [String] = []
        private var pointers: [DeviceAct.Pointer] = []

        var isEmpty: Bool { fingers.isEmpty && keys.isEmpty && pointers.isEmpty }

        mutating func apply(_ act: FingerScript.Act) {
            func set<Name: Equatable>(_ name: Name, _ isDown: Bool, in names: inout [Name]) {
                names.removeAll { $0 == name }
                if isDown { names.append(name) }
            }
            switch act {
            case .down(let finger, _): set(finger, true, in: &fingers)
            case .up(let finger), .cancel(let finger): set(finger, false, in: &fingers)
            case .device(.press(let name, let isDown)): set("press \(name)", isDown, in: &keys)
            case .device(.key(let name, let isDown)): set(name, isDown, in: &keys)
            case .device(.scroll): set(.scroll, true, in: &pointers)
            case .device(.hover): set(.hover, true, in: &pointers)
            case .device(.transform): set(.transform, true, in: &pointers)
            case .device(.end(let pointer)): set(pointer, false, in: &pointers)
            default: break
            }
        }
    }
}
