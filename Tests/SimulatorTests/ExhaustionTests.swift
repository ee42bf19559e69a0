import Basics
import HID
import Hosting
import Simulator
import SystemServerCore
import Testing
import Trace
import Wire

@Suite("Exhaustive orders of a small group's events")
struct ExhaustionTests {

    @Test("one touch and one death break no law in any order")
    func oneFinger() {
        expectNothing(in: Exhaustion.run(scope: .init(apps: 1, fingers: 1, crashes: 1, acts: 1, scans: 3, steps: 8)))
    }

    @Test("two touches break no law in any order")
    func twoFingers() {
        expectNothing(in: Exhaustion.run(scope: .init(apps: 1, fingers: 2, crashes: 0, acts: 0, scans: 4, steps: 12)))
    }

    @Test("two touches, two apps, one death break no law in any order")
    func everything() {
        expectNothing(in: Exhaustion.run(scope: .init(apps: 2, fingers: 2, crashes: 1, acts: 1, scans: 2, steps: 8)))
    }

    @Test("exhaustion explores the same orders each time")
    func same() {
        let scope = Exhaustion.Scope(apps: 2, fingers: 1, crashes: 1, acts: 0, steps: 4)
        let (one, other) = (Exhaustion.run(scope: scope), Exhaustion.run(scope: scope))
        #expect(one == other)
        #expect(one.interleavings > UInt64(one.states), "orders that lead to one state are counted, and tried once")
    }

    @Test("exhaustion finds a server that loses a lift, with the shortest path")
    func forgottenTerminal() throws {
        let summary = Exhaustion.run(scope: .init(apps: 1, fingers: 1, crashes: 0, acts: 0, steps: 4)) {
            Mistaken(core: SystemServerCore(settings: $0, order: $1), how: .forgetsTerminals)
        }
        let found = try #require(summary.violations.first { $0.law == "I1" })
        #expect(found.text == "app1 at rest: 1 touches never ended")
        #expect(found.path == ["finger 0 lands", "finger 0 lifts", "everything else, to the end"])
    }

    @Test("exhaustion finds a server that ignores an app's death")
    func unnoticedDeath() {
        let summary = Exhaustion.run(scope: .init(apps: 1, fingers: 1, crashes: 1, acts: 0, steps: 5)) {
            Mistaken(core: SystemServerCore(settings: $0, order: $1), how: .ignoresDeaths)
        }
        #expect(summary.violations.contains { $0.text == "system-server sent touches to app1, which had ended" })
    }

    @Test("exhaustion finds a server that answers a scan twice")
    func answeredTwice() {
        let summary = Exhaustion.run(scope: .init(apps: 1, fingers: 1, crashes: 0, acts: 0, steps: 3)) {
            Mistaken(core: SystemServerCore(settings: $0, order: $1), how: .answersTwice)
        }
        #expect(summary.violations.contains { $0.law == "I4" })
    }

    @Test("exhaustion finds a server that forgets the moves of a shared frame, with the shortest path")
    func forgottenSharedMoves() throws {
        let summary = Exhaustion.run(scope: .init(apps: 1, fingers: 1, crashes: 0, acts: 0, steps: 4)) {
            Mistaken(core: SystemServerCore(settings: $0, order: $1), how: .forgetsSharedMoves)
        }
        let found = try #require(summary.violations.first { $0.law == "I4" })
        // The landing's receipt comes first: an app's window has room for two scans.
        #expect(
            found.path == [
                "finger 0 lands", "system-server receives from input-kit", "system-server receives from app1",
                "finger 0 moves twice at once", "everything else, to the end",
            ])
    }

    private func expectNothing(in summary: Exhaustion.Summary, at location: SourceLocation = #_sourceLocation) {
        #expect(summary.states > 1 && summary.endings > 0, sourceLocation: location)
        for violation in summary.violations {
            let path = violation.path.joined(separator: "\n    ")
            Issue.record("\(violation.law) \(violation.text)\n    \(path)", sourceLocation: location)
        }
    }
}

/// A server with a mistake.
private struct Mistaken: ProcessCore {
    enum Mistake { case forgetsTerminals, forgetsSharedMoves, ignoresDeaths, answersTwice }

    var core: any ProcessCore
    let how: Mistake
    private var inner = Outbox()

    init(core: any ProcessCore, how: Mistake) {
        (self.core, self.how) = (core, how)
        inner.trace.isEnabled = false
    }

    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        if how == .ignoresDeaths, case .peerLost(let peer) = input, peer.role == .app { return }
        core.handle(input, at: now, into: &inner)
        inner.trace.removeFacts()
        for effect in inner.drain() {
            guard case .send(var frame, let peer) = effect else {
                outbox.append(effect)
                continue
            }
            if how == .forgetsTerminals, case .touches(var touches) = frame.message {
                for place in touches.contacts.indices where touches.contacts[place].phase == .ended {
                    touches.contacts[place].phase = .stationary
                }
                frame.message = .touches(touches)
            }
            if how == .forgetsSharedMoves, case .severalTouches = frame.message { continue }
            outbox.append(.send(frame, to: peer))
            guard how == .answersTwice, case .handled = frame.message else { continue }
            outbox.append(.send(frame, to: peer))
        }
    }
}
