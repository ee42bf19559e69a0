// HostParts.swift: the parts of a process by role: its links, and the descriptors that a supervisor gives its children.
//
// Input     Roles.swift, before the process has a core
// Output    ZeroMQHost
//
// Sources   invented

import Hosting
import Wire

extension ZeroMQHost {
    /// The parts of a role: its links to other processes, and for a supervisor the descriptors for its children.
    struct Parts {
        var supervisor: PacketChannel?
        // A client has one of these two.
        var server: ServerLink?
        var fetch: FetchThread?
        /// The listeners: two of a server (three with remote.listen), one of a supervisor.
        var listeners: [PeerListener] = []
        var folder: RunDirectory?
        /// The server's listening sockets, kept from one server to the next.
        var serverSockets: [ListeningSocket] = []
        /// The sockets that input-kit and apps connect to, even if their paths are removed.
        var inputSocket: BoundSocket?
        var appSocket: BoundSocket?
        /// The folder of the children's programs.
        var programs = ""
        /// The number of apps that a supervisor's core is made with.
        var apps: UInt32 = 0
        /// The length of the address that the process connects to, in bytes of `sockaddr_un`; 0 without one, -1 for any
        /// length.
        var addressLength: Int32 = 0
        /// The checksum of the file that an app shows; nil if it has not been read yet.
        var content: UInt32?
        /// The location of the process's journal.
        var journals = Journals.byPath
        /// Whether this process prepared to hold its CPU while a finger is down.
        var holdsCPU = false
        /// SIGTERM, SIGINT and SIGHUP; nil for a host that shares its process with others.
        var signals: Signals?
        /// Replaces the supervisor of a process that has none.
        var supervisorStandIn: SupervisorStandIn?
    }

    /// The location of a process's journal.
    enum Journals {
        /// In the run directory, by its path: for a process without a supervisor.
        case byPath
        case open(JournalFolder)
        /// None: the folder could not be opened, and the process continues without a journal.
        case none
    }
}

/// The messages for a process without a supervisor, and the receiver of its core's messages to the supervisor.
struct SupervisorStandIn {
    private var unsentMessages: [Message]
    let answer: (Message) -> Int32?

    init(_ messages: [Message], answer: @escaping (Message) -> Int32?) {
        (unsentMessages, self.answer) = (messages, answer)
    }

    /// The messages as the supervisor's frames, once.
    mutating func removeInputs() -> [Input] {
        defer { unsentMessages.removeAll() }
        return unsentMessages.enumerated().map { index, message in
            .frame(
                Frame(epoch: 1, generation: 1, sequence: SequenceNumber(UInt64(index + 1)), message: message),
                from: .supervisor)
        }
    }
}
