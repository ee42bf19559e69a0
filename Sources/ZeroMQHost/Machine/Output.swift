// Output.swift: prints text for a person, the only path to stdout and stderr.
//
//     a line ─▶ its control characters made visible ─▶ a command: written; waits for the reader
//                                                   └▶ a process of a group: written if there is room; else counted,
//                                                      and the count is printed when there is room again
//
// A process of a group supervises, routes or delivers, so it never waits for a reader of its messages. Text from
// outside (names of devices and files, configuration keys, reports of apps) reaches a terminal only through this file.
// So no such name can move the cursor, change the title or reverse the direction of neighboring text.
// Docs/Decisions/Output.md has the reasons and the alternatives.

import Basics
import CSystem
import Glibc
import Synchronization

/// The standard streams of this process.
public enum Output {
    fileprivate struct Stream {
        let descriptor: Int32
        /// The same pipe or terminal, opened a second time so that it does not block; nil before `dropWithoutWaiting`, -1 if
        /// that failed.
        var nonblockingDescriptor: Int32?
        var dropped = 0
        /// Whether the last line was written only in part.
        var isCut = false
        /// The errno of the last failed write; 0 if none failed.
        var failure: Int32 = 0
    }

    private struct State {
        /// Whether a line waits for room.
        var waitsForReaders = true
        var streams = [Stream(descriptor: STDOUT_FILENO), Stream(descriptor: STDERR_FILENO)]
    }

    private static let state = Mutex(State())

    /// Writes one line to stdout at once, also into a pipe. A line break inside the text is made visible.
    public static func printLine(_ line: String) { write(oneLine(line), on: 0) }

    /// Writes one line to stderr, as `printLine` does to stdout.
    public static func printError(_ line: String) { write(oneLine(line), on: 1) }

    /// Writes several lines to stdout. The text contains no name from outside, or its format escapes line breaks.
    public static func printText(_ text: String) { write(text, on: 0) }

    /// Writes several lines to stderr, as `printText` does to stdout.
    public static func printErrorText(_ text: String) { write(text, on: 1) }

    /// Whether stderr is a terminal, where a person may watch the progress.
    public static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes the progress to a line of the terminal that the next call overwrites; an empty text erases it. Does
    /// nothing without a terminal.
    public static func progress(_ text: String) {
        guard isWatched else { return }
        write(Array("\r\u{1B}[K\(visible(text))".utf8), on: 1)
    }

    /// Shows the alternate screen of the terminal on stdout, without a cursor and without line wrapping.
    public static func enterScreen() { write(Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8), on: 0) }

    /// Draws lines on the screen of the terminal on stdout, from its first row, and erases everything else.
    public static func drawScreen(_ lines: [StyledLine], hasColors: Bool) {
        write(StyledLine.screen(lines, hasColors: hasColors), on: 0)
    }

    /// Shows the terminal's former screen with its cursor and line wrapping. A signal handler may call it: it takes no
    /// lock and allocates nothing.
    public static func leaveScreen() {
        let sequence: StaticString = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
        _ = Glibc.write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
    }

    /// Makes this process never wait for a reader: text without room is dropped and counted.
    ///
    /// Called before the process is confined, because afterwards it cannot open anything.
    public static func dropWithoutWaiting() {
        state.withLock { state in
            state.waitsForReaders = false
            for index in state.streams.indices where state.streams[index].nonblockingDescriptor == nil {
                state.streams[index].nonblockingDescriptor = system_output_open(state.streams[index].descriptor)
            }
        }
    }

    /// The errno of a failed write to stdout, such as a full disk. Nil if all text was written, or if the reader has
    /// closed its end.
    public static var failure: Int32? {
        let failure = state.withLock { $0.streams[0].failure }
        return failure == 0 || failure == EPIPE ? nil : failure
    }

    private static func write(_ line: String, on index: Int) { write(Array("\(visible(line))\n".utf8), on: index) }

    private static func write(_ text: [UInt8], on index: Int) {
        state.withLock { state in
            if state.waitsForReaders {
                state.streams[index].write(text)
            } else {
                state.streams[index].offer(text)
            }
        }
    }

    /// Replaces every character that a terminal obeys, except line breaks and tabs, by an escape such as `\u001B`.
    ///
    /// These are C0, DEL, C1, and the characters that turn the direction of text or end a line. JSON stays JSON,
    /// because it uses the same escapes.
    public static func visible(_ text: String) -> String {
        func isPlain(_ byte: UInt8) -> Bool {
            (byte >= 0x20 && byte < 0x7F) || byte == 0x0A || byte == 0x09
        }
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        var visible = ""
        for scalar in text.unicodeScalars {
            if isControlCharacter(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                visible += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }

    private static func isControlCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}

extension Output.Stream {
    /// Writes the text and waits for room. A failure, such as a closed reader, is only noted.
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

    /// Writes as much as there is room for now.
    mutating func offer(_ text: [UInt8]) {
        if dropped > 0 {
            let subject = dropped == 1 ? "line was" : "lines were"
            let notice = Array("\(isCut ? "\n" : "")\(dropped) \(subject) dropped here: no process read them\n".utf8)
            guard writeWithoutWaiting(notice) else { return dropped += 1 }
            dropped = 0
        }
        if !writeWithoutWaiting(text) { dropped += 1 }
    }

    private mutating func writeWithoutWaiting(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                system_output_write(descriptor, nonblockingDescriptor ?? -1, $0.baseAddress, $0.count)
            }
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

func printError(_ line: String) { Output.printError(line) }
