import Foundation
import Glibc
import Testbed
import Testing

/// `touchline inspect` with real processes, over HTTP and its WebSocket.
@Suite("`touchline inspect`", .serialized, .timeLimit(Sanitizer.timeLimit))
struct InspectTests {
    private let demo = Repository.root.appending(path: "Config/Scenes/Demo.yaml").path

    /// A running inspector.
    private struct Inspector {
        let program: Program
        let port: UInt16
        let token: String
        let runDirectory: String

        init(_ arguments: [String]) throws {
            program = try Program(["inspect", "--port", "0", "--json"] + arguments)
            let line = try program.line(beginning: "{")
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let url = try #require(object?["url"] as? String)
            let parts = url.split(whereSeparator: { ":/?=".contains($0) })
            port = try #require(UInt16(parts[2]))
            token = String(parts[4])
            runDirectory = try #require(object?["runDirectory"] as? String)
        }

        func page() throws -> InspectorClient { try InspectorClient(port: port, token: token) }

        /// Sends bytes and returns the whole answer.
        func request(_ text: String) throws -> String {
            let client = try InspectorClient(port: port)
            client.send(text)
            return client.answer()
        }

        func get(_ target: String, _ fields: String = "") throws -> String {
            try request("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n")
        }
    }

    @Test("a tap of a page takes the whole way to its action")
    func tap() throws {
        let inspector = try Inspector(["--scene", demo])
        let page = try inspector.page()
        #expect(page.upgrade == "HTTP/1.1 101 Switching Protocols")
        let hello = try page.next("hello")
        #expect(hello["version"] as? Int == 1 && hello["isOwn"] as? Bool == true)
        #expect(hello["screen"] as? [Double] == [375, 667])
        let picture = try page.next("picture") { $0["whole"] as? Bool == true }
        let screens = try #require(picture["screens"] as? [[String: Any]])
        let views = screens.flatMap { $0["views"] as? [[String: Any]] ?? [] }
        #expect(views.contains { $0["id"] as? String == "plus" })
        page.touch(1, 0, 187, 333)
        try page.fact("UIButton \"plus\" touchesBegan")
        page.touch(1, 2, 187, 333)
        try page.fact("→ add")
        let record = try page.next("record") { object in
            let run = object["run"] as? [String: Any]
            return (run?["interactions"] as? [[String: Any]])?.first?["acts"] as? Bool == true
        }
        let run = try #require(record["run"] as? [String: Any])
        #expect((run["fingers"] as? [Any])?.count == 1 && (run["screens"] as? [Any])?.isEmpty == true)
        try page.next("group") { object in
            let latency = object["latency"] as? [String: Any]
            return latency?["count"] as? Int == 2 && (object["processes"] as? [Any])?.count == 4
        }
        inspector.program.signal(SIGINT)
        #expect(try inspector.program.wait() == 0)
        #expect(!FileManager.default.fileExists(atPath: inspector.runDirectory))
    }

    @Test("the first finger of a page arrives, however soon it lands")
    func soon() throws {
        let inspector = try Inspector(["--scene", demo])
        let watcher = try inspector.page()
        try watcher.next("picture")
        for index in 0..<8 {
            // input-kit finds the page's device after the page is connected.
            let page = try inspector.page()
            page.touch(1, 0, 20, 20)
            page.touch(1, 2, 20, 20)
            try watcher.fact("touch \(index) began")
            try watcher.fact("touch \(index) ended")
        }
    }

