// OpenURL.swift: what is said of a URL that an app is to open.
//
//     controller ─open─▶ supervisor ─open─▶ server ─open─▶ app ─opened─▶ server ─opened─▶ supervisor ─opened─▶ controller
//                            ▲                │  ▲
//                            └────wanted──────┘  └─open─ an app that asks, and is answered by `opened`
//
// A URL comes from whoever types one, and from any app; it ends in another app, in traces and on a terminal. So there is
// one type for it, which nothing but a URL gets into: at most 2,048 characters, all of them characters of RFC 3986, every
// `%` before two digits, and a scheme in front.
//
// Sources   documented  RFC 3986, 2 (characters) and 3.1 (schemes)
//           invented    the limit, and the messages

/// A URL, as text that is safe to print.
public struct URLText: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    /// In small letters, as schemes are compared.
    public let scheme: String

    /// Bytes, each of them a character.
    public static let limit = 2048
    /// Of a scheme.
    public static let schemeLimit = 64

    /// - Throws: For what is no URL, or one too long; the reason quotes nothing of it.
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

    /// A scheme in small letters; nil for what is none: a letter, then letters, digits, `+`, `-` and `.`.
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
    /// Unreserved, reserved, or the beginning of an escape.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
    }
}

/// Why a text is no URL. Blame: whoever wrote it.
public enum URLFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bytes.
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

/// Open this.
public struct OpenRequest: Hashable, Sendable {
    /// The controller that asks, which the supervisor writes here; 0 for an app, and towards an app.
    public var asker: UInt32
    /// Chosen by whoever says it; comes back in the answer.
    public var id: UInt32
    public var url: URLText

    public init(asker: UInt32 = 0, id: UInt32, url: URLText) { (self.asker, self.id, self.url) = (asker, id, url) }
}

/// What came of it.
public struct OpenAnswer: Hashable, Sendable {
    public enum Outcome: UInt8, Sendable, CaseIterable {
        /// Its app has been told, and has come to the end of being told.
        case opened
        /// No app of the group has declared the scheme.
        case noApp
        /// An app asked that is not in front.
        case notInFront
        /// The screen is locked, or dark.
        case locked
        /// As many are under way as there may be.
        case tooMany
        /// The app ended, and ended again when it was told once more; or it is not started any more.
        case died
        /// It was not told in time.
        case late
    }

    /// As in the request.
    public var asker, id: UInt32
    /// The app that declares the scheme; nil if no app does.
    public var app: AppID?
    public var outcome: Outcome

    public init(asker: UInt32 = 0, id: UInt32, app: AppID? = nil, outcome: Outcome) {
        (self.asker, self.id, self.app, self.outcome) = (asker, id, app, outcome)
    }
}

/// The server wants an app to be there: for a URL.
public struct Wish: Hashable, Sendable {
    public var app: AppID
    /// The URL brings the app to the front, and the supervisor tells the next server so; false of an app that is on the
    /// screen already.
    public var comesToFront: Bool
    /// Lives of the app that have been told of it already.
    public var lives: UInt32
    /// What to launch it with, if it has to be.
    public var opens: OpenRequest

    /// Lives of an app that one URL is told to, whoever tells it: more would be a URL that ends its app for ever.
    public static let livesLimit: UInt32 = 2

    public init(app: AppID, comesToFront: Bool, lives: UInt32, opens: OpenRequest) {
        (self.app, self.comesToFront, self.lives, self.opens) = (app, comesToFront, lives, opens)
    }
}

// MARK: Fields

extension OpenRequest: FieldCodable {
    package init<Coder: FieldCoder>(coding value: OpenRequest?, with coder: inout Coder) throws(Coder.Failure) {
        let asker = try coder.field(value?.asker, "asker: number of the controller, 0 none")
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
    /// A byte and its position, or nothing of the text.
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
            asker: try coder.field(value?.asker, "asker: number of the controller, 0 none"),
            id: try coder.field(value?.id, "id"), app: try coder.field(value.map(\.app), orZero: "app, 0 none"),
            outcome: try coder.field(value?.outcome, "outcome: 0 opened", as: "outcome"))
    }
}

extension Wish: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Wish?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            app: try coder.field(value?.app, "app"),
            comesToFront: try coder.field(value?.comesToFront, "comes to front", as: "comes to front"),
            lives: try coder.field(value?.lives, "lives that have been told of the URL"),
            opens: try coder.field(value?.opens))
    }
}
