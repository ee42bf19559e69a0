import Basics
import Faults
import Hosting
import Simulator
import Testing
import Trace
import Wire

@Suite("Faults in the simulated world")
struct WorldFaultTests {

    /// A server, and an app that says something to it every 10 ms from 0 to `last`.
    private func pair(_ links: LinkModel = LinkModel(), last: Int64 = 50, greets: Bool = true) -> World {
        var world = World()
        world.links = links
        world.install(Diary(), as: .systemServer)
        world.install(Diary(lastTick: last), as: .app(1))
        return world
    }

    private func diary(_ world: World, of peer: Peer) -> [String] {
        world.trace.filter { $0.process == "\(peer)" }.map { "\($0.at.nanoseconds / 1_000_000) \($0.text)" }
    }

    private func fault(_ line: String) throws -> Fault { try Fault(parsing: line) }

    @Test("what the dead have said arrives, and only then, and late, is their end noticed")
    func lateNotice() throws {
        var links = LinkModel()
        (links.data, links.notice) = (.constant(.milliseconds(3)), .constant(.milliseconds(7)))
        var world = pair(links)
        world.schedule(try fault("21ms kill app1"), since: .boot)
        world.run(until: Instant(nanoseconds: 100_000_000))
        #expect(
            diary(world, of: .systemServer) == [
                "0 started", "3 connected app1", "3 frame 1", "13 frame 2", "23 frame 3", "28 lost app1",
            ])
    }

    @Test("what is sent to the dead succeeds, and vanishes; whoever watches hears why")
    func sendsToTheDead() throws {
        var links = LinkModel()
        links.notice = .constant(.milliseconds(25))
        var world = pair(links)
        let heard = Heard()
        world.observer = { heard.take($0) }
        world.schedule(try fault("15ms kill system-server"), since: .boot)
        world.run(until: Instant(nanoseconds: 100_000_000))
        #expect(heard.losses == ["#3 receiverGone", "#4 receiverGone", "#5 receiverGone", "#6 receiverGone"])
        #expect(
            diary(world, of: .app(1)).suffix(5) == [
                "20 tick", "30 tick", "40 lost system-server", "40 tick", "50 tick",
            ])
    }

    @Test("clients that call while nobody listens are served by whoever listens next")
    func backlog() throws {
        var world = World()
        world.install(Diary(lastTick: 0), as: .app(1))
        world.run(until: Instant(nanoseconds: 5_000_000))
        world.install(Diary(), as: .systemServer)
        world.run(until: Instant(nanoseconds: 6_000_000))
        #expect(diary(world, of: .app(1)) == ["0 started", "5 connected system-server"])
        #expect(diary(world, of: .systemServer) == ["5 started", "5 connected app1", "5 frame 1"])
    }

    /// With a supervisor nobody is let in before it has said who they are.
    private func strangers() -> World {
        var world = World()
        world.install(Diary(), as: .supervisor)
        world.install(Diary(), as: .systemServer)
        world.install(Diary(lastTick: 10), as: .app(1))
        return world
    }

    @Test("what a stranger says is kept until the roster names it")
    func antechamber() throws {
        var world = strangers()
        world.run(until: Instant(nanoseconds: 20_000_000))
        #expect(diary(world, of: .systemServer) == ["0 started"])
        let entry = RosterEntry(peer: .app(1), pid: 1003, uid: 1000, generation: 1, isReady: false)
        let roster = Frame(epoch: 1, generation: 1, sequence: 9, message: .roster([entry]))
        world.schedule(.frame(roster, from: .supervisor), for: .systemServer, at: world.now)
        world.run(until: Instant(nanoseconds: 2_000_000_000))
        #expect(
            diary(world, of: .systemServer) == [
                "0 started", "20 frame 9", "20 connected app1", "20 frame 1", "20 frame 2",
            ])
        let nobody = Frame(epoch: 1, generation: 1, sequence: 10, message: .roster([]))
        world.schedule(.frame(nobody, from: .supervisor), for: .systemServer, at: world.now)
        world.run(until: world.now)
        #expect(diary(world, of: .systemServer).suffix(2) == ["2000 frame 10", "2000 lost app1"])
    }

    @Test("a server that is slow hears of a roster's losses before what was sent to it in the meantime")
    func slowServerAndRoster() throws {
        var world = strangers()
        let entry = RosterEntry(peer: .app(1), pid: 1003, uid: 1000, generation: 1, isReady: false)
        let roster = Frame(epoch: 1, generation: 1, sequence: 9, message: .roster([entry]))
        world.schedule(.frame(roster, from: .supervisor), for: .systemServer, at: .boot)
        world.run(until: Instant(nanoseconds: 100_000_000))
        let before = diary(world, of: .systemServer).count
        world.schedule(try fault("0ms slow system-server 10 for 1000ms"), since: world.now)
        let nobody = Frame(epoch: 1, generation: 1, sequence: 10, message: .roster([]))
        let again = Frame(epoch: 1, generation: 1, sequence: 11, message: .roster([entry]))
        for frame in [nobody, again] {
            world.schedule(.frame(frame, from: .supervisor), for: .systemServer, at: world.now)
        }
        world.run(until: Instant(nanoseconds: 2_000_000_000))
        let words = diary(world, of: .systemServer).dropFirst(before).map { $0.split(separator: " ").dropFirst() }
        #expect(words.map { $0.joined(separator: " ") }.prefix(3) == ["frame 10", "lost app1", "frame 11"])
    }

    @Test("a stranger whom no roster names in a second is refused")
    func refusedStranger() {
        var world = strangers()
        world.run(until: Instant(nanoseconds: 2_000_000_000))
        #expect(diary(world, of: .systemServer) == ["0 started", "1000 refused", "1000 refused"])
    }

    @Test("what a stopped process was sent comes at once when it goes on, its late timer after it")
    func shortStop() throws {
        var world = pair()
        world.schedule(try fault("5ms stop system-server for 30ms"), since: .boot)
        world.run(until: Instant(nanoseconds: 44_000_000))
        #expect(
            diary(world, of: .systemServer) == [
                "0 started", "0 connected app1", "0 frame 1", "35 frame 2", "35 frame 3", "35 frame 4", "40 frame 5",
            ])
        #expect(!diary(world, of: .app(1)).contains { $0.contains("lost") })
    }

    @Test("a process stopped for longer is lost to its peers after 304 ms, and finds that behind what it was sent")
    func longStop() throws {
        var world = pair(last: 20)
        world.schedule(try fault("5ms stop app1 for 1000ms"), since: .boot)
        world.run(until: Instant(nanoseconds: 2_000_000_000))
        #expect(
            diary(world, of: .systemServer) == [
                "0 started", "0 connected app1", "0 frame 1", "309 lost app1", "1005 connected app1", "1005 frame 3",
            ])
        #expect(
            diary(world, of: .app(1)) == [
                "0 started", "0 connected system-server", "1005 lost system-server", "1005 tick",
                "1005 connected system-server",
            ])
    }

    @Test("a server that stood still is called again when it goes on")
    func stoppedServer() throws {
        var world = pair(last: 0)
        world.schedule(try fault("5ms stop system-server for 1000ms"), since: .boot)
        world.run(until: Instant(nanoseconds: 2_000_000_000))
        #expect(
            diary(world, of: .app(1)) == [
                "0 started", "0 connected system-server", "309 lost system-server", "1005 connected system-server",
            ])
        #expect(
            diary(world, of: .systemServer) == [
                "0 started", "0 connected app1", "0 frame 1", "1005 lost app1", "1005 connected app1", "1005 frame 2",
            ])
    }

    @Test("a link holds so many frames for whoever does not read, and no more")
    func capacity() throws {
        var links = LinkModel()
        (links.heartbeat, links.capacity) = (.seconds(3600), 3)
        var world = pair(links, last: 100)
        let heard = Heard()
        world.observer = { heard.take($0) }
        world.schedule(try fault("5ms stop system-server for 60ms"), since: .boot)
        world.run(until: Instant(nanoseconds: 66_000_000))
        #expect(heard.losses == ["#5 full", "#6 full", "#7 full"])
    }

    @Test("a suspended process moves in time without its peers' noticing")
    func suspend() throws {
        var world = pair()
        world.schedule(try fault("15ms suspend app1 1000"), since: .boot)
        world.run(until: Instant(nanoseconds: 1_020_000_000))
        #expect(!diary(world, of: .systemServer).contains { $0.contains("lost") })
        #expect(diary(world, of: .app(1)).suffix(2) == ["10 tick", "1015 tick"])
    }

    @Test("a slow process takes its time over each input, and answers at its end")
    func slow() throws {
        var world = pair()
        world.schedule(try fault("5ms slow system-server 15 for 1000ms"), since: .boot)
        world.run(until: Instant(nanoseconds: 200_000_000))
        #expect(
            diary(world, of: .systemServer) == [
                "0 started", "0 connected app1", "0 frame 1", "10 frame 2", "25 frame 3", "40 frame 4", "55 frame 5",
                "70 frame 6",
            ])
    }

    @Test("a link that loses everything lets nothing pass, and says so")
    func loss() throws {
        var world = pair()
        let heard = Heard()
        world.observer = { heard.take($0) }
        world.schedule(try fault("5ms loss app1 1 for 20ms"), since: .boot)
        world.run(until: Instant(nanoseconds: 100_000_000))
        #expect(heard.losses == ["#2 fault", "#3 fault"])
        #expect(diary(world, of: .systemServer).suffix(2) == ["40 frame 5", "50 frame 6"])
    }

    @Test("what a clogged link holds back comes in order when it is free, even to the next server")
    func clog() throws {
        var world = pair()
        world.schedule(try fault("5ms clog app1 for 30ms"), since: .boot)
        world.schedule(try fault("12ms kill system-server"), since: .boot)
        world.run(until: Instant(nanoseconds: 20_000_000))
        world.install(Diary(), as: .systemServer)
        world.run(until: Instant(nanoseconds: 42_000_000))
        #expect(
            diary(world, of: .systemServer).suffix(7) == [
                "20 started", "35 connected app1", "35 frame 2", "35 frame 3", "35 frame 4", "35 frame 5",
                "40 frame 6",
            ])
    }

    @Test("a peer that babbles is refused, packet by packet")
    func malformed() throws {
        var world = pair(last: 0)
        world.schedule(try fault("5ms malformed app1 3"), since: .boot)
        world.run(until: Instant(nanoseconds: 10_000_000))
        #expect(diary(world, of: .systemServer).suffix(3) == ["5 refused", "5 refused", "5 refused"])
    }

    @Test("what it babbles is bytes, and the decoder that a host uses says what is wrong with them")
    func babble() throws {
        var world = pair(last: 0)
        let heard = Heard()
        world.observer = { heard.take($0) }
        world.schedule(try fault("5ms malformed app1 300"), since: .boot)
        world.run(until: Instant(nanoseconds: 10_000_000))
        #expect(heard.refusals.count == 300)
        func has(_ isOne: (Refusal) -> Bool) -> Bool { heard.refusals.contains(where: isOne) }
        #expect(has { if case .malformed(.app(1), .truncated) = $0 { true } else { false } })
        #expect(has { if case .malformed(.app(1), .notAFrame) = $0 { true } else { false } })
        #expect(has { if case .forbidden(.app(1), _) = $0 { true } else { false } })
        #expect(Set(heard.refusals).count > 20)
    }

    @Test("devices' stamps go back by what they are told")
    func deviceTime() throws {
        var world = World()
        world.install(Diary(), as: .inputKit)
        world.schedule(try fault("0ms device-time input-kit 1500"), since: .boot)
        world.run(until: .boot)
        var bytes = [UInt8](repeating: 0, count: 24)
        (bytes[0], bytes[8]) = (10, 7)
        world.schedule(.device(.bytes(DeviceID(1), bytes)), for: .inputKit, at: .boot)
        world.run(until: .boot)
        #expect(diary(world, of: .inputKit).last == "0 8 s 500007 µs")
    }

    @Test("whoever sets the wall clock changes nothing")
    func wallTime() throws {
        var (set, unset) = (pair(), pair())
        set.schedule(try fault("5ms wall-time app1 3600000"), since: .boot)
        for time in [Int64(20), 100] {
            set.run(until: Instant(nanoseconds: time * 1_000_000))
            unset.run(until: Instant(nanoseconds: time * 1_000_000))
        }
        #expect(set.trace == unset.trace)
    }

    @Test("when all is healed nothing that lasted lasts, and nothing that was to come comes")
    func heal() throws {
        var world = pair()
        world.schedule(try fault("5ms loss app1 1 for 1000ms"), since: .boot)
        world.schedule(try fault("6ms stop system-server for 1000ms"), since: .boot)
        world.schedule(try fault("45ms kill app1"), since: .boot)
        world.run(until: Instant(nanoseconds: 25_000_000))
        world.heal()
        world.run(until: Instant(nanoseconds: 100_000_000))
        #expect(diary(world, of: .systemServer).suffix(3) == ["30 frame 4", "40 frame 5", "50 frame 6"])
    }
}

