// FaultWord+Grammar.swift: the parameters of each fault word.
//
// Input     FaultText, FaultProfile, the reader of profile files, a running group that receives a fault
//
// Sources   invented

import Wire

/// The meaning of a fault's number.
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

    /// The expected text, for an error.
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
        case .kill, .stop, .clog, .diskFull: .nothing
        case .loss, .duplicate, .reorder: .share
        case .slow, .crashLoop, .delay, .suspend, .deviceTime, .wallTime: .milliseconds
        case .malformed: .packets
        }
    }

    /// Whether it lasts; the other faults are momentary.
    public var hasLength: Bool {
        switch self {
        case .stop, .slow, .crashLoop, .loss, .duplicate, .reorder, .delay, .clog, .diskFull: true
        case .kill, .malformed, .suspend, .deviceTime, .wallTime: false
        }
    }

    /// Whether it may be spread over a length, as an option.
    public var mayHaveLength: Bool { self == .malformed }

    /// Whether it affects a link and not a process.
    public var isOfLinks: Bool {
        switch self {
        case .loss, .duplicate, .reorder, .delay, .clog: true
        case .kill, .stop, .slow, .crashLoop, .malformed, .suspend, .deviceTime, .wallTime, .diskFull: false
        }
    }

    static let names = allCases.map(\.rawValue)
}

extension Fault {
    /// The reason why no process of a running group carries out this fault; nil if its target's host does.
    public var liveRefusal: String? {
        if at != .zero { return "a running group is hurt at once: expected 0ms in front" }
        switch word {
        case .kill, .stop: return "\(word.rawValue) is a signal: send it to its pid (touchline status)"
        case .suspend:
            guard target.role == .supervisor else { return nil }
            return "suspend: expected input-kit, system-server or an app: a supervisor answers whoever asks"
        case .deviceTime, .wallTime: return "\(word.rawValue) is done in simulated runs (touchline simulate)"
        case .malformed:
            let hasLink = target.role == .inputKit || target.role == .app
            return hasLink ? nil : "malformed: expected input-kit or an app, which have a link of their own to send on"
        case .loss, .duplicate, .reorder, .delay, .clog:
            guard target.role == .supervisor else { return nil }
            return "\(word.rawValue): expected input-kit, system-server or an app: a supervisor is on no touch's way"
        case .slow, .crashLoop, .diskFull: return nil
        }
    }
}
