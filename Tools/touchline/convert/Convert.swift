// Convert.swift: `touchline convert`: a recording of any format as a file of any other.
//
// The recording is read twice, so that the contents of a heading and any fault are known before the first write. A pipe
// is read once and kept.

import ArgumentParser
import Basics
import Glibc
import HID
import Recordings

/// The command `touchline convert`.
struct Convert: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Write a recording in another format, as exactly as that format can express it.",
        usage: """
            touchline convert [--format <name>] [--to <name>] [--screen <WxH>] [--range <x0> <x1> <y0> <y1>] \
            [--describe <file>] [--absent-means-lifted] [--force] [--json] [--output <file>] <in> <out>
            """,
        discussion: """
            The format of the input, gzip or not, is detected from its content. The ending of the output decides its \
            format: \(Self.endingsText). `-` is stdin, or with --to stdout.

            Positions stay in the panel's own units, also in scripts and WebDriver actions, which note this in a line. \
            With --screen positions become points of a screen of that size, which a person can edit and a browser can \
            play. Points of the input (scripts, WebDriver actions without axes) are points of the same screen.

            One line names the contents that the new format cannot express. Fingers that are down at the recording's end \
            stay down. The command writes no file for a recording that it cannot read to its end, and replaces a file \
            only with --force. --output is the file of the command's result, not of the recording.

            Exits 0 when the file is written, 2 when the recording cannot be read, the file cannot be written, or an \
            option cannot be used.
            """)

    private static let endings: [(ending: String, format: RecordingFormat)] = [
        ("evemu", .evemu), ("ev", .evemu), ("events", .evemu), ("event", .evemu), ("yml", .libinputRecord),
        ("yaml", .libinputRecord), ("hid", .hidRecorder), ("json", .webdriverActions), ("script", .script),
        ("journal", .journal), ("tlj", .journal), ("evtest", .evtest), ("getevent", .getevent),
    ]

    private static var endingsText: String {
        RecordingFormat.allCases.map { format in
            let names = endings.filter { $0.format == format }.map { ".\($0.ending)" }
            return "\(names.joined(separator: " ")) \(format.rawValue)"
        }.joined(separator: ", ")
    }

    @Argument(help: ArgumentHelp("A recording; - is stdin.", valueName: "in"))
    var input: String

    @Argument(help: ArgumentHelp("The file to write; - is stdout.", valueName: "out"))
    var output: String

    @Option(
        name: .customLong("format"),
        help: ArgumentHelp("The format of the input (default: detected from the content).", valueName: "name"),
        transform: recordingFormat(named:))
    var source: RecordingFormat?

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The format of the output (default: from its ending).", valueName: "name"),
        transform: recordingFormat(named:))
    var target: RecordingFormat?

    @Option(
        help: ArgumentHelp("Write positions in points of a screen of this size.", valueName: "WxH"),
        transform: screenGeometry(named:))
    var screen: ScreenGeometry?

    @Option(
        help: ArgumentHelp(
            "The axes of a device whose recording does not describe them: four whole numbers.",
            valueName: "x0 x1 y0 y1"), transform: axisRanges(named:))
    var range: AxisRanges?

    @Option(
        help: ArgumentHelp("The file with the axes of the device: an evemu file with A: lines.", valueName: "file"))
    var describe: String?

    @Flag(help: "Treat a contact that a HID report omits as lifted, as a few panels need.")
    var absentMeansLifted = false

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var result: ResultOptions

    func validate() throws {
        if range != nil, describe != nil {
            throw ValidationError("--range and --describe: expected one of them, found both")
        }
        if output == "-", target == nil {
            throw ValidationError("--to: expected a format for stdout, found nothing")
        }
        if output == "-", result.json || result.outputFile != nil {
            throw ValidationError("--json and --output: expected a file for the recording, found -")
        }
        _ = try format()
    }

    /// - Throws: `ValidationError` for an unknown ending.
    private func format() throws -> RecordingFormat {
        if let target { return target }
        let name = output.split(separator: "/").last ?? ""
        let ending = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
        if let known = Self.endings.first(where: { $0.ending == ending.lowercased() }) { return known.format }
        let near = nearestName(to: ending, among: Self.endings.map(\.ending)).map { ", did you mean .\($0)?" } ?? ""
        throw ValidationError(
            "\(output): expected an ending that names a format (\(Self.endingsText)) or --to, found "
                + "\(quoted(ending))\(near)")
    }

    func run() throws {
        let format = try format()
        var options = RecordingOptions(ranges: try range ?? describe.map { try DeviceDescriptionFile.axes(in: $0) })
        options.absentMeansLifted = absentMeansLifted
        if output != "-", !force, access(output, F_OK) == 0 {
            throw Failure.badInput("\(output): expected no such file, found one: --force replaces it")
        }
        let recording = try ConvertedRecording(input, format: source, options: options, screen: screen)
        let out = try OutputFile(output, replaces: force)
        let losses = try recording.write(as: format, on: screen) { try out.write(&$0) }
        if let limit = format.sizeLimit, out.size > limit {
            throw Failure.badInput(
                "\(input): expected at most \(limit) bytes of \(format.rawValue), which is all that its reader reads, "
                    + "found \(out.size): choose another format")
        }
        try out.finish()
        try report(recording, format, losses, out.size)
    }

    private func report(
        _ recording: ConvertedRecording, _ format: RecordingFormat, _ losses: RecordingTraits, _ size: Int
    ) throws {
        let summary = recording.summary
        if result.json {
            try printJSONLine(
                [
                    "file": input, "format": recording.format.rawValue, "to": output, "toFormat": format.rawValue,
                    "frames": summary.frames, "contacts": summary.began, "openAtEnd": summary.openAtEnd, "bytes": size,
                    "lost": losses.texts, "remarks": recording.remarks,
                ])
            return
        }
        let printResult = output == "-" ? printError : printLine
        let frames = summary.frames == 1 ? "1 frame" : "\(summary.frames) frames"
        let contacts = summary.began == 1 ? "1 contact" : "\(summary.began) contacts"
        printResult("\(output): \(format.rawValue) of \(input) (\(recording.format.rawValue)): \(frames), \(contacts)")
        if !losses.isEmpty { printResult("\(output): not kept: \(losses.text)") }
        for remark in recording.remarks { printResult("\(input): \(remark)") }
    }
}
