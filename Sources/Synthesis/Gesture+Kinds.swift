// Gesture+Kinds.swift: completes a gesture word and its options for a screen, and refuses impossible gestures.
//
// Input     a person's words
// Output    Gesture
//
// Sources   invented

public import Basics
import Gestures

extension Gesture {
    /// The gesture of a word on this screen.
    ///
    /// Missing options get defaults: the screen's center, half of the screen as a distance, a hand's usual speed.
    ///
    /// - Throws: `GestureError` for an impossible gesture, and for one that would not be recognized as that word.
    public init(
        _ word: GestureKind, _ options: GestureOptions = GestureOptions(), on screen: Rect<ScreenSpace>
    ) throws(GestureError) {
        let builder = GestureBuilder(kind: word, options: options, screen: screen)
        switch word {
        case .tap: self = .tap(try builder.position(), fingers: options.fingers ?? 1)
        case .doubleTap: self = .tap(try builder.position(), taps: 2, fingers: options.fingers ?? 1)
        case .tripleTap: self = .tap(try builder.position(), taps: 3, fingers: options.fingers ?? 1)
        case .twoFingerTap: self = .tap(try builder.position(), fingers: options.fingers ?? 2)
        case .longPress:
            self = .longPress(
                try builder.position(), hold: options.duration ?? .milliseconds(800), fingers: options.fingers ?? 1)
        case .swipe: self = .swipe(try builder.stroke(pace: 1000, atMost: .milliseconds(300)))
        case .pan: self = .pan(try builder.stroke(pace: 400, atMost: .seconds(2)))
        case .drag: self = .drag(try builder.stroke(pace: 400, atMost: .seconds(2)))
        case .edgeSwipe: self = .edgeSwipe(try builder.edgeStroke())
        case .pinch: self = .pinch(try builder.pinch())
        case .rotate: self = .rotate(try builder.rotation())
        }
        try check(on: screen)
    }
}

private struct GestureBuilder {
    var kind: GestureKind
    var options: GestureOptions
    var screen: Rect<ScreenSpace>

    func position() throws(GestureError) -> Point<ScreenSpace> {
        try onScreen(options.at ?? screen.center)
    }

    private func onScreen(_ point: Point<ScreenSpace>) throws(GestureError) -> Point<ScreenSpace> {
        guard screen.contains(point) else { throw .offScreen(point, screen: screen) }
        return point
    }

    // MARK: Strokes

    /// A stroke from the options.
    ///
    /// - Parameters:
    ///   - pace: Points per second without a given duration.
    ///   - limit: The longest duration in that case.
    func stroke(pace: Double, atMost limit: Duration) throws(GestureError) -> Gesture.Stroke {
        let fingers = options.fingers ?? 1
        if let to = options.to {
            guard options.direction == nil, options.distance == nil else {
                throw .contradiction("expected an end point or a direction with a distance, found both")
            }
            let from = try position()
            return makeStroke(from: from, to: try onScreen(to), pace, limit, fingers)
        }
        let direction = options.direction ?? .up
        let (dx, dy) = direction.step
        let across = dx == 0 ? screen.height : screen.width
        if let from = options.at {
            let from = try onScreen(from)
            let freeDistance = direction.distanceToEdge(from: from, on: screen)
            let distance = options.distance ?? min(across / 2, freeDistance)
            return makeStroke(
                from: from, to: Point(from.x + dx * distance, from.y + dy * distance), pace, limit, fingers)
        }
        // Centered on the screen.
        let half = (options.distance ?? across / 2) / 2
        let center = screen.center
        return makeStroke(
            from: Point(center.x - dx * half, center.y - dy * half),
            to: Point(center.x + dx * half, center.y + dy * half), pace, limit, fingers)
    }

    private func makeStroke(
        from: Point<ScreenSpace>, to: Point<ScreenSpace>, _ pace: Double, _ limit: Duration, _ fingers: Int
    ) -> Gesture.Stroke {
        let usual = Duration(seconds: from.distance(to: to) / pace)
        return Gesture.Stroke(
            from: from, to: to, duration: options.duration ?? max(.milliseconds(80), min(limit, usual)),
            fingers: fingers)
    }

