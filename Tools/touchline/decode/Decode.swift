// Decode.swift: `touchline decode`: the contents of a recording, without a group: formats, fingers, axes, counts.

import ArgumentParser
import Glibc
import HID
import Recordings

/// The command `touchline decode`.
struct Decode: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Show the contents of recordings of touch devices, or of HID report descriptors.",
        usage: """
            touchline decode [--format <name>] [--screen <WxH>] [--range <x0> <x1> <y0> <y1>] [--describe <file>] \
            [--absent-means-lifted] [--palms <name>] [--contacts] [--json] [--output <file>] <file> ...
            touchline decode --samples csv|ndjson [options of recordings] [--output <file>] <file>
            touchline decode --as iohid [--json] [--output <file>] <file> ...
            touchline decode --descriptor [--json] [--output <file>] <file> ...
            """,
        discussion: """
            A file may be gzip; - is stdin. The format is detected from the content: \(Self.formats).

            --json prints one object for each file, each on one line. Positions are in the device's own units. `moved` \
            counts frames in which a finger's x or y changed after its landing; `order` is the order of landings. xRange \
            and yRange are null if the recording, --range and --describe give no ranges. The text names a description \
            beside the file (Panel.desc beside Panel.taps.events); --describe uses it. Scripts and WebDriver actions \
            without axes have points of a screen: their positions are 65536ths of its width and height, and only they \
            have the key `screen`. For a file without touches the text has the reason; with --json it is on stderr.

            The scan rate is that of the median interval between two scans with one contact in both; the jitter is the \
            ninth decile of these intervals less the first; a gap is one of more than twice the median. With --json they \
            are `scans`, in Hz and ms, null if no contact is in two scans. A panel reports nothing for a contact that \
            holds still, so a gap is not a fault.

            --samples prints one line for each contact of each scan: time in ns, scan, contact, phase, x, y, pressure and \
            size (the longer diameter); what a device does not report is empty or null.

            --as iohid prints the IOHIDEvents that Apple's driver makes of a HID recording's reports: one line for each \
            event, and one below it for each transducer, with the changes (mask) and the state (options). Positions are 0 \
            to 1. With --json it prints one object for each event; `record` is the event in IOKit's bytes, in hex.

            A file is decoded up to its first fault, where the fingers that are down are cancelled. The contents before \
            the fault are printed. A line on stderr has file, line, and the expected and the found text. The other files \
            are still read.

            Exits 0 when every file was read to its end, 2 when a file could not be read or an option cannot be used.
            """)

    private static let formats = RecordingFormat.allCases.map(\.rawValue).joined(separator: ", ")

    @Argument(help: ArgumentHelp("Recordings; with --descriptor, HID report descriptors.", valueName: "file"))
    var files: [String]

    @Option(
        help: ArgumentHelp("The format of the files (default: detected from the content).", valueName: "name"),
        transform: recordingFormat(named:))
    var format: RecordingFormat?

    @Option(
        help: ArgumentHelp(
            "The screen of a script's points and of WebDriver's pixels (default: 375x667).", valueName: "WxH"),
        transform: screenGeometry(named:))
    var screen: ScreenGeometry?

    @Option(
        help: ArgumentHelp(
            "The axes of devices whose recordings do not describe them: four whole numbers.",
            valueName: "x0 x1 y0 y1"), transform: axisRanges(named:))
    var range: AxisRanges?

    @Option(
        help: ArgumentHelp("The file with the axes of the devices: an evemu file with A: lines.", valueName: "file"))
    var describe: String?

    @Flag(help: "Treat a contact that a HID report omits as lifted, as a few panels need.")
    var absentMeansLifted = false

    @Option(
        help: ArgumentHelp(
            """
            The contacts to cancel as palms: those that the device reports as palms (declared), also HID contacts without \
            Confidence (cancel), or none (keep) (default: declared).
            """, valueName: "name"), transform: palms(named:))
    var palms: RecordingOptions.Palms = .declared

    @Flag(help: "List every contact too, which needs memory for each.")
    var contacts = false

    @Option(help: ArgumentHelp("Print the contacts of each scan as rows.", valueName: "name"))
    var samples: SampleTable.Form?

    @Flag(help: "Read the files as HID report descriptors, and list the reports with touches.")
    var descriptor = false

    /// The form of the output, other than contacts.
    enum Form: String, ExpressibleByArgument, CaseIterable { case iohid }

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Print the IOHIDEvents of a HID recording.", valueName: "name"))
    var form: Form?

    @OptionGroup var result: ResultOptions

    private var json: Bool { result.json }

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("expected a file to read, found none") }
        if range != nil, describe != nil {
            throw ValidationError("--range and --describe: expected one of them, found both")
        }
        if samples != nil, descriptor || contacts || form != nil || json {
            throw ValidationError("--samples: expected none of --contacts, --json, --as and --descriptor")
        }
        if samples != nil, files.count > 1 {
            throw ValidationError("--samples: expected one file, found \(files.count)")
        }
        if form != nil, descriptor || contacts || range != nil || describe != nil || screen != nil {
            throw ValidationError(
                "--as iohid: expected no options of contacts (--contacts, --range, --describe, --screen, --descriptor)")
        }
        let isGiven = format != nil || range != nil || describe != nil || screen != nil
        if descriptor, isGiven || contacts || absentMeansLifted || palms != .declared {
            throw ValidationError("--descriptor: expected no options of recordings, as a descriptor has no contacts")
        }
    }

    func run() throws {
        var options = RecordingOptions(ranges: try range ?? describe.map { try DeviceDescriptionFile.axes(in: $0) })
        options.absentMeansLifted = absentMeansLifted
        options.palms = palms
        options.keepsIOHIDEvents = form == .iohid
        var allRead = true
        for file in files {
            do {
                let fault = try descriptor ? decodeDescriptor(file) : decode(file, options)
                if let fault { throw Failure.badInput(fault) }
            } catch let failure as Failure where failure.code == 2 {
                printError(failure)
                allRead = false
            }
        }
        if !allRead { throw ExitCode(2) }
    }

    /// - Returns: The fault that ended the reading.
    private func decodeDescriptor(_ file: String) throws -> String? {
        let decoded = try DecodedDescriptor(contentsOf: file)
        if json {
            try printJSONLine(decoded.json)
            if let why = decoded.whyNoTouches { printError("\(file): \(why)") }
        } else {
            for line in decoded.text { printLine(line) }
        }
        return decoded.fault
    }

    /// Prints the IOHIDEvents of a HID recording in order.
    ///
    /// - Returns: The fault that ended the reading.
    private func decodeEvents(_ file: String, _ options: RecordingOptions) throws -> String? {
        var count = 0
        let recording = try RecordingFile(
            file, format: format, options: options,
            events: { event in
                if count == 0, !json { printLine("\(file): IOHIDEvents") }
                count += 1
                let decoded = DecodedEvent(event)
                if json { try printJSONLine(decoded.json) } else { for line in decoded.text { printLine(line) } }
            }
        ) { _ in }
        guard recording.reader.format == .hidRecorder || recording.fault != nil else {
            let found = recording.reader.format?.rawValue ?? "none"
            return "\(file): --as iohid expected a recording of HID reports (hid-recorder), found \(found)"
        }
        for remark in recording.reader.remarks { printError("\(file): \(remark)") }
        if !json { printLine(count == 0 ? "\(file): no IOHIDEvents" : "  \(count) events") }
        return recording.faultNamingScreen
    }

    /// - Returns: The fault that ended the reading.
    private func decode(_ file: String, _ options: RecordingOptions) throws -> String? {
        var progress = ReadingProgress(file)
        defer { progress.end() }
        if form == .iohid { return try decodeEvents(file, options) }
        var summary = RecordingSummary(keepsContacts: contacts)
        var duration = Duration.zero
        var timing = ScanTiming()
        var table = samples.map { SampleTable($0) }
        let recording = try RecordingFile(
            file, format: format, options: options, screen: screen, progress: { progress.update($0, of: $1) }
        ) { frame in
            summary.count(frame)
            timing.count(frame)
            duration = frame.time
            table?.append(frame)
            if let rows = table?.takeRows(atLeast: OutputFile.pieceSize) { printText(rows) }
        }
        if let closing = recording.closing {
            summary.count(closing: closing)
            table?.append(closing)
        }
        progress.end()
        if let rows = table?.takeRows(atLeast: 1) {
            printText(rows)
        }
        if samples != nil { return recording.faultNamingScreen }
        let decoded = DecodedRecording(
            file: file, reader: recording.reader, summary: summary, timing: timing, duration: duration,
            listsContacts: contacts,
            isWhole: recording.fault == nil)
        if json {
            try printJSONLine(decoded.json)
            for remark in decoded.whyNoTouches { printError("\(file): \(remark)") }
        } else {
            for line in decoded.text { printLine(line) }
        }
        return recording.faultNamingScreen
    }
}

