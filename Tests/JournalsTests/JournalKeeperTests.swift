import Journals
import Testbed
import Testing

@Suite("Journal keeper")
struct JournalKeeperTests {
    typealias Waiting = JournalKeeper.Waiting

    @Test("Docs/Reference/Machines/JournalKeeper.md matches the transition function")
    func table() {
        expectMachineTable(
            "JournalKeeper", states: JournalKeeper.State.allCases, inputs: JournalKeeper.Input.allCases,
            transition: JournalKeeper.transition)
    }

    /// Makes a keeper with a ring of three whose disk has refused a record.
    private func refused() -> JournalKeeper {
        var keeper = JournalKeeper(capacity: 3, byteLimit: 1000)
        #expect(keeper.handle(.record) == .write)
        #expect(keeper.handle(.refused) == .warn)
        return keeper
    }

    @Test("records that the disk refuses are kept in order")
    func keeps() {
        var keeper = refused()
        for byte in 1...3 { keeper.enqueue(Waiting(bytes: [UInt8(byte)], isStep: true)) }
        #expect(keeper.state == .keeping && keeper.waiting == 3 && keeper.lost == 0 && keeper.isFull)
        var taken: [UInt8] = []
        while let next = keeper.next {
            taken += next.bytes
            #expect(keeper.removeNext() == 1)
        }
        #expect(taken == [1, 2, 3])
        #expect(keeper.handle(.accepted) == .resume)
        #expect(keeper.state == .writing && keeper.waiting == 0)
    }

    @Test("an overfull ring loses its oldest records and writes their number first")
    func loses() throws {
        var keeper = refused()
        for byte in 1...5 { keeper.enqueue(Waiting(bytes: [UInt8(byte)], isStep: true)) }
        #expect(keeper.state == .losing && keeper.waiting == 3 && keeper.lost == 2)
        var expected: [UInt8] = []
        JournalRecord.skipped(2).encode(into: &expected)
        #expect(try #require(keeper.next).bytes == expected)
        #expect(keeper.removeNext() == 2)
        #expect(try #require(keeper.next).bytes == [3])
        #expect(keeper.lost == 0 && keeper.lostInAll == 2)
    }

    @Test("lost records are counted for each time the disk was full")
    func episodes() {
        var keeper = refused()
        for byte in 1...5 { keeper.enqueue(Waiting(bytes: [UInt8(byte)], isStep: true)) }
        #expect(keeper.lostThisTime == 2)
        while keeper.next != nil { _ = keeper.removeNext() }
        #expect(keeper.handle(.accepted) == .resume && keeper.lostThisTime == 2)
        #expect(keeper.handle(.refused) == .warn)
        keeper.enqueue(Waiting(bytes: [6], isStep: true))
        #expect(keeper.lostThisTime == 0 && keeper.lostInAll == 2)
    }

    @Test("digests that wait in the journal keeper are not counted as inputs")
    func digests() {
        var keeper = refused()
        keeper.enqueue(Waiting(bytes: [1], isStep: true))
        keeper.enqueue(Waiting(bytes: [9], isStep: false))
        for byte in 2...4 { keeper.enqueue(Waiting(bytes: [UInt8(byte)], isStep: true)) }
        #expect(keeper.lost == 1 && keeper.waiting == 3)
        _ = keeper.removeNext()
        #expect(keeper.next?.bytes == [9])
        #expect(keeper.removeNext() == 0)
        #expect(keeper.next?.bytes == [2])
    }

    @Test("the journal keeper's limit in bytes drops large records sooner")
    func bytes() {
        var keeper = refused()
        keeper.enqueue(Waiting(bytes: [UInt8](repeating: 1, count: 600), isStep: true))
        keeper.enqueue(Waiting(bytes: [UInt8](repeating: 2, count: 600), isStep: true))
        #expect(keeper.waiting == 1 && keeper.lost == 1)
        // A record that is larger than the ring is lost at once.
        keeper.enqueue(Waiting(bytes: [UInt8](repeating: 3, count: 2000), isStep: true))
        #expect(keeper.waiting == 0 && keeper.lost == 3)
    }

    @Test("after a partial write the journal keeper keeps the rest and retries")
    func part() {
        var keeper = refused()
        for byte in 1...3 { keeper.enqueue(Waiting(bytes: [UInt8(byte)], isStep: true)) }
        #expect(keeper.handle(.due) == .tryAgain)
        #expect(keeper.removeNext() == 1)
        #expect(keeper.handle(.refused) == .nothing)
        #expect(keeper.state == .keeping && keeper.waiting == 2 && keeper.next?.bytes == [2])
        #expect(keeper.handle(.record) == .enqueue)
        #expect(keeper.handle(.ended) == .tryAgain)
        #expect(keeper.state == .closed)
    }

    @Test("the journal keeper's ring works after it wrapped many times")
    func longRun() {
        var keeper = refused()
        for number in 0..<10_000 {
            keeper.enqueue(Waiting(bytes: [UInt8(truncatingIfNeeded: number)], isStep: true))
        }
        #expect(keeper.waiting == 3 && keeper.lost == 9997)
        _ = keeper.removeNext()
        #expect(keeper.next?.bytes == [UInt8(truncatingIfNeeded: 9997)])
    }
}
