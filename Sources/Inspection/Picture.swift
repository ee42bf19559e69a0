// Picture.swift: what the screen looks like, as shapes.
//
//     ViewTree ─▶ shapes, back to front ─┬─▶ SVG (SVGText.swift)
//                                        └─▶ pixels (Bitmap.swift)
//
// Both pictures come from the same shapes. A view without a background color has a thin outline and its name, because most
// scenes of this project have no colors.
//
// Input     view trees of the apps of a display
// Output    Picture
// Knows     the look of each kind of view. No file.
//
// Sources   invented

import Basics
public import ViewTrees

/// Shapes on a screen, back to front.
public struct Picture: Sendable {
    /// A shape in points of the display.
    enum Shape: Sendable {
        /// A convex polygon; rounded corners have a radius only if the polygon is an upright rectangle.
        case polygon([ViewTree.Position], radius: Double, fill: ViewTree.Color?, stroke: Stroke?)
        case circle(ViewTree.Position, radius: Double, fill: ViewTree.Color)
        /// One line of text that begins at a position, or is centered at it; the position is the middle of its height.
        case text(String, at: ViewTree.Position, isCentered: Bool, size: Double, ViewTree.Color)
    }

    struct Stroke: Sendable {
        var color: ViewTree.Color
        /// Points; the line is inside the shape.
        var width: Double
    }

    struct ClippedShape: Sendable {
        var shape: Shape
        /// Nothing outside is drawn; nil for the screen.
        var clip: ViewTree.Frame?
    }

    public let width, height: Double
    private(set) var shapes: [ClippedShape] = []
    /// The points to the right of a corner that names of views have used.
    private var usedCorners: [ViewTree.Position: Double] = [:]

    /// Draws the apps of a display.
    ///
    /// - Parameters:
    ///   - width: The width of the display in points, as of an upright device; at most 16,384.
    ///   - height: The height, with the same limit.
    ///   - trees: The trees of the apps, the rearmost first. Apps in the background are left out.
    public init(width: Double, height: Double, _ trees: [ViewTree]) {
        // An app of another process may claim any scene.
        let (width, height) = (min(max(width, 1), Self.longestSide), min(max(height, 1), Self.longestSide))
        let shown = trees.filter { $0.state != .background }
        // An app that fills a turned screen is shown upright, as a person holds the device.
        let turned = shown.count == 1 && shown[0].orientation.isLandscape && shown[0].sceneFrame.width == width
        (self.width, self.height) = turned ? (height, width) : (width, height)
        let screen = ViewTree.Frame(x: 0, y: 0, width: self.width, height: self.height)
        add(.polygon(screen.corners, radius: 0, fill: Look.screen, stroke: nil), nil)
        guard !shown.isEmpty else {
            add(.text("no app is shown", at: screen.center, isCentered: true, size: 17, Look.outline), nil)
            return
        }
        for tree in shown { draw(tree, isTurned: turned) }
    }

    /// The longest side of a picture in points.
    private static let longestSide = 16_384.0

    /// The colors that this file chooses, after the light appearance of iOS.
    private enum Look {
        static let screen = ViewTree.Color(242, 242, 247)
        static let white = ViewTree.Color(255, 255, 255)
        static let outline = ViewTree.Color(120, 120, 128)
        static let track = ViewTree.Color(199, 199, 204)
        static let tint = ViewTree.Color(0, 122, 255)
        static let on = ViewTree.Color(52, 199, 89)
        static let text = ViewTree.Color(28, 28, 30)
        static let secure = ViewTree.Color(60, 60, 67)
        static let touch = ViewTree.Color(255, 45, 85)
        /// By depth, so that a view and its superview differ.
        static let outlines = [
            ViewTree.Color(120, 120, 128), ViewTree.Color(0, 122, 255), ViewTree.Color(52, 150, 89),
            ViewTree.Color(200, 110, 0), ViewTree.Color(150, 60, 200),
        ]
    }

    private mutating func add(_ shape: Shape, _ clip: ViewTree.Frame?) {
        shapes.append(ClippedShape(shape: shape, clip: clip))
    }

    // MARK: Trees

    private mutating func draw(_ tree: ViewTree, isTurned: Bool) {
        let placed = Placement(tree, isTurned: isTurned)
        let scene = placed.box(tree.bounds)
        add(.polygon(scene.corners, radius: 0, fill: Look.white, stroke: nil), nil)
        // For each view of the path to the current one: its alpha, its clip, whether it is hidden.
        var path: [(depth: Int, alpha: Double, clip: ViewTree.Frame, isHidden: Bool)] = []
        for view in tree.views {
            while let last = path.last, last.depth >= view.depth { path.removeLast() }
            let outer = path.last ?? (-1, 1, scene, false)
            let frame = placed.box(view.frame)
            let isHidden = outer.isHidden || view.isHidden || view.alpha < 0.01
            let clip = view.clipsToBounds ? outer.clip.intersection(frame) : outer.clip
            path.append((view.depth, outer.alpha * view.alpha, clip, isHidden))
            guard !isHidden, !outer.clip.isEmpty else { continue }
            draw(view, placed, alpha: outer.alpha * view.alpha, outer.clip)
        }
        for touch in tree.touches {
            let position = placed.position(touch.position)
            add(.circle(position, radius: 22, fill: Look.touch.faded(0.25)), nil)
            add(.circle(position, radius: 7, fill: Look.touch.faded(0.9)), nil)
        }
    }

