// FaultWord.swift: what can go wrong, and everything that holds for a fault by its word alone.
//
// Fed by    FaultText, FaultProfile, a file's reader, a running group that is asked for one
// Feeds     Simulator and ZeroMQHost, which carry a word out: a link's by LinkFaults, a host's each in its own way
//
// A new word of a link is a case here and one in FaultyLink.swift. A new word of a host is a case here, one in
// Simulator/World+Faults.swift and one in ZeroMQHost/Chaos/Chaos.swift. The row in Docs/Simulation.md is checked.
//
// Sources   invented

import Wire

/// What can go wrong.
public enum FaultWord: Hashable, Sendable {
    /// SIGKILL. F1, F2, F3, F14.
    case kill
    /// SIGSTOP, and SIGCONT after `for`. F12.
    case stop
    /// It does not run for `amount` milliseconds, while its links are answered; its clock goes on. F9.
    case suspend
    case link(LinkFault)
    case host(HostFault)
    /// The stamps of the devices it reads go back by `amount` milliseconds. F9.
    case deviceTime
    /// The wall clock jumps by `amount` milliseconds. F9.
    case wallTime
}

/// What becomes of the frames that a process sends on data links, for as long as the fault lasts. F6.
public enum LinkFault: String, CaseIterable, Hashable, Sendable {
    /// This share of them (0…1) is lost, doubled, or overtaken by later ones.
    case loss, duplicate, reorder
    /// They travel `amount` milliseconds longer.
    case delay
    /// They are held back, in order, until the time is over.
    case clog
}

/// What the host of a process does to it.
public enum HostFault: String, CaseIterable, Hashable, Sendable {
    /// Every input costs `amount` milliseconds, for as long. F5.
    case slow
    /// The process exits `amount` milliseconds after each start, for as long. F13.
    case crashLoop = "crash-loop"
    /// It sends `amount` packets that are no frames: all at once, or spread evenly over `for`. F7.
    case malformed
    /// Its journal cannot be written, for as long. F11.
    case diskFull = "disk-full"
}

extension FaultWord {
    public static let loss = FaultWord.link(.loss)
    public static let duplicate = FaultWord.link(.duplicate)
    public static let reorder = FaultWord.link(.reorder)
    public static let delay = FaultWord.link(.delay)
    public static let clog = FaultWord.link(.clog)
    public static let slow = FaultWord.host(.slow)
    public static let crashLoop = FaultWord.host(.crashLoop)
    public static let malformed = FaultWord.host(.malformed)
    public static let diskFull = FaultWord.host(.diskFull)
}

extension FaultWord: RawRepresentable, CaseIterable {
    public static let allCases: [FaultWord] =
        [.kill, .stop] + HostFault.allCases.map(FaultWord.host) + LinkFault.allCases.map(FaultWord.link)
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

/// A fault's one number.
public enum FaultAmount: Hashable, Sendable {
    /// It has none.
    case nothing
    /// Of frames, 0…1.
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

    /// For an error: what was expected.
    public var expectation: String {
        switch self {
        case .nothing: "no number"
        case .share: "a share of frames from 0 to 1"
        case .milliseconds: "milliseconds from 0 to 86400000"
        case .packets: "packets from 1 to 1000000"
        }
    }
}

extension FaultWord {
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

    /// Whether it lasts; the others are over when they have happened.
    public var hasLength: Bool {
        switch self {
        case .stop, .link: true
        case .kill, .suspend, .deviceTime, .wallTime: false
        case .host(let fault): fault != .malformed
        }
    }

    /// Whether it may be spread over a length, and need not be.
    public var mayHaveLength: Bool { self == .malformed }

    /// Whether it is a link's and not a process's.
    public var isOfLinks: Bool { if case .link = self { true } else { false } }

    static let names = allCases.map(\.rawValue)
}

extension Fault {
    /// The time for which its target may be late; nil for a fault that makes no process late.
    ///
    /// A killed process makes no other late: the notice of its end has its own bound.
    public var delay: Duration? {
        switch word {
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

    /// Whether frames of its target, or for it, may be lost while it lasts.
    public var mayLoseFrames: Bool {
        switch word {
        case .kill, .stop, .suspend, .link: true
        case .deviceTime, .wallTime, .host: false
        }
    }

    /// Why no process of a running group does this when it is asked to; nil when its target's host does.
    public var liveRefusal: String? {
        if at != .zero { return "a running group is hurt at once: expected 0ms in front" }
        switch word {
        case .kill, .stop: return "\(word.rawValue) is a signal: send it to its pid (touchline status)"
        case .suspend:
            guard target.role == .supervisor else { return nil }
            return "suspend: expected input-kit, system-server or an app: a supervisor answers whoever asks"
        case .deviceTime, .wallTime: return "\(word.rawValue) is done in simulated runs (touchline simulate)"
        case .link:
            guard target.role == .supervisor else { return nil }
            return "\(word.rawValue): expected input-kit, system-server or an app: a supervisor is on no touch's way"
        case .host(let fault):
            guard fault == .malformed, target.role != .inputKit, target.role != .app else { return nil }
            return "malformed: expected input-kit or an app, which have a link of their own to send on"
        }
    }
}
