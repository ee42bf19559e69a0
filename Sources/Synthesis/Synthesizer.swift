// Synthesizer.swift: converts gestures to the lines of a finger script, sample by sample.
//
//     gesture ─▶ trails: touch-down, samples and lift of each finger ─▶ lines
//
// Without a seed, fingers move in straight lines at a constant speed, so the result of recognizers is certain. With a
// seed they move like a hand's: they land one after the other, tremble, bend, accelerate, and sample times vary. The
// same gestures and seed give the same bytes on every machine. Positions are multiples of 1/64 pt and times of 1 µs,
// from sums and products alone.
//
// Input     `touchline input`, MonkeyScript
// Output    FingerScript: a group, a file, the monkey
// Knows     one screen. No recognizer, no group, no clock.
//
// Sources   invented  figures of a hand (Hand); documented  minimum-jerk movements (Curves)

public import Basics
public import Recordings

/// Makes the script of a sequence of gestures.
public struct Synthesizer: Sendable {
    public let screen: Rect<ScreenSpace>
    /// Samples a second.
    public let rate: Int
    /// Sorted by time. Every finger that goes down lifts.
    public private(set) var lines: [FingerScript.Line] = []

    private var hand: Hand?
    /// The earliest time of the next line, in microseconds.
    private var cursor: Int64 = 0

    public static let rates = 20...240

    /// - Parameters:
    ///   - screen: The bounds of the screen in points.
    ///   - rate: Limited to `rates`.
    ///   - seed: The seed of a human hand; nil for exact lines.
    public init(on screen: Rect<ScreenSpace>, rate: Int = 60, human seed: UInt64? = nil) {
        self.screen = screen
        self.rate = max(Self.rates.lowerBound, min(Self.rates.upperBound, rate))
        hand = seed.map { Hand(seed: $0) }
    }

    /// The script as a file that `touchline replay` plays.
    public var text: String { lines.text }

    /// The earliest time of the next gesture.
    public var now: Duration { .microseconds(cursor) }

    /// Adds a pause.
    public mutating func pause(_ duration: Duration) {
        cursor += max(0, min(duration.nanoseconds, 86_400_000_000_000) / 1000)
    }

    /// Adds a gesture after the existing ones.
    ///
    /// - Throws: `GestureError`; then nothing was added.
    public mutating func play(_ gesture: Gesture) throws(GestureError) {
        try gesture.check(on: screen, rate: rate)
        // Each gesture has its own random numbers, so that its draws do not affect later ones.
        var own = hand.map { hand in
            var hand = hand
            return Hand(seed: hand.split())
        }
        _ = hand?.split()
        if let reaction = own?.reaction() { cursor += micros(reaction) }
        switch gesture {
        case .tap(let point, let taps, let fingers):
            for tap in 0..<taps {
                if tap > 0 { cursor += micros(own?.betweenTaps() ?? 120) - period }
                press(point, fingers, hold: own?.dwell() ?? 80, &own)
            }
        case .longPress(let point, let hold, let fingers):
            let extra = own?.milliseconds(about: 60, spread: 0.5, in: 10...200) ?? 0
            press(point, fingers, hold: Double(hold.nanoseconds) / 1e6 + extra, &own)
        case .swipe(let stroke):
            move(motion(stroke, tempo: Gesture.Stroke.swipeTempo, profile: flick, &own), &own)
        case .edgeSwipe(let stroke):
            move(motion(stroke, tempo: 0.9...1.1, profile: flick, &own), &own)
        case .pan(let stroke):
            var motion = motion(stroke, tempo: 0.8...1.2, profile: minimumJerk, &own)
            motion.holdAfter = micros(own?.number(in: 150...300) ?? 200)
            move(motion, &own)
        case .drag(let stroke):
            var motion = motion(stroke, tempo: 0.8...1.2, profile: minimumJerk, &own)
            motion.holdBefore = micros(own?.number(in: 620...800) ?? 600)
            motion.holdAfter = micros(own?.number(in: 150...300) ?? 200)
            move(motion, &own)
        case .pinch(let pair), .rotate(let pair): move(motion(pair, &own), &own)
        case .scatter(let fingers, let duration, let seed): scatter(fingers, duration, seed)
        case .device(let steps):
            var late = 0.0
            var end = cursor
            for step in steps {
                late += own?.number(in: 0...30) ?? 0
                let time = cursor + step.after.nanoseconds / 1000 + micros(late)
                append(time, .device(step.act))
                end = max(end, time)
            }
            cursor = end + period
        }
    }

