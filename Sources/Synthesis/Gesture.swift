// Gesture.swift: one complete gesture: points, distances, times.
//
// Input     GestureKind and GestureOptions (a person), MonkeyScript (a seed)
// Output    Synthesizer
// Knows     points of the screen, and the thresholds of recognizers: distances and times. No recognizer.
//
// Sources   documented  UITapGestureRecognizer, UISwipeGestureRecognizer and the others, for the definitions of
//                       gestures
//           inferred    thresholds of distance and time (B9); the same as Gestures' standard ones
//           invented    the default distances

public import Basics
public import Recordings

/// One gesture of a hand or a device.
public enum Gesture: Hashable, Sendable {
    /// A movement of one or more fingers from one point to another.
    public struct Stroke: Hashable, Sendable {
        public var from, to: Point<ScreenSpace>
        public var duration: Duration
        public var fingers: Int

        public init(from: Point<ScreenSpace>, to: Point<ScreenSpace>, duration: Duration, fingers: Int = 1) {
            (self.from, self.to, self.duration, self.fingers) = (from, to, duration, fingers)
        }

        public var length: Double { from.distance(to: to) }
    }

    /// Two fingers around a center.
    ///
    /// The first step of a pair that changes its span or turns covers the slack that recognizers ignore. So recognizers
    /// report exactly the requested change.
    public struct Pair: Hashable, Sendable {
        public var center: Point<ScreenSpace>
        /// Points between the two fingers, at the beginning of the counted change and at its end.
        public var from, to: Double
        /// Degrees clockwise from the right, of the line from the first to the second finger at the beginning of the
        /// counted change.
        public var angle: Double
        /// Degrees clockwise.
        public var turn: Double
        public var duration: Duration

        public init(
            center: Point<ScreenSpace>, from: Double, to: Double, angle: Double = 0, turn: Double = 0,
            duration: Duration
        ) {
            (self.center, self.from, self.to) = (center, from, to)
            (self.angle, self.turn, self.duration) = (angle, turn, duration)
        }

        /// The span and angle of the touch-down, before the slack.
        public var landing: (span: Double, angle: Double) {
            (
                to == from ? from : to > from ? from - Gesture.pinchSlack : from + Gesture.pinchSlack,
                turn == 0 ? angle : turn > 0 ? angle - Gesture.turnSlack : angle + Gesture.turnSlack
            )
        }
    }

    /// An act of a device, some time after the beginning of the gesture.
    public struct DeviceStep: Hashable, Sendable {
        public var after: Duration
        public var act: DeviceAct

        public init(after: Duration, _ act: DeviceAct) { (self.after, self.act) = (after, act) }
    }

    case tap(Point<ScreenSpace>, taps: Int = 1, fingers: Int = 1)
    case longPress(Point<ScreenSpace>, hold: Duration, fingers: Int = 1)
    case swipe(Stroke)
    case pan(Stroke)
    case drag(Stroke)
    /// A stroke that begins at an edge.
    case edgeSwipe(Stroke)
    case pinch(Pair)
    case rotate(Pair)
    /// Fingers that land, move and lift independently: no gesture of any recognizer.
    case scatter(fingers: Int, duration: Duration, seed: UInt64)
    case device([DeviceStep])
}

/// A gesture that is impossible. At fault: the requester.
public enum GestureError: Error, Hashable, Sendable {
    case offScreen(Point<ScreenSpace>, screen: Rect<ScreenSpace>)
    /// A measure that is too small or too large for the gesture.
    case outOfRange(what: String, found: String, expected: String)
    /// Options that exclude each other, or a missing option.
    case contradiction(String)
}

extension GestureError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .offScreen(let point, let screen):
            "expected a point on the screen, 0,0 to \(short(screen.width)),\(short(screen.height)), "
                + "found \(short(point.x)),\(short(point.y))"
        case .outOfRange(let what, let found, let expected): "\(what): expected \(expected), found \(found)"
        case .contradiction(let text): text
        }
    }
}

/// A number without a fraction of zeros: `375` and `187.5`, never `375.0`.
func short(_ number: Double) -> String {
    let text = fixedText(number, digits: 3)
    guard text.contains(".") else { return text }
    let cut = text.reversed().drop { $0 == "0" }
    return String((cut.first == "." ? cut.dropFirst() : cut).reversed())
}

// MARK: Thresholds of recognizers

extension Gesture {
    /// The change in points and degrees that pinches and rotations ignore (8 and 10), and a little more.
    public static let pinchSlack = 9.0
    public static let turnSlack = 11.0
    /// The distance in points of two fingers that touch each other.
    public static let closestFingers = 20.0
    public static let pressDuration = Duration.milliseconds(500)
    /// Points that a pan ignores at first.
    public static let panSlack = 10.0
    /// Points between the fingers of a hand that moves as one.
    public static let fingerSpacing = 60.0
    /// The number of fingers of one gesture.
    public static let fingers = 1...5
    /// The duration of one stroke, press or pair.
    public static let durations: ClosedRange<Duration> = .milliseconds(20) ... .seconds(60)

    /// The extreme points of its fingers: none may be off the screen.
    public func extremes(on screen: Rect<ScreenSpace>) -> [Point<ScreenSpace>] {
        switch self {
        case .tap(let point, _, _), .longPress(let point, _, _): return [point]
        case .swipe(let stroke), .pan(let stroke), .drag(let stroke), .edgeSwipe(let stroke):
            return [stroke.from, stroke.to]
        case .pinch(let pair), .rotate(let pair):
            // A rotating pair may be at its widest anywhere on its path.
            var points: [Point<ScreenSpace>] = []
            let steps = pair.turn == 0 ? 1 : 1 + Int(min(360, pair.turn.magnitude) / 5)
            for step in 0...steps {
                let share = Double(step) / Double(steps)
                let angle = pair.landing.angle + (pair.angle + pair.turn - pair.landing.angle) * share
                let span = pair.landing.span + (pair.to - pair.landing.span) * share
                points += pair.fingers(span: span, angle: angle)
            }
            return points
        case .scatter: return []
        case .device(let steps):
            return steps.compactMap { step in
                switch step.act {
                case .scroll(let point, _, _), .wheel(let point, _, _), .hover(let point), .transform(let point, _, _):
                    point
                case .press, .key, .shake, .remote, .end: nil
                }
            }
        }
    }
}

extension Gesture.Pair {
    func fingers(span: Double, angle: Double) -> [Point<ScreenSpace>] {
        let (sine, cosine) = sineAndCosine(degrees: angle)
        let (dx, dy) = (cosine * span / 2, sine * span / 2)
        return [Point(center.x - dx, center.y - dy), Point(center.x + dx, center.y + dy)]
    }
}

extension Rect<ScreenSpace> {
    public var center: Point<ScreenSpace> { Point(x + width / 2, y + height / 2) }

    /// The nearest point on the screen, up to its last 1/64 point.
    func nearest(to point: Point<ScreenSpace>) -> Point<ScreenSpace> {
        Point(
            max(x, min(x + width - 1 / 64, point.x)), max(y, min(y + height - 1 / 64, point.y)))
    }

    /// The distance from a point that a finger can move in both directions.
    func freeDistances(around point: Point<ScreenSpace>) -> (x: Double, y: Double) {
        (min(point.x - x, x + width - 1 / 64 - point.x), min(point.y - y, y + height - 1 / 64 - point.y))
    }
}
