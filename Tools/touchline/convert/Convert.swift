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
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a recording in another format: contacts, positions and times as exactly as it can say them.",
        usage: """
            touchline convert [--from <format>] [--to <format>] [--screen <w>x<h>] [--range <x0> <x1> <y0> <y1>] \
            [--describe <file>] [--absent-means-lifted] [--force] [--json] <in> <out>
            """,
        discussion: """
            The format read is guessed from the content, gzip or not; the format written is the ending's: \
            \(Self.endingsText). `-` is stdin, or with --to stdout.

            Positions stay the panel's own units, in scripts and WebDriver actions too, which say so in a line of \
            their own. With --screen they become points of a screen of that size, which a person can edit and a \
            browser play. What is read in points (scripts, WebDriver actions without axes) is of that screen as well.

            What the new format has no words for is named in one line. Who was down at the recording's end is left \
            down. Nothing is written of a recording that cannot be read to its end, and no file is written over \
            without --force.

            Exits 0 when the file is written; 2 when the recording cannot be read, the file not be written, or an \
            option not be used.
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
        name: .customLong("from"), help: ArgumentHelp("Do not guess what is read.", valueName: "format"),
        transform: recordingFormat(named:))
    var source: RecordingFormat?

    @Option(
        name: .customLong("to"), help: ArgumentHelp("What is written, whatever the ending.", valueName: "format"),
        transform: recordingFormat(named:))
    var target: RecordingFormat?

    @Option(
        help: ArgumentHelp("Positions in points of such a screen: 375x667.", valueName: "w>x<h"),
        transform: screenGeometry(named:))
    var screen: ScreenGeometry?

    @Option(
        help: ArgumentHelp(
            "The axes of a device whose recording does not describe them: four whole numbers.",
            valueName: "x0 x1 y0 y1"), transform: axisRanges(named:))
    var range: AxisRanges?

    @Option(
        help: ArgumentHelp("The same from the device's description: an evemu file with A: lines.", valueName: "file"))
    var describe: String?

    @Flag(help: "A contact that a HID report leaves out has lifted. A few panels mean it so.")
    var absentMeansLifted = false

    @Flag(help: "Write over a file that is there.")
    var force = false

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func validate() throws {
        if range != nil, describe != nil {
            throw ValidationError("--range and --describe: expected one of them, found both")
        }
        if output == "-", target == nil {
            throw ValidationError("--to: expected a format for stdout, found nothing")
        }
        if output == "-", json { throw ValidationError("--json: stdout is what is written already") }
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
            throw Failure.badInput("\(output): expected no such file, found one: --force writes over it")
        }
        let recording = try ConvertedRecording(input, format: source, options: options, screen: screen)
        let out = try OutputFile(output, replaces: force)
        let losses = try recording.write(as: format, on: screen) { try out.write(&$0) }
        if let limit = format.sizeLimit, out.size > limit {
            throw Failure.badInput(
                "\(input): expected no more than \(limit) bytes can be read of as \(format.rawValue), found "
                    + "\(out.size): choose another format")
        }
        try out.finish()
        try report(recording, format, losses, out.size)
    }

    private func report(
        _ recording: ConvertedRecording, _ format: RecordingFormat, _ losses: RecordingTraits, _ size: Int
    ) throws {
        let summary = recording.summary
        if json {
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

/// Parses `375x667`.
func screenGeometry(named word: String) throws -> ScreenGeometry {
    let numbers = word.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1], (1...100_000).contains(width),
        (1...100_000).contains(height)
    else { throw ValidationError("expected a width and a height as 375x667, found \(quoted(word))") }
    return ScreenGeometry(width: width, height: height, rotation: 0)
}
