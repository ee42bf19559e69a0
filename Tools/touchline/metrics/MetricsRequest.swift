// MetricsRequest.swift: one HTTP request for metrics, as bytes, and the status of its answer.
//
//     GET /metrics HTTP/1.1          other methods 405, other paths 404, another grammar 400
//     Host: 127.0.0.1:9100           another host 403: a web page whose name leads here cannot read the metrics
//     …                              more than 8 KiB 431
//
// Input     MetricsListener
// Output    a status
// Knows     bytes. No socket.
//
// Sources   documented  RFC 9110, RFC 9112, for the parts above

/// The state of a request after the bytes so far.
enum MetricsRequest: Equatable {
    /// Its head has not ended.
    case incomplete
    case ended(Status)

    /// The status of an answer.
    enum Status: Int {
        case ok = 200
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case timeout = 408
        case tooLarge = 431
        case unavailable = 503

        var reason: String {
            switch self {
            case .ok: "OK"
            case .badRequest: "Bad Request"
            case .forbidden: "Forbidden"
            case .notFound: "Not Found"
            case .methodNotAllowed: "Method Not Allowed"
            case .timeout: "Request Timeout"
            case .tooLarge: "Request Header Fields Too Large"
            case .unavailable: "Service Unavailable"
            }
        }
    }

    /// The greatest size of a head in bytes.
    static let sizeLimit = 8192

    /// Reads the head of a request.
    static func parse(_ bytes: [UInt8]) -> MetricsRequest {
        guard let end = headEnd(of: bytes) else {
            return bytes.count >= sizeLimit ? .ended(.tooLarge) : .incomplete
        }
        guard end <= sizeLimit else { return .ended(.tooLarge) }
        let head = bytes[..<end]
        guard head.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 13 || $0 == 10 || $0 == 9 }) else {
            return .ended(.badRequest)
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", words[1].hasPrefix("/"),
            !words[0].isEmpty, words[0].allSatisfy(\.isUppercase)
        else { return .ended(.badRequest) }
        var hosts: [Substring] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex, !line[..<colon].contains(" ") else {
                return .ended(.badRequest)
            }
            if line[..<colon].lowercased() == "host" { hosts.append(line[line.index(after: colon)...]) }
        }
        guard hosts.count == 1 || (hosts.isEmpty && words[2] == "HTTP/1.0") else { return .ended(.badRequest) }
        if let host = hosts.first {
            let name = host.filter { $0 != " " && $0 != "\t" }.split(separator: ":").first ?? ""
            guard name == "127.0.0.1" || name.lowercased() == "localhost" else { return .ended(.forbidden) }
        }
        guard words[1].split(separator: "?").first == "/metrics" else { return .ended(.notFound) }
        return .ended(words[0] == "GET" ? .ok : .methodNotAllowed)
    }

    /// Returns the index after the empty line.
    private static func headEnd(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (4...bytes.count).first { bytes[($0 - 4)..<$0].elementsEqual([13, 10, 13, 10]) }
    }
}
