// ResponderBehaviorTests.swift: a described responder answers in the same way for every reader of UIKit's events.

import Basics
import Foundation
import HID
import Testing
import TouchlineTesting
import Trace
import UIKit

private final class Reader: UIKitObserver {
    func observe(_ event: UIKitEvent) {}
}

@Suite("A responder's behavior")
struct ResponderBehaviorTests {
    /// The readers of UIKit's events.
    enum Audience: CaseIterable { case none, trace, observer, both }

    private let stage = Stage()
    private let reader = Reader()

    private func seat(_ audience: Audience) {
        stage.run { stage.app.trace.isEnabled = audience == .trace || audience == .both }
        stage.app.observer = audience == .observer || audience == .both ? reader : nil
    }

    private func describe(_ view: UIResponder, _ body: (inout ResponderBehavior) -> Void) {
        stage.run {
            var behavior = ResponderBehavior()
            body(&behavior)
            view.behavior = behavior
        }
    }

    private func menu(_ phase: InputPhase) {
        let usage = HIDUsage.button(named: "menu")!
        stage.input(phase, .key(usage))
    }

    @Test("a consuming responder ends touches, also along the chain", arguments: Audience.allCases)
    func consumes(_ audience: Audience) {
        seat(audience)
        let outer = stage.view("outer", 0, 0, 200, 200)
        let middle = stage.view("middle", 0, 0, 200, 100, in: outer)
        stage.view("inner", 0, 0, 100, 100, in: middle)
        describe(middle) { $0.consumes = true }
        stage.tap(50, 50)
        stage.tap(150, 50, at: 5)
        stage.tap(150, 150, at: 10)
        #expect(
            stage.log.lines == ["touchesBegan inner", "touchesEnded inner", "touchesBegan outer", "touchesEnded outer"])
    }

    @Test("a responder's behavior answers the hit test and point(inside:)", arguments: Audience.allCases)
    func hitTest(_ audience: Audience) {
        seat(audience)
        let wide = stage.view("wide", 100, 0, 50, 50)
        let glass = stage.view("glass", 0, 0, 100, 100)
        describe(wide) { $0.pointInside = { point, _ in point.x > -50 && point.x < 50 ? true : nil } }
        describe(glass) { $0.hitTest = { [unowned glass] found in found === glass ? nil : found } }
        stage.frame(.down(1, 60, 10))
        stage.frame(.down(2, 20, 10))
        #expect(stage.log.lines == ["touchesBegan wide"])
    }

    @Test("a responder's behavior decides where the chain goes", arguments: Audience.allCases)
    func next(_ audience: Audience) {
        seat(audience)
        let outer = stage.view("outer", 0, 0, 200, 200)
        let inner = stage.view("inner", 0, 0, 100, 100, in: outer)
        let other = stage.view("other", 300, 0, 50, 50)
        describe(inner) { $0.next = { [unowned other] in other } }
        stage.frame(.down(1, 50, 50))
        #expect(stage.log.lines == ["touchesBegan inner", "touchesBegan other"])
    }

    @Test("a first responder by behavior consumes presses", arguments: Audience.allCases)
    func presses(_ audience: Audience) {
        seat(audience)
        let outer = PressLog(stage.log)
        let inner = PressLog(stage.log)
        outer.addSubview(inner)
        stage.run { stage.window.addSubview(outer) }
        describe(outer) { $0.consumes = true }
        describe(inner) { $0.canBecomeFirstResponder = true }
        stage.run { #expect(inner.becomeFirstResponder()) }
        menu(.began)
        #expect(stage.log.drain() == ["began"], "forwarded to one that consumes")
        describe(inner) { $0.consumes = true }
        menu(.ended)
        menu(.began)
        #expect(stage.log.drain() == [])
    }

    @Test("a responder's behavior refuses recognizers and control tracking", arguments: Audience.allCases)
    func refuses(_ audience: Audience) {
        seat(audience)
        let view = stage.view("view", 0, 0, 100, 100)
        let tap = UITapGestureRecognizer()
        tap.addAction(UIAction(title: "tap") { [stage] _ in stage.log.add("tap") })
        view.addGestureRecognizer(tap)
        view.logsTouches = false
        let control = UIControl(frame: CGRect(x: 0, y: 100, width: 100, height: 100))
        control.addAction(UIAction(title: "up") { [stage] _ in stage.log.add("up") }, for: .touchUpInside)
        stage.run { stage.window.addSubview(control) }
        stage.tap(50, 50)
        stage.tap(50, 150, at: 5)
        #expect(stage.log.drain() == ["tap", "up"])
        describe(view) { $0.shouldBegin = { _ in false } }
        describe(control) { $0.beginTracking = false }
        stage.tap(50, 50, at: 10)
        stage.tap(50, 150, at: 15)
        #expect(stage.log.drain() == [])
    }
}

private final class PressLog: UIView {
    private let log: Log

    init(_ log: Log) {
        self.log = log
        super.init(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    }
    required init?(coder: NSCoder) { nil }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        log.add("began")
        super.pressesBegan(presses, with: event)
    }
}
