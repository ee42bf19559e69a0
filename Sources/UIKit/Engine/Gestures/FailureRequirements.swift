// FailureRequirements.swift: the recognizers that one recognizer waits for.
//
// Station   gesture
// Input     require(toFail:), for good; GestureEnvironment.askRequirements, for one attempt
// Output    GestureEnvironment: who waits, who has lost, which recognizers are reset together
//
// Sources   documented  require(toFail:) (B7.6)

struct FailureRequirements {
    struct Requirement {
        weak var recognizer: UIGestureRecognizer?
    }

    /// Said by `require(toFail:)`.
    private(set) var lasting: [Requirement] = []
    /// Answers of this attempt.
    private(set) var inAttempt: [Requirement] = []
    /// Whether another recognizer may wait for this one: said by `require(toFail:)`, for good, or by an answer.
    private(set) var isRequired = false

    @inline(__always)
    var isEmpty: Bool { lasting.isEmpty && inAttempt.isEmpty }

    /// - Returns: False for one that is required already. (B7.8)
    mutating func require(_ other: UIGestureRecognizer) -> Bool {
        guard !lasting.contains(where: { $0.recognizer === other }) else { return false }
        lasting.removeAll { $0.recognizer == nil }
        lasting.append(Requirement(recognizer: other))
        return true
    }

    mutating func requireInAttempt(_ other: UIGestureRecognizer) {
        inAttempt.append(Requirement(recognizer: other))
    }

    /// Another recognizer requires this one.
    mutating func becomeRequired() { isRequired = true }

    mutating func forgetAttempt() { inAttempt = [] }

    /// Whether `other` is waited for in this attempt, or always.
    @inline(__always)
    func contains(_ other: UIGestureRecognizer) -> Bool {
        !isEmpty
            && (lasting.contains { $0.recognizer === other } || inAttempt.contains { $0.recognizer === other })
    }

    /// The first that is still there and fits: those required always come first.
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
