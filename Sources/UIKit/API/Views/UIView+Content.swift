// UIView+Content.swift: properties of a view's look and content, which are kept. No touch depends on them.
//
// Sources   documented  UIView: names and defaults

public import Foundation

/// Whether a view is mirrored for languages that are read from right to left. No effect here.
public enum UISemanticContentAttribute: Int, Sendable {
    case unspecified, playback, spatial, forceLeftToRight, forceRightToLeft
}

/// The direction of reading.
public enum UIUserInterfaceLayoutDirection: Int, Sendable { case leftToRight, rightToLeft }

extension UIView {
    /// How the content follows the size of the view.
    public enum ContentMode: Int, Sendable {
        case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right
        case topLeft, topRight, bottomLeft, bottomRight
    }

    /// The number of pixels in a point: the screen's unless another one is set.
    public var contentScaleFactor: CGFloat {
        get { values?.contentScaleFactor ?? cachedWindow?.application?.screen.scale ?? UIScreen.main.scale }
        set { ownValues.contentScaleFactor = newValue }
    }

    /// The view whose opaque parts show this one. No effect on touches, as on iOS.
    public var mask: UIView? {
        get { values?.mask }
        set { ownValues.mask = newValue }
    }

    /// The layer's transform. Positions use its projection along z, without perspective.
    public var transform3D: CATransform3D {
        get { layer.transform }
        set { layer.transform = newValue }
    }

    public var clearsContextBeforeDrawing: Bool {
        get { values?.clearsContextBeforeDrawing ?? true }
        set { ownValues.clearsContextBeforeDrawing = newValue }
    }
    /// No effect here: nothing is mirrored.
    public var semanticContentAttribute: UISemanticContentAttribute {
        get { values?.semanticContentAttribute ?? .unspecified }
        set { ownValues.semanticContentAttribute = newValue }
    }
    /// The direction that `semanticContentAttribute` forces; otherwise from left to right.
    public var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
        Self.userInterfaceLayoutDirection(for: semanticContentAttribute)
    }
    public class func userInterfaceLayoutDirection(
        for attribute: UISemanticContentAttribute
    ) -> UIUserInterfaceLayoutDirection { attribute == .forceRightToLeft ? .rightToLeft : .leftToRight }

    /// No effect: there is one appearance here, which is light.
    public var overrideUserInterfaceStyle: UIUserInterfaceStyle {
        get { .unspecified }
        set {}
    }
    /// No effect: nothing is restored here.
    public var restorationIdentifier: String? {
        get { values?.restorationIdentifier }
        set { ownValues.restorationIdentifier = newValue }
    }

    // MARK: Snapshots

    /// A plain view of the same size, because there are no pixels to copy.
    public func snapshotView(afterScreenUpdates afterUpdates: Bool) -> UIView? { UIView(frame: bounds) }

    /// A plain view as large as the rectangle, because there are no pixels to copy.
    public func resizableSnapshotView(
        from rect: CGRect, afterScreenUpdates afterUpdates: Bool, withCapInsets capInsets: UIEdgeInsets
    ) -> UIView? { UIView(frame: CGRect(origin: .zero, size: rect.size)) }

    /// No effect: nothing is drawn here.
    ///
    /// - Returns: Whether the view is in a window.
    @discardableResult
    public func drawHierarchy(in rect: CGRect, afterScreenUpdates afterUpdates: Bool) -> Bool { window != nil }
}

extension UIView: CALayerDelegate {}
