// DataMessages.swift: messages on the links of touches, one enum per direction.
//
// A core converts each received message into the enum of its direction, and refuses the frame if the conversion fails.
// A core that sends can only construct messages of that type. The permissions of roles (MessagePermissions.swift) are
// derived from these enums. The conversions are inlinable: without that, `bench cores` counts 10 % more time for input-kit and the server.

public import Basics
public import HID

/// The messages of one direction: from one role to another.
public protocol DirectedMessage: Hashable, Sendable {
    /// - Returns: Nil for a message that does not go in this direction.
    init?(_ message: Message)
    var message: Message { get }
}

/// Messages from input-kit to the server.
public enum InputKitToServer: DirectedMessage {
    case hello
    case link(LinkMessage)
    case digitizer(Boxed<HIDEvent>)
    case scans(ScanList)
    case device(DeviceEvent<DigitizerSpace>)
    case refused(String)

    @inlinable
    public init?(_ message: Message) {
        switch message {
        case .hello: self = .hello
        case .link(let payload): self = .link(payload)
        case .digitizer(let payload): self = .digitizer(payload)
        case .scans(let payload): self = .scans(payload)
        case .device(let payload): self = .device(payload)
        case .refused(let payload): self = .refused(payload)
        default: return nil
        }
    }

    @inlinable
    public var message: Message {
        switch self {
        case .hello: .hello
        case .link(let payload): .link(payload)
        case .digitizer(let payload): .digitizer(payload)
        case .scans(let payload): .scans(payload)
        case .device(let payload): .device(payload)
        case .refused(let payload): .refused(payload)
        }
    }
}

/// Messages from the server to input-kit.
public enum ServerToInputKit: DirectedMessage {
    case hello
    case link(LinkMessage)
    case handled(Receipt)
    case refused(String)

    @inlinable
    public init?(_ message: Message) {
        switch message {
        case .hello: self = .hello
        case .link(let payload): self = .link(payload)
        case .handled(let payload): self = .handled(payload)
        case .refused(let payload): self = .refused(payload)
        default: return nil
        }
    }

    @inlinable
    public var message: Message {
        switch self {
        case .hello: .hello
        case .link(let payload): .link(payload)
        case .handled(let payload): .handled(payload)
        case .refused(let payload): .refused(payload)
        }
    }
}

/// Messages from the server to an app. `observe` is for an app on another machine, which has no supervisor here.
public enum ServerToApp: DirectedMessage {
    case hello
    case link(LinkMessage)
    case touches(TouchFrame)
    case severalTouches(TouchList)
    case input(DeviceEvent<SceneSpace>)
    case lifeCycle(LifeCycleChange)
    case scene(SceneState)
    case screenshot
    case open(OpenRequest)
    case opened(OpenAnswer)
    case observe(Observation)
    case refused(String)

    @inlinable
    public init?(_ message: Message) {
        switch message {
        case .hello: self = .hello
        case .link(let payload): self = .link(payload)
        case .touches(let payload): self = .touches(payload)
        case .severalTouches(let payload): self = .severalTouches(payload)
        case .input(let payload): self = .input(payload)
        case .lifeCycle(let payload): self = .lifeCycle(payload)
        case .scene(let payload): self = .scene(payload)
        case .screenshot: self = .screenshot
        case .open(let payload): self = .open(payload)
        case .opened(let payload): self = .opened(payload)
        case .observe(let payload): self = .observe(payload)
        case .refused(let payload): self = .refused(payload)
        default: return nil
        }
    }

    @inlinable
    public var message: Message {
        switch self {
        case .hello: .hello
        case .link(let payload): .link(payload)
        case .touches(let payload): .touches(payload)
        case .severalTouches(let payload): .severalTouches(payload)
        case .input(let payload): .input(payload)
        case .lifeCycle(let payload): .lifeCycle(payload)
        case .scene(let payload): .scene(payload)
        case .screenshot: .screenshot
        case .open(let payload): .open(payload)
        case .opened(let payload): .opened(payload)
        case .observe(let payload): .observe(payload)
        case .refused(let payload): .refused(payload)
        }
    }
}

/// Messages from an app to the server. `facts` answer `observe`.
public enum AppToServer: DirectedMessage {
    case hello
    case link(LinkMessage)
    case handled(Receipt)
    case windows(WindowsDiff)
    case open(OpenRequest)
    case opened(OpenAnswer)
    case facts(FactPage)
    case refused(String)

    @inlinable
    public init?(_ message: Message) {
        switch message {
        case .hello: self = .hello
        case .link(let payload): self = .link(payload)
        case .handled(let payload): self = .handled(payload)
        case .windows(let payload): self = .windows(payload)
        case .open(let payload): self = .open(payload)
        case .opened(let payload): self = .opened(payload)
        case .facts(let payload): self = .facts(payload)
        case .refused(let payload): self = .refused(payload)
        default: return nil
        }
    }

    @inlinable
    public var message: Message {
        switch self {
        case .hello: .hello
        case .link(let payload): .link(payload)
        case .handled(let payload): .handled(payload)
        case .windows(let payload): .windows(payload)
        case .open(let payload): .open(payload)
        case .opened(let payload): .opened(payload)
        case .facts(let payload): .facts(payload)
        case .refused(let payload): .refused(payload)
        }
    }
}
