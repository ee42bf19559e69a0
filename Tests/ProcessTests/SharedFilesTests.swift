import Foundation
import Testing

@testable import touchline

/// `Tools/check-package` runs installed programs, which find their files this way.
@Suite("Files that come with the programs")
struct SharedFilesTests {
    @Test(
        "the current folder comes first, then the installation's folder or those above a build",
        arguments: [
            ("/usr/lib/touchline/touchline", ["Config/A.yaml", "/usr/share/touchline/Config/A.yaml"]),
            ("/opt/tl/lib/touchline/touchline", ["Config/A.yaml", "/opt/tl/share/touchline/Config/A.yaml"]),
            (
                "/c/T/.build/linux/release/touchline",
                [
                    "Config/A.yaml", "/c/T/.build/linux/Config/A.yaml", "/c/T/.build/Config/A.yaml",
                    "/c/T/Config/A.yaml", "/c/Config/A.yaml", "/Config/A.yaml",
                ]
            ),
            ("/home/ann/bin/touchline", ["Config/A.yaml"]), ("/touchline", ["Config/A.yaml"]),
        ])
    func candidates(program: String, expected: [String]) {
        #expect(SharedFiles.candidates(for: "Config/A.yaml", program: URL(filePath: program)) == expected)
    }

    @Test("an absolute path is the only candidate")
    func absolutePath() {
        let program = URL(filePath: "/usr/lib/touchline/touchline")
        #expect(SharedFiles.candidates(for: "/tmp/A.yaml", program: program) == ["/tmp/A.yaml"])
    }

    @Test("the first candidate that exists is the file, and a name without one stays as it is")
    func existing() throws {
        let folder = URL(filePath: LiveGroup.newFolder())
        defer { try? FileManager.default.removeItem(at: folder) }
        let shared = folder.appending(path: "share/touchline/NoSuchFolder")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        let file = shared.appending(path: "A.yaml")
        try "a".write(to: file, atomically: true, encoding: .utf8)
        let program = folder.appending(path: "lib/touchline/touchline")
        #expect(SharedFiles.path("NoSuchFolder/A.yaml", program: program) == file.path)
        #expect(SharedFiles.path("NoSuchFolder/B.yaml", program: program) == "NoSuchFolder/B.yaml")
    }
}
