import CSystem
import Foundation
import Testing

@Suite("Pages of a program")
struct ProgramPagesTests {
    @Test("a process that unmaps the pages of its program goes on with fewer of them")
    func unmapped() throws {
        let before = try mappedFilePages()
        system_unmap_program_pages()
        let after = try mappedFilePages()
        #expect(after < before)
        // Each of these lines needs code, constants and relocated pointers.
        #expect(
            "\(URL(filePath: "/run/touchline").appending(path: "control.sock").path)" == "/run/touchline/control.sock")
    }

    /// The pages of files that this process maps, in KiB.
    private func mappedFilePages() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) })
    }
}
