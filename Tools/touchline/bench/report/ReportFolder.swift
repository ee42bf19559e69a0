// ReportFolder.swift: the files of `bench all --report`: the page, its plots, the figures, and the histograms of its runs.

import ArgumentParser
import Foundation

/// The folder of --report.
struct ReportFolder {
    private let path: String?

    /// - Throws: `Failure` with exit code 2 when the folder cannot be made.
    init(_ path: String?) throws {
        self.path = path
        guard let path else { return }
        // Histograms of an earlier run would be curves of this page, and its plots would be taken for this run's.
        for name in ["histograms", "plots"] {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
            do {
                try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
            } catch { throw Failure.badInput("\(path): cannot be made") }
        }
    }

    var page: String? { path.map { "\($0)/index.html" } }

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
            try encoder.encode(figures).write(to: URL(filePath: "\(path)/figures.json"))
            try Data(page.html.utf8).write(to: URL(filePath: "\(path)/index.html"))
            for (name, svg) in page.plotFiles {
                try Data(svg.utf8).write(to: URL(filePath: "\(path)/plots/\(name).svg"))
            }
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
