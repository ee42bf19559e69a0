import Basics
import Faults
import Hosting
import Simulator
import Testing
import Trace
import Wire

@Suite("Faults in the simulated world")
struct WorldFaultTests {

    /// A server, and an app that sends it a frame every 10 ms from 0 to `last`.
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

    @Test("frames of a dead process arrive before its loss is noticed")
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

    @Test("frames sent to a dead process are lost with that cause")
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

    @Test("a client that calls early is served by the next listener")
    func backlog() throws {
        var world = World()
        world.install(Diary(lastTick: 0), as: .app(1))
        world.run(until: Instant(nanoseconds: 5_000_000))
        world.install(Diary(), as: .systemServer)
        world.run(until: Instant(nanoseconds: 6_000_000))
        #expect(diary(world, of: .app(1)) == ["0 started", "5 connected system-server"])
        #expect(diary(world, of: .systemServer) == ["5 started", "5 connected app1", "5 frame 1"])
    }

    /// With a supervisor, the server admits only processes that a roster names.
    private func strangers() -> World {
        var world = World()
        world.install(Diary(), as: .supervisor)
        world.install(Diary(), as: .systemServer)
        world.install(Diary(lastTick: 10), as: .app(1))
        return world
    }

    @Test("a stranger's frames wait until the roster names it")
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
        let empty = Frame(epoch: 1, generation: 1, sequence: 10, message: .roster([]))
        world.schedule(.frame(empty, from: .supervisor), for: .systemServer, at: world.now)
        world.run(until: world.now)
        #expect(diary(world, of: .systemServer).suffix(2) == ["2000 frame 10", "2000 lost app1"])
    }

    @Test("a slow server handles a roster's losses before later frames")
    func slowServerAndRoster() throws {
        var world = strangers()
        let entry = RosterEntry(peer: .app(1), pid: 1003, uid: 1000, generation: 1, isReady: false)
        let roster = Frame(epoch: 1, generation: 1, sequence: 9, message: .roster([entry]))
        world.schedule(.frame(roster, from: .supervisor), for: .systemServer, at: .boot)
        world.run(until: Instant(nanoseconds: 100_000_000))
        let before = diary(world, of: .systemServer).count
        world.schedule(try fault("0ms slow system-server 10 for 1000ms"), since: world.now)
        let empty = Frame(epoch: 1, generation: 1, sequence: 10, message: .roster([]))
        let again = Frame(epoch: 1, generation: 1, sequence: 11, message: .roster([entry]))
        for frame in [empty, again] {
            world.schedule(.frame(frame, from: .supervisor), for: .systemServer, at: world.now)
        }
        world.run(until: Instant(nanoseconds: 2_000_000_000))
        let words = diary(world, of: .systemServer).dropFirst(before).map { $0.split(separator: " ").dropFirst() }
        #expect(words.map { $0.joined(separator: " ") }.prefix(3) == ["frame 10", "lost app1", "frame 11"])
    }

    @Test("a stranger that no roster names within a second is refused")
    func refusedStranger() {
        var world = strangers()
        world.run(until: Instant(nanoseconds: 2_000_000_000))
        #expect(diary(world, of: .systemServer) == ["0 started", "1000 refused", "1000 refused"])
    }

    @Test("a stopped process receives waiting frames before its late timer")
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

    @Test("a process stopped for longer than 304 ms is lost and reconnects")
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

    @Test("a client reconnects to a server that was stopped")
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

    @Test("a link drops frames beyond its capacity for a stopped reader")
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

    @Test("a suspended process jumps in time, and peers notice nothing")
    func suspend() throws {
        var world = pair()
        world.schedule(try fault("15ms suspend app1 1000"), since: .boot)
        world.run(until: Instant(nanoseconds: 1_020_000_000))
        #expect(!diary(world, of: .systemServer).contains { $0.contains("lost") })
        #expect(diary(world, of: .app(1)).suffix(2) == ["10 tick", "1015 tick"])
    }

    @Test("a slow process delays each input and answers at its end")
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

    @Test("a link that loses everything reports each lost frame")
    func loss() throws {
        var world = pair()
        let heard = Heard()
        world.observer = { heard.take($0) }
        world.schedule(try fault("5ms loss app1 1 for 20ms"), since: .boot)
        world.run(until: Instant(nanoseconds: 100_000_000))
        #expect(heard.losses == ["#2 fault", "#3 fault"])
        #expect(diary(world, of: .systemServer).suffix(2) == ["40 frame 5", "50 frame 6"])
    }

    @Test("a clogged link delivers in order afterwards, even to another server")
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

    @Test("malformed packets of a peer are refused one by one")
    func malformed() throws {
        var world = pair(last: 0)
        world.schedule(try fault("5ms malformed app1 3"), since: .boot)
        world.run(until: Instant(nanoseconds: 10_000_000))
        #expect(diary(world, of: .systemServer).suffix(3) == ["5 refused", "5 refused", "5 refused"])
    }

    @Test("malformed packets are bytes, refused with the host decoder's reasons")
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

    @Test("the device-time fault sets devices' time stamps back")
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

    @Test("the wall-time fault changes nothing")
    func wallTime() throws {
        var (set, unset) = (pair(), pair())
        set.schedule(try fault("5ms wall-time app1 3600000"), since: .boot)
        for time in [Int64(20), 100] {
            set.run(until: Instant(nanoseconds: time * 1_000_000))
            unset.run(until: Instant(nanoseconds: time * 1_000_000))
        }
        #expect(set.trace == unset.trace)
    }

    @Test("healing ends lasting faults and removes pending ones")
    func heal() throws {
        var world = pair()
        world.schedule(try fault("5ms loss app1 1 for 1000ms"), since: .boot)
        world.schedule(try fault("6ms stop system-server for 1000ms"), since: .boot)
        world.schedule(try fault("45ms kill app1"), since: .boot)
        world.run(until: Instant(nanoseconds: 25_000_000))
        world.endFaults()
        world.run(until: Instant(nanoseconds: 100_000_000))
        #expect(diary(world, of: .systemServer).suffix(3) == ["30 frame 4", "40 frame 5", "50 frame 6"])
    }
}

/// The losses and refusals that an observer received.
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

/// A core that records its inputs and, as a client, sends the server a frame every 10 ms.
private struct Diary: ProcessCore {
    var lastTick: Int64?
    private var sent = SequenceNumber.zero

    init(lastTick: Int64? = nil) { self.lastTick = lastTick }

    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        func note(_ text: String) { outbox.trace.note(now, .process, "{a:n}", outbox.trace.intern(text)) }
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
