// Bitmap.swift: a picture as pixels.
//
// A pixel's share of a shape comes from its distance to the edge of the shape, which is exact for rounded rectangles and
// circles, and right to a pixel for turned ones. Text is drawn with the font of BitmapFont.swift.
//
// Input     Picture
// Output    rows of red, green and blue, for a PNG file
// Knows     shapes. No file format.
//
// Sources   invented

import ViewTrees

/// Pixels of a picture.
public struct Bitmap: Sendable {
    public let width, height: Int
    /// Red, green and blue of each pixel, rows from the top.
    public private(set) var bytes: [UInt8]
    private let scale: Double

    /// The most pixels of a bitmap.
    private static let limit = 64 << 20

    /// Draws a picture.
    ///
    /// - Parameters:
    ///   - picture: What is drawn.
    ///   - scale: Pixels per point.
    /// - Precondition: The picture has at most 64 million pixels; a larger one is drawn with a smaller scale.
    public init(_ picture: Picture, scale: Double = 2) {
        var scale = scale
        while picture.width * picture.height * scale * scale > Double(Self.limit) { scale /= 2 }
        self.scale = scale
        width = max(1, Int((picture.width * scale).rounded(.up)))
        height = max(1, Int((picture.height * scale).rounded(.up)))
        bytes = Array(repeating: 255, count: width * height * 3)
        for shape in picture.shapes { draw(shape) }
    }

    private mutating func draw(_ clipped: Picture.ClippedShape) {
        let screen = ViewTree.Frame(x: 0, y: 0, width: Double(width) / scale, height: Double(height) / scale)
        let clip = clipped.clip?.intersection(screen) ?? screen
        guard !clip.isEmpty else { return }
        switch clipped.shape {
        case .polygon(let corners, let radius, let fill, let stroke):
            if let frame = uprightFrame(corners) {
                if radius == 0, let fill {
                    fillBox(frame.intersection(clip), fill)
                } else if let fill {
                    paint(frame, clip, fill) { Self.distance($0, to: frame, radius: radius) }
                }
                guard let stroke else { return }
                strokeBox(frame, clip, radius: radius, stroke)
                return
            }
            let box = Self.box(around: corners)
            let edges = Self.edges(of: corners)
            if let fill { paint(box, clip, fill) { Self.distance($0, to: edges) } }
            if let stroke {
                let half = stroke.width / 2
                paint(box, clip, stroke.color) { (Self.distance($0, to: edges) + half).magnitude - half }
            }
        case .circle(let center, let radius, let fill):
            let box = ViewTree.Frame(
                x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius)
            paint(box, clip, fill) { point in
                let (x, y) = (point.x - center.x, point.y - center.y)
                return (x * x + y * y).squareRoot() - radius
            }
        case .text(let words, let position, let isCentered, let size, let color):
            drawText(words, at: position, isCentered: isCentered, size: size, color, clip)
        }
    }

    // MARK: Pixels

    private mutating func blend(_ color: ViewTree.Color, share: Double, at index: Int) {
        let part = Int(share * Double(color.alpha) * 257 + 0.5)
        func mixed(_ old: UInt8, _ new: UInt8) -> UInt8 {
            UInt8(clamping: (Int(old) * (65_535 - part) + Int(new) * part + 32_767) / 65_535)
        }
        bytes[index] = mixed(bytes[index], color.red)
        bytes[index + 1] = mixed(bytes[index + 1], color.green)
        bytes[index + 2] = mixed(bytes[index + 2], color.blue)
    }

    /// The pixels that a frame touches.
    private func pixels(_ frame: ViewTree.Frame) -> (columns: Range<Int>, rows: Range<Int>) {
        func range(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
            let first = min(max(Int((low * scale).rounded(.down)), 0), limit)
            return first..<max(first, min(Int((high * scale).rounded(.up)), limit))
        }
        return (range(frame.x, frame.maxX, width), range(frame.y, frame.maxY, height))
    }

    /// Paints each pixel by its distance to the edge of a shape, negative inside.
    private mutating func paint(
        _ box: ViewTree.Frame, _ clip: ViewTree.Frame, _ color: ViewTree.Color,
        _ distance: (ViewTree.Position) -> Double
    ) {
        let box = box.intersection(clip)
        guard !box.isEmpty else { return }
        let (columns, rows) = pixels(box)
        for row in rows {
            for column in columns {
                let point = ViewTree.Position(x: (Double(column) + 0.5) / scale, y: (Double(row) + 0.5) / scale)
                let share = 0.5 - distance(point) * scale
                if share > 0 { blend(color, share: min(share, 1), at: (row * width + column) * 3) }
            }
        }
    }

