import Foundation
import Testbed
import Testing

@Suite("The screenshot chord in processes", .serialized, .timeLimit(Sanitizer.timeLimit))
struct ScreenshotTests {

    @Test("power with volume up takes one screenshot for the visible app")
    func chord() throws {
        let group = try LiveGroup(["--apps", "2", "--trace"])
        #expect(try group.run("input", "press", "power").status == 0)
        #expect(try group.run("input", "press", "volumeUp").status == 0)
        #expect(try group.run("input", "press", "power", "--with", "volumeUp").status == 0)
        let late = "press power down @0\npress volumeUp down @0.5\npress power up @0.6\npress volumeUp up @0.7\n"
        #expect(try group.run("input", "script", late).status == 0)
        let twice = try group.run("input", "press", "power", "--with", "power")
        #expect(twice.status == 2 && twice.err.contains("expected each button once, found \"power+power\""))
        // This tap follows the screenshot's message.
        #expect(try group.run("input", "tap").status == 0)
        #expect(try group.run("down").status == 0)
        func count(_ text: String, in process: String) throws -> Int {
            try String(contentsOfFile: "\(group.runDirectory)/trace/\(process).trace", encoding: .utf8)
                .split(separator: "\n").count { $0.contains(text) }
        }
        #expect(try count("screenshot sent, apps: 1", in: "system-server") == 1)
        #expect(try count("a screenshot was taken", in: "app1") == 1)
        #expect(try count("a screenshot was taken", in: "app2") == 0)
    }
}
