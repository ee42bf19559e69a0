// CALayer+Display.swift: the display of a layer, once for each commit in which it asked.
//
// Station   loop
// Input     CALayer.setNeedsDisplay; UIApplication.commitDisplay
// Output    CALayer.display, draw(in:), the delegate
//
// Sources   documented  display() calls the delegate's display(_:), or else draw(in:), or else the delegate's draw(_:in:)

import Foundation

extension CALayer {
    final func markForDisplay() {
        if let owner { return owner.markForDisplay(always: true) }
        guard !(extraValues?.needsDisplay ?? false) else { return }
        ownValues.needsDisplay = true
        UIApplication.current?.drawing.add(self)
    }

    final func displayNowIfNeeded() {
        if let owner { return owner.displayIfNeeded() }
        guard extraValues?.needsDisplay == true else { return }
        ownValues.needsDisplay = false
        display()
    }

    final func displayByDelegate() {
        if let delegate { delegate.display(self) } else { drawInNewContext() }
    }

    /// Calls `draw(in:)` with a context of the layer's size, if it has one.
    final func drawInNewContext() {
        let bounds = bounds
        guard bounds.width > 0, bounds.height > 0 else { return }
        let context = CGContext(size: bounds.size, scale: pixelScale)
        context.translateBy(x: -bounds.minX, y: -bounds.minY)
        draw(in: context)
    }
}
