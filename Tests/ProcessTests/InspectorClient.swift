import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

/// A client of `touchline inspect` over plain sockets: what it sends may be wrong on purpose.
final class InspectorClient {
    private let socket: Int32
    private let sender: Sender
    private var clock: (any DispatchSourceTimer)?
    private var bytes: [UInt8] = []
    /// Messages that no wait has seen yet, without facts.
    private var kept: [[String: Any]] = []
    /// The texts of all facts, in the order of their arrival.
    private var facts: [String] = []
    /// The first line of the answer to the upgrade.
    private(set) var upgrade = ""

    /// A message of the server.
    enum Received {
        case message([String: Any])
        case closed(UInt16, String)
        /// The connection has ended without a close frame.
        case ended
    }

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sender = Sender(socket)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw TestFailure("connect: \(String(cString: strerror(errno)))") }
    }

    deinit {
        clock?.cancel()
        sender.close()
    }

    /// Connects to the WebSocket of a page.
    convenience init(port: UInt16, token: String) throws {
        try self.init(port: port)
        send(
            "GET /live?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                + "Origin: http://127.0.0.1:\(port)\r\n\r\n")
        while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            guard fill() else { throw TestFailure("the upgrade has no answer") }
        }
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))!
        upgrade = String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self)
        bytes.removeFirst(end.upperBound)
    }

    // MARK: Sending

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) { sender.send(bytes) }

    /// The side of a connection that the test and a clock use.
    private final class Sender: Sendable {
        /// Nil after the end.
        private let socket: Mutex<Int32?>

        init(_ socket: Int32) { self.socket = Mutex(socket) }

        func send(_ bytes: [UInt8]) {
            socket.withLock { socket in
                guard let socket else { return }
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes {
                        Glibc.send(socket, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { return }
                    rest = rest.dropFirst(count)
                }
            }
        }

        func close() {
            socket.withLock { socket in
                if let socket { Glibc.close(socket) }
                socket = nil
            }
        }
    }

    /// Asks for the time each second from now on, as a page does: the fingers of a silent page are cancelled.
    func keepTalking() {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now(), repeating: 1)
        timer.setEventHandler { [sender] in sender.send(Self.frame(of: #"{"t":"clock","n":0,"at":0}"#)) }
        timer.resume()
        clock = timer
    }

    func sendMessage(_ text: String) { send(Self.frame(of: text)) }

    /// A text as one frame.
    private static func frame(of text: String) -> [UInt8] {
        let payload = Array(text.utf8)
        let mask: [UInt8] = [7, 200, 31, 4]
        var frame: [UInt8] = [0x81]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        }
        return frame + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    /// Sends one sample without a time: the page has sent no offset.
    func touch(_ finger: Int, _ phase: Int, _ x: Double, _ y: Double) {
        sendMessage("{\"t\":\"touch\",\"c\":[[\(finger),\(phase),\(x),\(y),-1,0]]}")
    }

    // MARK: Receiving

    /// The whole answer to a request, which ends the connection.
    func answer() -> String {
        while fill() {}
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Returns: False at the end of the connection, or after the limit of a test.
    private func fill() -> Bool {
        var item = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&item, 1, Int32(Programs.waitLimit * 1000)) > 0 else { return false }
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = read(socket, &piece, piece.count)
        guard count > 0 else { return false }
        bytes += piece.prefix(count)
        return true
    }

    func receive() throws -> Received {
        var header = 2
        while bytes.count < 2 { guard fill() else { return .ended } }
        var length = Int(bytes[1] & 127)
        let extra = length == 126 ? 2 : length == 127 ? 8 : 0
        header += extra
        while bytes.count < header { guard fill() else { return .ended } }
        if extra > 0 { length = bytes[2..<(2 + extra)].reduce(0) { $0 << 8 | Int($1) } }
        while bytes.count < header + length { guard fill() else { return .ended } }
        let (opcode, payload) = (bytes[0] & 15, Array(bytes[header..<(header + length)]))
        bytes.removeFirst(header + length)
        guard opcode != 8 else {
            let code = payload.count > 1 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : 0
            return .closed(code, String(decoding: payload.dropFirst(2), as: UTF8.self))
        }
        guard let object = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any] else {
            throw TestFailure("a message is no object")
        }
        // A page draws each picture that it receives.
        if object["t"] as? String == "picture", let number = object["n"] as? Int {
            sendMessage("{\"t\":\"got\",\"n\":\(number)}")
        }
        return .message(object)
    }

    /// Waits until a message of this kind satisfies the predicate. Messages of other kinds are kept for later waits.
    @discardableResult
    func next(_ kind: String, where isSo: ([String: Any]) -> Bool = { _ in true }) throws -> [String: Any] {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while true {
            while let index = kept.firstIndex(where: { $0["t"] as? String == kind }) {
                let message = kept.remove(at: index)
                if isSo(message) { return message }
            }
            guard Date() < deadline else { throw TestFailure("no message \(kind) in time") }
            try keepNext()
        }
    }

    private func keepNext() throws {
        switch try receive() {
        case .message(let object):
            guard object["t"] as? String == "facts", let texts = object["texts"] as? [String],
                let lines = object["text"] as? [Int]
            else { return kept.append(object) }
            facts += lines.map { texts[$0] }
        case .closed(let code, let reason): throw TestFailure("closed with \(code): \(reason)")
        case .ended: throw TestFailure("the connection has ended")
        }
    }

    /// Waits until this text has been part of as many facts.
    func fact(_ text: String, times: Int = 1) throws {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while facts.count(where: { $0.contains(text) }) < times {
            guard Date() < deadline else { throw TestFailure("no fact \(text) in time, but \(facts)") }
            try keepNext()
        }
    }

    /// Receives until the server closes the connection.
    ///
    /// - Returns: Nil without a close frame.
    func closeCode() throws -> UInt16? {
        while true {
            switch try receive() {
            case .message: continue
            case .closed(let code, _): return code
            case .ended: return nil
            }
        }
    }
}
