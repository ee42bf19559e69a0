// Output.swift: what a program says to a person: the one way to stdout and stderr.
//
//     a line ─▶ its control characters made visible ─▶ a command: written, waiting for whoever reads
//                                                   └▶ a process of a group: written if there is room; else counted, and
//                                                      said when there is room again
//
// A process of a group supervises, routes or delivers: it waits for no reader of its complaints. Text from outside (names of
// devices and files, keys of configurations, reports of apps) reaches a terminal by here alone, so that no name can move its
// cursor, change its title or turn the direction of what stands beside it. Why, and what else was weighed: Docs/Decisions/Output.md.

import Basics
import CSystem
import Glibc
import Synchronization

public enum Output {
    fileprivate struct Stream {
        let descriptor: Int32
        /// The same pipe or terminal, opened anew so that it does not block; nil until it is asked for, -1 where there is none.
        var own: Int32?
        var dropped = 0
        /// A line that was begun has no end.
        var isCut = false
        /// Why the last write failed; 0 while none has.
        var failure: Int32 = 0
    }

    private struct State {
        /// Whether a line waits for room.
        var isPatient = true
        var streams = [Stream(descriptor: STDOUT_FILENO), Stream(descriptor: STDERR_FILENO)]
    }

    private static let state = Mutex(State())

    /// One line on stdout, at once, also into a pipe. An end of a line inside it is made visible.
    public static func say(_ line: String) { put(oneLine(line), on: 0) }

    /// One line on stderr.
    public static func complain(_ line: String) { put(oneLine(line), on: 1) }

    /// Several lines on stdout, of which no name from outside is a part, or whose format makes ends of lines visible.
    public static func sayText(_ text: String) { put(text, on: 0) }

    /// The same on stderr.
    public static func complainText(_ text: String) { put(text, on: 1) }

    /// Whether stderr is a terminal, on which somebody may watch what goes on.
    public static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

    /// What goes on, on a line of a terminal that the next one is written over; empty takes it away. Nothing where nobody watches.
    public static func progress(_ text: String) {
        guard isWatched else { return }
        put(Array("\r\u{1B}[K\(visible(text))".utf8), on: 1)
    }

    /// From here on this process waits for no reader: what there is no room for is dropped and counted. Called before a process is
    /// confined, after which it opens nothing anew.
    public static func neverWait() {
        state.withLock { state in
            state.isPatient = false
            for index in state.streams.indices where state.streams[index].own == nil {
                state.streams[index].own = system_output_open(state.streams[index].descriptor)
            }
        }
    }

    /// Why something that was said on stdout has not been written, such as a disk that is full: an error of the system. Nil where
    /// all was, or where the reader has gone, who is told nothing any more.
    public static var failure: Int32? {
        let failure = state.withLock { $0.streams[0].failure }
        return failure == 0 || failure == EPIPE ? nil : failure
    }

    private static func put(_ line: String, on index: Int) { put(Array("\(visible(line))\n".utf8), on: index) }

    private static func put(_ text: [UInt8], on index: Int) {
        state.withLock { state in
            if state.isPatient {
                state.streams[index].write(text)
            } else {
                state.streams[index].offer(text)
            }
        }
    }

    /// The text with every character that a terminal obeys, but for the ends of lines and tabs, as `\u001B`: C0, DEL, C1, and those
    /// that turn the direction of text or end a line. So JSON stays JSON, which writes them the same way.
    public static func visible(_ text: String) -> String {
        func isPlain(_ byte: UInt8) -> Bool {
            (byte >= 0x20 && byte < 0x7F) || byte == 0x0A || byte == 0x09
        }
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        var visible = ""
        for scalar in text.unicodeScalars {
            if isObeyed(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                visible += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}

extension Output.Stream {
    /// Waits for room. Nothing is done about a reader that has gone: there is nobody left to tell.
    mutating func write(_ text: [UInt8]) {
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                failure = errno
                return
            }
        }
    }

    /// Writes what there is room for now.
    mutating func offer(_ text: [UInt8]) {
        if dropped > 0 {
            let word = dropped == 1 ? "line was" : "lines were"
            let news = Array("\(isCut ? "\n" : "")\(dropped) \(word) dropped here: nobody read them\n".utf8)
            guard accept(news) else { return dropped += 1 }
            dropped = 0
        }
        if !accept(text) { dropped += 1 }
    }

    private mutating func accept(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { system_output_write(descriptor, own ?? -1, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                if rest.count < text.count { isCut = true }
                return false
            }
        }
        isCut = false
        return true
    }
}

func complain(_ line: String) { Output.complain(line) }
