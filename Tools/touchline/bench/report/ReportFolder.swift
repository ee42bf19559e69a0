// ReportFolder.swift: the files of `bench all --report`: the page, its plots, the figures, and the histograms of its runs.

import ArgumentParser
import Foundation
import Glibc

/// The folder of --report.
struct ReportFolder {
    private let path: String?

    /// The title of the page, by which a folder is recognized as one of an earlier run.
    static let title = "Touchline benchmarks"

    /// What a run writes: the folders with the endings of their files, and the files.
    private static let folders = [(name: "histograms", endings: ["hgrm", "hlog"]), (name: "plots", endings: ["svg"])]
    private static let (page, figures) = ("index.html", "figures.json")

    /// Makes the folder, or removes the files of an earlier run from it. The page says that the run is not finished until
    /// `write` replaces it.
    ///
    /// - Throws: `Failure` with exit code 2 when the folder has such files of other programs, and when it cannot be
    ///   made or written.
    init(_ path: String?) throws {
        self.path = path
        guard let path else { return }
        let files = FileManager.default
        let taken = (Self.folders.map(\.name) + [Self.page, Self.figures])
            .filter { files.fileExists(atPath: "\(path)/\($0)") }
        guard taken.isEmpty || Self.isEarlierReport(path) else {
            throw Failure.badInput(
                "--report: expected a new folder or one of an earlier run, found \(path) with "
                    + "\(taken.joined(separator: " ")) of something else")
        }
        for (name, _) in Self.folders {
            let folder = "\(path)/\(name)"
            do { try files.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
                throw Failure.badInput("\(folder): cannot be made")
            }
            guard access(folder, W_OK | X_OK) == 0 else { throw Failure.badInput("\(folder): cannot be written") }
        }
        // Before files are removed: a page that cannot be written keeps the earlier run whole.
        let unfinished = ReportPage(
            title: Self.title, facts: [], problems: ["The run has not finished."], sections: [])
        do { try Data(unfinished.html.utf8).write(to: URL(filePath: "\(path)/\(Self.page)")) } catch {
            throw Failure.badInput("\(path): cannot be written: \(error.localizedDescription)")
        }
        // Histograms of an earlier run would be curves of this page, and its plots would be taken for this run's.
        for (name, endings) in Self.folders {
            for file in (try? files.contentsOfDirectory(atPath: "\(path)/\(name)")) ?? []
            where endings.contains(where: { file.hasSuffix(".\($0)") }) {
                try? files.removeItem(atPath: "\(path)/\(name)/\(file)")
            }
        }
        try? files.removeItem(atPath: "\(path)/\(Self.figures)")
    }

    private static func isEarlierReport(_ path: String) -> Bool {
        let html = try? String(contentsOfFile: "\(path)/\(page)", encoding: .utf8)
        return html?.contains("<title>\(title)</title>") == true
    }

    var page: String? { path.map { "\($0)/\(Self.page)" } }

    /// The option of a benchmark that writes histograms.
    func histogramWords(for arguments: [String]) -> [String] {
        guard let path, arguments.count > 1,
            let benchmark = BenchList.all.first(where: { $0.name == arguments[1] }),
            benchmark.command.helpMessage().contains("--histograms")
        else { return [] }
        return ["--histograms", "\(path)/histograms"]
    }

    func write(_ page: ReportPage, figures: some Encodable) throws {
        guard let path else { return }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(figures).write(to: URL(filePath: "\(path)/\(Self.figures)"))
            for (name, svg) in page.plotFiles {
                try Data(svg.utf8).write(to: URL(filePath: "\(path)/plots/\(name).svg"))
            }
            // Last: until then the page says that the run is not finished.
            try Data(page.html.utf8).write(to: URL(filePath: "\(path)/\(Self.page)"))
        } catch { throw Failure.badInput("\(path): cannot be written: \(error.localizedDescription)") }
    }

    /// Reads the percentile distributions: `240Hz.group.hgrm` is the curve `group` of the case `240Hz`.
    ///
    /// - Returns: The cases in the order in which they were written.
    func distributions() -> [ReportPage.Distribution] {
        guard let path else { return [] }
        let folder = URL(filePath: "\(path)/histograms")
        let keys: [URLResourceKey] = [.contentModificationDateKey]
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: keys)) ?? []
        func date(_ file: URL) -> Date {
            (try? file.resourceValues(forKeys: Set(keys)).contentModificationDate) ?? .distantPast
        }
        var found: [ReportPage.Distribution] = []
        for file in files.filter({ $0.pathExtension == "hgrm" }).sorted(by: { date($0) < date($1) }) {
            let words = file.deletingPathExtension().lastPathComponent.split(separator: ".", maxSplits: 1)
            guard words.count == 2, let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let curve = PercentileCurve(name: String(words[1]), distribution: text)
            if let index = found.firstIndex(where: { $0.name == words[0] }) {
                found[index].curves.append(curve)
            } else {
                found.append(ReportPage.Distribution(name: String(words[0]), curves: [curve]))
            }
        }
        return found
    }
}
