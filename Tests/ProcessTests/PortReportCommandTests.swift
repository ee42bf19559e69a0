import Foundation
import Testbed
import Testing

@Suite("`touchline port-report`")
struct PortReportCommandTests {
    @Test("the sample apps use nothing that Linux lacks")
    func samples() throws {
        let result = try Program.run([
            "port-report", Repository.root.appending(path: "Sources/SampleApps/Taps.swift").path,
        ])
        #expect(result.status == 0, "\(result.out)\(result.err)")
        #expect(result.out.contains(" 0 findings"), "\(result.out)")
    }

    @Test("a finding has its uses, its first use and a reason; the exit code is 1")
    func finding() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "port-\(UUID().uuidString).swift")
        try "import UIKit\nlet a: UIMissing?\nlet b: UIMissing?\n".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let text = try Program.run(["port-report", file.path])
        #expect(text.status == 1)
        #expect(text.out.contains("2  UIMissing  \(file.path):2  UIKit has no UIMissing here"), "\(text.out)")
        let json = try Program.run(["port-report", "--json", file.path])
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        let findings = try #require(object?["findings"] as? [[String: Any]])
        #expect(findings.map { $0["name"] as? String } == ["UIMissing"])
        #expect((findings[0]["uses"] as? [[String: Any]])?.compactMap { $0["line"] as? Int } == [2, 3])
    }

    @Test("sources that do not exist, or hold no Swift, are refused")
    func badInput() throws {
        for arguments in [["/nowhere/at-all"], ["/proc/self/net"]] {
            let result = try Program.run(["port-report"] + arguments)
            #expect(result.status == 2 && result.out.isEmpty, "\(result)")
            #expect(result.err.split(separator: "\n").count == 1, "\(result.err)")
        }
    }
}
