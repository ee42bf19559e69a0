/// What a process is in the group. The wire's permissions are by role (`Message.mayGo`).
public enum Role: UInt8, Sendable, CaseIterable {
    case supervisor = 0
    case inputKit = 1
    case systemServer = 2
    case app = 3
    /// A person's `touchline` command, on the control socket.
    case controller = 4
}

/// One process of the group, whichever generation of it is alive.
public struct Peer: Hashable, Comparable, Sendable {
    public var role: Role
    /// Which app (from 1), which control connection; 0 where there is only one.
    public var instance: UInt32

    public init(_ role: Role, _ instance: UInt32 = 0) { (self.role, self.instance) = (role, instance) }

    public static let supervisor = Peer(.supervisor)
    public static let inputKit = Peer(.inputKit)
    public static let systemServer = Peer(.systemServer)
    public static func app(_ instance: UInt32) -> Peer { Peer(.app, instance) }

    public static func < (a: Peer, b: Peer) -> Bool {
        (a.role.rawValue, a.instance) < (b.role.rawValue, b.instance)
    }
}

extension Peer: CustomStringConvertible {
    /// `input-kit`, `system-server`, `app1`: as processes are called everywhere a person reads.
    public var description: String {
        switch role {
        case .supervisor: "supervisor"
        case .inputKit: "input-kit"
        case .systemServer: "system-server"
        case .app: "app\(instance)"
        case .controller: "controller\(instance)"
        }
    }

    /// The reverse of `description`.
    public init?(_ text: some StringProtocol) {
        switch text {
        case "supervisor": self = .supervisor
        case "input-kit": self = .inputKit
        case "system-server": self = .systemServer
        default:
            for (prefix, role) in [("app", Role.app), ("controller", .controller)] where text.hasPrefix(prefix) {
                guard let instance = UInt32(text.dropFirst(prefix.count)) else { return nil }
                self.init(role, instance)
                return
            }
            return nil
        }
    }
}
