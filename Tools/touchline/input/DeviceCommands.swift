// DeviceCommands.swift: `touchline input press`, `key`, `text` and the other words for devices other than touch screens;
// `script`.

import ArgumentParser
import Basics
import Foundation
import Glibc
import Recordings
import Synthesis

/// The command `touchline input press`.
struct PressCommand: InputWord {
    static let configuration = CommandConfiguration(
        commandName: "press",
        abstract: "Press a button of a remote or of the phone, with other buttons held.",
        discussion: """
            Buttons of a remote, by the names of UIPress: upArrow downArrow leftArrow rightArrow select menu playPause \
            pageUp pageDown. Buttons of the phone: power volumeUp. `press power --with volumeUp` takes a screenshot, which \
            the apps on the screen are notified of.

            \(InputOptions.exits)
            """)

    @Argument(help: ArgumentHelp("The button.", valueName: "name")) var button: String
    @Option(
        name: .customLong("with"),
        help: ArgumentHelp("Buttons to hold meanwhile, as volumeUp,menu.", valueName: "name"))
    var others = ""
    @Option(help: ArgumentHelp("Time between down and up.", valueName: "seconds")) var hold: Double = 0.08
    @OptionGroup var input: InputOptions

    func run() throws {
        try InputPlay(commandName: "press", options: input).run { _ throws in
            [
                try .press(
                    button, with: others.split(separator: ",").map(String.init), hold: Duration(seconds: hold))
            ]
        }
    }
}

/// The command `touchline input key`.
struct KeyCommand: InputWord {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Press a key, with other keys held.",
        discussion: """
            Letters, digits and signs have the name that is printed on the key. The other keys: return escape delete tab \
            space capsLock f1 … f12 home end pageUp pageDown deleteForward upArrow downArrow leftArrow rightArrow control \
            shift option command rightControl rightShift rightOption rightCommand.

            \(InputOptions.exits)
            """)

    @Argument(help: ArgumentHelp("The key.", valueName: "name")) var key: String
    @Option(
        name: .customLong("with"), help: ArgumentHelp("Keys to hold meanwhile, as shift,command.", valueName: "name"))
    var modifiers = ""
    @Option(help: ArgumentHelp("Time between down and up.", valueName: "seconds")) var hold: Double = 0.08
    @OptionGroup var input: InputOptions

    func run() throws {
        let heldKeys = modifiers.split(separator: ",").map(String.init)
        try InputPlay(commandName: "key", options: input).run { _ throws in
            [try .key(key, with: heldKeys, hold: Duration(seconds: hold))]
        }
    }
}

/// The command `touchline input text`.
struct TextCommand: InputWord {
    static let configuration = CommandConfiguration(
        commandName: "text", abstract: "Type a text on a United States keyboard.",
        discussion: "The app's first responder receives the keys.\n\n\(InputOptions.exits)")

    @Argument(help: ArgumentHelp("The text.", valueName: "text")) var text: String
    @OptionGroup var input: InputOptions

    func run() throws {
        try InputPlay(commandName: "text", options: input).run { _ throws in try Gesture.typing(text) }
    }
}

/// The command `touchline input remote`.
struct HeadsetCommand: InputWord {
    static let configuration = CommandConfiguration(
        commandName: "remote", abstract: "Press a button of a headset.",
        discussion: """
            Commands: play pause stop togglePlayPause nextTrack previousTrack beginSeekingBackward endSeekingBackward \
            beginSeekingForward endSeekingForward.

            \(InputOptions.exits)
            """)

    @Argument(help: ArgumentHelp("The command.", valueName: "name")) var command: String
    @OptionGroup var input: InputOptions

    func run() throws {
        try InputPlay(commandName: "remote", options: input).run { _ throws in [try .remote(command)] }
    }
}

/// The command `touchline input shake`.
struct ShakeCommand: InputWord {
    static let configuration = CommandConfiguration(
        commandName: "shake", abstract: "Shake the device once.", discussion: InputOptions.exits)

    @OptionGroup var input: InputOptions

    func run() throws { try InputPlay(commandName: "shake", options: input).run { _ in [.shake] } }
}

/// The command `touchline input scroll`.
struct ScrollCommand: InputWord {
    static let configuration = CommandConfiguration(
        commandName: "scroll", abstract: "Scroll with two fingers on a trackpad, at the pointer.",
        discussion: InputOptions.exits)

    @Argument(help: ArgumentHelp("The position of the pointer (default: the middle of the screen).", valueName: "x,y"))
    var point: [String] = []
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Distance to the right and down, in points.", valueName: "x,y"))
    var by = "0,-200"
    @Option(help: ArgumentHelp("Duration of the movement.", valueName: "seconds")) var duration: Double = 0.25
    @OptionGroup var input: InputOptions

    func run() throws {
        let (position, step) = try pointer(point, by, "scroll")
        guard (0.02...60).contains(duration) else {
            throw Failure.badInput("scroll: duration: expected 0.02 to 60 s, found \(duration) s")
        }
        try InputPlay(commandName: "scroll", options: input).run { screen in
            [
                .scroll(
                    position ?? screen.center, dx: step.x, dy: step.y, duration: Duration(seconds: duration),
                    rate: input.rate)
            ]
        }
    }
}

