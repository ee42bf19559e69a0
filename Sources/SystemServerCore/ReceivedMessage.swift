// ReceivedMessage.swift: the message of a frame that the server has received, in the enum of its direction.
//
// Station   process
// Input     SystemServerCore: each frame, before any other part sees it
// Output    the message, for the part that acts on it and for RecentEvents
// Knows     which role sent it. No link: the frame may yet be refused.
//
// Sources   invented

import Wire

enum ReceivedMessage: Sendable {
    case supervisor(SupervisorToServer)
    case inputKit(InputKitToServer)
    case app(AppToServer)

    /// - Returns: Nil for a message that does not go from this peer to the server. Its frame counts for the link all the same.
    init?(_ message: Message, from peer: Peer) {
        switch peer.role {
        case .supervisor:
            guard let message = SupervisorToServer(message) else { return nil }
            self = .supervisor(message)
        case .inputKit:
            guard let message = InputKitToServer(message) else { return nil }
            self = .inputKit(message)
        case .app:
            guard let message = AppToServer(message) else { return nil }
            self = .app(message)
        case .systemServer, .controller: return nil
        }
    }
}
