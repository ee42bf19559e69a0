// MonkeyScript.swift: an endless sequence of gestures from a seed.
//
// Input     a seed, a profile, a screen
// Output    `touchline monkey gestures`: the running group and the simulated one
// Knows     gestures. Not their effects.
//
// The same seed, profile and screen give the same steps on every machine. Each step has its own random numbers, so that
// a missing step does not change the others.
//
// Sources   invented

public import Basics
import HID
public import Recordings

/// One act of the monkey.
public struct MonkeyStep: Hashable, Sendable {
    /// From 1.
    public var number: Int
    /// A word of the profile.
    public var name: String
    /// The pause before it.
    public var pause: Duration
    /// Times count from zero. Every finger that goes down lifts.
    public var lines: [FingerScript.Line]

    /// The time from its first line to the earliest beginning of the next step.
    public var length: Duration

    public init(number: Int, name: String, pause: Duration, lines: [FingerScript.Line], length: Duration) {
        (self.number, self.name, self.pause, self.lines, self.length) = (number, name, pause, lines, length)
    }

    /// The number of frames and inputs that devices report for it: lines with one time are one frame.
    public var events: Int {
        var count = 0
        var last: Duration?
        for line in lines {
            if case .device = line.act {
                count += 1
                last = nil
            } else if line.time != last {
                count += 1
                last = line.time
            }
        }
        return count
    }
}

/// The steps of the monkey.
public struct MonkeyScript: Sequence, IteratorProtocol, Sendable {
    private let profile: MonkeyProfile
    private let screen: Rect<ScreenSpace>
    private var seedSource: Hand
    private var number = 0

    public init(seed: UInt64, profile: MonkeyProfile = .standard, screen: Rect<ScreenSpace>) {
        (self.profile, self.screen) = (profile, screen)
        seedSource = Hand(seed: seed)
    }

    /// The next step; never nil.
    public mutating func next() -> MonkeyStep? {
        var hand = Hand(seed: seedSource.split())
        number += 1
        let pause = profile.pause.lowerBound.nanoseconds
        let span = Double(profile.pause.upperBound.nanoseconds - pause)
        let before = Duration.microseconds((pause + Int64(clamping: span * hand.share())) / 1000)
        let (name, gesture) = inventGesture(&hand)
        var synthesizer = Synthesizer(on: screen, rate: profile.rate, human: profile.human ? hand.split() : nil)
        do throws(GestureError) {
            try synthesizer.play(gesture)
        } catch {
            preconditionFailure("the monkey invented \(gesture): \(error)")
        }
        return MonkeyStep(
            number: number, name: name, pause: before, lines: synthesizer.lines, length: synthesizer.now)
    }

    /// The next steps with at least `events` events.
    public mutating func steps(events: Int) -> [MonkeyStep] {
        var steps: [MonkeyStep] = []
        var count = 0
        while count < events, let step = next() {
            steps.append(step)
            count += step.events
        }
        return steps
    }

    // MARK: Inventing

    private func inventGesture(_ hand: inout Hand) -> (String, Gesture) {
        let dice = hand.share()
        if dice < profile.deviceShare, let act = hand.choice(of: profile.devices) {
            return (act.rawValue, device(act, &hand))
        }
        if dice < profile.deviceShare + profile.multitouchShare, let act = hand.choice(of: profile.multitouch) {
            return (act.rawValue, self.multiple(act, &hand))
        }
        guard let act = hand.choice(of: profile.gestures) else { return ("tap", .tap(randomPoint(&hand))) }
        return (act.rawValue, single(act, &hand))
    }

    /// A point on the screen, a multiple of 1/64 pt.
    private func randomPoint(_ hand: inout Hand) -> Point<ScreenSpace> {
        let part =
            hand.choice(of: profile.regions.map { MonkeyProfile.Weight($0, $0.weight) })
            ?? MonkeyProfile.Region(x: 0, y: 0, width: 1, height: 1)
        let (x, y) = (part.x + part.width * hand.share(), part.y + part.height * hand.share())
        return roundedOntoScreen(Point(screen.x + x * screen.width, screen.y + y * screen.height))
    }

    private func roundedOntoScreen(_ point: Point<ScreenSpace>) -> Point<ScreenSpace> {
        screen.nearest(to: Point((point.x * 64).rounded() / 64, (point.y * 64).rounded() / 64))
    }

    private func single(_ act: MonkeyProfile.Single, _ hand: inout Hand) -> Gesture {
        let point = randomPoint(&hand)
        func seconds(_ range: ClosedRange<Double>) -> Duration { .milliseconds(Int64(hand.number(in: range) * 1000)) }
        switch act {
        case .tap: return .tap(point)
        case .doubleTap: return .tap(point, taps: 2)
        case .tripleTap: return .tap(point, taps: 3)
        case .longPress: return .longPress(point, hold: seconds(0.5...1.5))
        case .swipe:
            // The direction is reversed if there is too little room.
            let direction = GestureDirection.allCases[hand.index(below: 4)]
            let (dx, dy) = direction.step
            let most = direction.distanceToEdge(from: point, on: screen)
            let turned =
                most >= 60 ? (dx, dy, most) : (-dx, -dy, direction.distanceToOppositeEdge(from: point, on: screen))
            let length = Swift.max(50, Swift.min(turned.2, hand.number(in: 60...400)))
            return checked(
                .swipe(
                    .init(
                        from: point,
                        to: roundedOntoScreen(Point(point.x + turned.0 * length, point.y + turned.1 * length)),
                        duration: seconds(0.08...0.13))), or: point)
        case .pan, .drag:
            let stroke = Gesture.Stroke(from: point, to: self.randomPoint(&hand), duration: seconds(0.15...1))
            return checked(act == .pan ? .pan(stroke) : .drag(stroke), or: point)
        case .edgeSwipe:
            var options = GestureOptions()
            options.edge = GestureEdge.allCases[hand.index(below: 4)]
            options.at = point
            options.distance = hand.number(in: 0.2...0.6) * Swift.min(screen.width, screen.height)
            return (try? Gesture(.edgeSwipe, options, on: screen)) ?? .tap(point)
        }
    }

