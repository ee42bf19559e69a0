import Foundation
import Glibc
import Testbed
import Testing

@testable import touchline

@Suite("`touchline metrics`", .timeLimit(Sanitizer.timeLimit))
struct MetricsTests {
    @Test(
        "a request has one status, by method, path, host and grammar",
        arguments: [
            ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", .ok),
            ("GET /metrics?x=1 HTTP/1.1\r\nhost:localhost\r\nAccept: a, b\r\n\r\n", .ok),
            ("GET /metrics HTTP/1.0\r\n\r\n", .ok),
            ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", .notFound),
            ("GET /metrics/x HTTP/1.1\r\nHost: localhost\r\n\r\n", .notFound),
            ("POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", .methodNotAllowed),
            ("GET /metrics HTTP/1.1\r\nHost: evil.example:9\r\n\r\n", .forbidden),
            ("GET /metrics HTTP/1.1\r\n\r\n", .badRequest),
            ("GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", .badRequest),
            ("GET /metrics HTTP/2\r\nHost: localhost\r\n\r\n", .badRequest),
            ("GET  /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", .badRequest),
            ("GET /metrics HTTP/1.1\r\nHost localhost\r\n\r\n", .badRequest),
            ("GET /metrics HTTP/1.1\r\nHost : localhost\r\n\r\n", .badRequest),
            ("\r\n\r\n", .badRequest), ("GET /m\u{1}trics HTTP/1.1\r\nHost: localhost\r\n\r\n", .badRequest),
        ] as [(String, MetricsRequest.Status)])
    func requests(text: String, status: MetricsRequest.Status) {
        #expect(MetricsRequest.parse(Array(text.utf8)) == .ended(status))
        // Every part of a request is incomplete.
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count { #expect(MetricsRequest.parse(Array(bytes.prefix(count))) == .incomplete) }
    }

    @Test("a head of more than 8 KiB is refused, with and without its end")
    func long() {
        let head = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 9000))"
        #expect(MetricsRequest.parse(Array(head.utf8)) == .ended(.tooLarge))
        #expect(MetricsRequest.parse(Array((head + "\r\n\r\n").utf8)) == .ended(.tooLarge))
        #expect(MetricsRequest.parse([UInt8](repeating: 65, count: 8191)) == .incomplete)
    }

    @Test("the metrics of a group are served on 127.0.0.1, and a bad client is answered")
    func served() throws {
        let group = try LiveGroup()
        let play = try group.run("input", "tap", "100,200")
        #expect(play.status == 0, "\(play.err)")
        let server = try Program(["metrics", "--run-dir", group.runDirectory, "--port", "0"])
        let line = try server.line(beginning: "serving http://127.0.0.1:")
        let port = try #require(UInt16(line.split(separator: ":")[2].split(separator: "/")[0]))
        let host = "Host: 127.0.0.1:\(port)\r\n\r\n"
        let answer = try request(port, "GET /metrics HTTP/1.1\r\n\(host)")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0"))
        #expect(answer.hasSuffix("# EOF\n"))
        #expect(answer.contains("touchline_touches_total{process=\"app1\",phase=\"began\"} 1\n"))
        // The same numbers as in the dump, apart from what grows with time.
        let dump = try group.run("dump", "--format", "openmetrics").out
        func counters(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { $0.contains("_total") && !$0.contains("inputs_recorded") }
        }
        #expect(counters(answer) == counters(dump) && counters(dump).count > 15)
        #expect(try request(port, "GET /x HTTP/1.1\r\n\(host)").hasPrefix("HTTP/1.1 404 "))
        #expect(try request(port, "PUT /metrics HTTP/1.1\r\n\(host)").contains("\r\nAllow: GET\r\n"))
        #expect(try request(port, String(repeating: "x", count: 20_000)).hasPrefix("HTTP/1.1 431 "))
        // A client that sends nothing is answered after a second, and does not stop the next one.
        #expect(try request(port, "GET /met").hasPrefix("HTTP/1.1 408 "))
        #expect(try request(port, "GET /metrics HTTP/1.1\r\n\(host)").hasPrefix("HTTP/1.1 200 "))
        group.program.signal(SIGTERM)
        _ = try group.program.wait()
        #expect(try request(port, "GET /metrics HTTP/1.1\r\n\(host)").hasPrefix("HTTP/1.1 503 "))
        server.signal(SIGINT)
        #expect(try server.wait() == 0)
    }

    @Test("`touchline metrics` needs a port that is free and a group")
    func refused() throws {
        let missing = try Program.run(["metrics", "--run-dir", "/tmp/tl-none", "--port", "0"])
        #expect(missing.status == 3 && missing.err.hasPrefix("no group is running on /tmp/tl-none"))
        let range = try Program.run(["metrics", "--port", "65536"])
        #expect(range.status == 2 && range.err.contains("--port: "), "\(range.err)")
    }

    /// Sends bytes and returns the whole answer.
    private func request(_ port: UInt16, _ text: String) throws -> String {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw TestFailure("no server on port \(port)") }
        let bytes = Array(text.utf8)
        _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = read(client, &piece, piece.count), count > 0 { answer += piece[..<count] }
        return String(decoding: answer, as: UTF8.self)
    }
}
