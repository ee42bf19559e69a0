import Basics
import Links
import Testing
import Wire

@Suite("Numbers of a link")
struct LinkNumbersTests {

    var server = LinkNumbers(epoch: 5, generation: 1)
    var client = LinkNumbers(epoch: 0, generation: 3)

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

    @Test("a frame received twice counts once")
    mutating func duplicates() {
        let frame = client.frame(.ready)
        #expect(server.accept(frame) == .fresh)
        #expect(server.accept(frame) == .duplicate(sequence: 2, last: 2))
    }

    @Test("a gap counts the missing frames and accepts the received one")
    mutating func gaps() {
        _ = client.frame(.ready)
        _ = client.frame(.ready)
        #expect(server.accept(client.frame(.ready)) == .gap(missing: 2))
    }

    @Test("a frame of another epoch or generation is fenced")
    mutating func fencing() {
        var old = LinkNumbers(epoch: 4, generation: 3)
        #expect(server.accept(old.frame(.ready)) == .fenced(epoch: 4, generation: 3))
        var reborn = LinkNumbers(epoch: 5, generation: 4)
        #expect(server.accept(reborn.frame(.ready)) == .fenced(epoch: 5, generation: 4))
        #expect(server.accept(client.frame(.ready)) == .fresh)
    }

    @Test("every frame carries an acknowledgement and credit")
    mutating func credit() {
        _ = server.accept(client.frame(.ready, credit: 17))
        #expect(server.peerCredit == 17)
        let frame = server.frame(.ready)
        #expect(frame.ack == 2)
        _ = client.accept(frame)
        #expect(client.acknowledged == 2)
    }

    @Test("a server tells new, repeated and old hellos apart")
    mutating func hellos() {
        var client = LinkNumbers(epoch: 0, generation: 3)
        var server = LinkNumbers(epoch: 5, generation: 1)
        let first = client.hello()
        #expect(server.judge(hello: first) == .new)
        server.welcome(first, epoch: 5)
        #expect(server.judge(hello: first) == .repeated)
        client.adopt(hello: server.frame(.hello), epoch: 5)
        _ = server.accept(client.frame(.ready))
        #expect(server.judge(hello: first) == .repeated)
        let second = client.hello()
        #expect(server.judge(hello: second) == .new)
        server.welcome(second, epoch: 5)
        #expect(server.judge(hello: first) == .old)
        var reborn = LinkNumbers(epoch: 0, generation: 4)
        let third = reborn.hello()
        #expect(server.judge(hello: third) == .new)
        server.welcome(third, epoch: 5)
        #expect(server.judge(hello: second) == .old)
    }

    @Test("a repeated answer to a hello keeps its number")
    mutating func sameAnswer() {
        var client = LinkNumbers(epoch: 0, generation: 3)
        var server = LinkNumbers(epoch: 5, generation: 1)
        let hello = client.hello()
        server.welcome(hello, epoch: 5)
        let lost = server.answer()
        #expect(!server.hasSentMessages)
        _ = server.frame(.lifeCycle(.didBecomeActive))
        #expect(server.hasSentMessages)
        let answer = server.answer()
        #expect(answer.sequence == lost.sequence && client.isAnswered(by: answer))
        client.adopt(hello: answer, epoch: 5)
        #expect(client.accept(server.frame(.link(.probe))) == .gap(missing: 1))
        // A newer hello gets an answer with its own number.
        server.welcome(client.hello(), epoch: 5)
        #expect(server.answer().sequence == 4)
    }

    @Test("only the answer to a client's last hello opens the link")
    mutating func answers() {
        var client = LinkNumbers(epoch: 0, generation: 3)
        var server = LinkNumbers(epoch: 5, generation: 1)
        server.welcome(client.hello(), epoch: 5)
        let answer = server.frame(.hello)
        #expect(client.isAnswered(by: answer))
        let again = client.hello()
        #expect(!client.isAnswered(by: answer))
        server.welcome(again, epoch: 5)
        #expect(client.isAnswered(by: server.frame(.hello)))
    }
}
