// HitTestWorld.swift: an application with two windows and a tree of views, for hit test trials.
//
// Input     steps and questions (HitTestStep.swift)
// Output    the number of the hit view; the calls of overrides, in order
//
// Views 0 and 1 are the windows. Later views are numbered in the order of their insertion. A view that was forgotten, and
// is freed, keeps its number.

import Basics
import Trace
import UIKit

/// The call of an override: its view, the method, and the point that it received.
struct HitTestCall: Equatable {
    var view: Int
    var isPointInside: Bool
    var x, y: UInt64
}

final class HitTestWorld {
    private let application: UIApplication
    private let event = UIEvent()
    private var views: [UIView?] = []
    fileprivate var calls: [HitTestCall] = []
    /// The depth of hit tests that overrides make. It is limited, so that none is without end.
    fileprivate var depth = 0

    init(_ policy: HitIndexPolicy) {
        var settings = UIKitSettings()
        settings.hitIndex = policy
        let application = UIApplication(settings: settings)
        self.application = application
        // A trace counts the views of each hit test, and no index is used then.
        application.trace.isEnabled = false
        application.now = Instant(seconds: 1)
        let windows = UIApplication.run(as: application) {
            (0..<2).map { index in
                let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 400 - CGFloat(index) * 50, height: 400))
                window.tag = index
                window.isHidden = false
                return window
            }
        }
        views = windows
    }

    var count: Int { views.count }

    fileprivate func view(_ number: Int) -> UIView? { views.indices.contains(number) ? views[number] : nil }

    // MARK: Questions

    func answer(_ question: HitTestQuestion) -> Int? {
        guard let view = view(question.view) else { return nil }
        return UIApplication.run(as: application) {
            view.hitTest(question.point, with: question.hasEvent ? event : nil)?.tag
        }
    }

    /// Whether the view that the question asks has an index.
    func usesIndex(_ question: HitTestQuestion) -> Bool { view(question.view)?.hasHitIndex == true }

    func takeCalls() -> [HitTestCall] {
        defer { calls = [] }
        return calls
    }

    /// A corner of a view in another view's coordinates.
    func corner(of number: Int, _ corner: Int, in other: Int) -> CGPoint? {
        guard let view = view(number), let other = view.window == nil ? nil : self.view(other) else { return nil }
        let bounds = view.bounds
        let point = CGPoint(
            x: bounds.origin.x + (corner & 1 == 0 ? 0 : bounds.size.width),
            y: bounds.origin.y + (corner & 2 == 0 ? 0 : bounds.size.height))
        return view.convert(point, to: other)
    }

    // MARK: Steps

    func take(_ step: HitTestStep) { UIApplication.run(as: application) { perform(step) } }

    private func perform(_ step: HitTestStep) {
        switch step {
        case .insert(let kind, let frame, let parent, let index, let effect):
            let made = make(kind, frame, effect)
            made.tag = views.count
            views.append(made)
            view(parent)?.insertSubview(made, at: index)
        case .remove(let number, let isForgotten):
            guard number > 1, let removed = view(number) else { return }
            removed.removeFromSuperview()
            if isForgotten { views[number] = nil }
        case .reparent(let number, let parent, let index):
            guard number > 1, let moved = view(number), let parent = view(parent), !parent.isDescendant(of: moved)
            else { return }
            parent.insertSubview(moved, at: index)
        case .bringToFront(let number):
            guard let view = view(number) else { return }
            view.superview?.bringSubviewToFront(view)
        case .exchange(let number, let first, let second):
            guard let view = view(number), max(first, second) < view.subviews.count else { return }
            view.exchangeSubview(at: first, withSubviewAt: second)
        case .animate(let number, let seconds):
            guard let view = view(number) else { return }
            UIView.animate(withDuration: seconds) { view.center.x += 1 }
        case .pass(let seconds):
            application.now = application.now.advanced(by: Duration(seconds: seconds))
        default: change(step)
        }
    }

    /// Sets a property of a view.
    private func change(_ step: HitTestStep) {
        switch step {
        case .frame(let number, let frame): view(number)?.frame = finite(frame, in: view(number))
        case .fill(let number):
            guard number > 1, let view = view(number), view.transform.isIdentity else { return }
            view.frame = view.superview?.bounds ?? .zero
        case .center(let number, let center): view(number)?.center = center
        case .boundsOrigin(let number, let origin): view(number)?.bounds.origin = origin
        case .transform(let number, let transform): view(number)?.transform = transform
        case .anchor(let number, let anchor): view(number)?.anchorPoint = anchor
        case .hide(let number, let isHidden): if number > 1 { view(number)?.isHidden = isHidden }
        case .alpha(let number, let alpha): view(number)?.alpha = alpha
        case .interaction(let number, let isEnabled): view(number)?.isUserInteractionEnabled = isEnabled
        default: break
        }
    }

    /// The frame, or a small one if a transform would make a size of it that is not finite.
    private func finite(_ frame: CGRect, in view: UIView?) -> CGRect {
        guard let view, !view.transform.isIdentity else { return frame }
        return CGRect(x: 10, y: 10, width: 100, height: 100)
    }

    private func make(_ kind: HitTestStep.Kind, _ frame: CGRect, _ effect: HitTestStep.Effect) -> UIView {
        switch kind {
        case .plain: UIView(frame: frame)
        case .inheriting: InheritingView(frame: frame)
        case .inheritingTwice: InheritingTwiceView(frame: frame)
        case .generic: GenericView<Int>(frame: frame)
        case .scroll: UIScrollView(frame: frame)
        case .label: UILabel(frame: frame)
        case .pageControl: UIPageControl(frame: frame)
        case .window: NestedWindow(frame: frame)
        case .overridesHitTest: HitTestOverride(frame, self, effect)
        case .overridesPointInside: PointInsideOverride(frame, self, effect)
        case .overridesBoth: SecondOverride(frame, self, effect)
        case .inheritsOverride: InheritedOverride(frame, self, effect)
        }
    }

    // MARK: Effects

    fileprivate func note(_ view: UIView, isPointInside: Bool, _ point: CGPoint) {
        calls.append(
            HitTestCall(
                view: view.tag, isPointInside: isPointInside, x: Double(point.x).bitPattern,
                y: Double(point.y).bitPattern))
    }

    fileprivate func perform(_ effect: HitTestStep.Effect, of view: UIView) {
        switch effect {
        case .ignoreSelf: view.isUserInteractionEnabled.toggle()
        case .hide(let number): if number > 1 { self.view(number)?.isHidden.toggle() }
        case .remove(let number): if number > 1 { self.view(number)?.removeFromSuperview() }
        case .move(let number): self.view(number)?.center.x += 10
        case .testAgain:
            guard depth < 2 else { return }
            depth += 1
            _ = self.view(0)?.hitTest(CGPoint(x: 100, y: 100), with: nil)
            depth -= 1
        case .nothing, .passThrough, .refuse, .enlarge: break
        }
    }
}

