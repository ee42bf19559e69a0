import AppCore
import Basics
import HID
import Hosting
import Testing
import Trace
import UIKit
import Wire

@Suite("T5: an app with a secure window") struct SecureWindowTests {
    private let places = [(123.4, 567.8), (98.7, 65.4)]

    private func drag(_ stage: Stage) {
        stage.touch(.began, places[0].0, places[0].1)
        stage.run(until: 20)
        stage.touch(.moved, places[1].0, places[1].1)
        stage.run(until: 40)
        stage.touch(.ended, places[1].0, places[1].1)
        stage.run(until: 60)
    }

    @Test("an app with a secure window notes touches without positions")
    func notes() throws {
        for isSecure in [false, true] {
            let stage = try Stage()
            stage.application.windows.first?.isSecure = isSecure
            drag(stage)
            let lines = stage.facts.map(\.text)
            #expect(lines.contains(isSecure ? "touch 1 began at (hidden, hidden)" : "touch 1 began at (123.4, 567.8)"))
            #expect(lines.contains { $0.contains("123.4") || $0.contains("98.7") } == !isSecure)
        }
    }

    @Test("redaction of positions continues after the secure window is gone")
    func after() throws {
        let stage = try Stage()
        let window = stage.application.windows.first
        stage.touch(.began, places[0].0, places[0].1)
        window?.isSecure = true
        window?.isSecure = false
        stage.touch(.moved, places[1].0, places[1].1)
        stage.run(until: 20)
        #expect(!stage.facts.map(\.text).contains { $0.contains("98.7") })
    }

    @Test("an app with a secure window still receives its touches")
    func told() throws {
        let stage = try Stage()
        stage.application.windows.first?.isSecure = true
        let before = stage.log.lines.count
        drag(stage)
        #expect(stage.log.lines.count > before)
    }
}
