// Browser.swift: a headless Chromium that plays WebDriver actions and returns the touch events of its page.
//
//     actions ─▶ chromedriver ─▶ Chromium ─▶ page ─▶ touches
//
// Sources   documented  WebDriver (W3C), section Actions

import Foundation
import Glibc

/// A headless Chromium behind chromedriver, with one page that records its touches.
final class Browser {
    private let driver = Process()
    private let port: UInt16
    private var session = ""

    private static let page = """
        data:text/html,<meta name=viewport content="width=device-width"><style>html,body{margin:0;height:100vh;\
        touch-action:none}</style><script>log=[];for(const type of ["touchstart","touchmove","touchend","touchcancel"])\
        document.addEventListener(type,e=>{e.preventDefault();for(const t of e.changedTouches)log.push([type,t.identifier,\
        t.clientX,t.clientY])},{passive:false})</script>
        """

    init(width: Int, height: Int) throws {
        port = UInt16(20_000 + getpid() % 20_000)
        driver.executableURL = URL(filePath: "/usr/bin/chromedriver")
        driver.arguments = ["--port=\(port)", "--log-level=OFF"]
        (driver.standardOutput, driver.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        do { try driver.run() } catch {
            throw BrowserTestError("/usr/bin/chromedriver: cannot be started: apt install chromium chromium-driver")
        }
        let metrics: [String: Any] = ["width": width, "height": height, "pixelRatio": 1.0, "touch": true]
        let options: [String: Any] = [
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            "mobileEmulation": ["deviceMetrics": metrics],
        ]
        let capabilities: [String: Any] = ["capabilities": ["alwaysMatch": ["goog:chromeOptions": options]]]
        var answer: Any?
        for _ in 0..<100 where answer == nil {
            answer = try? ask("POST", "/session", json(capabilities))
            // Until chromedriver listens, which no event shows.
            if answer == nil { usleep(100_000) }
        }
        guard let id = (answer as? [String: Any])?["sessionId"] as? String else {
            driver.terminate()
            throw BrowserTestError("chromedriver started no session: apt install chromium")
        }
        session = "/session/\(id)"
    }

    func end() {
        _ = try? ask("DELETE", session, nil)
        driver.terminate()
        driver.waitUntilExit()
    }

    /// Plays the actions in a new page.
    ///
    /// - Parameter actions: The body of a WebDriver request, as `touchline convert` writes it.
    /// - Returns: The touches that the page received.
    func play(_ actions: [UInt8]) throws -> [PageTouch] {
        _ = try ask("POST", "\(session)/url", json(["url": Self.page]))
        _ = try ask("POST", "\(session)/actions", Data(actions))
        // The page records its last events only after its turn.
        let script = "const done=arguments[0];requestAnimationFrame(()=>setTimeout(()=>done(log),50))"
        let events = try ask("POST", "\(session)/execute/async", json(["script": script, "args": [Any]()]))
        _ = try ask("DELETE", "\(session)/actions", nil)
        return PageTouch.received(events as? [[Any]] ?? [])
    }

    private static func isWhole(_ answer: Data) -> Bool {
        guard let head = answer.range(of: Data("\r\n\r\n".utf8)) else { return false }
        let lines = String(decoding: answer[..<head.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = lines.first { $0.hasPrefix("content-length:") }?.split(separator: ":").last
        return length.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }.map {
            answer.count - answer.distance(from: answer.startIndex, to: head.upperBound) >= $0
        } ?? false
    }

    private func json(_ object: Any) throws -> Data { try JSONSerialization.data(withJSONObject: object) }

    /// Sends one request and returns the `value` of its answer. chromedriver does not understand URLSession.
    private func ask(_ method: String, _ path: String, _ body: Data?) throws -> Any {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw BrowserTestError("chromedriver does not accept a connection") }
        let content = body ?? Data()
        var request = Data(
            """
            \(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r
            Content-Length: \(content.count)\r\n\r\n
            """.utf8)
        request.append(content)
        var done = 0
        while done < request.count {
            let count = request.withUnsafeBytes { send(descriptor, $0.baseAddress! + done, $0.count - done, 0) }
            guard count > 0 else { throw BrowserTestError("chromedriver closed the connection") }
            done += count
        }
        var answer = Data()
        var piece = [UInt8](repeating: 0, count: 65_536)
        // chromedriver may keep the connection open; the length shows the end.
        while !Self.isWhole(answer), case let count = recv(descriptor, &piece, piece.count, 0), count > 0 {
            answer += piece[..<count]
        }
        guard let start = answer.range(of: Data("\r\n\r\n".utf8))?.upperBound,
            let object = try JSONSerialization.jsonObject(with: answer[start...]) as? [String: Any]
        else { throw BrowserTestError("chromedriver: expected JSON, found other text") }
        let value = object["value"] ?? NSNull()
        if let error = (value as? [String: Any])?["error"] {
            let message = (value as? [String: Any])?["message"] as? String ?? ""
            throw BrowserTestError("chromedriver: \(error): \(message.prefix { $0 != "\n" })")
        }
        return value
    }
}
