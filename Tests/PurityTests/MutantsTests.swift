import Foundation
import Testbed
import Testing

/// `Tools/mutants` builds and runs the mutants, which takes minutes. These tests check that the mutants still apply.
@Suite("Mutants")
struct MutantsTests {

    @Test("every mutant still applies to the sources")
    func apply() throws {
        let folder = Repository.root.appending(path: "Tests/Mutants")
        let patches = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "patch" }
            .sorted { $0.path < $1.path }
        #expect(patches.count >= 10)
        for patch in patches {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["patch", "-p1", "--fuzz=1", "--dry-run", "--silent", "--force", "-i", patch.path]
            process.currentDirectoryURL = Repository.root
            let output = Pipe()
            (process.standardOutput, process.standardError) = (output, output)
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(
                process.terminationStatus == 0, "\(patch.lastPathComponent): \(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test("the product contains no switch for mutants")
    func noHooks() throws {
        let sources = FileManager.default.enumerator(
            at: Repository.root.appending(path: "Sources"), includingPropertiesForKeys: nil)
        for case let file as URL in sources! where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("mutant("), "\(file.lastPathComponent)")
        }
    }
}
