import Basics
import Hosting
import Settings
import Testing
import Wire

@testable import SupervisorCore

/// Each part of the supervisor alone, without the core.
@Suite("SupervisorCore: the child table, the control broker and their values")
struct PartsTests {
    private let person = Peer(.controller, 1)
    private let order = LaunchOrder(
        peer: .supervisor, epoch: 7, generation: 1, runDirectory: "/run/group", settings: [])

    private func table(apps: UInt32 = 1) -> ChildTable {
        ChildTable(settings: Settings(), order: order, apps: apps, uid: 1000)
    }

    private func messages(_ effects: [Effect], to peer: Peer) -> [Message] {
        effects.compactMap { if case .send(let frame, to: peer) = $0 { frame.message } else { nil } }
    }

    private func makeReady(_ table: inout ChildTable, _ peer: Peer, into outbox: inout Outbox) throws {
        let index = try #require(table.index(of: peer))
        table.fire(.nextStart, at: .boot, into: &outbox)
        table.handleStart(of: index, pid: Int32(index) + 100, at: .boot, into: &outbox)
        table.expectReadiness(of: index, at: .boot, into: &outbox)
        table.handleReadiness(of: index, at: .boot, into: &outbox)
    }

    @Test("the child table counts the generations of each child")
    func generations() throws {
        var (table, outbox) = (table(), Outbox())
        for peer in table.peers { try makeReady(&table, peer, into: &outbox) }
        #expect(table.isReady && table.phase == .starting)
        table.settle(at: .boot, into: &outbox)
        #expect(table.phase == .ready)
        let server = try #require(table.index(of: .systemServer))
        let cause = table.handleDeath(of: server, because: "signal 9", by: .signalled(9), at: .boot, into: &outbox)
        #expect(cause == "signal 9")
        table.fire(TimerID(child: server), at: .boot, into: &outbox)
        #expect(table.generation(at: server) == 2 && table.epoch == 8)
        #expect(table.generation(at: 0) == 1)
    }

    @Test("a quarantined server ends the group; a quarantined app does not")
    func fatal() throws {
        var (table, outbox) = (table(), Outbox())
        for peer in table.peers { try makeReady(&table, peer, into: &outbox) }
        for peer in [Peer.app(1), .systemServer] {
            let index = try #require(table.index(of: peer))
            _ = table.handleDeath(of: index, because: "exit 2", by: .exited(2), at: .boot, into: &outbox)
            let reason = table.fatalReason(of: index, at: .boot, into: &outbox)
            #expect((reason != nil) == (peer == .systemServer))
        }
    }

