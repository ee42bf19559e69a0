// RecordingReader.swift: converts a file's bytes to contact frames. The bytes may come in any pieces.
//
// The format follows from the first line that only one format has (FormatGuess). That line and all earlier ones are
// then read in that format. The boundaries of the pieces do not affect the frames.
//
// Station   device
// Input     InputKitCore, with the bytes that the host read
// Output    FrameAssembler
// Knows     lines and their numbers. It never opens a file.

import Basics
public import HID

/// The formats of recordings.
public enum RecordingFormat: String, Sendable, CaseIterable {
    case evemu, evtest, getevent
    case libinputRecord = "libinput-record"
    case hidRecorder = "hid-recorder"
    case webdriverActions = "webdriver-actions"
    /// Docs/Spec/Semantics.md section 0.4, in screen points.
    case script = "touchline-script"
    /// The project's own format: all data of a recording, exactly.
    case journal = "touchline-journal"
}

/// Reads a recording of any format.
public struct RecordingReader: Sendable {
    /// The name of the file in errors.
    public let name: String
    /// Nil until a line has determined it.
    public private(set) var format: RecordingFormat?
    /// The lines read so far, including a last line without a line break.
    public private(set) var lineCount = 0

    private let screen: ScreenGeometry
    private let options: RecordingOptions
    /// The beginning of an incomplete line.
    private var partial: [UInt8] = []
    /// The lines before the format is known, with line breaks, and the number of them that are not comments.
    private var undecided: [UInt8] = []
    private var unknownLines = 0
    /// The format of these lines unless a later one determines another.
    private var guess: RecordingFormat?
    /// Nil until the format is known.
    private var body: (any LineFormat)?

    /// The longest line in bytes.
    public static let lineLimit = 1 << 20
    /// The most lines of free text at the beginning of a file.
    static let unknownLineLimit = 64

    /// The logical range of an axis without a description.
    public static let assumedRanges = AxisRanges(x: 0...32767, y: 0...32767)

    /// - Parameters:
    ///   - name: The name of the file in errors.
    ///   - format: Nil to determine it from the content.
    ///   - screen: The screen of a script's points and WebDriver's pixels. Recordings do not need it.
    ///   - options: What a person knows of the recording and the file does not contain.
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

    /// The multi-touch protocol of the recording; nil for scripts and until it is known.
    public var contactProtocol: ContactProtocol? { facts.contactProtocol }
    /// For HID only; nil otherwise.
    public var reportingMode: ReportingMode? { facts.mode }
    /// The description of the device so far.
    public var device: DeviceDescription { facts.device }
    public var deviceName: String { facts.device.name }
    /// The number of lines that are not of the format.
    public var ignoredLines: Int { facts.ignoredLines }
    /// The number of ignored contacts: see `EvdevTracker.ignoredContacts`.
    public var ignoredContacts: Int { facts.ignoredContacts }
    /// The number of timestamps before their predecessor.
    public var timesBackwards: Int { facts.timesBackwards }
    /// Remarks for a person, a sentence each: why there are no touches, which devices were ignored.
    public var remarks: [String] { facts.remarks }
    /// Whether `ranges` are assumed: neither the recording nor the options contain them.
    public var rangesAreAssumed: Bool { facts.device.ranges == nil && options.ranges == nil }

    /// The screen that positions refer to, in 65536ths of its width and height, after the end of a file in points or
    /// pixels. Nil for a panel's own units.
    public var screenOfPositions: ScreenGeometry? { facts.screen }

    /// The reports of a script, which contain its frames. Only after its end.
    public var scriptReports: [FingerScript.Report]? { facts.reports }

    /// The logical ranges of the frames' positions. Final once there is a frame.
    public var ranges: AxisRanges { facts.device.ranges ?? options.ranges ?? Self.assumedRanges }

    /// Reads the file's next bytes.
    ///
    /// - Parameters:
    ///   - bytes: Any number of bytes; a line may continue in the next call.
    ///   - frames: Receives the frames, also before an error.
    /// - Throws: `RecordingError`; nothing can be read after it.
    public mutating func read(_ bytes: [UInt8], into frames: inout [ContactFrame]) throws(RecordingError) {
        try read(bytes.span, into: &frames)
    }

