// FormatGuess.swift: determines the format of a file by the first line that no other format has.
//
//     evemu            # EVEMU 1.2     A: B: lines     I: with four numbers     E: with type, code and value
//     hid-recorder     R: D: lines     I: with three numbers     E: with a length and as many bytes
//     evtest           Event: time …     Input driver version, Input device ID:, Input device name:
//     getevent         [ 12.345678] …     add device 1: /dev/input/…     /dev/input/event2: EV_ABS …     12-345678: …
//     libinput-record  ndevices:     libinput:     devices:     - node:     - evdev:
//     webdriver        a brace, or a bracket and a brace
//     script           an act and its finger or time
//     journal          touchline-journal, after a # or not
//
// evemu and hid-recorder share N: and P: lines, which therefore are only likely. A person's notes before these lines
// decide nothing. Nor does the list of devices that evtest, evemu-record and libinput offer for a choice.
//
// Station   device
// Input     RecordingReader, line by line until one is certain
// Knows     the beginnings of lines. Not their meaning.

/// What one line shows about the format.
enum FormatGuess: Equatable {
    /// No other format has such a line.
    case certain(RecordingFormat)
    /// This format, unless a later line is certain.
    case likely(RecordingFormat)
    /// A blank line, a note, or a device in a list for a choice.
    case comment
    case unknown

    /// The expected formats, for the error about a file of no format.
    static let expectedFormats =
        "a recording (evemu, evtest, getevent -lt, libinput record, hid-recorder), WebDriver actions, a finger script "
        + "or a journal"

    /// - Parameter earlier: The format that earlier lines make likely.
    init(_ line: Span<UInt8>, after earlier: RecordingFormat?) {
        let fields = Fields(line)
        guard let first = fields.first else {
            self = .comment
            return
        }
        if Self.isJournal(line) {
            self = .certain(.journal)
        } else if first == UInt8(ascii: "#") {
            self = Self.isEvemuHeader(line) ? .certain(.evemu) : .comment
        } else if let letter = Self.letterFormat(line, first) {
            self = letter
        } else if Self.isEvtest(line) {
            self = .certain(.evtest)
        } else if Self.isGetevent(line) {
            self = .certain(.getevent)
        } else if GeteventReader.isDevice(fields) {
            self = .comment
        } else if Self.isLibinputRecord(line) {
            self = .certain(.libinputRecord)
        } else if Self.isJSON(line) {
            self = .certain(.webdriverActions)
        } else if Self.isScript(line) {
            self = .certain(.script)
        } else {
            self = .unknown
        }
    }

    static func isJournal(_ line: Span<UInt8>) -> Bool {
        var fields = Fields(line)
        _ = fields.skipIfNext(UInt8(ascii: "#"))
        return fields.starts(with: "touchline-journal")
    }

    static func isEvemuHeader(_ line: Span<UInt8>) -> Bool {
        var fields = Fields(line)
        return fields.readEvemuVersion() != nil
    }

    static func isEvtest(_ line: Span<UInt8>) -> Bool {
        let fields = Fields(line)
        return fields.starts(with: "Event: time ") || fields.starts(with: "Input driver version is ")
            || fields.starts(with: "Input device ID: ") || fields.starts(with: "Input device name: ")
    }

    static func isGetevent(_ line: Span<UInt8>) -> Bool {
        var fields = Fields(line)
        if GeteventReader.isEvent(fields) { return true }
        if fields.skipIfNext("add device ") {
            fields.skip(past: UInt8(ascii: ":"))
            return fields.starts(with: "/dev/input/")
        }
        guard fields.skipIfNext(UInt8(ascii: "[")) else {
            return GeteventReader.parseDashedTime(&fields) != nil && GeteventReader.isEvent(fields)
        }
        do throws(Complaint) {
            _ = try fields.readSeconds()
            return fields.first == UInt8(ascii: "]")
        } catch { return false }
    }

    static func isLibinputRecord(_ line: Span<UInt8>) -> Bool {
        var fields = Fields(line)
        if fields.starts(with: "ndevices:") || fields.starts(with: "libinput:") || fields.starts(with: "devices:") {
            return true
        }
        return fields.skipIfNext("- ") && (fields.starts(with: "node: /dev/input/") || fields.starts(with: "evdev:"))
    }

    /// Whether a line begins an object, or an array of them; `[ 12.5]` begins a line of getevent's.
    static func isJSON(_ line: Span<UInt8>) -> Bool {
        var fields = Fields(line)
        guard fields.skipIfNext(UInt8(ascii: "[")) else { return fields.first == UInt8(ascii: "{") }
        return fields.first == nil || fields.first == UInt8(ascii: "{") || fields.first == UInt8(ascii: "]")
    }

    /// Whether a line is a script's. A note may begin with the same verb; an act also names a finger or a time.
    static func isScript(_ line: Span<UInt8>) -> Bool {
        var fields = Fields(line)
        let verb = fields.readWord()
        guard ScriptWords.verbs.contains(verb) else { return false }
        if verb == "axes" { return fields.first == UInt8(ascii: "(") }
        let rest = fields.restOfLine.utf8
        let (letter, digit) = (rest.first, rest.dropFirst().first)
        let namesFinger = letter == UInt8(ascii: "f") && digit.map { (0x30...0x39).contains($0) } == true
        return namesFinger || rest.contains(UInt8(ascii: "@"))
    }

    /// Recognizes the lines of evemu and hid-recorder: a letter and a colon.
    private static func letterFormat(_ line: Span<UInt8>, _ letter: UInt8) -> FormatGuess? {
        var fields = Fields(line)
        guard fields.skipKey(letter) else { return nil }
        switch letter {
        case UInt8(ascii: "A"), UInt8(ascii: "B"): return .certain(.evemu)
        case UInt8(ascii: "R"): return .certain(.hidRecorder)
        case UInt8(ascii: "D"):
            return fields.first.map { 0x30...0x39 ~= $0 } == true ? .certain(.hidRecorder) : .unknown
        case UInt8(ascii: "I"):
            var numbers = 0
            while !fields.isAtEnd {
                guard fields.readField().allSatisfy({ Fields.hexDigit(fields.line[$0]) != nil }) else {
                    return .unknown
                }
                numbers += 1
            }
            return numbers < 3 ? .unknown : .certain(numbers == 3 ? .hidRecorder : .evemu)
        case UInt8(ascii: "E"): return .certain(isReport(&fields) ? .hidRecorder : .evemu)
        case UInt8(ascii: "N"), UInt8(ascii: "P"), UInt8(ascii: "L"), UInt8(ascii: "S"): return .likely(.evemu)
        default: return nil
        }
    }

    /// Whether the rest is a report such as `0.000000 3 01 02 03`: a length without leading zeros, and bytes of two
    /// digits.
    private static func isReport(_ fields: inout Fields) -> Bool {
        _ = fields.readField()
        let lengthField = fields.readField()
        guard !fields.isAtEnd, lengthField.count == 1 || fields.line[lengthField.lowerBound] != 0x30 else {
            return false
        }
        var length = 0
        for index in lengthField.prefix(6) {
            let digit = fields.line[index] &- 0x30
            guard digit < 10 else { return false }
            length = length * 10 + Int(digit)
        }
        var bytes = 0
        while !fields.isAtEnd {
            let byte = fields.readField()
            guard byte.count == 2, byte.allSatisfy({ Fields.hexDigit(fields.line[$0]) != nil }) else { return false }
            bytes += 1
        }
        // With three fields, an evemu event could look like a report: a report that short has the matching length.
        return bytes == length || bytes > 2
    }
}
