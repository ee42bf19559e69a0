// ContactLife.swift: one contact of a device, from landing to leaving, whatever the device says in between.
//
// Station   hid
// Fed by    FrameAssembler, once per contact per scan, and once for every live contact a scan does not mention
// Feeds     Decision, which FrameAssembler turns into a transducer's record
// Knows     phases. No position, no index.
//
//     lifted ──began──▶ touching ──ended, cancelled──▶ lifted
//       └──began, no room──▶ unwanted ──ended, cancelled──▶ lifted
//
// A panel's mistakes are repaired here, so that everybody after this sees each contact begin once and end once.
//
// Sources   documented  Docs/Spec/Input.md section 1.4: a contact that vanishes without a lift stays; section 1.6: the invariants
//           invented    the other repairs

struct ContactLife: Sendable {
    enum State: Equatable, Sendable, CaseIterable { case lifted, touching, unwanted }
    enum Input: Equatable, Sendable, CaseIterable {
        case began, beganWithoutRoom, moved, stationary, ended, cancelled, absent
    }
    enum Decision: Equatable, Sendable {
        case land, follow, rest, lift, cancel, nothing
        /// The scan broke a rule; this is what is done about it.
        indirect case repair(ContactFault.Rule, Decision)
    }

    private(set) var state = State.lifted

    mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("a contact cannot take \(input) while \(state)")
        }
        state = next
        return decision
    }

    /// The whole machine. Nil cannot happen: a contact nobody holds is absent from nothing.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.lifted, .began): (.touching, .land)
        case (.lifted, .moved), (.lifted, .stationary): (.touching, .repair(.neverBegan, .land))
        case (.lifted, .beganWithoutRoom): (.unwanted, .repair(.tooMany, .nothing))
        case (.lifted, .ended), (.lifted, .cancelled): (.lifted, .repair(.neverBegan, .nothing))
        case (.lifted, .absent): nil

        case (.touching, .moved): (.touching, .follow)
        case (.touching, .stationary): (.touching, .rest)
        case (.touching, .ended): (.lifted, .lift)
        case (.touching, .cancelled): (.lifted, .cancel)
        case (.touching, .began), (.touching, .beganWithoutRoom): (.touching, .repair(.beganTwice, .follow))
        case (.touching, .absent): (.touching, .repair(.vanished, .rest))

        case (.unwanted, .ended), (.unwanted, .cancelled): (.lifted, .nothing)
        case (.unwanted, .began), (.unwanted, .beganWithoutRoom), (.unwanted, .moved), (.unwanted, .stationary),
            (.unwanted, .absent):
            (.unwanted, .nothing)
        }
    }
}

extension ContactLife.Decision: CustomStringConvertible {
    var description: String {
        switch self {
        case .land: "land"
        case .follow: "follow"
        case .rest: "rest"
        case .lift: "lift"
        case .cancel: "cancel"
        case .nothing: "nothing"
        case .repair(let rule, let remedy): "repair \(rule): \(remedy)"
        }
    }
}

/// A rule of contacts that a device broke, and was helped over. Blame: the device.
public struct ContactFault: Hashable, Sendable {
    public enum Rule: UInt8, Sendable, CaseIterable {
        /// Moved or ended without having begun: taken as a landing, or left out.
        case neverBegan
        /// Began while down: taken as a move.
        case beganTwice
        /// Down, and missing from a scan: stays where it is.
        case vanished
        /// Mentioned twice in one scan: the first counts, unless the second is an end.
        case twiceInScan
        /// More than `HIDEvent.fingerLimit` in one scan: left out until it lifts.
        case tooMany
    }

    /// The device's name for the contact.
    public var contact: Int64
    public var rule: Rule

    public init(contact: Int64, rule: Rule) { (self.contact, self.rule) = (contact, rule) }
}

extension ContactFault: CustomStringConvertible {
    public var description: String {
        switch rule {
        case .neverBegan: "contact \(contact) moved or ended without having begun"
        case .beganTwice: "contact \(contact) began while it was down"
        case .vanished: "contact \(contact) vanished from a scan without lifting"
        case .twiceInScan: "contact \(contact) was mentioned twice in one scan"
        case .tooMany: "contact \(contact) is one more than \(HIDEvent.fingerLimit)"
        }
    }
}
