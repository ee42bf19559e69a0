/// Finds the first occurrence of a part in a text, byte by byte.
///
/// The functions of the same purpose for texts, `contains(_:)`, `firstRange(of:)` and `replacing(_:with:)`, belong to
/// `_StringProcessing`. A process that calls one loads the parser of regular expressions, too
/// (Docs/Decisions/StartAndMemory.md).
///
/// - Returns: Nil if the text does not contain the part. An empty part is found at the beginning.
public func firstRange<Text: StringProtocol>(of part: some StringProtocol, in text: Text) -> Range<Text.Index>? {
    let (text, part) = (text.utf8, part.utf8)
    var start = text.startIndex
    while true {
        var (end, next) = (start, part.startIndex)
        while next != part.endIndex, end != text.endIndex, text[end] == part[next] {
            text.formIndex(after: &end)
            part.formIndex(after: &next)
        }
        if next == part.endIndex { return start..<end }
        guard start != text.endIndex else { return nil }
        text.formIndex(after: &start)
    }
}

/// Returns the text with each occurrence of a part replaced, from left to right.
///
/// - Precondition: The part is not empty.
public func replacing(_ part: some StringProtocol, with other: some StringProtocol, in text: String) -> String {
    precondition(!part.isEmpty, "nothing cannot be replaced")
    var (result, rest) = ("", Substring(text))
    while let found = firstRange(of: part, in: rest) {
        result += rest[..<found.lowerBound]
        result += other
        rest = rest[found.upperBound...]
    }
    return result + rest
}
