// RequestGuard.swift: which requests reach the inspector's server, decided from the bytes of their heads.
//
//     bytes ─▶ lines ─▶ grammar 400 ─▶ Host, Origin 403 ─▶ route 404, 405 ─▶ token 403 ─▶ length 411, 413, 415 ─▶ forward
//
// A page of another site can send requests to this machine, also through a name that leads here (DNS rebinding), and a
// WebSocket without the browser's permission. So a request needs the token, a Host of this listener, and no other Origin.
// The head that is forwarded is written from what was understood, not copied.
//
// Input     the gate: the bytes of a connection so far
// Output    Decision
// Knows     RFC 9112 as far as a browser needs it. No socket.
//
// Sources   documented  RFC 9110, RFC 9112, RFC 6455 section 4.2.1; invented: the limits

/// The rules for requests of one start of the server.
public struct RequestGuard: Sendable {
    /// The state of a request after the bytes so far.
    public enum Decision: Hashable, Sendable {
        /// The head has not ended.
        case incomplete
        case refuse(Refusal)
        case forward(Request)
    }

    /// A request that is not answered.
    public struct Refusal: Error, Hashable, Sendable {
        public var status: Int
        public var reason: String
        /// The methods of the path, with status 405.
        public var allowed: [String] = []

        init(_ status: Int, _ reason: String, allowed: [String] = []) {
            (self.status, self.reason, self.allowed) = (status, reason, allowed)
        }
    }

    /// A request that may be answered.
    public struct Request: Hashable, Sendable {
        public var method: String
        public var path: String
        /// The bytes of the head that arrived, and of the body that follows.
        public var headLength: Int
        public var bodyLength: Int
        public var isWebSocket: Bool
        /// The head for the server.
        public var head: [UInt8]
    }

    /// A path that the server answers.
    public struct Route: Hashable, Sendable {
        public var path: String
        public var methods: [String]
        public var needsToken: Bool

        public init(_ path: String, methods: [String] = ["GET"], needsToken: Bool = true) {
            (self.path, self.methods, self.needsToken) = (path, methods, needsToken)
        }
    }

    private let token: [UInt8]
    private let hosts: [String]
    private let routes: [Route]

    /// The greatest length of a head, and of its first line, in bytes.
    public static let headLimit = 8192
    static let targetLimit = 2048
    static let fieldLimit = 64
    /// The greatest length of a body in bytes.
    public static let bodyLimit = 1 << 20

    /// The path of the WebSocket.
    public static let socketPath = "/live"

    /// - Parameters:
    ///   - token: The secret of this start, of letters and digits.
    ///   - port: The port at which the page is served.
    ///   - routes: All paths, without the WebSocket's.
    public init(token: String, port: UInt16, routes: [Route]) {
        self.token = Array(token.utf8)
        hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        self.routes = routes + [Route(Self.socketPath)]
    }

    /// Judges a request by its first bytes.
    public func judge(_ bytes: [UInt8]) -> Decision {
        guard let end = Self.headEnd(of: bytes) else {
            if bytes.count >= Self.headLimit { return .refuse(Refusal(431, "expected a head of at most 8192 bytes")) }
            // A first line without an end is not read to the limit of the head.
            if bytes.count > Self.targetLimit + 32, !bytes.prefix(Self.targetLimit + 32).contains(10) {
                return .refuse(Refusal(414, "expected a target of at most \(Self.targetLimit) bytes"))
            }
            return .incomplete
        }
        guard end <= Self.headLimit else { return .refuse(Refusal(431, "expected a head of at most 8192 bytes")) }
        do throws(Refusal) { return .forward(try request(bytes[..<end])) } catch { return .refuse(error) }
    }

    /// Returns the index after the empty line.
    private static func headEnd(of bytes: [UInt8]) -> Int? {
        var index = 3
        while index < bytes.count {
            if bytes[index] == 10, bytes[index - 1] == 13, bytes[index - 2] == 10, bytes[index - 3] == 13 {
                return index + 1
            }
            index += 1
        }
        return nil
    }

