// AnimationRecorder.swift: finds out which properties a block of animations changes.
//
// Input     UIView.animatablePropertyWillBeSet, before the first change of each view
// Output    PropertyAnimation for each property with another value than before
//
// A block inside the block records its own changes: the outer recorder commits what it has before the inner block runs.
//
// Sources   documented  the animatable properties of UIView and of a view's layer
//           documented  animations of UIView add up since iOS 8 (WWDC 2014, session 236), so that a new one begins where the
//                       old one is, with its velocity
//           inferred    transforms, colors and paths do not add up: a new animation begins at the value that is shown, and
//                       so do all with `.beginFromCurrentState`

import Basics
import Foundation

final class AnimationRecorder {
    enum Start {
        /// Animations add up.
        case additive
        /// An animation replaces others of its property and begins at the value that is shown.
        case shownValue
        /// An animation is one of several key frames.
        case keyFrame
    }

    let group: ViewAnimationGroup
    private let start: Start
    private var indices: [ObjectIdentifier: Int] = [:]
    private var records: [(view: UIView, before: ViewLook)] = []

    init(_ group: ViewAnimationGroup, _ start: Start = .additive) { (self.group, self.start) = (group, start) }

    /// Notes the look of a view before its first change.
    func viewWillChange(_ view: UIView) {
        guard indices[ObjectIdentifier(view)] == nil else { return }
        indices[ObjectIdentifier(view)] = records.count
        records.append((view, ViewLook(view)))
    }

    /// Makes animations of the changes so far.
    func commit(_ application: UIApplication) {
        let committed = records
        (records, indices) = ([], [:])
        for (view, before) in committed {
            let after = ViewLook(view)
            // A view that had no layer had the values of a new one.
            let new = before.hasLayer || !after.hasLayer ? nil : CALayer()
            for (key, value) in after.values {
                guard let old = before.values.first(where: { $0.key == key })?.value ?? new?.animatableValue(key),
                    old != value
                else { continue }
                add(key, old, value, to: view, application)
            }
        }
    }

    private func add(
        _ key: String, _ old: AnimatableValue, _ new: AnimatableValue, to view: UIView, _ application: UIApplication
    ) {
        let change: PropertyAnimation.Change
        if start != .shownValue, let offset = old.difference(from: new) {
            change = .offset(offset)
        } else if start == .keyFrame {
            let isFirst = view.values?.animations.contains { $0.key == key && $0.group.parent === group.parent } != true
            change = .step(from: isFirst ? old : nil, to: new)
        } else {
            change = .from(view.shownValue(key, from: old, at: application.now))
            view.removePropertyAnimations { $0.key == key }
        }
        view.add(
            PropertyAnimation(number: application.transactions.nextNumber(), key: key, change: change, group: group))
    }
}

/// The values of a view and its layer that a block can animate.
private struct ViewLook {
    var values: [(key: String, value: AnimatableValue)]
    let hasLayer: Bool

    init(_ view: UIView) {
        values = [
            ("position", .point(view.center)), ("bounds", .rect(view.bounds)), ("opacity", .number(view.alpha)),
            ("transform", .transform(CATransform3DMakeAffineTransform(view.transform))),
            ("backgroundColor", .color(view.backgroundColor?.cgColor ?? .clear)),
        ]
        hasLayer = view.backingLayer != nil
        guard let layer = view.backingLayer else { return }
        if layer.extraValues?.transform != nil { values[3].value = .transform(layer.transform) }
        for key in CALayer.commonKeys + layer.contentKeys {
            if let value = layer.animatableValue(key) { values.append((key, value)) }
        }
    }
}

extension UIView {
    /// The value of a property that is shown, if its value without animations is `base`.
    final func shownValue(_ key: String, from base: AnimatableValue, at now: Instant) -> AnimatableValue {
        (values?.animations ?? []).reduce(base) { value, animation in
            animation.key == key ? animation.value(value, at: now) ?? value : value
        }
    }
}
