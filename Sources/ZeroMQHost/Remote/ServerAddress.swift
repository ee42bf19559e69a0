// ServerAddress.swift: where an app of another machine finds its server: a host name or a numeric address, with a port.
//
//     house.lan:7000   10.0.0.1:7000   [fd00::1]:7000
//
// A name is checked here only for its form. Resolver looks it up. The name proves nothing: a server is identified by its
// key, whatever address it has.
//
// Sources   documented  RFC 1123 section 2.1, RFC 1035 section 2.3.4: letters, digits, hyphens; 63 and 253 bytes
//           invented    underscores, which names of containers have

/// The address of a server, as a person writes it.
public enum ServerAddress: Hashable, Sendable {
    case numeric(TCPAddress)
    case named(String, port: UInt16)

    /// The limits of a name and of each part between its dots, in bytes.
    static let nameLimit = 253
    static let labelLimit = 63

    /// A text that is no address. The description has the measure and the limit.
    public struct Invalid: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// Parses `house.lan:7000`, `10.0.0.1:7000` or `[fd00::1]:7000`.
    public init(_ text: String) throws(Invalid) {
        if let address = TCPAddress(text) {
            self = .numeric(address)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { throw Invalid(description: "it has no port") }
        let (name, digits) = (text[..<colon], text[text.index(after: colon)...])
        guard let port = UInt16(digits), port > 0, "\(port)" == digits else {
            throw Invalid(description: "its port is \(digits.isEmpty ? "empty" : "\(digits)"), and 1 to 65535 exist")
        }
        try Self.check(name)
        self = .named(String(name), port: port)
    }

    private static func check(_ name: Substring) throws(Invalid) {
        guard !name.isEmpty else { throw Invalid(description: "it has no host") }
        guard !name.contains(":") else {
            throw Invalid(description: "an IPv6 address stands in brackets, without a zone")
        }
        guard name.utf8.count <= nameLimit else {
            throw Invalid(description: "its name has \(name.utf8.count) bytes, limit \(nameLimit)")
        }
        let labels = (name.hasSuffix(".") ? name.dropLast() : name).split(
            separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            guard !label.isEmpty else { throw Invalid(description: "a part of its name is empty") }
            guard label.utf8.count <= labelLimit else {
                throw Invalid(description: "a part of its name has \(label.utf8.count) bytes, limit \(labelLimit)")
            }
            let isAllowed = label.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard isAllowed, label.first != "-", label.last != "-" else {
                throw Invalid(
                    description: "a part of its name is \(label): letters, digits and inner hyphens are allowed")
            }
        }
        // The C library reads `10.1` and `1` as addresses in old notations.
        guard let last = labels.last, !last.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw Invalid(description: "\(name) is neither a name nor four numbers from 0 to 255")
        }
    }

    /// The host name; nil for a numeric address.
    var name: String? { if case .named(let name, _) = self { name } else { nil } }
}

extension ServerAddress: CustomStringConvertible {
    public var description: String {
        switch self {
        case .numeric(let address): "\(address)"
        case .named(let name, let port): "\(name):\(port)"
        }
    }
}
