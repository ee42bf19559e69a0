import Foundation
public import Testing

/// Expects that a file of Docs equals the text that the code generates for it.
///
/// `TOUCHLINE_UPDATE=1 swift test` rewrites the file; its diff is the review.
public func expectDocument(_ path: String, equals text: String, at location: SourceLocation = #_sourceLocation) {
    let file = Repository.root.appending(path: path)
    guard (try? String(contentsOf: file, encoding: .utf8)) != text else { return }
    guard ProcessInfo.processInfo.environment["TOUCHLINE_UPDATE"] == "1" else {
        Issue.record("\(path) no longer says what the code does", sourceLocation: location)
        return
    }
    do {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    } catch {
        Issue.record(error, sourceLocation: location)
    }
}
