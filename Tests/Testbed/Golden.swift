import Foundation
import Synchronization
public import Testing

/// Compares `lines` with the text written in the test itself.
///
/// `TOUCHLINE_UPDATE=1 swift test` rewrites the text in place; the diff is the review.
public func expectTrace(
    _ lines: [some CustomStringConvertible],
    matches golden: String,
    at location: SourceLocation = #_sourceLocation
) {
    let actual = lines.map { trimmingEnd("\($0)") }.joined(separator: "\n")
    guard actual != golden else { return }
    if ProcessInfo.processInfo.environment["TOUCHLINE_UPDATE"] == "1" {
        rewrite(location, golden: golden, actual: actual)
    } else {
        Issue.record(Comment(rawValue: difference(golden, actual)), sourceLocation: location)
    }
}

private func trimmingEnd(_ text: String) -> String {
    var text = Substring(text)
    while text.last == " " { text.removeLast() }
    return String(text)
}

private func difference(_ golden: String, _ actual: String) -> String {
    let (want, got) = (golden.split(separator: "\n"), actual.split(separator: "\n"))
    var out = "the trace changed\n"
    for change in got.difference(from: want) {
        switch change {
        case .remove(let line, let text, _): out += "  - \(line + 1): \(text)\n"
        case .insert(let line, let text, _): out += "  + \(line + 1): \(text)\n"
        }
    }
    return out
}

/// Replaces the `matches:` literal at or after the call with `actual`.
private func rewrite(_ location: SourceLocation, golden: String, actual: String) {
    rewrites.withLock { rewrites in
        guard let source = try? String(contentsOfFile: location.filePath, encoding: .utf8) else { return }
        var lines = source.components(separatedBy: "\n")
        let start = rewrites.line(location.line, of: location.filePath) - 1
        guard let open = lines[start...].firstIndex(where: { $0.contains("matches: \"\"\"") }),
            let close = lines[(open + 1)...].firstIndex(where: {
                $0.trimmingCharacters(in: .whitespaces).hasPrefix("\"\"\"")
            })
        else { return }
        let indent = String(lines[close].prefix { $0 == " " })
        let body = actual.isEmpty ? [] : actual.components(separatedBy: "\n").map { $0.isEmpty ? "" : indent + $0 }
        lines.replaceSubrange((open + 1)..<close, with: body)
        try? lines.joined(separator: "\n").write(toFile: location.filePath, atomically: true, encoding: .utf8)
        rewrites.note(location.line, of: location.filePath, grewBy: body.count - (close - open - 1))
    }
}

/// The tests know their lines from the time of compilation. A literal that grew has moved the lines below it.
private struct Rewrites {
    private var done: [(file: String, line: Int, growth: Int)] = []

    func line(_ compiled: Int, of file: String) -> Int {
        compiled + done.filter { $0.file == file && $0.line < compiled }.reduce(0) { $0 + $1.growth }
    }

    mutating func note(_ line: Int, of file: String, grewBy growth: Int) { done.append((file, line, growth)) }
}

private let rewrites = Mutex(Rewrites())
