import Basics
import Foundation
import HID
import Hosting
import Links
import Testbed
import Testing
import Trace
import UIKit
import Wire

@testable import AppCore

@Suite("Frame-aligned delivery of events")
struct CadenceTests {
    /// Makes a stage with frame-aligned delivery. At 60 Hz frames are due at 1000, 1016.667, 1033.333, 1050 ms …
    private func stage(_ more: Setting...) throws -> Stage {
        let stage = try Stage([Setting("app.delivery", "frameAligned")] + more)
        stage.clearRecords()
        return stage
    }

    @Test("a frame-aligned event waits for the next display frame")
    func waits() throws {
        let stage = try stage()
        stage.at(1000)
        stage.touch(.began)
        #expect(stage.log.lines == ["began"])
        stage.at(1001)
        stage.touch(.moved, 101)
        #expect(stage.armed == Instant(nanoseconds: 1_016_666_666))
        stage.run(until: 1016)
        #expect(stage.log.lines == ["began"])
        #expect(stage.report()?["quiet"] == .flag(false))
        stage.run(until: 1017)
        #expect(stage.log.lines == ["began", "moved"])
        #expect(stage.armed == nil, "nothing ticks when nothing waits")
        #expect(stage.report()?["quiet"] == .flag(true))
    }

    @Test("S95: only moves between two display frames merge into one event")
    func coalesced() throws {
        let stage = try stage()
        var merged: [Int] = []
        stage.view.actions["moved"] = {
            let event = stage.application.touchTracker.event
            merged.append(event.coalescedTouches(for: event.touches[0])?.count ?? 0)
        }
        stage.at(1001)
        stage.touch(.began)
        stage.at(1003)
        stage.touch(.moved, 101)
        stage.at(1005)
        stage.touch(.moved, 102)
        stage.at(1007)
        stage.touch(.moved, 103)
        stage.at(1009)
        stage.touch(.ended, 103)
        stage.at(1011)
        stage.touch(.began, finger: 2)
        stage.run(until: 1020)
        #expect(stage.log.lines == ["began", "moved", "ended", "began"])
        #expect(merged == [3])
        #expect(stage.receipts.map(\.moved) == [0, 0, 0, 1, 0, 0], "each frame is answered once, merged or not")
        #expect(stage.receipts.map(\.outcome) == Array(repeating: .delivered, count: 6))
        #expect(
            stage.lines(at: [.queue]) == ["queue    6 events, 2 coalesced"])
    }

    @Test("with lowLatencyBegan a landing is delivered at once, after earlier events")
    func hurriedLandings() throws {
        let stage = try stage(Setting("app.lowLatencyBegan", "true"))
        stage.at(1001)
        stage.touch(.began)
        #expect(stage.log.lines == ["began"])
        stage.at(1003)
        stage.touch(.moved, 101)
        #expect(stage.log.lines == ["began"])
        stage.at(1004)
        stage.touch(.began, finger: 2)
        #expect(stage.log.lines == ["began", "moved", "began"])
    }

    @Test("a life-cycle change is delivered at once, after an earlier cancel")
    func lifeCycle() throws {
        let stage = try stage()
        stage.at(1001)
        stage.touch(.began)
        stage.touch(.cancelled)
        stage.lifeCycle(.willResignActive)
        #expect(stage.log.lines == ["began", "cancelled", "willResignActive"])
    }

    @Test("display frames follow screen.refreshRate, which frame.rate overrides")
    func rates() throws {
        for (setting, due) in [
            (Setting("screen.refreshRate", "120"), 1_008_333_333), (Setting("frame.rate", "30"), 1_033_333_333),
        ] as [(Setting, Int64)] {
            let stage = try stage(setting)
            stage.at(1001)
            stage.touch(.began)
            #expect(stage.armed == Instant(nanoseconds: due))
        }
    }

    @Test("a busy main thread gets one display frame for all it missed")
    func lateFrame() throws {
        let stage = try stage()
        stage.at(1001)
        stage.touch(.began)
        stage.view.actions["began"] = { stage.loop.busy(until: Instant(nanoseconds: 1_100_000_000)) }
        stage.run(until: 1017)
        for step in 0..<5 {
            stage.at(1020 + step * 16)
            stage.touch(.moved, 101 + Double(step))
        }
        stage.run(until: 1200)
        #expect(stage.log.lines == ["began", "moved"])
    }

    @Test("keys and touches keep their order within a display frame")
    func keys() throws {
        let stage = try stage()
        stage.at(1001)
        stage.touch(.began)
        stage.touch(.moved, 101)
        let input = DeviceEvent<SceneSpace>(
            timeStamp: stage.now, input: DeviceInput(.began, .key(HIDUsage(page: 12, usage: 64))))
        stage.deliver(.frame(stage.server.frame(.input(input)), from: .systemServer))
        stage.touch(.moved, 102)
        stage.run(until: 1020)
        #expect(stage.log.lines == ["began", "moved", "moved"], "a key stands between the moves")
        #expect(stage.receipts.count == 4)
    }

    // MARK: Display links

    private final class Ticks: NSObject {
        var lines: [String] = []
        var link: CADisplayLink?
        @Sendable static func tick(_ ticks: Ticks) -> (CADisplayLink) -> Void {
            { link in ticks.lines.append("\(Int((link.timestamp * 1000).rounded()))") }
        }
    }

    private func link(in stage: Stage, _ ticks: Ticks) -> CADisplayLink {
        UIApplication.run(as: stage.application) {
            let link = CADisplayLink(target: ticks, selector: Selector("tick:", Ticks.tick))
            stage.application.now = stage.now
            link.add(to: .main, forMode: .common)
            return link
        }
    }

    @Test(
        "a display link fires each frame after the events of that frame",
        arguments: [
            "immediate", "frameAligned",
        ])
    func displayLink(delivery: String) throws {
        let stage = try Stage([Setting("app.delivery", delivery)])
        stage.clearRecords()
        let ticks = Ticks()
        stage.at(1001)
        let link = link(in: stage, ticks)
        stage.view.actions["began"] = { [view = stage.view] in
            ticks.lines.append("began")
            view.setNeedsLayout()
        }
        stage.view.actions["layout"] = { ticks.lines.append("layout") }
        stage.at(1016)
        stage.touch(.began)
        stage.run(until: 1051)
        let expected =
            delivery == "immediate"
            ? ["began", "layout", "1017", "1033", "1050"] : ["began", "1017", "layout", "1033", "1050"]
        #expect(ticks.lines == expected)
        #expect(stage.report()?["quiet"] == .flag(true), "a link is like a repeating timer")
        link.invalidate()
        stage.run(until: 1100)
        #expect(ticks.lines.count == 5)
        #expect(stage.armed == nil)
    }

    @Test("a paused display link costs no frames, a slower one skips some")
    func pausedLink() throws {
        let stage = try stage()
        let ticks = Ticks()
        stage.at(1001)
        let link = link(in: stage, ticks)
        link.preferredFramesPerSecond = 20
        stage.deliver(.timerFired(AppCore.loopTimer))
        stage.run(until: 1140)
        #expect(ticks.lines == ["1050", "1100"])
        #expect((link.targetTimestamp * 1000).rounded() == 1150)
        link.isPaused = true
        stage.run(until: 1300)
        #expect(ticks.lines.count == 2)
        #expect(stage.armed == nil)
        UIApplication.run(as: stage.application) { link.isPaused = false }
        stage.at(1301)
        stage.deliver(.timerFired(AppCore.loopTimer))
        stage.run(until: 1360)
        #expect(ticks.lines == ["1050", "1100", "1350"])
    }

    // MARK: The clock

    @Test("display frames are whole fractions of a second since boot")
    func clock() {
        let clock = FrameClock(rate: 60)
        #expect(clock.time(of: 1) == Instant(nanoseconds: 16_666_666))
        #expect(clock.time(of: 60) == Instant(nanoseconds: 1_000_000_000))
        for frame in [0, 1, 59, 60, 61, 1_000_001, 500_000_000_000] as [Int64] {
            let time = clock.time(of: frame)
            #expect(clock.frame(from: time) == frame)
            #expect(clock.frame(from: time.advanced(byNanoseconds: 1)) == frame + 1)
        }
        #expect(clock.frame(from: Instant(nanoseconds: -5)) == 0)
    }
}

