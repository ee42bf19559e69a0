// HostParts.swift: what a process of each role has: its links, and what a supervisor gives its children.
//
// Fed by    Roles.swift, before the process has a core
// Feeds     ZeroMQHost
//
// Sources   invented

import Hosting
import Wire

extension ZeroMQHost {
    /// What a role has: its links to others, and for a supervisor what it gives its children.
    struct Parts {
        var supervisor: PacketChannel?
        // A client has one of these two.
        var server: ServerLink?
        var fetch: FetchThread?
        /// A server's two, a supervisor's one.
        var listeners: [PeerListener] = []
        var folder: RunDirectory?
        /// The server's listening sockets, kept from one server to the next.
        var inheritance: [ListeningSocket] = []
        /// Where input-kit and apps connect, whatever becomes of the paths.
        var inputPlace: Place?
        var appPlace: Place?
        /// Where the children's programs are.
        var programs = ""
        /// How many apps a supervisor's core is made with.
        var apps: UInt32 = 0
        /// How long the address is that it connects to, in bytes of `sockaddr_un`; 0 where there is none, -1 for any.
        var addressLength: Int32 = 0
        /// The checksum of what an app shows; nil where that has not been read yet.
        var content: UInt32?
        /// Where its journal is to be.
        var journals = Journals.byPath
        /// SIGTERM, SIGINT and SIGHUP; nil for a host that shares its process with others.
        var signals: Signals?
        /// In place of a supervisor, of a process that has none.
        var standIn: SupervisorStandIn?
    }

    enum Journals {
        /// In the run directory, by its path: of a process without a supervisor.
        case byPath
        case open(JournalFolder)
        /// Its folder could not be opened: it goes on without a journal.
        case none
    }
}

/// What a process without a supervisor is told in the place of one, and who hears what its core says to one.
struct SupervisorStandIn {
    private var untold: [Message]
    let answer: (Message) -> Int32?

    init(_ messages: [Message], answer: @escaping (Message) -> Int32?) { (untold, self.answer) = (messages, answer) }

    /// The messages as the supervisor's frames, once.
    mutating func takeInputs() -> [Input] {
        defer { untold.removeAll() }
        return untold.enumerated().map { index, message in
            .frame(
                Frame(epoch: 1, generation: 1, sequence: SequenceNumber(UInt64(index + 1)), message: message),
                from: .supervisor)
        }
    }
}
