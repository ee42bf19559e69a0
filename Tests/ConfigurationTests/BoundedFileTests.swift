import Configuration
import Foundation
import Testbed
import Testing

@Suite("Bounded reading of named files") struct BoundedFileTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func refusal(_ path: String, limit: Int = 1 << 20) -> FileRefusal? {
        do throws(FileRefusal) { _ = try bytes(ofFile: path, limit: limit) } catch { return error }
        return nil
    }

    @Test("a file is read whole up to its limit, else refused")
    func limit() throws {
        try inFolder { folder in
            let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
            try Data(content).write(to: URL(filePath: "\(folder)/f"))
            #expect(try bytes(ofFile: "\(folder)/f", limit: 1000) == content)
            #expect(refusal("\(folder)/f", limit: 999) == .tooLong(1000, limit: 999))
            try Data().write(to: URL(filePath: "\(folder)/empty"))
            #expect(try bytes(ofFile: "\(folder)/empty", limit: 0) == [])
        }
    }

    @Test(
        "T8: special files and folders are refused without waiting",
        .timeLimit(Sanitizer.timeLimit))
    func special() throws {
        try inFolder { folder in
            #expect(mkfifo("\(folder)/fifo", 0o600) == 0)
            symlink("/dev/zero", "\(folder)/link")
            for path in ["\(folder)/fifo", "\(folder)/link", "/dev/zero", "/dev/null"] {
                #expect(refusal(path) == .special, "\(path)")
            }
            #expect(refusal(folder) == .folder)
            #expect(refusal("\(folder)/none") == .missing)
        }
    }

    @Test("T8: a file's length is checked before memory is allocated")
    func sparse() throws {
        try inFolder { folder in
            let path = "\(folder)/sparse"
            try Data().write(to: URL(filePath: path))
            #expect(truncate(path, 1 << 40) == 0)
            #expect(refusal(path) == .tooLong(1 << 40, limit: 1 << 20))
            #expect("\(FileRefusal.tooLong(5 << 20, limit: 4 << 20))" == "expected at most 4 MiB, found 5242880 bytes")
        }
    }
}
