// GestureCommands.swift: `touchline input tap` and the other gestures, each with its options.

import ArgumentParser
import Basics
import Synthesis

/// A command for one gesture of Synthesis.
protocol GestureCommand: InputWord {
    static var word: GestureKind { get }
    /// Returns the options of the command line.
    func gestureOptions() throws -> GestureOptions
    /// The view at which the gesture begins; nil for a command without --id.
    var target: TargetOption? { get }
}

extension GestureCommand {
    static func about(_ abstract: String, _ discussion: String = "") -> CommandConfiguration {
        let dashed = word.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
        return CommandConfiguration(
            commandName: word.rawValue, abstract: abstract,
            discussion: [discussion, InputOptions.exits].filter { !$0.isEmpty }.joined(separator: "\n\n"),
            aliases: dashed == word.rawValue ? [] : [dashed])
    }

    var target: TargetOption? { nil }

    func run() throws {
        var (options, input) = (try gestureOptions(), input)
        try target?.resolve(into: &options, &input)
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

private let pointHelp = ArgumentHelp(
    "The position in points (default: the middle of the screen).", valueName: "x,y")
private let fingersHelp = ArgumentHelp("Number of fingers, 1 to 5, side by side.", valueName: "count")
private let distanceHelp = ArgumentHelp(
    "The length of the stroke in points (default: half of the screen).", valueName: "number")
private let durationHelp = ArgumentHelp("Duration of the movement.", valueName: "seconds")

/// The command `touchline input tap`.
struct TapCommand: GestureCommand {
    static let word = GestureKind.tap
    static let configuration = about("Land fingers and lift them after 80 ms.")

    @Argument(help: pointHelp) var point: [String] = []
    @Option(help: fingersHelp) var fingers = 1
    @OptionGroup var view: TargetOption
    @OptionGroup var input: InputOptions

    var target: TargetOption? { view }

    func gestureOptions() throws -> GestureOptions {
        var options = try pointOptions(point, Self.word)
        options.fingers = fingers
        return options
    }
}

/// The command `touchline input doubleTap`.
struct DoubleTapCommand: GestureCommand {
    static let word = GestureKind.doubleTap
    static let configuration = about("Tap twice, 120 ms apart.")

    @Argument(help: pointHelp) var point: [String] = []
    @Option(help: fingersHelp) var fingers = 1
    @OptionGroup var view: TargetOption
    @OptionGroup var input: InputOptions

    var target: TargetOption? { view }

    func gestureOptions() throws -> GestureOptions {
        var options = try pointOptions(point, Self.word)
        options.fingers = fingers
        return options
    }
}

/// The command `touchline input tripleTap`.
struct TripleTapCommand: GestureCommand {
    static let word = GestureKind.tripleTap
    static let configuration = about("Tap three times, 120 ms apart.")

    @Argument(help: pointHelp) var point: [String] = []
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions { try pointOptions(point, Self.word) }
}

/// The command `touchline input twoFingerTap`.
struct TwoFingerTapCommand: GestureCommand {
    static let word = GestureKind.twoFingerTap
    static let configuration = about("Tap with two fingers, 60 points apart.")

    @Argument(help: pointHelp) var point: [String] = []
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions { try pointOptions(point, Self.word) }
}

/// The command `touchline input longPress`.
struct LongPressCommand: GestureCommand {
    static let word = GestureKind.longPress
    static let configuration = about("Land a finger, hold it for 0.8 s or the time of --duration, and lift it.")

    @Argument(help: pointHelp) var point: [String] = []
    @Option(help: ArgumentHelp("Time from landing to lift, at least 0.5 (default: 0.8).", valueName: "seconds"))
    var duration: Double?
    @Option(help: fingersHelp) var fingers = 1
    @OptionGroup var view: TargetOption
    @OptionGroup var input: InputOptions

    var target: TargetOption? { view }

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
            "up, down, left or right; one point to start at; or two points, the start and the end.",
            valueName: "direction|x,y"))
    var path: [String] = []
    @Option(help: distanceHelp) var distance: Double?
    @Option(help: durationHelp) var duration: Double?
    @Option(help: fingersHelp) var fingers = 1

