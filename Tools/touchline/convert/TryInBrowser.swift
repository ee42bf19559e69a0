// TryInBrowser.swift: recordings played by a real browser, and the touches of its page compared with the recordings.
//
// A hidden verb: Tools/try-in-browser runs it by hand. It needs Debian's chromium and chromium-driver.

import ArgumentParser
import Foundation
import Glibc
import HID
import Recordings

/// The command `touchline try-in-browser`.
struct TryInBrowser: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try-in-browser",
        abstract: "Play recordings in a headless Chromium and compare the touches its page saw.",
        discussion:
            "Exits 0 when every contact arrived, 1 when one did not, 2 when there is no browser or a file no use.",
        shouldDisplay: false)

    @Argument(help: ArgumentHelp("Recordings.", valueName: "file"))
    var files: [String]

    private static let screen = ScreenGeometry(width: 375, height: 667, rotation: 0)

    func run() throws {
        let browser = try Browser(width: 375, height: 667)
        defer { browser.end() }
        var allSame = true
        for file in files {
            let recording = try ConvertedRecording(file, format: nil, options: RecordingOptions(), screen: nil)
            var body: [UInt8] = []
            _ = try recording.write(as: .webdriverActions, on: Self.screen) { piece in
                body += piece
                piece.removeAll(keepingCapacity: true)
            }
            let seen = try browser.play(body)
            let expected = try Stay.all(in: recording, on: Self.screen)
            let faults = Stay.differences(seen, expected)
            allSame = allSame && faults.isEmpty
            let (moves, ends) = (seen.reduce(0) { $0 + $1.moves.count }, seen.count { $0.terminal == "touchend" })
            printLine(
                "\(file): \(expected.count) contacts, \(seen.count) seen: \(moves) moves, \(ends) ended, "
                    + "\(seen.count { $0.terminal == "touchcancel" }) cancelled, "
                    + "\(seen.count { $0.terminal == nil }) still down: \(faults.isEmpty ? "the same" : "different")")
            for fault in faults.prefix(5) { printLine("  \(fault)") }
        }
        if !allSame { throw ExitCode(1) }
    }
}

/// One finger's contact on the page.
private struct Stay {
    var first, last: (x: Double, y: Double)
    var moves: [(x: Double, y: Double)] = []
    /// The page's name of the end; nil while the finger is down.
    var terminal: String?

    /// Returns the contacts that the page should see according to the recording, in pixels.
    static func all(in recording: ConvertedRecording, on screen: ScreenGeometry) throws -> [Stay] {
        let (x, y) = (recording.ranges.x, recording.ranges.y)
        func pixel(_ contact: DeviceContact) -> (x: Double, y: Double) {
            func share(_ value: Int32, _ range: ClosedRange<Int32>) -> Double {
                let share =
                    (Double(value) - Double(range.lowerBound)) / (Double(range.upperBound) - Double(range.lowerBound))
                return min(1, max(0, share))
            }
            return (share(contact.x, x) * screen.width, share(contact.y, y) * screen.height)
        }
        var stays: [Stay] = []
        var live: [(id: Int64, order: Int)] = []
        try recording.forEachFrame { frame in
            for contact in frame.contacts {
                let order = live.first { $0.id == contact.id }?.order
                switch contact.phase {
                case .began:
                    live.append((contact.id, stays.count))
                    stays.append(Stay(first: pixel(contact), last: pixel(contact)))
                case .moved, .stationary:
                    guard let order else { continue }
                    stays[order].last = pixel(contact)
                    stays[order].moves.append(pixel(contact))
                case .ended, .cancelled:
                    guard let order else { continue }
                    stays[order].terminal = contact.phase == .ended ? "touchend" : "touchcancel"
                    live.removeAll { $0.id == contact.id }
                }
            }
        }
        return stays
    }

    /// Compares contacts. A page rounds positions and receives fewer moves.
    static func differences(_ seen: [Stay], _ expected: [Stay]) -> [String] {
        var faults: [String] = []
        if seen.count != expected.count { faults.append("\(expected.count) contacts, \(seen.count) on the page") }
        func isNear(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> Bool {
            abs(a.x - b.x) <= 1 && abs(a.y - b.y) <= 1
        }
        for (order, (ours, theirs)) in zip(seen, expected).enumerated() {
            if !isNear(ours.first, theirs.first) {
                faults.append("contact \(order) landed at \(ours.first), expected \(theirs.first)")
            }
            if !isNear(ours.last, theirs.last) {
                faults.append("contact \(order) was last at \(ours.last), expected \(theirs.last)")
            }
            // The specification leaves the effect of pointerCancel open: this driver leaves the finger down.
            let isLeft = ours.terminal == nil && theirs.terminal == "touchcancel"
            if ours.terminal != theirs.terminal, !isLeft {
                faults.append("contact \(order): \(ours.terminal ?? "down"), expected \(theirs.terminal ?? "down")")
            }
            let strays = ours.moves.count { move in !theirs.moves.contains { isNear(move, $0) } }
            if strays > 0 { faults.append("contact \(order) was seen at \(strays) places it never was") }
        }
        return faults
    }

    /// Returns the contacts in the page's list of [type, identifier, x, y], in its order.
    static func all(seen events: [[Any]]) -> [Stay] {
        var stays: [Stay] = []
        var live: [(id: Int, order: Int)] = []
        for event in events {
            guard event.count == 4, let type = event[0] as? String, let id = event[1] as? Int,
                let x = event[2] as? Double, let y = event[3] as? Double
            else { continue }
            let order = live.first { $0.id == id }?.order
            switch (type, order) {
            case ("touchstart", _):
                live.append((id, stays.count))
                stays.append(Stay(first: (x, y), last: (x, y)))
            case ("touchmove", let order?):
                stays[order].last = (x, y)
                stays[order].moves.append((x, y))
            case (_, let order?):
                stays[order].terminal = type
                live.removeAll { $0.id == id }
            case (_, nil): continue
            }
        }
        return stays
    }
}

/// A headless Chromium behind chromedriver, with one page that records its touches.
private final class Browser {
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
            throw Failure.badInput("/usr/bin/chromedriver: cannot be started: apt install chromium chromium-driver")
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
            throw Failure.badInput("chromedriver: expected a session, found none: is chromium installed?")
        }
        session = "/session/\(id)"
    }

    func end() {
        _ = try? ask("DELETE", session, nil)
        driver.terminate()
        driver.waitUntilExit()
    }

    /// - Parameter actions: As RecordingWriter writes them.
    func play(_ actions: [UInt8]) throws -> [Stay] {
        _ = try ask("POST", "\(session)/url", json(["url": Self.page]))
        _ = try ask("POST", "\(session)/actions", Data(actions))
        // The page records its last events only after its turn.
        let script = "const done=arguments[0];requestAnimationFrame(()=>setTimeout(()=>done(log),50))"
        let seen = try ask("POST", "\(session)/execute/async", json(["script": script, "args": [Any]()]))
        _ = try ask("DELETE", "\(session)/actions", nil)
        return Stay.all(seen: seen as? [[Any]] ?? [])
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
        guard status == 0 else { throw Failure.badInput("chromedriver: does not answer") }
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
            guard count > 0 else { throw Failure.badInput("chromedriver: hung up") }
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
        else { throw Failure.badInput("chromedriver: expected JSON, found something else") }
        let value = object["value"] ?? NSNull()
        if let error = (value as? [String: Any])?["error"] {
            let message = (value as? [String: Any])?["message"] as? String ?? ""
            throw Failure.badInput("chromedriver: \(error): \(message.prefix { $0 != "\n" })")
        }
        return value
    }
}
