// ContactMachine.swift: the state machine of one contact of a device, which repairs the device's mistakes.
//
// Station   hid
// Input     FrameAssembler, once per contact per scan, and once for every live contact that a scan lacks
// Output    Decision, which FrameAssembler turns into a transducer's record
// Knows     phases. No position, no index.
//
//     lifted ──began──▶ touching ──ended, cancelled──▶ lifted
//       └──began, no room──▶ ignored ──ended, cancelled──▶ lifted
//
// After the repairs each contact begins once and ends once.
//
// Sources   documented  Docs/Spec/Input.md section 1.4: a contact that vanishes without a lift stays; section 1.6: the invariants
//           invented    the other repairs

/// The state machine of one contact.
struct ContactMachine: Sendable {
    enum State: Equatable, Sendable, CaseIterable { case lifted, touching, ignored }
    enum Input: Equatable, Sendable, CaseIterable {
        case began, beganWithoutRoom, moved, stationary, ended, cancelled, absent
    }
    /// What FrameAssembler does with the contact.
    enum Decision: Equatable, Sendable {
        case land, follow, rest, lift, cancel, nothing
        /// The scan broke a rule, and this decision repairs it.
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

    /// The whole machine. Nil marks the impossible pair: a contact that is up cannot be absent.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.lifted, .began): (.touching, .land)
        case (.lifted, .moved), (.lifted, .stationary): (.touching, .repair(.neverBegan, .land))
        case (.lifted, .beganWithoutRoom): (.ignored, .repair(.tooMany, .nothing))
        case (.lifted, .ended), (.lifted, .cancelled): (.lifted, .repair(.neverBegan, .nothing))
        case (.lifted, .absent): nil

        case (.touching, .moved): (.touching, .follow)
        case (.touching, .stationary): (.touching, .rest)
        case (.touching, .ended): (.lifted, .lift)
        case (.touching, .cancelled): (.lifted, .cancel)
        case (.touching, .began), (.touching, .beganWithoutRoom): (.touching, .repair(.beganTwice, .follow))
        case (.touching, .absent): (.touching, .repair(.vanished, .rest))

        case (.ignored, .ended), (.ignored, .cancelled): (.lifted, .nothing)
        case (.ignored, .began), (.ignored, .beganWithoutRoom), (.ignored, .moved), (.ignored, .stationary),
            (.ignored, .absent):
            (.ignored, .nothing)
        }
    }
}

extension ContactMachine.Decision: CustomStringConvertible {
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

/// A rule of contacts that a device broke, and that was repaired. At fault: the device.
public struct ContactFault: Hashable, Sendable {
    /// The broken rule.
    public enum Rule: UInt8, Sendable, CaseIterable {
        /// The contact moved or ended without a beginning: it counts as a landing, or is ignored.
        case neverBegan
        /// The contact began while it was down: it counts as a move.
        case beganTwice
        /// The contact is down and missing from a scan: it stays at its position.
        case vanished
        /// The contact occurs twice in one scan: the first counts, unless the second is an end.
        case twiceInScan
        /// More than `HIDEvent.fingerLimit` contacts are down: the contact is ignored until it lifts.
        case tooMany
    }

    /// The device's number of the contact.
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