    @Test("a page that vanishes, breaks the protocol or floods loses its fingers, and no other page does")
    func vanished() throws {
        let inspector = try Inspector(["--scene", demo])
        let watcher = try inspector.page()
        watcher.keepTalking()
        try watcher.next("picture")
        watcher.touch(9, 0, 20, 20)
        try watcher.fact("touch 0 began")
        var page: InspectorClient? = try inspector.page()
        try page?.next("picture")
        page?.touch(1, 0, 187, 333)
        try watcher.fact("UIButton \"plus\" touchesBegan")
        try watcher.next("fingers") { ($0["others"] as? [[Double]]) == [[187, 333]] }
        page = nil
        try watcher.fact("touch 1 cancelled")
        // Violations of the protocol, each with its code.
        let wrong: [(bytes: [UInt8], code: UInt16)] = [
            ([0x81, 0x01, 0x7B], 1002), ([0x82, 0x80, 0, 0, 0, 0], 1003), ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007),
            ([0x81, 0x81, 0, 0, 0, 0, 0x7B], 1008), ([0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0], 1009),
        ]
        for (index, violation) in wrong.enumerated() {
            let page = try inspector.page()
            try page.next("picture")
            page.touch(1, 0, 187, 333)
            try watcher.fact("touch \(2 + index) began")
            page.send(violation.bytes)
            #expect(try page.closeCode() == violation.code)
            try watcher.fact("touch \(2 + index) cancelled")
        }
        let flood = try inspector.page()
        for _ in 0..<1000 { flood.sendMessage(#"{"t":"got","n":0}"#) }
        #expect(try flood.closeCode() == 1008)
        // The first finger is still down.
        watcher.touch(9, 2, 20, 20)
        try watcher.fact("touch 0 ended")
    }

    @Test("the page and its modules are served with strict headers, and the rest of the machine is not")
    func served() throws {
        let inspector = try Inspector(["--scene", demo])
        let page = try inspector.get("/?token=\(inspector.token)")
        #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n") && page.hasSuffix("</html>\n"))
        for field in [
            "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cache-Control: no-store",
            "connect-src 'self' ws://127.0.0.1:\(inspector.port);", "default-src 'none'", "frame-ancestors 'none'",
        ] { #expect(page.contains(field), "\(field)") }
        // Every file that the page names is served.
        let names = page.split(separator: "\"").filter { $0.hasPrefix("/components/") }
        #expect(names.count > 10)
        for name in Set(names) { #expect(try inspector.get(String(name)).hasPrefix("HTTP/1.1 200 OK\r\n"), "\(name)") }
        #expect(try inspector.get("/").hasPrefix("HTTP/1.1 403 "))
        #expect(try inspector.get("/components/../../etc/passwd").hasPrefix("HTTP/1.1 404 "))
        let state = try inspector.get("/api/state", "Authorization: Bearer \(inspector.token)\r\n")
        #expect(state.hasPrefix("HTTP/1.1 200 OK\r\n") && state.contains("\"latency\""))
        #expect(try inspector.get("/api/state").hasPrefix("HTTP/1.1 403 "))
        // A secret of its own for each start.
        let other = try Inspector(["--scene", demo])
        #expect(inspector.token.count == 32 && inspector.token != other.token)
    }

    @Test("a hundred malformed requests are refused, and the server still serves")
    func malformed() throws {
        let inspector = try Inspector(["--scene", demo])
        var random = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0..<1 << 32, using: &random)
        var generator = Fuzzer(seed: seed)
        let request = "GET /live?token=\(inspector.token) HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.port)\r\n"
        for index in 0..<100 {
            var bytes = Array(request.utf8)
            switch index % 5 {
            case 0:
                // Noise that never has an empty line ends with its sender's half of the connection.
                let noise = (0..<generator.next(below: 3000)).map { _ in UInt8(generator.next(below: 256)) }
                bytes = noise + [13, 10, 13, 10]
            case 1: bytes += Array("X: \(String(repeating: "y", count: 8192))\r\n\r\n".utf8)
            case 2:
                bytes[generator.next(below: bytes.count)] = UInt8(generator.next(below: 32))
                bytes += [13, 10]
            case 3: bytes += Array("Upgrade: websocket\r\nConnection: Upgrade\r\nOrigin: null\r\n\r\n".utf8)
            default:
                let length = "Content-Length: \(generator.next(below: 1 << 30))\r\n"
                bytes += Array((length + length + "\r\n").utf8)
            }
            let client = try InspectorClient(port: inspector.port)
            client.send(bytes)
            let answer = client.answer()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "seed \(seed), request \(index): \(answer)")
        }
        let page = try inspector.page()
        try page.next("picture")
        page.touch(1, 0, 187, 333)
        try page.fact("touchesBegan")
    }

    /// A generator whose seed a failure names.
    private struct Fuzzer {
        private var state: UInt64
        init(seed: UInt64) { state = seed | 1 }

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
    }

    @Test("Ctrl-C lets the requests under way be answered, refuses one without a whole head, and takes no other")
    func ended() throws {
        let inspector = try Inspector(["--scene", demo])
        let key = "Authorization: Bearer \(inspector.token)\r\n"
        let job = try InspectorClient(port: inspector.port)
        job.send(
            "POST /api/dials HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.port)\r\n\(key)"
                + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n")
        let silent = try InspectorClient(port: inspector.port)
        // The server takes connections in their order, so it has taken those two.
        #expect(try inspector.get("/api/choices", key).hasPrefix("HTTP/1.1 200 OK\r\n"))
        inspector.program.signal(SIGINT)
        let refusal = silent.answer()
        #expect(refusal.hasPrefix("HTTP/1.1 503 ") && refusal.contains("the server ends"), "\(refusal)")
        job.send("{}")
        #expect(throws: TestFailure.self) { _ = try InspectorClient(port: inspector.port) }
        let answer = job.answer()
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("id: expected"), "\(answer)")
        #expect(try inspector.program.wait() == 0)
    }

    @Test("a group that was started with device.virtual is joined, and the page goes on with the next one")
    func joined() throws {
        let folder = LiveGroup.newFolder()
        let options = ["--scene", demo, "--set", "device.virtual=true"]
        var group: LiveGroup? = try LiveGroup(options, on: folder)
        let inspector = try Inspector(["--run-dir", folder])
        let page = try inspector.page()
        #expect(try page.next("hello")["isOwn"] as? Bool == false)
        try page.next("picture")
        page.touch(1, 0, 187, 333)
        try page.fact("UIButton \"plus\" touchesBegan")
        page.touch(1, 2, 187, 333)
        try page.fact("→ add")
        let job = try inspector.request(
            "POST /api/state HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.port)\r\nContent-Length: 0\r\n\r\n")
        #expect(job.hasPrefix("HTTP/1.1 405 ") && job.contains("\r\nAllow: GET\r\n"))
        group = nil
        group = try LiveGroup(options, on: folder)
        try page.next("reset")
        try page.next("hello")
        try page.next("picture") { $0["whole"] as? Bool == true }
        page.touch(2, 0, 187, 333)
        try page.fact("UIButton \"plus\" touchesBegan", times: 2)
        inspector.program.signal(SIGTERM)
        #expect(try inspector.program.wait() == 0)
        // The joined group goes on without the page.
        #expect(try #require(group).status().isReady)
    }

    @Test("a group without device.virtual, a scene that is none and a used port are refused")
    func refused() throws {
        let group = try LiveGroup()
        let plain = try Program.run(["inspect", "--run-dir", group.runDirectory, "--port", "0"])
        #expect(plain.status == 3 && plain.err.contains("touchline up --set device.virtual=true"), "\(plain.err)")
        let missing = try Program.run(["inspect", "--run-dir", "/tmp/tl-none", "--port", "0"])
        #expect(missing.status == 3, "\(missing.err)")
        let scene = try Program.run(["inspect", "--scene", "no-such-scene", "--port", "0"])
        #expect(scene.status == 2, "\(scene.err)")
        let both = try Program.run(["inspect", "--scene", "S24", "--app", "photo"])
        #expect(both.status == 2 && both.err.contains("expected one of --scene and --app"), "\(both.err)")
        let first = try Inspector(["--scene", demo])
        let second = try Program.run(["inspect", "--port", "\(first.port)"])
        #expect(second.status == 2 && second.err.hasPrefix("--port \(first.port): "), "\(second.err)")
    }
}
