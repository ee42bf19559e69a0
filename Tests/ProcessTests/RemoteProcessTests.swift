import CSystem
import Foundation
import Glibc
import Testbed
import Testing

/// An app whose server is on another machine, with real processes: over the loopback interface anywhere, and between
/// two network namespaces where this machine permits them.
@Suite("An app on another machine", .serialized, .timeLimit(Sanitizer.timeLimit))
struct RemoteProcessTests {
    private let demo = Repository.root.appending(path: "Config/Scenes/Demo.yaml").path

    // MARK: Keys

    @Test("`touchline keys new` prints the public key and replaces no file")
    func keys() throws {
        let keys = try KeyFolder()
        let first = try Program.run(["keys", "new", "--output", keys.path, "--name", "a"])
        #expect(first.status == 0, "\(first.err)")
        #expect(first.out.count == 41)
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(keys.path)/a.key")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try String(contentsOfFile: "\(keys.path)/a.pub", encoding: .utf8) == "public \(first.out)")
        let secret = try String(contentsOfFile: "\(keys.path)/a.key", encoding: .utf8)
        #expect(!first.out.contains(secret.split(separator: " ")[1]) && !first.err.contains("\(secret.dropFirst(7))"))
        let again = try Program.run(["keys", "new", "--output", keys.path, "--name", "a"])
        #expect((again.status, again.out) == (2, ""))
        #expect(again.err.contains("is there already"))
        #expect(try String(contentsOfFile: "\(keys.path)/a.key", encoding: .utf8) == secret)
        let object = try Program.run(["keys", "new", "--output", keys.path, "--name", "b", "--json"])
        let read = try JSONSerialization.jsonObject(with: Data(object.out.utf8)) as? [String: String]
        #expect(read?.keys.sorted() == ["public", "publicFile", "secretFile"])
        #expect(try Program.run(["keys", "new", "--output", "/nonexistent/folder"]).status == 2)
        #expect(try Program.run(["keys", "new", "--name", "../x"]).status == 2)
    }

    @Test("a group refuses to listen remotely without usable key and list")
    func refusedSettings() throws {
        let keys = try KeyFolder()
        let own = ["remote.secretKey=\(keys.path)/server.key", "remote.allowedKeys=\(keys.path)/allow"]
        let taken = system_tcp_listen("127.0.0.1", 0, 1)
        defer { close(taken) }
        for (settings, status, why) in [
            (
                ["remote.listen=127.0.0.1:\(system_tcp_port(taken))"] + own, 3,
                "Address already in use; another program listens there: choose another remote.listen\n"
            ),
            (
                ["remote.listen=192.0.2.1:7000"] + own, 3,
                "Cannot assign requested address; it is no address of this machine: choose another remote.listen\n"
            ),
            (
                [
                    "remote.listen=127.0.0.1:7000", "remote.secretKey=/nowhere/x.key",
                    "remote.allowedKeys=\(keys.path)/allow",
                ], 3,
                "/nowhere/x.key cannot be opened: No such file or directory\n"
            ),
            (["remote.listen=nowhere"], 2, "expected a numeric address and a port"),
            (["remote.listen=127.0.0.1:7000"], 2, "expected remote.secretKey too"),
            (
                ["remote.listen=127.0.0.1:7000", "remote.secretKey=\(keys.path)/server.key"], 2,
                "expected remote.allowedKeys too"
            ),
            (
                [
                    "remote.listen=127.0.0.1:7000", "remote.secretKey=\(keys.path)/server.pub",
                    "remote.allowedKeys=\(keys.path)/allow",
                ], 3, "holds no secret key"
            ),
        ] as [([String], Int32, String)] {
            let folder = LiveGroup.newFolder()
            let result = try Program.run(["up", "--run-dir", folder] + settings.flatMap { ["--set", $0] })
            #expect(result.status == status, "\(settings): \(result.err)")
            #expect(result.err.contains(why), "\(result.err)")
        }
    }

    // MARK: Over the loopback interface

    @Test("T10: without remote.listen no process of a group has TCP sockets")
    func offByDefault() throws {
        let group = try LiveGroup()
        for (name, pid) in group.pids {
            // The table lists all sockets of this network. The process's own are those with its inodes.
            let sockets = try socketInodes(of: pid)
            for table in ["tcp", "tcp6"] {
                let lines = try String(contentsOfFile: "/proc/\(pid)/net/\(table)", encoding: .utf8).split(
                    separator: "\n")
                for line in lines.dropFirst() {
                    let columns = line.split(separator: " ", omittingEmptySubsequences: true)
                    #expect(!sockets.contains(String(columns[9])), "\(name)")
                }
            }
        }
    }