    // MARK: Fingers

    /// The path of one finger from touch-down to lift. Times are in microseconds.
    private struct Trail {
        var land: Int64
        var start: Point<ScreenSpace>
        /// Between touch-down and lift, in order.
        var samples: [(time: Int64, point: Point<ScreenSpace>)] = []
        var lift: Int64
    }

    private var period: Int64 { 1_000_000 / Int64(rate) }

    /// The duration of `count` samples, without the drift of a rounded period.
    private func samples(_ count: Int) -> Int64 { (Int64(count) * 2_000_000 / Int64(rate) + 1) / 2 }

    private func micros(_ milliseconds: Double) -> Int64 { Int64(clamping: milliseconds * 1000) }

    /// Adds fingers that land, rest and lift.
    private mutating func press(_ point: Point<ScreenSpace>, _ fingers: Int, hold: Double, _ hand: inout Hand?) {
        var trails: [Trail] = []
        var (land, late) = (cursor, Int64(0))
        let hold = micros(hold)
        for place in row(of: fingers, around: point, along: (1, 0)) {
            guard var own = hand else {
                trails.append(Trail(land: land, start: place, lift: land + hold))
                continue
            }
            if !trails.isEmpty {
                land += micros(own.lag())
                late += micros(own.lag())
            }
            let miss = (x: 0.7 * own.deviation(), y: 0.7 * own.deviation())
            let start = Point<ScreenSpace>(place.x + miss.x, place.y + miss.y)
            trails.append(Trail(land: land, start: start, lift: land + hold + late))
            hand = own
        }
        if var own = hand {
            // No finger lifts before all have landed.
            let landed = trails.map(\.land).max() ?? cursor
            for index in trails.indices {
                trails[index].lift = max(trails[index].lift, landed + hold / 2)
                tremble(&trails[index], &own)
            }
            hand = own
        }
        emit(trails)
    }

    private func tremble(_ trail: inout Trail, _ hand: inout Hand) {
        var tremor = Tremor()
        for time in unevenTimes(from: trail.land, to: trail.lift, &hand).dropLast() {
            tremor.step(&hand)
            trail.samples.append((time, Point(trail.start.x + tremor.x, trail.start.y + tremor.y)))
        }
    }

    /// Sample times after `start`, about a period apart, the last one at `end`.
    private func unevenTimes(from start: Int64, to end: Int64, _ hand: inout Hand) -> [Int64] {
        let length = end - start
        let count = max(1, Int((Double(length) / Double(period)).rounded()))
        return (1...count).map { index in
            let even = start + length * Int64(index) / Int64(count)
            guard index < count else { return end }
            return even + Int64(clamping: Double(length) / Double(count) * hand.number(in: -0.15...0.15))
        }
    }

    /// The fingers of a hand side by side, around a point, all of them on the screen.
    ///
    /// - Parameter direction: A vector of length 1.
    private func row(
        of fingers: Int, around point: Point<ScreenSpace>, along direction: (dx: Double, dy: Double)
    ) -> [Point<ScreenSpace>] {
        guard fingers > 1 else { return [point] }
        let room = direction.dx.magnitude > direction.dy.magnitude ? screen.width : screen.height
        let spacing = min(Gesture.fingerSpacing, (room - 2) / Double(fingers))
        let points = (0..<fingers).map { index in
            let distance = (Double(index) - Double(fingers - 1) / 2) * spacing
            return Point<ScreenSpace>(point.x + direction.dx * distance, point.y + direction.dy * distance)
        }
        // All are moved together, so that they keep their distances.
        var (dx, dy) = (0.0, 0.0)
        for point in points {
            let inside = screen.nearest(to: point)
            if (inside.x - point.x).magnitude > dx.magnitude { dx = inside.x - point.x }
            if (inside.y - point.y).magnitude > dy.magnitude { dy = inside.y - point.y }
        }
        return points.map { Point($0.x + dx, $0.y + dy) }
    }

