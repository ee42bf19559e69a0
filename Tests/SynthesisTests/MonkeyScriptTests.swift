import Basics
import HID
import Recordings
import Synthesis
import Testing

@Suite("The monkey's scripts")
struct MonkeyScriptTests {
    private func text(seed: UInt64, profile: MonkeyProfile = .standard, events: Int = 1000) throws -> String {
        var script = MonkeyScript(seed: seed, profile: profile, screen: phone)
        return script.steps(events: events).lines.map { "\($0)\n" }.joined()
    }

    private let storm: MonkeyProfile = {
        var profile = MonkeyProfile.standard
        (profile.multitouchShare, profile.deviceShare, profile.rate) = (0.7, 0.3, 120)
        return profile
    }()

    @Test("a monkey script is determined by seed and profile")
    func reproducible() throws {
        #expect(try text(seed: 1) == text(seed: 1))
        #expect(try text(seed: 1) != text(seed: 2))
        #expect(try text(seed: 1) != text(seed: 1, profile: storm))
        // The hash is FNV-1a of the text, and the same on every machine.
        let hash = try text(seed: 4711).utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        #expect(hash == 10_995_605_910_626_973_719)
    }

    @Test("a monkey script is legal on any screen and holds nothing")
    func legal() throws {
        let ruler = {
            var profile = MonkeyProfile.standard
            (profile.human, profile.rate) = (false, 20)
            return profile
        }()
        let corner = {
            var profile = MonkeyProfile.standard
            profile.regions = [.init(x: 1, y: 1, width: 0, height: 0), .init(x: 0, y: 0, width: 0, height: 0)]
            return profile
        }()
        for profile in [.standard, storm, ruler, corner] {
            for (seed, size) in [(1, (375.0, 667.0)), (2, (320, 480)), (3, (1366, 1024))] {
                let screen = Rect<ScreenSpace>(x: 0, y: 0, width: size.0, height: size.1)
                var script = MonkeyScript(seed: UInt64(seed), profile: profile, screen: screen)
                let steps = script.steps(events: 3000)
                let text = steps.lines.map { "\($0)\n" }.joined()
                // The parser of scripts checks the contacts.
                let read = try FingerScript(parsing: text)
                #expect(read.lines.map(\.act) == steps.lines.map(\.act))
                for line in read.lines {
                    switch line.act {
                    case .down(_, let point), .move(_, let point): #expect(screen.contains(point))
                    default: break
                    }
                }
                let geometry = ScreenGeometry(width: size.0, height: size.1, rotation: 0)
                var held = HeldInputs<DigitizerSpace>()
                for case .device(_, let input) in read.reports(on: geometry) { _ = held.apply(input) }
                #expect(held.inputs.isEmpty)
            }
        }
    }

    @Test("a monkey script follows its profile's weights")
    func weights() {
        var script = MonkeyScript(seed: 3, screen: phone)
        var counts: [String: Int] = [:]
        for _ in 0..<2000 { counts[script.next()?.name ?? "", default: 0] += 1 }
        let multiple = MonkeyProfile.Multiple.allCases.reduce(0) { $0 + (counts[$1.rawValue] ?? 0) }
        let devices = MonkeyProfile.Device.allCases.reduce(0) { $0 + (counts[$1.rawValue] ?? 0) }
        #expect((240...360).contains(multiple))
        #expect((60...140).contains(devices))
        #expect((560...720).contains(counts["tap"] ?? 0))
        for word in MonkeyProfile.Single.allCases { #expect(counts[word.rawValue] ?? 0 > 0) }
    }

    @Test("a monkey's gestures begin in the profile's regions")
    func regions() {
        var profile = MonkeyProfile(gestures: [.init(.tap, 1)])
        (profile.multitouchShare, profile.deviceShare, profile.human) = (0, 0, false)
        profile.regions = [.init(x: 0.5, y: 0.25, width: 0.1, height: 0.5)]
        var script = MonkeyScript(seed: 3, profile: profile, screen: phone)
        let landings = script.steps(events: 200).lines.compactMap { line -> Point<ScreenSpace>? in
            guard case .down(_, let point) = line.act else { return nil }
            return point
        }
        #expect(landings.count > 20)
        for point in landings {
            #expect((187.4...225.1).contains(point.x))
            #expect((166.7...500.3).contains(point.y))
        }
    }

    @Test("a monkey script reaches its number of events without excess")
    func events() {
        for wanted in [1, 10, 999] {
            var script = MonkeyScript(seed: 8, screen: phone)
            let steps = script.steps(events: wanted)
            #expect(steps.reduce(0) { $0 + $1.events } >= wanted)
            #expect(steps.dropLast().reduce(0) { $0 + $1.events } < wanted)
        }
    }

    @Test("a monkey step's events are what devices report")
    func counted() throws {
        var script = MonkeyScript(seed: 5, profile: storm, screen: phone)
        for _ in 0..<200 {
            guard let step = script.next() else { return }
            let read = try FingerScript(parsing: step.lines.map { "\($0)\n" }.joined())
            let geometry = ScreenGeometry(width: 375, height: 667, rotation: 0)
            // A shake is two inputs of one line: it begins and ends.
            let shakes = read.lines.filter { $0.act == .device(.shake) }.count
            #expect(step.events == read.reports(on: geometry).count - shakes)
        }
    }
}

@Suite("Shrinking a script")
struct ScriptShrinkingTests {
    /// Whether two contacts are down and one of them moves.
    private func hasPinch(_ lines: [FingerScript.Line]) -> Bool {
        var down: Set<Int> = []
        for line in lines {
            switch line.act {
            case .down(let finger, _): down.insert(finger)
            case .up(let finger), .cancel(let finger): down.remove(finger)
            case .move: if down.count == 2 { return true }
            default: break
            }
        }
        return false
    }