    /// Fills an upright rectangle; pixels on its edges in proportion.
    private mutating func fillBox(_ frame: ViewTree.Frame, _ color: ViewTree.Color) {
        guard !frame.isEmpty else { return }
        let (columns, rows) = pixels(frame)
        func share(_ index: Int, _ low: Double, _ high: Double) -> Double {
            max(0, min(Double(index) + 1, high * scale) - max(Double(index), low * scale))
        }
        for row in rows {
            let vertical = share(row, frame.y, frame.maxY)
            for column in columns {
                let part = vertical * share(column, frame.x, frame.maxX)
                blend(color, share: part, at: (row * width + column) * 3)
            }
        }
    }

    private mutating func strokeBox(
        _ frame: ViewTree.Frame, _ clip: ViewTree.Frame, radius: Double, _ stroke: Picture.Stroke
    ) {
        let width = min(stroke.width, frame.width / 2, frame.height / 2)
        guard radius > 0 else {
            let inner = frame.height - 2 * width
            for side in [
                ViewTree.Frame(x: frame.x, y: frame.y, width: frame.width, height: width),
                ViewTree.Frame(x: frame.x, y: frame.maxY - width, width: frame.width, height: width),
                ViewTree.Frame(x: frame.x, y: frame.y + width, width: width, height: inner),
                ViewTree.Frame(x: frame.maxX - width, y: frame.y + width, width: width, height: inner),
            ] { fillBox(side.intersection(clip), stroke.color) }
            return
        }
        paint(frame, clip, stroke.color) {
            (Self.distance($0, to: frame, radius: radius) + width / 2).magnitude - width / 2
        }
    }

    // MARK: Distances in points

    private static func distance(_ point: ViewTree.Position, to frame: ViewTree.Frame, radius: Double) -> Double {
        let x = (point.x - frame.center.x).magnitude - frame.width / 2 + radius
        let y = (point.y - frame.center.y).magnitude - frame.height / 2 + radius
        let outside = (max(x, 0) * max(x, 0) + max(y, 0) * max(y, 0)).squareRoot()
        return outside + min(max(x, y), 0) - radius
    }

    /// An edge of a convex polygon: a point is inside if `x * a + y * b < c`.
    private typealias Edge = (a: Double, b: Double, c: Double)

    private static func edges(of corners: [ViewTree.Position]) -> [Edge] {
        let middleX = corners.reduce(0) { $0 + $1.x } / Double(max(corners.count, 1))
        let middleY = corners.reduce(0) { $0 + $1.y } / Double(max(corners.count, 1))
        return corners.indices.compactMap { index in
            let (first, next) = (corners[index], corners[(index + 1) % corners.count])
            let (a, b) = (next.y - first.y, first.x - next.x)
            let length = (a * a + b * b).squareRoot()
            guard length > 0 else { return nil }
            // The polygon may be mirrored, so the middle tells which side is inside.
            let sign = a * (middleX - first.x) + b * (middleY - first.y) > 0 ? -1.0 : 1
            return (sign * a / length, sign * b / length, sign * (a * first.x + b * first.y) / length)
        }
    }

    private static func distance(_ point: ViewTree.Position, to edges: [Edge]) -> Double {
        edges.reduce(-Double.greatestFiniteMagnitude) { max($0, point.x * $1.a + point.y * $1.b - $1.c) }
    }

    private static func box(around corners: [ViewTree.Position]) -> ViewTree.Frame {
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let (x, y) = (xs.min() ?? 0, ys.min() ?? 0)
        return ViewTree.Frame(x: x, y: y, width: (xs.max() ?? 0) - x, height: (ys.max() ?? 0) - y)
    }

    // MARK: Text

    private mutating func drawText(
        _ words: String, at position: ViewTree.Position, isCentered: Bool, size: Double, _ color: ViewTree.Color,
        _ clip: ViewTree.Frame
    ) {
        // A capital letter is seven dots high, about 0.7 of the size.
        let dot = size / 10
        let glyphs = words.unicodeScalars.prefix(200).map(BitmapFont.columns)
        let length = Double(glyphs.count * BitmapFont.advance - 1) * dot
        var x = isCentered ? position.x - length / 2 : position.x
        let top = position.y - dot * 3.5
        for columns in glyphs {
            for (column, bits) in columns.enumerated() {
                // Dots above each other are one box, without a seam.
                var row = 0
                while row < 8 {
                    guard bits >> row & 1 == 1 else {
                        row += 1
                        continue
                    }
                    let first = row
                    while row < 8, bits >> row & 1 == 1 { row += 1 }
                    let box = ViewTree.Frame(
                        x: x + Double(column) * dot, y: top + Double(first) * dot, width: dot,
                        height: Double(row - first) * dot)
                    fillBox(box.intersection(clip), color)
                }
            }
            x += Double(BitmapFont.advance) * dot
        }
    }
}