// MARK: Classes

private class InheritingView: UIView {
    override func layoutSubviews() {}
}

private final class InheritingTwiceView: InheritingView {
    override var next: UIResponder? { superview }
}

private class GenericView<Value>: UIView {
    var value: Value?
}

private final class NestedWindow: UIWindow {}

/// A view whose subclass overrides a method with an effect.
private class EffectView: UIView {
    unowned let world: HitTestWorld
    let effect: HitTestStep.Effect

    init(_ frame: CGRect, _ world: HitTestWorld, _ effect: HitTestStep.Effect) {
        (self.world, self.effect) = (world, effect)
        super.init(frame: frame)
    }

    required init?(coder: NSCoder) { nil }
}

private class HitTestOverride: EffectView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        world.note(self, isPointInside: false, point)
        world.perform(effect, of: self)
        if effect == .refuse { return nil }
        let hit = super.hitTest(point, with: event)
        return effect == .passThrough && hit === self ? nil : hit
    }
}

private final class InheritedOverride: HitTestOverride {}

private class PointInsideOverride: EffectView {
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        world.note(self, isPointInside: true, point)
        world.perform(effect, of: self)
        return effect == .enlarge || (effect != .refuse && super.point(inside: point, with: event))
    }
}

/// Overrides the second method of a class that overrides the first one.
private final class SecondOverride: PointInsideOverride {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        world.note(self, isPointInside: false, point)
        return super.hitTest(point, with: event)
    }
}
