import Basics
import HID

/// Parses the two-digit hexadecimal bytes at the start of each line, such as `09 42   Usage (Tip Switch)`.
func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in text.split(separator: "\n") {
        for word in line.split(separator: " ") {
            guard word.utf8.count == 2, let byte = UInt8(word, radix: 16) else { break }
            bytes.append(byte)
        }
    }
    return bytes
}

/// Pieces of report descriptors of touch devices.
enum Piece {
    /// A contact of 6 bytes: five flag bits and three of padding, an id, x and y (`flags tip`, `id`, `x x`, `y y`).
    static let finger = """
        05 0D 09 22 A1 02          Digitizers, Finger, Collection (Logical)
        09 42 15 00 25 01 75 01 95 01 81 02   Tip Switch, 1 bit
        09 47 81 02                Confidence
        09 32 81 02                In Range
        95 05 81 03                padding
        09 51 26 FF 00 75 08 95 01 81 02   Contact Identifier
        05 01 26 FF 0F 75 10       Generic Desktop, 0 to 4095, 16 bit
        09 30 81 02 09 31 81 02    X, Y
        C0
        """
    static let contactCount = """
        05 0D 09 54 15 00 25 7F 75 08 95 01 81 02
        """
    /// A scan time of 16 bits in units of 100 µs.
    static let scanTime = """
        05 0D 55 0C 66 01 10 27 FF FF 00 00 75 10 95 01 09 56 81 02 64 55 00
        """
    static let windows8 = """
        06 00 FF 09 C5 15 00 26 FF 00 75 08 96 00 01 B1 02
        """

    static func application(_ usage: String = "04", id: String? = "01", _ pieces: String...) -> String {
        "05 0D 09 \(usage) A1 01\n" + (id.map { "85 \($0)\n" } ?? "") + pieces.joined(separator: "\n") + "\nC0\n"
    }
}

/// One contact of a report made of `Piece.finger`. Flags are letters: `t` tip, `c` confidence, `r` in range.
func finger(_ flags: String, _ id: UInt8, _ x: UInt16, _ y: UInt16) -> [UInt8] {
    let bits: UInt8 = (flags.contains("t") ? 1 : 0) | (flags.contains("c") ? 2 : 0) | (flags.contains("r") ? 4 : 0)
    return [bits, id, UInt8(x & 0xFF), UInt8(x >> 8), UInt8(y & 0xFF), UInt8(y >> 8)]
}

/// A slot without a contact.
let empty: [UInt8] = [0, 0, 0, 0, 0, 0]

/// A decoder whose reports arrive 10 ms apart, with its frames as text.
struct Panel {
    var decoder: TouchReportDecoder
    private var time = Duration.zero

    init(_ descriptor: String, _ change: (inout TouchReportDecoder.Options) -> Void = { _ in }) {
        var options = TouchReportDecoder.Options()
        change(&options)
        decoder = TouchReportDecoder(descriptor: bytes(descriptor), options: options)
    }

    /// Returns one line for each frame, such as `5 began (1,2), 6 moved (3,4)`. Application 0 is not named.
    mutating func decode(_ report: [UInt8]...) -> [String] {
        var scans: [TouchScan] = []
        decoder.decode(report.flatMap { $0 }, at: time, into: &scans)
        time += .milliseconds(10)
        return scans.map(line)
    }

    mutating func unplug() -> [String] { decoder.cancelAll(at: time).map(line) }

    mutating func frames(_ report: [UInt8]) -> [ContactFrame] {
        var frames: [ContactFrame] = []
        decoder.decode(report, at: time, into: &frames)
        return frames
    }

    private func line(_ scan: TouchScan) -> String {
        let contacts = scan.frame.contacts.map { "\($0.id & 0xFFFF_FFFF) \($0.phase) (\($0.x),\($0.y))" }
        let text = contacts.isEmpty ? "no contact" : contacts.joined(separator: ", ")
        return scan.application == 0 ? text : "application \(scan.application): \(text)"
    }
}
