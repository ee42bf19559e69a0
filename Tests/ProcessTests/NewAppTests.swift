import Foundation
import Testbed
import Testing

/// The script that makes a package. `Tools/check-new-app`, a part of `Tools/gate`, builds and runs what it makes.
@Suite("Tools/new-app")
struct NewAppTests {
    private func run(_ arguments: [String]) throws -> (status: Int32, out: String, err: String) {
        try Program.run(arguments, of: "new-app", in: Repository.root.appending(path: "Tools"))
    }

    @Test("new-app makes a package that depends on this clone, and refuses its folder afterwards")
    func package() throws {
        let folder = LiveGroup.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let made = try run(["Cards", "--into", folder])
        #expect(made.status == 0 && made.err == "", "\(made)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/Cards").filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(folder)/Cards/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        #expect(
            files.sorted() == [
                ".github/workflows/test.yml", ".gitignore", "Package.swift", "README.md",
                "Sources/Cards/CardViewController.swift",
                "Sources/Cards/UIKitOnLinux.swift", "Sources/CardsApp/CardsApp.swift",
                "Tests/CardsTests/CardTests.swift",
            ])
        let manifest = try String(contentsOfFile: "\(folder)/Cards/Package.swift", encoding: .utf8)
        #expect(manifest.contains(#".package(name: "touchline", path: "\#(Repository.root.path)")"#), "\(manifest)")

        let again = try run(["Cards", "--into", folder])
        #expect(again.status == 2)
        #expect(again.err == "new-app: expected a folder that does not exist, found \(folder)/Cards\n")
    }

    @Test("new-app names the package of a URL by its last part")
    func url() throws {
        let folder = LiveGroup.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let made = try run(["Cards", "--url", "https://example.com/a/touch-input.git", "--into", folder])
        #expect(made.status == 0, "\(made)")
        let manifest = try String(contentsOfFile: "\(folder)/Cards/Package.swift", encoding: .utf8)
        #expect(manifest.contains(#".package(url: "https://example.com/a/touch-input.git", branch: "main")"#))
        #expect(manifest.contains(#"package: "touch-input")"#))
    }

    @Test(
        "new-app refuses unusable arguments in one line with exit code 2",
        arguments: [
            ([], "expected a name such as Cards, found none; "),
            (
                ["3Cards"],
                "expected a name of letters and digits that begins with a letter, such as Cards, found 3Cards\n"
            ),
            (["a/b"], "expected a name of letters and digits that begins with a letter, such as Cards, found a/b\n"),
            (["HID"], "expected a name that is not in use, found HID: there is a module HID\n"),
            (["Touchline"], "expected a name that is not in use, found Touchline: there is a module TouchlineApp\n"),
            (["Cards", "--into"], "--into: expected a value, found none; "),
            (["Cards", "Decks"], "expected one name, found Cards and Decks; "),
            (["Cards", "--to", "x"], "expected --into or --url, found --to; "),
        ])
    func refusals(arguments: [String], complaint: String) throws {
        let result = try run(arguments)
        #expect(result.status == 2 && result.out == "")
        #expect(result.err.hasPrefix("new-app: \(complaint)"), "\(result.err)")
        #expect(result.err.split(separator: "\n").count == 1)
    }
}