/// What an observer was told of losses.
private final class Heard {
    var losses: [String] = []
    var refusals: [Refusal] = []
    func take(_ occurrence: Occurrence) {
        if case .step(let step) = occurrence, case .refused(let refusal) = step.input { refusals.append(refusal) }
        if case .lost(let sequence, kind: _, from: _, to: _, at: _, let cause) = occurrence {
            losses.append("#\(sequence) \(cause)")
        }
    }
}

/// Writes down what happens to it, and as a client says something to the server every 10 ms.
private struct Diary: ProcessCore {
    var lastTick: Int64?
    private var sent = SequenceNumber.zero

    init(lastTick: Int64? = nil) { self.lastTick = lastTick }

    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        func note(_ text: String) { outbox.trace.note(now, .process, "{a:n}", outbox.trace.name(text)) }
        switch input {
        case .started: note("started")
        case .connected(let peer):
            note("connected \(peer)")
            if peer == .systemServer { speak(at: now, into: &outbox) }
        case .frame(let frame, from: _): note("frame \(frame.sequence)")
        case .peerLost(let peer): note("lost \(peer)")
        case .refused: note("refused")
        case .timerFired:
            note("tick")
            speak(at: now, into: &outbox)
        case .device(.bytes(_, let bytes)):
            func number(_ from: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[from + $1]) << (8 * $1) } }
            note("\(number(0)) s \(number(8)) µs")
        default: break
        }
    }

    private mutating func speak(at now: Instant, into outbox: inout Outbox) {
        guard let lastTick else { return }
        sent = sent.next
        let frame = Frame(epoch: 1, generation: 1, sequence: sent, message: .hello)
        outbox.append(.send(frame, to: .systemServer))
        let next = now.advanced(by: .milliseconds(10))
        if next.nanoseconds <= lastTick * 1_000_000 { outbox.append(.arm(TimerID(1), at: next)) }
    }
}
