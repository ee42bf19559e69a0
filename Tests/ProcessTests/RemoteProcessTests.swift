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
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
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
        app.signal(SIGTERM)
        #expect(try app.wait() == 0)
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
        // By the server's clock no hop of these touches lasts a thousand seconds.
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
        _ = try drag.wait(seconds: 30)
        try networks.plugIn()
        try house.waitForApp(9)
        #expect(try house.run("input", "act", "foreground", "app9").status == 0)
        try expectWholeReplay(into: house.group)
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

    func app(_ key: String, scene: String, behind prefix: [String] = [], traced: Bool = false) throws -> Program {
        let arguments =
            [
                "--join", "\(address):\(port)", "--key", key, "--server-key", "\(keys.path)/server.pub", "--scene",
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
