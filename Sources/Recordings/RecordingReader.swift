// RecordingReader.swift: a file's bytes, in whatever pieces they come, as contact frames.
//
// The format is guessed from the first line that gives one away, and that line and those before it are then read as
// that format. Where the pieces are cut makes no difference to the frames.
//
// Station   device
// Fed by    InputKitCore, with what the host read
// Feeds     FrameAssembler
// Knows     lines and their numbers. Never opens a file.

import Basics
public import HID

public enum RecordingFormat: String, Sendable {
    case evemu
    /// SEMANTICS 0.4, in screen points.
    case script = "touchline-script"
}

public struct RecordingReader: Sendable {
    /// What errors call the file.
    public let name: String
    /// Nil until a line has given it away.
    public private(set) var format: RecordingFormat?
    /// Lines read so far, the last one also when it had no end.
    public private(set) var lineCount = 0

    private let screen: ScreenGeometry
    private let fallback: AxisRanges?
    /// The beginning of a line whose end has not come.
    private var partial: [UInt8] = []
    /// Lines that came before the format was known, ends included, and how many of them were not comments.
    private var undecided: [UInt8] = []
    private var strangeLines = 0
    private var evemu = EvemuReader()
    private var script: [UInt8] = []

    /// Bytes of one line.
    public static let lineLimit = 65_536
    /// Lines of free text a file may begin with.
    static let strangeLineLimit = 64

    /// The logical range of an axis nobody has described.
    public static let assumedRanges = AxisRanges(x: 0...32767, y: 0...32767)

    /// - Parameters:
    ///   - screen: Where a script's points are. Recordings do without.
    ///   - ranges: The axes of a device whose recording does not describe them; `assumedRanges` when nil.
    public init(
        name: String, format: RecordingFormat? = nil, screen: ScreenGeometry, ranges: AxisRanges? = nil
    ) {
        (self.name, self.format, self.screen, fallback) = (name, format, screen, ranges)
    }

    /// Which multi-touch protocol the recording speaks; nil for scripts and until it is known.
    public var dialect: EvdevProtocol? { format == .evemu ? evemu.dialect : nil }
    /// As the description calls it, or empty.
    public var deviceName: String { evemu.deviceName }
    /// Lines that were nothing of the format's.
    public var ignoredLines: Int { evemu.ignoredLines }
    /// Landings the recording announced and no panel could have: see `EvdevTracker.ignored`.
    public var ignoredContacts: Int { evemu.tracker.ignored }
    /// Stamps that lay before the one ahead of them.
    public var timesBackwards: Int { evemu.timesBackwards }
    /// Whether `ranges` are nobody's word but ours.
    public var rangesAreAssumed: Bool { format != .script && evemu.ranges == nil && fallback == nil }

    /// Of a script that has been read to its end: what its frames are part of.
    public private(set) var scriptReports: [FingerScript.Report]?

    /// The logical ranges of the frames' positions. Settled once the first frame is there.
    public var ranges: AxisRanges {
        format == .script ? FingerScript.ranges : evemu.ranges ?? fallback ?? Self.assumedRanges
    }