/// Parses an option's value. The error lists the known values.
func palms(named word: String) throws -> RecordingOptions.Palms {
    if let palms = RecordingOptions.Palms(rawValue: word) { return palms }
    let names = RecordingOptions.Palms.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("expected one of \(names), found \"\(word)\"")
}

/// Parses an option's value. The error lists the known values.
func recordingFormat(named word: String) throws -> RecordingFormat {
    if let format = RecordingFormat(rawValue: word) { return format }
    let names = RecordingFormat.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("expected one of \(names), found \"\(word)\"")
}

/// Parses `0,799,0,479`, the result of `joiningRange`.
func axisRanges(named words: String) throws -> AxisRanges {
    let numbers = words.split(separator: ",", omittingEmptySubsequences: false).map { Int32($0) }
    guard numbers.count == 4, let x0 = numbers[0], let x1 = numbers[1], let y0 = numbers[2], let y1 = numbers[3],
        x0 < x1, y0 < y1
    else {
        throw ValidationError(
            "expected four whole numbers X0 X1 Y0 Y1, each pair rising, found \"\(words)\"")
    }
    return AxisRanges(x: x0...x1, y: y0...y1)
}

/// Joins the four words after `--range` into one. An option of this parser takes one word, which may not begin with a
/// minus.
func joiningRange(_ words: [String]) -> [String] {
    guard let index = words.firstIndex(of: "--range"), words.count - index > 4,
        !words[..<index].contains("--")
    else { return words }
    let four = words[(index + 1)...(index + 4)]
    // A single word is left as it is: 0,799,0,479.
    guard !four.contains(where: { $0.contains(",") }) else { return words }
    return words[..<index] + ["--range=\(four.joined(separator: ","))"] + words[(index + 5)...]
}