    /// Converts positions of the interface to the picture's.
    private struct Placement {
        private let tree: ViewTree
        private let isTurned: Bool

        init(_ tree: ViewTree, isTurned: Bool) { (self.tree, self.isTurned) = (tree, isTurned) }

        func position(_ position: ViewTree.Position) -> ViewTree.Position {
            let (x, y, scene) = (position.x, position.y, tree.sceneFrame)
            if isTurned { return position }
            return switch tree.orientation {
            case .portrait: ViewTree.Position(x: scene.x + x, y: scene.y + y)
            case .landscapeLeft: ViewTree.Position(x: scene.x + y, y: scene.maxY - x)
            case .portraitUpsideDown: ViewTree.Position(x: scene.maxX - x, y: scene.maxY - y)
            case .landscapeRight: ViewTree.Position(x: scene.maxX - y, y: scene.y + x)
            }
        }

        func box(_ frame: ViewTree.Frame) -> ViewTree.Frame {
            let (a, b) = (
                position(ViewTree.Position(x: frame.x, y: frame.y)),
                position(ViewTree.Position(x: frame.maxX, y: frame.maxY))
            )
            return ViewTree.Frame(
                x: min(a.x, b.x), y: min(a.y, b.y), width: (a.x - b.x).magnitude, height: (a.y - b.y).magnitude)
        }
    }

    // MARK: Views

    private mutating func draw(
        _ view: ViewTree.View, _ placed: Placement, alpha: Double, _ clip: ViewTree.Frame
    ) {
        let frame = placed.box(view.frame)
        let corners = view.corners?.map(placed.position) ?? frame.corners
        if view.isSecure, view.kind == "UIWindow" {
            add(.polygon(corners, radius: 0, fill: Look.secure, stroke: nil), clip)
            add(.text("secure", at: frame.center, isCentered: true, size: 17, Look.white), clip)
            return
        }
        let radius = view.corners == nil ? min(view.cornerRadius, frame.width / 2, frame.height / 2) : 0
        if let color = view.backgroundColor, color.alpha > 0 {
            add(.polygon(corners, radius: radius, fill: color.faded(alpha), stroke: nil), clip)
        }
        let isDrawn = drawControl(view, frame, alpha, clip)
        if view.borderWidth > 0 {
            let border = Stroke(color: (view.borderColor ?? Look.text).faded(alpha), width: view.borderWidth)
            add(.polygon(corners, radius: radius, fill: nil, stroke: border), clip)
        } else if !isDrawn, view.backgroundColor == nil, view.kind != "UIWindow", view.kind != "UILabel" {
            let color = Look.outlines[view.depth % Look.outlines.count]
            add(.polygon(corners, radius: radius, fill: nil, stroke: Stroke(color: color.faded(0.6), width: 1)), clip)
        }
        if let text = view.text, !text.isEmpty {
            drawText(text, of: view, frame, alpha, clip)
        } else if !isDrawn, view.backgroundColor == nil, view.depth > 0, let name = view.identifier {
            drawName(name, of: view, frame, clip)
        }
    }

    private mutating func drawText(
        _ text: String, of view: ViewTree.View, _ frame: ViewTree.Frame, _ alpha: Double, _ clip: ViewTree.Frame
    ) {
        let size = min(view.fontSize ?? 17, max(6, frame.height))
        // Without a color of its own, a button's title is white on a background and tinted without one.
        let usual = view.kind == "UIButton" ? (view.backgroundColor == nil ? Look.tint : Look.white) : Look.text
        let color = (view.textColor ?? view.tintColor ?? usual).faded(
            alpha * (view.control?.isEnabled == false ? 0.4 : 1))
        let inset = view.kind == "UITextField" ? 7.0 : 0
        let start = ViewTree.Position(x: frame.x + inset, y: frame.center.y)
        add(
            .text(
                oneLine(text), at: view.isTextCentered ? frame.center : start, isCentered: view.isTextCentered,
                size: size, color), clip.intersection(frame))
    }

    /// Draws the identifier of a view that shows nothing else: small, in the top left corner, or in the middle of a button.
    private mutating func drawName(
        _ name: String, of view: ViewTree.View, _ frame: ViewTree.Frame, _ clip: ViewTree.Frame
    ) {
        guard frame.width >= 16, frame.height >= 10 else { return }
        let color = Look.outlines[view.depth % Look.outlines.count]
        if view.control != nil {
            add(.text(oneLine(name), at: frame.center, isCentered: true, size: 13, color), clip.intersection(frame))
        } else {
            // Views with one corner have their names side by side.
            let corner = ViewTree.Position(x: frame.x + 4, y: frame.y + 9)
            let used = usedCorners[corner, default: 0]
            usedCorners[corner] = used + Double(name.count) * 6 + 10
            let start = ViewTree.Position(x: corner.x + used, y: corner.y)
            add(.text(oneLine(name), at: start, isCentered: false, size: 10, color), clip.intersection(frame))
        }
    }

