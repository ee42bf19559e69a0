import Foundation
import Testing
import UIKit

private final class TintedView: UIView {
    var changes = 0
    override func tintColorDidChange() { changes += 1 }
}

@Suite("Tint colors")
struct TintTests {
    @Test("a view inherits the tint color of the nearest view around it")
    func inheritance() {
        let (outer, inner, leaf) = (TintedView(), TintedView(), TintedView())
        outer.addSubview(inner)
        inner.addSubview(leaf)
        #expect(leaf.tintColor == .systemBlue)
        outer.tintColor = .red
        #expect(leaf.tintColor == .red && [outer, inner, leaf].map(\.changes) == [1, 1, 1])
        inner.tintColor = .green
        #expect(leaf.tintColor == .green && [outer, inner, leaf].map(\.changes) == [1, 2, 2])
        // The inner view has its own color.
        outer.tintColor = .blue
        #expect(leaf.tintColor == .green && [outer, inner, leaf].map(\.changes) == [2, 2, 2])
        inner.tintColor = nil
        #expect(leaf.tintColor == .blue && [outer, inner, leaf].map(\.changes) == [2, 3, 3])
        inner.tintColor = .blue
        #expect(inner.changes == 3)
    }

    @Test("a view that moves to another tint color is notified")
    func moving() {
        let (red, plain, view) = (UIView(), UIView(), TintedView())
        red.tintColor = .red
        plain.addSubview(view)
        #expect(view.changes == 0)
        red.addSubview(view)
        #expect(view.changes == 1 && view.tintColor == .red)
        view.removeFromSuperview()
        #expect(view.changes == 2 && view.tintColor == .systemBlue)
    }

    @Test("a dimmed tint color is gray")
    func dimmed() {
        let (outer, inner) = (UIView(), UIView())
        outer.addSubview(inner)
        inner.tintColor = .red
        outer.tintAdjustmentMode = .dimmed
        #expect(inner.tintAdjustmentMode == .dimmed)
        var white: CGFloat = 0
        #expect(inner.tintColor.getWhite(&white, alpha: nil) && abs(white - 0.299) < 1e-9)
        inner.tintAdjustmentMode = .normal
        #expect(inner.tintColor == .red)
    }
}
