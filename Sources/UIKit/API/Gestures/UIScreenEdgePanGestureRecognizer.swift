// UIScreenEdgePanGestureRecognizer.swift: recognizes a drag that begins at an edge of the screen.
//
// Station   gesture
// Input     GestureEnvironment
// Output    EdgePanMachine, which decides
//
// Sources   documented  UIScreenEdgePanGestureRecognizer.edges
//           invented    the edges are those of the window (B9.6)

import Gestures

/// Recognizes a drag that begins at an edge of the screen.
open class UIScreenEdgePanGestureRecognizer: UIPanGestureRecognizer {
    /// The edges at which the drag may begin.
    open var edges: UIRectEdge = []

    override var edgesToCross: ScreenEdges? { ScreenEdges(rawValue: edges.rawValue) }
    override var traceKind: String { "edge pan" }
    override var traceTraits: [String] { ["\(ScreenEdges(rawValue: edges.rawValue))"] }
}
