import Foundation
import Testing

@testable import Inspector

@Suite("Requests to the inspector")
struct RequestGuardTests {
    private static let token = "0123456789abcdef0123456789abcdef"

    private let rules = RequestGuard(
        token: RequestGuardTests.token, port: 8650,
        routes: [
            RequestGuard.Route("/"), RequestGuard.Route("/components/page.js", needsToken: false),
            RequestGuard.Route("/api/play", methods: ["GET", "POST"]),
            RequestGuard.Route("/api/again", methods: ["POST"]),
        ])

    private static let host = "Host: 127.0.0.1:8650\r\n"
    private static let bearer = "Authorization: Bearer \(token)\r\n"
    private static let socket =
        "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

    private func status(_ text: String) -> Int? {
        switch rules.judge(Array(text.utf8)) {
        case .incomplete: nil
        case .refuse(let refusal): refusal.status
        case .forward: 200
        }
    }

    @Test(
        "a request has one status, by grammar, origin, route, token and length",
        arguments: [
            ("GET /?token=\(token) HTTP/1.1\r\n\(host)\r\n", 200),
            ("GET /?a=b&token=\(token) HTTP/1.1\r\nhost:LOCALHOST:8650\r\n\r\n", 200),
            ("GET / HTTP/1.1\r\n\(host)\(bearer)\r\n", 200),
            ("GET /components/page.js HTTP/1.1\r\n\(host)\r\n", 200),
            ("GET /live?token=\(token) HTTP/1.1\r\n\(host)\(socket)Origin: http://127.0.0.1:8650\r\n\r\n", 200),
            ("GET /live?token=\(token) HTTP/1.1\r\n\(host)\(socket)\r\n", 200),
            (
                "POST /api/again HTTP/1.1\r\n\(host)\(bearer)Content-Type: application/json; charset=utf-8\r\n"
                    + "Content-Length: 2\r\n\r\n{}", 200
            ),
            // The token.
            ("GET / HTTP/1.1\r\n\(host)\r\n", 403), ("GET /?token= HTTP/1.1\r\n\(host)\r\n", 403),
            ("GET /?token=\(token)0 HTTP/1.1\r\n\(host)\r\n", 403),
            ("GET /?token=\(token.dropLast()) HTTP/1.1\r\n\(host)\r\n", 403),
            ("GET /?token=1123456789abcdef0123456789abcdef HTTP/1.1\r\n\(host)\r\n", 403),
            ("GET /?token=\(token) HTTP/1.1\r\n\(host)Authorization: Bearer x\r\n\r\n", 403),
            ("GET / HTTP/1.1\r\n\(host)Authorization: Basic \(token)\r\n\r\n", 403),
            ("GET /live HTTP/1.1\r\n\(host)\(socket)\r\n", 403),
            ("POST /api/again HTTP/1.1\r\n\(host)Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", 403),
            // Other names of this machine, and other sites.
            ("GET /?token=\(token) HTTP/1.1\r\nHost: evil.example:8650\r\n\r\n", 403),
            ("GET /?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1:8651\r\n\r\n", 403),
            ("GET /?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 403),
            ("GET /?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1.evil.example:8650\r\n\r\n", 403),
            ("GET /components/page.js HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
            ("GET /live?token=\(token) HTTP/1.1\r\n\(host)\(socket)Origin: http://evil.example\r\n\r\n", 403),
            ("GET /live?token=\(token) HTTP/1.1\r\n\(host)\(socket)Origin: null\r\n\r\n", 403),
            ("GET /live?token=\(token) HTTP/1.1\r\n\(host)\(socket)Origin: http://localhost:8650\r\n\r\n", 403),
            ("GET /live?token=\(token) HTTP/1.1\r\n\(host)\(socket)Origin: https://127.0.0.1:8650\r\n\r\n", 403),
            // Routes.
            ("GET /x?token=\(token) HTTP/1.1\r\n\(host)\r\n", 404),
            ("GET /components/../etc/passwd?token=\(token) HTTP/1.1\r\n\(host)\r\n", 404),
            ("GET /components/%2e%2e/page.js HTTP/1.1\r\n\(host)\r\n", 404),
            ("GET //?token=\(token) HTTP/1.1\r\n\(host)\r\n", 404),
            ("POST /?token=\(token) HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", 405),
            ("GET /api/again HTTP/1.1\r\n\(host)\(bearer)\r\n", 405),
            ("HEAD / HTTP/1.1\r\n\(host)\(bearer)\r\n", 405), ("OPTIONS / HTTP/1.1\r\n\(host)\(bearer)\r\n", 405),
            // Lengths.
            ("POST /api/again HTTP/1.1\r\n\(host)\(bearer)Content-Type: application/json\r\n\r\n", 411),
            ("POST /api/again HTTP/1.1\r\n\(host)\(bearer)Transfer-Encoding: chunked\r\n\r\n", 411),
            ("POST /api/again HTTP/1.1\r\n\(host)\(bearer)Content-Length: 1048577\r\n\r\n", 413),
            ("POST /api/again HTTP/1.1\r\n\(host)\(bearer)Content-Length: 99999999999999999999\r\n\r\n", 413),
            ("POST /api/again HTTP/1.1\r\n\(host)\(bearer)Content-Length: -1\r\n\r\n", 400),
            ("POST /api/again HTTP/1.1\r\n\(host)\(bearer)Content-Length: +1\r\n\r\n", 400),
            ("POST /api/again HTTP/1.1\r\n\(host)\(bearer)Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400),
            ("POST /api/again HTTP/1.1\r\n\(host)\(bearer)Content-Length: 2\r\n\r\n{}", 415),
            (
                "POST /api/again HTTP/1.1\r\n\(host)\(bearer)Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
                415
            ),
            ("POST /api/again HTTP/1.1\r\n\(host)\(bearer)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n", 417),
            ("GET / HTTP/1.1\r\n\(host)\(bearer)Content-Length: 5\r\n\r\nhello", 400),
            // WebSocket.
            ("GET /live?token=\(token) HTTP/1.1\r\n\(host)\r\n", 426),
            ("GET /live?token=\(token) HTTP/1.1\r\n\(host)Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n", 426),
            (
                "GET /live?token=\(token) HTTP/1.1\r\n\(host)"
                    + "\(socket.replacing("AAAAAAAAAAAAAAAAAAAAAA==", with: "AAAAAAAAAA??AAAAAAAAAA=="))\r\n", 426
            ),
            ("GET /?token=\(token) HTTP/1.1\r\n\(host)\(socket)\r\n", 400),
            // Grammar.
            ("\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("GET / HTTP/1.0\r\n\(host)\r\n", 400),
            ("GET / HTTP/2\r\n\(host)\r\n", 400), ("get / HTTP/1.1\r\n\(host)\r\n", 400),
            ("GET  / HTTP/1.1\r\n\(host)\r\n", 400), ("GET / HTTP/1.1 \r\n\(host)\r\n", 400),
            ("GET http://127.0.0.1:8650/ HTTP/1.1\r\n\(host)\r\n", 400), ("GET * HTTP/1.1\r\n\(host)\r\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\(host)\(host)\r\n", 400),
            ("GET / HTTP/1.1\r\nHost : 127.0.0.1:8650\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n Host: 127.0.0.1:8650\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host)X: a\r\n b\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\(host)X\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host): x\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\(host)X: a\nY: b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host)X: a\rY: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\(host)X: \u{0}\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host)X: ü\r\n\r\n", 400), ("G\u{0}T / HTTP/1.1\r\n\(host)\r\n", 400),
        ] as [(String, Int)])
    func requests(text: String, expected: Int) {
        #expect(status(text) == expected)
        // Every part of a head is incomplete.
        let end = text.range(of: "\r\n\r\n").map { text.utf8.distance(from: text.startIndex, to: $0.upperBound) } ?? 0
        let bytes = Array(text.utf8)
        for count in 0..<end { #expect(rules.judge(Array(bytes.prefix(count))) == .incomplete) }
    }

    @Test("a head has at most 8 KiB, a target 2 KiB, and 64 fields")
    func large() {
        let long = String(repeating: "x", count: 9000)
        #expect(status("GET / HTTP/1.1\r\nX: \(long)") == 431)
        #expect(status("GET / HTTP/1.1\r\nX: \(long)\r\n\r\n") == 431)
        #expect(status("GET /?\(long.prefix(2048)) HTTP/1.1\r\n\(Self.host)\r\n") == 414)
        #expect(status("GET /\(long.prefix(2100))") == 414)
        let fields = (0..<64).map { "X\($0): 1\r\n" }.joined()
        #expect(status("GET / HTTP/1.1\r\n\(fields)\(Self.host)\r\n") == 431)
    }

    @Test("the forwarded head has only what was understood")
    func forwarded() {
        let text =
            "POST /api/play?token=\(Self.token) HTTP/1.1\r\n\(Self.host)Cookie: a=b\r\nCookie: c=d\r\n"
            + "Content-Type: application/json\r\nConnection: keep-alive\r\nX-Other: 1\r\nContent-Length: 2\r\n\r\n{}"
        guard case .forward(let request) = rules.judge(Array(text.utf8)) else {
            Issue.record("the request is refused")
            return
        }
        #expect(request.method == "POST" && request.path == "/api/play" && request.bodyLength == 2)
        #expect(request.headLength == text.utf8.count - 2 && !request.isWebSocket)
        #expect(
            String(decoding: request.head, as: UTF8.self)
                == "POST /api/play HTTP/1.1\r\nhost: 127.0.0.1:8650\r\ncontent-type: application/json\r\n"
                + "content-length: 2\r\nconnection: close\r\n\r\n")
    }

    @Test("a refused method names the methods of the path")
    func allowed() {
        guard case .refuse(let refusal) = rules.judge(Array("PUT /api/play HTTP/1.1\r\n\(Self.host)\r\n".utf8)) else {
            Issue.record("the request is not refused")
            return
        }
        #expect(refusal.allowed == ["GET", "POST"])
    }
}
