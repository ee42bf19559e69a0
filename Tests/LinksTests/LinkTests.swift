import Basics
import Links
import Testbed
import Testing
import Wire

@Suite("Links")
struct LinkTests {
    private let now = Instant.boot

    @Test("Docs/Reference/Machines/ClientLink.md and ServerLink.md match the link", arguments: Link.End.allCases)
    func table(_ end: Link.End) {
        expectMachineTable(
            end == .client ? "ClientLink" : "ServerLink",
            states: Link.Phase.allCases.filter { end == .client || $0 != .connecting }, inputs: Link.Input.allCases,
            transition: { phase, input in
                Link.transition(of: end, from: phase, on: input).map { ($0.phase, $0.decision) }
            })
    }

    @Test("both ends of a link open with one hello and one answer")
    func handshake() throws {
        var (client, server) = ends()
        client.connected(credit: 5)
        let hello = try #require(client.pendingHello)
        #expect(client.phase == .connecting)
        #expect(server.receive(hello, at: now) == .opened(isSameProcess: false))
        #expect(server.capacity == 5)
        #expect(client.receive(server.answer(credit: 7), at: now) == .opened(isSameProcess: false))
        #expect(client.pendingHello == nil)
        #expect(client.isOpen && server.isOpen)
        #expect((client.epoch, client.peerGeneration, client.capacity) == (5, 1, 7))
        #expect((server.peerGeneration, client.openings, server.openings) == (3, 1, 1))
    }

    @Test("a client's hello stays the same until the server answers it")
    func repeatedHello() throws {
        var (client, server) = ends()
        client.connected()
        let hello = try #require(client.pendingHello)
        #expect(server.receive(hello, at: now) == .opened(isSameProcess: false))
        _ = server.answer()
        #expect(client.pendingHello == hello)
        #expect(server.receive(hello, at: now) == .helloRepeated)
        #expect(client.receive(server.answer(), at: now) == .opened(isSameProcess: false))
    }