    func gestureOptions(_ word: GestureKind) throws -> GestureOptions {
        var options = GestureOptions()
        let directions = path.compactMap { GestureDirection(rawValue: $0) }
        let points = try PointArguments.points(
            path.filter { GestureDirection(rawValue: $0) == nil }, 0...2, called: word.rawValue)
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
        "Move a finger fast and lift it while it moves (default: up).",
        "A stroke that a swipe recognizer would not accept is refused: longer than 0.5 s, too short (less than 50 points at "
            + "once, or 27 in half a second), or too far across. `touchline input pan` has no such limits.")

    @OptionGroup var stroke: StrokeOptions
    @OptionGroup var view: TargetOption
    @OptionGroup var input: InputOptions

    var target: TargetOption? { view }

    func gestureOptions() throws -> GestureOptions { try stroke.gestureOptions(Self.word) }
}

/// The command `touchline input pan`.
struct PanCommand: GestureCommand {
    static let word = GestureKind.pan
    static let configuration = about("Move a finger and rest before the lift, so that nothing glides.")

    @OptionGroup var stroke: StrokeOptions
    @OptionGroup var view: TargetOption
    @OptionGroup var input: InputOptions

    var target: TargetOption? { view }

    func gestureOptions() throws -> GestureOptions { try stroke.gestureOptions(Self.word) }
}

/// The command `touchline input drag`.
struct DragCommand: GestureCommand {
    static let word = GestureKind.drag
    static let configuration = about("Hold a finger for 0.6 s, then pan, as for moving an icon.")

    @OptionGroup var stroke: StrokeOptions
    @OptionGroup var view: TargetOption
    @OptionGroup var input: InputOptions

    var target: TargetOption? { view }

    func gestureOptions() throws -> GestureOptions { try stroke.gestureOptions(Self.word) }
}

/// The command `touchline input edgeSwipe`.
struct EdgeSwipeCommand: GestureCommand {
    static let word = GestureKind.edgeSwipe
    static let configuration = about("Move a finger from an edge of the screen inward.")

    @Argument(help: ArgumentHelp("left, right, top or bottom.", valueName: "edge"))
    var edge: String = "left"
    @Option(help: ArgumentHelp("The position along the edge (default: its middle).", valueName: "number")) var along:
        Double?
    @Option(help: distanceHelp) var distance: Double?
    @Option(help: durationHelp) var duration: Double?
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
        "Spread two fingers (a scale above 1) or close them, around a point.",
        "A recognizer ignores the first 8 points. The fingers move 9 points more, so that the "
            + "reported scale is the requested one."
    )

    @Argument(help: pointHelp) var point: [String] = []
    @Option(help: ArgumentHelp("The scale (default: 2).", valueName: "number")) var scale: Double?
    @Option(help: ArgumentHelp("The largest distance between the fingers, in points.", valueName: "number"))
    var spread: Double?
    @Option(
        help: ArgumentHelp(
            "The angle of the line between the fingers, in degrees clockwise; 0 is level.", valueName: "number"))
    var angle: Double?
    @Option(help: ArgumentHelp("Duration of the movement (default: 0.5).", valueName: "seconds"))
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
        "Turn two fingers around a point.",
        "A recognizer ignores the first 10 degrees. The fingers turn 11 degrees more, so that the "
            + "reported angle is the requested one."
    )

    @Argument(help: pointHelp) var point: [String] = []
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The angle in degrees clockwise (default: 90).", valueName: "number"))
    var degrees: Double?
    @Option(help: ArgumentHelp("The distance between the fingers, in points.", valueName: "number")) var spread: Double?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The angle of the line between the fingers at the start, in degrees clockwise; 0 is level.",
            valueName: "number"))
    var angle: Double?
    @Option(help: durationHelp) var duration: Double?
    @OptionGroup var input: InputOptions

    func gestureOptions() throws -> GestureOptions {
        var options = try pointOptions(point, Self.word)
        (options.degrees, options.spread, options.angle) = (degrees, spread, angle)
        options.duration = seconds(duration)
        return options
    }
}
