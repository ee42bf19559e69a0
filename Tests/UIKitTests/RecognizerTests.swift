import Foundation
import Testbed
import Testing
import TouchlineTesting

@testable import UIKit

private final class Asked: NSObject, UIGestureRecognizerDelegate {
    let log: Log
    let name: String
    var receivesEvent = true
    var receivesTouch = true
    init(_ name: String, _ log: Log) { (self.name, self.log) = (name, log) }

    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive event: UIEvent) -> Bool {
        log.add("\(name) event")
        return receivesEvent
    }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        log.add("\(name) touch \((touch.gestureRecognizers ?? []).compactMap(\.name))")
        return receivesTouch
    }
}

private final class Choosy: UIGestureRecognizer {
    var asked = 0
    override func shouldReceive(_ event: UIEvent) -> Bool {
        asked += 1
        return true
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { state = .failed }
}

@Suite("Collection of recognizers for a touch")
struct RecognizerTests {
    let stage = Stage()
    let a, c, d, e: ProbeView

    init() {
        a = stage.view("A", 0, 0, 375, 667)
        c = stage.view("C", 0, 0, 300, 300, in: a)
        d = stage.view("D", 0, 0, 200, 200, in: c)
        e = stage.view("E", 200, 0, 100, 300, in: c)
    }

    private func add(_ name: String, to view: UIView, _ delegate: Asked? = nil) -> UIGestureRecognizer {
        let recognizer = UIGestureRecognizer()
        recognizer.name = name
        recognizer.delegate = delegate
        view.addGestureRecognizer(recognizer)
        return recognizer
    }

    private var collected: [String] {
        stage.app.touchTracker.liveTouches.first?.gestureRecognizers?.compactMap(\.name) ?? []
    }

    @Test("the defaults of UIGestureRecognizer are Apple's")
    func defaults() {
        let recognizer = UIGestureRecognizer()
        #expect(recognizer.isEnabled && recognizer.cancelsTouchesInView && recognizer.delaysTouchesEnded)
        #expect(!recognizer.delaysTouchesBegan && recognizer.requiresExclusiveTouchType)
        #expect(recognizer.state == .possible && UIGestureRecognizer.State.recognized == .ended)
        #expect(recognizer.name == nil && recognizer.view == nil && recognizer.allowedPressTypes.isEmpty)
        #expect(recognizer.canPrevent(recognizer) && recognizer.canBePrevented(by: recognizer))
    }

    @Test("S04: recognizers are collected from the hit view outwards, asking delegates")
    func grows() {
        let delegates = ["D.tap", "C.tap", "A.tap"].map { Asked($0, stage.log) }
        for view in [a, c, d, e] { view.logsTouches = false }
        let recognizers = zip([d, c, a], delegates).map { add($1.name, to: $0, $1) }
        let window = add("window", to: stage.window)
        stage.frame(.down(1, 50, 50))
        #expect(
            stage.log.drain() == [
                "D.tap event", "D.tap touch []", "C.tap event", "C.tap touch [\"D.tap\"]", "A.tap event",
                "A.tap touch [\"D.tap\", \"C.tap\"]",
            ])
        #expect(collected == ["D.tap", "C.tap", "A.tap", "window"])
        #expect(recognizers[0].numberOfTouches == 1 && window.location(in: nil) == CGPoint(x: 50, y: 50))
        stage.frame(.up(1))
        #expect(recognizers[0].numberOfTouches == 0)
    }

    @Test("S41: a touch collects recognizers of its view and ancestors in order")
    func arrayOrder() {
        let kept = [add("one", to: d), add("two", to: d), add("off", to: e)]
        stage.frame(.down(1, 50, 50))
        #expect(collected == ["one", "two"])
        _ = kept
    }

    @Test("disabled recognizers and those whose delegate refuses receive no touch")
    func refusals() {
        let (noEvent, noTouch) = (Asked("noEvent", stage.log), Asked("noTouch", stage.log))
        noEvent.receivesEvent = false
        noTouch.receivesTouch = false
        for view in [a, c, d, e] { view.logsTouches = false }
        add("disabled", to: d).isEnabled = false
        let refused = [add("noEvent", to: d, noEvent), add("noTouch", to: d, noTouch)]
        _ = add("plain", to: d)
        stage.frame(.down(1, 50, 50))
        #expect(collected == ["plain"])
        #expect(stage.log.drain() == ["noEvent event", "noTouch event", "noTouch touch []"])
        #expect(refused.allSatisfy { $0.state == .possible && $0.numberOfTouches == 0 })
    }

    @Test("a recognizer takes only touch types that it allows")
    func types() {
        let recognizer = add("pencil", to: d)
        recognizer.allowedTouchTypes = [NSNumber(value: UITouch.TouchType.pencil.rawValue)]
        stage.frame(.down(1, 50, 50))
        #expect(collected.isEmpty)
    }

