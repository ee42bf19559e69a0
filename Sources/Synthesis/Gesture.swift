// Gesture.swift: one gesture, all of it decided: points, distances, times.
//
// Fed by    GestureWord and GestureOptions (a person), MonkeyScript (a seed)
// Feeds     Synthesizer
// Knows     points of the screen, and what a recogniser takes for granted: how far, how fast. No recogniser.
//
// Sources   documented  UITapGestureRecognizer, UISwipeGestureRecognizer and the others, for what a gesture is
//           inferred    distances and times after which they are recognised (B9); the same as Gestures' standard ones
//           invented    how far a gesture goes when nobody says it

public import Basics
public import Recordings

public enum Gesture: Hashable, Sendable {
    public struct Stroke: Hashable, Sendable {
        public var from, to: Point<ScreenSpace>
        public var duration: Duration
        public var fingers: Int

        public init(from: Point<ScreenSpace>, to: Point<ScreenSpace>, duration: Duration, fingers: Int = 1) {
            (self.from, self.to, self.duration, self.fingers) = (from, to, duration, fingers)
        }

        public var length: Double { from.distance(to: to) }
    }

    /// Two fingers about a centre. A pair that changes its span or turns takes up, in its first step, what recognisers
    /// ignore: so that what they report is what was asked for.
    public struct Pair: Hashable, Sendable {
        public var centre: Point<ScreenSpace>
        /// Points between the two, as they begin to count and at the end.
        public var from, to: Double
        /// Degrees clockwise from the right, of the line from the first to the second as they begin to count.
        public var angle: Double
        /// Degrees clockwise.
        public var turn: Double
        public var duration: Duration

        public init(
            centre: Point<ScreenSpace>, from: Double, to: Double, angle: Double = 0, turn: Double = 0,
            duration: Duration
        ) {
            (self.centre, self.from, self.to) = (centre, from, to)
            (self.angle, self.turn, self.duration) = (angle, turn, duration)
        }

        /// Where they land, before they take up the slack.
        public var landing: (span: Double, angle: Double) {
            (
                to == from ? from : to > from ? from - Gesture.pinchSlack : from + Gesture.pinchSlack,
                turn == 0 ? angle : turn > 0 ? angle - Gesture.turnSlack : angle + Gesture.turnSlack
            )
        }
    }

    /// What a device does a while after the gesture began.
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
    /// Of a stroke that begins at an edge.
    case edgeSwipe(Stroke)
    case pinch(Pair)
    case rotate(Pair)
    /// Fingers that come, wander and go as they like, each for itself: no recogniser's gesture.
    case scatter(fingers: Int, duration: Duration, seed: UInt64)
    case device([DeviceStep])
}

/// A gesture that cannot be made. Blame: whoever asked for it.
public enum GestureError: Error, Hashable, Sendable {
    case offScreen(Point<ScreenSpace>, screen: Rect<ScreenSpace>)
    /// A measure that is too small or too large for what it is to become.
    case outOfRange(what: String, found: String, expected: String)
    /// Words that exclude each other, or one that another needs.
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

/// `375` and `187.5`, never `375.0`.
func short(_ number: Double) -> String {
    let text = fixedText(number, digits: 3)
    guard text.contains(".") else { return text }
    let cut = text.reversed().drop { $0 == "0" }
    return String((cut.first == "." ? cut.dropFirst() : cut).reversed())
}

// MARK: What a recogniser takes for granted

extension Gesture {
    /// Points and degrees that pinches and rotations ignore at first (8 and 10), and a little.
    public static let pinchSlack = 9.0
    public static let turnSlack = 11.0
    /// Points between two fingers that touch.
    public static let closest = 20.0
    public static let pressDuration = Duration.milliseconds(500)
    /// Points a pan ignores at first.
    public static let panSlack = 10.0
    /// Points between the fingers of a hand that moves as one.
    public static let fingerSpacing = 60.0
    /// Fingers a hand has.
    public static let fingers = 1...5
    /// Of one stroke, press or pair.
    public static let durations: ClosedRange<Duration> = .milliseconds(20) ... .seconds(60)

    /// The points its fingers are at, at the least: none may be off the screen.
    public func extremes(on screen: Rect<ScreenSpace>) -> [Point<ScreenSpace>] {
        switch self {
        case .tap(let point, _, _), .longPress(let point, _, _): return [point]
        case .swipe(let stroke), .pan(let stroke), .drag(let stroke), .edgeSwipe(let stroke):
            return [stroke.from, stroke.to]
        case .pinch(let pair), .rotate(let pair):
            // A turning pair may be at its widest anywhere between.
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
        return [Point(centre.x - dx, centre.y - dy), Point(centre.x + dx, centre.y + dy)]
    }
}

extension Rect<ScreenSpace> {
    public var centre: Point<ScreenSpace> { Point(x + width / 2, y + height / 2) }

    /// The screen's points with a last one: the nearest to any.
    func nearest(to point: Point<ScreenSpace>) -> Point<ScreenSpace> {
        Point(
            max(x, min(x + width - 1 / 64, point.x)), max(y, min(y + height - 1 / 64, point.y)))
    }

    /// Farther than this no finger gets from a point of it, on both sides of it.
    func room(around point: Point<ScreenSpace>) -> (x: Double, y: Double) {
        (min(point.x - x, x + width - 1 / 64 - point.x), min(point.y - y, y + height - 1 / 64 - point.y))
    }
}
