import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

@testable import InputKitCore

@Suite("The link from input-kit to the server")
struct LinkTests {
    @Test("input-kit sends ready once, after the server's hello")
    func ready() throws {
        var bench = try Bench()
        #expect(!bench.otherMessages.contains(.ready))
        bench.deliver(.connected(.systemServer))
        #expect(bench.otherMessages == [.hello])
        bench.hello()
        #expect(bench.otherMessages == [.hello, .ready])
        bench.deliver(.peerLost(.systemServer))
        bench.deliver(.connected(.systemServer))
        bench.hello(epoch: 10, generation: 5)
        #expect(bench.otherMessages == [.hello, .ready, .hello])
    }

    @Test("input-kit repeats its hello until the server answers")
    func greeting() throws {
        var bench = try Bench()
        bench.deliver(.connected(.systemServer))
        bench.run(until: .ms(250))
        #expect(bench.otherMessages == [.hello, .hello, .hello])
        bench.hello()
        bench.run(until: .ms(1000))
        #expect(bench.otherMessages == [.hello, .hello, .hello, .ready])
    }

    @Test("frames carry the server's epoch, input-kit's generation and consecutive numbers")
    func numbers() throws {
        var bench = try Bench.open()
        bench.play(.script("tap f1 (10,20) @0"))
        bench.run()
        #expect(bench.sent.map(\.frame.sequence) == [2, 3])
        #expect(bench.sent.map(\.frame.epoch) == [9, 9])
        #expect(bench.sent.map(\.frame.generation) == [2, 2])
        #expect(bench.sent.map(\.frame.ack) == [1, 2])
    }