@Suite("Keys in the app's queue")
struct DeviceQueueTests {
    @Test("a device input in the app's queue gets one receipt")
    func answered() throws {
        let stage = try Stage()
        let input = DeviceEvent<SceneSpace>(timeStamp: stage.now, input: DeviceInput(.began, .shake))
        stage.deliver(.frame(stage.server.frame(.input(input), ledger: Ledger(device: stage.now)), from: .systemServer))
        #expect(stage.receipts.map(\.outcome) == [.delivered])
        #expect(stage.report()?["inputs.held"] == .number(1))
    }

    @Test("a shake with missing frames is cancelled, and each frame answered once")
    func shakeWithGap() throws {
        let stage = try Stage()
        func say(_ phase: InputPhase) -> Frame {
            stage.server.frame(.input(DeviceEvent(timeStamp: stage.now, input: DeviceInput(phase, .shake))))
        }
        stage.deliver(.frame(say(.began), from: .systemServer))
        _ = say(.ended)
        stage.deliver(.frame(say(.ended), from: .systemServer))
        let heard = stage.lines(at: [.responder]).compactMap { $0.split(separator: " ").last }
        #expect(heard == ["motionBegan", "motionCancelled"])
        #expect(stage.receipts.map(\.outcome) == [.delivered, .dropped, .delivered])
        #expect(Set(stage.receipts.map(\.frame)).count == 3)
        #expect(stage.report()?["inputs.held"] == .number(0))
    }

    @Test("losing the server cancels pressed keys")
    func lostServer() throws {
        let stage = try Stage()
        let input = DeviceEvent<SceneSpace>(
            timeStamp: stage.now, input: DeviceInput(.began, .key(HIDUsage(page: 12, usage: 64))))
        stage.deliver(.frame(stage.server.frame(.input(input)), from: .systemServer))
        #expect(stage.application.devices.presses.event.presses.count == 1)
        stage.deliver(.peerLost(.systemServer))
        #expect(stage.application.devices.presses.event.presses.isEmpty)
        #expect(stage.report()?["inputs.held"] == .number(0))
    }
}
