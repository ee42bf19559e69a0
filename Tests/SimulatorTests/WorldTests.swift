import Basics
import Hosting
import Simulator
import Testing
import Trace
import Wire

@Suite("The simulated world")
struct WorldTests {

    @Test("inputs that arrived by a time precede that time's timers")
    func arrivalsFirst() {
        var world = World()
        world.install(Diary(), as: .inputKit)
        world.schedule(.frame(tick(), from: .supervisor), for: .inputKit, at: Instant(nanoseconds: 5_000_000))
        world.run(until: Instant(nanoseconds: 10_000_000))
        #expect(world.trace.map(\.text) == ["started", "frame", "timer"])
    }

    @Test("arming a timer again moves it, and disarming it stops it")
    func timers() {
        var world = World()
        world.install(Diary(rearmAt: 7), as: .inputKit)
        world.run(until: Instant(nanoseconds: 20_000_000))
        #expect(world.trace.map { "\($0.at.nanoseconds / 1_000_000) \($0.text)" } == ["0 started", "7 timer"])
    }

    @Test("inputs come by time, and those of one moment in the order scheduled")
    func order() {
        var world = World()
        // The timer is armed long before the inputs of its moment are scheduled, and comes after them.
        world.install(Diary(rearmAt: 100), as: .inputKit)
        var chance = SeededGenerator(seed: 1)
        var expected: [(at: Int64, text: String)] = []
        for number in 0..<600 {
            if number % 10 == 0 { world.run(until: world.now.advanced(by: .milliseconds(1))) }
            // Soon or late, and often at a moment that has an input already.
            let now = world.now.nanoseconds / 1_000_000
            let at = min(100, now + Int64(chance.next() % (chance.next() % 2 == 0 ? 4 : 80)))
            expected.append((at, "\(number)"))
            world.schedule(
                .fileFailed(FileID(1), reason: "\(number)"), for: .inputKit, at: Instant(nanoseconds: at * 1_000_000))
        }
        world.run(until: Instant(nanoseconds: 200_000_000))
        let sorted = expected.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        #expect(world.trace.map(\.text) == ["started"] + sorted.map(\.element.text) + ["timer"])
    }

    @Test("both ends learn of a link, and the survivor its end")
    func links() {
        var world = World()
        world.install(Diary(), as: .systemServer)
        world.install(Diary(greets: true), as: .app(1))
        world.run(until: Instant(nanoseconds: 1))
        world.crash(.app(1))
        world.run(until: Instant(nanoseconds: 2))
        #expect(
            world.trace.map { "\($0.process): \($0.text)" } == [
                "system-server: started", "app1: started", "app1: connected system-server",
                "system-server: connected app1", "system-server: frame", "system-server: lost app1",
            ])
    }

    @Test("inputs scheduled for a crashed process do not reach its successor")
    func death() {
        var world = World()
        world.install(Diary(), as: .inputKit)
        world.schedule(.frame(tick(), from: .supervisor), for: .inputKit, at: Instant(nanoseconds: 3))
        world.crash(.inputKit)
        world.install(Diary(), as: .inputKit)
        world.run(until: Instant(nanoseconds: 10))
        #expect(world.trace.map(\.text) == ["started"])
    }

    @Test("a file is read in pieces, and a missing one fails")
    func files() {
        var world = World()
        world.files["/a"] = [1, 2, 3]
        world.install(Diary(reads: "/a"), as: .inputKit)
        world.run(until: Instant(nanoseconds: 1))
        #expect(world.trace.map(\.text) == ["started", "2 bytes", "1 bytes", "0 bytes"])
        var empty = World()
        empty.install(Diary(reads: "/b"), as: .inputKit)
        empty.run(until: Instant(nanoseconds: 1))
        #expect(empty.trace.map(\.text) == ["started", "/b: No such file or directory"])
    }
}

private func tick() -> Frame { Frame(epoch: 0, generation: 0, sequence: 1, message: .reportRequest) }

/// A core that records its inputs.
private struct Diary: ProcessCore {
    var rearmAt: Int64?
    var greets = false
    var reads: String?

    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        func note(_ text: String) { outbox.trace.note(now, .process, "{a:n}", outbox.trace.intern(text)) }
        switch input {
        case .started:
            note("started")
            outbox.append(.arm(TimerID(1), at: Instant(nanoseconds: 5_000_000)))
            if let rearmAt {
                outbox.append(.arm(TimerID(1), at: Instant(nanoseconds: rearmAt * 1_000_000)))
                outbox.append(.arm(TimerID(2), at: Instant(nanoseconds: 1)))
                outbox.append(.disarm(TimerID(2)))
            }
            if let reads {
                outbox.append(.open(FileID(1), path: reads))
                outbox.append(.read(FileID(1), limit: 2))
            }
        case .connected(let peer):
            note("connected \(peer)")
            if greets { outbox.append(.send(tick(), to: peer)) }
        case .frame: note("frame")
        case .peerLost(let peer): note("lost \(peer)")
        case .timerFired: note("timer")
        case .fileBytes(let id, let bytes):
            note("\(bytes.count) bytes")
            if !bytes.isEmpty { outbox.append(.read(id, limit: 2)) }
        case .fileFailed(_, let reason): note(reason)
        default: break
        }
    }
}
