// InspectAnswer.swift: answers of the inspector's server, each with the headers that a browser needs to be strict.
//
// Input     Gate, InspectServer
// Output    a whole answer as bytes, or one for FlyingFox
// Knows     status, type, body
//
// Sources   documented  Content Security Policy Level 3; Fetch, section "X-Content-Type-Options"; Referrer Policy

import FlyingFox
import Foundation
import Page

/// One answer.
struct InspectAnswer {
    enum Kind: String {
        case html = "text/html; charset=utf-8"
        case script = "text/javascript; charset=utf-8"
        case style = "text/css; charset=utf-8"
        case json = "application/json"
    }

    var status = 200
    var kind: Kind
    var body: [UInt8]
    var policy = "default-src 'none'; frame-ancestors 'none'"

    static func json(_ value: JSONText, status: Int = 200) -> InspectAnswer {
        InspectAnswer(status: status, kind: .json, body: Array(value.text.utf8))
    }

    static func error(_ status: Int, _ message: String) -> InspectAnswer {
        json(.object([("error", .object([("message", .string(message))]))]), status: status)
    }

    /// The fields of every answer. Nothing of a group stays in a browser's cache or in another site's log.
    private var fields: [(String, String)] {
        [
            ("Content-Type", kind.rawValue), ("Content-Security-Policy", policy), ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
    }

    var response: HTTPResponse {
        var headers = HTTPHeaders()
        for (name, value) in fields { headers[HTTPHeader(name)] = value }
        return HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: Self.phrase(status)), headers: headers, body: Data(body))
    }

    /// The bytes of a refusal, which ends its connection.
    static func refusal(_ status: Int, _ reason: String, allowed: [String]) -> [UInt8] {
        let answer = error(status, reason)
        var head = "HTTP/1.1 \(status) \(phrase(status))\r\n"
        for (name, value) in answer.fields { head += "\(name): \(value)\r\n" }
        if !allowed.isEmpty { head += "Allow: \(allowed.joined(separator: ", "))\r\n" }
        if status == 426 { head += "Upgrade: websocket\r\n" }
        head += "Content-Length: \(answer.body.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + answer.body
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        default: status < 500 ? "Bad Request" : "Internal Server Error"
        }
    }
}