    /// - Returns: Whether the view has a look of its own.
    private mutating func drawControl(
        _ view: ViewTree.View, _ frame: ViewTree.Frame, _ alpha: Double, _ clip: ViewTree.Frame
    ) -> Bool {
        guard let control = view.control else { return false }
        let alpha = alpha * (control.isEnabled ? 1 : 0.4)
        let tint = (view.tintColor ?? Look.tint).faded(alpha)
        func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ViewTree.Frame {
            ViewTree.Frame(x: x, y: y, width: width, height: height)
        }
        func fraction() -> Double {
            let (low, high) = (control.minimum ?? 0, control.maximum ?? 1)
            return high > low ? min(max(((control.value ?? low) - low) / (high - low), 0), 1) : 0
        }
        switch view.kind {
        case "UISwitch":
            let pill = box(
                frame.x, frame.center.y - min(frame.height, 31) / 2, min(frame.width, 51), min(frame.height, 31))
            let isOn = control.value == 1
            fill(pill, radius: pill.height / 2, (isOn ? Look.on : Look.track).faded(alpha), clip)
            let x = isOn ? pill.maxX - pill.height / 2 : pill.x + pill.height / 2
            let knob = ViewTree.Position(x: x, y: pill.center.y)
            add(.circle(knob, radius: max(1, pill.height / 2 - 2), fill: Look.white.faded(alpha)), clip)
        case "UISlider":
            let track = box(frame.x, frame.center.y - 2, frame.width, 4)
            fill(track, radius: 2, Look.track.faded(alpha), clip)
            fill(box(track.x, track.y, track.width * fraction(), 4), radius: 2, tint, clip)
            let radius = min(14, frame.height / 2)
            let x = frame.x + radius + (frame.width - 2 * radius) * fraction()
            let knob = ViewTree.Position(x: x, y: frame.center.y)
            add(.circle(knob, radius: radius, fill: Look.outline.faded(alpha * 0.4)), clip)
            add(.circle(knob, radius: max(1, radius - 1), fill: Look.white.faded(alpha)), clip)
        case "UIStepper":
            fill(frame, radius: 7, Look.track.faded(alpha * 0.6), clip)
            let (left, right) = (frame.x + frame.width / 4, frame.x + frame.width * 3 / 4)
            for (sign, x) in [("-", left), ("+", right)] {
                let middle = ViewTree.Position(x: x, y: frame.center.y)
                add(.text(sign, at: middle, isCentered: true, size: 20, Look.text.faded(alpha)), clip)
            }
            fill(
                box(frame.center.x, frame.y + 5, 1, max(0, frame.height - 10)), radius: 0, Look.outline.faded(alpha),
                clip)
        case "UISegmentedControl":
            fill(frame, radius: 7, Look.track.faded(alpha * 0.6), clip)
            let count = min(max(control.parts ?? 0, 0), 100)
            for part in 0..<count {
                let width = frame.width / Double(count)
                let cell = box(frame.x + width * Double(part), frame.y, width, frame.height)
                if control.value == Double(part) {
                    fill(
                        box(cell.x + 2, cell.y + 2, cell.width - 4, cell.height - 4), radius: 6,
                        Look.white.faded(alpha), clip)
                }
                add(.text("\(part)", at: cell.center, isCentered: true, size: 13, Look.text.faded(alpha)), clip)
            }
        case "UIPageControl":
            let count = min(max(control.parts ?? 0, 0), 100)
            for page in 0..<count {
                let x = frame.center.x + (Double(page) - Double(count - 1) / 2) * 16
                let color = control.value == Double(page) ? Look.text : Look.track
                let middle = ViewTree.Position(x: x, y: frame.center.y)
                add(.circle(middle, radius: 3.5, fill: color.faded(alpha)), clip)
            }
        case "UITextField":
            let border = Stroke(color: Look.track.faded(alpha), width: 1)
            add(.polygon(frame.corners, radius: 5, fill: Look.white.faded(alpha), stroke: border), clip)
            if view.isSecure { drawName("secure", of: view, frame, clip) }
        case "UIButton", "UIControl":
            guard control.isHighlighted || control.isSelected else { return false }
            fill(frame, radius: view.cornerRadius, tint.faded(control.isHighlighted ? 0.3 : 0.15), clip)
            return false
        default: return false
        }
        return true
    }

    private mutating func fill(
        _ frame: ViewTree.Frame, radius: Double, _ color: ViewTree.Color, _ clip: ViewTree.Frame
    ) {
        guard !frame.isEmpty else { return }
        let radius = min(radius, frame.width / 2, frame.height / 2)
        add(.polygon(frame.corners, radius: radius, fill: color, stroke: nil), clip)
    }
}

extension ViewTree.Color {
    /// The color with its opacity multiplied.
    fileprivate func faded(_ factor: Double) -> ViewTree.Color {
        var color = self
        color.alpha = UInt8((Double(alpha) * min(max(factor, 0), 1)).rounded())
        return color
    }
}
