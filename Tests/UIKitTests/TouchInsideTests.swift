import Foundation
import Testing
import TouchlineTesting
import UIKit

@Suite(.phoneReports)
struct TouchInsideTests {
    final class ProbeControl: UIControl {
        var inside: [Bool] = []
        var events: [String] = []
        override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
            inside.append(isTouchInside)
            return inside.count < 6
        }
        override func endTracking(_ touch: UITouch?, with event: UIEvent?) { inside.append(isTouchInside) }
    }

    func phone() throws -> (TestPhone, ProbeControl) {
        let phone = TestPhone {
            let page = UIView()
            let control = ProbeControl(frame: CGRect(x: 100, y: 100, width: 50, height: 50))
            for (name, event) in [("enter", UIControl.Event.touchDragEnter), ("exit", .touchDragExit)] {
                control.addAction(UIAction { [weak control] _ in control?.events.append(name) }, for: event)
            }
            page.addSubview(control)
            return page
        }
        return (phone, try phone.find(ProbeControl.self))
    }

    @Test("isTouchInside belongs to the touch that continueTracking receives (B10.3)")
    func continueTracking() throws {
        let (phone, control) = try phone()
        try phone.touchDown(.type(ProbeControl.self))
        for y in [500, 501, 125, 502] as [CGFloat] {
            phone.advance(by: .milliseconds(16))
            try phone.touchMove(to: CGPoint(x: 125, y: y))
        }
        try phone.touchUp()
        #expect(control.inside == [false, false, true, false, false])
        #expect(control.events == ["exit", "enter", "exit"])
        #expect(!control.isTouchInside)
    }

    @Test("a control that stops to track outside sends no exit and is not inside")
    func stop() throws {
        let (phone, control) = try phone()
        control.inside = [true, true, true, true, true]
        try phone.touchDown(.type(ProbeControl.self))
        phone.advance(by: .milliseconds(16))
        try phone.touchMove(to: CGPoint(x: 125, y: 500))
        #expect(control.inside.last == false && control.events.isEmpty)
        #expect(!control.isTracking && !control.isTouchInside && !control.isHighlighted)
    }
}
