// Mode.swift: which of a loop's things count while it runs.
//
// Station   loop
// Knows     numbers. What a mode is called is its user's business.
//
// Sources   Docs/Spec/Semantics.md C4: default, tracking, and common, which is a set of modes

/// What a run runs in.
public struct Mode: Hashable, Sendable {
    /// 0..<62.
    public let index: UInt8

    /// - Parameter index: From 2, as 0 and 1 have names; at most 61.
    public init(index: UInt8) {
        precondition(index < Self.limit, "a run loop knows \(Self.limit) modes, not \(index + 1)")
        self.index = index
    }

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

/// The modes a source, timer, observer or block belongs to.
public struct ModeSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public init(_ mode: Mode) { rawValue = 1 << mode.index }

    /// - Parameter common: The modes that count as common.
    func includes(_ mode: Mode, common: ModeSet) -> Bool {
        let one = ModeSet(mode)
        return !isDisjoint(with: one) || (contains(.common) && common.contains(one))
    }

    public static let standard = ModeSet(.standard)
    public static let tracking = ModeSet(.tracking)
    /// Whatever modes the loop counts as common when it asks.
    public static let common = ModeSet(rawValue: 1 << 63)
}
