import Foundation
import Glibc
import Testbed
import Testing

@Suite("`touchline monitor`", .serialized, .timeLimit(Sanitizer.timeLimit))
struct TouchMonitorProcessTests {
    private func monitor(_ group: LiveGroup, _ arguments: String...) throws -> Program {
        let program = try Program(["monitor", "--run-dir", group.runDirectory] + arguments)
        let isJSON = arguments.contains("--json")
        _ = try program.line(beginning: isJSON ? "{\"event\":\"begun\"" : "observing as touch monitor ")
        return program
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// The number of cancelled touches in the facts of an app.
    private func cancels(_ group: LiveGroup, _ app: String) throws -> Int {
        let trace = try String(contentsOfFile: "\(group.runDirectory)/trace/\(app).trace", encoding: .utf8)
        return trace.split(separator: "\n").count { $0.contains("\ttouch ") && $0.hasSuffix(" cancelled") }
    }

    @Test("one `touchline monitor` observes a tap, another pilfers a drag")
    func observedAndTaken() throws {
        let group = try LiveGroup(["--apps", "2", "--set", "host.trace=file", "--set", "trace.positions=true"])
        let observer = try monitor(group, "--json")
        #expect(try group.run("input", "tap", "100,100").status == 0)
        _ = try observer.line(beginning: "{\"device\"")
        let taker = try monitor(group, "--pilfer-after", "30", "--seconds", "60")
        // A tap does not move, so its app keeps it.
        #expect(try group.run("input", "tap", "100,100").status == 0)
        let drag = try Program.run([
            "input", "pan", "100,200", "100,500", "--duration", "0.6", "--receipt", "--json", "--run-dir",
            group.runDirectory,
        ])
        #expect(drag.status == 0, "\(drag.err)")
        _ = try taker.line(beginning: "touch 2: taken")
        let object = try JSONSerialization.jsonObject(with: Data(drag.out.utf8)) as? [String: Any]
        let taken = try #require(object?["taken"] as? [String: Int])
        #expect(taken["bySystem"] == 0 && taken["byMonitor"] ?? 0 > 0 && taken["frames"] ?? 0 > 0, "\(taken)")
        #expect(object?["dropped"] as? Int == 0 && object?["lost"] as? Bool == false)
        let receipt = (object?["receipts"] as? [[String: Any]])?.first
        #expect((receipt?["because"] as? String)?.contains("pilfered by monitor ") == true, "\(drag.out)")
        #expect(receipt?["cause"] as? String == "takenByMonitor", "\(drag.out)")
        let cancelled = receipt?["cancelledBy"] as? [String: String]
        #expect(
            cancelled?["cause"] == "takenByMonitor"
                && cancelled?["because"]?.hasPrefix("pilfered by monitor ") == true)
        let server = try group.json("dump").object["server"] as? [String: Any]
        let monitors = try #require(server?["monitor"] as? [[String: Any]])
        #expect(monitors.count == 2 && monitors.map { $0["pilfered"] as? Int } == [0, 1])
        for program in [observer, taker] { program.signal(SIGKILL) }
        let seen = try objects(observer.out).filter { $0["event"] as? String == "touch" }
        let tap = seen.filter { $0["touch"] as? Int == 0 }
        #expect(tap.first?["phase"] as? String == "began" && tap.last?["phase"] as? String == "ended")
        #expect(tap.allSatisfy { $0["owner"] as? String == "app:1" && $0["position"] as? [Double] == [100, 100] })
        let dragged = seen.filter { $0["touch"] as? Int == 2 }
        #expect(dragged.last?["phase"] as? String == "cancelled")
        #expect((dragged.last?["owner"] as? String)?.hasPrefix("monitor:") == true)
        #expect(try group.run("input", "tap", "100,100").status == 0)
        #expect(try group.run("down").status == 0)
        #expect(try cancels(group, "app1") == 1)
        #expect(try cancels(group, "app2") == 0)
    }

    @Test("a killed `touchline monitor` leaves no pilfered touch behind")
    func killed() throws {
        let group = try LiveGroup()
        let distant = try monitor(group, "--pilfer-after", "30", "--count", "1")
        #expect(try group.run("input", "tap", "100,100").status == 0)
        #expect(try distant.wait() == 0)
        let line = "touch 0: the server does not report its position (app.declaresWindows, trace.positions)"
        #expect(distant.out.contains(line), "\(distant.out)")
        let taker = try monitor(group, "--pilfer-after", "0")
        let press = try Program(["input", "longPress", "100,200", "--duration", "1.5", "--run-dir", group.runDirectory])
        _ = try taker.line(beginning: "touch 1: taken")
        taker.signal(SIGKILL)
        _ = try taker.wait()
        _ = try press.wait()
        try group.waitForReport(of: "system-server") {
            $0["contacts.down"] as? Int == 0 && $0["touches.live"] as? Int == 0 && $0["monitors"] == nil
        }
        let tap = try group.run("input", "tap", "100,100")
        #expect(tap.status == 0 && tap.out.contains("2 frames handled in the app"), "\(tap.out)")
    }

    @Test("T5: `touchline monitor` shows no positions by default; a fifth is refused")
    func defaults() throws {
        let group = try LiveGroup()
        let observer = try monitor(group, "--json", "--count", "2")
        let mute = try monitor(group)
        mute.signal(SIGSTOP)
        #expect(try group.run("input", "tap", "100,100", "--repeat", "60", "--interval", "0").status == 0)
        #expect(try observer.wait() == 0)
        let seen = try objects(observer.out).filter { $0["event"] as? String == "touch" }
        #expect(seen.count == 2 && seen.allSatisfy { $0["position"] == nil })
        let server = try group.json("dump").object["server"] as? [String: Any]
        let monitors = server?["monitor"] as? [[String: Any]] ?? []
        #expect(monitors.count == 1)
        #expect(
            (monitors.first?["omitted"] as? Int ?? 0) > 0 && (monitors.first?["unacknowledged"] as? Int ?? 99) <= 64,
            "\(monitors)")
        let others = try (0..<3).map { _ in try monitor(group) }
        let fifth = try group.run("monitor")
        #expect(
            fifth.status == 1 && fifth.err == "expected at most 4 touch monitors, found 4 already\n", "\(fifth.err)")
        mute.signal(SIGCONT)
        _ = try mute.line(beginning: "omitted: ")
        _ = others
    }

    @Test("unusable `touchline monitor` options are refused in one line")
    func refused() throws {
        for (words, line) in [
            (["--zone", "1,2,3"], "--zone: expected x,y,width,height in points, found \"1,2,3\""),
            (["--app", "0"], "--app: expected a number from 1, found 0"),
            (["--count", "0"], "--count: expected at least 1, found 0"),
            (["--pilfer-after", "2000000"], "--pilfer-after: expected 0 to 1000000, found 2000000"),
        ] {
            let result = try Program.run(["monitor"] + words)
            #expect(result.status == 2 && result.err.contains(line), "\(result.err)")
        }
        #expect(try Program.run(["monitor", "--run-dir", LiveGroup.newFolder()]).status == 3)
    }
}
