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
}
