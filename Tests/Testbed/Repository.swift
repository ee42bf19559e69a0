public import Foundation

/// Where the tests find what they read: this checkout, and beside it the recordings nobody here wrote.
public enum Repository {
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The scenario files, by name.
    public static let scenarios = root.appending(path: "Tests/Conformance")
    public static let scenarioNames: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: scenarios.path)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted()
    }()

    /// `../shared/data`, or nil where that folder is not: the tests that need it then say so and skip.
    public static let sharedData: URL? = {
        let folder = root.deletingLastPathComponent().appending(path: "shared/data")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()
}
