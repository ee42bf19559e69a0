// KeptEventTests.swift: events that an app keeps for longer than the application that sent them exists.

import Basics
import Foundation
import HID
import Testing
import TouchlineTesting
import UIKit

/// Keeps every event that the application sends.
private final class Keeper: UIKitObserver {
    private(set) var kept: [UIEvent] = []

    func observe(_ event: UIKitEvent) {
        if case .input(.applicationSends(let event)) = event { kept.append(event) }
    }
}

@Suite("Events that an app keeps")
struct KeptEventTests {
    private static let contents: [DeviceInput<SceneSpace>.Content] = {
        let place = Point<SceneSpace>(10, 10)
        return [
            .key(HIDUsage(page: 7, usage: 4)), .shake, .remote(.play), .scroll(place, dx: .zero, dy: Fixed(3.0)),
            .hover(place), .transform(place, scale: Fixed(2.0), rotation: .zero),
        ]
    }()

    private func deliver(on stage: Stage) {
        let recognizers = [UIPanGestureRecognizer(), UIHoverGestureRecognizer(), UIPinchGestureRecognizer()]
        (recognizers[0] as? UIPanGestureRecognizer)?.allowedScrollTypesMask = .all
        for recognizer in recognizers { stage.window.addGestureRecognizer(recognizer) }
        stage.frame(.down(1, 10, 10))
        stage.frame(.up(1), at: 0.1)
        for content in Self.contents { stage.input(.began, content, at: 1) }
    }

    @Test("no kind of kept event refers to a released application")
    func outlive() {
        let keeper = Keeper()
        weak var application: UIApplication?
        do {
            let stage = Stage()
            stage.app.observer = keeper
            deliver(on: stage)
            application = stage.app
        }
        #expect(application == nil)
        let kinds: Set<UIEvent.EventType> = [
            .touches, .presses, .motion, .remoteControl, .scroll, .hover, .transform,
        ]
        #expect(Set(keeper.kept.map(\.type)) == kinds)
        #expect(keeper.kept.filter(\.isIntercepted).map(\.type) == [])
    }

    @Test("no kind of kept event is observed after its observer was removed")
    func unobserved() {
        let (keeper, stage) = (Keeper(), Stage())
        stage.app.observer = keeper
        deliver(on: stage)
        stage.app.observer = nil
        #expect(keeper.kept.filter(\.isIntercepted).map(\.type) == [])
    }
}
