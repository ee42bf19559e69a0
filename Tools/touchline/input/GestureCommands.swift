// GestureCommands.swift: `touchline input tap` and the other gestures, each with its options.

import ArgumentParser
import Basics
import Synthesis

/// A command for one gesture of Synthesis.
protocol GestureCommand: ParsableCommand {
    static var word: GestureKind { get }
    var input: InputOptions { get }
    /// Returns the options of the command line.
    func gestureOptions() throws -> GestureOptions
}

extension GestureCommand {
    static func about(_ abstract: String, _ discussion: String = "") -> CommandConfiguration {
        let dashed = word.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
        return CommandConfiguration(
            commandName: word.rawValue, abstract: abstract, discussion: discussion,
            aliases: dashed == word.rawValue ? [] : [dashed])
    }

    func run() throws {
        let options = try gestureOptions()
        try InputPlay(commandName: Self.word.rawValue, options: input).run { screen throws in
            [try Gesture(Self.word, options, on: screen)]
        }
    }
}

/// Returns the options for one point or none.
private func pointOptions(_ words: [String], _ word: GestureKind) throws -> GestureOptions {
    var options = GestureOptions()
    options.at = try PointArguments.points(words, 0...1, called: word.rawValue).first
    return options
}

private func seconds(_ number: Double?) -> Duration? { number.map { Duration(seconds: $0) } }

private let pointHelp = ArgumentHelp("Where, in points; the screen's middle by default.", valueName: "x,y")

/// The command `touchline input tap`.
struct TapCommand: GestureCommand {
    static let word = GestureKind.tap
    static let configuration = about("Fingers land and lift at once: after 80 ms, or as a human's do.")

    @Argument(help: pointHelp) var point: [String] = []
    @Option(help: ArgumentHelp("1 to 5, side by side.", valueName: "count")) var fingers = 1
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions {
        var options = try pointOptions(point, Self.word)
        options.fingers = fingers
        return options
    }
}

/// The command `touchline input doubleTap`.
struct DoubleTapCommand: GestureCommand {
    static let word = GestureKind.doubleTap
    static let configuration = about("Two taps, 120 ms apart.")

    @Argument(help: pointHelp) var point: [String] = []
    @Option(help: ArgumentHelp("1 to 5, side by side.", valueName: "count")) var fingers = 1
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions {
        var options = try pointOptions(point, Self.word)
        options.fingers = fingers
        return options
    }
}

/// The command `touchline input tripleTap`.
struct TripleTapCommand: GestureCommand {
    static let word = GestureKind.tripleTap
    static let configuration = about("Three taps, 120 ms apart.")

    @Argument(help: pointHelp) var point: [String] = []
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions { try pointOptions(point, Self.word) }
}

/// The command `touchline input twoFingerTap`.
struct TwoFingerTapCommand: GestureCommand {
    static let word = GestureKind.twoFingerTap
    static let configuration = about("Two fingers, 60 points apart, land and lift at once.")

    @Argument(help: pointHelp) var point: [String] = []
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions { try pointOptions(point, Self.word) }
}

/// The command `touchline input longPress`.
struct LongPressCommand: GestureCommand {
    static let word = GestureKind.longPress
    static let configuration = about("A finger lands, stays for 0.8 s or as long as is said, and lifts.")

    @Argument(help: pointHelp) var point: [String] = []
    @Option(help: ArgumentHelp("How long it stays, from 0.5.", valueName: "seconds")) var duration: Double?
    @Option(help: ArgumentHelp("1 to 5, side by side.", valueName: "count")) var fingers = 1
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions {
        var options = try pointOptions(point, Self.word)
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

    func gestureOptions(_ word: GestureKind) throws -> GestureOptions {
        var options = GestureOptions()
        let directions = way.compactMap { GestureDirection(rawValue: $0) }
        let points = try PointArguments.points(
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
struct SwipeCommand: GestureCommand {
    static let word = GestureKind.swipe
    static let configuration = about(
        "A fast stroke that lifts at speed; up by default.",
        "What no swipe recognizer would take is refused: more than 0.5 s; too short, which is less than 50 points at once "
            + "and 27 in half a second; too far across. `touchline input pan` goes as slowly as it likes.")

    @OptionGroup var stroke: StrokeOptions
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions { try stroke.gestureOptions(Self.word) }
}

/// The command `touchline input pan`.
struct PanCommand: GestureCommand {
    static let word = GestureKind.pan
    static let configuration = about("A stroke that stands still before it lifts, so that nothing glides on.")

    @OptionGroup var stroke: StrokeOptions
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions { try stroke.gestureOptions(Self.word) }
}

/// The command `touchline input drag`.
struct DragCommand: GestureCommand {
    static let word = GestureKind.drag
    static let configuration = about("A pan that is held for 0.6 s first: what lifts an icon before it is moved.")

    @OptionGroup var stroke: StrokeOptions
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions { try stroke.gestureOptions(Self.word) }
}

/// The command `touchline input edgeSwipe`.
struct EdgeSwipeCommand: GestureCommand {
    static let word = GestureKind.edgeSwipe
    static let configuration = about("A stroke that comes in over an edge of the screen, from its middle.")

    @Argument(help: ArgumentHelp("left, right, top or bottom; left by default.", valueName: "edge"))
    var edge: String = "left"
    @Option(help: ArgumentHelp("Where along the edge.", valueName: "points")) var along: Double?
    @Option(help: ArgumentHelp("Half of the screen by default.", valueName: "points")) var distance: Double?
    @Option(help: ArgumentHelp("How long the movement takes.", valueName: "seconds")) var duration: Double?
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions {
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
struct PinchCommand: GestureCommand {
    static let word = GestureKind.pinch
    static let configuration = about(
        "Two fingers spread (a scale above 1) or close about a point.",
        "A recognizer ignores the first 8 points: they go 9 further, so that the scale it reports is the one asked for."
    )

    @Argument(help: pointHelp) var point: [String] = []
    @Option(help: ArgumentHelp("2 by default.", valueName: "factor")) var scale: Double?
    @Option(help: ArgumentHelp("Points between the two where they are widest.", valueName: "points"))
    var spread: Double?
    @Option(help: ArgumentHelp("Degrees clockwise, of the line they are on; 0 is level.", valueName: "degrees"))
    var angle: Double?
    @Option(help: ArgumentHelp("How long the movement takes; 0.5 by default.", valueName: "seconds"))
    var duration: Double?
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions {
        var options = try pointOptions(point, Self.word)
        (options.scale, options.spread, options.angle) = (scale, spread, angle)
        options.duration = seconds(duration)
        return options
    }
}

/// The command `touchline input rotate`.
struct RotateCommand: GestureCommand {
    static let word = GestureKind.rotate
    static let configuration = about(
        "Two fingers turn about a point.",
        "A recognizer ignores the first 10 degrees: they turn 11 further, and it reports what was asked for."
    )

    @Argument(help: pointHelp) var point: [String] = []
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

    func gestureOptions() throws -> GestureOptions {
        var options = try pointOptions(point, Self.word)
        (options.degrees, options.spread, options.angle) = (degrees, spread, angle)
        options.duration = seconds(duration)
        return options
    }
}
