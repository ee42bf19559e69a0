import Foundation
import Testing
import TouchlineTesting
import UIKit

@Suite(.phoneReports)
struct OverlappingViewsTests {
    final class TwiceDrawnControl: UIControl {
        let (back, front, cut) = (UILabel(), UILabel(), UILabel())
        var downs = 0
        override init(frame: CGRect) {
            super.init(frame: frame)
            let frontBox = UIView(frame: bounds)
            for label in [back, front, cut] {
                label.frame = CGRect(x: 10, y: 10, width: 80, height: 20)
                label.text = "Two"
            }
            cut.text = "Three"
            addSubview(back)
            frontBox.addSubview(front)
            frontBox.addSubview(cut)
            addSubview(frontBox)
        }
        required init?(coder: NSCoder) { nil }
        override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
            downs += 1
            return true
        }
    }

    func phone(_ change: @escaping (TwiceDrawnControl, UIView) -> Void = { _, _ in }) throws -> (
        TestPhone, TwiceDrawnControl
    ) {
        let phone = TestPhone {
            let page = UIView()
            let control = TwiceDrawnControl(frame: CGRect(x: 50, y: 100, width: 100, height: 40))
            page.addSubview(control)
            change(control, page)
            return page
        }
        return (phone, try phone.find(TwiceDrawnControl.self))
    }

    func label(_ text: String, _ frame: CGRect) -> UILabel {
        let label = UILabel(frame: frame)
        label.text = text
        return label
    }

    @Test("of two labels on top of each other in a control, the frontmost is meant")
    func oneControl() throws {
        let (phone, control) = try phone { control, _ in control.subviews[1].isUserInteractionEnabled = false }
        #expect(try phone.find(.text("Two")) === control.front)
        try phone.tap(.text("Two"))
        #expect(control.downs == 1)
    }

    @Test("a label whose center is masked away is not meant")
    func masked() throws {
        let (phone, control) = try phone { control, _ in
            control.subviews[1].isUserInteractionEnabled = false
            let mask = CAShapeLayer()
            mask.path = CGPath(rect: CGRect(x: 0, y: 0, width: 20, height: 40), transform: nil)
            control.subviews[1].layer.mask = mask
        }
        #expect(try phone.find(.text("Two")) === control.back)
        let view = UIView(frame: CGRect(x: 80, y: 0, width: 20, height: 40))
        control.subviews[1].layer.mask = nil
        control.subviews[1].mask = view
        #expect(try phone.find(.text("Two")) === control.back)
    }

    @Test("a label outside of a clipping view is not meant")
    func clipped() throws {
        let (phone, control) = try phone { control, page in
            let box = UIView(frame: CGRect(x: 0, y: 300, width: 20, height: 20))
            box.clipsToBounds = true
            let label = UILabel(frame: CGRect(x: 0, y: 50, width: 20, height: 20))
            label.text = "Three"
            box.addSubview(label)
            page.addSubview(box)
        }
        #expect(try phone.find(.text("Three")) === control.cut)
    }

    @Test("a covered label is not meant")
    func covered() throws {
        let (phone, _) = try phone { [self] _, page in
            let below = label("One", CGRect(x: 200, y: 300, width: 80, height: 20))
            page.addSubview(below)
            page.addSubview(UIView(frame: CGRect(x: 190, y: 290, width: 100, height: 40)))
            let other = label("One", CGRect(x: 20, y: 300, width: 80, height: 20))
            other.tag = 7
            page.addSubview(other)
        }
        #expect(try phone.find(.text("One")).tag == 7)
    }

    @Test("two labels side by side stay ambiguous")
    func sideBySide() throws {
        let (phone, _) = try phone { [self] control, page in
            page.addSubview(label("One", CGRect(x: 20, y: 300, width: 80, height: 20)))
            page.addSubview(label("One", CGRect(x: 200, y: 300, width: 80, height: 20)))
            control.back.frame.origin.x = -80
        }
        #expect(throws: PhoneError.self) { try phone.find(.text("One")) }
        #expect(throws: PhoneError.self) { try phone.find(.text("Two")) }
    }
}