    @Test("shrinking leaves a pinch two fingers and one move")
    func pinch() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var script = MonkeyScript(seed: seed, screen: phone)
            var steps = script.steps(events: 2000)
            while !hasPinch(steps.lines), let next = script.next() { steps.append(next) }
            var shrinking = ScriptShrinking(limit: 5000)
            let left = try #require(
                try shrinking.shortest(of: steps) { lines in
                    // Every script that the shrinking tries can be played.
                    _ = try FingerScript(parsing: lines.map { "\($0)\n" }.joined())
                    return hasPinch(lines)
                })
            #expect(left.count == 5, "\(left)")
            #expect(left.first?.time == .zero)
            #expect(hasPinch(left))
            // No line can be removed.
            for index in left.indices {
                var less = left
                less.remove(at: index)
                let text = less.map { "\($0)\n" }.joined()
                #expect((try? FingerScript(parsing: text)) == nil || !hasPinch(less) || isUp(left[index]))
            }
        }
    }

    private func isUp(_ line: FingerScript.Line) -> Bool {
        if case .up = line.act { true } else { false }
    }

    @Test("shrinking keeps the one key that matters, down and up")
    func devices() throws {
        var profile = MonkeyProfile.standard
        (profile.multitouchShare, profile.deviceShare) = (0.2, 0.6)
        var script = MonkeyScript(seed: 2, profile: profile, screen: phone)
        var shrinking = ScriptShrinking(limit: 5000)
        let left = shrinking.shortest(of: script.steps(events: 1500)) { lines in
            lines.contains { if case .device(.key(_, isDown: true)) = $0.act { true } else { false } }
        }
        #expect(left?.count == 2)
    }

    @Test("shrinking finds nothing without a failure and stops at its limit")
    func nothing() {
        var script = MonkeyScript(seed: 2, screen: phone)
        let steps = script.steps(events: 500)
        var shrinking = ScriptShrinking(limit: 100)
        #expect(shrinking.shortest(of: steps) { _ in false } == nil)
        var short = ScriptShrinking(limit: 7)
        let left = short.shortest(of: steps) { $0.count > 3 }
        #expect(short.tries == 7)
        #expect(left?.count ?? 0 > 3)
    }
}

@Suite("Pieces of a script")
struct ScriptPieceTests {
    @Test("script pieces are cut where nothing is held, without losing lines")
    func cut() throws {
        var script = MonkeyScript(seed: 6, screen: phone)
        let lines = script.steps(events: 3000).lines
        let pieces = try ScriptPiece.pieces(of: lines, limit: 20_000)
        #expect(pieces.count > 3)
        var zero = Duration.zero
        var read: [FingerScript.Line] = []
        for piece in pieces {
            #expect(piece.text.utf8.count <= 20_000)
            // No contact is down at the beginning or the end of a piece: the parser would refuse it.
            let part = try FingerScript(parsing: piece.text)
            read += part.lines.map { FingerScript.Line(time: zero + $0.time, act: $0.act, number: 0) }
            zero += piece.length
            #expect(part.duration == piece.length)
        }
        #expect(read.map(\.act) == lines.map(\.act))
        #expect(read.map(\.time) == lines.map(\.time))
    }

    @Test("cutting a script is refused while contacts stay too long")
    func uncut() throws {
        let lines = try FingerScript(parsing: "stroke f1 (10,10) (300,300) @0 60\n").lines
        #expect(throws: GestureError.self) { try ScriptPiece.pieces(of: lines, limit: 1000) }
        let left = try FingerScript(parsing: "tap f1 (1,1) @0\ndown f2 (5,5) @1\n").lines
        #expect(try ScriptPiece.pieces(of: left).map(\.length) == [.seconds(1)])
    }
}
