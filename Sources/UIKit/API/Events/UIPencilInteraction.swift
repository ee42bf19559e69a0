// UIPencilInteraction.swift: double taps on the side of a pencil, which no device here reports.
//
// Sources   documented  UIPencilInteraction: names

import Foundation

/// What a tap on a pencil does.
public enum UIPencilPreferredAction: Int, Sendable {
    case ignore, switchEraser, switchPrevious, showColorPalette, showInkAttributes
}

/// Receives taps on the side of a pencil. Not called here.
public protocol UIPencilInteractionDelegate: NSObjectProtocol {
    func pencilInteractionDidTap(_ interaction: UIPencilInteraction)
}

extension UIPencilInteractionDelegate {
    public func pencilInteractionDidTap(_ interaction: UIPencilInteraction) {}
}

/// Waits for taps on the side of a pencil, which no device here reports.
open class UIPencilInteraction: NSObject, UIInteraction {
    open private(set) weak var view: UIView?
    open weak var delegate: (any UIPencilInteractionDelegate)?
    open var isEnabled = true

    public override init() { super.init() }
    open class var preferredTapAction: UIPencilPreferredAction { .ignore }
    open class var prefersPencilOnlyDrawing: Bool { false }
    open func willMove(to view: UIView?) {}
    open func didMove(to view: UIView?) { self.view = view }
}