/// The command `touchline input wheel`.
struct WheelCommand: InputWord {
    static let configuration = CommandConfiguration(
        commandName: "wheel", abstract: "Turn the wheel of a mouse by one notch.", discussion: InputOptions.exits)

    @Argument(help: ArgumentHelp("The position of the pointer (default: the middle of the screen).", valueName: "x,y"))
    var point: [String] = []
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Distance to the right and down, in points.", valueName: "x,y"))
    var by = "0,-20"
    @OptionGroup var input: InputOptions

    func run() throws {
        let (position, step) = try pointer(point, by, "wheel")
        try InputPlay(commandName: "wheel", options: input).run { screen in
            [.wheel(position ?? screen.center, dx: step.x, dy: step.y)]
        }
    }
}

/// The command `touchline input hover`.
struct HoverCommand: InputWord {
    static let configuration = CommandConfiguration(
        commandName: "hover", abstract: "Move a pointer from one point to another, without a button.",
        discussion: InputOptions.exits)

    @Argument(help: ArgumentHelp("One point or two, in points (default: the middle of the screen).", valueName: "x,y"))
    var points: [String] = []
    @Option(help: ArgumentHelp("Time until the pointer leaves.", valueName: "seconds")) var duration: Double = 0.5
    @OptionGroup var input: InputOptions

    func run() throws {
        let positions = try PointArguments.points(points, 0...2, called: "hover")
        guard (0.02...60).contains(duration) else {
            throw Failure.badInput("hover: duration: expected 0.02 to 60 s, found \(duration) s")
        }
        try InputPlay(commandName: "hover", options: input).run { screen in
            let from = positions.first ?? screen.center
            let to = positions.last ?? from
            return [.hover(from: from, to: to, duration: Duration(seconds: duration), rate: input.rate)]
        }
    }
}

private func pointer(
    _ words: [String], _ by: String, _ word: String
) throws -> (position: Point<ScreenSpace>?, step: Point<ScreenSpace>) {
    let position = try PointArguments.points(words, 0...1, called: word).first
    let step = try PointArguments.numbers(by, called: "\(word): --by")
    guard step.count == 2, step.allSatisfy({ $0.magnitude <= 30_000 }) else {
        throw Failure.badInput("\(word): --by: expected a distance as 0,-200, found \"\(by)\"")
    }
    return (position, Point(step[0], step[1]))
}

/// The command `touchline input script`.
struct ScriptCommand: InputWord {
    static let configuration = CommandConfiguration(
        commandName: "script",
        abstract: "Play lines of a finger script: from a file, from stdin, or from the arguments.",
        discussion: """
              touchline input script FILE
              touchline input script -
              touchline input script 'tap f1 (100,200) @0' 'tap f1 (100,300) @0.5'

            The lines are input of fingers, keys and pointers. Fingers that are down at the end of a script stay down. \
            --human and --rate have no effect, because each line has its own time.

            \(InputOptions.exits)
            """)

    @Argument(help: ArgumentHelp("A file, - for stdin, or lines.", valueName: "file|line")) var script: [String]
    @OptionGroup var input: InputOptions

    func run() throws {
        let (name, text) = try source()
        let read: FingerScript
        do { read = try FingerScript(parsing: text, file: name) } catch { throw Failure.badInput("\(error)") }
        if let line = read.lines.first(where: { !$0.act.isInput }) {
            throw Failure.badInput(
                "\(name):\(line.number): expected input of fingers, keys or pointers, found \"\(line.act)\""
            )
        }
        guard let first = read.lines.first else { throw Failure.badInput("\(name): expected lines, found none") }
        var lines: [FingerScript.Line] = []
        let period = read.duration + Duration(seconds: input.interval)
        for time in 0..<input.repeats {
            for line in read.lines {
                lines.append(
                    FingerScript.Line(time: line.time + period * time, act: line.act, number: first.number))
            }
        }
        try InputPlay(commandName: "script", options: input).play(
            lines, to: input.prints ? nil : input.runDirectory.connect())
    }

    private func source() throws -> (name: String, text: String) {
        // A path may contain blanks; a line always does.
        if script.count > 1 || (script[0].contains(" ") && !FileManager.default.fileExists(atPath: script[0])) {
            return ("script", script.joined(separator: "\n"))
        }
        return try readScript(script[0])
    }
}

/// Reads a script, with its name for errors.
///
/// - Parameter path: `-` for stdin.
/// - Throws: `Failure` with exit code 2.
func readScript(_ path: String) throws -> (name: String, text: String) {
    let isInput = path == "-"
    let name = isInput ? "stdin" : path
    guard isInput || access(path, R_OK) == 0 else {
        throw Failure.badInput("\(name): cannot be read: \(String(cString: strerror(errno)))")
    }
    let data: Data
    do {
        data =
            isInput ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(filePath: path))
    } catch { throw Failure.badInput("\(name): cannot be read: \(error.localizedDescription)") }
    guard let text = String(data: data, encoding: .utf8) else {
        throw Failure.badInput("\(name): expected UTF-8 text, found other bytes")
    }
    return (name, text)
}
