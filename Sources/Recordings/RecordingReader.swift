// RecordingReader.swift: a file's bytes, in whatever pieces they come, as contact frames.
//
// The format is guessed from the first line that gives one away (FormatGuess), and that line and those before it are
// then read as that format. Where the pieces are cut makes no difference to the frames.
//
// Station   device
// Fed by    InputKitCore, with what the host read
// Feeds     FrameAssembler
// Knows     lines and their numbers. Never opens a file.

import Basics
public import HID

public enum RecordingFormat: String, Sendable, CaseIterable {
    case evemu, evtest, getevent
    case libinputRecord = "libinput-record"
    case hidRecorder = "hid-recorder"
    case webdriverActions = "webdriver-actions"
    /// Docs/Spec/Semantics.md section 0.4, in screen points.
    case script = "touchline-script"
    /// Ours: everything a recording can say, exactly.
    case journal = "touchline-journal"
}

public struct RecordingReader: Sendable {
    /// What errors call the file.
    public let name: String
    /// Nil until a line has given it away.
    public private(set) var format: RecordingFormat?
    /// Lines read so far, the last one also when it had no end.
    public private(set) var lineCount = 0

    private let screen: ScreenGeometry
    private let options: RecordingOptions
    /// The beginning of a line whose end has not come.
    private var partial: [UInt8] = []
    /// Lines that came before the format was known, ends included, and how many of them were not comments.
    private var undecided: [UInt8] = []
    private var strangeLines = 0
    /// What they would be if nothing after them told better.
    private var guess: RecordingFormat?
    /// Nil until the format is known.
    private var body: (any LineFormat)?

    /// Bytes of one line.
    public static let lineLimit = 1 << 20
    /// Lines of free text a file may begin with.
    static let strangeLineLimit = 64

    /// The logical range of an axis nobody has described.
    public static let assumedRanges = AxisRanges(x: 0...32767, y: 0...32767)

    /// - Parameters:
    ///   - format: Nil to guess it from the content.
    ///   - screen: Where a script's points are, and WebDriver's pixels. Recordings do without.
    public init(
        name: String, format: RecordingFormat? = nil, screen: ScreenGeometry,
        options: RecordingOptions = RecordingOptions()
    ) {
        (self.name, self.format, self.screen, self.options) = (name, format, screen, options)
        body = format.map(makeBody)
    }

    private func makeBody(_ format: RecordingFormat) -> any LineFormat {
        switch format {
        case .evemu: EvemuReader(options)
        case .script: ScriptReader(name: name, screen: screen)
        case .evtest: EvtestReader(options)
        case .getevent: GeteventReader(options)
        case .libinputRecord: LibinputRecordReader(options)
        case .hidRecorder: HIDRecorderReader(options: options)
        case .webdriverActions: WebDriverReader(screen: screen)
        case .journal: JournalReader()
        }
    }

    private var facts: RecordingFacts { body?.facts ?? RecordingFacts() }

    /// Which multi-touch protocol the recording speaks; nil for scripts and until it is known.
    public var dialect: ContactProtocol? { facts.dialect }
    /// HID only: nil elsewhere.
    public var reportingMode: ReportingMode? { facts.mode }
    /// As far as the recording has said it.
    public var device: DeviceDescription { facts.device }
    public var deviceName: String { facts.device.name }
    /// Lines that were nothing of the format's.
    public var ignoredLines: Int { facts.ignoredLines }
    /// Landings the recording announced and no panel could have: see `EvdevTracker.ignored`.
    public var ignoredContacts: Int { facts.ignoredContacts }
    /// Stamps that lay before the one ahead of them.
    public var timesBackwards: Int { facts.timesBackwards }
    /// For a person, a sentence each: why there are no touches, which devices were left out.
    public var remarks: [String] { facts.remarks }
    /// Whether `ranges` are nobody's word but ours.
    public var rangesAreAssumed: Bool { facts.device.ranges == nil && options.ranges == nil }

    /// The screen whose width and height positions are 65536ths of, of a file in points or pixels read to its end; nil
    /// for a panel's own units.
    public var screenOfPositions: ScreenGeometry? { facts.screen }

    /// Of a script that has been read to its end: what its frames are part of.
    public var scriptReports: [FingerScript.Report]? { facts.reports }

    /// The logical ranges of the frames' positions. Settled once the first frame is there.
    public var ranges: AxisRanges { facts.device.ranges ?? options.ranges ?? Self.assumedRanges }

    /// Takes the file's next bytes.
    ///
    /// - Parameter frames: Appended to, also when an error follows them.
    /// - Throws: `RecordingError`; nothing can be read after it.
    public mutating func read(_ bytes: [UInt8], into frames: inout [ContactFrame]) throws(RecordingError) {
        try read(bytes.span, into: &frames)
    }

