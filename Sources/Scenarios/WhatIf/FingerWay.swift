// FingerWay.swift: the lines of one finger of a script from landing to lift, and the script with that finger changed.
//
// Input     ChangeField
// Output    changed scripts
//
// Sources   invented

import Basics
import Explain
import Recordings

/// One finger from landing to lift in a script.
struct FingerWay: Sendable {
    private let finger: Int
    /// The indices of its lines.
    private let places: [Int]
    let start: Point<ScreenSpace>
    /// Seconds since the script's zero.
    let landing, lift: Double
    /// The seconds until the finger lands again, and since any finger lifted before.
    let room, roomBefore: Double
    /// Whether another interaction came before.
    let hasEarlier: Bool
    /// The greatest distance from the landing, in points.
    let farthest: Double

    /// - Parameter interaction: One of the script's.
    /// - Returns: Nil if no finger of the script landed at that time.
    init?(_ script: FingerScript, _ interaction: Interaction) {
        guard case .finger(let contact, _) = interaction.subject else { return nil }
        let began = VirtualTime.zero.duration(to: interaction.began)
        let lines = script.lines
        var downs: [Int] = []
        for (index, line) in lines.enumerated() {
            guard case .down = line.act, (line.time.nanoseconds - began.nanoseconds).magnitude < 1_000_000 else {
                continue
            }
            downs.append(index)
        }
        // Contacts are the fingers' numbers, unless two land at once and the panel numbers them.
        let first =
            downs.first { if case .down(Int(contact), _) = lines[$0].act { true } else { false } } ?? downs.first
        guard let first, case .down(let finger, let point) = lines[first].act else { return nil }
        var places = [first]
        var distance = 0.0
        for index in lines.indices.dropFirst(first + 1) {
            switch lines[index].act {
            case .move(finger, let next):
                places.append(index)
                let (x, y) = (next.x - point.x, next.y - point.y)
                distance = max(distance, (x * x + y * y).squareRoot())
                continue
            case .up(finger), .cancel(finger): places.append(index)
            default: continue
            }
            break
        }
        guard places.count > 1 else { return nil }
        (self.finger, self.places, start, farthest) = (finger, places, point, distance)
        landing = lines[first].time.seconds
        lift = lines[places.last!].time.seconds
        let next = lines[(places.last! + 1)...].first { if case .down(finger, _) = $0.act { true } else { false } }
        room = next.map { max(0, $0.time.seconds - lines[places.last!].time.seconds - 0.001) } ?? 10
        let before = lines[..<first].last {
            switch $0.act {
            case .up, .cancel: true
            default: false
            }
        }
        hasEarlier = before != nil
        roomBefore = before.map { max(0, lines[first].time.seconds - $0.time.seconds - 0.001) } ?? 0
    }

    /// Moves the lift by seconds. Moves after an earlier lift are dropped.
    func lift(by seconds: Double, in scenario: inout Scenario) {
        let time = Duration(seconds: lift + seconds)
        let last = places.last!
        change(&scenario) { index, line in
            guard places.contains(index) else { return line }
            if index == last { return Line(time: time, act: line.act, number: line.number) }
            return line.time > time ? nil : line
        }
    }

    /// Moves the whole way by seconds.
    func shift(by seconds: Double, in scenario: inout Scenario) {
        change(&scenario) { index, line in
            guard places.contains(index) else { return line }
            let time = max(.zero, Duration(seconds: line.time.seconds + seconds))
            return Line(time: time, act: line.act, number: line.number)
        }
    }

    /// Moves the whole way by points.
    func move(by offset: (x: Double, y: Double), in scenario: inout Scenario) {
        changePoints(&scenario) { Point<ScreenSpace>($0.x + offset.x, $0.y + offset.y) }
    }

    /// Multiplies the distances from the landing.
    func stretch(by factor: Double, in scenario: inout Scenario) {
        changePoints(&scenario) { point in
            let (x, y) = (point.x - start.x, point.y - start.y)
            return Point<ScreenSpace>(start.x + x * factor, start.y + y * factor)
        }
    }

    /// Adds moves on a straight line between landing and lift, one for each display frame, at most 60.
    func drag(by offset: (x: Double, y: Double), in scenario: inout Scenario) {
        let count = min(60, max(1, Int((lift - landing) * 60)))
        var moves: [Line] = []
        for step in 1...count {
            let way = Double(step) / Double(count)
            let point = Point<ScreenSpace>(start.x + offset.x * way, start.y + offset.y * way)
            let time = Duration(seconds: landing + (lift - landing) * Double(step) / Double(count + 1))
            moves.append(Line(time: time, act: .move(finger: finger, point), number: 0))
        }
        change(&scenario, adding: moves) { $1 }
    }

    private typealias Line = FingerScript.Line

    private func changePoints(
        _ scenario: inout Scenario, _ body: (Point<ScreenSpace>) -> Point<ScreenSpace>
    ) {
        change(&scenario) { index, line in
            guard places.contains(index) else { return line }
            switch line.act {
            case .down(finger, let point):
                return Line(time: line.time, act: .down(finger: finger, body(point)), number: 0)
            case .move(finger, let point):
                return Line(time: line.time, act: .move(finger: finger, body(point)), number: 0)
            default: return line
            }
        }
    }

    private func change(
        _ scenario: inout Scenario, adding more: [Line] = [], _ body: (Int, Line) -> Line?
    ) {
        let lines = scenario.script.lines.lines.enumerated().compactMap(body) + more
        // A way that collides with another one, or leaves the screen, is no script: the change then has no effect.
        if let script = try? FingerScript(parsing: lines.byTime.text) { scenario.script.lines = script }
    }
}
