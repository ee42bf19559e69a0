import HID
import Hosting
import Testbed
import Testing
import Wire

@testable import InputKitCore

@Suite("The link to the server")
struct LinkTests {
    @Test("is what its table says")
    func table() {
        expectMachineTable(
            "InputKitServerLink", states: ServerLink.State.allCases, inputs: ServerLink.Input.allCases,
            transition: { ServerLink.transition(from: $0, on: $1) })
    }

    @Test("ready is said once, when the server has said hello")
    func ready() throws {
        var bench = try Bench()
        #expect(!bench.told.contains(.ready))
        bench.give(.connected(.systemServer))
        #expect(bench.told == [.hello])
        bench.hello()
        #expect(bench.told == [.hello, .ready])
        bench.give(.peerLost(.systemServer))
        bench.give(.connected(.systemServer))
        bench.hello(epoch: 10, generation: 5)
        #expect(bench.told == [.hello, .ready, .hello])
    }

    @Test("a greeting nobody answers is repeated, and not once it is answered")
    func greeting() throws {
        var bench = try Bench()
        bench.give(.connected(.systemServer))
        bench.run(until: .ms(250))
        #expect(bench.told == [.hello, .hello, .hello])
        bench.hello()
        bench.run(until: .ms(1000))
        #expect(bench.told == [.hello, .hello, .hello, .ready])
    }

    @Test("frames carry the server's epoch, our generation, and count up from the hello")
    func numbers() throws {
        var bench = try Bench.open()
        bench.play(.script("tap f1 (10,20) @0"))
        bench.run()
        #expect(bench.sent.map(\.frame.sequence) == [2, 3])
        #expect(bench.sent.map(\.frame.epoch) == [9, 9])
        #expect(bench.sent.map(\.frame.generation) == [2, 2])
        #expect(bench.sent.map(\.frame.ack) == [1, 2])
    }

    @Test("what an older server says changes nothing")
    func fencing() throws {
        var bench = try Bench.open()
        bench.answersAfter = nil
        bench.play(.script("down f1 (10,20) @0"))
        var old = Conversation(epoch: 8, generation: 3)
        bench.give(.frame(old.frame(.handled(Receipt(frame: 2, outcome: .delivered))), from: .systemServer))
        bench.supervisorSays(
            .roster([RosterEntry(peer: .systemServer, pid: 1, uid: 0, generation: 4, isReady: true)]))
        bench.give(.frame(old.frame(.hello), from: .systemServer))
        #expect(bench.reports == [])
        #expect(bench.report()?["frames.fenced"] == .number(2))
        #expect(bench.report()?["play.unanswered"] == .number(1))
    }

    @Test("a server lost mid-play ends the play, and its fingers are nobody's")
    func lost() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (10,20) @0\nup f1 @1"))
        bench.run(until: .ms(500))
        bench.give(.peerLost(.systemServer))
        #expect(bench.reports.map(\.failure) == ["system-server lost"])
        bench.run()
        #expect(bench.sent.count == 1)
        bench.play(.script("tap f1 (1,1) @0"), id: 2)
        #expect(bench.reports.last?.failure == "system-server is not connected")
        bench.give(.connected(.systemServer))
        bench.hello(epoch: 10, generation: 5)
        bench.play(.script("tap f1 (1,1) @0"), id: 3)
        bench.run()
        #expect(bench.reports.last?.failure == "")
        #expect(bench.sent.dropFirst().map(\.frame.epoch) == [10, 10])
    }

    @Test("a link that comes up again without having gone down went down")
    func reconnected() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (10,20) @0\nup f1 @1"))
        bench.run(until: .ms(500))
        bench.give(.connected(.systemServer))
        #expect(bench.reports.map(\.failure) == ["system-server lost"])
        #expect(bench.told.last == .hello)
    }

    @Test("a server that says hello in a new epoch is a new one, and knows none of our fingers")
    func replaced() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (10,20) @0\nup f1 @1"))
        bench.run(until: .ms(500))
        bench.hello()
        #expect(bench.reports == [])
        bench.hello(epoch: 10, generation: 5)
        #expect(bench.reports.map(\.failure) == ["system-server lost"])
        bench.play(.script("tap f1 (1,1) @0"), id: 2)
        bench.run()
        #expect(bench.sent.map(\.frame.epoch) == [9, 10, 10])
        #expect(bench.reports.last?.failure == "")
    }

    @Test("stopping takes the fingers off the glass, reports the play, and ends")
    func stop() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (10,20) @0\nup f1 @1"))
        bench.run(until: .ms(500))
        bench.supervisorSays(.shutdown)
        #expect(bench.sent.last?.event.fingers.first?.mask.contains(.cancel) == true)
        #expect(bench.reports.map(\.failure) == ["input-kit was stopped"])
        #expect(bench.exits == [0])
    }

    @Test("the supervisor's end is ours")
    func orphan() throws {
        var bench = try Bench.open()
        bench.give(.peerLost(.supervisor))
        #expect(bench.exits == [0])
    }
}
