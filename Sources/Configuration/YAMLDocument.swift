// YAMLDocument.swift: a YAML file as the text somebody wrote, to which each reader gives its own meaning.
//
// Knows     Yams, and what it takes forever over.

package import Yams

/// The one document of a text; nil of an empty one.
///
/// Every scalar stays the text it was written as, for what it is its key says. So `7` and `"7"` are the same key, and none
/// is tried against YAML's patterns of numbers and dates, which would take longer than all the rest. Nor does the
/// environment choose the encoding.
///
/// - Throws: `YamlError`, `AliasError`.
package func document(yaml text: String) throws -> Node? {
    if let line = lineOfAliasBeyondLimit(text) { throw AliasError(line: line) }
    return try compose(yaml: text, .basic, .default, .utf8)
}

/// The same, of a file of one of our own readers.
///
/// - Parameter file: As the person wrote it; errors name it so.
func document(yaml text: String, of file: String) throws(InvalidConfiguration) -> Node? {
    do {
        return try document(yaml: text)
    } catch let error as YamlError {
        throw InvalidConfiguration([ConfigurationError(file: file, error)])
    } catch {
        let line = (error as? AliasError)?.line
        throw InvalidConfiguration([ConfigurationError(file: file, line: line, problem: "\(error)")])
    }
}

/// More names of other places than any honest file has.
package struct AliasError: Error, CustomStringConvertible {
    /// Of the first that is too many, from 1.
    package let line: Int

    package var description: String { "expected at most \(aliasLimit) aliases (*name) in one file, found more" }
}

/// Each alias of a mapping with two aliases doubles what there is; and when a mapping is a key, Yams walks all of it before
/// any reader can count. So many make some hundred thousand values at the most.
private let aliasLimit = 32

/// - Returns: Nil when there are no more than are allowed. What only looks like an alias, in a text of several lines,
///   counts as well.
private func lineOfAliasBeyondLimit(_ text: String) -> Int? {
    var (count, line) = (0, 1)
    var before = UInt8(ascii: "\n")
    var isStar = false
    for byte in text.utf8 {
        // A name begins right behind the star.
        if isStar, byte > UInt8(ascii: " ") {
            count += 1
            if count > aliasLimit { return line }
        }
        switch before {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
            // In the middle of a word.
            isStar = false
        default: isStar = byte == UInt8(ascii: "*")
        }
        if byte == UInt8(ascii: "\n") { line += 1 }
        before = byte
    }
    return nil
}
