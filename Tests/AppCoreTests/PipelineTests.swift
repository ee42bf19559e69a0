@testable import AppCore
import Basics
import Foundation
import HID
import Settings
import Testbed
import Testing
import Trace
import UIKit
import Wire

@Suite("An event's way through an app")
struct PipelineTests {
    static let way: [Station] = [.inbox, .source1, .source0, .queue, .loop]

    @Test("a message wakes the fetch loop, which wakes the main loop", arguments: ["loop", "thread"])
    func twoLoops(eventFetch: String) throws {
        let stage = try Stage([Setting("app.eventFetch", eventFetch)])
        stage.loop.probes = [.source1, .wake, .source0, .beforeWaiting]
        stage.touch(.began)
        expectTrace(
            stage.lines(at: Self.way),
            matches: """
                inbox    #1, depth 1
                loop     loop source1
                source1  fetch loop woke
                source0  main loop signalled
                loop     loop wake
                loop     loop source0
                queue    one event, none coalesced
                loop     loop beforeWaiting
                """)
        #expect(stage.log.lines == ["began"])
    }

    @Test("with one loop the main loop serves the port itself")
    func oneLoop() throws {
        let stage = try Stage([Setting("app.eventFetch", "main")])
        stage.loop.probes = [.source1, .wake, .source0, .beforeWaiting]
        stage.touch(.began)
        expectTrace(
            stage.lines(at: Self.way),
            matches: """
                inbox    #1, depth 1
                loop     loop source1
                source1  main loop woke
                source0  main loop signalled
                loop     loop source0
                queue    one event, none coalesced
                loop     loop beforeWaiting
                """)
        #expect(stage.log.lines == ["began"])
    }

    @Test("an app records no probes unless requested")
    func noProbes() throws {
        let stage = try Stage()
        stage.touch(.began)
        #expect(stage.facts.allSatisfy { !$0.isProbe })
        #expect(stage.facts.filter { $0.station == .loop }.isEmpty)
    }

