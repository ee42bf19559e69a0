/// Quotes a piece of a file for a message to a person: short, and without control characters.
///
/// - Returns: At most 48 bytes of the piece, in quotation marks.
public func quoted(_ bytes: some Sequence<UInt8>) -> String {
    let shown = Array(bytes.prefix(49))
    let printable = shown.prefix(48).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }
    return "\"\(String(decoding: printable, as: UTF8.self))\(shown.count > 48 ? "…" : "")\""
}

/// Quotes a text in the same way; an empty text becomes `nothing`.
public func quoted(_ text: some StringProtocol) -> String { text.isEmpty ? "nothing" : quoted(Array(text.utf8)) }

/// Returns the text as one line: line feeds become `\n`, so that a name in the text cannot forge a line.
public func oneLine(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\n")) else { return text }
    var line = ""
    for scalar in text.unicodeScalars {
        if scalar == "\n" { line += "\\n" } else { line.unicodeScalars.append(scalar) }
    }
    return line
}
