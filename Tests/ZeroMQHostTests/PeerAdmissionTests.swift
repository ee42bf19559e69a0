import Basics
import Hosting
import Testbed
import Testing
import Wire

@testable import ZeroMQHost

@Suite("The admission of a peer") struct PeerAdmissionTests {
    private let user: UInt32 = 1000
    private let pass = Pass(secret: [UInt8](repeating: 1, count: Pass.secretSize))
    private let key = Credentials(pid: 9, uid: Credentials.remoteUser)

    private func admission(_ policy: PeerAdmission.Policy, burst: Double = 100) -> PeerAdmission {
        let user = if case .keys = policy { Credentials.remoteUser } else { user }
        return PeerAdmission(admitting: policy, user: user, allowing: .init(rate: 10, burst: burst)) { UInt64($0) }
    }

    private func origin(_ number: UInt8, pid: Int32 = 5) -> PeerAdmission.Origin {
        origin(number, of: Credentials(pid: pid, uid: user), by: Int32(number))
    }

    private func origin(_ number: UInt8, of sender: Credentials, by descriptor: Int32) -> PeerAdmission.Origin {
        let route = [0, 0, 0, 0, number].withUnsafeBytes { RouteID($0) }!
        return PeerAdmission.Origin(route: route, sender: sender, descriptor: descriptor)
    }

    private func roster(_ peer: Peer = .inputKit, pid: Int32 = 5, generation: UInt32 = 1) -> Roster {
        Roster([
            RosterEntry(peer: peer, pid: pid, uid: user, generation: generation, isReady: true, seal: pass.seal)
        ])
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    @Test("Docs/Reference/Machines/PeerAdmission.md matches the transitions of connections")
    func table() {
        let app = NamedPeer(peer: .app(1), generation: 1)
        expectMachineTable(
            "PeerAdmission",
            states: [PeerAdmission.State.unproven, .open(app), .ending(at: at(1000)), .closed],
            inputs: [
                .unnamed, .banned(.none), .banned(.reason), .banned(.end), .flooded(.app(1), limit: 10),
                .wrong(.wrongPass(.app(1))), .unreadable(.app(1), .version(2, known: 1)), .pass(app), .remoteHello(app),
                .ring(app), .brokenRing(.badValue("ring: a position", 7)), .frames(app, needProof: true),
                .frames(app, needProof: false), .needlessPass, .unexamined,
                .permitted(app), .replaced(isNotified: true), .replaced(isNotified: false), .disowned, .hungUp,
                .unread(bytes: 20, limit: 10), .lost, .deadlinePassed,
            ],
            transition: { PeerAdmission.transition(from: $0, on: $1, at: .boot) })
    }

    @Test("a child's frames are received only after its pass")
    func proof() {
        var admission = admission(.roster(.inputKit))
        #expect(admission.update(roster(), now: .boot).isEmpty)
        let named = NamedPeer(peer: .inputKit, generation: 1)
        #expect(admission.receive(frame(.hello).encoded(), from: origin(1)) == .refuse(.passNotShown(.inputKit)))
        #expect(admission.receive(myPass.packet, from: origin(1)) == .refuse(.wrongPass(.inputKit)))
        #expect(admission.receive(pass.packet, from: origin(1)) == .open(named))
        #expect(admission.receive(frame(.hello).encoded(), from: origin(1)) == .acceptFrames(.inputKit))
        #expect(admission.receive(pass.packet, from: origin(1)) == .discard)
        #expect(admission.receive(myPass.packet, from: origin(1)) == .refuse(.wrongPass(.inputKit)))
        #expect(admission.peers == [.inputKit])
        // Its next start is another process for the roster.
        #expect(admission.update(roster(generation: 2), now: .boot).isEmpty)
        #expect(admission.takeConsequences() == [.init(origin: origin(1), decision: .reportLoss(.inputKit))])
        #expect(admission.receive(frame(.hello).encoded(), from: origin(1)) == .discard)
        #expect(admission.peers.isEmpty)
    }

    @Test("packets of an unlisted process wait until it is listed")
    func waiting() throws {
        var admission = admission(.roster(.inputKit))
        for bytes in [pass.packet, frame(.hello).encoded()] {
            #expect(admission.receive(bytes, from: origin(1)) == .hold)
            #expect(bytes.withUnsafeBytes { admission.hold($0, from: origin(1), now: .boot) }.isEmpty)
        }
        #expect(admission.deadline == at(1000))
        let held = admission.update(roster(), now: at(500))
        let decisions = held.map { held in
            held.packet.withUnsafeBytes { admission.receive(held, $0, now: at(500)) }
        }
        #expect(decisions == [.open(NamedPeer(peer: .inputKit, generation: 1)), .acceptFrames(.inputKit)])
        #expect(admission.deadline == nil)
        // A packet of another user is refused and does not wait.
        let stranger = origin(2, of: Credentials(pid: 7, uid: 1), by: 2)
        #expect(admission.receive(pass.packet, from: stranger) == .refuse(.notOnRoster(pid: 7, uid: 1)))
    }

    @Test("a flooding controller's connections end one second later")
    func flood() {
        var admission = admission(.sameUser(.controller), burst: 3)
        let controller = Peer(.controller, 1)
        admission.noteAccepted(1)
        let question = frame(.reportRequest).encoded()
        #expect(
            admission.receive(question, from: origin(1))
                == .acceptFirstFrames(NamedPeer(peer: controller, generation: 0)))
        _ = admission.permit(origin(1), as: NamedPeer(peer: controller, generation: 0), now: .boot)
        #expect(admission.count(frames: 3, from: origin(1), now: .boot) == nil)
        let flooding = Refusal.flooding(controller, limit: 10)
        #expect(admission.receive(question, from: origin(1)) == .hangUp(flooding, losing: controller))
        #expect(admission.receive(question, from: origin(1)) == .discard)
        #expect(admission.deadline == at(1000))
        #expect(admission.connection(of: controller) == nil)
        admission.noteAccepted(2)
        #expect(admission.receive(question, from: origin(2), at: at(500)) == .discard)
        #expect(admission.expire(now: at(999)).isEmpty && admission.takeConsequences().isEmpty)
        _ = admission.expire(now: at(1000))
        #expect(admission.takeConsequences() == [.init(origin: origin(1), decision: .end)])
        _ = admission.expire(now: at(1500))
        #expect(admission.takeConsequences() == [.init(origin: origin(2), decision: .end)])
        #expect(admission.deadline == nil)
    }

