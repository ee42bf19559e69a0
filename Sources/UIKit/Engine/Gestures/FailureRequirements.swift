// FailureRequirements.swift: the recognizers that one recognizer requires to fail.
//
// Station   gesture
// Input     require(toFail:), for good; GestureEnvironment.askRequirements, for one attempt
// Output    GestureEnvironment: which recognizers wait, which have lost, which are reset together
//
// Sources   documented  require(toFail:) (B7.6)

struct FailureRequirements {
    struct Requirement {
        weak var recognizer: UIGestureRecognizer?
    }

    /// Requirements that `require(toFail:)` made.
    private(set) var lasting: [Requirement] = []
    /// Requirements that a delegate or a subclass gave for this attempt.
    private(set) var inAttempt: [Requirement] = []
    /// Whether another recognizer may wait for this one, by `require(toFail:)` or by an answer. Never becomes false
    /// again.
    private(set) var isRequired = false

    @inline(__always)
    var isEmpty: Bool { lasting.isEmpty && inAttempt.isEmpty }

    /// Adds a lasting requirement.
    ///
    /// - Returns: False if the requirement exists already. (B7.8)
    mutating func require(_ other: UIGestureRecognizer) -> Bool {
        guard !lasting.contains(where: { $0.recognizer === other }) else { return false }
        lasting.removeAll { $0.recognizer == nil }
        lasting.append(Requirement(recognizer: other))
        return true
    }

    mutating func requireInAttempt(_ other: UIGestureRecognizer) {
        inAttempt.append(Requirement(recognizer: other))
    }

    /// Notes that another recognizer requires this one.
    mutating func becomeRequired() { isRequired = true }

    mutating func forgetAttempt() {
        if !inAttempt.isEmpty { inAttempt = [] }
    }

    /// Whether `other` is required in this attempt, or always.
    @inline(__always)
    func contains(_ other: UIGestureRecognizer) -> Bool {
        !isEmpty
            && (lasting.contains { $0.recognizer === other } || inAttempt.contains { $0.recognizer === other })
    }

    /// The first living recognizer that fits. Lasting requirements come first.
    @inline(__always)
    func first(where fits: (UIGestureRecognizer) -> Bool) -> UIGestureRecognizer? {
        for requirement in lasting {
            if let other = requirement.recognizer, fits(other) { return other }
        }
        for requirement in inAttempt {
            if let other = requirement.recognizer, fits(other) { return other }
        }
        return nil
    }
}