    // MARK: Movement

    /// Fingers that move together.
    private struct Motion {
        /// For each finger, its position by the share of the path, 0...1.
        var paths: [@Sendable (Double) -> Point<ScreenSpace>]
        /// The share of the path in the first sample, which recognizers ignore; 0 for a movement without slack.
        var lead = 0.0
        var holdBefore: Int64 = 0
        var duration: Int64
        var holdAfter: Int64 = 0
        /// The profile of a human movement.
        var profile: @Sendable (Double) -> Double
    }

    /// The share of its path that a finger moves while it rests before the lift.
    private static let creep = 0.01

    private func motion(
        _ stroke: Gesture.Stroke, tempo: ClosedRange<Double>, profile: @escaping @Sendable (Double) -> Double,
        _ hand: inout Hand?
    ) -> Motion {
        let (dx, dy) = (stroke.to.x - stroke.from.x, stroke.to.y - stroke.from.y)
        let length = stroke.length
        let across = length > 0 ? (dx: -dy / length, dy: dx / length) : (dx: 1.0, dy: 0.0)
        let starts = row(of: stroke.fingers, around: stroke.from, along: across)
        let ends = row(of: stroke.fingers, around: stroke.to, along: across)
        let most = Gesture.Stroke.mostBend(length: length)
        let bend = hand?.number(in: -most...most) ?? 0
        let paths = zip(starts, ends).map { start, end in
            { @Sendable (share: Double) -> Point<ScreenSpace> in
                let offset = bend * bow(share)
                return Point(
                    start.x + (end.x - start.x) * share + across.dx * offset,
                    start.y + (end.y - start.y) * share + across.dy * offset)
            }
        }
        let factor = hand?.number(in: tempo) ?? 1
        return Motion(
            paths: paths, duration: micros(Double(stroke.duration.nanoseconds) / 1e6 * factor), profile: profile)
    }

    private func motion(_ pair: Gesture.Pair, _ hand: inout Hand?) -> Motion {
        let (span, angle) = pair.landing
        let lead =
            pair.from != pair.to
            ? Gesture.pinchSlack / (Gesture.pinchSlack + (pair.to - pair.from).magnitude)
            : Gesture.turnSlack / (Gesture.turnSlack + pair.turn.magnitude)
        let paths = [0, 1].map { finger in
            { @Sendable (share: Double) -> Point<ScreenSpace> in
                // First the slack, then the counted change.
                let first = min(1, share / lead)
                let then = max(0, (share - lead) / (1 - lead))
                let wide = span + (pair.from - span) * first + (pair.to - pair.from) * then
                let turned = angle + (pair.angle - angle) * first + pair.turn * then
                return pair.fingers(span: wide, angle: turned)[finger]
            }
        }
        let factor = hand?.number(in: 0.9...1.1) ?? 1
        return Motion(
            paths: paths, lead: lead, duration: micros(Double(pair.duration.nanoseconds) / 1e6 * factor),
            profile: minimumJerk)
    }

