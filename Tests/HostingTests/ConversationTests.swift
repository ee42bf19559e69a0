import Basics
import Hosting
import Testing
import Wire

@Suite("Conversations")
struct ConversationTests {

    var server = Conversation(epoch: 5, generation: 1)
    var client = Conversation(epoch: 0, generation: 3)

    init() {
        let hello = client.frame(.hello)
        server.adopt(hello: hello, epoch: 5)
        let answer = server.frame(.hello)
        client.adopt(hello: answer, epoch: answer.epoch)
    }

    @Test("after both hellos, each next frame is fresh")
    mutating func fresh() {
        #expect(server.accept(client.frame(.ready)) == .fresh)
        #expect(client.accept(server.frame(.ready)) == .fresh)
        #expect(client.epoch == 5)
    }

    @Test("a frame heard twice counts once")
    mutating func duplicates() {
        let frame = client.frame(.ready)
        #expect(server.accept(frame) == .fresh)
        #expect(server.accept(frame) == .duplicate(sequence: 2, last: 2))
    }

    @Test("missing frames are counted, and the one that came counts")
    mutating func gaps() {
        _ = client.frame(.ready)
        _ = client.frame(.ready)
        #expect(server.accept(client.frame(.ready)) == .gap(missing: 2))
    }

    @Test("a frame of another epoch or generation changes nothing")
    mutating func fencing() {
        var old = Conversation(epoch: 4, generation: 3)
        #expect(server.accept(old.frame(.ready)) == .fenced(epoch: 4, generation: 3))
        var reborn = Conversation(epoch: 5, generation: 4)
        #expect(server.accept(reborn.frame(.ready)) == .fenced(epoch: 5, generation: 4))
        #expect(server.accept(client.frame(.ready)) == .fresh)
    }

    @Test("acknowledgements and credit ride on every frame")
    mutating func credit() {
        _ = server.accept(client.frame(.ready, credit: 17))
        #expect(server.peerCredit == 17)
        let frame = server.frame(.ready)
        #expect(frame.ack == 2)
        _ = client.accept(frame)
        #expect(client.acknowledged == 2)
    }

    @Test("a server hears a hello once, its repetition as one, and one of before not at all")
    mutating func hellos() {
        var client = Conversation(epoch: 0, generation: 3)
        var server = Conversation(epoch: 5, generation: 1)
        let first = client.greeting()
        #expect(server.judge(hello: first) == .fresh)
        server.welcome(first, epoch: 5)
        #expect(server.judge(hello: first) == .again)
        client.adopt(hello: server.frame(.hello), epoch: 5)
        _ = server.accept(client.frame(.ready))
        #expect(server.judge(hello: first) == .again)
        let second = client.greeting()
        #expect(server.judge(hello: second) == .fresh)
        server.welcome(second, epoch: 5)
        #expect(server.judge(hello: first) == .late)
        var reborn = Conversation(epoch: 0, generation: 4)
        let third = reborn.greeting()
        #expect(server.judge(hello: third) == .fresh)
        server.welcome(third, epoch: 5)
        #expect(server.judge(hello: second) == .late)
    }

    @Test("a server answers a hello under one number, however often: who hears it late finds the gap behind it")
    mutating func sameAnswer() {
        var client = Conversation(epoch: 0, generation: 3)
        var server = Conversation(epoch: 5, generation: 1)
        let hello = client.greeting()
        server.welcome(hello, epoch: 5)
        let lost = server.answer()
        #expect(!server.hasSpoken)
        _ = server.frame(.lifeCycle(.didBecomeActive))
        #expect(server.hasSpoken)
        let answer = server.answer()
        #expect(answer.sequence == lost.sequence && client.isAnswered(by: answer))
        client.adopt(hello: answer, epoch: 5)
        #expect(client.accept(server.frame(.link(.probe))) == .gap(missing: 1))
        // Of a greeting that is newer it is another answer.
        server.welcome(client.greeting(), epoch: 5)
        #expect(server.answer().sequence == 4)
    }

    @Test("a client takes the answer to its last greeting for one, and no other hello")
    mutating func answers() {
        var client = Conversation(epoch: 0, generation: 3)
        var server = Conversation(epoch: 5, generation: 1)
        server.welcome(client.greeting(), epoch: 5)
        let answer = server.frame(.hello)
        #expect(client.isAnswered(by: answer))
        let again = client.greeting()
        #expect(!client.isAnswered(by: answer))
        server.welcome(again, epoch: 5)
        #expect(client.isAnswered(by: server.frame(.hello)))
    }
}

@Suite("Being there")
struct VigilTests {

    @Test("a turn that comes later than the limit was missed, while a vigil is kept")
    func kept() {
        var vigil = Vigil(limit: .milliseconds(900))
        #expect(vigil.turn(at: at(0)) == nil)
        #expect(vigil.keep(true, at: at(0)) == at(100))
        #expect(vigil.keep(true, at: at(50)) == nil)
        #expect(vigil.turn(at: at(900)) == nil)
        #expect(vigil.turn(at: at(1801)) == .milliseconds(901))
    }

    @Test("without reason to keep one, time passes, and only what has waited says that nobody was there")
    func idle() {
        var vigil = Vigil(limit: .milliseconds(900))
        _ = vigil.turn(at: at(0))
        #expect(vigil.turn(at: at(60_000)) == nil)
        #expect(vigil.turn(at: at(120_000), waited: at(119_990)) == nil)
        #expect(vigil.turn(at: at(180_000), waited: at(170_000)) == .seconds(10))
        // It was here in between, so it was the link that was late.
        #expect(vigil.turn(at: at(180_500)) == nil)
        #expect(vigil.turn(at: at(181_000), waited: at(180_050)) == nil)
    }

    @Test("what has waited says so also when it is not the first thing heard")
    func second() {
        var vigil = Vigil(limit: .milliseconds(900))
        _ = vigil.turn(at: at(0))
        #expect(vigil.turn(at: at(10_000)) == nil)
        _ = vigil.keep(true, at: at(10_000))
        #expect(vigil.isInDoubt)
        #expect(vigil.turn(at: at(10_001), waited: at(9_500)) == nil)
        #expect(vigil.turn(at: at(10_002), waited: at(8_000)) == .seconds(2))
    }

    @Test("with a limit of zero nobody is ever away")
    func never() {
        var vigil = Vigil(limit: .zero)
        _ = vigil.keep(true, at: at(0))
        _ = vigil.turn(at: at(0))
        #expect(vigil.turn(at: at(60_000)) == nil)
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
}

@Suite("Asking how far the other end is")
struct ProbingTests {

    @Test("is due when nothing was heard for a while, more rarely each time, and at once after a gap")
    func due() {
        func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
        var probing = Probing()
        probing.heard(at: at(1000), missing: false)
        #expect(probing.isDue(at: at(1099)) == false)
        let asked = stride(from: Int64(1100), through: 10_000, by: 100).filter { probing.isDue(at: at($0)) }
        #expect(asked == [1100, 1300, 1700, 2500, 4100, 5700, 7300, 8900])
        probing.heard(at: at(10_000), missing: true)
        #expect(probing.isDue(at: at(10_001)) == true)
        #expect(probing.isDue(at: at(10_002)) == false)
        probing.heard(at: at(10_100), missing: false, isAnswer: false)
        #expect(probing.isDue(at: at(10_201)) == true)
    }
}
