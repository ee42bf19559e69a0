// YAMLDocument.swift: parses a YAML file without interpreting its values.
//
// Knows     Yams, and the inputs for which it takes very long.

package import Yams

/// The single document of a text; nil for an empty one.
///
/// Every scalar stays a text, because its key determines its type. So `7` and `"7"` are the same key. YAML's patterns
/// of numbers and dates, which would take longer than everything else, are not tried. The environment does not
/// determine the encoding.
///
/// - Throws: `YamlError`, `AliasError`.
package func document(yaml text: String) throws -> Node? {
    if let line = lineOfAliasBeyondLimit(text) { throw AliasError(line: line) }
    return try compose(yaml: text, .basic, .default, .utf8)
}

/// Parses a file for a reader of this module.
///
/// - Parameter file: The name of the file as the person wrote it; errors contain it.
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

/// More aliases than any real file has.
package struct AliasError: Error, CustomStringConvertible {
    /// The line of the first alias beyond the limit, from 1.
    package let line: Int

    package var description: String { "expected at most \(aliasLimit) aliases (*name) in one file, found more" }
}

/// Each alias of a mapping with two aliases doubles the number of values. When a mapping is a key, Yams visits all of
/// them before a reader can count. With this limit there are at most some hundred thousand values.
private let aliasLimit = 32

/// - Returns: Nil within the limit. Text in a multi-line scalar that only looks like an alias counts as well.
private func lineOfAliasBeyondLimit(_ text: String) -> Int? {
    var (count, line) = (0, 1)
    var before = UInt8(ascii: "\n")
    var isStar = false
    for byte in text.utf8 {
        // A name follows the star immediately.
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
