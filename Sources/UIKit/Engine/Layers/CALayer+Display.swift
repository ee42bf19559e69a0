// CALayer+Display.swift: the display of a layer, once for each commit in which it asked.
//
// Station   loop
// Input     CALayer.setNeedsDisplay; UIApplication.commitDisplay
// Output    CALayer.display, draw(in:), the delegate
//
// Sources   documented  display() calls the delegate's display(_:), or else draw(in:), or else the delegate's draw(_:in:)

import Foundation

extension CALayer {
    /// - Parameter rect: The part that needs display; nil for the whole layer.
    final func markForDisplay(_ rect: CGRect? = nil) {
        if let owner { return owner.markForDisplay(rect, always: true) }
        let values = ownValues
        if let rect, !values.needsDisplay || values.invalidRect != nil {
            values.invalidRect = (values.invalidRect ?? .null).union(rect)
        } else {
            values.invalidRect = nil
        }
        guard !values.needsDisplay else { return }
        values.needsDisplay = true
        UIApplication.current?.drawing.add(self)
    }

    final func displayNowIfNeeded() {
        if let owner { return owner.displayIfNeeded() }
        guard extraValues?.needsDisplay == true else { return }
        ownValues.needsDisplay = false
        let rect = extraValues?.invalidRect
        extraValues?.invalidRect = nil
        display(rect?.intersection(bounds) ?? bounds)
    }

    /// Displays a part of the layer: on the presentation layer while an animation needs display in each frame.
    final func display(_ rect: CGRect) {
        if extraValues?.animations.contains(where: { $0.frameTimer != nil }) == true { return presented().display() }
        guard rect != bounds else { return display() }
        guard !rect.isEmpty else { return }
        ownValues.rectOfDisplay = rect
        display()
        extraValues?.rectOfDisplay = nil
    }

    /// The part that is being displayed: all of the bounds unless `setNeedsDisplay(_:)` named less.
    final var rectToDraw: CGRect { extraValues?.rectOfDisplay ?? bounds }

    final func displayByDelegate() {
        if let delegate { delegate.display(self) } else { drawInNewContext() }
    }

    /// Calls `draw(in:)` with a context of the layer's size, if it has one.
    final func drawInNewContext() {
        let bounds = bounds
        guard bounds.width > 0, bounds.height > 0 else { return }
        let context = CGContext(size: bounds.size, scale: pixelScale)
        context.translateBy(x: -bounds.minX, y: -bounds.minY)
        if rectToDraw != bounds { context.clip(to: rectToDraw) }
        draw(in: context)
    }
}
