// RequirementRings.swift: a warning about recognizers that require each other to fail in a ring.
//
// Station   gesture
// Input     GestureEnvironment and `require(toFail:)`, at each new requirement
// Output    UIKitEvent.Gesture.requiresInRing

extension GestureEnvironment {
    /// Emits the ring that a new requirement closes. Recognizers in a ring can recognize only after one of them fails.
    func noteCycle(closedBy recognizer: UIGestureRecognizer, requiring other: UIGestureRecognizer) {
        guard application.isWatched, let path = path(from: other, to: recognizer, seen: []) else { return }
        application.emit(.gesture(.requiresInRing([recognizer] + path)))
    }

    private func path(
        from start: UIGestureRecognizer, to end: UIGestureRecognizer, seen: [UIGestureRecognizer]
    ) -> [UIGestureRecognizer]? {
        if start === end { return [start] }
        guard !seen.contains(where: { $0 === start }) else { return nil }
        for requirement in start.requirements.lasting + start.requirements.inAttempt {
            guard let next = requirement.recognizer else { continue }
            if let rest = path(from: next, to: end, seen: seen + [start]) { return [start] + rest }
        }
        return nil
    }
}
