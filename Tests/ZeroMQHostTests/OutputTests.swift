import CSystem
import Foundation
import Glibc
import Testing

@testable import ZeroMQHost

@Suite("What is said to a person") struct OutputTests {

    @Test("every character that a terminal obeys is made visible, and no other is changed")
    func visible() throws {
        for (text, expected) in [
            ("panel\ttwo\nlines", "panel\ttwo\nlines"), ("日本語 é 👆", "日本語 é 👆"), ("", ""),
            ("\u{1B}]0;owned\u{7}", "\\u001B]0;owned\\u0007"), ("\u{1B}[2J\u{1B}[H", "\\u001B[2J\\u001B[H"),
            ("a\rb\u{8}c\u{7F}", "a\\u000Db\\u0008c\\u007F"), ("\u{9B}31m", "\\u009B31m"),
            ("abc\u{202E}txt.exe", "abc\\u202Etxt.exe"), ("\u{2066}x\u{2069}", "\\u2066x\\u2069"),
            ("one\u{2028}two", "one\\u2028two"), ("\r\n", "\\u000D\n"),
        ] {
            #expect(Output.visible(text) == expected)
        }
        for value in UInt32(0)...0x2100 {
            guard let scalar = Unicode.Scalar(value), ![0x09, 0x0A].contains(value) else { continue }
            let isControl = scalar.properties.generalCategory == .control
            let visible = Output.visible(String(scalar))
            #expect(!isControl || visible.hasPrefix("\\u"), "\(value)")
        }
    }

    @Test("JSON is the same JSON when its control characters are made visible")
    func json() throws {
        let object = ["name": "a\u{9B}2J\u{202E}\u{7F}\u{1B}"]
        let data = try JSONSerialization.data(withJSONObject: object)
        let visible = Output.visible(String(decoding: data, as: UTF8.self))
        let read = try JSONSerialization.jsonObject(with: Data(visible.utf8)) as? [String: String]
        #expect(read == object)
        #expect(visible.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
    }

    @Test("a full pipe is written to as far as there is room, without waiting, and so are a full socket and a file")
    func full() throws {
        var pipes: [Int32] = [0, 0]
        var sockets: [Int32] = [0, 0]
        #expect(pipe(&pipes) == 0 && socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        let lines = [UInt8](repeating: 65, count: 1000)
        for (writer, reader) in [(pipes[1], pipes[0]), (sockets[1], sockets[0])] {
            for own in [system_output_open(writer), -1] {
                var written = 0
                while true {
                    let count = system_output_write(writer, own, lines, lines.count)
                    guard count > 0 else { break }
                    written += count
                }
                #expect(errno == EAGAIN && written > 10_000)
                // The descriptor that was inherited is as it was: it blocks for everybody else who has it.
                #expect(fcntl(writer, F_GETFL) & O_NONBLOCK == 0)
                var room = [UInt8](repeating: 0, count: written)
                var taken = 0
                while taken < written { taken += read(reader, &room, room.count) }
                if own >= 0 { close(own) }
            }
        }
        for descriptor in pipes + sockets { close(descriptor) }
    }
}
