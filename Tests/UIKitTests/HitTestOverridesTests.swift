// HitTestOverridesTests.swift: which classes override the two methods of a hit test.

import Testing
import UIKit

@Suite("overrides of hit test methods")
struct HitTestOverridesTests {
    @Test("the entries of the methods are found in class metadata")
    func areFound() {
        #expect(HitTestOverrides.areKnown)
    }

    @Test("a class that inherits both methods does not override")
    func inheriting() {
        for type in [
            UIView.self, UIWindow.self, UIScrollView.self, UITableView.self, UIControl.self, UIButton.self,
            UILabel.self, UIStackView.self, UITextField.self, Inheriting.self, InheritingTwice.self, Generic<Int>.self,
            Generic<String>.self, OfGeneric.self, OverridesOther.self, WithNewMethods.self, Scroller.self,
        ] as [UIView.Type] {
            #expect(!HitTestOverrides.areIn(type), "\(type)")
        }
    }

    @Test("a class overrides if it or a superclass overrides")
    func overriding() {
        for type in [
            UIPageControl.self, OverridesHitTest.self, OverridesPointInside.self, OverridesBoth.self,
            InheritsOverride.self, OverridesOverride.self, OverridesForward.self, GenericOverride<Int>.self,
            GenericOverride<[String]>.self, OfGenericOverride.self, OverridesInGeneric.self,
            OverridesWithOtherResult.self, Pages.self, OverridingScroller.self,
        ] as [UIView.Type] {
            #expect(HitTestOverrides.areIn(type), "\(type)")
        }
    }

    @Test("a class in a function is read like any other")
    func local() {
        final class Local: UIView {}
        final class LocalOverride: UIView {
            override func point(inside point: CGPoint, with event: UIEvent?) -> Bool { true }
        }
        #expect(!HitTestOverrides.areIn(Local.self))
        #expect(HitTestOverrides.areIn(LocalOverride.self))
    }
}

// MARK: Classes that inherit

private class Inheriting: UIView {}
private final class InheritingTwice: Inheriting {
    var number = 1
}
private class Generic<Value>: UIView {
    var value: Value?
}
private final class OfGeneric: Generic<Double> {}
private final class Scroller: UIScrollView {
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
}
private final class OverridesOther: UIView {
    override var frame: CGRect {
        get { super.frame }
        set { super.frame = newValue }
    }
    override func layoutSubviews() {}
    override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { false }
}
private class WithNewMethods: UIView {
    // Another method of the same name is no override.
    func hitTest(_ point: CGPoint) -> UIView? { nil }
    func point(inside rect: CGRect) -> Bool { false }
}

// MARK: Classes that override

private class OverridesHitTest: UIView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { nil }
}
private class OverridesPointInside: UIView {
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool { false }
}
private final class OverridesBoth: OverridesHitTest {
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool { true }
}
private final class InheritsOverride: OverridesPointInside {}
private final class OverridesOverride: OverridesHitTest {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        super.hitTest(point, with: event) ?? self
    }
}
/// Calls UIView's method and nothing else.
private final class OverridesForward: UIView {
    var count = 0
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        count += 1
        return super.hitTest(point, with: event)
    }
}
/// The result has another type, so the vtable has a function between the call and the method.
private final class OverridesWithOtherResult: UIView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> OverridesWithOtherResult { self }
}
private class GenericOverride<Value>: UIView {
    var value: Value?
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { value == nil ? nil : self }
}
private final class OfGenericOverride: GenericOverride<Double> {}
private final class OverridesInGeneric: Generic<Int> {
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool { value == 1 }
}
private final class Pages: UIPageControl {}
private final class OverridingScroller: UIScrollView {
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool { true }
}
