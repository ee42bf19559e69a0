// TCPAddress.swift: a numeric address and a port.
//
// The server listens on a numeric address only: `remote.listen` decides which networks can reach the group, and a name
// could come to mean another network (Docs/Decisions/RemoteApps.md). An app that joins may name its server
// (ServerAddress.swift).

import Glibc

/// A numeric IP address with a port.
public struct TCPAddress: Hashable, Sendable {
    public let host: String
    public let port: UInt16

    /// Parses `10.0.0.1:7000` or `[fd00::1]:7000`; nil for any other text.
    public init?(_ text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0,
            "\(port)" == text[text.index(after: colon)...]
        else { return nil }
        let name = text[..<colon]
        if name.hasPrefix("["), name.hasSuffix("]") {
            host = String(name.dropFirst().dropLast())
            var six = in6_addr()
            guard inet_pton(AF_INET6, host, &six) == 1 else { return nil }
        } else {
            host = String(name)
            var four = in_addr()
            guard inet_pton(AF_INET, host, &four) == 1 else { return nil }
        }
        self.port = port
    }

    /// - Parameter bytes: The four bytes of an IPv4 address or the sixteen of an IPv6 address.
    init?(bytes: [UInt8], port: UInt16) {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard [4, 16].contains(bytes.count), inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else {
            return nil
        }
        host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.port = port
    }

    /// The address of the other end of a connection; nil if the connection has ended.
    init?(peerOf descriptor: Int32) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let found = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        guard found == 0 else { return nil }
        let named = withUnsafeBytes(of: &storage) { bytes -> (bytes: [UInt8], port: UInt16)? in
            switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
            case AF_INET:
                let name = bytes.loadUnaligned(as: sockaddr_in.self)
                return (withUnsafeBytes(of: name.sin_addr) { [UInt8]($0) }, UInt16(bigEndian: name.sin_port))
            case AF_INET6:
                let name = bytes.loadUnaligned(as: sockaddr_in6.self)
                return (withUnsafeBytes(of: name.sin6_addr) { [UInt8]($0) }, UInt16(bigEndian: name.sin6_port))
            default: return nil
            }
        }
        guard let named else { return nil }
        self.init(bytes: named.bytes, port: named.port)
    }

    public var isIPv6: Bool { host.contains(":") }

    /// The address as libzmq reads it.
    var endpoint: String { "tcp://\(self)" }
}

extension TCPAddress: CustomStringConvertible {
    public var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