    /// The same of bytes that lie anywhere.
    public mutating func read(_ bytes: Span<UInt8>, into frames: inout [ContactFrame]) throws(RecordingError) {
        var start = 0
        if !partial.isEmpty {
            let end = bytes.firstNewline(from: 0)
            let rest = end ?? bytes.count
            guard partial.count + rest <= Self.lineLimit else { throw tooLong() }
            partial.append(bytes.extracting(0..<rest))
            guard end != nil else { return }
            var line: [UInt8] = []
            swap(&line, &partial)
            try takeLine(line.span, into: &frames)
            // Given back for its memory.
            line.removeAll(keepingCapacity: true)
            partial = line
            start = rest + 1
        }
        while let end = bytes.firstNewline(from: start) {
            try takeLine(bytes.extracting(start..<end), into: &frames)
            start = end + 1
        }
        guard bytes.count - start <= Self.lineLimit else { throw tooLong() }
        partial.append(bytes.extracting(start...))
    }

    /// The file has ended: its last line counts without a line end too.
    ///
    /// - Parameter frames: Gets what was still unread.
    /// - Returns: Whoever is still down, cancelled: no scan of the device's, and for whoever plays it to send.
    public mutating func finish(into frames: inout [ContactFrame]) throws(RecordingError) -> ContactFrame? {
        if !partial.isEmpty {
            let line = partial
            partial = []
            try takeLine(line.span, into: &frames)
        }
        if body == nil, format == nil, let guess { try settle(on: guess, into: &frames) }
        guard body != nil else { throw strange(undecided.span, line: 0) }
        do throws(Complaint) { return try body?.finish(into: &frames) } catch { throw error.at(name, lineCount) }
    }

    /// After an error: what was read before it counts, to its last whole line.
    ///
    /// - Parameter frames: Gets what was held back because something after it might have told more.
    /// - Returns: Whoever was down, cancelled; nil when nobody was, or the frames' last one says who.
    public mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame? {
        partial = []
        return body?.abandon(into: &frames)
    }

    /// Removes the IOHIDEvents that Apple's driver makes of the reports so far, in order; times count from the first
    /// report. Always empty without `RecordingOptions.keepsIOHIDEvents`, and for formats without HID reports.
    public mutating func removeIOHIDEvents() -> [HIDEvent] { body?.removeIOHIDEvents() ?? [] }

    private func tooLong() -> RecordingError {
        RecordingError(
            file: name, line: lineCount + 1, expected: "a line of at most \(Self.lineLimit) bytes",
            found: "a longer one")
    }

    private mutating func takeLine(
        _ line: Span<UInt8>, into frames: inout [ContactFrame]
    ) throws(RecordingError) {
        guard line.count <= Self.lineLimit else { throw tooLong() }
        lineCount += 1
        if lineCount == 1, line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF {
            try takeText(line.extracting(3...), into: &frames)
        } else {
            try takeText(line, into: &frames)
        }
    }

    /// What a line says, without a byte order mark.
    private mutating func takeText(
        _ line: Span<UInt8>, into frames: inout [ContactFrame]
    ) throws(RecordingError) {
        do throws(Complaint) {
            // Not asked whether there is one first: that would copy it, at every line.
            if try body?.take(line, into: &frames) != nil { return }
        } catch { throw error.at(name, lineCount) }
        try guess(by: line, into: &frames)
    }

    private mutating func guess(
        by line: Span<UInt8>, into frames: inout [ContactFrame]
    ) throws(RecordingError) {
        undecided.append(line)
        undecided.append(0x0A)
        switch FormatGuess(line, after: guess) {
        case .certain(let format): return try settle(on: format, into: &frames)
        case .likely(let format): guess = format
        case .comment: break
        case .strange: strangeLines += 1
        }
        guard strangeLines < Self.strangeLineLimit, undecided.count <= Self.lineLimit * 2 else {
            throw strange(line, line: lineCount)
        }
    }

    /// The format is known; now for the lines that came before it was.
    private mutating func settle(on format: RecordingFormat, into frames: inout [ContactFrame]) throws(RecordingError) {
        self.format = format
        body = makeBody(format)
        let lines = undecided
        undecided = []
        // These lines were counted when they first came.
        lineCount = 0
        var start = 0
        while let end = lines.span.firstNewline(from: start) {
            try takeLine(lines.span.extracting(start..<end), into: &frames)
            start = end + 1
        }
    }

    private func strange(_ bytes: Span<UInt8>, line: Int) -> RecordingError {
        var shown: [UInt8] = []
        for index in bytes.indices.prefix(64) {
            guard bytes[index] != 0x0A else { break }
            shown.append(bytes[index])
        }
        return RecordingError(
            file: name, line: line, expected: "\(FormatGuess.everything)",
            found: bytes.isEmpty ? "an empty file" : quoted(shown))
    }
}

extension Array<UInt8> {
    mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}

extension Span<UInt8> {
    /// Eight bytes at a time, since comments are long.
    func firstNewline(from start: Int) -> Int? {
        let bytes = self.bytes
        var index = start
        while index &+ 8 <= count {
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
            // A byte that is zero now was a line end: it alone borrows in this subtraction without having had a top bit,
            // and the lowest such one is surely it.
            let ends = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if ends != 0 { return index &+ ends.littleEndian.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < count {
            if self[index] == 0x0A { return index }
            index &+= 1
        }
        return nil
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
