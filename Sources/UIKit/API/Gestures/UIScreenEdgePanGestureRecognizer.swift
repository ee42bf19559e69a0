// UIScreenEdgePanGestureRecognizer.swift: a drag that comes in over an edge of the screen.
//
// Station   gesture
// Fed by    GestureEnvironment
// Feeds     EdgePanMachine, which decides
//
// Sources   documented  UIScreenEdgePanGestureRecognizer.edges
//           invented    the edges are the window's (B9.6)

import Gestures

open class UIScreenEdgePanGestureRecognizer: UIPanGestureRecognizer {
    /// Those it may come in over.
    open var edges: UIRectEdge = []

    override var edgesToCross: ScreenEdges? { ScreenEdges(rawValue: edges.rawValue) }
    override var traceKind: String { "edge pan" }
    override var traceTraits: [String] { ["\(ScreenEdges(rawValue: edges.rawValue))"] }
}
