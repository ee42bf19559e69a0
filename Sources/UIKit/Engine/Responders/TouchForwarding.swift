// TouchForwarding.swift: finds the next responder that may do more with touches than forward them.
//
// Station   responder
// Input     UIView, when it is made; UIResponder, when it forwards touches
// Output    the receiver of forwarded touches
// Knows     class metadata; superviews and view controllers
//
// Most views on the way from a touched view to the application neither override a touches method nor `next`. A call of
// such a view's touches method only calls the next responder's, so it is left out: ten views cost no more than one.
// HitTestOverrides.swift explains how class metadata tells what a class overrides. If an entry is not found, each class
// except UIView counts as overriding. An event with an observer or behaviors still visits every responder
// (UIKitCalls.swift).
//
// Sources   documented  event methods forward their arguments to `next` unless they are overridden (B9v.3)

import Foundation

package struct TouchForwarding {
    /// The entries of the four touches methods and of `next`; nil if one is not where it is expected.
    private static let entries: [HitTestOverrides.Entry]? = {
        let probes: [UIView.Type] = [
            BeganProbe.self, MovedProbe.self, EndedProbe.self, CancelledProbe.self, NextProbe.self,
        ]
        let entries = probes.compactMap { HitTestOverrides.entry(overriddenIn: $0) }
        return Set(entries.map(\.offset)).count == probes.count ? entries : nil
    }()

    /// Whether objects of the class do nothing with touches but forward them to the view controller or the superview.
    package static func isAll(of type: UIView.Type) -> Bool {
        if type == UIView.self { return true }
        guard let entries else { return false }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return entries.allSatisfy { metadata.load(fromByteOffset: $0.offset, as: UInt.self) == $0.implementation }
    }

    /// Whether all entries are where they are expected.
    package static var areKnown: Bool { entries != nil }
}

extension UIView {
    /// This view, or the first responder behind it that may do more with touches than forward them; nil if there is
    /// none. The search counts no reference: a view's superview and controller exist as long as it refers to them.
    @inline(__always)
    final var touchReceiver: UIResponder? {
        var view = Unmanaged.passUnretained(self)
        while view._withUnsafeGuaranteedRef({ $0.onlyForwardsTouches }) {
            if let controller = view._withUnsafeGuaranteedRef({ $0.controllerReference }) {
                return controller.takeUnretainedValue()
            }
            guard let parent = view._withUnsafeGuaranteedRef({ $0.parentReference }) else { return nil }
            view = parent
        }
        return view.takeUnretainedValue()
    }
}

// The classes that find the entries. No object of them is made. Each body differs from the body of the method that it
// overrides, so that no linker makes them one.

private final class BeganProbe: UIView {
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { isHidden = touches.isEmpty }
}

private final class MovedProbe: UIView {
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { isHidden = touches.isEmpty }
}

private final class EndedProbe: UIView {
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { isHidden = touches.isEmpty }
}

private final class CancelledProbe: UIView {
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { isHidden = touches.isEmpty }
}

private final class NextProbe: UIView {
    override var next: UIResponder? { isHidden ? nil : self }
}
