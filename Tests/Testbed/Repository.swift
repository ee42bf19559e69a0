public import Foundation

/// The files that tests read: this checkout, and the recordings of other people beside it.
public enum Repository {
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the scenario files, with a folder for each topic.
    public static let scenarios = root.appending(path: "Tests/Conformance")
    /// The scenario files as `topic/name.yaml`, by topic and name.
    public static let scenarioFiles: [String] = {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: scenarios.path)) ?? []
        return paths.filter { $0.hasSuffix(".yaml") }.sorted()
    }()
    /// The `topic/name.yaml` of each id. `ScenarioLibrary` reads ids in Sources; this table needs no module of Sources.
    private static let filesByID: [String: String] = {
        var files: [String: String] = [:]
        for file in scenarioFiles {
            let text = (try? String(contentsOf: scenarios.appending(path: file), encoding: .utf8)) ?? ""
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("id: ") }) else { continue }
            files[String(line.dropFirst("id: ".count))] = file
        }
        return files
    }()

    /// The scenario file with this id.
    public static func scenario(_ id: String) -> URL {
        guard let file = filesByID[id] else { preconditionFailure("no scenario has the id \(id)") }
        return scenarios.appending(path: file)
    }

    /// `../shared/data`, or nil if that folder is missing: the tests that need it then say so and skip.
    public static let sharedData: URL? = {
        let folder = root.deletingLastPathComponent().appending(path: "shared/data")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()
}
