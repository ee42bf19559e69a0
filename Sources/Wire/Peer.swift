// Peer.swift: the identities of the processes of a group: roles, apps and peers.
//
// Output    every frame, fact and roster names processes with these types
// Knows     numbers and names. No pid.
//
// Sources   invented

/// The role of a process in the group. The permissions of messages are by role (`Message.isAllowed`).
public enum Role: UInt8, Sendable, CaseIterable {
    case supervisor = 0
    case inputKit = 1
    case systemServer = 2
    case app = 3
    /// A `touchline` command, on the control socket.
    case controller = 4

    /// The name of a process of this role, without the number of an app or a controller: `input-kit`, `app`.
    public var processName: String {
        switch self {
        case .supervisor: "supervisor"
        case .inputKit: "input-kit"
        case .systemServer: "system-server"
        case .app: "app"
        case .controller: "controller"
        }
    }
}

/// The number of an app of a group, from 1.
public struct AppID: Hashable, Sendable {
    public let rawValue: UInt32

    @inlinable
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// - Parameter index: The index in a list of the apps of a group, from 0.
    public init(index: Int) { self.init(UInt32(index) + 1) }

    /// The index in a list of the apps of a group, from 0; nil for the number 0, which no app has.
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
    /// The number of the app as the value of a fact.
    public init(_ app: AppID) { self.init(app.rawValue) }
}

/// One process of the group, whatever its generation is.
public struct Peer: Hashable, Comparable, Sendable {
    public var role: Role
    /// The number of an app or of a control connection, from 1; 0 for a role with one process.
    public var instance: UInt32

    @inlinable
    public init(_ role: Role, _ instance: UInt32 = 0) { (self.role, self.instance) = (role, instance) }

    // Computed, because another module reads a stored constant through a call, and a computed one becomes a number.
    @inlinable public static var supervisor: Peer { Peer(.supervisor) }
    @inlinable public static var inputKit: Peer { Peer(.inputKit) }
    @inlinable public static var systemServer: Peer { Peer(.systemServer) }
    public static func app(_ app: AppID) -> Peer { Peer(.app, app.rawValue) }

    /// The app; nil for a process of another role.
    public var app: AppID? { role == .app ? AppID(instance) : nil }

    @inlinable
    public static func == (a: Peer, b: Peer) -> Bool { a.role == b.role && a.instance == b.instance }
    public static func < (a: Peer, b: Peer) -> Bool {
        (a.role.rawValue, a.instance) < (b.role.rawValue, b.instance)
    }
}

extension Peer: CustomStringConvertible {
    /// The name of the process wherever a person reads it: `input-kit`, `system-server`, `app1`.
    public var description: String {
        switch role {
        case .supervisor, .inputKit, .systemServer: role.processName
        case .app, .controller: "\(role.processName)\(instance)"
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