    /// Takes the file's next bytes.
    ///
    /// - Parameter frames: Appended to, also when an error follows them.
    /// - Throws: `RecordingError`; nothing can be read after it.
    public mutating func read(_ bytes: [UInt8], into frames: inout [ContactFrame]) throws(RecordingError) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            if partial.isEmpty {
                try takeLine(bytes[start..<end], into: &frames)
            } else {
                let line = partial + bytes[start..<end]
                partial.removeAll(keepingCapacity: true)
                try takeLine(line[...], into: &frames)
            }
            start = end + 1
        }
        guard partial.count + bytes.count - start <= Self.lineLimit else { throw tooLong() }
        partial += bytes[start...]
    }

    /// The file has ended: its last line counts without a line end too.
    ///
    /// - Parameter frames: Gets what was still unread.
    /// - Returns: Whoever is still down, cancelled: no scan of the device's, and for whoever plays it to send.
    public mutating func finish(into frames: inout [ContactFrame]) throws(RecordingError) -> ContactFrame? {
        if !partial.isEmpty {
            let line = partial
            partial = []
            try takeLine(line[...], into: &frames)
        }
        switch format {
        case .evemu: return evemu.finish(into: &frames)
        case .script:
            let text = try FingerScript(parsing: String(decoding: script, as: UTF8.self), file: name)
            if let act = text.lines.first(where: { !$0.act.isInput }) {
                throw RecordingError(
                    file: name, line: act.number, expected: "what a device reports: fingers, keys, pointers",
                    found: quoted("\(act.act)"))
            }
            scriptReports = text.reports(on: screen)
            let script = text.frames(on: screen)
            frames += script
            return script.last?.cancellingWhoIsDown
        case nil: throw strange(undecided[...], line: 0)
        }
    }

    private func tooLong() -> RecordingError {
        RecordingError(
            file: name, line: lineCount + 1, expected: "a line of at most \(Self.lineLimit) bytes",
            found: "a longer one")
    }

    private mutating func takeLine(
        _ line: ArraySlice<UInt8>, into frames: inout [ContactFrame]
    ) throws(RecordingError) {
        guard line.count <= Self.lineLimit else { throw tooLong() }
        lineCount += 1
        var line = line
        if lineCount == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        switch format {
        case .evemu:
            do throws(Complaint) { try evemu.take(line, into: &frames) } catch { throw error.at(name, lineCount) }
        case .script: try keep(line)
        case nil: try guess(line, into: &frames)
        }
    }

    /// Scripts are short, and cannot be played before their last line is known: taps overlap.
    private mutating func keep(_ line: ArraySlice<UInt8>) throws(RecordingError) {
        guard script.count + line.count < FingerScript.textLimit else {
            throw RecordingError(
                file: name, line: lineCount, expected: "at most \(FingerScript.textLimit) bytes of script",
                found: "more")
        }
        script += line
        script.append(0x0A)
    }

    private mutating func guess(
        _ line: ArraySlice<UInt8>, into frames: inout [ContactFrame]
    ) throws(RecordingError) {
        guard let guessed = Self.format(givenAwayBy: line) else {
            let isComment = Fields(line).first.map { $0 == UInt8(ascii: "#") } ?? true
            strangeLines += isComment ? 0 : 1
            undecided += line
            undecided.append(0x0A)
            guard strangeLines < Self.strangeLineLimit, undecided.count <= Self.lineLimit * 2 else {
                throw strange(line, line: lineCount)
            }
            return
        }
        format = guessed
        let before = undecided
        undecided = []
        // These lines were counted when they first came.
        lineCount = 0
        var start = before.startIndex
        while let end = before[start...].firstIndex(of: 0x0A) {
            try takeLine(before[start..<end], into: &frames)
            start = end + 1
        }
        try takeLine(line, into: &frames)
    }

    /// The format only this line can belong to.
    private static func format(givenAwayBy line: ArraySlice<UInt8>) -> RecordingFormat? {
        var fields = Fields(line)
        if fields.evemuVersion != nil { return .evemu }
        guard let first = fields.first else { return nil }
        if "NIPBALSE".utf8.contains(first) {
            var key = fields
            if key.takeKey(first) { return .evemu }
        }
        // A person's note may begin with such a verb too; a step says which finger, or when.
        guard ScriptWords.verbs.contains(fields.takeWord()) else { return nil }
        let rest = fields.restOfLine.utf8
        let (letter, digit) = (rest.first, rest.dropFirst().first)
        let namesFinger = letter == UInt8(ascii: "f") && digit.map { (0x30...0x39).contains($0) } == true
        return namesFinger || rest.contains(UInt8(ascii: "@")) ? .script : nil
    }

    private func strange(_ bytes: ArraySlice<UInt8>, line: Int) -> RecordingError {
        let shown = bytes.prefix { $0 != 0x0A }
        return RecordingError(
            file: name, line: line, expected: "an evemu recording or a finger script",
            found: shown.isEmpty ? "an empty file" : quoted(shown))
    }
}

extension ContactFrame {
    /// The same moment with everybody who is still down cancelled; nil when nobody is.
    public var cancellingWhoIsDown: ContactFrame? {
        let open = contacts.filter { $0.phase != .ended && $0.phase != .cancelled }
        guard !open.isEmpty else { return nil }
        return ContactFrame(
            time: time, contacts: open.map { DeviceContact(id: $0.id, phase: .cancelled, x: $0.x, y: $0.y) })
    }
}
