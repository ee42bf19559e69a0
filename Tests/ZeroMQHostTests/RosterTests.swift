import Basics
import Testing
import Wire

@testable import ZeroMQHost

@Suite("The roster and the packets that wait for it") struct RosterTests {
    func held(_ pid: Int32, at milliseconds: Int64 = 0, bytes: Int = 10) -> UnlistedPackets.WaitingPacket {
        let id = [UInt8](arrayLiteral: 0, 1, 2, 3, 4).withUnsafeBytes { RouteID($0) }!
        return UnlistedPackets.WaitingPacket(
            packet: Array(repeating: 0, count: bytes), sender: Credentials(pid: pid, uid: 0), route: id, connection: 3,
            arrived: Instant(nanoseconds: milliseconds * 1_000_000))
    }

    @Test("one sender may have 64 waiting packets")
    func packets() {
        var chamber = UnlistedPackets()
        for _ in 0..<64 { #expect(chamber.hold(held(7)).isEmpty) }
        #expect(chamber.hold(held(7)) == [held(7)])
        #expect(chamber.hold(held(8)).isEmpty)
    }

    @Test("one sender may have one packet's worth of waiting bytes")
    func bytes() {
        var chamber = UnlistedPackets()
        #expect(chamber.hold(held(7, bytes: 65_000)).isEmpty)
        #expect(chamber.hold(held(7, bytes: 600)).count == 1)
    }

    @Test("the longest waiting sender leaves a crowded antechamber, never a new child")
    func crowd() {
        var chamber = UnlistedPackets()
        for pid in 1...16 { #expect(chamber.hold(held(Int32(pid))).isEmpty) }
        #expect(chamber.hold(held(100)) == [held(1)])
        let entry = RosterEntry(peer: .app(1), pid: 100, uid: 0, generation: 1, isReady: false)
        #expect(chamber.removeAdmitted(by: Roster([entry])) == [held(100)])
        #expect(chamber.removeAdmitted(by: Roster([entry])).isEmpty)
    }

    @Test("a sender that is not listed within a second is refused")
    func patience() {
        var chamber = UnlistedPackets()
        _ = chamber.hold(held(7, at: 0))
        _ = chamber.hold(held(8, at: 400))
        #expect(chamber.deadline == Instant(nanoseconds: 1_000_000_000))
        #expect(chamber.removeExpired(at: Instant(nanoseconds: 999_999_999)).isEmpty)
        #expect(chamber.removeExpired(at: Instant(nanoseconds: 1_000_000_000)) == [held(7, at: 0)])
        #expect(chamber.deadline == Instant(nanoseconds: 1_400_000_000))
    }

    @Test("an expired sender is refused with all its packets")
    func wholly() {
        var chamber = UnlistedPackets()
        _ = chamber.hold(held(7, at: 0))
        _ = chamber.hold(held(7, at: 900))
        #expect(chamber.removeExpired(at: Instant(nanoseconds: 1_000_000_000)) == [held(7, at: 0), held(7, at: 900)])
        #expect(chamber.deadline == nil)
    }

    @Test("a roster entry matches by pid and user")
    func user() {
        let entry = RosterEntry(peer: .app(1), pid: 5, uid: 1000, generation: 1, isReady: true)
        #expect(Roster([entry]).entry(for: Credentials(pid: 5, uid: 1000)) == entry)
        #expect(Roster([entry]).entry(for: Credentials(pid: 5, uid: 0)) == nil)
    }

    @Test(
        "libzmq's peer address is parsed and anything else refused",
        arguments: [
            ("localhost:1000:100:4242", Credentials(pid: 4242, uid: 1000)),
            ("localhost:0:0:1", Credentials(pid: 1, uid: 0)),
            ("127.0.0.1", nil), ("localhost:1000:100:", nil), ("localhost:1:2:3:4", nil),
            ("localhost:1000:100:-5", nil),
            ("localhost:99999999999:1:1", nil), ("", nil), ("localhost::1:1", nil),
        ] as [(String, Credentials?)])
    func address(text: String, expected: Credentials?) {
        #expect(text.withCString { Credentials(peerAddress: $0) } == expected)
    }

    @Test("a routing id survives storage unless it is too long")
    func routes() {
        for bytes: [UInt8] in [[0], [0, 1, 2, 3, 255], [9, 8, 7, 6, 5, 4, 3]] {
            let id = bytes.withUnsafeBytes { RouteID($0) }
            #expect(id?.withBytes { Array($0) } == bytes)
        }
        #expect([UInt8](repeating: 1, count: 8).withUnsafeBytes { RouteID($0) } == nil)
        #expect([UInt8]().withUnsafeBytes { RouteID($0) } == nil)
    }
}
