import Foundation
import Testing
import TouchlineTesting
import UIKit

@Suite
struct HitTestEventTests {
    /// A round view that takes only hit tests of events, as some public components do.
    final class RoundView: UIView {
        override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
            event?.type == .touches && hypot(point.x - 50, point.y - 50) < 50
        }
    }

    @Test("a hit test of a phone has an event, as that of a touch")
    func event() throws {
        let phone = TestPhone {
            let page = UIView()
            page.addSubview(RoundView(frame: CGRect(x: 100, y: 100, width: 100, height: 100)))
            return page
        }
        #expect(phone.hitTest(CGPoint(x: 150, y: 150)) is RoundView)
        #expect(!(phone.hitTest(CGPoint(x: 103, y: 103)) is RoundView))
        try phone.tap(.type(RoundView.self))
    }
}
