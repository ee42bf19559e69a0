/// What a process is in the group. The wire's permissions are by role (`Message.mayGo`).
public enum Role: UInt8, Sendable, CaseIterable {
    case supervisor = 0
    case inputKit = 1
    case systemServer = 2
    case app = 3
    /// A person's `touchline` command, on the control socket.
    case controller = 4
}

/// Which app of a group, from 1.
public struct AppID: Hashable, Sendable {
    public let rawValue: UInt32

    @inlinable
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// - Parameter index: In a list of the apps of a group, from 0.
    public init(index: Int) { self.init(UInt32(index) + 1) }

    /// In a list of the apps of a group, from 0; nil for the number 0, which is no app's.
    public var index: Int? { rawValue > 0 ? Int(rawValue) - 1 : nil }
}

extension AppID: Strideable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public func distance(to other: AppID) -> Int { Int(other.rawValue) - Int(rawValue) }
    public func advanced(by count: Int) -> AppID { AppID(UInt32(Int(rawValue) + count)) }
    @inlinable
    public static func < (a: AppID, b: AppID) -> Bool { a.rawValue < b.rawValue }
    @inlinable
    public static func == (a: AppID, b: AppID) -> Bool { a.rawValue == b.rawValue }

    public init(integerLiteral value: UInt32) { self.init(value) }

    public var description: String { "\(rawValue)" }
}

extension Int64 {
    /// For the value of a fact.
    public init(_ app: AppID) { self.init(app.rawValue) }
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
    public static func app(_ app: AppID) -> Peer { Peer(.app, app.rawValue) }

    /// Nil for a process of another role.
    public var app: AppID? { role == .app ? AppID(instance) : nil }

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