    @Test("frames of an older server do not change a play")
    func fencing() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = nil
        bench.play(.script("down f1 (10,20) @0"))
        var old = LinkNumbers(epoch: 8, generation: 3)
        bench.deliver(.frame(old.frame(.handled(Receipt(frame: 2, outcome: .delivered))), from: .systemServer))
        bench.deliverFromSupervisor(
            .roster([RosterEntry(peer: .systemServer, pid: 1, uid: 0, generation: 4, isReady: true)]))
        bench.deliver(.frame(old.frame(.hello), from: .systemServer))
        #expect(bench.reports == [])
        #expect(bench.report()?["frames.fenced"] == .number(2))
        #expect(bench.report()?["play.unanswered"] == .number(1))
    }

    @Test("losing the server ends the play and its fingers")
    func lost() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (10,20) @0\nup f1 @1"))
        bench.run(until: .ms(500))
        bench.deliver(.peerLost(.systemServer))
        #expect(bench.reports.map(\.failure) == ["system-server lost"])
        bench.run()
        #expect(bench.sent.count == 1)
        bench.play(.script("tap f1 (1,1) @0"), id: 2)
        #expect(bench.reports.last?.failure == "system-server is not connected")
        bench.deliver(.connected(.systemServer))
        bench.hello(epoch: 10, generation: 5)
        bench.play(.script("tap f1 (1,1) @0"), id: 3)
        bench.run()
        #expect(bench.reports.last?.failure == "")
        #expect(bench.sent.dropFirst().map(\.frame.epoch) == [10, 10])
    }

    @Test("a second connection without a loss counts as a lost link")
    func reconnected() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (10,20) @0\nup f1 @1"))
        bench.run(until: .ms(500))
        bench.deliver(.connected(.systemServer))
        #expect(bench.reports.map(\.failure) == ["system-server lost"])
        #expect(bench.otherMessages.last == .hello)
    }

    @Test("input-kit ignores a hello that answers an earlier link's hello")
    func late() throws {
        var bench = try Bench.open()
        let first = bench.server.lastHello
        bench.deliver(.peerLost(.systemServer))
        bench.deliver(.connected(.systemServer))
        var old = LinkNumbers(epoch: 8, generation: 3)
        if let first { old.welcome(first, epoch: 8) }
        bench.deliver(.frame(old.frame(.hello), from: .systemServer))
        bench.hello(epoch: 10, generation: 5)
        bench.deliver(.frame(old.frame(.hello), from: .systemServer))
        bench.play(.script("tap f1 (1,1) @0"))
        bench.run()
        #expect(bench.sent.map(\.frame.epoch) == [10, 10])
        #expect(bench.reports.map(\.failure) == [""])
    }

    @Test("a repeated hello is one frame, and the next link counts on")
    func greetingNumbers() throws {
        var bench = try Bench()
        bench.deliver(.connected(.systemServer))
        bench.run(until: .ms(250))
        #expect(bench.server.received.map(\.sequence) == [1, 1, 1])
        bench.hello()
        bench.deliver(.peerLost(.systemServer))
        bench.deliver(.connected(.systemServer))
        #expect(bench.server.received.last?.sequence == 2)
        #expect(bench.server.received.last?.epoch == 0)
    }

    @Test("after a scan lost on the link input-kit sends a state frame")
    func lostScan() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = nil
        bench.play(.script("down f1 (10,20) @0\nmove f1 (11,20) @0.01\nup f1 @0.02"))
        bench.run(until: .ms(30))
        #expect(bench.sent.count == 3)
        let lost = Receipt(frame: bench.sent[2].frame.sequence, outcome: .dropped, reason: .lostOnLink)
        bench.deliver(.frame(bench.serverFrame(.handled(lost)), from: .systemServer))
        #expect(bench.sent.count == 4)
        #expect(bench.sent[3].event.fingers.isEmpty)
        for scan in [0, 1, 3] { bench.answer(bench.sent[scan].frame, [], after: .zero) }
        bench.run()
        #expect(bench.reports.map(\.dropped) == [1])
        #expect(bench.reports.map(\.failure) == [""])
        #expect(bench.report()?["unanswered"] == .number(0))
    }

    @Test("a probe after 100 ms of silence settles scans with lost receipts")
    func lostReceipt() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = nil
        bench.play(.script("tap f1 (10,20) @0"))
        bench.run(until: .ms(250))
        let probe = bench.server.received.last
        #expect(probe?.message == .link(.probe))
        for scan in bench.sent { bench.acceptAtServer(scan.frame) }
        if let probe { bench.acceptAtServer(probe) }
        _ = bench.serverFrame(.handled(Receipt(frame: 2, outcome: .delivered)))
        let heard = bench.serverFrame(.link(.received(oldest: 3, missed: 0)))
        bench.deliver(.frame(heard, from: .systemServer))
        #expect(bench.report()?["play.unanswered"] == .number(1))
        bench.answer(bench.sent[1].frame, [], after: .zero)
        bench.server.answersAfter = .zero
        bench.run()
        #expect(bench.reports.map(\.failure) == [""])
        #expect(bench.reports.map(\.dropped) == [1])
        #expect(bench.report()?["frames.lost"] == .number(1))
    }

    @Test("input-kit probes a silent server ever more rarely")
    func silence() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = nil
        bench.play(.script("tap f1 (10,20) @0"))
        bench.run(until: .ms(10_000))
        #expect(bench.server.received.count { $0.message == .link(.probe) } == 9)
    }

    @Test("stopping input-kit cancels its fingers, reports the play and exits")
    func stop() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (10,20) @0\nup f1 @1"))
        bench.run(until: .ms(500))
        bench.deliverFromSupervisor(.shutdown)
        #expect(bench.sent.last?.event.fingers.first?.mask.contains(.cancel) == true)
        #expect(bench.reports.map(\.failure) == ["input-kit was stopped"])
        #expect(bench.exits == [0])
    }

    @Test("input-kit exits when its supervisor is lost")
    func orphan() throws {
        var bench = try Bench.open()
        bench.deliver(.peerLost(.supervisor))
        #expect(bench.exits == [0])
    }

    @Test("a suspension over one second cancels fingers but continues the play")
    func away() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (10,20) @0\nmove f1 (20,20) @0.1\nup f1 @0.2\ntap f1 (5,5) @0.3"))
        bench.run(until: .ms(50))
        bench.now = .ms(3050)
        bench.run()
        let phases = bench.sent.compactMap { $0.event.fingers.first?.phase }
        #expect(phases == [.began, .cancelled, .began, .ended])
        #expect(bench.sent[2].at >= .ms(3250), "what was due meanwhile is due so much later")
        #expect(bench.reports.map(\.failure) == [""])
        #expect(bench.report()?["suspensions"] == .number(1))
    }

    @Test("a delay under one second cancels no finger")
    func lateness() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (10,20) @0\nmove f1 (20,20) @0.1\nup f1 @0.2"))
        bench.run(until: .ms(50))
        bench.now = .ms(1000)
        bench.run()
        #expect(bench.sent.compactMap { $0.event.fingers.first?.phase } == [.began, .moved, .ended])
        #expect(bench.report()?["suspensions"] == .number(0))
    }
}