    /// Reads the file's next bytes from any memory.
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
            try readLine(line.span, into: &frames)
            // The array is kept for its memory.
            line.removeAll(keepingCapacity: true)
            partial = line
            start = rest + 1
        }
        while let end = bytes.firstNewline(from: start) {
            try readLine(bytes.extracting(start..<end), into: &frames)
            start = end + 1
        }
        guard bytes.count - start <= Self.lineLimit else { throw tooLong() }
        partial.append(bytes.extracting(start...))
    }

    /// Handles the end of the file. A last line without a line break counts.
    ///
    /// - Parameter frames: Receives the frames of lines that were not read yet.
    /// - Returns: The contacts that are still down, cancelled. It is no scan of the device; the player sends it.
    public mutating func finish(into frames: inout [ContactFrame]) throws(RecordingError) -> ContactFrame? {
        if !partial.isEmpty {
            let line = partial
            partial = []
            try readLine(line.span, into: &frames)
        }
        if body == nil, format == nil, let guess { try setFormat(guess, into: &frames) }
        guard body != nil else { throw unknownFormatError(undecided.span, line: 0) }
        do throws(Complaint) { return try body?.finish(into: &frames) } catch { throw error.at(name, lineCount) }
    }

    /// Ends the recording after an error: everything up to the last complete line counts.
    ///
    /// - Parameter frames: Receives the frames that waited for later lines.
    /// - Returns: The contacts that are down, cancelled; nil without any, or if the last frame contains them.
    public mutating func abandon(into frames: inout [ContactFrame]) -> ContactFrame? {
        partial = []
        return body?.abandon(into: &frames)
    }

    /// Removes the IOHIDEvents that Apple's driver makes of the reports so far, in order.
    ///
    /// Times count from the first report. Always empty without `RecordingOptions.keepsIOHIDEvents`, and for formats
    /// without HID reports.
    public mutating func removeIOHIDEvents() -> [HIDEvent] { body?.removeIOHIDEvents() ?? [] }

    private func tooLong() -> RecordingError {
        RecordingError(
            file: name, line: lineCount + 1, expected: "a line of at most \(Self.lineLimit) bytes",
            found: "a longer one")
    }

    private mutating func readLine(
        _ line: Span<UInt8>, into frames: inout [ContactFrame]
    ) throws(RecordingError) {
        guard line.count <= Self.lineLimit else { throw tooLong() }
        lineCount += 1
        if lineCount == 1, line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF {
            try readText(line.extracting(3...), into: &frames)
        } else {
            try readText(line, into: &frames)
        }
    }

    /// Reads a line without a byte order mark.
    private mutating func readText(
        _ line: Span<UInt8>, into frames: inout [ContactFrame]
    ) throws(RecordingError) {
        do throws(Complaint) {
            // A separate check for nil would copy the body for every line.
            if try body?.readLine(line, into: &frames) != nil { return }
        } catch { throw error.at(name, lineCount) }
        try guess(by: line, into: &frames)
    }

    private mutating func guess(
        by line: Span<UInt8>, into frames: inout [ContactFrame]
    ) throws(RecordingError) {
        undecided.append(line)
        undecided.append(0x0A)
        switch FormatGuess(line, after: guess) {
        case .certain(let format): return try setFormat(format, into: &frames)
        case .likely(let format): guess = format
        case .comment: break
        case .unknown: unknownLines += 1
        }
        guard unknownLines < Self.unknownLineLimit, undecided.count <= Self.lineLimit * 2 else {
            throw unknownFormatError(line, line: lineCount)
        }
    }

    /// Sets the format and reads the lines that came before it was known.
    private mutating func setFormat(_ format: RecordingFormat, into frames: inout [ContactFrame]) throws(RecordingError)
    {
        self.format = format
        body = makeBody(format)
        let lines = undecided
        undecided = []
        // These lines were counted when they first arrived.
        lineCount = 0
        var start = 0
        while let end = lines.span.firstNewline(from: start) {
            try readLine(lines.span.extracting(start..<end), into: &frames)
            start = end + 1
        }
    }

    private func unknownFormatError(_ bytes: Span<UInt8>, line: Int) -> RecordingError {
        var shown: [UInt8] = []
        for index in bytes.indices.prefix(64) {
            guard bytes[index] != 0x0A else { break }
            shown.append(bytes[index])
        }
        return RecordingError(
            file: name, line: line, expected: "\(FormatGuess.expectedFormats)",
            found: bytes.isEmpty ? "an empty file" : quoted(shown))
    }
}

extension Array<UInt8> {
    mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}

extension Span<UInt8> {
    /// The index of the next line break. It compares eight bytes at a time, because comments are long.
    func firstNewline(from start: Int) -> Int? {
        let bytes = self.bytes
        var index = start
        while index &+ 8 <= count {
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
            // A byte that is zero now was a line break: only such a byte borrows in this subtraction without a top bit
            // before. The lowest one is certain.
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
    /// A frame at the same time with all contacts that are still down, cancelled; nil without any.
    public var cancellingDownContacts: ContactFrame? {
        let downContacts = contacts.filter { $0.phase != .ended && $0.phase != .cancelled }
        guard !downContacts.isEmpty else { return nil }
        return ContactFrame(
            time: time, contacts: downContacts.map { DeviceContact(id: $0.id, phase: .cancelled, x: $0.x, y: $0.y) })
    }
}