    @Test("a connection that has ended by itself is not ended again")
    func reusedDescriptor() {
        var admission = admission(.sameUser(.controller), burst: 1)
        let question = frame(.reportRequest).encoded()
        admission.noteAccepted(1)
        #expect(admission.receive(question, from: origin(1)) != .discard)
        let flooding = Refusal.flooding(Peer(.controller, 1), limit: 10)
        #expect(admission.receive(question, from: origin(1)) == .hangUp(flooding, losing: nil))
        // The listener has not learned of the end yet.
        admission.noteEnded(1)
        admission.noteAccepted(1)
        _ = admission.expire(now: at(1000))
        #expect(admission.takeConsequences() == [.init(origin: origin(1), decision: .discard)])
        #expect(admission.hasEndedConnections == true)
        admission.closeEndedConnections(now: at(1000))
        #expect(!admission.hasEndedConnections && admission.takeConsequences().isEmpty)
    }

    @Test("the later of two connections with one key replaces the earlier")
    func twins() throws {
        var admission = admission(.keys)
        let (first, second) = (origin(1, of: key, by: 1), origin(2, of: key, by: 2))
        let named = NamedPeer(peer: .app(9), generation: 0)
        let hello = RemoteHello(generation: 0, latestGeneration: 0, sent: .boot).packet
        #expect(admission.receive(frame(.hello).encoded(), from: first) == .refuse(.passNotShown(.app(9))))
        for origin in [first, second] {
            admission.noteAccepted(origin.descriptor)
            #expect(admission.receive(hello, from: origin) == .openAndWelcome(named))
        }
        #expect(admission.takeConsequences() == [.init(origin: first, decision: .replace(.app(9)))])
        #expect(admission.receive(hello, from: first) == .discard)
        #expect(admission.receive(hello, from: second) == .welcome(named))
        _ = admission.expire(now: at(1000))
        #expect(admission.takeConsequences() == [.init(origin: first, decision: .end)])
        #expect(admission.connection(of: .app(9)) == second)
        // A key that the core has hung up on receives the ban with each hello.
        admission.hangUp(on: .app(9), now: .boot)
        #expect(admission.takeConsequences() == [.init(origin: second, decision: .discard)])
        #expect(admission.receive(hello, from: second) == .notifyBan)
        #expect(admission.receive(frame(.hello).encoded(), from: second) == .discard)
    }

    @Test("a peer that does not read is lost once and disconnected")
    func unread() {
        var admission = admission(.sameUser(.controller))
        let named = NamedPeer(peer: Peer(.controller, 1), generation: 0)
        admission.noteAccepted(1)
        _ = admission.permit(origin(1), as: named, now: .boot)
        admission.hangUpOnUnread(origin(1).route, keeping: 20, of: 10, now: .boot)
        let refusal = Refusal.unread(named.peer, bytes: 20, limit: 10)
        let hangUp = PeerAdmission.Decision.hangUp(refusal, losing: named.peer)
        #expect(admission.takeConsequences() == [.init(origin: origin(1), decision: hangUp)])
        admission.hangUpOnUnread(origin(1).route, keeping: 20, of: 10, now: .boot)
        #expect(admission.takeConsequences().isEmpty)
        admission.noteEnded(1)
        admission.closeEndedConnections(now: .boot)
        #expect(admission.takeConsequences() == [.init(origin: origin(1), decision: .discard)])
        #expect(admission.deadline == nil)
    }
}

extension PeerAdmission {
    fileprivate mutating func receive(_ bytes: [UInt8], from origin: Origin, at now: Instant = .boot) -> Decision {
        bytes.withUnsafeBytes { receive($0, from: origin, at: connectionIndex(of: origin), now: now) }
    }
}
