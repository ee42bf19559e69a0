import Basics
import Faults
import Foundation
import Testbed
import Testing
import Wire

@Suite("Faults")
struct FaultsTests {

    @Test("a fault's line parses back to the same fault", arguments: FaultKind.allCases)
    func roundTrip(word: FaultKind) throws {
        var chance = SeededGenerator(seed: 7)
        for target in [Peer.app(3), .inputKit, .systemServer, .supervisor] {
            for _ in 0..<50 {
                let range = word.amount.range
                let share = Double(chance.next() % 1001) / 1000
                let fault = Fault(
                    at: .nanoseconds(Int64(chance.next() % 100_000_000_000)), word, target,
                    amount: range.lowerBound + (range.upperBound - range.lowerBound) * share,
                    for: word.hasLength ? .microseconds(Int64(chance.next() % 1_000_000)) : .zero)
                #expect(try Fault(parsing: "\(fault)") == fault, "\(fault)")
            }
        }
    }

    @Test("Docs/Reference/Faults.md has a row for each fault word")
    func document() throws {
        let path = "Docs/Reference/Faults.md"
        let heading = "## Fault words"
        let written = try WrittenCells(of: path)
        let rows = FaultKind.allCases.map { word in
            let name = "`\(word.rawValue)`"
            let cells = ["effect", "in a running group"].map { written.cell($0, of: name, below: heading) }
            let amount = word.amount == .nothing ? "" : word.amount.expectation
            return [name, amount, word.hasLength ? "yes" : word.mayHaveLength ? "if given" : ""] + cells
        }
        let table = markdownTable(["word", "amount", "lasts", "effect", "in a running group"], rows)
        try expectSection(heading, of: path, equals: Self.introduction + "\n\n" + table + "\n\n" + Self.end)
    }

    private static let introduction = """
        A fault is one line, in simulated runs ([Simulation](../Internals/Simulation.md)) and for a running group
        ([Chaos](../Internals/Chaos.md#fault-lines-to-running-processes)): `<when>ms <word> <target> [<amount>] [for <long>ms]`. The target is a
        process: `input-kit`, `system-server`, `supervisor` or `app1`. An example is `1500ms loss input-kit 0.05 for 4000ms`.
        """
    private static let end =
        "A [profile](../Internals/Simulation.md#fault-profiles) in `Config/Faults` says how often a simulated run draws each word."

    @Test("faults print as in the header of Fault.swift")
    func written() {
        #expect("\(Fault(at: .milliseconds(1200), .kill, .app(1)))" == "1200ms kill app1")
        #expect(
            "\(Fault(at: .milliseconds(1500), .stop, .systemServer, for: .milliseconds(300)))"
                == "1500ms stop system-server for 300ms")
        #expect(
            "\(Fault(at: .zero, .loss, .inputKit, amount: 0.05, for: .seconds(60)))"
                == "0ms loss input-kit 0.05 for 60000ms")
        #expect("\(Fault(at: .microseconds(250), .malformed, .app(2), amount: 3))" == "0.25ms malformed app2 3")
    }

    @Test("malformed packets come at once or spread over a time")
    func spread() throws {
        #expect(try Fault(parsing: "0ms malformed app2 3") == Fault(at: .zero, .malformed, .app(2), amount: 3))
        let line = "0ms malformed app3 100000 for 5000ms"
        let fault = Fault(at: .zero, .malformed, .app(3), amount: 100_000, for: .seconds(5))
        #expect(try Fault(parsing: line) == fault)
        #expect("\(fault)" == line)
    }

    @Test(
        "an invalid fault line is refused by its first wrong word",
        arguments: [
            ("", "expected when, as 1500ms, found nothing"),
            ("soon kill app1", "expected when, as 1500ms, found \"soon\""),
            ("1.1234567ms kill app1", "expected when, as 1500ms, found \"1.1234567ms\""),
            ("5ms kil app1", "expected a fault word, found \"kil\", did you mean kill?"),
            ("5ms kill", "expected a process such as input-kit or app1, found nothing"),
            ("5ms kill appl", "expected a process such as input-kit or app1, found \"appl\""),
            ("5ms kill app1 now", "expected the line's end, found \"now\""),
            ("5ms loss app1 1.5 for 5ms", "expected loss: a share of frames from 0 to 1, found \"1.5\""),
            ("5ms loss app1 nan for 5ms", "expected loss: a share of frames from 0 to 1, found \"nan\""),
            ("5ms stop app1", "expected stop … for <time>, found nothing"),
            ("5ms stop app1 for ever", "expected how long, as 300ms, found \"ever\""),
            ("99999999999999999999ms kill app1", "expected when, as 1500ms, found \"99999999999999999999ms\""),
        ])
    func refusals(line: String, complaint: String) {
        #expect(performing: { try Fault(parsing: line) }, throws: { "\($0)" == complaint })
    }

    @Test("a fault plan is sorted and names its wrong line")
    func plans() throws {
        let text = "# a storm\n20ms kill app1\n\n10ms clog app2 for 5ms # first\n"
        #expect(try FaultPlan(parsing: text).lines == ["10ms clog app2 for 5ms", "20ms kill app1"])
        #expect(
            performing: { try FaultPlan(parsing: "1ms kill app1\n2ms kill") },
            throws: { "\($0)" == "2: expected a process such as input-kit or app1, found nothing" })
    }
}

@Suite("A faulty link")
struct FaultyLinkTests {