    @Test("a recognizer is asked about an event once until its reset")
    func onceAnEvent() {
        let recognizer = Choosy()
        d.addGestureRecognizer(recognizer)
        d.isMultipleTouchEnabled = true
        stage.frame(.down(1, 50, 50))
        stage.frame(.down(2, 60, 60))
        #expect(recognizer.asked == 1 && recognizer.numberOfTouches == 2)
        #expect(recognizer.location(in: d) == CGPoint(x: 55, y: 55))
        #expect(recognizer.location(ofTouch: 1, in: d) == CGPoint(x: 60, y: 60))
        stage.frame(.up(1), .up(2))
        stage.frame(.down(3, 50, 50))
        #expect(recognizer.asked == 2)
    }

    @Test("a late recognizer gets no touch, and a removed one loses it")
    func laterChanges() {
        let early = add("early", to: d)
        stage.frame(.down(1, 50, 50))
        let late = add("late", to: d)
        #expect(collected == ["early"] && late.numberOfTouches == 0)
        d.removeGestureRecognizer(early)
        #expect(collected.isEmpty && early.numberOfTouches == 0 && early.view == nil)
    }

    @Test("a recognizer belongs to one view, and a view's list is settable")
    func ownership() {
        let recognizer = add("one", to: d)
        #expect(d.gestureRecognizers == [recognizer] && recognizer.view === d && c.gestureRecognizers == nil)
        c.addGestureRecognizer(recognizer)
        #expect(d.gestureRecognizers == nil && recognizer.view === c)
        let other = UIGestureRecognizer()
        c.gestureRecognizers = [other, recognizer]
        #expect(c.gestureRecognizers == [other, recognizer])
        c.gestureRecognizers = nil
        #expect(recognizer.view == nil && other.view == nil)
    }

    @Test("ignoring a touch removes it from the recognizer")
    func ignoring() {
        let recognizer = add("one", to: d)
        stage.frame(.down(1, 50, 50))
        recognizer.ignore(stage.app.touchTracker.liveTouches[0], for: stage.app.touchTracker.event)
        #expect(collected.isEmpty && recognizer.numberOfTouches == 0)
    }

    @Test("recognizers are collected before the application's sendEvent")
    func beforeSendEvent() {
        final class Watch: UIKitObserver {
            var names: [String] = []
            func observe(_ event: UIKitEvent) {
                guard case .input(.applicationSends(let event)) = event else { return }
                names = event.allTouches?.first?.gestureRecognizers?.compactMap(\.name) ?? []
            }
        }
        let watch = Watch()
        stage.app.observer = watch
        _ = add("one", to: d)
        stage.frame(.down(1, 50, 50))
        #expect(watch.names == ["one"])
    }

    /// The names of the recognizer classes that the sources of UIKit declare.
    private func declaredRecognizers() throws -> Set<String> {
        let folder = Repository.root.appending(path: "Sources/UIKit")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var names: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /class (UI\w*GestureRecognizer)\b *:/) { names.insert(String(match.1)) }
        }
        return names
    }

    @Test("UIKit's recognizer classes are distinguished from an app's own classes")
    func ofAnAppsClass() throws {
        let declared = try declaredRecognizers()
        let scroll = UIScrollView()
        scroll.maximumZoomScale = 2
        let own = [
            UIGestureRecognizer(), UITapGestureRecognizer(), UILongPressGestureRecognizer(), UIPanGestureRecognizer(),
            UISwipeGestureRecognizer(), UIPinchGestureRecognizer(), UIRotationGestureRecognizer(),
            UIScreenEdgePanGestureRecognizer(), UIHoverGestureRecognizer(), UINavigationEdgePanGestureRecognizer(),
            UISystemGestureGateGestureRecognizer(of: stage.window, holds: true),
        ]
        // A zooming scroll view has a pan, a content touch delay and a pinch.
        #expect(scroll.recognizers.count == 3)
        for recognizer in own + scroll.recognizers {
            #expect(!recognizer.isAppDefined, "\(type(of: recognizer))")
        }
        // A new recognizer class of UIKit must be added to the list above.
        #expect(Set((own + scroll.recognizers).map { "\(type(of: $0))" }) == declared)
        final class Local: UITapGestureRecognizer {}
        for recognizer in [Choosy(), Local()] { #expect(recognizer.isAppDefined, "\(type(of: recognizer))") }
    }

    @Test("unnamed recognizers of one kind get distinct names in the trace")
    func traceNames() {
        let (once, twice, again) = (UITapGestureRecognizer(), UITapGestureRecognizer(), UITapGestureRecognizer())
        (twice.numberOfTapsRequired, twice.numberOfTouchesRequired) = (2, 3)
        let swipe = UISwipeGestureRecognizer()
        swipe.direction = [.left, .up]
        for recognizer in [once, twice, again, swipe] { a.addGestureRecognizer(recognizer) }
        #expect(
            [once, twice, again, swipe].map(\.traceOwnName)
                == ["tap #1", "tap (2 taps, 3 touches)", "tap #2", "swipe (left or up)"])
        again.name = "last"
        #expect([once, again].map(\.traceOwnName) == ["tap", "last"])
    }
}