    private func request(_ head: ArraySlice<UInt8>) throws(Refusal) -> Request {
        let lines = try Self.lines(head)
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy({ $0.isASCII && $0.isUppercase }) else {
            throw Refusal(400, "expected a method, a target and HTTP/1.1")
        }
        guard words[2] == "HTTP/1.1" else { throw Refusal(400, "expected HTTP/1.1") }
        guard words[1].utf8.count <= Self.targetLimit else {
            throw Refusal(414, "expected a target of at most \(Self.targetLimit) bytes")
        }
        let fields = try Fields(lines.dropFirst())
        try checkOrigin(fields)
        let (method, target) = (String(words[0]), words[1])
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts.first ?? "")
        guard path.hasPrefix("/") else { throw Refusal(400, "expected a target that begins with /") }
        guard let route = routes.first(where: { $0.path == path }) else { throw Refusal(404, "no such page") }
        guard route.methods.contains(method) else {
            throw Refusal(405, "expected \(route.methods.joined(separator: " or "))", allowed: route.methods)
        }
        if route.needsToken { try checkToken(fields, query: parts.count > 1 ? parts[1] : "") }
        let isSocket = path == Self.socketPath
        try checkUpgrade(fields, isSocket: isSocket)
        let length = try bodyLength(fields, method)
        var forwarded = "\(method) \(path) HTTP/1.1\r\n"
        for field in fields.all where Self.forwardedNames.contains(field.name) {
            forwarded += "\(field.name): \(field.value)\r\n"
        }
        forwarded += isSocket ? "connection: Upgrade\r\nupgrade: websocket\r\n\r\n" : "connection: close\r\n\r\n"
        return Request(
            method: method, path: path, headLength: head.count, bodyLength: length, isWebSocket: isSocket,
            head: Array(forwarded.utf8))
    }

    private static let forwardedNames = [
        "host", "content-length", "content-type", "sec-websocket-key", "sec-websocket-version",
    ]

    private static func lines(_ head: ArraySlice<UInt8>) throws(Refusal) -> [Substring] {
        var previous: UInt8 = 0
        for byte in head {
            // A line ends with both characters, and neither appears alone: servers differ in what they make of it.
            guard (0x20...0x7E).contains(byte) || byte == 9 || byte == 13 || byte == 10 && previous == 13,
                previous != 13 || byte == 10
            else { throw Refusal(400, "expected lines of ASCII that end with CR LF") }
            previous = byte
        }
        let text = String(decoding: head.dropLast(4), as: UTF8.self)
        return text.split(separator: "\r\n", omittingEmptySubsequences: false)
    }

    // MARK: Fields

    private struct Fields {
        private(set) var all: [(name: String, value: Substring)] = []

        init(_ lines: ArraySlice<Substring>) throws(Refusal) {
            guard lines.count <= fieldLimit else { throw Refusal(431, "expected at most \(fieldLimit) header fields") }
            for line in lines {
                guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
                    line[..<colon].utf8.allSatisfy(Self.isNameCharacter)
                else { throw Refusal(400, "expected header fields of a name, a colon and a value") }
                let name = line[..<colon].lowercased()
                let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
                guard !all.contains(where: { $0.name == name }) || Self.mayRepeat.contains(name) else {
                    throw Refusal(400, "expected one field \(name)")
                }
                all.append((name, Self.trimmed(value)))
            }
        }

        private static func trimmed(_ value: Substring) -> Substring {
            var value = value
            while value.last == " " || value.last == "\t" { value.removeLast() }
            return value
        }

        /// Fields of a browser that a proxy may have split. No rule reads them.
        private static let mayRepeat = [
            "accept", "accept-encoding", "accept-language", "cookie", "cache-control", "via",
        ]

        private static func isNameCharacter(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "~"): true
            default: false
            }
        }

        subscript(name: String) -> Substring? { all.first { $0.name == name }?.value }
    }

    // MARK: Rules

    private func checkOrigin(_ fields: Fields) throws(Refusal) {
        guard let host = fields["host"] else { throw Refusal(400, "expected a field host") }
        guard hosts.contains(host.lowercased()) else { throw Refusal(403, "expected the host \(hosts[0])") }
        if let origin = fields["origin"] {
            guard origin.lowercased() == "http://\(host.lowercased())" else {
                throw Refusal(403, "expected a request of this page, found one of another site")
            }
        }
    }

    private func checkToken(_ fields: Fields, query: Substring) throws(Refusal) {
        let given: Substring
        if let authorization = fields["authorization"] {
            guard authorization.hasPrefix("Bearer ") else { throw Refusal(403, "expected the token of this start") }
            given = authorization.dropFirst("Bearer ".count)
        } else {
            let pair = query.split(separator: "&").first { $0.hasPrefix("token=") }
            given = pair?.dropFirst("token=".count) ?? ""
        }
        guard isToken(given) else { throw Refusal(403, "expected the token of this start") }
    }

    /// Compares in a time that does not depend on the first difference.
    private func isToken(_ text: Substring) -> Bool {
        let given = Array(text.utf8)
        var difference = given.count == token.count ? UInt8(0) : 1
        for index in token.indices { difference |= token[index] ^ (index < given.count ? given[index] : 0) }
        return difference == 0 && !token.isEmpty
    }

    private func checkUpgrade(_ fields: Fields, isSocket: Bool) throws(Refusal) {
        let upgrade = fields["upgrade"]?.lowercased()
        guard isSocket else {
            guard upgrade == nil else { throw Refusal(400, "expected no upgrade of this path") }
            return
        }
        guard upgrade == "websocket", fields["connection"]?.lowercased().contains("upgrade") == true,
            fields["sec-websocket-version"] == "13", fields["sec-websocket-key"].map(Self.isKey) == true
        else { throw Refusal(426, "expected a WebSocket of version 13") }
    }

    /// Sixteen bytes in base 64, as RFC 6455, section 4.1 demands.
    private static func isKey(_ text: Substring) -> Bool {
        text.utf8.count == 24 && text.hasSuffix("==")
            && text.utf8.dropLast(2).allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
                default: false
                }
            }
    }

    private func bodyLength(_ fields: Fields, _ method: String) throws(Refusal) -> Int {
        guard fields["transfer-encoding"] == nil else { throw Refusal(411, "expected a body with a content-length") }
        guard fields["expect"] == nil else { throw Refusal(417, "expected no field expect") }
        guard let text = fields["content-length"] else {
            guard method != "POST" else { throw Refusal(411, "expected a content-length") }
            return 0
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Refusal(400, "expected a content-length of digits")
        }
        guard let length = Int(text), length <= Self.bodyLimit else {
            throw Refusal(413, "expected a body of at most \(Self.bodyLimit) bytes")
        }
        guard method == "POST" else {
            guard length == 0 else { throw Refusal(400, "expected no body") }
            return 0
        }
        // A form of another site cannot send this type.
        guard let type = fields["content-type"]?.split(separator: ";").first, type.lowercased() == "application/json"
        else { throw Refusal(415, "expected a body of the type application/json") }
        return length
    }
}