    private func multiple(_ act: MonkeyProfile.Multiple, _ hand: inout Hand) -> Gesture {
        // Around a point with room for both fingers.
        let edge = Swift.min(screen.width, screen.height) / 4
        let startingPoint = randomPoint(&hand)
        let point = roundedOntoScreen(
            Point(
                Swift.max(screen.x + edge, Swift.min(screen.x + screen.width - edge, startingPoint.x)),
                Swift.max(screen.y + edge, Swift.min(screen.y + screen.height - edge, startingPoint.y))))
        var options = GestureOptions()
        options.at = point
        switch act {
        case .twoFingerTap: return .tap(point, fingers: 2)
        case .pinch:
            options.scale = hand.share() < 0.5 ? hand.number(in: 1.2...2.5) : hand.number(in: 0.4...0.8)
            options.angle = (hand.share() * 360).rounded()
            return (try? Gesture(.pinch, options, on: screen)) ?? .tap(point, fingers: 2)
        case .rotate:
            options.degrees = (hand.number(in: 15...180) * (hand.share() < 0.5 ? -1 : 1)).rounded()
            options.angle = (hand.share() * 360).rounded()
            return (try? Gesture(.rotate, options, on: screen)) ?? .tap(point, fingers: 2)
        case .scatter:
            return .scatter(
                fingers: 2 + hand.index(below: 4), duration: .milliseconds(Int64(hand.number(in: 100...800))),
                seed: hand.split())
        }
    }

    private func device(_ act: MonkeyProfile.Device, _ hand: inout Hand) -> Gesture {
        let point = randomPoint(&hand)
        func name(_ names: [String]) -> String { names[hand.index(below: names.count)] }
        let made: Gesture?
        switch act {
        case .press: made = try? .press(name(HIDUsage.buttons.map(\.name)))
        case .key:
            let key = name(HIDUsage.keys.map(\.name))
            made = try? .key(key, with: hand.share() < 0.2 && key != "shift" ? ["shift"] : [])
        case .remote: made = try? .remote(name(RemoteCommand.allCases.map { "\($0)" }))
        case .shake: made = .shake
        case .scroll:
            made = .scroll(
                point, dx: hand.number(in: -100...100).rounded(), dy: hand.number(in: -300...300).rounded())
        case .wheel: made = .wheel(point, dx: 0, dy: hand.number(in: -40...40).rounded())
        case .hover:
            made = .hover(from: point, to: self.randomPoint(&hand), duration: .milliseconds(300), rate: profile.rate)
        }
        return made ?? .tap(point)
    }

    /// The gesture, or a tap if no recognizer would accept it.
    private func checked(_ gesture: Gesture, or place: Point<ScreenSpace>) -> Gesture {
        do throws(GestureError) {
            try gesture.check(on: screen, rate: profile.rate)
            return gesture
        } catch { return .tap(place) }
    }
}

extension Hand {
    /// A choice by weight; nil without any positive weight.
    fileprivate mutating func choice<Act>(of weights: [MonkeyProfile.Weight<Act>]) -> Act? {
        let sum = weights.reduce(0) { $0 + max(0, min(1_000_000, $1.weight)) }
        guard sum > 0 else { return nil }
        var rest = index(below: sum)
        for entry in weights {
            rest -= max(0, min(1_000_000, entry.weight))
            if rest < 0 { return entry.act }
        }
        return nil
    }
}

extension GestureDirection {
    fileprivate func distanceToOppositeEdge(from point: Point<ScreenSpace>, on screen: Rect<ScreenSpace>) -> Double {
        switch self {
        case .up: GestureDirection.down.distanceToEdge(from: point, on: screen)
        case .down: GestureDirection.up.distanceToEdge(from: point, on: screen)
        case .left: GestureDirection.right.distanceToEdge(from: point, on: screen)
        case .right: GestureDirection.left.distanceToEdge(from: point, on: screen)
        }
    }
}

// MARK: Steps as one script

extension Sequence where Element == MonkeyStep {
    /// The lines of all steps in sequence, each after its pause.
    public var lines: [FingerScript.Line] {
        var lines: [FingerScript.Line] = []
        var zero = Duration.zero
        for step in self {
            zero += step.pause
            for line in step.lines {
                lines.append(FingerScript.Line(time: zero + line.time, act: line.act, number: lines.count + 1))
            }
            zero += step.length
        }
        return lines
    }
}
