import Foundation
import Testbed
import Testing

@Suite("WebDriver actions in a page's pixels", .timeLimit(Sanitizer.timeLimit))
struct ViewportTests {
    private let actions = """
        [{"type":"pointer","id":"a","parameters":{"pointerType":"touch"},"actions":[
          {"type":"pointerMove","x":640,"y":200},{"type":"pointerDown","button":0},{"type":"pointerUp","button":0}]}]
        """

    private func inFolder(_ body: (_ file: String, _ folder: URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "touchline-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "page.json").path
        try actions.write(toFile: file, atomically: true, encoding: .utf8)
        try body(file, folder)
    }

    @Test("actions outside the screen are refused with advice on --screen")
    func bounds() throws {
        try inFolder { file, folder in
            let complaint = """
                \(file):2: expected a target within the viewport of 375.0 by 667.0 (move target out of bounds), found \
                (640.0,200.0) of "a", item 1, in column 3: --screen WxH sets its size

                """
            let refused = try Program.run(["decode", "--json", file])
            #expect((refused.status, refused.err) == (2, complaint))
            let out = folder.appending(path: "page.evemu").path
            let unwritten = try Program.run(["convert", file, out])
            #expect((unwritten.status, unwritten.err) == (2, complaint))
            let written = try Program.run(["convert", "--screen", "1280x800", file, out])
            #expect(written.status == 0, "\(written.err)")
        }
    }

    @Test("decoded actions are in 65536ths of the given screen")
    func unit() throws {
        try inFolder { file, folder in
            let text = try Program.run(["decode", "--screen", "1280x800", file])
            #expect(text.out.contains("  x 0 to 65536, y 0 to 65536: 65536ths of a screen of 1280 by 800\n"))
            func object(_ arguments: String...) throws -> [String: Any] {
                let result = try Program.run(["decode", "--json", "--contacts"] + arguments)
                #expect((result.status, result.err) == (0, ""))
                return try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
            }
            let decoded = try object("--screen", "1280x800", file)
            #expect(decoded["screen"] as? [Double] == [1280, 800])
            let contact = (decoded["contacts"] as? [[String: Any]])?.first
            #expect(contact?["first"] as? [Int] == [32768, 16384])
            let exact = folder.appending(path: "exact.script").path
            try "axes (0,0) (9,9)\ntap f1 (3,3) @0\n".write(toFile: exact, atomically: true, encoding: .utf8)
            #expect(try object(exact)["screen"] == nil)
        }
    }

    @Test("replayed actions use the screen of the group")
    func replay() throws {
        try inFolder { file, _ in
            let small = try LiveGroup()
            let refused = try small.run("replay", file)
            #expect(refused.status == 2)
            #expect(refused.err.contains("within the viewport of 375.0 by 667.0 (move target out of bounds)"))
            let large = try LiveGroup(["--set", "screen.width=1280", "--set", "screen.height=800"])
            let (status, result) = try large.json("replay", "--speed", "max", file)
            #expect(status == 0)
            #expect((result["sent"] as? [String: Int])?["began"] == 1)
        }
    }
}