    @Test("frames count only while the link is open")
    func closed() throws {
        var (client, server) = ends()
        var forged = LinkNumbers(epoch: 5, generation: 1)
        #expect(client.receive(forged.frame(.ready), at: now) == .refused(.beforeHello))
        #expect(
            client.receive(forged.frame(.hello), at: now) == .refused(.oldHello(sequence: 2, generation: 1)))
        open(&client, &server)
        #expect(server.receive(client.frame(.ready), at: now) == .arrived(missing: 0))
        let closed = client.lost()
        #expect(closed)
        #expect(client.receive(server.frame(.ready), at: now) == .refused(.beforeHello))
        let closedAgain = client.lost()
        #expect(!closedAgain)
    }

    @Test("a reopened link counts on and refuses frames of the last one")
    func reopened() throws {
        var (client, server) = ends()
        open(&client, &server)
        let late = client.frame(.ready)
        let oldHello = try #require(hello(of: client))
        server.lost()
        client.lost()
        open(&client, &server)
        #expect(client.openings == 2)
        #expect(
            server.receive(late, at: now) == .refused(.duplicate(sequence: late.sequence, last: late.sequence.next)))
        #expect(server.receive(oldHello, at: now) == .refused(.oldHello(sequence: 1, generation: 3)))
    }

    @Test("a server knows the client's process by its generation")
    func sameProcess() {
        var (client, server) = ends()
        open(&client, &server)
        server.lost()
        client.connected()
        #expect(client.pendingHello.map { server.receive($0, at: now) } == .opened(isSameProcess: true))
        server.lost()
        var next = Link(.client, generation: 4)
        next.connected()
        #expect(next.pendingHello.map { server.receive($0, at: now) } == .opened(isSameProcess: false))
    }

    @Test("hellos of a process before the announced generation are fenced")
    func fence() {
        var (client, server) = ends()
        client.connected()
        if let hello = client.pendingHello { _ = server.receive(hello, at: now) }
        client.fence(before: 2)
        #expect(client.receive(server.answer(), at: now) == .refused(.fenced(epoch: 5, generation: 1)))
        #expect(client.counters.fenced == 1)
        #expect(!client.isOpen)
    }

    @Test("a client ignores an older server's answer to the same hello")
    func olderServer() throws {
        var (client, server) = ends()
        open(&client, &server)
        client.connected()
        let hello = try #require(client.pendingHello)
        var older = Link(.server, epoch: 4, generation: 9)
        #expect(older.receive(hello, at: now) == .opened(isSameProcess: false))
        let answer = older.answer()
        #expect(
            client.receive(answer, at: now)
                == .refused(.oldHello(sequence: answer.sequence, generation: 9)))
    }

    @Test("missing frames are counted, and each gets one receipt")
    func missing() {
        var (client, server) = ends()
        open(&client, &server)
        _ = client.frame(.ready)
        _ = client.frame(.ready)
        let frame = client.frame(.ready)
        #expect(server.receive(frame, at: now) == .arrived(missing: 2))
        let receipts = server.receipts(forMissing: 2, before: frame.sequence)
        #expect(receipts.map(\.frame) == [2, 3])
        #expect(receipts.allSatisfy { $0.outcome == .dropped && $0.reason == .lostOnLink })
        #expect(server.missed == 2)
        #expect(server.counters.missing == 2)
        #expect(server.probeAnswer(oldest: 4).message == .link(.received(oldest: 4, missed: 2)))
        // A gap larger than any credit window comes from a broken peer and is no loss.
        #expect(server.receipts(forMissing: Link.gapLimit + 1, before: 9999).isEmpty)
    }

    @Test("a probe is due 100 ms after the last answer, then later")
    func probes() {
        var (client, server) = ends()
        open(&client, &server)
        var due: [Int] = []
        for moment in stride(from: 0, through: 2000, by: 50)
        where client.probe(at: now.advanced(by: .milliseconds(moment))) != nil {
            due.append(moment)
        }
        #expect(due == [100, 300, 700, 1500])
    }

    @Test("credit shrinks with each unacknowledged frame, capacity does not")
    func credit() {
        var (client, server) = ends()
        client.connected()
        if let hello = client.pendingHello { _ = server.receive(hello, at: now) }
        _ = client.receive(server.answer(credit: 4), at: now)
        _ = client.frame(.ready)
        let last = client.frame(.ready)
        #expect(client.credit == 2)
        #expect(client.capacity == 4)
        _ = server.receive(last, at: now)
        _ = client.receive(server.frame(.ready, credit: 3), at: now)
        #expect(client.credit == 3)
        #expect(client.capacity == 4)
    }

    @Test("an acknowledged frame that the peer does not owe lost its receipt")
    func outstanding() {
        var frames = Outstanding<String>()
        for (sequence, note) in [(3, "a"), (4, "b"), (6, "c")] as [(SequenceNumber, String)] {
            frames.append(sequence, note)
        }
        #expect(frames.first == 3)
        #expect(frames.answersLost(received: 5, oldest: 0) == [3, 4])
        #expect(frames.answersLost(received: 6, oldest: 4) == [3])
        #expect(frames.remove(4) == "b")
        #expect(frames.remove(4) == nil)
        #expect(frames.count == 2)
    }

    private func ends() -> (client: Link, server: Link) {
        (Link(.client, generation: 3), Link(.server, epoch: 5, generation: 1))
    }

    private func open(_ client: inout Link, _ server: inout Link) {
        client.connected()
        if let hello = client.pendingHello { _ = server.receive(hello, at: now) }
        _ = client.receive(server.answer(), at: now)
    }

    /// Returns the hello that a client of this process sends first.
    private func hello(of client: Link) -> Frame? {
        var first = Link(.client, generation: 3)
        first.connected()
        return first.pendingHello
    }
}
