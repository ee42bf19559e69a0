// Hand.swift: fingers for one gesture machine, with its verdicts as text.

import Basics

@testable import Gestures

/// Moves fingers on one gesture machine. Times are in milliseconds, positions in points.
struct Hand<Machine: GestureMachine> {
    var machine = Machine()
    private var positions: [UInt32: Point<WindowSpace>] = [:]

    init(_ rules: Machine.Rules) { machine.rules = rules }

    mutating func down(_ finger: UInt32, _ x: Double, _ y: Double, at time: Double) -> String {
        handle(.began, [(finger, Point(x, y))], at: time)
    }

    mutating func move(_ finger: UInt32, _ x: Double, _ y: Double, at time: Double) -> String {
        handle(.moved, [(finger, Point(x, y))], at: time)
    }

    // Without a finger number, these functions use finger 1.
    mutating func down(_ x: Double, _ y: Double, at time: Double) -> String { down(1, x, y, at: time) }
    mutating func move(_ x: Double, _ y: Double, at time: Double) -> String { move(1, x, y, at: time) }
    mutating func upAt(_ x: Double, _ y: Double, at time: Double) -> String { upAt(1, x, y, at: time) }

    /// Moves several fingers in one event.
    mutating func move(_ fingers: [(UInt32, Double, Double)], at time: Double) -> String {
        handle(.moved, fingers.map { ($0.0, Point($0.1, $0.2)) }, at: time)
    }

    mutating func up(_ fingers: UInt32..., at time: Double) -> String {
        handle(.ended, fingers.map { ($0, positions[$0] ?? Point(0, 0)) }, at: time)
    }

    mutating func upAt(_ finger: UInt32, _ x: Double, _ y: Double, at time: Double) -> String {
        handle(.ended, [(finger, Point(x, y))], at: time)
    }

    mutating func cancel(_ finger: UInt32 = 1, at time: Double) -> String {
        handle(.cancelled, [(finger, positions[finger] ?? Point(0, 0))], at: time)
    }

    mutating func wait(until time: Double) -> String {
        "\(machine.timePassed(at: Instant(seconds: time / 1000)))"
    }

    mutating func ignore(_ finger: UInt32) -> String { "\(machine.forget(FingerID(rawValue: finger)))" }

    /// Handles a sample of the time `seen` at the time `time`.
    mutating func late(_ phase: SamplePhase, _ x: Double, _ y: Double, seen: Double, at time: Double) -> String {
        let sample = Sample(FingerID(rawValue: 1), Point(x, y), Instant(seconds: seen / 1000))
        return "\(machine.handle(phase, [sample], at: Instant(seconds: time / 1000)))"
    }

    mutating func handle(_ phase: SamplePhase, _ finger: UInt32, _ x: Double, _ y: Double, at time: Double) -> Verdict {
        let sample = Sample(FingerID(rawValue: finger), Point(x, y), moment(time))
        return machine.handle(phase, [sample], at: sample.time)
    }

    private mutating func handle(
        _ phase: SamplePhase, _ fingers: [(UInt32, Point<WindowSpace>)], at time: Double
    ) -> String {
        let now = Instant(seconds: time / 1000)
        for (finger, place) in fingers { positions[finger] = place }
        return "\(machine.handle(phase, fingers.map { Sample(FingerID(rawValue: $0.0), $0.1, now) }, at: now))"
    }
}

/// Returns the instant `milliseconds` after boot.
func moment(_ milliseconds: Double) -> Instant { Instant(seconds: milliseconds / 1000) }
