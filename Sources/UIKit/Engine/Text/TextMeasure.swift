// TextMeasure.swift: the size of text without glyphs.
//
// Every character is 0.55 of the point size wide, and every line as high as the font's line. Lines break between characters.
// The result is right to some percent for a line of Latin text, which is enough for a layout that touches land on.
//
// Sources   invented    all of it

import Foundation

enum TextMeasure {
    private static let characterWidth: CGFloat = 0.55

    /// - Parameter width: Of the lines, in points. 0 and less mean no limit.
    static func size(of text: NSAttributedString, in width: CGFloat) -> CGSize {
        let string = text.string
        guard !string.isEmpty else { return .zero }
        let attributes = text.attributes(at: 0, effectiveRange: nil)
        let style = attributes[.paragraphStyle] as? NSParagraphStyle
        return size(
            of: string, font: attributes[.font] as? UIFont ?? .systemFont(ofSize: 12), in: width,
            spacing: style?.lineSpacing ?? 0, lines: 0)
    }

    /// - Parameter lines: The greatest number of lines; 0 for no limit.
    static func size(of text: String, font: UIFont, in width: CGFloat, spacing: CGFloat = 0, lines: Int) -> CGSize {
        guard !text.isEmpty else { return .zero }
        let character = font.pointSize * characterWidth
        let limit = width > 0 ? width : .greatestFiniteMagnitude
        let perLine = max(1, (limit / character).rounded(.down))
        var count = 0
        var widest: CGFloat = 0
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let length = CGFloat(paragraph.count)
            count += lines == 1 ? 1 : max(1, Int((length / perLine).rounded(.up)))
            widest = max(widest, min(length, perLine) * character)
        }
        if lines > 0 { count = min(count, lines) }
        let height = CGFloat(count) * font.lineHeight + CGFloat(count - 1) * spacing
        return CGSize(width: widest.rounded(.up), height: height.rounded(.up))
    }
}
