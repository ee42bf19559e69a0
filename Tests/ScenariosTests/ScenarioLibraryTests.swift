import Foundation
import Scenarios
import Testing

@Suite("Scenario library")
struct ScenarioLibraryTests {
    /// Makes a library of files with these texts.
    private func library(_ files: [String: String]) throws -> (library: ScenarioLibrary, folder: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        return (ScenarioLibrary(folder: folder.path), folder.path)
    }

    @Test("a scenario library lists files by id, with numbers by value")
    func order() throws {
        let (library, folder) = try library([
            "b/z.yaml": "id: S04\n", "a/z.yaml": "# first\nid: S100a\n", "y.yaml": "title: x\nid: S10\n",
            "a/none.yaml": "title: none\n", "a/b/c.yaml": "id: S04b\n", "a/broken.yaml": "id: [\n",
            "a/other.txt": "id: S1\n",
        ])
        #expect(library.entries.map(\.id) == ["S04", "S04b", "S10", "S100a", nil, nil])
        #expect(library.entries.suffix(2).map(\.path) == ["\(folder)/a/broken.yaml", "\(folder)/a/none.yaml"])
        #expect(try library.path(ofID: "S04b") == "\(folder)/a/b/c.yaml")
        #expect(try library.path(ofID: "S4") == nil)
        #expect(library.suggestion(for: "S100") == "S100a")
        #expect(library.suggestion(for: "s10") == "S10")
        #expect(library.duplicates == [])
    }

    @Test("an id of two scenario files is an error naming both")
    func duplicates() throws {
        let (library, folder) = try library(["a.yaml": "id: A\n", "x/b.yaml": "title: b\nid: A\n", "c.yaml": "id: C\n"])
        let text = "\(folder)/x/b.yaml:2:5: id: A is already the id of \(folder)/a.yaml"
        #expect(library.duplicates.map(\.description) == [text])
        #expect(throws: ScenarioError.self) { try library.path(ofID: "A") }
        #expect(try library.path(ofID: "C") == "\(folder)/c.yaml")
    }

    @Test("a missing folder has no scenarios")
    func noFolder() { #expect(ScenarioLibrary(folder: "/nowhere").entries.isEmpty) }
}
