import Basics
import Foundation
import Porting
import Testbed
import Testing

@Suite("rewriting this project's own sources")
struct PortedRepositoryTests {
    private func files(under folder: String) throws -> [PortedFile] {
        let root = Repository.root.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }.sorted()
            .map { PortedFile(path: $0, bytes: Array(try Data(contentsOf: root.appending(path: $0)))) }
    }

    @Test(
        "every line keeps its number", arguments: ["Sources/UIKit", "Sources/SampleApps", "Tests/UIKitTests", "Tools"])
    func lines(folder: String) throws {
        let files = try files(under: folder)
        try #require(!files.isEmpty)
        for (source, result) in zip(files, Rewriter(files).rewritten()) {
            let lines = { (bytes: [UInt8]) in bytes.count { $0 == UInt8(ascii: "\n") } }
            let first = String(decoding: result.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            let added = first.hasSuffix("line: 2)") ? 0 : 2
            #expect(lines(result.bytes) == lines(source.bytes) + added, "\(source.path)")
        }
    }

    @Test("a damaged file is rewritten without a trap", arguments: 1...200)
    func damaged(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let files = try files(under: "Sources/SampleApps").map { file in
            var bytes = file.bytes
            for _ in 0..<5 where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch random.next() % 4 {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(Array("{}()[]\"#@\\`/*".utf8)[Int(random.next() % 13)], at: place)
                case 2: bytes.removeSubrange(place...)
                default: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            return PortedFile(path: file.path, bytes: bytes)
        }
        #expect(Rewriter(files).rewritten().count == files.count)
    }
}