    func edgeStroke() throws(GestureError) -> Gesture.Stroke {
        guard options.to == nil, options.direction == nil else {
            throw .contradiction("an edge swipe goes straight in: expected an edge and a distance")
        }
        let edge = options.edge ?? .left
        let at = try position()
        let last = 1.0 / 64
        let from: Point<ScreenSpace>
        let inward: GestureDirection
        switch edge {
        case .left: (from, inward) = (Point(screen.x, at.y), .right)
        case .right: (from, inward) = (Point(screen.x + screen.width - last, at.y), .left)
        case .top: (from, inward) = (Point(at.x, screen.y), .down)
        case .bottom: (from, inward) = (Point(at.x, screen.y + screen.height - last), .up)
        }
        let (dx, dy) = inward.step
        let distance = options.distance ?? (dx == 0 ? screen.height : screen.width) / 2
        return makeStroke(
            from: from, to: Point(from.x + dx * distance, from.y + dy * distance), 600, .milliseconds(400),
            options.fingers ?? 1)
    }

    // MARK: Pairs

    func pinch() throws(GestureError) -> Gesture.Pair {
        let scale = options.scale ?? 2
        guard scale.isFinite, scale > 0.01, scale < 100, scale != 1 else {
            throw .outOfRange(
                what: "scale", found: short(scale), expected: "a factor from 0.01 to 100 that is not 1")
        }
        let angle = options.angle ?? 0
        let center = try position()
        let widest = try self.widest(around: center, angle: angle)
        // A closing pair lands further apart than the distance at which it begins to count.
        let most = scale > 1 ? widest : widest - Gesture.pinchSlack
        let (from, to) = scale > 1 ? (most / scale, most) : (most, most * scale)
        return Gesture.Pair(
            center: center, from: from, to: to, angle: angle, duration: options.duration ?? .milliseconds(500))
    }

    func rotation() throws(GestureError) -> Gesture.Pair {
        let degrees = options.degrees ?? 90
        let center = try position()
        // A rotating pair needs the same room on all sides.
        let freeDistances = screen.freeDistances(around: center)
        let most = 2 * min(freeDistances.x, freeDistances.y)
        let span = options.spread ?? min(0.6 * min(screen.width, screen.height), most)
        let usual = max(0.5, degrees.magnitude / 180)
        return Gesture.Pair(
            center: center, from: span, to: span, angle: options.angle ?? 0, turn: degrees,
            duration: options.duration ?? Duration(seconds: min(30, usual)))
    }

    private func widest(around centre: Point<ScreenSpace>, angle: Double) throws(GestureError) -> Double {
        let (sine, cosine) = sineAndCosine(degrees: angle)
        let freeDistances = screen.freeDistances(around: centre)
        let most =
            2
            * min(
                cosine.magnitude > 1e-9 ? freeDistances.x / cosine.magnitude : .infinity,
                sine.magnitude > 1e-9 ? freeDistances.y / sine.magnitude : .infinity)
        guard let spread = options.spread else {
            return min(0.6 * min(screen.width, screen.height), most)
        }
        guard spread <= most else {
            throw .outOfRange(
                what: "spread", found: "\(short(spread)) pt",
                expected: "at most the \(short(most)) pt there are around \(short(centre.x)),\(short(centre.y))")
        }
        return spread
    }
}

extension GestureDirection {
    var step: (dx: Double, dy: Double) {
        switch self {
        case .up: (0, -1)
        case .down: (0, 1)
        case .left: (-1, 0)
        case .right: (1, 0)
        }
    }

    /// The points from a position to the edge in this direction.
    func distanceToEdge(from point: Point<ScreenSpace>, on screen: Rect<ScreenSpace>) -> Double {
        let last = 1.0 / 64
        return switch self {
        case .up: point.y - screen.y
        case .down: screen.y + screen.height - last - point.y
        case .left: point.x - screen.x
        case .right: screen.x + screen.width - last - point.x
        }
    }
}

// MARK: Checks

