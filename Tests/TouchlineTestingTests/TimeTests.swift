import Foundation
import Testing
import TouchlineTesting
import UIKit

@Suite("TestPhone: time, and code that runs as the app's")
struct TimeTests {
    private let phone = TestPhone { CardViewController() }

    @Test("code in run is the app's: its application, its screen, its clock")
    func run() {
        let phone = phone
        let isShared = phone.run { UIApplication.shared === phone.application }
        #expect(isShared)
        let before = phone.run { CACurrentMediaTime() }
        phone.advance(by: .milliseconds(250))
        #expect(phone.run { CACurrentMediaTime() } - before == 0.25)
    }

    private struct Problem: Error, Equatable {}

    @Test("an error of code in run is thrown to the test")
    func failingRun() {
        #expect(throws: Problem.self) { try phone.run { throw Problem() } }
        #expect(phone.run { 7 } == 7)
    }

    @Test("an animation ends at its time, and then calls its completion")
    func animation() {
        let screen = phone.screen
        phone.run {
            UIView.animate(withDuration: 0.3) {
                screen.card.alpha = 0
            } completion: { _ in
                screen.hear("done")
            }
        }
        phone.advance(by: .milliseconds(299))
        #expect(screen.events == [])
        #expect(phone.advanceUntilIdle())
        #expect(screen.events == ["done"])
        #expect(phone.time == .milliseconds(300))
    }

    private final class Ticker: NSObject {
        var count = 0
        func tick(_ link: CADisplayLink) { count += 1 }
    }

    @Test("a display link does not keep an app busy")
    func displayLink() {
        let ticker = Ticker()
        phone.run {
            CADisplayLink(target: ticker, selector: Selector("tick", Ticker.tick)).add(to: .main, forMode: .common)
        }
        #expect(phone.advanceUntilIdle())
        phone.advance(by: .seconds(1))
        #expect((60...61).contains(ticker.count), "\(ticker.count)")
    }

    @Test("waiting for a condition ends when it holds, or with the patience")
    func condition() throws {
        let screen = phone.screen
        try phone.tap("card")
        #expect(phone.advance(until: { screen.events == ["open"] }))
        #expect(phone.time < .milliseconds(500))
        phone.patience = .milliseconds(100)
        #expect(!phone.advance(until: { false }))
        let time = phone.time
        #expect(phone.advance(until: { phone.time >= time + .milliseconds(50) }))
    }
}

@Suite("TestPhone: the system around the app")
struct SystemTests {
    private let phone = TestPhone { CardViewController() }

    @Test("a call takes the touch away, and the app becomes active again after it")
    func call() throws {
        try phone.touchDown("card")
        phone.advance(by: .milliseconds(600))
        #expect(phone.screen.events == ["menu"])
        phone.receiveCall()
        #expect(phone.application.applicationState == .inactive)
        try phone.touchUp()
        phone.endCall()
        #expect(phone.application.applicationState == .active)
        try phone.tap(.text("Save"))
        #expect(phone.screen.events == ["menu", "saved"])
    }

    @Test("lock, home and their opposites move the app to the background and back")
    func background() {
        phone.lock()
        #expect(phone.application.applicationState == .background)
        phone.unlock()
        #expect(phone.application.applicationState == .active)
        phone.pressHome()
        #expect(phone.application.applicationState == .background)
        phone.openApp()
        #expect(phone.application.applicationState == .active)
    }

    @Test(
        "in each orientation gestures and places are the interface's",
        arguments: [UIInterfaceOrientation.portrait, .landscapeLeft, .landscapeRight, .portraitUpsideDown])
    func orientation(_ orientation: UIInterfaceOrientation) throws {
        phone.rotate(to: orientation)
        let size = phone.application.windows[0].bounds.size
        #expect((size.width > size.height) == orientation.isLandscape)
        try phone.tap(.text("Save"))
        let before = phone.screen.card.center
        try phone.drag(.view(phone.screen.card), at: CGPoint(x: 50, y: 20), by: CGVector(dx: 40, dy: 0))
        #expect(phone.screen.events == ["saved", "moved"])
        #expect(phone.screen.card.center == CGPoint(x: before.x + 30, y: before.y))
    }

    @Test("a killed app is gone, and launches again with new content")
    func kill() throws {
        let first = phone.screen
        try phone.touchDown("card")
        phone.kill()
        #expect(!phone.isRunning && phone.isIdle)
        #expect(throws: PhoneError.notRunning) { try phone.tap("card") }
        #expect(throws: PhoneError.notRunning) { try phone.swipe(.point(100, 300), .up) }
        #expect(throws: PhoneError.notRunning) { try phone.shake() }
        try phone.touchUp()
        phone.launch()
        #expect(phone.screen !== first)
        try phone.doubleTap("card")
        #expect(phone.screen.events == ["zoom"] && first.events == [])
    }

    @Test(
        "a swipe from the bottom edge goes home with system gestures, and is the app's without",
        arguments: [true, false])
    func edge(isSystems: Bool) throws {
        let phone = TestPhone(settings: ["systemGesture.enabled": "\(isSystems)"]) { CardViewController() }
        let swipe = try phone.edgeSwipe(from: .bottom)
        phone.advance(by: .seconds(1))
        #expect(phone.application.applicationState == (isSystems ? .background : .active))
        #expect(phone.receipt(of: swipe).contains("system gesture") == isSystems, "\(phone.receipt(of: swipe))")
    }
}

@Suite("TestPhone: traces and receipts")
struct ReportTests {
    private let phone = TestPhone { CardViewController() }

    @Test("the receipt of a gesture names the view, the recognizers and the cause")
    func receipt() throws {
        let gesture = try phone.doubleTap("card")
        let text = phone.receipt(of: gesture)
        let last = try #require(text.split(separator: "\n").last)
        #expect(last.hasPrefix("  so: ") && last.contains("zoom"), "\(text)")
        #expect(
            text.hasPrefix("finger 1 at 187.5,300.0, down for 80.000 ms: app1, UIView \"card\" in UIWindow"), "\(text)")
    }

    @Test("a receipt says why nothing happened")
    func nothing() throws {
        let gesture = try phone.tap(.point(350, 650))
        #expect(phone.receipt(of: gesture).contains("  nothing: "), "\(phone.receipt(of: gesture))")
        #expect(phone.explain(phone.screen.card) == "no finger landed on UIView \"card\"; a touch at its center would")
        phone.patience = .zero
        phone.run { phone.screen.card.isHidden = true }
        let time = phone.time
        #expect(phone.explain(phone.screen.card).hasSuffix("it is hidden"))
        #expect(phone.time == time)
    }

    @Test("explain has the fingers that landed on the view, and only those")
    func explain() throws {
        try phone.tap("card")
        try phone.tap(.text("Save"))
        phone.advanceUntilIdle()
        #expect(phone.explain(phone.screen.card).contains("open"))
        #expect(!phone.explain(phone.screen.card).contains("Save"))
    }

    @Test("the trace since a gesture begins with its first scan")
    func trace() throws {
        try phone.tap(.text("Save"))
        let second = try phone.tap("card")
        let trace = phone.trace(since: second)
        #expect(trace.first?.contains("input-kit") == true, "\(trace.first ?? "none")")
        #expect(trace.count < phone.trace.count)
        #expect(phone.trace.count(where: { $0.contains("contact 1 down") }) == 2)
    }
}
