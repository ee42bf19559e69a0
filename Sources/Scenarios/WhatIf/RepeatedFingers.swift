// RepeatedFingers.swift: the touches that an app received, as the lines of a finger script.
//
//     facts of a run, by time ─▶ down, move, up of each touch, acts of the system ─▶ lines
//
// The positions are those of the app's scene, which fills the display. The facts of devices have no positions unless
// `trace.positions` is set.
//
// Input     RepeatedRun: a whole run; the inspector: the facts of the last interaction
// Output    lines of a finger script
// Knows     facts of contacts and of system acts. No key, no pointer: those are not repeated.
//
// Sources   invented

import Basics
import Explain
import Recordings
public import Trace

/// The fingers of a run.
struct RepeatedFingers {
    private(set) var lines: [String] = []
    private var zero: Instant?
    /// The numbers of the touches that are down; the index is the finger.
    private var down: [Int64?] = []
    /// The touch of each contact. A touch that was taken from the app ends there, and its finger lifts later.
    private var touches: [Int64: Int64] = [:]

    /// Whether a touch has landed whose contact has not lifted.
    var isTouched: Bool { down.contains { $0 != nil } }

    static func isLanding(_ fact: ResolvedFact) -> Bool {
        fact.station == .event && fact.template == "touch {a} began at ({b:p}, {c:p})"
    }

    /// Whether a fact has a part in the fingers' lines.
    static func isPart(_ fact: ResolvedFact) -> Bool {
        switch fact.template {
        case "contact {a} → {b:n}, until it lifts: touch {c}", "contact {a} up at ({b:f}, {c:f})",
            "contact {a} cancelled at ({b:f}, {c:f})":
            true
        default: fact.station == .event && fact.template.hasPrefix("touch {a} ")
        }
    }

    /// - Throws: `UnrepeatableRun` for an act that is not repeated, and for a hidden position.
    mutating func add(_ fact: ResolvedFact) throws(UnrepeatableRun) {
        if fact.template == "act: {a:n}" {
            guard let zero else { return }
            let act = fact.word(at: 0)
            guard ["interrupt", "resume", "home", "lock", "unlock", "alert"].contains(act) else {
                throw UnrepeatableRun("what if: expected a run without the act \(act)")
            }
            let word = act == "interrupt" ? "interrupt call" : act
            return add(word, at: fact.at, since: zero)
        }
        switch fact.template {
        case "contact {a} → {b:n}, until it lifts: touch {c}": touches[fact.number(at: 0)] = fact.number(at: 2)
        case "contact {a} up at ({b:f}, {c:f})", "contact {a} cancelled at ({b:f}, {c:f})":
            lift(touches.removeValue(forKey: fact.number(at: 0)), at: fact.at)
        // A touch whose contact is not known.
        case "touch {a} ended at ({b:p}, {c:p})": lift(fact.number(at: 0), at: fact.at)
        default: break
        }
        guard fact.station == .event, fact.template.hasPrefix("touch {a} ") else { return }
        let touch = fact.number(at: 0)
        let verb: String
        switch fact.template {
        case "touch {a} began at ({b:p}, {c:p})": verb = "down"
        case "touch {a} moved to ({b:p}, {c:p})": verb = "move"
        default: return
        }
        let zero = zero ?? fact.at
        self.zero = zero
        if verb == "down" {
            if let free = down.firstIndex(of: nil) { down[free] = touch } else { down.append(touch) }
        }
        guard let finger = down.firstIndex(of: touch) else { return }
        guard !Fact.isHidden(fact.number(at: 1)) else {
            throw UnrepeatableRun("expected positions, found hidden ones: a window is secure")
        }
        let (x, y) = (points(fact.number(at: 1)), points(fact.number(at: 2)))
        add("\(verb) f\(finger + 1) (\(x),\(y))", at: fact.at, since: zero)
    }

    private mutating func lift(_ touch: Int64?, at moment: Instant) {
        guard let touch, let finger = down.firstIndex(of: touch), let zero else { return }
        down[finger] = nil
        add("up f\(finger + 1)", at: moment, since: zero)
    }

    private mutating func add(_ words: String, at moment: Instant, since zero: Instant) {
        lines.append("\(words) \(FingerScript.text(ofTime: zero.duration(to: moment)))")
    }

    private func points(_ bits: Int64) -> Double { Double(bitPattern: UInt64(bitPattern: bits)) }
}

/// The fingers of the last interaction of a running group, to be played once more.
///
/// A value that receives the facts of all processes, in any order of processes.
public struct LastFingers: Sendable {
    private struct Entry: Sendable {
        var fact: ResolvedFact
        /// The place of the process on the way of an event.
        var rank: Int
        var index: Int
    }

    private var entries: [Entry] = []
    private var count = 0

    /// The most facts that are kept: about a minute of ten fingers at 120 Hz.
    private static let limit = 20_000
    /// Fingers that land within this time after the last lift belong to the same interaction, as those of a double tap.
    private static let pause = Duration.milliseconds(500)

    public init() {}

    /// Adds the facts of one process, in its order.
    public mutating func add(_ facts: [ResolvedFact]) {
        for fact in facts where RepeatedFingers.isPart(fact) {
            count += 1
            let rank = fact.process == "input-kit" ? 0 : fact.process == "system-server" ? 1 : 2
            entries.append(Entry(fact: fact, rank: rank, index: count))
        }
        if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit / 2) }
    }

    /// Another group has begun. Fingers that were down in the one before never lift, and are forgotten.
    public mutating func beginGroup() {
        do throws(UnrepeatableRun) { _ = try script() } catch { entries = [] }
    }

    /// Returns the lines of a finger script, from the first landing at 0; nil without an interaction.
    ///
    /// - Throws: `UnrepeatableRun` while a finger is down, and for hidden positions.
    public func script() throws(UnrepeatableRun) -> String? {
        let facts = entries.sorted { ($0.fact.at, $0.rank, $0.index) < ($1.fact.at, $1.rank, $1.index) }.map(\.fact)
        var fingers = RepeatedFingers()
        var lifted = Instant.boot
        // A later interaction can be repeated, whatever an earlier one hides.
        var refusal: UnrepeatableRun?
        for fact in facts {
            let wasTouched = fingers.isTouched
            if RepeatedFingers.isLanding(fact), !wasTouched, lifted.duration(to: fact.at) > Self.pause {
                // The routes of its contacts were noted before the landing.
                fingers.beginAnew()
                refusal = nil
            }
            do throws(UnrepeatableRun) { try fingers.add(fact) } catch { refusal = refusal ?? error }
            if wasTouched, !fingers.isTouched { lifted = fact.at }
        }
        if let refusal { throw refusal }
        guard !fingers.lines.isEmpty else { return nil }
        guard !fingers.isTouched else {
            throw UnrepeatableRun("expected an interaction that has ended, found a finger that is down")
        }
        return fingers.lines.joined(separator: "\n")
    }
}

extension RepeatedFingers {
    /// Forgets the lines, and keeps which touch belongs to which contact.
    fileprivate mutating func beginAnew() { (lines, zero, down) = ([], nil, []) }
}