    private mutating func move(_ motion: Motion, _ hand: inout Hand?) {
        var trails = motion.paths.map { Trail(land: cursor, start: $0(0), lift: 0) }
        guard var own = hand else {
            let begin = cursor + motion.holdBefore
            let count = max(2, Int((Double(motion.duration) * Double(rate) / 1e6).rounded()))
            let leading = motion.lead > 0 ? 1 : 0
            let held = Int(motion.holdAfter / period)
            for (index, path) in motion.paths.enumerated() {
                for step in 1...(count + leading + held) {
                    let then = Double(max(0, min(count, step - leading))) / Double(count)
                    var share = motion.lead + (1 - motion.lead) * then
                    if held > 0 {
                        // Rest alone does not reduce a finger's velocity (B9.9), so the finger creeps to its end.
                        let rested = Double(max(0, step - leading - count)) / Double(held)
                        share *= 1 - Self.creep * (1 - rested)
                    }
                    trails[index].samples.append((begin + samples(step), path(share)))
                }
                trails[index].lift = begin + samples(count + leading + held + 1)
            }
            return emit(trails)
        }
        var land = cursor
        for index in trails.indices {
            if index > 0 { land += micros(own.lag()) }
            trails[index].land = land
        }
        let begin = land + motion.holdBefore
        let holding = motion.holdBefore > 0 ? unevenTimes(from: land, to: begin, &own) : []
        let moving = unevenTimes(from: begin, to: begin + motion.duration, &own)
        let end = begin + motion.duration + motion.holdAfter
        let resting = motion.holdAfter > 0 ? unevenTimes(from: begin + motion.duration, to: end, &own) : []
        var lift = end + period
        for (index, path) in motion.paths.enumerated() {
            var tremor = Tremor()
            func sample(_ time: Int64, _ share: Double, _ weight: Double) {
                tremor.step(&own)
                let point = path(share)
                trails[index].samples.append((time, Point(point.x + tremor.x * weight, point.y + tremor.y * weight)))
            }
            for time in holding { sample(time, 0, 1) }
            for time in moving {
                let share = motion.profile(Double(time - begin) / Double(motion.duration))
                sample(time, share, bow(share))
            }
            for time in resting { sample(time, 1, 0) }
            if index > 0 { lift += micros(own.lag()) }
            trails[index].lift = lift
        }
        hand = own
        emit(trails)
    }

    /// Adds fingers that move independently of each other.
    private mutating func scatter(_ fingers: Int, _ duration: Duration, _ seed: UInt64) {
        var hand = Hand(seed: seed)
        let length = max(40_000, duration.nanoseconds / 1000)
        func anywhere() -> Point<ScreenSpace> {
            Point(
                screen.x + hand.share() * (screen.width - 1), screen.y + hand.share() * (screen.height - 1))
        }
        var trails: [Trail] = []
        for _ in 0..<fingers {
            let land = cursor + Int64(hand.share() * Double(length) / 2)
            let lift = land + 20_000 + Int64(hand.share() * Double(length) / 2)
            var trail = Trail(land: land, start: anywhere(), lift: lift)
            var (from, to) = (trail.start, anywhere())
            let times = unevenTimes(from: land, to: lift, &hand).dropLast()
            for (index, time) in times.enumerated() {
                if hand.index(below: 12) == 0 { (from, to) = (trail.samples.last?.point ?? from, anywhere()) }
                let share = Double(index + 1) / Double(times.count + 1)
                trail.samples.append((time, Point(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)))
            }
            trails.append(trail)
        }
        emit(trails)
    }

    // MARK: Lines

    private mutating func emit(_ trails: [Trail]) {
        var made: [FingerScript.Line] = []
        func make(_ micros: Int64, _ act: FingerScript.Act) {
            made.append(FingerScript.Line(time: .microseconds(micros), act: act, number: 0))
        }
        for (index, trail) in trails.enumerated() {
            let finger = index + 1
            var last = rounded(trail.start)
            make(trail.land, .down(finger: finger, last))
            for sample in trail.samples where sample.time > trail.land && sample.time < trail.lift {
                last = rounded(sample.point)
                make(sample.time, .move(finger: finger, last))
            }
            make(trail.lift, .up(finger: finger))
        }
        for line in made.byTime {
            lines.append(FingerScript.Line(time: line.time, act: line.act, number: lines.count + 1))
        }
        cursor = (trails.map(\.lift).max() ?? cursor) + period
    }

    /// The nearest point on the screen, a multiple of 1/64 pt.
    private func rounded(_ point: Point<ScreenSpace>) -> Point<ScreenSpace> {
        let inside = screen.nearest(to: point)
        return screen.nearest(to: Point((inside.x * 64).rounded() / 64, (inside.y * 64).rounded() / 64))
    }

    private mutating func append(_ micros: Int64, _ act: FingerScript.Act) {
        lines.append(FingerScript.Line(time: .microseconds(micros), act: act, number: lines.count + 1))
    }
}
