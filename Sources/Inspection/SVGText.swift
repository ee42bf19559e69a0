// SVGText.swift: a picture as SVG.
//
// Input     Picture
// Output    a file that a browser shows, or a part of an HTML page
// Knows     shapes. Texts come from an app: they are escaped, and control characters are removed.
//
// Sources   documented  SVG 1.1: polygon, rect, circle, text, clipPath

import Basics
import ViewTrees

extension Picture {
    /// The picture as an SVG document of one unit a point.
    ///
    /// - Parameter name: A prefix of the ids of clip paths; pictures of one HTML page need different ones.
    public func svg(named name: String = "clip") -> String {
        let (width, height) = (text(width), text(height))
        var out = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            font-family="-apple-system, Helvetica, Arial, sans-serif">

            """
        var clips: [ViewTree.Frame: Int] = [:]
        var definitions = ""
        var body = ""
        for shape in shapes {
            let element = element(shape.shape)
            guard let clip = shape.clip else {
                body += element + "\n"
                continue
            }
            if clip.isEmpty { continue }
            let number = clips[clip] ?? clips.count
            if clips.updateValue(number, forKey: clip) == nil {
                definitions += "<clipPath id=\"\(name)\(number)\">\(rect(clip, radius: 0, ""))</clipPath>\n"
            }
            body += "<g clip-path=\"url(#\(name)\(number))\">\(element)</g>\n"
        }
        if !definitions.isEmpty { out += "<defs>\n\(definitions)</defs>\n" }
        return out + body + "</svg>\n"
    }

    private func element(_ shape: Shape) -> String {
        switch shape {
        case .polygon(let corners, let radius, let fill, let stroke):
            let paint = attributes(fill: fill, stroke)
            // The line is inside the shape, as a layer's border is.
            let inset = (stroke?.width ?? 0) / 2
            if let frame = uprightFrame(corners) {
                let inner = ViewTree.Frame(
                    x: frame.x + inset, y: frame.y + inset, width: max(0, frame.width - 2 * inset),
                    height: max(0, frame.height - 2 * inset))
                return rect(inner, radius: max(0, radius - inset), paint)
            }
            let points = corners.map { "\(text($0.x)),\(text($0.y))" }.joined(separator: " ")
            return "<polygon points=\"\(points)\"\(paint)/>"
        case .circle(let center, let radius, let fill):
            return "<circle cx=\"\(text(center.x))\" cy=\"\(text(center.y))\" r=\"\(text(radius))\""
                + "\(attributes(fill: fill, nil))/>"
        case .text(let words, let position, let isCentered, let size, let color):
            let anchor = isCentered ? " text-anchor=\"middle\"" : ""
            // The middle of capital letters is about 0.35 of the size above the base line.
            let base = position.y + size * 0.35
            return "<text x=\"\(text(position.x))\" y=\"\(text(base))\" font-size=\"\(text(size))\"\(anchor)"
                + "\(attributes(fill: color, nil))>\(escaped(words))</text>"
        }
    }

    private func rect(_ frame: ViewTree.Frame, radius: Double, _ paint: String) -> String {
        "<rect x=\"\(text(frame.x))\" y=\"\(text(frame.y))\" width=\"\(text(frame.width))\" "
            + "height=\"\(text(frame.height))\"" + (radius > 0 ? " rx=\"\(text(radius))\"" : "") + "\(paint)/>"
    }

    private func attributes(fill: ViewTree.Color?, _ stroke: Stroke?) -> String {
        var out = fill.map { " fill=\"\(opaque($0))\"\(opacity("fill", $0))" } ?? " fill=\"none\""
        if let stroke {
            out +=
                " stroke=\"\(opaque(stroke.color))\" stroke-width=\"\(text(stroke.width))\""
                + opacity("stroke", stroke.color)
        }
        return out
    }

    private func opaque(_ color: ViewTree.Color) -> String { ViewTree.Color(color.red, color.green, color.blue).text }

    private func opacity(_ name: String, _ color: ViewTree.Color) -> String {
        color.alpha == 255 ? "" : " \(name)-opacity=\"\(fixedText(Double(color.alpha) / 255, digits: 2))\""
    }

    private func text(_ number: Double) -> String { shownNumber(number) }

    private func escaped(_ words: String) -> String {
        words.unicodeScalars.reduce(into: "") { out, scalar in
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            // XML has no characters below a space except line breaks and tabs, and not the last two of a plane.
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: out += " "
            default: out.unicodeScalars.append(scalar)
            }
        }
    }
}

/// The rectangle with these corners; nil for another shape.
func uprightFrame(_ corners: [ViewTree.Position]) -> ViewTree.Frame? {
    guard corners.count == 4, corners[0].y == corners[1].y, corners[2].y == corners[3].y,
        corners[0].x == corners[3].x, corners[1].x == corners[2].x
    else { return nil }
    let (x, y) = (min(corners[0].x, corners[2].x), min(corners[0].y, corners[2].y))
    return ViewTree.Frame(
        x: x, y: y, width: (corners[2].x - corners[0].x).magnitude, height: (corners[2].y - corners[0].y).magnitude)
}
