// ScriptShrinking.swift: finds the shortest script that still fails.
//
//     steps ─▶ the last few that fail alone ─▶ fewer steps ─▶ fewer fingers and keys ─▶ fewer moves ─▶ no time before
//
// Delta debugging: halves, then quarters, and so on, until no single part can be omitted. Each tried script is valid: a
// finger is omitted with all its lines, a move alone.
//
// Input     `touchline monkey gestures`: steps, and whether a script fails
// Output    the script in the report
//
// Sources   documented  Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002)

import Basics
public import Recordings

/// The search for a shorter failing script, with a limit on the number of tries.
public struct ScriptShrinking: Sendable {
    /// The most scripts that may be tried.
    public let limit: Int
    public private(set) var tries = 0

    public init(limit: Int) { self.limit = limit }

    /// Shortens a sequence of steps.
    ///
    /// - Parameters:
    ///   - steps: All steps up to the failure.
    ///   - fails: Plays a script from the beginning and returns whether it fails in the same way.
    /// - Returns: The shortest script found; nil if nothing fails again.
    public mutating func shortest(
        of steps: [MonkeyStep], fails: ([FingerScript.Line]) throws -> Bool
    ) rethrows -> [FingerScript.Line]? {
        guard var kept = try shortestFailingSuffix(of: steps, fails) else { return nil }
        kept = try fewest(of: kept) { try fails($0.lines) }
        return try shortest(of: kept.lines, fails: fails)
    }

    /// Shortens a script that is known to fail.
    public mutating func shortest(
        of lines: [FingerScript.Line], fails: ([FingerScript.Line]) throws -> Bool
    ) rethrows -> [FingerScript.Line] {
        var stays = Self.stays(of: lines)
        stays = try fewest(of: stays) { try fails(Self.lines(of: $0)) }
        var kept = Self.lines(of: stays)
        let moves = kept.indices.filter { if case .move = kept[$0].act { true } else { false } }
        func without(_ left: [Int]) -> [FingerScript.Line] {
            let gone = Set(moves).subtracting(left)
            return kept.indices.filter { !gone.contains($0) }.map { kept[$0] }
        }
        let left = try fewest(of: moves, mayBeNone: true) { try fails(without($0)) }
        kept = without(left)
        if let first = kept.first?.time, first > .zero {
            let early = kept.map { FingerScript.Line(time: $0.time - first, act: $0.act, number: $0.number) }
            if try tryScript(early, fails) { kept = early }
        }
        return kept
    }

    // MARK: Steps

    /// The last step, the last two, four, …: the cause is usually among the last steps.
    private mutating func shortestFailingSuffix(
        of steps: [MonkeyStep], _ fails: ([FingerScript.Line]) throws -> Bool
    ) rethrows -> [MonkeyStep]? {
        var count = 1
        while true {
            let some = Array(steps.suffix(count))
            if try tryScript(some.lines, fails) { return some }
            guard count < steps.count, tries < limit else { return nil }
            count = min(steps.count, count * 2)
        }
    }

    private mutating func tryScript(
        _ lines: [FingerScript.Line], _ fails: ([FingerScript.Line]) throws -> Bool
    ) rethrows -> Bool {
        guard tries < limit, !lines.isEmpty else { return false }
        tries += 1
        return try fails(lines)
    }

    // MARK: Delta debugging

    /// The fewest parts, in their order, that still fail. Without tries left, the parts so far.
    ///
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - mayBeNone: Whether to try the empty script, first of all.
    ///   - fails: Whether a script of these parts still fails.
    public mutating func fewest<Part>(
        of parts: [Part], mayBeNone: Bool = false, fails: ([Part]) throws -> Bool
    ) rethrows -> [Part] {
        var kept = parts
        if mayBeNone, !kept.isEmpty, tries < limit {
            tries += 1
            if try fails([]) { return [] }
        }
        var chunk = max(1, kept.count / 2)
        while kept.count > 1 || (mayBeNone && !kept.isEmpty) {
            var start = 0
            var isSmaller = false
            while start < kept.count, tries < limit {
                let rest = Array(kept[..<start]) + Array(kept[min(kept.count, start + chunk)...])
                guard !rest.isEmpty || mayBeNone else { break }
                tries += 1
                if try fails(rest) {
                    kept = rest
                    isSmaller = true
                } else {
                    start += chunk
                }
            }
            guard tries < limit else { break }
            // A whole pass over single parts removed none, so no smaller script is left.
            if chunk == 1 { guard isSmaller else { break } } else { chunk = max(1, chunk / 2) }
        }
        return kept
    }

    // MARK: Parts of a script

    /// All lines of one finger, key or pointer from its beginning to its end, which are omitted together.
    private struct Stay {
        var lines: [(index: Int, line: FingerScript.Line)]
    }

    private static func stays(of lines: [FingerScript.Line]) -> [Stay] {
        var stays: [Stay] = []
        var fingers: [Int: Int] = [:]
        var names: [String: Int] = [:]
        func begin(_ index: Int) -> Int {
            stays.append(Stay(lines: [(index, lines[index])]))
            return stays.count - 1
        }
        func add(_ index: Int, to stay: Int?) {
            guard let stay else { return _ = begin(index) }
            stays[stay].lines.append((index, lines[index]))
        }
        for (index, line) in lines.enumerated() {
            switch line.act {
            case .down(let finger, _): fingers[finger] = begin(index)
            case .move(let finger, _): add(index, to: fingers[finger])
            case .up(let finger), .cancel(let finger):
                add(index, to: fingers[finger])
                fingers[finger] = nil
            case .device(let act):
                let (name, isEnd) = act.stay
                if let known = names[name] {
                    add(index, to: known)
                } else {
                    let stay = begin(index)
                    if !name.isEmpty { names[name] = stay }
                }
                if isEnd { names[name] = nil }
            default: _ = begin(index)
            }
        }
        return stays
    }

    private static func lines(of stays: [Stay]) -> [FingerScript.Line] {
        stays.flatMap(\.lines).sorted { $0.index < $1.index }.map(\.line)
    }
}

extension DeviceAct {
    /// The name of the stay that an act begins or continues, and whether the act ends it; no name for a single act.
    fileprivate var stay: (name: String, isEnd: Bool) {
        switch self {
        case .press(let name, let isDown): ("press \(name)", !isDown)
        case .key(let name, let isDown): ("key \(name)", !isDown)
        case .scroll: ("scroll", false)
        case .hover: ("hover", false)
        case .transform: ("transform", false)
        case .end(let pointer): (pointer.rawValue, true)
        case .shake, .remote, .wheel: ("", false)
        }
    }
}