    @Test("the control broker asks a new server without waiting for old answers")
    func broker() throws {
        var (table, outbox) = (table(), Outbox())
        var broker = ControlBroker(table, isChaosAllowed: false)
        broker.connect(person)
        broker.askForDetail(DetailRequest(id: 0), for: person, in: &table, into: &outbox)
        #expect(messages(outbox.effects, to: person) == [.refused("system-server is not running")])
        outbox = Outbox()
        for peer in [Peer.inputKit, .systemServer] { try makeReady(&table, peer, into: &outbox) }
        broker.forgetEarlierProcesses(of: table)
        for from: UInt32 in 1...3 {
            broker.askForDetail(DetailRequest(id: 0, from: from), for: person, in: &table, into: &outbox)
        }
        let asked = messages(outbox.effects, to: .systemServer).filter { $0.kind == .detailRequest }
        #expect(asked == [.detailRequest(DetailRequest(id: 1, from: 1))])
        #expect(broker.replacedQuestions == 1)
        let server = try #require(table.index(of: .systemServer))
        _ = table.handleDeath(of: server, because: "signal 9", by: .signalled(9), at: .boot, into: &outbox)
        table.fire(TimerID(child: server), at: .boot, into: &outbox)
        broker.forgetEarlierProcesses(of: table)
        table.handleStart(of: server, pid: 300, at: .boot, into: &outbox)
        outbox = Outbox()
        broker.askForDetail(DetailRequest(id: 0, from: 9), for: person, in: &table, into: &outbox)
        #expect(
            messages(outbox.effects, to: .systemServer).first == .detailRequest(DetailRequest(id: 1, from: 9)))
    }

    @Test("a play has one number for input-kit and one for its controller")
    func plays() {
        var plays = Plays()
        let order = PlayOrder(id: 9, source: .marker, pace: .max, wantsLedgers: true)
        #expect(plays.numbered(order).id == 1 && plays.refusal(of: order) == nil)
        plays.begin(order, for: person)
        #expect(plays.refusal(of: order) == "another measurement is under way")
        #expect(plays.measuring == person)
        let ended = plays.finish(PlayReport(id: 1))
        #expect(ended?.report.id == 9 && ended?.controller == person)
        let again = plays.finish(PlayReport(id: 1))
        #expect(again == nil && plays.numbered(order).id == 2)
        plays.begin(order, for: person)
        let (forgotten, failed) = (plays.forget(person), plays.fail(because: ""))
        #expect(forgotten == [2] && failed.isEmpty)
    }

    @Test("a controller that asks during a round is answered by the next")
    func gathering() {
        var gathering = Gathering()
        let other = Peer(.controller, 2)
        var isDone = [gathering.add(person), gathering.open(among: 2, listening: [.inputKit, .app(1)])]
        isDone += [gathering.add(other), gathering.add(other)]
        #expect(isDone == [true, true, true, true])
        let isOpenedTwice = gathering.open(among: 2, listening: [])
        #expect(!isOpenedTwice)
        gathering.add(Report(peer: .app(7)), from: .inputKit)
        gathering.stopAwaiting(.app(1))
        #expect(gathering.isComplete)
        let round = gathering.close()
        let answers = round?.answers(from: [.inputKit, .app(1)])
        #expect(round?.askers == [person] && answers?.map(\.peer) == [.inputKit, .app(1)])
        #expect(answers?.last?["responding"] == .flag(false))
        let isOpenedNext = gathering.open(among: 2, listening: [.inputKit])
        let askers = gathering.end()
        #expect(isOpenedNext && askers == [other, other])
    }

    @Test("a request queue sends the last question once there is room")
    func requestQueue() {
        var queue = RequestQueue(generation: 1)
        for _ in 0..<RequestQueue.controllerLimit { queue.append(for: 1) }
        let admissions = [
            queue.add(.act(.home), about: .detail, for: 1, takesNew: true),
            queue.add(.act(.lock), about: .detail, for: 1, takesNew: false),
            queue.add(.act(.lock), about: .facts(of: .inputKit), for: 1, takesNew: false),
        ]
        #expect(admissions == [.added, .replacedAnother, nil])
        let early = [queue.removeNext(for: 1), queue.removeNext(for: 2)]
        #expect(early == [nil, nil] && queue.hasWaitingQuestion && queue.wantsReport(isUrgent: true))
        let isReported = [queue.appendReportRequest(), queue.noteReport()]
        let next = queue.removeNext(for: 1)
        #expect(isReported == [true, true] && next == .act(.lock))
        let isWaiting = queue.noteAnswer(about: .detail, for: 1)
        #expect(!isWaiting && queue.questionCount(of: 1) == 0)
    }

    @Test("an abort and an expired lease do not count against the server")
    func deaths() {
        let process = ChildProcess(generation: 1, epoch: 1, spawnedAt: .boot, wasReady: true)
        let now = Instant.boot.advanced(by: .seconds(100))
        var record = DeathRecord(policy: RestartPolicy(Settings()))
        func verdict(_ status: Hosting.ExitStatus, lease: Duration?, isWanted: Bool = false) -> ChildMachine.Verdict {
            record.add("\(status)", status: status, of: process, isWanted: isWanted, lease: lease, at: now)
        }
        for _ in 0..<20 {
            #expect(verdict(.signalled(6), lease: .seconds(1)) == .restart)
            #expect(verdict(.exited(75), lease: .seconds(1)) == .restart)
            #expect(verdict(.signalled(9), lease: nil, isWanted: true) == .restart)
        }
        for _ in 0..<5 { #expect(verdict(.signalled(6), lease: nil) == .restart) }
        #expect(verdict(.signalled(6), lease: nil) == .quarantine(reason: "died after 5 restarts in 10 s"))
        #expect(verdict(.exited(2), lease: nil) == .quarantine(reason: "cannot use what it was given"))
        record.killReason = "too slow"
        _ = verdict(.signalled(9), lease: nil)
        #expect(record.lastExit == "signal 9: too slow" && record.killReason == nil)
    }
}
