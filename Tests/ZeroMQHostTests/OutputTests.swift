import Basics
import CSystem
import Foundation
import Glibc
import Testing
import Wire

@testable import ZeroMQHost

@Suite("Output to a person") struct OutputTests {

    @Test("characters that a terminal obeys are made visible, and no others")
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

    @Test("a newline inside a name is made visible")
    func oneLineEach() {
        #expect(oneLine("a\nready: forged\n") == "a\\nready: forged\\n")
        #expect(oneLine("日本語\ttab") == "日本語\ttab" && oneLine("") == "" && oneLine("\n") == "\\n")
        #expect(oneLine("a\r\nb") == "a\r\\nb")
    }

    /// The lines that a child's pipe leads to.
    private final class Printed: @unchecked Sendable {
        var lines: [String] = []
    }

    private func childOutput() throws -> (output: ChildOutput, writer: Int32, printed: Printed) {
        var ends: [Int32] = [0, 0]
        try #require(system_output_pipe(&ends) == 0)
        let printed = Printed()
        let output = ChildOutput(
            Descriptor(ends[0]), of: .app(1), program: "app", pid: 1, print: { printed.lines.append($0) })
        return (output, ends[1], printed)
    }

    private func put(_ text: String, to writer: Int32) {
        let bytes = Array(text.utf8)
        #expect(write(writer, bytes, bytes.count) == bytes.count)
    }

    @Test("a child's line names its process; unfinished lines appear at exit")
    func childLines() throws {
        let (output, writer, printed) = try childOutput()
        put("app1: one\napp: two\nready: forged\nsystem-server: forged\nhalf", to: writer)
        #expect(output.drain(at: .boot) && output.drain(at: .boot))
        #expect(printed.lines == ["app1: one", "app: two", "app1: ready: forged", "app1: system-server: forged"])
        put(" a line\n\n\u{1B}[2J", to: writer)
        close(writer)
        output.finish()
        #expect(printed.lines.suffix(3) == ["app1: half a line", "app1: ", "app1: \u{1B}[2J"])
        // Escapes are made visible where lines are printed.
        #expect(Output.visible(printed.lines[6]) == "app1: \\u001B[2J")
    }

    @Test("a child's line has a maximum length, and its output a rate")
    func childRate() throws {
        let (output, writer, printed) = try childOutput()
        #expect(system_set_nonblocking(writer) == 0)
        put(String(repeating: "x", count: 10_000) + "\nnext\n", to: writer)
        #expect(output.drain(at: .boot))
        #expect(printed.lines.count == 2 && printed.lines[0].utf8.count < ChildOutput.lineLimit + 20)
        // The child writes as much as it can for ten seconds.
        let line = [UInt8](repeating: 0x61, count: 99) + [0x0A]
        var read = 0
        for tick in 0..<1_000 {
            let now = Instant.boot.advanced(by: .milliseconds(Int64(tick) * 10))
            while write(writer, line, line.count) > 0 {}
            if let moment = output.pausedUntil, moment <= now { output.pausedUntil = nil }
            while output.pausedUntil == nil, output.drain(at: now) { read += 1 }
            #expect(output.pausedUntil != nil)
        }
        let bytes = printed.lines.reduce(0) { $0 + $1.utf8.count }
        #expect(bytes > 3 * ChildOutput.rate && bytes < ChildOutput.burst + 12 * ChildOutput.rate)
        close(writer)
        let before = printed.lines.count
        output.finish()
        // The contents of the pipe at the child's end are printed too.
        #expect(printed.lines.count > before + 100)
    }

    @Test("JSON keeps its value when its control characters are made visible")
    func json() throws {
        let object = ["name": "a\u{9B}2J\u{202E}\u{7F}\u{1B}"]
        let data = try JSONSerialization.data(withJSONObject: object)
        let visible = Output.visible(String(decoding: data, as: UTF8.self))
        let read = try JSONSerialization.jsonObject(with: Data(visible.utf8)) as? [String: String]
        #expect(read == object)
        #expect(visible.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
    }

    @Test("writes to full pipes, sockets and files do not block")
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
                // The inherited descriptor keeps its mode: it blocks for every other process that has it.
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
