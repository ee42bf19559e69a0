// FaultKind.swift: the kinds of faults, and all properties of a fault that depend on its kind alone.
//
// Input     FaultText, FaultProfile, the reader of a fault file, a running group that receives a fault
// Output    Simulator and ZeroMQHost, which carry faults out. LinkFaults does so for links; each host for its process.
// Knows     words, units and limits. No process.
//
// A new word of a link is a case here and one in FaultyLink.swift. A new word of a host is a case here, one in
// Simulator/World+Faults.swift and one in ZeroMQHost/Chaos/Chaos.swift. A test writes its row in Docs/Reference/Faults.md.
//
// Sources   invented

import Wire

/// The kind of a fault.
public enum FaultKind: Hashable, Sendable {
    /// SIGKILL. F1, F2, F3, F14.
    case kill
    /// SIGSTOP, and SIGCONT after `for`. F12.
    case stop
    /// The process does not run for `amount` milliseconds, while its links are answered. Its clock continues. F9.
    case suspend
    case link(LinkFault)
    case host(HostFault)
    /// The stamps of the devices that the process reads go back by `amount` milliseconds. F9.
    case deviceTime
    /// The wall clock jumps by `amount` milliseconds. F9.
    case wallTime
}

/// A fault of the frames that a process sends on data links, for as long as the fault lasts. F6.
public enum LinkFault: String, CaseIterable, Hashable, Sendable {
    /// This share of the frames (0…1) is lost, duplicated, or overtaken by later ones.
    case loss, duplicate, reorder
    /// The frames travel `amount` milliseconds longer.
    case delay
    /// The frames are held back, in order, until the fault ends.
    case clog
}

/// A fault that the host of a process causes.
public enum HostFault: String, CaseIterable, Hashable, Sendable {
    /// Every input takes `amount` milliseconds longer, for as long as the fault lasts. F5.
    case slow
    /// The process exits `amount` milliseconds after each start, for as long as the fault lasts. F13.
    case crashLoop = "crash-loop"
    /// The process sends `amount` packets that are no frames: all at once, or spread evenly over `for`. F7.
    case malformed
    /// The journal of the process cannot be written, for as long as the fault lasts. F11.
    case diskFull = "disk-full"
}

extension FaultKind {
    public static let loss = FaultKind.link(.loss)
    public static let duplicate = FaultKind.link(.duplicate)
    public static let reorder = FaultKind.link(.reorder)
    public static let delay = FaultKind.link(.delay)
    public static let clog = FaultKind.link(.clog)
    public static let slow = FaultKind.host(.slow)
    public static let crashLoop = FaultKind.host(.crashLoop)
    public static let malformed = FaultKind.host(.malformed)
    public static let diskFull = FaultKind.host(.diskFull)
}

extension FaultKind: RawRepresentable, CaseIterable {
    public static let allCases: [FaultKind] =
        [.kill, .stop] + HostFault.allCases.map(FaultKind.host) + LinkFault.allCases.map(FaultKind.link)
        + [.suspend, .deviceTime, .wallTime]

    public var rawValue: String {
        switch self {
        case .kill: "kill"
        case .stop: "stop"
        case .suspend: "suspend"
        case .link(let fault): fault.rawValue
        case .host(let fault): fault.rawValue
        case .deviceTime: "device-time"
        case .wallTime: "wall-time"
        }
    }

    public init?(rawValue: String) {
        guard let word = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = word
    }
}

/// The unit of a fault's number.
public enum FaultAmount: Hashable, Sendable {
    /// The fault has no number.
    case nothing
    /// A share of frames, 0…1.
    case share
    /// 0…86,400,000.
    case milliseconds
    /// 1…1,000,000.
    case packets

    public var range: ClosedRange<Double> {
        switch self {
        case .nothing: 0...0
        case .share: 0...1
        case .milliseconds: 0...86_400_000
        case .packets: 1...1_000_000
        }
    }

    /// The expected number, for errors.
    public var expectation: String {
        switch self {
        case .nothing: "no number"
        case .share: "a share of frames from 0 to 1"
        case .milliseconds: "milliseconds from 0 to 86400000"
        case .packets: "packets from 1 to 1000000"
        }
    }
}

extension FaultKind {
    public var amount: FaultAmount {
        switch self {
        case .kill, .stop: .nothing
        case .suspend, .deviceTime, .wallTime: .milliseconds
        case .link(let fault):
            switch fault {
            case .loss, .duplicate, .reorder: .share
            case .delay: .milliseconds
            case .clog: .nothing
            }
        case .host(let fault):
            switch fault {
            case .slow, .crashLoop: .milliseconds
            case .malformed: .packets
            case .diskFull: .nothing
            }
        }
    }

    /// Whether the fault lasts for a time. Other faults are momentary.
    public var hasLength: Bool {
        switch self {
        case .stop, .link: true
        case .kill, .suspend, .deviceTime, .wallTime: false
        case .host(let fault): fault != .malformed
        }
    }

    /// Whether the fault may be spread over a time.
    public var mayHaveLength: Bool { self == .malformed }

    /// Whether the fault concerns a link rather than a process.
    public var isOfLinks: Bool { if case .link = self { true } else { false } }

    static let names = allCases.map(\.rawValue)
}

extension Fault {
    /// The time for which the target may be late; nil for a fault that makes no process late.
    ///
    /// A killed process makes no other process late, because the notice of its end has its own bound.
    public var delay: Duration? {
        switch kind {
        case .stop, .link: length
        case .suspend: .milliseconds(Int64(amount))
        case .kill, .deviceTime, .wallTime: nil
        case .host(let fault):
            switch fault {
            case .slow, .crashLoop: length
            case .malformed: .zero
            case .diskFull: nil
            }
        }
    }

    /// Whether frames from or to the target may be lost while the fault lasts.
    public var mayLoseFrames: Bool {
        switch kind {
        case .kill, .stop, .suspend, .link: true
        case .deviceTime, .wallTime, .host: false
        }
    }

    /// The reason why no process of a running group can carry the fault out; nil if the target's host can.
    public var liveRefusal: String? {
        if at != .zero { return "a running group applies a fault at once: expected 0ms" }
        switch kind {
        case .kill, .stop: return "\(kind.rawValue) is a signal: send it to the pid that `touchline status` prints"
        case .suspend:
            guard target.role == .supervisor else { return nil }
            return "suspend: expected input-kit, system-server or an app, because the supervisor answers controllers"
        case .deviceTime, .wallTime:
            return "\(kind.rawValue) can only be applied in simulated runs (`touchline simulate`)"
        case .link:
            guard target.role == .supervisor else { return nil }
            return
                "\(kind.rawValue): expected input-kit, system-server or an app, because no touch passes the supervisor"
        case .host(let fault):
            guard fault == .malformed, target.role != .inputKit, target.role != .app else { return nil }
            return "malformed: expected input-kit or an app, which have a link to the server"
        }
    }
}