    @Test("T10: a remote app joins by its key and receives every touch")
    func joins() throws {
        let keys = try KeyFolder()
        let house = try RemoteGroup(keys, port: try freePort())
        let app = try house.app(keys.allow(9), scene: demo)
        try house.waitForApp(9)
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
        try expectWholeReplay(into: house.group)
        let rows = try house.serverReport()
        #expect((rows["app9.sent"] as? Int ?? 0) > 10)
        #expect(rows["app9.clock.offset"] as? String != nil && rows["app9.clock.error"] as? String != nil, "\(rows)")
        #expect(rows["refused.withoutKey"] == nil && rows["refused.unknownKey"] == nil)
        if Sanitizer.kind == nil {
            let status = try String(contentsOfFile: "/proc/\(app.pid)/status", encoding: .utf8)
            #expect(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"))
            let server = try #require(house.group.pids["system-server"])
            #expect(try String(contentsOfFile: "/proc/\(server)/status", encoding: .utf8).contains("Seccomp:\t2\n"))
        }
        app.signal(SIGTERM)
        #expect(try app.wait() == 0)
    }

    @Test("a remote app appears in status and in receipts")
    func receipt() throws {
        let keys = try KeyFolder()
        let house = try RemoteGroup(keys, port: try freePort())
        let app = try house.app(keys.allow(9), scene: demo)
        try house.waitForApp(9)
        let status = try house.run("status")
        #expect(status.out.contains("remote app") && status.out.contains("\napp9 "), "\(status.out)")
        let joined = try house.group.json("status").object["joined"] as? [[String: Any]] ?? []
        #expect(joined.map { $0["name"] as? String } == ["app9"] && joined.first?["responding"] as? Bool == true)
        #expect((joined.first?["address"] as? String)?.hasPrefix("127.0.0.1:") == true, "\(joined)")
        #expect(joined.first?["shows"] as? String == "Demo.yaml" && joined.first?["report"] == nil, "\(joined)")
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
        try house.waitForJoined { $0["state"] as? String == "joined, active" }
        #expect(try house.run("status").out.contains("  joined, active  127.0.0.1:"))
        for _ in 0..<2 {
            let tap = try house.run("input", "tap", "187,333", "--receipt")
            #expect(tap.status == 0)
            #expect(tap.out.contains(": app9, UIButton \"plus\" in UIWindow"), "\(tap.out)")
            // The server relays the request for a tree, also while nothing observes the app.
            let byName = try house.run("input", "tap", "--id", "plus", "--app", "9")
            #expect(byName.status == 0, "\(byName.err)")
            let tree = try house.run("tree", "--app", "9")
            #expect(tree.out.contains("      UIButton \"plus\"  80×80 at 147.5,293.5\n"), "\(tree.out)\(tree.err)")
            #expect(tap.out.contains("\n  so: touchUpInside of UIButton \"plus\" called add\n"), "\(tap.out)")
        }
        // The app's own report has passed through the server.
        let report = try house.waitForJoined { $0["report"] != nil }["report"] as? [String: Any] ?? [:]
        #expect(report["began"] as? Int == 4 && report["queue.depth"] as? Int == 0, "\(report)")
        #expect(report["applicationState"] as? String == "active" && report["touches.live"] as? Int == 0, "\(report)")
        #expect(try house.run("dump").out.contains("\napp9, joined at 127.0.0.1:"))
        app.signal(SIGTERM)
        #expect(try app.wait() == 0)
    }

