// TCPAddress.swift: the address of another machine: a numeric address and a port.
//
// Host names are refused. A name lookup is another protocol to another machine, which a confined process may not use.
// It would also reveal the peer before any key is checked.

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

    public var isIPv6: Bool { host.contains(":") }

    /// The address as libzmq reads it.
    var endpoint: String { "tcp://\(self)" }
}

extension TCPAddress: CustomStringConvertible {
    public var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
