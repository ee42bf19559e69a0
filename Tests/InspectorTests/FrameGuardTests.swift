import Testing

@testable import Inspector

@Suite("Frames of a browser's WebSocket")
struct FrameGuardTests {
    /// A frame as a browser sends it.
    private static func frame(
        _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, bits: UInt8 = 0, isMasked: Bool = true
    ) -> [UInt8] {
        let mask: [UInt8] = [0xA1, 0x5C, 0x00, 0xFF]
        var bytes = [opcode | bits | (isFinal ? 0x80 : 0)]
        let high: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ...125: bytes.append(high | UInt8(payload.count))
        case ...65_535: bytes += [high | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: bytes += [high | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        guard isMasked else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    private static func text(_ text: String, isFinal: Bool = true) -> [UInt8] {
        frame(1, Array(text.utf8), isFinal: isFinal)
    }

    /// The code with which the connection ends; nil if the bytes are correct.
    private func code(_ bytes: [UInt8], inPieces size: Int) -> UInt16? {
        var frames = FrameGuard()
        do throws(FrameGuard.Violation) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                try frames.check(bytes[start..<min(start + size, bytes.count)])
            }
            return nil
        } catch { return error.code }
    }

    @Test(
        "a stream of frames is correct, or ends with one code",
        arguments: [
            (text("{}"), nil), (text(""), nil), (text(String(repeating: "é", count: 32_768)), nil),
            (text("a", isFinal: false) + frame(9, [1, 2]) + frame(0, [98]), nil),
            (text("a", isFinal: false) + frame(0, [98], isFinal: false) + frame(0), nil), (frame(10), nil),
            (frame(8, [3, 232]), nil), (frame(8), nil),
            // UTF-8 may be split between frames, but not broken.
            (frame(1, [0xC3], isFinal: false) + frame(0, [0xA9]), nil), (frame(1, [0xC3]), 1007),
            (frame(1, [0xFF]), 1007), (frame(1, [0xC3], isFinal: false) + frame(0, [0x28]), 1007),
            (frame(1, [0xED, 0xA0, 0x80]), 1007), (frame(1, [0xC0, 0x80]), 1007),
            // Grammar.
            (frame(1, [97], isMasked: false), 1002), (frame(1, [97], bits: 0x40), 1002),
            (frame(1, [97], bits: 0x10), 1002), (frame(3), 1002), (frame(15), 1002), (frame(0, [97]), 1002),
            (text("a", isFinal: false) + text("b"), 1002), (frame(9, isFinal: false), 1002),
            (frame(9, [UInt8](repeating: 0, count: 126)), 1002), (frame(8, [3]), 1002),
            (frame(8) + text("a"), 1002), ([0x81, 0xFE, 0, 125, 0, 0, 0, 0], 1002),
            ([0x81, 0xFF, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0], 1002),
            ([0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1002),
            // Kind and length.
            (frame(2, [1]), 1003), (text(String(repeating: "x", count: 65_537)), 1009),
            ([0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], 1009),
            (
                text(String(repeating: "x", count: 65_000), isFinal: false)
                    + frame(0, [UInt8](repeating: 97, count: 537)), 1009
            ),
        ] as [([UInt8], UInt16?)])
    func streams(bytes: [UInt8], expected: UInt16?) {
        for size in [1, 3, 1024, max(1, bytes.count)] {
            #expect(code(bytes, inPieces: size) == expected, "in pieces of \(size)")
        }
    }

    @Test("the close frame of a violation is a correct frame of a browser")
    func close() {
        let bytes = FrameGuard.closeFrame(FrameGuard.Violation(1009, String(repeating: "r", count: 500)))
        #expect(code(bytes, inPieces: 1) == nil && bytes.count == 6 + 122 && bytes[6] == 3 && bytes[7] == 0xF1)
    }
}
