// RequirementRings.swift: recognizers that wait for each other in a ring, which is worth a warning.
//
// Station   gesture
// Fed by    GestureEnvironment and `require(toFail:)`, at each new requirement

extension GestureEnvironment {
    /// Those that wait for each other in a ring can all recognise only if one of them fails.
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