    private func passages(_ faults: LinkFaults, seed: UInt64 = 1, count: Int = 20_000) -> [FaultyLink.Passage] {
        var link = FaultyLink(seed: seed)
        link.faults = faults
        return (0..<count).map { link.passage(at: Instant(nanoseconds: Int64($0) * 1_000_000)) }
    }

    @Test("a faulty link loses, duplicates and reorders at its rates")
    func rates() {
        var faults = LinkFaults()
        (faults.loss, faults.duplicate, faults.reorder) = (0.05, 0.1, 0.2)
        var (lost, doubled, late) = (0, 0, 0)
        for passage in passages(faults) {
            switch passage {
            case .lost: lost += 1
            case .once(let delay): late += delay > .zero ? 1 : 0
            case .twice(let first, _):
                doubled += 1
                late += first > .zero ? 1 : 0
            }
        }
        #expect((900...1100).contains(lost))
        #expect((1750...2050).contains(doubled))
        #expect((3600...4000).contains(late))
    }

    @Test("a link without faults passes every frame at once")
    func sound() {
        #expect(passages(LinkFaults(), count: 100).allSatisfy { $0 == .once(.zero) })
    }

    @Test("a clogged link delivers after its time and in order")
    func clogged() {
        var link = FaultyLink(seed: 3)
        link.faults.clogged = Instant(nanoseconds: 10_000_000)
        var last = Instant.boot
        for moment in stride(from: Int64(0), to: 20_000_000, by: 1_000_000) {
            let now = Instant(nanoseconds: moment)
            guard case .once(let delay) = link.passage(at: now) else {
                Issue.record("neither loses nor doubles")
                return
            }
            let leaves = now.advanced(by: delay)
            #expect(leaves >= last && leaves >= Instant(nanoseconds: 10_000_000))
            last = leaves
        }
    }

    @Test("a link whose delay ends lets no frame overtake")
    func delayEnds() {
        var link = FaultyLink(seed: 3)
        link.faults.delay = .milliseconds(50)
        #expect(link.passage(at: .boot) == .once(.milliseconds(50)))
        link.faults.delay = .zero
        #expect(link.passage(at: Instant(nanoseconds: 10_000_000)) == .once(.milliseconds(40)))
    }

    @Test("a faulty link repeats its behavior for the same seed")
    func seeds() {
        var faults = LinkFaults()
        (faults.loss, faults.duplicate, faults.reorder) = (0.3, 0.3, 0.3)
        #expect(passages(faults, seed: 5) == passages(faults, seed: 5))
        #expect(passages(faults, seed: 5) != passages(faults, seed: 6))
    }
}

@Suite("Fault profiles")
struct FaultProfileTests {

    private let profile = FaultProfile([
        FaultRule(.kill, chance: 0.5, targets: [.apps, .peer(.systemServer)], every: 0.5...2),
        FaultRule(.loss, chance: 0.5, targets: [.peer(.inputKit)], every: 1...2, amount: 0.01...0.2, length: 0.1...5),
        FaultRule(.slow, chance: 0.5, targets: [.apps], amount: 1...20),
    ])

    @Test("a fault profile draws the same readable plan per seed")
    func seeds() throws {
        for seed in UInt64(1)...50 {
            let plan = profile.plan(seed: seed, length: .seconds(10), apps: 3)
            #expect(plan == profile.plan(seed: seed, length: .seconds(10), apps: 3))
            #expect(try FaultPlan(parsing: plan.lines.joined(separator: "\n")) == plan)
        }
    }

    @Test("a fault plan stays within its time, targets and amounts")
    func bounds() {
        for seed in UInt64(1)...200 {
            for fault in profile.plan(seed: seed, length: .seconds(10), apps: 3).faults {
                #expect(fault.at >= .zero && fault.at < .seconds(10))
                #expect(fault.at + fault.length <= .seconds(10))
                switch fault.kind {
                case .kill: #expect([Peer.app(1), .app(2), .app(3), .systemServer].contains(fault.target))
                case .loss:
                    #expect(fault.target == .inputKit && (0.01...0.2).contains(fault.amount))
                    #expect(fault.length <= .seconds(5))
                case .slow: #expect(fault.target.role == .app && (1...20).contains(fault.amount))
                default: Issue.record("\(fault)")
                }
            }
        }
    }

    @Test("a fault profile draws every subset of its words")
    func swarm() {
        var sets: Set<Set<FaultKind>> = []
        for seed in UInt64(1)...200 {
            sets.insert(Set(profile.plan(seed: seed, length: .seconds(10), apps: 1).faults.map(\.kind)))
        }
        #expect(sets.count == 8)
    }

    @Test("a crowded fault profile has each word in more seeds")
    func crowded() {
        func faulty(_ times: Double) -> Int {
            (UInt64(1)...200).count { seed in
                profile.withChances(multipliedBy: times).plan(seed: seed, length: .seconds(10), apps: 1).faults.contains
                {
                    $0.kind == .kill
                }
            }
        }
        #expect(faulty(1) < faulty(2) && faulty(2) < 200)
    }

    @Test("a focused fault profile hits only the focus where possible")
    func focused() {
        for seed in UInt64(1)...100 {
            for fault in profile.focused(on: .apps).plan(seed: seed, length: .seconds(10), apps: 3).faults {
                #expect(fault.kind == .loss ? fault.target == .inputKit : fault.target.role == .app)
            }
        }
    }
}
