// ViewTree.swift: the windows and views of an app at one moment, as a value.
//
//     UIApplication ─ one walk, back to front ─▶ ViewTree ─┬─▶ text, JSON, pictures, lint
//                                                          ├─▶ lines (ViewTree+Lines.swift), to another process
//                                                          └─▶ changes since an earlier tree (ViewTreeChange.swift)
//
// Input     UIKit (ViewTree+Application.swift), only when a command or a test asks for the tree
// Output    `touchline tree`, `screenshot`, `lint`, `input tap --id`; the module Inspection
// Knows     names, frames and states. No view, no process.
//
// A secure window has a frame and nothing inside, and a secure text field has no text (threat T5).
//
// Sources   invented

public import Basics

/// The windows and views of an app at one moment.
public struct ViewTree: Hashable, Sendable, Encodable {
    /// The state of the app in its life cycle.
    public enum AppState: String, Hashable, Sendable, Encodable, CaseIterable { case active, inactive, background }

    /// Times of the app's settings that decide how gestures and views work together, in seconds.
    public struct Times: Hashable, Sendable, Encodable {
        /// The longest time from a lift to the next landing of a double tap (`tap.maxInterval`).
        public var tapInterval: Double
        /// The time for which a scroll view delays touches on its content (`scroll.contentTouchDelay`).
        public var contentTouchDelay: Double

        public init(tapInterval: Double = 0.35, contentTouchDelay: Double = 0.15) {
            (self.tapInterval, self.contentTouchDelay) = (tapInterval, contentTouchDelay)
        }
    }

    /// A touch that is down.
    public struct Touch: Hashable, Sendable, Encodable {
        public var id: UInt32
        public var position: Position
        public var phase: String

        public init(id: UInt32, position: Position, phase: String) {
            (self.id, self.position, self.phase) = (id, position, phase)
        }
    }

    public var state: AppState
    /// The number of the display, from 1 on, which is the main display.
    public var display: UInt32
    /// The frame of the app's scene on its display, in points.
    public var sceneFrame: Frame
    /// The orientation of the interface. All other frames and positions are in the interface's coordinates.
    public var orientation: InterfaceOrientation
    /// The edges at which the app defers system gestures, as bits of `UIRectEdge`: 1 top, 2 left, 4 bottom, 8 right.
    public var deferredEdges: UInt8
    public var times: Times
    /// Touches that are down; none in an app that has or had a secure window.
    public var touches: [Touch] = []

    /// The first secure window; nil if the app shows none.
    public var secureWindow: View? { views.first(where: \.isSecureWindow) }
    /// The shown windows, back to front. Each window is followed by its views: a view, then its subviews, back to front.
    public var views: [View] = []

    public init(
        state: AppState, display: UInt32 = 1, sceneFrame: Frame, orientation: InterfaceOrientation = .portrait,
        deferredEdges: UInt8 = 0, times: Times = Times()
    ) {
        (self.state, self.display, self.sceneFrame) = (state, display, sceneFrame)
        (self.orientation, self.deferredEdges, self.times) = (orientation, deferredEdges, times)
    }

    /// The bounds of the interface: in landscape, the scene's width and height are exchanged.
    public var bounds: Frame {
        orientation.isLandscape
            ? Frame(x: 0, y: 0, width: sceneFrame.height, height: sceneFrame.width)
            : Frame(x: 0, y: 0, width: sceneFrame.width, height: sceneFrame.height)
    }

    // MARK: Structure

    /// The indices of the view's subviews and of all views inside them.
    public func descendants(of index: Int) -> Range<Int> {
        let rest = (index + 1)..<views.count
        return (index + 1)..<(rest.first { views[$0].depth <= views[index].depth } ?? views.count)
    }

    /// The index of each view's superview; nil for windows.
    public var parents: [Int?] {
        var path: [Int] = []
        return views.indices.map { index in
            while let last = path.last, views[last].depth >= views[index].depth { path.removeLast() }
            defer { path.append(index) }
            return path.last
        }
    }
}

extension ViewTree {
    /// A position in points.
    public struct Position: Hashable, Sendable, Encodable {
        public var x, y: Double
        public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    }

    /// An upright rectangle in points.
    public struct Frame: Hashable, Sendable, Encodable {
        public var x, y, width, height: Double

        public init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        public var maxX: Double { x + width }
        public var maxY: Double { y + height }
        public var isEmpty: Bool { width <= 0 || height <= 0 }
        public var center: Position { Position(x: x + width / 2, y: y + height / 2) }

        public var corners: [Position] {
            [
                Position(x: x, y: y), Position(x: maxX, y: y), Position(x: maxX, y: maxY), Position(x: x, y: maxY),
            ]
        }

        /// The common part; empty if the frames do not overlap.
        public func intersection(_ other: Frame) -> Frame {
            let (left, top) = (max(x, other.x), max(y, other.y))
            return Frame(
                x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
                height: max(0, min(maxY, other.maxY) - top))
        }

        public func contains(_ other: Frame) -> Bool {
            other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
        }
    }

    /// A color in sRGB, 8 bits for each component.
    public struct Color: Hashable, Sendable, Encodable {
        public var red, green, blue, alpha: UInt8

