// CALayer+Presentation.swift: a layer with the values that are on screen at the moment.
//
//     model layer ─▶ copy by init(layer:) ─▶ animations of UIView and of the layer, in the order of their numbers ─▶ values
//
// Sources   documented  CALayer.presentation(): a copy with the animated values of the moment; its sublayers are presentation
//                       layers, so that its hit test finds what moves
//           documented  init(layer:): Core Animation copies layers with it
//           documented  CAMediaTimingFunctionName.default is the curve of implicit animations; they replace each other
//           inferred    a layer whose class is the app's is copied only while it is animated

import Basics
import Foundation

extension CALayer {
    /// The layer of the moment. Outside of an application there is no moment: the layer itself.
    final func presented() -> CALayer {
        guard extraValues?.model == nil, let application = shownApplication else { return self }
        let shown = geometryView.values?.animations ?? []
        let own = extraValues?.animations ?? []
        guard !type(of: self).isOfApp || !shown.isEmpty || !own.isEmpty else { return self }
        let copy = LayerCopying.copy(self)
        let values = copy.ownValues
        values.model = self
        values.animations = own
        copy.delegate = delegate
        let now = application.now
        var steps: [(number: UInt64, show: () -> Void)] = []
        for animation in shown {
            steps.append(
                (
                    animation.number,
                    {
                        guard let base = copy.animatableValue(animation.key),
                            let value = animation.value(base, at: now)
                        else { return }
                        copy.setAnimatableValue(value, animation.key)
                    }
                ))
        }
        for running in own {
            let elapsed = running.begin.duration(to: now).seconds
            steps.append(
                (
                    running.number,
                    { running.animation.show(on: copy, after: elapsed, standard: running.standardDuration) }
                ))
        }
        for step in steps.sorted(by: { $0.number < $1.number }) { step.show() }
        return copy
    }

    /// The application whose window shows the layer, or else the one whose code runs.
    final var shownApplication: UIApplication? {
        var layer: CALayer? = self
        while let current = layer {
            if let owner = current.owner { return owner.cachedWindow?.application ?? UIApplication.current }
            layer = current.superlayerPointer
        }
        return UIApplication.current
    }

    /// Copies the values of another layer without its animations, for a presentation layer.
    final func copyShownValues(of other: CALayer) {
        let (view, source) = (geometryView, other.geometryView)
        view.space = source.space
        view.admission = source.admission
        view.admission.endAnimations()
        view.appearance = source.appearance
        (name, extraValues) = (other.name, other.extraValues?.copy())
        copyContent(of: other)
    }

    // MARK: Implicit animations

    /// Called before a property changes that Core Animation animates: of a view's layer for the block of `UIView.animate`, of
    /// another layer by an implicit animation.
    @inline(__always)
    final func willChange(_ key: String) {
        if let owner {
            owner.animatablePropertyWillBeSet()
        } else if superlayerPointer != nil {
            animateImplicitly(key)
        }
    }

    private final func animateImplicitly(_ key: String) {
        countImplicitAnimation()
        guard let application = UIApplication.current, isOnScreen else { return }
        let group = application.transactions.current
        let duration = group?.duration ?? 0.25
        guard group?.disablesActions != true, duration > 0, !isActionDisabled(key), let old = animatableValue(key)
        else {
            return
        }
        let timing = AnimationTiming(
            begin: application.now, duration: duration,
            curve: group?.timingFunction?.curve ?? CAMediaTimingFunction(name: .default).curve)
        let shown = geometryView.shownValue(key, from: old, at: application.now)
        geometryView.add(
            PropertyAnimation(
                number: application.transactions.nextNumber(), key: key, change: .from(shown),
                group: ViewAnimationGroup(timing), isImplicit: true))
    }

    /// Whether the layer is in a window.
    private final var isOnScreen: Bool {
        var layer: CALayer? = self
        while let current = layer {
            if let owner = current.owner { return owner.cachedWindow != nil }
            layer = current.superlayerPointer
        }
        return false
    }

    /// Whether the delegate or `actions` have a null object for the property. Other actions of theirs do not run here.
    private final func isActionDisabled(_ key: String) -> Bool {
        (delegate?.action(for: self, forKey: key) ?? extraValues?.actions?[key]) is NSNull
    }
}

/// Copies a layer of any class by its `init(layer:)`, which Swift calls through a metatype only if it is required.
/// (ObjectMaking.swift)
enum LayerCopying {
    @inline(never)
    static func copy(_ layer: CALayer) -> CALayer {
        unsafeBitCast(type(of: layer), to: RequiredLayerInit.Type.self).init(layer: layer)
    }
}

/// A class whose `init(layer:)` is required. It is open, so that the optimizer does not take the class of a call for granted.
open class RequiredLayerInit: CALayer {
    public override init() { super.init() }
    public required override init(layer: Any) { super.init(layer: layer) }
    public required init?(coder: NSCoder) { nil }
}
