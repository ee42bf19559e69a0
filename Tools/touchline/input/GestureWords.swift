// GestureWords.swift: `touchline input tap` and the other gestures, each with its options.

import ArgumentParser
import Basics
import Synthesis

/// A command for one gesture of Synthesis.
protocol GestureCommand: ParsableCommand {
    static var word: GestureWord { get }
    var input: InputOptions { get }
    /// Returns the options of the command line.
    func said() throws -> GestureOptions
}

extension GestureCommand {
    static func about(_ abstract: String, _ discussion: String = "") -> CommandConfiguration {
        let dashed = word.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
        return CommandConfiguration(
            commandName: word.rawValue, abstract: abstract, discussion: discussion,
            aliases: dashed == word.rawValue ? [] : [dashed])
    }

    func run() throws {
        let said = try said()
        try InputPlay(word: Self.word.rawValue, options: input).run { screen throws in
            [try Gesture(Self.word, said, on: screen)]
        }
    }
}

/// Returns the options for one point or none.
private func place(_ words: [String], _ word: GestureWord) throws -> GestureOptions {
    var options = GestureOptions()
    options.at = try Places.points(words, 0...1, called: word.rawValue).first
    return options
}

private func seconds(_ number: Double?) -> Duration? { number.map { Duration(seconds: $0) } }

private let placeHelp = ArgumentHelp("Where, in points; the screen's middle by default.", valueName: "x,y")

/// The command `touchline input tap`.
struct TapWord: GestureCommand {
    static let word = GestureWord.tap
    static let configuration = about("Fingers land and lift at once: after 80 ms, or as a human's do.")

    @Argument(help: placeHelp) var point: [String] = []
    @Option(help: ArgumentHelp("1 to 5, side by side.", valueName: "count")) var fingers = 1
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions {
        var options = try place(point, Self.word)
        options.fingers = fingers
        return options
    }
}

/// The command `touchline input doubleTap`.
struct DoubleTapWord: GestureCommand {
    static let word = GestureWord.doubleTap
    static let configuration = about("Two taps, 120 ms apart.")

    @Argument(help: placeHelp) var point: [String] = []
    @Option(help: ArgumentHelp("1 to 5, side by side.", valueName: "count")) var fingers = 1
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions {
        var options = try place(point, Self.word)
        options.fingers = fingers
        return options
    }
}

/// The command `touchline input tripleTap`.
struct TripleTapWord: GestureCommand {
    static let word = GestureWord.tripleTap
    static let configuration = about("Three taps, 120 ms apart.")

    @Argument(help: placeHelp) var point: [String] = []
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions { try place(point, Self.word) }
}

/// The command `touchline input twoFingerTap`.
struct TwoFingerTapWord: GestureCommand {
    static let word = GestureWord.twoFingerTap
    static let configuration = about("Two fingers, 60 points apart, land and lift at once.")

    @Argument(help: placeHelp) var point: [String] = []
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions { try place(point, Self.word) }
}

/// The command `touchline input longPress`.
struct LongPressWord: GestureCommand {
    static let word = GestureWord.longPress
    static let configuration = about("A finger lands, stays for 0.8 s or as long as is said, and lifts.")

    @Argument(help: placeHelp) var point: [String] = []
    @Option(help: ArgumentHelp("How long it stays, from 0.5.", valueName: "seconds")) var duration: Double?
    @Option(help: ArgumentHelp("1 to 5, side by side.", valueName: "count")) var fingers = 1
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions {
        var options = try place(point, Self.word)
        (options.duration, options.fingers) = (seconds(duration), fingers)
        return options
    }
}

/// The path of a stroke.
struct StrokeOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "up, down, left or right; a point to begin at; or two, to end at the second.", valueName: "way"))
    var way: [String] = []
    @Option(help: ArgumentHelp("Half of the screen by default.", valueName: "points")) var distance: Double?
    @Option(help: ArgumentHelp("How long the movement takes.", valueName: "seconds")) var duration: Double?
    @Option(help: ArgumentHelp("1 to 5, side by side.", valueName: "count")) var fingers = 1

    func said(_ word: GestureWord) throws -> GestureOptions {
        var options = GestureOptions()
        let directions = way.compactMap { GestureDirection(rawValue: $0) }
        let points = try Places.points(
            way.filter { GestureDirection(rawValue: $0) == nil }, 0...2, called: word.rawValue)
        guard directions.count <= 1 else {
            throw Failure.badInput("\(word.rawValue): expected one direction, found \(directions.count)")
        }
        (options.direction, options.distance) = (directions.first, distance)
        options.at = points.first
        if points.count == 2 { options.to = points[1] }
        (options.duration, options.fingers) = (seconds(duration), fingers)
        return options
    }
}

