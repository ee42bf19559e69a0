@testable import AppCore
import Basics
import HID
import Hosting
import Links
import Settings
import Testbed
import Testing
import UIKit
import Wire

@Suite("An app's link to the system server")
struct ServerLinkTests {
    @Test("an app sends ready once, after content and the server's hello")
    func ready() throws {
        let stage = try Stage(isConnected: false)
        #expect(stage.log.lines == ["launched", "layout"])
        stage.deliver(.connected(.systemServer))
        #expect(stage.sent(to: .systemServer).map(\.message) == [.hello])
        #expect(stage.sent(to: .supervisor) == [])
        stage.connect()
        #expect(stage.sent(to: .supervisor).map(\.message) == [.ready])
        stage.deliver(.peerLost(.systemServer))
        stage.connect(epoch: 8)
        #expect(stage.sent(to: .supervisor).map(\.message) == [.ready])
    }

    @Test("each frame gets one receipt with ledger, outcome and credit")
    func receipts() throws {
        let stage = try Stage([Setting("app.inboxCapacity", "5")])
        let first = stage.frame(.began)
        stage.deliver(.frame(first, from: .systemServer))
        stage.touch(.moved, finger: 1, 110, 100)
        stage.deliver(.frame(first, from: .systemServer))
        stage.touch(.ended, finger: 1, 110, 100)
        #expect(
            stage.receipts == [
                Receipt(frame: 3, outcome: .delivered, began: 1), Receipt(frame: 4, outcome: .delivered, moved: 1),
                Receipt(frame: 5, outcome: .delivered, ended: 1),
            ])
        let answer = try #require(stage.sent(to: .systemServer).first)
        #expect(answer.ack == 3)
        #expect(answer.credit == 5)
        #expect(answer.epoch == Stage.epoch)
        #expect(answer.generation == 3)
        #expect(answer.ledger.count == 5)
    }

    @Test("frames of another epoch or generation are ignored without a receipt")
    func fencing() throws {
        let stage = try Stage()
        for (epoch, generation) in [(6, 1), (7, 9)] as [(UInt32, UInt32)] {
            var frame = stage.frame(.began)
            (frame.epoch, frame.generation) = (epoch, generation)
            stage.deliver(.frame(frame, from: .systemServer))
        }
        #expect(stage.log.lines == [])
        #expect(stage.receipts == [])
        #expect(stage.report()?["frames.fenced"] == .number(2))
    }

    @Test("an app ignores frames before the server's hello")
    func beforeHello() throws {
        let stage = try Stage(isConnected: false)
        stage.touch(.began)
        stage.deliver(.connected(.systemServer))
        stage.touch(.began)
        #expect(stage.receipts == [])
        #expect(stage.log.lines == ["launched", "layout"])
    }

    @Test("losing the server cancels live touches once and sends no receipt")
    func serverLost() throws {
        let stage = try Stage()
        stage.touch(.began, finger: 1)
        stage.touch(.began, finger: 2, 200, 300)
        stage.clearRecords()
        stage.at(40)
        stage.deliver(.peerLost(.systemServer))
        stage.deliver(.peerLost(.systemServer))
        #expect(stage.log.lines == ["cancelled"])
        #expect(stage.receipts == [])
        #expect(stage.application.touchTracker.liveTouches.isEmpty)
    }

    @Test("a new epoch cancels old touches and counts its own frames")
    func newEpoch() throws {
        let stage = try Stage()
        stage.touch(.began)
        let stale = stage.frame(.moved)
        stage.clearRecords()
        stage.connect(epoch: 8, generation: 2)
        #expect(stage.log.lines == ["cancelled"])
        stage.deliver(.frame(stale, from: .systemServer))
        #expect(stage.receipts == [])
        stage.touch(.began, finger: 5)
        #expect(stage.log.lines == ["cancelled", "began"])
        #expect(stage.receipts == [Receipt(frame: 2, outcome: .delivered, began: 1)])
        #expect(stage.sent(to: .systemServer).last?.epoch == 8)
    }

    @Test("a repeated or older hello changes nothing")
    func anotherHello() throws {
        let stage = try Stage()
        stage.touch(.began)
        stage.clearRecords()
        stage.deliver(.frame(stage.server.frame(.hello), from: .systemServer))
        var old = LinkNumbers(epoch: 6, generation: 1)
        stage.deliver(.frame(old.frame(.hello), from: .systemServer))
        stage.touch(.moved)
        #expect(stage.log.lines == ["moved"])
        #expect(stage.report()?["epoch"] == .number(7))
    }

    @Test("an app repeats the same hello frame until it is answered")
    func greeting() throws {
        let stage = try Stage(isConnected: false)
        stage.deliver(.connected(.systemServer))
        stage.deliver(.timerFired(AppCore.helloTimer))
        #expect(stage.sent(to: .systemServer).map(\.sequence) == [1, 1])
        let hello = try #require(stage.sent(to: .systemServer).first)
        stage.server.welcome(hello, epoch: Stage.epoch)
        stage.deliver(.frame(stage.server.frame(.hello), from: .systemServer))
        stage.deliver(.timerFired(AppCore.helloTimer))
        #expect(stage.sent(to: .systemServer).count == 2)
        #expect(stage.sent(to: .supervisor).map(\.message) == [.ready])
    }

    @Test("an app answers a probe with its received and unanswered frames")
    func probe() throws {
        let stage = try Stage()
        stage.view.actions["began"] = { [unowned stage] in stage.loop.busy(until: .boot.advanced(by: .milliseconds(50)))
        }
        stage.touch(.began)
        stage.clearRecords()
        stage.touch(.moved)
        stage.deliver(.frame(stage.server.frame(.link(.probe)), from: .systemServer))
        let busy = try #require(stage.sent(to: .systemServer).last)
        #expect(busy.message == .link(.received(oldest: 4, missed: 0)))
        #expect(busy.ack == stage.server.sent)
        stage.run(until: 100)
        stage.deliver(.frame(stage.server.frame(.link(.probe)), from: .systemServer))
        #expect(stage.sent(to: .systemServer).last?.message == .link(.received(oldest: 0, missed: 0)))
    }

    @Test("an app ignores a repeated life-cycle change")
    func standing() throws {
        let stage = try Stage()
        for word in [LifeCycleChange.didBecomeActive, .willResignActive, .didEnterBackground] { stage.lifeCycle(word) }
        for word in [LifeCycleChange.willResignActive, .didEnterBackground] { stage.lifeCycle(word) }
        #expect(stage.log.lines == ["willResignActive", "didEnterBackground"])
    }

    @Test("an app makes up missing life-cycle steps in order")
    func lostWords() throws {
        let stage = try Stage()
        stage.lifeCycle(.didBecomeActive)
        stage.lifeCycle(.didEnterBackground)
        stage.lifeCycle(.didBecomeActive)
        #expect(
            stage.log.lines == ["willResignActive", "didEnterBackground", "willEnterForeground", "didBecomeActive"])
    }

    @Test("an unresponsive app cancels its touches and drops late frames")
    func unresponsive() throws {
        let stage = try Stage()
        stage.at(10)
        stage.touch(.began)
        stage.clearRecords()
        let waiting = [stage.frame(.moved), stage.frame(.ended), stage.frame(.began, finger: 2)]
        stage.at(900)
        for frame in waiting { stage.deliver(.frame(frame, from: .systemServer)) }
        #expect(stage.log.lines == ["cancelled"])
        #expect(stage.receipts.map(\.reason) == [.late, .late, .late])
        stage.clearRecords()
        stage.touch(.moved, finger: 2)
        stage.touch(.began, finger: 3)
        #expect(stage.log.lines == ["began"])
        #expect(stage.receipts.map(\.reason) == [.ignoredUntilLift, .none])
        // The app was idle for longer than the limit before this frame, and the frame is in time.
        stage.run(until: 5000)
        stage.touch(.moved, finger: 3, 120, 120)
        #expect(stage.log.lines == ["began", "moved"])
    }

    @Test("a frame behind a late frame is late as well")
    func lateBehindLate() throws {
        let stage = try Stage()
        stage.at(10)
        stage.touch(.began)
        stage.clearRecords()
        stage.at(100)
        let early = stage.frame(.moved)
        stage.at(780)
        let late = stage.frame(.ended)
        stage.at(900)
        for frame in [early, late] { stage.deliver(.frame(frame, from: .systemServer)) }
        #expect(stage.receipts.map(\.reason) == [.late, .late])
        #expect(stage.log.lines == ["cancelled"])
        stage.clearRecords()
        stage.at(910)
        stage.touch(.began, finger: 2)
        #expect(stage.log.lines == ["began"])
    }

    @Test("a recent landing on an idle app is in time")
    func inTime() throws {
        let stage = try Stage()
        stage.at(780)
        let landing = stage.frame(.began)
        stage.at(900)
        stage.deliver(.frame(landing, from: .systemServer))
        #expect(stage.log.lines == ["began"])
    }

    @Test(
        "a blocked main loop cancels touches and drops frames that came meanwhile",
        arguments: EventFetch.allCases)
    func keptMainLoop(place: EventFetch) throws {
        let stage = try Stage([Setting("app.eventFetch", place.rawValue)])
        stage.view.actions["began"] = { [unowned stage] in
            stage.loop.busy(until: .boot.advanced(by: .milliseconds(800)))
        }
        stage.touch(.began)
        stage.clearRecords()
        for moment in [100, 200, 700] {
            stage.run(until: moment)
            stage.touch(.moved)
        }
        stage.lifeCycle(.willResignActive)
        stage.run(until: 1000)
        #expect(stage.log.lines == ["cancelled", "willResignActive"])
        #expect(stage.receipts.filter { $0.outcome == .dropped }.map(\.reason) == [.late, .late, .late])
        #expect(stage.report()?["contacts.down"] == .number(0) && stage.report()?["quiet"] == .flag(true))
        stage.clearRecords()
        stage.view.actions = [:]
        stage.touch(.began, finger: 2)
        stage.run(until: 1100)
        #expect(stage.log.lines == ["began"])
    }

    @Test("scans merged into a frame become its coalesced touches")
    func history() throws {
        for delivery in ["immediate", "frameAligned"] {
            var samples: [Double] = []
            let stage = try Stage([Setting("app.delivery", delivery)])
            stage.touch(.began)
            stage.run(until: 100)
            stage.view.watched = { touch, event in
                samples = event?.coalescedTouches(for: touch)?.map { Double($0.location(in: nil).x) } ?? []
            }
            var frame = stage.frame(.moved, 140, 100)
            guard case .touches(var touches) = frame.message else { return }
            let contact = touches.contacts[0]
            for x in [110.0, 120, 130] {
                var earlier = contact
                earlier.position.x = Fixed(x)
                touches.history.append(TouchFrame(timeStamp: touches.timeStamp, contacts: [earlier]))
            }
            frame.message = .touches(touches)
            stage.deliver(.frame(frame, from: .systemServer))
            stage.run(until: 200)
            #expect(samples == [110, 120, 130, 140], "\(delivery)")
            #expect(stage.receipts.last?.moved == 1)
        }
    }

    @Test("frames handled after the server died get no receipt")
    func receiptsOfADeadLink() throws {
        let stage = try Stage()
        stage.view.actions["began"] = { [unowned stage] in stage.loop.busy(until: .boot.advanced(by: .milliseconds(50)))
        }
        stage.touch(.began)
        stage.clearRecords()
        stage.touch(.moved)
        stage.deliver(.peerLost(.systemServer))
        stage.connect(epoch: 9)
        stage.run(until: 100)
        #expect(stage.log.lines == ["moved", "cancelled"])
        #expect(stage.receipts == [])
    }

    @Test("an app's report names the last received frame, handled or not")
    func heard() throws {
        let stage = try Stage()
        stage.touch(.began)
        stage.lifeCycle(.willResignActive)
        #expect(stage.report()?["frames.received"] == .number(Int64(stage.server.sent)))
    }

    @Test("a gap in frames cancels touches and ignores them until they land")
    func gap() throws {
        let stage = try Stage()
        stage.touch(.began)
        _ = stage.frame(.ended)
        _ = stage.frame(.began)
        stage.clearRecords()
        stage.touch(.moved)
        stage.touch(.ended)
        stage.touch(.began, finger: 3)
        #expect(stage.log.lines == ["cancelled", "began"])
        #expect(
            stage.receipts == [
                Receipt(frame: 4, outcome: .dropped, reason: .lostOnLink),
                Receipt(frame: 5, outcome: .dropped, reason: .lostOnLink),
                Receipt(frame: 6, outcome: .dropped, reason: .ignoredUntilLift),
                Receipt(frame: 7, outcome: .dropped, reason: .ignoredUntilLift),
                Receipt(frame: 8, outcome: .delivered, began: 1),
            ])
        #expect(stage.report()?["frames.missing"] == .number(2))
    }

    @Test("a full inbox drops frames, answers them and cancels the touch")
    func fullInbox() throws {
        let stage = try Stage([Setting("app.inboxCapacity", "2")])
        stage.view.actions["began"] = { [unowned stage] in stage.loop.busy(until: .boot.advanced(by: .milliseconds(50)))
        }
        stage.touch(.began)
        stage.clearRecords()
        for _ in 0..<4 { stage.touch(.moved) }
        // With the first dropped frame the app ended the finger's touch.
        #expect(
            stage.receipts == [
                Receipt(frame: 6, outcome: .dropped, reason: .inboxFull),
                Receipt(frame: 7, outcome: .dropped, reason: .ignoredUntilLift),
            ])
        #expect(stage.sent(to: .systemServer).last?.credit == 0)
        stage.run(until: 100)
        #expect(stage.log.lines == ["moved", "moved", "cancelled"])
        #expect(stage.receipts.count == 4)
        #expect(stage.report()?["dropped"] == .number(1))
    }

    @Test("a life-cycle change stays behind the touches before it")
    func lifeCycleOrder() throws {
        let stage = try Stage()
        stage.view.actions["began"] = { [unowned stage] in stage.loop.busy(until: .boot.advanced(by: .milliseconds(50)))
        }
        stage.touch(.began)
        stage.touch(.cancelled)
        stage.lifeCycle(.willResignActive)
        stage.lifeCycle(.didEnterBackground)
        #expect(stage.log.lines == ["began"])
        stage.run(until: 60)
        #expect(stage.log.lines == ["began", "cancelled", "willResignActive", "didEnterBackground"])
        #expect(stage.report()?["applicationState"] == .text("background"))
    }

    @Test(
        "a stopped app notifies its delegate and exits", arguments: [true, false])
    func shutdown(bySupervisor: Bool) throws {
        let stage = try Stage()
        var supervisor = LinkNumbers(epoch: 7, generation: 1)
        stage.deliver(bySupervisor ? .frame(supervisor.frame(.shutdown), from: .supervisor) : .stopRequested)
        stage.deliver(.stopRequested)
        stage.touch(.began)
        #expect(stage.log.lines == ["willTerminate"])
        #expect(stage.effects == [.exit(status: 0)])
    }

    @Test("an app's report shows its state and whether work is pending")
    func report() throws {
        let stage = try Stage()
        var report = try #require(stage.report())
        #expect(report["state"] == .text("ready"))
        #expect(report["applicationState"] == .text("active"))
        #expect(report["epoch"] == .number(7))
        #expect(report["generation"] == .number(3))
        #expect(report["quiet"] == .flag(true))
        _ = stage.loop.schedule(at: .boot.advanced(by: .milliseconds(100)), every: nil, modes: [.common]) {}
        _ = stage.loop.schedule(
            at: .boot.advanced(by: .milliseconds(100)), every: .milliseconds(100), modes: [.common]
        ) {}
        stage.touch(.began)
        report = try #require(stage.report())
        #expect(report["quiet"] == .flag(false))
        #expect(report["touches.live"] == .number(1))
        #expect(report["timers.repeating"] == .number(1))
        stage.run(until: 150)
        stage.touch(.ended)
        report = try #require(stage.report())
        #expect(report["quiet"] == .flag(true))
        #expect(report["touches.live"] == .number(0))
        #expect(report["began"] == .number(1))
        #expect(report["ended"] == .number(1))
        #expect(report["frames"] == .number(2))
    }

    /// Checks law I1 and the law of receipts on links that lose, repeat and delay frames and that die.
    @Test(
        "on a faulty link frames get one receipt and touches one end",
        arguments: EventFetch.allCases)
    func laws(eventFetch: EventFetch) throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var chance = SeededGenerator(seed: seed)
            func percent(_ limit: Int) -> Bool { Int.random(in: 0..<100, using: &chance) < limit }
            let stage = try Stage([Setting("app.eventFetch", eventFetch.rawValue), Setting("app.inboxCapacity", "6")])
            stage.view.actions["moved"] = { [unowned stage] in
                if stage.now.nanoseconds % 7 == 0 { stage.loop.busy(until: stage.now.advanced(by: .milliseconds(60))) }
            }
            var down: [UInt32] = []
            var (finger, epoch) = (UInt32(0), Stage.epoch)
            var owed: Set<SequenceNumber> = []
            for moment in 1...200 {
                stage.run(until: moment * 10)
                if percent(2) {
                    stage.deliver(.peerLost(.systemServer))
                    epoch += 1
                    stage.connect(epoch: epoch)
                    down = []
                    owed = []
                    stage.forgetEffects()
                    continue
                }
                let frame: Frame
                if down.count < 4, percent(30) {
                    finger += 1
                    down.append(finger)
                    frame = stage.frame(.began, finger: finger)
                } else if let first = down.first, percent(30) {
                    down.removeFirst()
                    frame = stage.frame(percent(80) ? .ended : .cancelled, finger: first)
                } else if let some = down.randomElement(using: &chance) {
                    frame = stage.frame(.moved, finger: some)
                } else {
                    continue
                }
                owed.insert(frame.sequence)
                if percent(5) { continue }
                stage.deliver(.frame(frame, from: .systemServer))
                if percent(5) { stage.deliver(.frame(frame, from: .systemServer)) }
            }
            stage.run(until: 10_000)
            // No later frame shows the loss of the last one, so a probe asks about it.
            stage.deliver(.frame(stage.server.frame(.link(.probe)), from: .systemServer))
            stage.run(until: 10_100)
            stage.deliver(.peerLost(.systemServer))
            stage.run(until: 20_000)
            #expect(stage.receipts.map(\.frame).sorted() == owed.sorted(), "seed \(seed)")
            let report = try #require(stage.report())
            #expect(report["touches.live"] == .number(0), "seed \(seed)")
            #expect(report["quiet"] == .flag(true), "seed \(seed)")
            guard case .number(let began)? = report["began"], case .number(let ended)? = report["ended"],
                case .number(let cancelled)? = report["cancelled"]
            else { continue }
            #expect(began == ended + cancelled, "seed \(seed)")
        }
    }
}