        public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }
    }

    /// One view.
    public struct View: Hashable, Sendable, Encodable {
        /// A number that no other view of the app has. The view keeps it as long as it exists.
        public var identity: UInt32
        /// The number of views around this one; 0 for a window.
        public var depth: Int
        public var className: String
        /// The most special class of UIKit that the view's class is, or is derived from.
        public var kind: String
        /// `accessibilityIdentifier`.
        public var identifier: String?
        /// What a person reads on the view: of a label, a button or a text field.
        public var text: String?
        /// The smallest upright rectangle around the view, in the interface's coordinates.
        public var frame: Frame
        /// The corners from the top left one on, clockwise. Nil if they are the frame's, because nothing turns the view.
        public var corners: [Position]?
        public var alpha = 1.0
        public var isHidden = false
        public var isUserInteractionEnabled = true
        public var clipsToBounds = false
        /// Whether the view is a secure window, whose content is omitted, or a secure text field, whose text is.
        public var isSecure = false
        /// Whether the view answers hit tests with code of its own.
        public var hasOwnHitTest = false
        public var backgroundColor: Color?
        public var textColor: Color?
        /// The tint color that was set on this view.
        public var tintColor: Color?
        public var fontSize: Double?
        public var isTextCentered = false
        public var cornerRadius = 0.0
        public var borderWidth = 0.0
        public var borderColor: Color?
        public var scroll: Scroll?
        public var control: Control?
        public var touchTarget: TouchTarget?
        public var recognizers: [Recognizer] = []

        public init(identity: UInt32, depth: Int, className: String, kind: String, frame: Frame) {
            (self.identity, self.depth, self.className) = (identity, depth, className)
            (self.kind, self.frame) = (kind, frame)
        }

        /// `UIButton "plus"`, as in traces.
        public var label: String { identifier.map { "\(className) \"\($0)\"" } ?? className }

        /// Whether the view is a window whose content is omitted.
        public var isSecureWindow: Bool { isSecure && depth == 0 }

        /// Whether touches may begin on the view, by its own properties. (B3.2)
        public var admitsTouches: Bool { !isHidden && isUserInteractionEnabled && alpha >= 0.01 }
    }

    /// What a scroll view adds.
    public struct Scroll: Hashable, Sendable, Encodable {
        public var contentOffset: Position
        public var contentWidth, contentHeight: Double
        public var isScrollEnabled = true
        public var delaysContentTouches = true

        public init(contentOffset: Position, contentWidth: Double, contentHeight: Double) {
            self.contentOffset = contentOffset
            (self.contentWidth, self.contentHeight) = (contentWidth, contentHeight)
        }
    }

    /// What a control adds.
    public struct Control: Hashable, Sendable, Encodable {
        public var isEnabled = true
        public var isHighlighted = false
        public var isSelected = false
        /// Whether an action is registered for any event.
        public var hasActions = false
        /// Of a switch 0 or 1; of a slider or stepper its value; of segments and pages the index, -1 for none.
        public var value: Double?
        public var minimum, maximum: Double?
        /// The number of segments or pages.
        public var parts: Int?

        public init() {}
    }

    /// Whether a touch would reach the view. A tree has it if it was made with `touchTargets`, for views with an identifier.
    public enum TouchTarget: Hashable, Sendable, Encodable {
        /// A touch here would.
        case position(Position)
        /// No touch would, for this reason.
        case obstacle(String)
    }

    /// One recognizer of a view.
    public struct Recognizer: Hashable, Sendable, Encodable {
        /// A number that no other recognizer of the app has, the same as in its facts.
        public var identity: UInt32
        public var className: String
        /// The most special class of UIKit that the recognizer's class is, or is derived from.
        public var kind: String
        /// The name in traces: `tap (2 taps)`, or its `name`.
        public var label: String
        public var state: String
        public var isEnabled = true
        /// Whether UIKit attached the recognizer, as a scroll view does.
        public var isOfUIKit = false
        /// Whether a class of an app may answer questions about other recognizers.
        public var isSubclass = false
        public var hasDelegate = false
        public var taps = 1
        public var touches = 1
        /// Of a pan, the greatest number of touches; otherwise the same as `touches`.
        public var mostTouches = 1
        /// Of a swipe, its directions; of a screen edge pan, its edges.
        public var directions = 0
        /// Of a long press, seconds.
        public var duration = 0.0
        /// The identities of the recognizers that this one requires to fail, as `require(toFail:)` says.
        public var requiredToFail: [UInt32] = []

        public init(identity: UInt32, className: String, kind: String, label: String, state: String) {
            (self.identity, self.className, self.kind) = (identity, className, kind)
            (self.label, self.state) = (label, state)
        }
    }
}

// MARK: JSON

extension ViewTree {
    private enum Key: String, CodingKey {
        case state, display, sceneFrame, orientation, deferredEdges, times, touches, views
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(state, forKey: .state)
        try fields.encode(display, forKey: .display)
        try fields.encode(sceneFrame, forKey: .sceneFrame)
        try fields.encode("\(orientation)", forKey: .orientation)
        try fields.encode(deferredEdges, forKey: .deferredEdges)
        try fields.encode(times, forKey: .times)
        try fields.encode(touches, forKey: .touches)
        try fields.encode(views, forKey: .views)
    }
}

extension ViewTree.Color {
    public func encode(to encoder: any Encoder) throws {
        var field = encoder.singleValueContainer()
        try field.encode(text)
    }
}

extension ViewTree.TouchTarget {
    private enum Key: String, CodingKey { case position, obstacle }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        switch self {
        case .position(let position): try fields.encode(position, forKey: .position)
        case .obstacle(let reason): try fields.encode(reason, forKey: .obstacle)
        }
    }
}
