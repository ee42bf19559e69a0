// DrawOverride.swift: whether a class of views overrides `draw(_:)` or `layoutSublayers(of:)`.
//
// Input     the class of a view that enters a window, asks for display or is laid out
// Output    ApplicationDrawing.swift, UIView+Layout.swift
//
// HitTestOverrides.swift explains how class metadata answers the question. If the entry is not found, each class except
// UIView counts as overriding.

import Foundation

package struct DrawOverride {
    private static let drawing = HitTestOverrides.entry(overriddenIn: DrawProbe.self)
    private static let layout = HitTestOverrides.entry(overriddenIn: LayoutProbe.self)

    private static func isOverridden(_ entry: HitTestOverrides.Entry?, in type: UIView.Type) -> Bool {
        guard let entry else { return type != UIView.self }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return metadata.load(fromByteOffset: entry.offset, as: UInt.self) != entry.implementation
    }

    /// Whether the class overrides `draw(_:)`.
    static func isIn(_ type: UIView.Type) -> Bool { isOverridden(drawing, in: type) }

    /// Whether the class overrides `layoutSublayers(of:)`.
    static func ofLayoutIsIn(_ type: UIView.Type) -> Bool { isOverridden(layout, in: type) }

    /// Whether both entries are where they are expected.
    package static var areKnown: Bool { drawing != nil && layout != nil }
}

// The classes that find the entries. No object of them is made. The bodies are not empty, so that no linker makes them one
// with UIView's.

private final class DrawProbe: UIView {
    override func draw(_ rect: CGRect) { isHidden = rect.isEmpty }
}

private final class LayoutProbe: UIView {
    override func layoutSublayers(of layer: CALayer) { isHidden = layer.isHidden }
}