    @Test("a joined app is explained from a copy of its run directory")
    func explained() throws {
        let keys = try KeyFolder()
        let house = try RemoteGroup(keys, port: try freePort())
        let scene = "\(keys.path)/shown.yaml"
        try FileManager.default.copyItem(atPath: demo, toPath: scene)
        let app = try house.app(keys.allow(9), scene: scene)
        try house.waitForApp(9)
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
        #expect(try house.run("input", "tap", "187,333").status == 0)
        let alone = try house.run("explain", "--last")
        #expect(alone.out.contains("app9 received it, and has no journal here: it ran on another machine"))
        #expect(
            alone.err.contains("app9 ran on another machine") && alone.err.contains("--also FOLDER"), "\(alone.err)")
        let running = try house.run("explain", "--last", "--also", "\(keys.path)/run")
        #expect(running.status == 0 && running.err.isEmpty, "\(running.err)")
        expectWhole(running.out)
        app.signal(SIGTERM)
        #expect(try app.wait() == 0)
        _ = try house.run("down")
        #expect(try house.group.program.wait() == 0)
        // The folder comes to a machine without the scene's path, with a copy of the scene.
        let copy = "\(keys.path)/copy"
        try FileManager.default.copyItem(atPath: "\(keys.path)/run", toPath: copy)
        try FileManager.default.removeItem(atPath: "\(keys.path)/run")
        let own = house.group.runDirectory
        try FileManager.default.moveItem(atPath: scene, toPath: "\(keys.path)/elsewhere.yaml")
        let without = try Program.run(["explain", own, "--last", "--also", copy])
        #expect(without.err.contains("shown.yaml is missing or has changed"), "\(without.err)")
        try FileManager.default.copyItem(atPath: demo, toPath: "\(copy)/shown.yaml")
        let over = try Program.run(["explain", own, "--last", "--also", copy])
        #expect(over.status == 0 && over.err.isEmpty, "\(over.err)")
        expectWhole(over.out)
        let page = "\(keys.path)/page.html"
        let report = try Program.run(["report", own, "--also", copy, "-o", page])
        #expect(report.status == 0 && report.err.isEmpty, "\(report.err)")
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("touchUpInside"))
        // Frames of another run do not fit.
        let other = try LiveGroup()
        #expect(try other.run("input", "tap", "100,200").status == 0)
        let foreign = try Program.run(["explain", "--run-dir", other.runDirectory, "--also", copy])
        #expect(foreign.err.contains("of app9.1 are not in the group's journals"), "\(foreign.err)")
        let none = try Program.run(["explain", own, "--also", "\(keys.path)/allow"])
        #expect(none.status == 2 && none.err.contains("expected journals of a group"), "\(none.err)")
        let scenario = try Program.run(["explain", demo, "--also", copy])
        #expect(scenario.status == 2, "\(scenario.err)")
    }

    @Test("an app of a user's package joins by name and is explained")
    func ownApp() throws {
        let keys = try KeyFolder()
        let port = try freePort()
        let house = try RemoteGroup(keys, port: port)
        let app = try Program(
            [
                "--join", "localhost:\(port)", "--key", try keys.allow(9), "--server-key", "\(keys.path)/server.pub",
                "--run-dir", "\(keys.path)/run",
            ], of: "own-app")
        _ = try app.line(beginning: "app9: joined localhost:\(port) (127.0.0.1)")
        try house.waitForApp(9)
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
        #expect(app.line(inErrors: "app9: shows own-app") != nil)
        #expect(try house.run("input", "tap", "187,333").status == 0)
        let also = ["explain", "--run-dir", house.group.runDirectory, "--last", "--also", "\(keys.path)/run"]
        // A journal from elsewhere starts no program that the person has not named.
        let unnamed = try Program.run(also)
        #expect(unnamed.err.contains("name it with --app-executable"), "\(unnamed.err)")
        let named = try Program.run(also + ["--app-executable", Programs.path(of: "own-app")])
        #expect(named.status == 0 && named.err.isEmpty, "\(named.err)")
        #expect(named.out.contains("  app9           event      touch 0 begins at (187.0, 333.0)\n"), "\(named.out)")
        app.signal(SIGTERM)
        #expect(try app.wait() == 0)
    }

    /// Expects the interaction of a joined app from the panel to the action, in the order of its steps.
    private func expectWhole(_ out: String) {
        let steps = [
            "input-kit      device     the finger lands\n",
            "system-server  router     app9 receives it until it lifts\n",
            "app9           event      touch 0 begins at (187.0, 333.0)\n",
            "input-kit      device     the finger lifts\n",
            "\n  so: touchUpInside of UIButton \"plus\" called add\n",
        ]
        var rest = out[...]
        for step in steps {
            guard let range = rest.range(of: step) else {
                Issue.record("no \"\(step)\" in its place in \(out)")
                return
            }
            rest = rest[range.upperBound...]
        }
    }

    @Test("an app joins by a host name and by an IPv6 address, and tells what it does")
    func names() throws {
        let keys = try KeyFolder()
        let key = try keys.allow(9)
        for (listen, join) in [("127.0.0.1", "localhost"), ("[::1]", "[::1]")] {
            let port = try freePort()
            let house = try RemoteGroup(keys, port: port, at: listen)
            let app = try house.app(key, scene: demo, joining: join)
            #expect(try app.line(beginning: "app9: joined \(join):\(port)").contains(", generation "))
            try house.waitForApp(9)
            #expect(try house.run("input", "act", "foreground", "app9").status == 0)
            #expect(app.line(inErrors: "app9: shows Demo.yaml") != nil)
            #expect(try house.run("input", "act", "home").status == 0)
            #expect(app.line(inErrors: "app9: is in the background") != nil)
            kill(try #require(house.group.pids["system-server"]), SIGKILL)
            #expect(app.line(inErrors: "app9: link to \(listen):\(port) lost") != nil)
            _ = try app.line(beginning: "app9: joined again after ")
            app.signal(SIGTERM)
            #expect(try app.wait() == 0)
        }
        for (join, why) in [("house", "it has no port"), ("10.0.0.256:7000", "is neither a name nor four numbers")] {
            let result = try Program.run(
                ["--join", join, "--key", key, "--server-key", "\(keys.path)/server.pub"], of: "app")
            #expect(result.status == 2 && result.err.contains(why), "\(result)")
        }
    }

    @Test(
        "T10: half-open TCP connections stop neither the server nor joining apps",
        arguments: [(64, 200), (1024, 1500)])
    func halfOpen(openFiles: Int, calls count: Int) throws {
        let keys = try KeyFolder()
        let house = try RemoteGroup(keys, port: try freePort(), openFiles: openFiles)
        system_raise_descriptor_limit()
        var calls: [Int32] = []
        defer { for call in calls { close(call) } }
        for number in 0..<count {
            let call = try tcpCall(house.port)
            calls.append(call)
            // Half of them send nothing; the others begin a greeting.
            if number % 2 == 0 { _ = send(call, [0xFF, 0, 0] as [UInt8], 3, Int32(MSG_NOSIGNAL)) }
        }
        let app = try house.app(keys.allow(9), scene: demo)
        try house.waitForApp(9)
        for _ in 0..<20 { calls.append(try tcpCall(house.port)) }
        let processes = try house.group.wait { !$0.isEmpty }
        #expect(processes.allSatisfy { $0.state == "ready" && $0.generation == 1 })
        let tap = try house.run("input", "tap", "0.5", "0.5")
        #expect(tap.status == 0, "\(tap.err)")
        app.signal(SIGTERM)
        #expect(try app.wait() == 0)
    }

    private func tcpCall(_ port: UInt16) throws -> Int32 {
        let call = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &name.sin_addr)
        let isConnected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(call, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(call >= 0 && isConnected)
        return call
    }

    @Test("T10: callers without a listed key are refused and counted")
    func refused() throws {
        let keys = try KeyFolder()
        let house = try RemoteGroup(keys, port: try freePort())
        let stranger = try keys.make("stranger")
        let unknown = try house.app(stranger, scene: demo)
        #expect(try unknown.wait() == 3)
        #expect(unknown.err.contains("remote.allowedKeys of the server does not contain this key"), "\(unknown.err)")
        let plain = PlainCaller(port: house.port)
        try house.group.waitForReport(of: "system-server") { ($0["refused.withoutKey"] as? Int ?? 0) >= 1 }
        let rows = try house.serverReport()
        #expect((rows["refused.unknownKey"] as? Int ?? 0) >= 1)
        #expect(rows["refused.last"] as? String != nil)
        #expect(rows["apps"] as? Int == 1)
        try expectWholeReplay(into: house.group)
        _ = consume plain
    }

    @Test("a remote app finds a restarted server")
    func newServer() throws {
        let keys = try KeyFolder()
        let house = try RemoteGroup(keys, port: try freePort())
        let app = try house.app(keys.allow(9), scene: demo)
        try house.waitForApp(9)
        kill(try #require(house.group.pids["system-server"]), SIGKILL)
        try house.group.wait { $0.contains { $0.name == "system-server" && $0.generation == 2 } }
        try house.waitForApp(9)
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
        try expectWholeReplay(into: house.group)
        // The app is still the same process, and the new server does not count another start of it.
        #expect(try house.run("dump", "--json").out.contains("app9"))
        app.signal(SIGTERM)
        #expect(try app.wait() == 0)
    }

    // MARK: Between network namespaces

    @Test(
        "T10: across networks listed keys work and a cut cancels once",
        .enabled(if: Networks.areThere, "needs root, ip netns and unshare --time: skipped on this machine"))
    func namespaces() throws {
        let keys = try KeyFolder()
        let networks = try Networks()
        let house = try RemoteGroup(keys, port: 7000, at: "10.99.0.1", behind: networks.server)
        // The client's clock is a thousand seconds ahead of the server's.
        let app = try house.app(keys.allow(9), scene: demo, behind: networks.client + Networks.otherClock, traced: true)
        try house.waitForApp(9)
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
        try expectWholeReplay(into: house.group)
        let rows = try house.serverReport()
        let offset = milliseconds(rows["app9.clock.offset"])
        let error = milliseconds(rows["app9.clock.error"])
        #expect(abs(offset - 1_000_000) <= error + 0.01, "\(rows)")
        #expect(error < 50)
        // By the server's clock no hop of these touches lasts a thousand seconds, and no step of an explanation.
        #expect(try house.run("input", "tap", "187,333").status == 0)
        try expectExplained(house, keys)
        let stranger = try house.app(try keys.make("stranger"), scene: demo, behind: networks.client)
        #expect(try stranger.wait() == 3)
        let plain = try Program(
            networks.client.dropFirst() + ["/usr/bin/env", "bash", "-c", Networks.plainCall],
            of: networks.client[0], in: URL(filePath: "/"))
        try house.group.waitForReport(of: "system-server") {
            ($0["refused.withoutKey"] as? Int ?? 0) >= 1 && ($0["refused.unknownKey"] as? Int ?? 0) >= 1
        }
        plain.signal(SIGKILL)
        // A contact is down when the link is cut, and lifts while it is cut.
        let script = "\(keys.path)/drag.touch"
        try "stroke f1 (20,20) (220,420) @0 4.0 step 1/60\n".write(toFile: script, atomically: true, encoding: .utf8)
        let drag = try Program(["replay", "--run-dir", house.group.runDirectory, "--json", script])
        try house.group.waitForReport(of: "system-server") { ($0["app9.touches"] as? Int ?? 0) == 1 }
        try networks.pull()
        try house.group.waitForReport(of: "system-server") { $0["app9.touches"] == nil }
        _ = try drag.wait()
        try networks.plugIn()
        try house.waitForApp(9)
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
        try expectWholeReplay(into: house.group)
        #expect(try house.run("input", "tap", "187,333").status == 0)
        try expectExplained(house, keys)
        // The `unshare` that set the app's clock waits for the app and does not pass a signal on, so its child is
        // signalled.
        let children = try String(contentsOfFile: "/proc/\(app.pid)/task/\(app.pid)/children", encoding: .utf8)
        kill(try #require(children.split(separator: " ").first.flatMap { Int32($0) }), SIGTERM)
        #expect(try app.wait() == 0)
        let trace = try String(contentsOfFile: "\(keys.path)/run/trace/app9.trace", encoding: .utf8)
        #expect(trace.split(separator: "\n").first?.contains("\tthis process's start ") == true)
        let cancels = trace.split(separator: "\n").filter {
            $0.contains("server lost: ") && $0.contains(" touches cancelled")
        }
        #expect(cancels.count == 1, "\(cancels)")
    }

    @Test(
        "T10: a name's addresses are tried in turn, and an unknown name is refused",
        .enabled(if: Networks.areThere, "needs root, ip netns and unshare --time: skipped on this machine"))
    func addressesOfAName() throws {
        let keys = try KeyFolder()
        let networks = try Networks()
        // The first address, by its common prefix with the client's, refuses connections.
        try networks.addServerAddress("10.99.0.3")
        try networks.nameHosts("10.99.0.3 house.lan\n10.99.0.1 house.lan\n")
        let house = try RemoteGroup(keys, port: 7000, at: "10.99.0.1", behind: networks.server)
        let key = try keys.allow(9)
        let app = try house.app(key, scene: demo, behind: networks.client, joining: "house.lan")
        _ = try app.line(beginning: "app9: joined house.lan:7000 (10.99.0.1)")
        try house.waitForApp(9)
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
        try expectWholeReplay(into: house.group)
        if Sanitizer.kind == nil {
            let status = try String(contentsOfFile: "/proc/\(app.pid)/status", encoding: .utf8)
            #expect(status.contains("Seccomp:\t2\n"))
        }
        let unknown = try house.app(key, scene: demo, behind: networks.client, joining: "nowhere.lan")
        #expect(try unknown.wait() == 3)
        #expect(unknown.err.contains("--join: nowhere.lan:7000 does not resolve: "), "\(unknown.err)")
        // Without an answer about the name, an app waits for one.
        try networks.nameHosts("", from: "files dns")
        let early = try house.app(try keys.allow(8), scene: demo, behind: networks.client, joining: "later.lan")
        #expect(early.line(inErrors: "app: later.lan:7000 does not resolve yet: ") != nil)
        try networks.nameHosts("10.99.0.1 later.lan\n", from: "files dns")
        _ = try early.line(beginning: "app8: joined later.lan:7000 (10.99.0.1)")
        early.signal(SIGTERM)
        #expect(try early.wait() == 0)
        // The process that looks names up ends with its app.
        let resolvers = try resolvers(of: app.pid)
        #expect(resolvers.count == 1)
        app.signal(SIGKILL)
        _ = try app.wait()
        for pid in resolvers { try waitForEnd(of: pid) }
    }

    /// Expects that the last touch is explained from the journals of both machines, and took less than a second.
    private func expectExplained(_ house: RemoteGroup, _ keys: KeyFolder) throws {
        let result = try house.run("explain", "--last", "--json", "--also", "\(keys.path)/run")
        #expect(result.status == 0 && result.err.isEmpty, "\(result.err)")
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        let interaction = try #require((object?["interactions"] as? [[String: Any]])?.last)
        #expect(interaction["acted"] as? Bool == true, "\(result.out)")
        let steps = try #require(interaction["steps"] as? [[String: Any]])
        let times = steps.compactMap { $0["seconds"] as? Double }
        #expect(steps.contains { $0["process"] as? String == "app9" && $0["station"] as? String == "action" })
        #expect(times == times.sorted() && (times.last ?? 9) - (times.first ?? 0) < 1, "\(times)")
    }

    /// The processes that look names up for an app. They are no children of it, and keep its command line.
    private func resolvers(of pid: Int32) throws -> [Int32] {
        func read(_ file: String, of pid: Int32) -> String? {
            try? String(contentsOfFile: "/proc/\(pid)/\(file)", encoding: .utf8)
        }
        let words = try #require(read("cmdline", of: pid))
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter {
            read("comm", of: $0) == "resolver\n" && read("cmdline", of: $0) == words
        }
    }

    @Test(
        "Docs/HowTo/AddARemoteApp.md: its two machines in one work as shown",
        .enabled(if: Networks.areThere, "needs root, ip netns and unshare --time: skipped on this machine"))
    func guide() throws {
        let guide = try Guide()
        try guide.run("ip netns add")
        try guide.run("touchline keys new")
        let receipt = try guide.run("input tap")
        #expect(receipt.contains(": app9, UIView \"card\" in UIWindow"), "\(receipt)")
        #expect(receipt.contains("\napp9, joined at 10.99.0.2:"), "\(receipt)")
        // The explanation from the journals of both machines ends as the receipt does.
        let cause = "\n  so: tap on UIView \"card\" was recognized, ended: ClosureTarget.doNow\n"
        #expect(receipt.components(separatedBy: cause).count == 3, "\(receipt)")
        #expect(receipt.contains("  app9           gesture    tap on UIView \"card\" calls its targets: ended\n"))
        // A finger is down when the cable is pulled, and lifts while it is.
        try "stroke f1 (20,20) (220,420) @0 4.0 step 1/60\n".write(
            toFile: "\(guide.folder)/drag.touch", atomically: true, encoding: .utf8)
        let drag = try guide.start("replay", "\(guide.folder)/drag.touch")
        try guide.waitForTouches(1)
        try guide.run("cable down")
        try guide.waitForTouches(0)
        _ = try drag.wait()
        #expect(try guide.tap().contains("began, 0 moved, 1 ended, 0 cancelled"))
        let moved = try guide.run("addr del")
        #expect(moved.contains("joined again after ") && moved.contains("house.lan:7000 (10.99.0.7), generation 1"))
        #expect(try guide.tap().contains("began, 0 moved, 1 ended, 0 cancelled"))
        let status = try guide.start("status")
        try status.wait()
        #expect(status.out.contains("  the sample app taps\n"), "\(status.out)")
        try guide.run("touchline down")
        #expect(!FileManager.default.fileExists(atPath: guide.namesFolder))
    }

    private func milliseconds(_ value: Any?) -> Double {
        let text = value as? String ?? ""
        return text.split(separator: " ").compactMap { Double($0) }.first ?? .nan
    }
}

/// A folder of one test with a server's keys and an allow-list.
private final class KeyFolder {
    let path: String

    init() throws {
        path = LiveGroup.newFolder()
        for folder in [path, "\(path)/allow"] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        _ = try make("server")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// - Returns: The path of its secret key.
    func make(_ name: String) throws -> String {
        let made = try Program.run(["keys", "new", "--output", path, "--name", name])
        guard made.status == 0 else { throw TestFailure(made.err) }
        return "\(path)/\(name).key"
    }

    func allow(_ app: Int) throws -> String {
        let secret = try make("app\(app)")
        try FileManager.default.copyItem(atPath: "\(path)/app\(app).pub", toPath: "\(path)/allow/app\(app).pub")
        return secret
    }
}

/// A group that apps of other machines may join.
private final class RemoteGroup {
    let group: LiveGroup
    let port: UInt16
    private let address: String
    private let keys: KeyFolder

    init(
        _ keys: KeyFolder, port: UInt16, at address: String = "127.0.0.1", openFiles: Int? = nil,
        behind prefix: [String] = []
    ) throws {
        (self.keys, self.port, self.address) = (keys, port, address)
        group = try LiveGroup(
            [
                "remote.listen=\(address):\(port)", "remote.secretKey=\(keys.path)/server.key",
                "remote.allowedKeys=\(keys.path)/allow",
            ]
            .flatMap { ["--set", $0] }, openFiles: openFiles, behind: prefix)
        // The other machine's journals are missing here.
        group.isAudited = false
    }

    /// - Parameter host: The name or address to join; nil for the one that the group listens on.
    func app(
        _ key: String, scene: String, behind prefix: [String] = [], traced: Bool = false, joining host: String? = nil
    ) throws -> Program {
        let arguments =
            [
                "--join", "\(host ?? address):\(port)", "--key", key, "--server-key", "\(keys.path)/server.pub",
                "--scene",
                scene,
                "--run-dir", "\(keys.path)/run",
            ] + (traced ? ["--set", "host.trace=file"] : [])
        return try Program(arguments, of: "app", behind: prefix)
    }

    func waitForApp(_ app: Int) throws {
        try group.waitForReport(of: "system-server") {
            $0["app\(app).clock.offset"] != nil && $0["app\(app).sent"] != nil
        }
    }

    func run(_ arguments: String...) throws -> (status: Int32, out: String, err: String) {
        try Program.run(arguments + ["--run-dir", group.runDirectory])
    }

    /// Asks until the joined app in the dump satisfies the predicate. Each question starts a process.
    @discardableResult
    func waitForJoined(until isSo: ([String: Any]) -> Bool) throws -> [String: Any] {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while true {
            let joined = try group.json("dump").object["joined"] as? [[String: Any]] ?? []
            if let app = joined.first, isSo(app) { return app }
            guard Date() < deadline else { throw TestFailure("the dump says \(joined)") }
        }
    }

    func serverReport() throws -> [String: Any] {
        let processes = try group.json("dump").object["processes"] as? [[String: Any]] ?? []
        return processes.first { $0["name"] as? String == "system-server" }?["report"] as? [String: Any] ?? [:]
    }
}

/// Two network namespaces with a cable between them: 10.99.0.1 and 10.99.0.2.
private final class Networks {
    static let ip = "/usr/sbin/ip"
    /// ZMTP 3.1 without encryption: mechanism NULL, a client.
    static let plainCall =
        #"exec 3<>/dev/tcp/10.99.0.1/7000; printf '\377\0\0\0\0\0\0\0\1\177\3\1NULL' >&3; "#
        + "head -c 48 /dev/zero >&3; cat <&3 >/dev/null"
    static let otherClock = ["/usr/bin/unshare", "--time", "--monotonic", "1000", "--fork", "--kill-child"]
    private let names: (String, String)
    private let cable: (String, String)

    /// Whether this machine permits the namespaces. The test tries it.
    static let areThere: Bool = {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: ip) else { return false }
        guard (try? Networks()) != nil else { return false }
        let clock = try? Program.run(
            Array(otherClock.dropFirst()) + ["/bin/true"], of: otherClock[0], in: URL(filePath: "/"))
        return clock?.status == 0
    }()

    init() throws {
        let id = "\(getpid())x\(UInt32.random(in: 0..<10_000))"
        names = ("tla\(id)", "tlb\(id)")
        cable = ("tl\(UInt32.random(in: 0..<1_000_000))a", "tl\(UInt32.random(in: 0..<1_000_000))b")
        try Self.run("netns", "add", names.0)
        try Self.run("netns", "add", names.1)
        try Self.run(
            "link", "add", cable.0, "netns", names.0, "type", "veth", "peer", "name", cable.1, "netns", names.1)
        try Self.run("-n", names.0, "addr", "add", "10.99.0.1/24", "dev", cable.0)
        try Self.run("-n", names.1, "addr", "add", "10.99.0.2/24", "dev", cable.1)
        try plugIn()
    }

    deinit {
        // The cable is removed with either end.
        try? Self.run("netns", "del", names.0)
        try? Self.run("netns", "del", names.1)
        try? FileManager.default.removeItem(atPath: "/etc/netns/\(names.1)")
    }

    /// Sets the hosts file of the client's network, and the sources of names. Its name server cannot be reached.
    func nameHosts(_ text: String, from sources: String = "files") throws {
        let folder = "/etc/netns/\(names.1)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: "\(folder)/hosts", atomically: false, encoding: .utf8)
        try "hosts: \(sources)\n".write(toFile: "\(folder)/nsswitch.conf", atomically: false, encoding: .utf8)
    }

    func addServerAddress(_ address: String) throws {
        try Self.run("-n", names.0, "addr", "add", "\(address)/24", "dev", cable.0)
    }

    var server: [String] { [Self.ip, "netns", "exec", names.0] }
    var client: [String] { [Self.ip, "netns", "exec", names.1] }

    func plugIn() throws {
        try Self.run("-n", names.0, "link", "set", cable.0, "up")
        try Self.run("-n", names.1, "link", "set", cable.1, "up")
    }

    func pull() throws { try Self.run("-n", names.0, "link", "set", cable.0, "down") }

    private static func run(_ arguments: String...) throws {
        let result = try Program.run(arguments, of: ip, in: URL(filePath: "/"))
        guard result.status == 0 else { throw TestFailure("ip \(arguments.joined(separator: " ")): \(result.err)") }
    }
}

/// The blocks of the guide's section about two network namespaces, run by one shell as a reader pastes them. The
/// namespaces have names of this test, so that it disturbs none of the machine.
private final class Guide {
    let folder = LiveGroup.newFolder()
    private let id = "\(getpid())x\(UInt32.random(in: 0..<10_000))"
    private let blocks: [String]
    private let shell: Program
    /// The pipe that the shell reads.
    private let pipe: FileHandle
    private var blockCount = 0

    init() throws {
        let page = try String(
            contentsOf: Repository.root.appending(path: "Docs/HowTo/AddARemoteApp.md"), encoding: .utf8)
        let section = page.components(separatedBy: "## Two machines in one")[1].components(separatedBy: "\n## ")[0]
        let id = self.id
        blocks = section.components(separatedBy: "```sh\n").dropFirst().map { block in
            block.components(separatedBy: "```")[0]
                .replacing(/\b(house|phone)\b(?!\.lan)/) { "\($0.1)\(id)" }
        }
        for path in [folder, "\(folder)/rt"] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        guard mkfifo("\(folder)/blocks", 0o600) == 0, let end = FileHandle(forUpdatingAtPath: "\(folder)/blocks") else {
            throw TestFailure("mkfifo: errno \(errno)")
        }
        pipe = end
        let environment = [
            "/usr/bin/env", "-C", folder, "XDG_RUNTIME_DIR=\(folder)/rt",
            "PATH=\(Programs.folder.path):/usr/sbin:/usr/bin:/sbin:/bin",
        ]
        shell = try Program(
            ["-c", "exec bash -e < blocks"], of: "sh", in: URL(filePath: "/bin"), behind: environment)
    }

    deinit {
        for name in ["house\(id)", "phone\(id)"] {
            let pids = try? Program.run(["netns", "pids", name], of: Networks.ip, in: URL(filePath: "/")).out
            for pid in (pids ?? "").split(separator: "\n").compactMap({ Int32($0) }) { kill(pid, SIGKILL) }
            _ = try? Program.run(["netns", "del", name], of: Networks.ip, in: URL(filePath: "/"))
        }
        try? FileManager.default.removeItem(atPath: namesFolder)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The folder of the hosts file of the second network.
    var namesFolder: String { "/etc/netns/phone\(id)" }

    /// Runs the one block that contains a text, and returns what it prints.
    @discardableResult
    func run(_ part: String) throws -> String {
        let found = blocks.filter { $0.contains(part) }
        guard found.count == 1 else { throw TestFailure("\(found.count) blocks of the guide contain \"\(part)\"") }
        blockCount += 1
        let before = shell.out.count
        try pipe.write(contentsOf: Data("\(found[0])\necho == \(blockCount)\n".utf8))
        do { _ = try shell.line(beginning: "== \(blockCount)") } catch {
            let logs = ["up.log", "app.log", "status.log"].map { name in
                "\(name): " + ((try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? "")
            }
            throw TestFailure("\(error)\n\(found[0])\n\(logs.joined(separator: "\n"))")
        }
        return String(shell.out.dropFirst(before))
    }

    /// Runs a command beside the blocks.
    func start(_ arguments: String...) throws -> Program {
        try Program(arguments + ["--run-dir", "\(folder)/rt/touchline"])
    }

    /// Shows the app and touches it.
    func tap() throws -> String {
        try start("input", "act", "foreground", "app9").wait()
        let tap = try start("input", "tap", "187,333", "--receipt")
        try tap.wait()
        return tap.out + tap.err
    }

    /// Waits until the server counts this many touches in the app, and the app too.
    func waitForTouches(_ count: Int) throws {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while true {
            let dump = try start("dump", "--json")
            try dump.wait()
            let object = try JSONSerialization.jsonObject(with: Data(dump.out.utf8)) as? [String: Any]
            let app = (object?["joined"] as? [[String: Any]])?.first
            let own = (app?["report"] as? [String: Any])?["touches.live"] as? Int
            if app?["touches"] as? Int == count, own == count { return }
            guard Date() < deadline else { throw TestFailure("\(dump.out)\(dump.err)") }
        }
    }
}

/// A socket that sends a ZMTP greeting of a NULL client and nothing more.
private final class PlainCaller {
    private let socket: Int32

    init(port: UInt16) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // ZMTP 3.1, mechanism NULL, a client.
        var greeting: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 1] + Array("NULL".utf8)
        greeting += [UInt8](repeating: 0, count: 64 - greeting.count)
        _ = write(socket, greeting, greeting.count)
    }

    deinit { close(socket) }
}

/// A port that was free a moment ago.
private func freePort() throws -> UInt16 {
    let socket = system_tcp_listen("127.0.0.1", 0, 1)
    guard socket >= 0 else { throw TestFailure("no tcp on the loopback: errno \(errno)") }
    defer { close(socket) }
    return system_tcp_port(socket)
}

private func socketInodes(of pid: Int32) throws -> Set<String> {
    let folder = "/proc/\(pid)/fd"
    var inodes: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)") else {
            continue
        }
        if target.hasPrefix("socket:[") { inodes.insert(String(target.dropFirst(8).dropLast())) }
    }
    return inodes
}
