// OpenURL.swift: messages about a URL that an app is to open.
//
//     controller ─open─▶ supervisor ─open─▶ server ─open─▶ app ─opened─▶ server ─opened─▶ supervisor ─opened─▶ controller
//                            ▲                │  ▲
//                            └─launchRequest──┘  └─open─ an app that asks; `opened` answers it
//
// Input     `touchline open`, apps, the server
// Output    one answer for each request
// Knows     the characters of a URL. No app's schemes.
//
// A URL comes from a person or from any app, and reaches another app, traces and a terminal. `URLText` therefore
// accepts only URLs: at most 2,048 characters, all of them from RFC 3986, two digits after every `%`, and a scheme in
// front.
//
// Sources   documented  RFC 3986, 2 (characters) and 3.1 (schemes)
//           invented    the limit, and the messages

/// A URL, as text that is safe to print.
public struct URLText: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    /// The scheme in lower case, as schemes are compared.
    public let scheme: String

    /// The greatest length in bytes; each byte is a character.
    public static let limit = 2048
    /// The greatest length of a scheme in bytes.
    public static let schemeLimit = 64

    /// - Throws: `URLFault` if the text is no URL or too long. The error quotes nothing of the text.
    public init(_ text: String) throws(URLFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.limit else { throw .tooLong(bytes.count) }
        for (place, byte) in bytes.enumerated() {
            guard Self.isAllowed(byte) else { throw .badCharacter(byte, at: place) }
            guard byte == UInt8(ascii: "%") else { continue }
            guard place + 2 < bytes.count, Self.isHex(bytes[place + 1]), Self.isHex(bytes[place + 2]) else {
                throw .badEscape(at: place)
            }
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let scheme = Self.scheme(String(decoding: bytes[..<colon], as: UTF8.self))
        else { throw .noScheme }
        (self.text, self.scheme) = (text, scheme)
    }

    public var description: String { text }

    /// Returns a scheme in lower case; nil if the text is not a letter followed by letters, digits, `+`, `-` and `.`.
    ///
    /// - Source: documented, RFC 3986 3.1.
    public static func scheme(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, bytes.count <= schemeLimit, isLetter(first) else { return nil }
        for byte in bytes where !isLetter(byte) && !isDigit(byte) && !"+-.".utf8.contains(byte) { return nil }
        return text.lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isHex(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
    /// Whether the byte is unreserved, reserved, or the beginning of an escape.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
    }
}

/// The reason why a text is no URL. At fault: its author.
public enum URLFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The length in bytes.
    case tooLong(Int)
    case badCharacter(UInt8, at: Int)
    case badEscape(at: Int)
    case noScheme

    public var description: String {
        switch self {
        case .tooLong(let count): "a URL has at most \(URLText.limit) characters, found \(count)"
        case .badCharacter(let byte, let place):
            "a URL has no byte 0x\(String(byte, radix: 16)), found one at \(place)"
        case .badEscape(let place):
            "a URL's % stands before two hexadecimal digits, found one at \(place) that does not"
        case .noScheme: "a URL begins with a scheme as touchline-demo:, found none"
        }
    }
}

/// A request to open a URL.
public struct OpenRequest: Hashable, Sendable {
    /// The number of the controller that asks, written by the supervisor; 0 if an app asks, and in a request to an app.
    public var asker: UInt32
    /// The number that the sender chose; the answer returns it.
    public var id: UInt32
    public var url: URLText

    public init(asker: UInt32 = 0, id: UInt32, url: URLText) { (self.asker, self.id, self.url) = (asker, id, url) }
}

/// The outcome of a request to open a URL.
public struct OpenAnswer: Hashable, Sendable {
    /// What happened to the URL.
    public enum Outcome: UInt8, Sendable, CaseIterable {
        /// The app received the URL and finished handling it.
        case opened
        /// No app of the group has declared the scheme.
        case noApp
        /// The app that asked is not in front.
        case notInFront
        /// The screen is locked or dark.
        case locked
        /// The limit of URLs that are being opened is reached.
        case tooMany
        /// The app exited, and exited again when it received the URL a second time; or it is no longer restarted.
        case died
        /// The app did not receive the URL in time.
        case late
    }

    /// The numbers of the request.
    public var asker, id: UInt32
    /// The app that declares the scheme; nil if no app does.
    public var app: AppID?
    public var outcome: Outcome

    public init(asker: UInt32 = 0, id: UInt32, app: AppID? = nil, outcome: Outcome) {
        (self.asker, self.id, self.app, self.outcome) = (asker, id, app, outcome)
    }
}

/// The server's request that an app be running, for a URL.
public struct LaunchRequest: Hashable, Sendable {
    public var app: AppID
    /// Whether the URL brings the app to the front, so that the supervisor repeats it to the next server. False for an
    /// app that is already on the screen.
    public var comesToFront: Bool
    /// The number of process generations of the app that have received the URL.
    public var deliveredGenerations: UInt32
    /// The URL that the app is launched with, if it has to be launched.
    public var openRequest: OpenRequest

    /// The greatest number of process generations of an app that receive one URL. Without a limit, a URL that crashes
    /// its app would crash it for ever.
    public static let generationLimit: UInt32 = 2

    public init(app: AppID, comesToFront: Bool, deliveredGenerations: UInt32, openRequest: OpenRequest) {
        (self.app, self.comesToFront, self.deliveredGenerations, self.openRequest) = (
            app, comesToFront, deliveredGenerations, openRequest
        )
    }
}

// MARK: Fields

extension OpenRequest: FieldCodable {
    package init<Coder: FieldCoder>(coding value: OpenRequest?, with coder: inout Coder) throws(Coder.Failure) {
        let asker = try coder.field(value?.asker, "requester: number of the controller, 0 none")
        let id = try coder.field(value?.id, "id")
        let text = try coder.field(
            value?.url.text, "URL, at most 2048 characters of RFC 3986", as: "URL", limit: URLText.limit)
        if let value {
            self = value
            return
        }
        do throws(URLFault) {
            self.init(asker: asker, id: id, url: try URLText(text))
        } catch {
            throw coder.failure(error.wireError)
        }
    }
}

extension URLFault {
    /// The byte and its position; the error contains nothing else of the text.
    fileprivate var wireError: WireError {
        switch self {
        case .badCharacter(let byte, at: _): .badValue("URL's character", UInt64(byte))
        case .badEscape(let place): .badValue("URL's escape at", UInt64(place))
        case .tooLong(let count): .badValue("URL's length", UInt64(count))
        case .noScheme: .badValue("URL's scheme", 0)
        }
    }
}

extension OpenAnswer: FieldCodable {
    package init<Coder: FieldCoder>(coding value: OpenAnswer?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            asker: try coder.field(value?.asker, "requester: number of the controller, 0 none"),
            id: try coder.field(value?.id, "id"), app: try coder.field(value.map(\.app), orZero: "app, 0 none"),
            outcome: try coder.field(value?.outcome, "outcome: 0 opened", as: "outcome"))
    }
}

extension LaunchRequest: FieldCodable {
    package init<Coder: FieldCoder>(coding value: LaunchRequest?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            app: try coder.field(value?.app, "app"),
            comesToFront: try coder.field(value?.comesToFront, "comes to front", as: "comes to front"),
            deliveredGenerations: try coder.field(
                value?.deliveredGenerations, "process generations that received the URL"),
            openRequest: try coder.field(value?.openRequest))
    }
}
