// StyledText.swift: lines with styles, and the bytes that draw them on a terminal.
//
//     lines ─▶ control characters made visible ─▶ row by row: text, styles, erase the rest ─▶ Output.drawScreen
//
// Sources   documented  ECMA-48: CUP, ED, EL, SGR; xterm's private modes 25 (cursor) and 1049 (alternate screen)

import Basics

/// A style of text. A terminal without colors shows none of them.
public enum TextStyle: Sendable {
    case plain, bold, dim, red, yellow

    /// The parameter of SGR.
    fileprivate var parameter: String {
        switch self {
        case .plain: "0"
        case .bold: "1"
        case .dim: "2"
        case .red: "31"
        case .yellow: "33"
        }
    }
}

/// A text of one style.
public struct StyledText: Equatable, Sendable {
    public var text: String
    public var style: TextStyle

    public init(_ text: String, _ style: TextStyle = .plain) { (self.text, self.style) = (text, style) }
}

/// One line of a screen.
public struct StyledLine: Equatable, Sendable {
    public var parts: [StyledText]

    public init(_ parts: [StyledText]) { self.parts = parts }

    /// The text without styles and without spaces at its end.
    public var text: String {
        var text = parts.map(\.text).joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Returns the line with at most this many characters.
    public func cut(to width: Int) -> StyledLine {
        var left = max(0, width)
        var cut: [StyledText] = []
        for part in parts where left > 0 {
            let text = String(part.text.prefix(left))
            left -= text.count
            cut.append(StyledText(text, part.style))
        }
        return StyledLine(cut)
    }
}

extension StyledLine {
    /// Returns the bytes that draw lines from the first row of a terminal on, and erase everything else.
    ///
    /// Control characters, line breaks and tabs in texts are made visible.
    static func screen(_ lines: [StyledLine], hasColors: Bool) -> [UInt8] {
        var text = "\u{1B}[H"
        for (index, line) in lines.enumerated() {
            if index > 0 { text += "\r\n" }
            for part in line.parts where !part.text.isEmpty {
                let visible = String(oneLine(Output.visible(part.text)).map { $0 == "\t" ? " " : $0 })
                let isStyled = hasColors && part.style != .plain
                text += isStyled ? "\u{1B}[\(part.style.parameter)m\(visible)\u{1B}[0m" : visible
            }
            text += "\u{1B}[K"
        }
        return Array((text + "\u{1B}[J").utf8)
    }
}
