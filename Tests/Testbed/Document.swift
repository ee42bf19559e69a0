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

/// Expects that one section of a page equals the text that the code generates for it. The rest of the page is free.
///
/// - Parameters:
///   - heading: The line that begins the section, such as `## Keys`. The section ends before the next heading of this
///     level or a higher one, or with the page.
///   - text: The text below the heading, without the blank lines around it.
public func expectSection(
    _ heading: String, of path: String, equals text: String, at location: SourceLocation = #_sourceLocation
) throws {
    let page = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    guard let start = page.range(of: "\n\(heading)\n") else {
        Issue.record("\(path) has no section \(heading)", sourceLocation: location)
        return
    }
    let level = heading.prefix { $0 == "#" }.count
    let rest = page[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
    let next = rest.firstIndex { line in
        let marks = line.prefix { $0 == "#" }.count
        return (1...level).contains(marks) && line.dropFirst(marks).hasPrefix(" ")
    }
    let end = next.map { "\n" + rest[$0...].joined(separator: "\n") } ?? ""
    expectDocument(path, equals: page[..<start.upperBound] + "\n\(text)\n" + end, at: location)
}

/// Returns a Markdown table. A column without any text is omitted.
public func markdownTable(_ titles: [String], _ rows: [[String]]) -> String {
    let columns = titles.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    let lines = ([titles, titles.map { _ in "---" }] + rows).map { cells in
        "| \(columns.map { cells[$0] }.joined(separator: " | ")) |"
    }
    return lines.joined(separator: "\n")
}

/// The cells of a page that a person writes beside the generated ones, such as the meaning of a key.
///
/// A test that generates a table copies them from the page to its rows, and records an issue for an empty cell.
public struct WrittenCells {
    private let path: String
    /// The rows by heading and first cell; a row's cells by column title.
    private var rows: [String: [String: String]] = [:]

    public init(of path: String) throws {
        self.path = path
        let page = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
        var heading = ""
        var titles: [String] = []
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") { heading = String(line) }
            guard line.hasPrefix("| "), line.hasSuffix(" |") || line.hasSuffix("|") else {
                titles = []
                continue
            }
            let cells = line.dropFirst(2).dropLast(line.hasSuffix(" |") ? 2 : 1).components(separatedBy: " | ")
            if cells[0].hasPrefix("---") { continue }
            if titles.isEmpty { titles = cells } else { rows["\(heading)/\(cells[0])"] = Self.row(cells, titles) }
        }
    }

    private static func row(_ cells: [String], _ titles: [String]) -> [String: String] {
        Dictionary(zip(titles, cells)) { first, _ in first }
    }

    /// The first cells of the rows below a heading.
    public func firstCells(below heading: String) -> Set<String> {
        Set(rows.keys.filter { $0.hasPrefix("\(heading)/") }.map { String($0.dropFirst(heading.count + 1)) })
    }

    /// Returns a cell as the page has it, and records an issue if the page has none.
    public func cell(
        _ title: String, of first: String, below heading: String, at location: SourceLocation = #_sourceLocation
    ) -> String {
        if let cell = rows["\(heading)/\(first)"]?[title], !cell.isEmpty { return cell }
        Issue.record("\(path): write the \(title) of \(first) below '\(heading)'", sourceLocation: location)
        return ""
    }
}