extension Gesture {
    /// Checks that the gesture is possible on a screen.
    ///
    /// - Parameters:
    ///   - screen: The bounds of the screen in points.
    ///   - rate: Samples a second.
    /// - Throws: `GestureError` for a point off the screen, and for a gesture that no recognizer of its word would
    ///   accept.
    public func check(on screen: Rect<ScreenSpace>, rate: Int = 60) throws(GestureError) {
        for point in extremes(on: screen) where !screen.contains(point) { throw .offScreen(point, screen: screen) }
        switch self {
        case .tap(_, let taps, let fingers):
            try Self.expect("taps", Double(taps), in: 1...10)
            try Self.expect(fingers: fingers)
        case .longPress(_, let hold, let fingers):
            try Self.expect("duration", hold, in: Self.pressDuration...Self.durations.upperBound)
            try Self.expect(fingers: fingers)
        case .swipe(let stroke):
            try Self.expect(stroke)
            let limit = SwipeMachine.Rules().maxDuration
            guard stroke.duration <= limit else {
                throw .outOfRange(
                    what: "duration", found: "\(short(stroke.duration.seconds)) s",
                    expected: "at most the \(short(limit.seconds)) s of a swipe; a pan may take longer")
            }
            switch stroke.swipeFailure(rate: rate) {
            case nil: break
            case .liftedAfterTravel(let points, let needs)?:
                throw .outOfRange(
                    what: "distance", found: "\(short(points)) pt",
                    expected: "at least the \(short(needs)) pt of a swipe this long; a pan may go less")
            case .wentAcross(let points, let limit)?:
                throw .outOfRange(
                    what: "direction", found: "\(short(points)) pt",
                    expected: "at most the \(short(limit)) pt across that a swipe may go by then")
            case let failure?:
                throw .outOfRange(what: "swipe", found: "one that \(failure)", expected: "a stroke that is recognized")
            }
        case .pan(let stroke), .drag(let stroke), .edgeSwipe(let stroke):
            try Self.expect(stroke)
            guard stroke.length > Self.panSlack else {
                throw .outOfRange(
                    what: "distance", found: "\(short(stroke.length)) pt",
                    expected: "more than the \(short(Self.panSlack)) pt a pan ignores")
            }
        case .pinch(let pair), .rotate(let pair): try Self.expect(pair, rate: rate)
        case .scatter(let fingers, let duration, _):
            try Self.expect("fingers", Double(fingers), in: 1...10)
            try Self.expect("duration", duration, in: Self.durations)
        case .device(let steps):
            for step in steps { try Self.expect("after", step.after, in: .zero...Self.durations.upperBound) }
        }
    }

    private static func expect(_ stroke: Stroke) throws(GestureError) {
        try expect(fingers: stroke.fingers)
        try expect("duration", stroke.duration, in: durations)
    }

    private static func expect(_ pair: Pair, rate: Int) throws(GestureError) {
        try expect("duration", pair.duration, in: durations)
        let (span, _) = pair.landing
        guard min(pair.to, span) >= closestFingers else {
            throw .outOfRange(
                what: "scale", found: "fingers \(short(min(pair.to, span))) pt apart",
                expected: "at least \(short(closestFingers)) pt between them: a wider spread, or less of a scale")
        }
        guard pair.to != pair.from || pair.turn != 0 else {
            throw .outOfRange(what: "degrees", found: "0", expected: "a turn")
        }
        // More than 45° from one sample to the next is ambiguous; a human hand is up to 1.9 times as fast in between.
        let step = pair.turn.magnitude / max(1, pair.duration.seconds * Double(rate))
        guard step <= 20 else {
            throw .outOfRange(
                what: "duration", found: "\(short(pair.duration.seconds)) s",
                expected: "at least \(short(pair.turn.magnitude / 20 / Double(rate))) s for "
                    + "\(short(pair.turn)) degrees at \(rate) samples a second")
        }
    }

    private static func expect(fingers: Int) throws(GestureError) {
        try expect("fingers", Double(fingers), in: Double(Self.fingers.lowerBound)...Double(Self.fingers.upperBound))
    }

    private static func expect(
        _ what: String, _ found: Double, in range: ClosedRange<Double>
    ) throws(GestureError) {
        guard range.contains(found) else {
            throw .outOfRange(
                what: what, found: short(found),
                expected: "\(short(range.lowerBound)) to \(short(range.upperBound))")
        }
    }

    private static func expect(
        _ what: String, _ found: Duration, in range: ClosedRange<Duration>
    ) throws(GestureError) {
        guard range.contains(found) else {
            throw .outOfRange(
                what: what, found: "\(short(found.seconds)) s",
                expected: "\(short(range.lowerBound.seconds)) to \(short(range.upperBound.seconds)) s")
        }
    }
}
