import Foundation
import Testbed
import Testing

/// Docs/Architecture.md names files of each station and functions on the way of one touch. This suite looks them up.
@Suite("Architecture page")
struct ArchitecturePageTests {
    /// The modules of each process, including lower modules that hold functions on the way of a touch.
    private let modules = [
        "input-kit": ["InputKitCore", "HID", "Links"],
        "system-server": ["SystemServerCore", "Links"],
        "app": ["AppCore", "UIKit", "Gestures", "Links"],
    ]

    @Test("Docs/Architecture.md names only functions that exist in their process")
    func functions() throws {
        var process = ""
        var found = 0
        for cells in try rows(after: "### The way of one touch", columns: 3) where cells[0] != "process" {
            if !cells[0].isEmpty { process = cells[0] }
            let sources = try texts(of: #require(modules[process], "'\(process)' is no process"))
            for name in cells[1].matches(of: /`(?:\w+\.)?(\w+)[^`]*`/).map(\.output.1) {
                #expect(sources.contains { $0.contains("func \(name)(") }, "\(process): no function '\(name)'")
                found += 1
            }
        }
        #expect(found > 60)
    }

    @Test("Docs/Architecture.md names only station files that exist")
    func files() throws {
        var found = 0
        for cells in try rows(after: "## The stations of an event", columns: 4) where cells[0] != "#" {
            var folder = Repository.root
            for path in cells[3].matches(of: /`([^`]+)`/).map({ String($0.output.1) }) {
                if path.contains("/") {
                    folder = Repository.root.appending(path: "Sources/\(path)").deletingLastPathComponent()
                }
                let name = path.split(separator: "/").last.map(String.init) ?? ""
                let file =
                    path.hasSuffix("/")
                    ? Repository.root.appending(path: "Sources/\(path)") : folder.appending(path: name)
                #expect(FileManager.default.fileExists(atPath: file.path), "station \(cells[0]): no file \(path)")
                found += 1
            }
        }
        #expect(found > 20)
    }

    /// Returns the cells of the first table under a heading, without the line below the table's head.
    private func rows(after heading: String, columns: Int) throws -> [[String]] {
        let page = try String(contentsOf: Repository.root.appending(path: "Docs/Architecture.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix(heading) })
        let table = lines[(start + 1)...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return table.map { line in
            line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == columns && $0[0] != "---" }
    }

    private func texts(of modules: [String]) throws -> [String] {
        try modules.flatMap { module in
            let folder = Repository.root.appending(path: "Sources/\(module)")
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        }
    }
}