    @Test(
        "waiting events are handled in order in one source0 callout",
        arguments: EventFetch.allCases)
    func fifo(eventFetch: EventFetch) throws {
        let stage = try Stage([Setting("app.eventFetch", eventFetch.rawValue)])
        stage.loop.probes = [.source0, .beforeWaiting]
        stage.view.actions["began"] = { [unowned stage] in stage.loop.busy(until: .boot.advanced(by: .milliseconds(50)))
        }
        stage.touch(.began)
        stage.clearRecords()
        for (moment, phase) in [(10, TouchContact.Phase.moved), (20, .moved), (30, .ended)] {
            stage.at(moment)
            stage.touch(phase, finger: 1, Double(moment) + 100, 100)
        }
        #expect(stage.log.lines == [])
        #expect(stage.receipts == [])
        stage.run(until: 100)
        #expect(stage.log.lines == ["moved", "moved", "ended"])
        #expect(
            stage.lines(at: [.loop, .queue]) == [
                "loop     loop source0", "queue    3 events, none coalesced", "loop     loop beforeWaiting",
            ])
        #expect(stage.receipts.map(\.frame) == [4, 5, 6])
    }

    @Test("a timer's layout changes are laid out before the next wait")
    func timerThenWait() throws {
        let stage = try Stage()
        stage.loop.probes = [.timers, .beforeWaiting]
        let view = stage.view
        _ = stage.loop.schedule(at: .boot.advanced(by: .milliseconds(500)), every: nil, modes: [.common]) {
            view.setNeedsLayout()
            stage.log.lines.append("fired")
        }
        stage.touch(.began)
        stage.clearRecords()
        stage.run(until: 500)
        #expect(stage.lines(at: [.loop]) == ["loop     loop timers", "loop     loop beforeWaiting"])
        #expect(stage.log.lines == ["fired", "layout"])
    }

    @Test("a touch handler's layout changes are laid out once afterwards")
    func layoutAfterTouch() throws {
        let stage = try Stage()
        stage.view.actions["began"] = { [unowned stage] in stage.view.setNeedsLayout() }
        stage.touch(.began)
        #expect(stage.log.lines == ["began", "layout"])
    }

    @Test(
        "a late main thread handles waiting events before its timers",
        arguments: [EventFetch.loop, .main])
    func lateMainThread(eventFetch: EventFetch) throws {
        let stage = try Stage([Setting("app.eventFetch", eventFetch.rawValue)])
        stage.view.actions["began"] = { [unowned stage] in
            _ = stage.loop.schedule(at: .boot.advanced(by: .milliseconds(30)), every: nil, modes: [.common]) {
                stage.log.lines.append("long press")
            }
            stage.loop.busy(until: .boot.advanced(by: .milliseconds(90)))
        }
        stage.touch(.began)
        stage.at(60)
        stage.touch(.ended)
        #expect(stage.log.lines == ["began"])
        stage.run(until: 200)
        #expect(stage.log.lines == ["began", "ended", "long press"])
    }

    @Test("default-mode timers wait during tracking, and common-mode timers fire")
    func trackingMode() throws {
        let stage = try Stage()
        var fires: [String] = []
        for mode in [Foundation.RunLoop.Mode.default, .common] {
            let first = Instant.boot.advanced(by: .milliseconds(100))
            _ = stage.loop.schedule(at: first, every: .milliseconds(100), modes: [mode]) {
                fires.append("\(mode == .common ? "common" : "default") \(stage.now.nanoseconds / 1_000_000)")
            }
        }
        stage.touch(.began)
        stage.run(until: 250)
        #expect(fires == ["default 100", "common 100", "default 200", "common 200"])
        fires = []
        stage.view.actions["moved"] = { [unowned stage] in
            stage.view.actions = [:]
            stage.loop.pushMode(.tracking)
        }
        stage.touch(.moved)
        stage.run(until: 650)
        #expect(fires == ["common 300", "common 400", "common 500", "common 600"])
        fires = []
        stage.view.actions["ended"] = { [unowned stage] in stage.loop.popMode(.tracking) }
        stage.touch(.ended)
        stage.run(until: 850)
        // A firing that fell due during the drag comes at once, one for all missed firings.
        #expect(fires == ["default 650", "common 700", "default 700", "common 800", "default 800"])
    }

    @Test("tracking mode serves the main queue and delays default-mode blocks")
    func mainQueueWhileTracking() throws {
        let stage = try Stage()
        stage.view.actions["began"] = { [unowned stage] in stage.loop.pushMode(.tracking) }
        stage.view.actions["moved"] = { [unowned stage] in
            stage.loop.perform(modes: [.default]) { stage.log.lines.append("default block") }
            stage.loop.perform(modes: [.tracking]) { stage.log.lines.append("tracking block") }
            stage.loop.async { stage.log.lines.append("main queue") }
        }
        stage.view.actions["ended"] = { [unowned stage] in stage.loop.popMode(.tracking) }
        stage.touch(.began)
        stage.clearRecords()
        stage.touch(.moved)
        #expect(stage.log.lines == ["moved", "tracking block", "main queue"])
        stage.touch(.ended)
        #expect(stage.log.lines == ["moved", "tracking block", "main queue", "ended", "default block"])
    }

    @Test("a nested run leaves queued events to the outer run")
    func nestedRun() throws {
        let stage = try Stage()
        stage.view.actions["began"] = { [unowned stage] in stage.loop.busy(until: .boot.advanced(by: .milliseconds(10)))
        }
        stage.touch(.began)
        stage.clearRecords()
        stage.runsLoop(in: "moved")
        stage.touch(.moved)
        stage.touch(.ended)
        stage.run(until: 20)
        #expect(stage.log.lines == ["moved", "main queue", "nested run handledSource", "ended"])
        #expect(stage.loop.depth == 1)
        #expect(stage.receipts.count == 2)
    }

    @Test("a nested run with nothing pending times out at once")
    func nestedRunTimesOut() throws {
        let stage = try Stage()
        stage.view.actions["began"] = { [unowned stage] in
            let result = stage.loop.run(mode: .default, before: .never)
            stage.log.lines.append("nested run \(result)")
        }
        stage.touch(.began)
        #expect(stage.log.lines == ["began", "nested run timedOut"])
    }

    @Test("one host timer is armed for the earliest loop timer")
    func hostTimer() throws {
        let stage = try Stage()
        func milliseconds(_ count: Int) -> Instant { .boot.advanced(by: .milliseconds(count)) }
        #expect(stage.armed == nil)
        var fired: [Int] = []
        for moment in [300, 100, 200] {
            _ = stage.loop.schedule(at: milliseconds(moment), every: nil, modes: [.common]) { fired.append(moment) }
        }
        let gone = stage.loop.schedule(at: milliseconds(50), every: nil, modes: [.common]) { fired.append(50) }
        stage.loop.invalidate(gone)
        stage.touch(.began)
        #expect(stage.armed == milliseconds(100))
        stage.run(until: 1000)
        #expect(fired == [100, 200, 300])
        #expect(stage.armed == nil)
    }

    @Test("an app whose loop never rests still receives touches")
    func restlessApp() throws {
        let stage = try Stage()
        func again() { stage.loop.async(again) }
        again()
        stage.touch(.began)
        #expect(stage.log.lines == ["began"])
        stage.run(until: 1)
        #expect(stage.armed != nil)
        stage.touch(.ended)
        #expect(stage.log.lines == ["began", "ended"])
        #expect(stage.receipts.count == 2)
    }
}