/// The command `touchline input swipe`.
struct SwipeWord: GestureCommand {
    static let word = GestureWord.swipe
    static let configuration = about(
        "A fast stroke that lifts at speed; up by default.",
        "What no swipe recognizer would take is refused: more than 0.5 s; too short, which is less than 50 points at once "
            + "and 27 in half a second; too far across. `touchline input pan` goes as slowly as it likes.")

    @OptionGroup var stroke: StrokeOptions
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions { try stroke.said(Self.word) }
}

/// The command `touchline input pan`.
struct PanWord: GestureCommand {
    static let word = GestureWord.pan
    static let configuration = about("A stroke that stands still before it lifts, so that nothing glides on.")

    @OptionGroup var stroke: StrokeOptions
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions { try stroke.said(Self.word) }
}

/// The command `touchline input drag`.
struct DragWord: GestureCommand {
    static let word = GestureWord.drag
    static let configuration = about("A pan that is held for 0.6 s first: what lifts an icon before it is moved.")

    @OptionGroup var stroke: StrokeOptions
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions { try stroke.said(Self.word) }
}

/// The command `touchline input edgeSwipe`.
struct EdgeSwipeWord: GestureCommand {
    static let word = GestureWord.edgeSwipe
    static let configuration = about("A stroke that comes in over an edge of the screen, from its middle.")

    @Argument(help: ArgumentHelp("left, right, top or bottom; left by default.", valueName: "edge"))
    var edge: String = "left"
    @Option(help: ArgumentHelp("Where along the edge.", valueName: "points")) var along: Double?
    @Option(help: ArgumentHelp("Half of the screen by default.", valueName: "points")) var distance: Double?
    @Option(help: ArgumentHelp("How long the movement takes.", valueName: "seconds")) var duration: Double?
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions {
        var options = GestureOptions()
        guard let edge = GestureEdge(rawValue: edge) else {
            throw Failure.badInput("edgeSwipe: expected left, right, top or bottom, found \"\(self.edge)\"")
        }
        options.edge = edge
        // The option gives the position along the edge; the edge gives the other coordinate.
        if let along { options.at = edge == .left || edge == .right ? Point(1, along) : Point(along, 1) }
        (options.distance, options.duration) = (distance, seconds(duration))
        return options
    }
}

/// The command `touchline input pinch`.
struct PinchWord: GestureCommand {
    static let word = GestureWord.pinch
    static let configuration = about(
        "Two fingers spread (a scale above 1) or close about a point.",
        "A recogniser ignores the first 8 points: they go 9 further, so that the scale it reports is the one asked for."
    )

    @Argument(help: placeHelp) var point: [String] = []
    @Option(help: ArgumentHelp("2 by default.", valueName: "factor")) var scale: Double?
    @Option(help: ArgumentHelp("Points between the two where they are widest.", valueName: "points"))
    var spread: Double?
    @Option(help: ArgumentHelp("Degrees clockwise, of the line they are on; 0 is level.", valueName: "degrees"))
    var angle: Double?
    @Option(help: ArgumentHelp("How long the movement takes; 0.5 by default.", valueName: "seconds"))
    var duration: Double?
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions {
        var options = try place(point, Self.word)
        (options.scale, options.spread, options.angle) = (scale, spread, angle)
        options.duration = seconds(duration)
        return options
    }
}

/// The command `touchline input rotate`.
struct RotateWord: GestureCommand {
    static let word = GestureWord.rotate
    static let configuration = about(
        "Two fingers turn about a point.",
        "A recogniser ignores the first 10 degrees: they turn 11 further, and it reports what was asked for."
    )

    @Argument(help: placeHelp) var point: [String] = []
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Clockwise; 90 by default.", valueName: "degrees"))
    var degrees: Double?
    @Option(help: ArgumentHelp("Points between the two.", valueName: "points")) var spread: Double?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Degrees clockwise, of the line they begin on; 0 is level.", valueName: "degrees"))
    var angle: Double?
    @Option(help: ArgumentHelp("How long the movement takes.", valueName: "seconds")) var duration: Double?
    @OptionGroup var input: InputOptions

    func said() throws -> GestureOptions {
        var options = try place(point, Self.word)
        (options.degrees, options.spread, options.angle) = (degrees, spread, angle)
        options.duration = seconds(duration)
        return options
    }
}
