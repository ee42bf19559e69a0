// ReceivedMessage.swift: the message of a frame that the server has received, in the enum of its direction.
//
// Station   process
// Input     SystemServerCore: each frame, before any other part receives it
// Output    the message, for the part that acts on it and for RecentEvents
// Knows     the role of the sender. No link: the link may still refuse the frame.
//
// Sources   invented

import Wire

/// A message to the server, by the role of its sender.
enum ReceivedMessage: Sendable {
    case supervisor(SupervisorToServer)
    case inputKit(InputKitToServer)
    case app(AppToServer)

    /// - Returns: Nil for a message that does not go from this peer to the server. The link counts its frame all the same.
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
