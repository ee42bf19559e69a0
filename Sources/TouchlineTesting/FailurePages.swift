// FailurePages.swift: the page of a phone's run for each failed test.
//
//     TOUCHLINE_PAGES=folder ─▶ a TestPhone records ─ the test fails ─▶ RunPage ─▶ folder/CardTests.taps.html
//
// Input     FailureReports, when a test has failed
// Output    one file for each failed test
// Knows     the folder. Page draws the run.
//
// Sources   invented

import Foundation
import Page
import Runs

/// Where failed tests write the pages of their phones.
enum FailurePages {
    /// The folder; nil if no pages are written.
    @TaskLocal static var folder: String? = {
        let folder = ProcessInfo.processInfo.environment["TOUCHLINE_PAGES"] ?? ""
        return folder.isEmpty ? nil : folder
    }()

    private static let used = UsedNames()

    /// Returns the path of the page of a test: its file and its function, and a number if the path is another page's.
    ///
    /// - Parameters:
    ///   - file: The source file of the test.
    ///   - function: The name of its function, or of its case.
    static func path(file: String, function: String) -> String? {
        guard let folder else { return nil }
        let stem = URL(filePath: file).deletingPathExtension().lastPathComponent
        let name = String(
            "\(stem).\(function.prefix { $0 != "(" })".map {
                $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "-"
            })
        let number = used.count(name, in: folder)
        return "\(folder)/\(name)\(number == 1 ? "" : "-\(number)").html"
    }

    /// Writes the page of a run.
    ///
    /// - Returns: What could not be written, for a person; nil if the page is there.
    static func write(_ run: RecordedRun, named name: String, to path: String) -> String? {
        do {
            try FileManager.default.createDirectory(
                at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            try RunPage(RunRecord(run), name: name).html.write(toFile: path, atomically: true, encoding: .utf8)
            return nil
        } catch { return "\(path): cannot be written: \(error.localizedDescription)" }
    }

    /// Counts the pages of each name.
    private final class UsedNames: @unchecked Sendable {
        private let lock = NSLock()
        private var counts: [String: Int] = [:]

        func count(_ name: String, in folder: String) -> Int {
            lock.withLock {
                counts["\(folder)/\(name)", default: 0] += 1
                return counts["\(folder)/\(name)"] ?? 1
            }
        }
    }
}
