// Resolver.swift: looks up the name of a server, in a process of its own.
//
//     app ──"?"──▶ resolver (resolver.c): getaddrinfo of one name ──addresses, or an error──▶ app
//
// The process starts before the app reads its key and is confined, so a lookup needs no call and no file that the app
// is denied.
//
// Sources   invented, after the resolver processes of OpenBSD's daemons

import Basics
import CSystem
import Glibc

/// The link to a process that looks up one host name.
final class Resolver {
    /// The result of one lookup.
    enum Answer: Equatable {
        /// Addresses in the order to try them, at most `limit`, and the number of all that the name has.
        case found([TCPAddress], of: Int)
        /// - isFinal: Whether the name is known not to exist.
        case failed(String, isFinal: Bool)
        /// The process has ended, so that no answer follows.
        case ended
    }

    /// The most addresses of one name that are tried.
    static let limit = Int(system_resolver_limit)

    let name: String
    private let port: UInt16
    private let link: Descriptor
    /// Whether an answer has yet to arrive.
    private(set) var isAwaiting = false

    /// Starts the process. It ends with this object.
    init(_ name: String, port: UInt16) throws(HostError) {
        (self.name, self.port) = (name, port)
        link = try Descriptor(system_resolver_start(name), from: "fork", "a resolver of \(name)")
    }

    /// Asks for the addresses, unless an answer is on its way.
    func ask() {
        guard !isAwaiting else { return }
        isAwaiting = true
        // A process that has ended shows at the next read.
        _ = system_resolver_ask(link.number)
    }

    /// Returns the answer, once.
    ///
    /// - Returns: Nil while there is none.
    func takeAnswer() -> Answer? {
        guard isAwaiting else { return nil }
        var resolved = system_resolved()
        switch system_resolver_answer(link.number, &resolved) {
        case 0: return nil
        case 1: isAwaiting = false
        default:
            isAwaiting = false
            return .ended
        }
        guard resolved.error == 0 else {
            let text =
                resolved.error == EAI_SYSTEM
                ? systemText(resolved.failure) : String(cString: system_resolver_text(resolved.error))
            return .failed(text, isFinal: system_resolver_is_final(resolved.error) == 1)
        }
        let count = Int(resolved.count)
        let families = withUnsafeBytes(of: resolved.families) { Array($0.bindMemory(to: UInt32.self).prefix(count)) }
        let bytes = withUnsafeBytes(of: resolved.addresses) { [UInt8]($0) }
        let addresses = families.enumerated().compactMap { index, family in
            TCPAddress(bytes: Array(bytes[(16 * index)...].prefix(family == 4 ? 4 : 16)), port: port)
        }
        return .found(addresses, of: Int(resolved.found))
    }

    /// Waits for an answer.
    ///
    /// - Returns: False if none arrived within the time.
    func wait(milliseconds: Int32) -> Bool {
        var item = pollfd(fd: link.number, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, milliseconds) > 0
    }
}
