import Foundation
import Testing
import UIKit

private final class AdjustableView: UIView {
    var value = 0
    override func accessibilityIncrement() { value += 1 }
    override var accessibilityValue: String? {
        get { "\(value)" }
        set {}
    }
}

@Suite("Values of views")
struct ViewValuesTests {
    @Test("accessibility properties are kept, and overrides answer")
    func accessibility() {
        let stage = Stage()
        let view = AdjustableView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
        stage.run { stage.window.addSubview(view) }
        #expect(!view.isAccessibilityElement && view.accessibilityTraits == .none)
        view.accessibilityTraits = [.adjustable, .button]
        view.accessibilityLabel = "volume"
        view.accessibilityIncrement()
        #expect(view.accessibilityTraits.contains(.adjustable) && view.accessibilityLabel == "volume")
        #expect(view.accessibilityValue == "1" && view.accessibilityFrame == view.frame)
        #expect(view.accessibilityActivationPoint == CGPoint(x: 25, y: 40))
    }

    @Test("a label is as large as its text")
    func labels() {
        let label = UILabel()
        label.font = .systemFont(ofSize: 20)
        label.text = "1234567890"
        label.sizeToFit()
        // Ten characters of 0.55 × 20 pt; a line of 1.19335 × 20 pt.
        #expect(label.bounds.size == CGSize(width: 110, height: 24))
        #expect(label.intrinsicContentSize == label.bounds.size)
        label.numberOfLines = 0
        #expect(label.sizeThatFits(CGSize(width: 60, height: 0)).height == 48)
        label.attributedText = NSAttributedString(string: "12", attributes: [.font: UIFont.systemFont(ofSize: 10)])
        #expect(label.text == "12" && label.intrinsicContentSize == CGSize(width: 11, height: 12))
        label.text = "plain"
        #expect(label.attributedText?.string == "plain")
        let size = NSString(string: "ab\nabcd").size(withAttributes: [.font: UIFont.systemFont(ofSize: 10)])
        #expect(size == CGSize(width: 22, height: 24))
    }

    @Test("a null rectangle as a frame makes a view empty")
    func nullFrame() {
        let view = UIView(frame: CGRect(x: 1, y: 2, width: 3, height: 4))
        view.frame = view.bounds.insetBy(dx: 5, dy: 5)
        #expect(view.frame == .zero)
    }

    @Test("a font exists if each iPhone has its family")
    func fonts() {
        #expect(UIFont(name: "HelveticaNeue-Bold", size: 12)?.pointSize == 12)
        #expect(UIFont(name: "NoSuchFont", size: 12) == nil)
        #expect(UIFont.systemFont(ofSize: 17) == UIFont.preferredFont(forTextStyle: .body))
        #expect(abs(UIFont.systemFont(ofSize: 17).lineHeight - 20.287) < 1e-3)
    }

    @Test("an interaction belongs to one view")
    func interactions() {
        let (first, second) = (UIView(), UIView())
        let interaction = UIPencilInteraction()
        first.addInteraction(interaction)
        second.addInteraction(interaction)
        #expect(first.interactions.isEmpty && second.interactions.count == 1 && interaction.view === second)
        second.interactions = []
        #expect(interaction.view == nil)
    }

    @Test("the content view of an effect fills it")
    func effects() {
        let view = UIVisualEffectView(effect: UIBlurEffect(style: .light))
        view.frame = CGRect(x: 0, y: 0, width: 50, height: 20)
        #expect(view.contentView.frame == view.bounds)
    }

    @Test("colors convert to Core Graphics and back")
    func colors() {
        let color = UIColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
        #expect(UIColor(cgColor: color.cgColor) == color)
        #expect(UIColor.black.cgColor.components == [0, 1])
        #expect(color.cgColor.copy(alpha: 1)?.components == [0.1, 0.2, 0.3, 1])
        #expect(UIColor(named: "accent") == nil)
    }

    @Test("the selected background of a cell is behind its content while it is selected")
    func selectedBackground() {
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        let background = UIView()
        cell.selectedBackgroundView = background
        #expect(background.superview == nil)
        cell.isSelected = true
        #expect(cell.subviews.first === background && background.frame == cell.bounds)
        cell.isSelected = false
        #expect(background.superview == nil)
    }
}
