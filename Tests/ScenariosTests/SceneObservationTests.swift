// SceneObservationTests.swift: the scenes that observe their application, and the answers of views in the others.

import Basics
import Foundation
import HID
@testable import Scenarios
import Testbed
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("Scenes that observe their application")
struct SceneObservationTests {
    /// - Parameter view: Keys of the scene's only view.
    private func scene(_ view: String, _ keys: String = "", script: String = "tap f1 (1,1) @0") throws -> Scenario {
        let windows = "windows:\n- name: window\n  view: {name: R, frame: [0, 0, 300, 300]\(view)}\n"
        return try Scenario(
            parsing: "id: X\n\(windows)\(keys)\nscript: |\n  \(script)\nexpect: |\n  a\n", file: "X.yaml")
    }

    private func show(_ scenario: Scenario) -> UIApplication {
        let application = UIApplication()
        UIApplication.run(as: application) {
            scenario.makeContent()(application)
            _ = application.delegate?.application(application, didFinishLaunchingWithOptions: nil)
        }
        return application
    }

    @Test("a scene without lines and acts leaves the application unobserved")
    func unobserved() throws {
        for keys in [
            "", ", touches: consume", ", gestures: [{name: g, class: Tap, delegate: {is: R, shouldBegin: no}}]",
        ] {
            #expect(show(try scene(keys)).observer == nil, "\(keys)")
        }
    }

    @Test("a scene with lines or acts observes its application")
    func observed() throws {
        let views = [
            ", probe: [touches]", ", gestures: [{name: g, class: Tap, probe: yes}]", ", class: TimerView",
            ", class: UITableView", ", subviews: [{name: S, probe: [hitTest]}]",
            ", gestures: [{name: g, class: Tap, delegate: {is: D, log: yes, shouldBegin: no}}]",
        ]
        for keys in views { #expect(show(try scene(keys)).observer != nil, "\(keys)") }
        #expect(show(try scene("", "probes: [app]")).observer != nil)
        #expect(show(try scene("", script: "tap f1 (1,1) @0\n  remove R @0.1")).observer != nil)
    }

    @Test("an unobserved scene's views and delegates still answer")
    func answers() throws {
        let keys = ", gestures: [{name: g, class: Tap, delegate: {is: %, shouldBegin: no}}]"
        for delegate in ["R", "D"] {
            let scenario = try scene(keys.replacingOccurrences(of: "%", with: delegate))
            let phone = TestPhone(settings: [], content: scenario.makeContent())
            try phone.tap(.point(10, 10))
            #expect(phone.application.observer == nil)
            let lines = phone.facts.filter { $0.process == "app1" }.map(\.text)
            #expect(lines.contains { $0.contains("failed: gestureRecognizerShouldBegin of") }, "\(lines)")
            #expect(!lines.contains { $0.hasPrefix("action") }, "\(lines)")
        }
    }
}
