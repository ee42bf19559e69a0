// ApplicationDrawing.swift: what an application draws: the stack of contexts, and the views and layers that need display.
//
// Station   loop
// Input     setNeedsDisplay of views and layers; a view that enters a window; UIGraphics
// Output    UIView.draw and CALayer.display, once for each commit
//
// A view is in the list only if its class overrides `draw(_:)`, or if it has a layer of a class of the app. Therefore an app
// that draws nothing pays nothing.
//
// Sources   documented  setNeedsDisplay: the view is drawn in the next drawing cycle, once for any number of calls
//           documented  draw(_:): the whole view at first, later the parts that setNeedsDisplay(_:) named
//           inferred    display follows layout in a commit; a hidden view is drawn when it is shown

import Foundation

struct ApplicationDrawing {
    /// The contexts of drawing code that runs, the current one last.
    var contexts: [CGContext] = []
    /// The views and layers to display in the next commit, in the order in which they asked.
    private var views: [UIView] = []
    private var layers: [CALayer] = []
    /// The layers without a view that ask for layout.
    private var layersToLayout: [CALayer] = []

    var isEmpty: Bool { views.isEmpty && layers.isEmpty }
    var hasLayersToLayout: Bool { !layersToLayout.isEmpty }

    mutating func add(_ view: UIView) { views.append(view) }
    mutating func add(_ layer: CALayer) { layers.append(layer) }

    mutating func add(toLayout layer: CALayer) { layersToLayout.append(layer) }

    mutating func takeLayersToLayout() -> [CALayer] {
        defer { layersToLayout = [] }
        return layersToLayout
    }

    mutating func take() -> (views: [UIView], layers: [CALayer]) {
        defer { (views, layers) = ([], []) }
        return (views, layers)
    }
}

extension UIApplication {
    /// Lays out layers without a view. What asks again during its layout waits for the next commit.
    final func commitLayerLayout() {
        guard drawing.hasLayersToLayout else { return }
        for layer in drawing.takeLayersToLayout() { layer.layoutIfNeeded() }
    }

    /// Draws what asked for display. What asks again while it is drawn waits for the next commit.
    final func commitDisplay() {
        guard !drawing.isEmpty else { return }
        let (views, layers) = drawing.take()
        // A hidden view asks again when it is shown.
        for view in views where view.needsDisplay && !view.isHidden { view.displayIfNeeded() }
        for layer in layers { layer.displayIfNeeded() }
    }
}

extension UIView {
    /// Whether the view waits for `draw(_:)`.
    final var needsDisplay: Bool {
        get { appearance.needsDisplay }
        set { appearance.needsDisplay = newValue }
    }

    /// Notes that the view needs display, and asks the application for it.
    ///
    /// - Parameters:
    ///   - rect: The part that needs display, in the view's coordinates; nil for the whole view.
    ///   - always: Whether also a view is displayed whose class does not override `draw(_:)`.
    final func markForDisplay(_ rect: CGRect? = nil, always: Bool = false) {
        guard always || drawsItself else { return }
        if let rect, !needsDisplay || values?.invalidRect != nil {
            ownValues.invalidRect = (values?.invalidRect ?? .null).union(rect)
        } else {
            values?.invalidRect = nil
        }
        guard !needsDisplay else { return }
        needsDisplay = true
        cachedWindow?.application?.drawing.add(self)
    }

    /// The part of the bounds to draw: the union of what `setNeedsDisplay(_:)` named, or all of it. It is valid from now on.
    private final func takeInvalidRect() -> CGRect {
        guard let rect = values?.invalidRect else { return bounds }
        values?.invalidRect = nil
        return rect.intersection(bounds)
    }

    /// Whether code of the app draws the view.
    final var drawsItself: Bool {
        DrawOverride.isIn(type(of: self)) || (backingLayer.map { type(of: $0).isOfApp } ?? false)
    }

    /// Asks for the display that the view waited for while it was hidden.
    final func askForDisplayWhenShown() {
        if needsDisplay { cachedWindow?.application?.drawing.add(self) }
    }

    /// Asks for display in the window that the view has entered.
    final func askForDisplayInWindow() {
        guard let application = cachedWindow?.application, needsDisplay || drawsItself else { return }
        needsDisplay = true
        values?.invalidRect = nil
        application.drawing.add(self)
    }

    /// Draws the view now if it needs display, is in a window and has a size.
    final func displayIfNeeded() {
        guard needsDisplay, cachedWindow != nil else { return }
        needsDisplay = false
        let (bounds, rect) = (bounds, takeInvalidRect())
        guard rect.width > 0, rect.height > 0 else { return }
        if let backingLayer { return backingLayer.display(rect) }
        let context = CGContext(size: bounds.size, scale: contentScaleFactor)
        context.translateBy(x: -bounds.minX, y: -bounds.minY)
        if rect != bounds { context.clip(to: rect) }
        UIGraphicsPushContext(context)
        draw(rect)
        UIGraphicsPopContext()
    }
}
