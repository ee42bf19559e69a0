import Basics
import Faults
import Foundation
import Hosting
import Settings
import Testing
import Wire

@testable import ZeroMQHost

private func moment(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

@Suite("Lossy links") struct LossyLinksTests {
    private var links = LossyLinks(.inputKit)
    private var lost: [UInt64] = []

    private mutating func suffer(_ line: String, at milliseconds: Int64 = 0) throws {
        links.startFault(try Fault(parsing: line), at: moment(milliseconds))
    }

    /// Sends these frames to a peer.
    ///
    /// - Returns: The sequence numbers of the frames that leave.
    private mutating func pass(
        _ sequences: [UInt64], to peer: Peer = .systemServer, at milliseconds: Int64
    ) -> [UInt64] {
        var lost: [UInt64] = []
        let leaving = links.framesToSend(sequences.map { frame(.hello, $0) }, to: peer, at: moment(milliseconds)) {
            lost.append($0.sequence.rawValue)
        }
        self.lost += lost
        return leaving.map(\.sequence.rawValue)
    }

    private mutating func due(at milliseconds: Int64) -> [[UInt64]] {
        links.removeDueFrames(at: moment(milliseconds)).map { $0.frames.map(\.sequence.rawValue) }
    }

    @Test("frames held by a clog leave at its end, in order")
    mutating func clogEnds() throws {
        try suffer("0ms clog input-kit for 10ms")
        for sequence in UInt64(1)...3 { #expect(pass([sequence], at: Int64(sequence)) == []) }
        #expect(pass([4, 5], at: 10) == [1, 2, 3, 4, 5])
        #expect(due(at: 10) == [] && pass([6], at: 11) == [6] && lost == [])
    }

    @Test("no frame overtakes a delayed one after the delay's end")
    mutating func delayEnds() throws {
        try suffer("0ms delay input-kit 50 for 10ms")
        #expect(pass([1], at: 5) == [])
        links.expire(at: moment(10))
        #expect(pass([2], at: 20) == [])
        #expect(pass([3], at: 55) == [1, 2, 3])
        links.expire(at: moment(55))
        #expect(links.isQuiet)
    }

    @Test("frames held for two peers leave separately when each is due")
    mutating func peers() throws {
        try suffer("0ms clog input-kit for 10ms")
        #expect(pass([1], to: .app(1), at: 1) == [] && pass([2], to: .app(2), at: 2) == [])
        #expect(links.deadline == moment(10))
        #expect(pass([3], to: .app(2), at: 10) == [2, 3])
        #expect(due(at: 10) == [[1]])
    }

    @Test("the longer of two overlapping delays applies")
    mutating func overlapping() throws {
        try suffer("0ms delay input-kit 5 for 100ms")
        try suffer("0ms delay input-kit 20 for 50ms")
        #expect(pass([1], at: 0) == [])
        #expect(due(at: 19) == [] && due(at: 20) == [[1]])
    }

    @Test("I4: frames beyond the hold limit are reported lost, others leave")
    mutating func tooMany() throws {
        try suffer("0ms clog input-kit for 10ms")
        let limit = UInt64(LossyLinks.heldLimit)
        #expect(pass(Array(1...(limit + 3)), at: 0) == [])
        #expect(lost == [limit + 1, limit + 2, limit + 3])
        #expect(pass([], at: 10).count == LossyLinks.heldLimit)
    }

    @Test("a duplicate without room is not reported lost")
    mutating func noRoomForEcho() throws {
        try suffer("0ms clog input-kit for 10ms")
        #expect(pass(Array(1...UInt64(LossyLinks.heldLimit)), to: .app(1), at: 0) == [])
        links.expire(at: moment(10))
        try suffer("0ms duplicate input-kit 1 for 10ms", at: 10)
        #expect(pass([1, 2, 3], at: 10) == [1, 2, 3])
        #expect(lost == [])
    }

    @Test("every frame on a lossy link leaves or is reported lost")
    mutating func accounted() throws {
        for word in ["loss input-kit 0.3", "reorder input-kit 0.3", "delay input-kit 7"] {
            try suffer("0ms \(word) for 500ms")
        }
        var left: [UInt64] = []
        for time in Int64(0)..<1000 {
            left += due(at: time).flatMap { $0 }
            links.expire(at: moment(time))
            left += pass([UInt64(time)], at: time)
        }
        left += due(at: 2000).flatMap { $0 }
        #expect((left + lost).sorted() == Array(0..<1000))
        #expect(lost.count > 100 && left != left.sorted())
    }

    @Test("frames held for a peer that disconnected are reported lost")
    mutating func peerGone() throws {
        try suffer("0ms clog input-kit for 10ms")
        #expect(pass([1, 2], to: .app(1), at: 1) == [] && pass([3], to: .app(2), at: 1) == [])
        var gone: [UInt64] = []
        links.linkEnded(.app(1)) { gone.append($0.sequence.rawValue) }
        #expect(gone == [1, 2] && due(at: 10) == [[3]])
    }
}

@Suite("Faults that a process applies to itself") struct ChaosTests {
    private func chaos(_ own: Peer = .app(1), isAllowed: Bool = true) -> Chaos {
        Chaos(own, isAllowed: isAllowed, startedAt: .boot)
    }

    @Test("T9: a process ignores faults if disallowed, for others, or malformed")
    func notAsked() {
        var tame = chaos(isAllowed: false)
        #expect(tame.startFault("0ms slow app1 5 for 10ms", at: .boot) == nil && tame.isQuiet)
        var other = chaos()
        for line in ["0ms slow app2 5 for 10ms", "0ms slow app1 5", "", "0ms kil app1"] {
            #expect(other.startFault(line, at: .boot) == nil && other.isQuiet)
        }
    }

    @Test(
        "a process ignores faults that its host cannot apply",
        arguments: [
            "0ms kill app1", "0ms stop app1 for 5ms", "0ms suspend supervisor 10", "0ms device-time input-kit 5",
            "0ms wall-time app1 5", "1ms slow app1 5 for 10ms", "0ms malformed system-server 5",
            "0ms loss supervisor 0.5 for 10ms",
        ])
    func notDone(line: String) throws {
        var chaos = chaos(try Fault(parsing: line).target)
        #expect(
            chaos.startFault(line, at: .boot) == nil && chaos.isQuiet && chaos.malformedPackets == nil
                && chaos.deadline == nil)
    }

    @Test("the largest of several slow faults delays each input until it ends")
    func slow() {
        var chaos = chaos()
        chaos.startFault("0ms slow app1 5 for 100ms", at: .boot)
        chaos.startFault("0ms slow app1 20 for 50ms", at: .boot)
        #expect(chaos.extraTime(at: moment(49)) == .milliseconds(20))
        #expect(chaos.extraTime(at: moment(50)) == .milliseconds(5))
        #expect(chaos.deadline == moment(50))
        chaos.expire(at: moment(100))
        #expect(chaos.isQuiet && chaos.extraTime(at: moment(100)) == .zero && chaos.deadline == nil)
    }

    @Test("a barrage sends exactly the requested number of packets")
    func barrage() {
        var chaos = chaos()
        chaos.startFault("0ms malformed app1 100", at: .boot)
        #expect(chaos.nextMalformedPackets(64, at: .boot).count == 64 && !chaos.isQuiet)
        #expect(chaos.nextMalformedPackets(64, at: .boot).count == 36 && chaos.malformedPackets == nil)
        #expect(chaos.nextMalformedPackets(64, at: .boot).isEmpty)
        chaos.expire(at: .boot)
        #expect(chaos.isQuiet)
    }

    @Test("a barrage with a duration sends evenly and catches up")
    func paced() {
        var chaos = chaos()
        chaos.startFault("0ms malformed app1 100 for 50ms", at: .boot)
        #expect(chaos.hasMalformedPackets(at: .boot) && chaos.nextMalformedPackets(64, at: .boot).count == 1)
        #expect(!chaos.hasMalformedPackets(at: .boot))
        #expect(chaos.nextMalformedPackets(64, at: moment(10)).count == 20)
        #expect(chaos.nextMalformedPackets(64, at: moment(49)).count == 64)
        #expect(chaos.nextMalformedPackets(64, at: moment(50)).count == 15 && chaos.malformedPackets == nil)
        #expect(!chaos.hasMalformedPackets(at: moment(60)))
    }

    @Test(
        "F7, F8: a barrage's packets are varied, bounded and always forbidden",
        arguments: [Role.app, .inputKit])
    func noFrames(sender: Role) {
        var barrage = MalformedPackets(count: 20_000, from: .boot, for: .zero, by: sender)
        let packets = barrage.next(30_000, at: .boot)
        #expect(packets.count == 20_000 && barrage.isOver)
        #expect(packets.allSatisfy { (1...Frame.packetLimit).contains($0.count) })
        let frames = packets.compactMap { try? Frame.decode(packet: $0) }.joined()
        #expect(!frames.contains { $0.message.isAllowed(from: sender, to: .systemServer) })
        #expect((2000...6000).contains(frames.count))
        // An app's barrage also contains scans, which only input-kit may send.
        #expect(frames.contains { $0.message.kind == .digitizer } == (sender == .app))
        var reasons: Set<String> = []
        for packet in packets {
            do throws(WireError) { _ = try Frame.decode(packet: packet) } catch {
                reasons.insert(String("\(error)".prefix(8)))
            }
        }
        #expect(reasons.count >= 3, "\(reasons)")
    }

    @Test("a crash loop ends the process at its time after the start")
    func crashLoop() {
        var chaos = chaos()
        chaos.startFault("0ms crash-loop app1 10 for 200ms", at: moment(3))
        #expect(chaos.deadline == moment(10))
    }

    @Test("frames to the supervisor pass no lossy link")
    func supervisorsLink() {
        var chaos = chaos()
        chaos.startFault("0ms loss app1 1 for 100ms", at: .boot)
        #expect(chaos.framesToSend([frame(.ready)], to: .supervisor, at: .boot) { _ in }.count == 1)
        #expect(chaos.framesToSend([frame(.hello)], to: .systemServer, at: .boot) { _ in }.isEmpty)
    }
}

@Suite("A barrage on the event port's thread") struct BarrageTests {
    let scratch = Scratch()

    @Test("F7: a barrage waits for a full link, which delivers all packets")
    func waits() throws {
        let count = 20_000
        let server = try PeerListener(
            "ipc://\(scratch.paths.app)", listener: try scratch.listen(scratch.paths.app), admitting: .sameUser(.app),
            for: .systemServer, user: me.uid, in: try Context())
        var settings = Settings()
        try settings.set(.chaosAllowed, to: "true")
        let path = scratch.paths.app
        let app = try Running(
            as: .app(1), settings: settings,
            parts: { parts in
                let link = try ServerLink(
                    "ipc://\(path)", to: .systemServer, trusting: .listener(me), for: .app, in: try Context())
                parts.fetch = try FetchThread(link, spins: false)
            })
        app.recorded.wait("the link", until: isConnected(.systemServer))
        app.sendAsSupervisor(.chaos("0ms malformed app1 \(count)"))
        // The server reads nothing for as many turns of the app's loop as would send the whole barrage.
        for turn in 1...(count / 64 + 20) {
            app.sendAsSupervisor(.reportRequest)
            app.recorded.wait("turn \(turn)") { $0.frames.count == turn + 1 }
        }
        var arrivals: [Input] = []
        while arrivals.count < count, !app.recorded.inputs.contains(.peerLost(.systemServer)) {
            var item = pollfd(fd: server.descriptors.packets, events: Int16(POLLIN), revents: 0)
            guard poll(&item, 1, 10_000) == 1 else { break }
            while server.drain(budget: 64, at: .boot, into: &arrivals) {}
        }
        #expect(arrivals.count == count)
        let refusals = arrivals.refusals
        #expect(refusals.count == count)
        // Each refusal names the one connection's peer.
        #expect(refusals.allSatisfy { "\($0)".hasPrefix("app1 ") })
        #expect(!app.recorded.inputs.contains(.peerLost(.systemServer)))
        app.stop()
    }
}
