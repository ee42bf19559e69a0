// Mode.swift: the modes of a run loop, and sets of modes.
//
// Station   loop
// Knows     numbers. The names of modes from 2 on belong to the user of the loop.
//
// Sources   Docs/Spec/Semantics.md C4: default, tracking, and common, which is a set of modes

/// The mode of a run: only sources, timers, observers and blocks of this mode take part.
public struct Mode: Hashable, Sendable {
    /// The number of the mode, 0..<62.
    public let index: UInt8

    /// - Parameter index: From 2, because 0 and 1 have names; at most 61.
    public init(index: UInt8) {
        precondition(index < Self.limit, "a run loop knows \(Self.limit) modes, not \(index + 1)")
        self.index = index
    }

    /// The number of modes.
    public static let limit: UInt8 = 62
    public static let standard = Mode(index: 0)
    public static let tracking = Mode(index: 1)
}

extension Mode: CustomStringConvertible {
    public var description: String {
        switch index {
        case 0: "default"
        case 1: "tracking"
        default: "mode \(index)"
        }
    }
}

/// The modes to which a source, timer, observer or block belongs.
public struct ModeSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public init(_ mode: Mode) { rawValue = 1 << mode.index }

    /// Whether the set has the mode, directly or as a common mode.
    ///
    /// - Parameter common: The modes that count as common.
    func includes(_ mode: Mode, common: ModeSet) -> Bool {
        let one = ModeSet(mode)
        return !isDisjoint(with: one) || (contains(.common) && common.contains(one))
    }

    public static let standard = ModeSet(.standard)
    public static let tracking = ModeSet(.tracking)
    /// The modes that the loop counts as common at the time of the question.
    public static let common = ModeSet(rawValue: 1 << 63)
}
