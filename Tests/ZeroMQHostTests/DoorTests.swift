import Basics
import Glibc
import Testing
import Wire

@testable import ZeroMQHost

@Suite("Admission at one listener") struct DoorTests {
    private let user: UInt32 = 1000

    private func id(_ number: UInt8) -> RouteID { [0, 0, 0, 0, number].withUnsafeBytes { RouteID($0) }! }
    private func process(_ pid: Int32) -> Credentials { Credentials(pid: pid, uid: user) }
    private func roster(_ pids: [(Peer, Int32, UInt32)]) -> Roster {
        Roster(pids.map { RosterEntry(peer: $0.0, pid: $0.1, uid: user, generation: $0.2, isReady: true) })
    }

    @Test("F7: hanging up bans the process on the roster, even without frames")
    func banished() {
        var door = PeerRegistry(admitting: .roster(.inputKit), user: user)
        door.update(roster([(.app(1), 5, 1), (.app(2), 6, 1)]))
        door.ban(.app(1))
        #expect(door.isBanned(process(5)) && !door.isBanned(process(6)))
        // This roster repeats the banned process.
        door.update(roster([(.app(1), 5, 1)]))
        #expect(door.isBanned(process(5)))
    }

    @Test("a banned app's successor is admitted, and its pid may be reused")
    func successor() {
        var door = PeerRegistry(admitting: .roster(.app), user: user)
        door.update(roster([(.app(1), 5, 1)]))
        door.ban(.app(1), and: [process(5)])
        door.update(roster([(.app(1), 9, 2)]))
        #expect(!door.isBanned(process(9)) && !door.isBanned(process(5)))
        #expect(door.identifyPeer(of: process(9), on: id(1))?.peer == .app(1))
    }

    @Test("without a roster each connection has one instance number")
    func numbers() {
        var door = PeerRegistry(admitting: .sameUser(.app), user: user)
        for _ in 0..<1000 { #expect(door.identifyPeer(of: process(5), on: id(1))?.peer == .app(1)) }
        #expect(door.identifyPeer(of: process(5), on: id(2))?.peer == .app(2))
        #expect(door.identifyPeer(of: process(6), on: id(3))?.peer == .app(3))
        #expect(door.identifyPeer(of: Credentials(pid: 7, uid: 0), on: id(4)) == nil)
    }

    @Test("without a roster a connection that sent only noise is banned")
    func noise() {
        var door = PeerRegistry(admitting: .sameUser(.app), user: user)
        _ = door.identifyPeer(of: process(5), on: id(1))
        _ = door.identifyPeer(of: process(6), on: id(2))
        door.ban(.app(1))
        #expect(door.isBanned(process(5)) && !door.isBanned(process(6)))
    }

    @Test("a ban ends with its process; another process may reuse the pid")
    func successorOfPid() {
        nonisolated(unsafe) var began: [Int32: UInt64] = [5: 100, 6: 200]
        var door = PeerRegistry(admitting: .sameUser(.controller), user: user) { began[$0] }
        func isOut(_ pid: Int32, on number: UInt8) -> Bool { door.isBanned(process(pid), on: id(number)) }
        _ = door.identifyPeer(of: process(5), on: id(1))
        door.ban(Peer(.controller, 1))
        #expect(isOut(5, on: 1) && isOut(5, on: 2))
        // The process has exited, and its last packets are still unread.
        began[5] = nil
        #expect(isOut(5, on: 1) && isOut(5, on: 3))
        // Another process has this pid now.
        began[5] = 300
        #expect(isOut(5, on: 1))
        #expect(!isOut(5, on: 4) && !door.isBanned(process(5)))
        // That process can be banned as well.
        _ = door.identifyPeer(of: process(5), on: id(4))
        door.ban(process(5))
        #expect(isOut(5, on: 4) && !isOut(6, on: 5))
    }

    @Test("a process that is replaced before its ban leaves none behind")
    func replacedBeforeItsBan() {
        nonisolated(unsafe) var began: [Int32: UInt64] = [5: 100]
        var door = PeerRegistry(admitting: .sameUser(.controller), user: user) { began[$0] }
        _ = door.identifyPeer(of: process(5), on: id(1))
        began[5] = 300
        door.ban(Peer(.controller, 1))
        let isOut = door.isBanned(process(5), on: id(2))
        #expect(!isOut)
    }

    @Test("a process has a start time, and an unused pid has none")
    func starts() throws {
        let own = try #require(startOfProcess(getpid()))
        let first = try #require(startOfProcess(1))
        #expect(first <= own)
        #expect(startOfProcess(Int32.max) == nil)
    }

    @Test("without a roster the number of remembered bans is limited")
    func bounded() {
        var door = PeerRegistry(admitting: .sameUser(.app), user: user)
        for pid in Int32(1)...1000 {
            _ = door.identifyPeer(of: process(pid), on: id(1))
            door.ban(.app(AppID(UInt32(pid))))
        }
        let banished = (Int32(1)...1000).filter { door.isBanned(process($0)) }
        #expect(banished == Array((1000 - Int32(PeerRegistry.unlistedConnectionLimit) + 1)...1000))
    }
}
