// EdgePanMachine.swift: the state machine of a pan that may have to start at an edge.
//
// Station   gesture
// Input     UIPanGestureRecognizer and UIScreenEdgePanGestureRecognizer
// Output    Verdict
// Knows     a rectangle and which of its edges count. PanMachine knows the rest; without edges it decides alone.
//
//     idle ─landed by an edge─▶ entering ─pan began inwards─▶ inside ─▶ done
//       └──landed elsewhere──────▶ done ◀──along the edge────────┘
//
// Docs/Reference/Machines/EdgePan.md has the whole table.
//
// Sources   documented  UIScreenEdgePanGestureRecognizer.edges
//           invented    13 pt; the travel inwards must be at least the travel along (B9.6); a later finger that lands
//                       elsewhere is not counted

package import Basics

/// A set of edges, with the raw values of UIRectEdge.
package struct ScreenEdges: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let top = ScreenEdges(rawValue: 1)
    package static let left = ScreenEdges(rawValue: 2)
    package static let bottom = ScreenEdges(rawValue: 4)
    package static let right = ScreenEdges(rawValue: 8)

    static let each: [(edge: ScreenEdges, name: String)] = [
        (.top, "top"), (.left, "left"), (.bottom, "bottom"), (.right, "right"),
    ]

    package var description: String {
        "[\(Self.each.filter { contains($0.edge) }.map(\.name).joined(separator: ", "))]"
    }
}

/// The state machine of a pan with or without edges.
package struct EdgePanMachine: GestureMachine {
    /// The limits of a pan, and the edges at which it must start.
    package struct Rules: Equatable, Sendable {
        package var pan: PanMachine.Rules
        /// The edges at which the pan must start; nil for a pan that may start anywhere.
        package var edges: ScreenEdges?
        /// The rectangle that has the edges.
        package var bounds: Rect<WindowSpace>
        /// The width of the region along an edge, in points.
        package var region: Double

        package init(
            edges: ScreenEdges? = nil, of bounds: Rect<WindowSpace> = Rect(x: 0, y: 0, width: 0, height: 0),
            pan: PanMachine.Rules = PanMachine.Rules(), _ settings: GestureSettings = GestureSettings()
        ) {
            (self.edges, self.bounds, self.pan) = (edges, bounds, pan)
            region = settings.edgePan.region * settings.gesture.sloppiness
        }
    }

    /// The state of the pan at its edges.
    package enum State: Equatable, Sendable {
        case idle
        /// A finger landed by these edges.
        case entering(ScreenEdges)
        case inside
        case done
    }

    /// An event of the pan.
    package enum Input: Equatable, Sendable {
        /// A finger landed: the edges within the region, and the distance from the nearest allowed edge.
        case landed(ScreenEdges, distance: Double)
        /// The pan would begin: the travel away from an edge, and the travel along it.
        case crossed(inward: Double, along: Double)
        /// Any other verdict of the pan.
        case pan(Verdict)
        /// The recognizer's state was assigned from outside the machine.
        case assigned(RecognizerState)
    }

    package var kind: String { rules.edges == nil ? pan.kind : "edge pan" }
    package var rules = Rules() {
        didSet { pan.rules = rules.pan }
    }
    package private(set) var state = State.idle
    package private(set) var pan = PanMachine()

    package init() {}

    package func counts(_ finger: FingerID) -> Bool { pan.counts(finger) }

    package mutating func reset() {
        state = .idle
        pan.reset()
    }

    /// Makes the current translation equal to this one.
    package mutating func setTranslation(_ translation: Travel) { pan.setTranslation(translation) }

    // MARK: Measuring

    package mutating func handle(_ phase: SamplePhase, _ samples: [Sample], at now: Instant) -> Verdict {
        guard rules.edges != nil else { return pan.handle(phase, samples, at: now) }
        guard state != .done else { return .unchanged }
        guard phase == .began, state != .inside else { return weigh(pan.handle(phase, samples, at: now)) }
        var admitted: [Sample] = []
        var verdict = Verdict.unchanged
        for sample in samples {
            let (near, distance) = edges(at: sample.position)
            if case .idle = state { verdict = verdict.combined(with: step(.landed(near, distance: distance))) }
            // A finger beyond the maximum fails the pan wherever it lands.
            let isFull = pan.fingers.count + admitted.count >= rules.pan.maxFingers
            if case .entering(let edges) = state, isFull || !near.isDisjoint(with: edges) { admitted.append(sample) }
        }
        return admitted.isEmpty ? verdict : weigh(pan.handle(.began, admitted, at: now))
    }

    package mutating func forget(_ finger: FingerID) -> Verdict {
        let verdict = pan.forget(finger)
        return rules.edges == nil ? verdict : weigh(verdict)
    }

    /// A scroll of a pointing device starts at no edge.
    package mutating func scrolled(by delta: Travel, phase: SamplePhase, at time: Instant) -> Verdict {
        rules.edges == nil ? pan.scrolled(by: delta, phase: phase, at: time) : .unchanged
    }

    /// The allowed edges whose region has the point, and the distance from the nearest allowed edge.
    private func edges(at point: Point<WindowSpace>) -> (near: ScreenEdges, distance: Double) {
        var (near, nearest) = (ScreenEdges(), Double.infinity)
        for (edge, _) in ScreenEdges.each where rules.edges?.contains(edge) == true {
            let distance =
                switch edge {
                case .top: point.y - rules.bounds.y
                case .left: point.x - rules.bounds.x
                case .bottom: rules.bounds.y + rules.bounds.height - point.y
                default: rules.bounds.x + rules.bounds.width - point.x
                }
            if distance <= rules.region { near.insert(edge) }
            nearest = min(nearest, distance)
        }
        return (near, nearest)
    }

    /// Replaces the pan's `began` by the travel inwards from the edge that was crossed most directly.
    private mutating func weigh(_ verdict: Verdict) -> Verdict {
        guard case .began = verdict, case .entering(let edges) = state else { return step(.pan(verdict)) }
        let travel = pan.travel
        var best = (inward: -Double.infinity, along: 0.0)
        for (edge, _) in ScreenEdges.each where edges.contains(edge) {
            let way =
                switch edge {
                case .top: (inward: travel.dy, along: travel.dx.magnitude)
                case .left: (inward: travel.dx, along: travel.dy.magnitude)
                case .bottom: (inward: -travel.dy, along: travel.dx.magnitude)
                default: (inward: -travel.dx, along: travel.dy.magnitude)
                }
            if way.inward - way.along > best.inward - best.along { best = way }
        }
        return step(.crossed(inward: best.inward, along: best.along))
    }

    package mutating func assigned(_ state: RecognizerState) {
        pan.assigned(state)
        if rules.edges != nil { _ = step(.assigned(state)) }
    }

    // MARK: Deciding

    private mutating func step(_ input: Input) -> Verdict {
        let (next, verdict) = Self.transition(from: state, on: input, rules)
        state = next
        return verdict
    }

    /// The whole machine: every state, every input, no default.
    package static func transition(from state: State, on input: Input, _ rules: Rules) -> (State, Verdict) {
        switch (state, input) {
        case (.idle, .landed(let near, let distance)):
            guard !near.isEmpty else { return (.done, .failed(.landedInside(distance, limit: rules.region))) }
            return (.entering(near), .undecided(wakeAt: .never))
        case (.entering, .crossed(let inward, let along)):
            guard inward > 0, inward >= along else {
                return (.done, .failed(.ranAlongEdge(inward: inward, along: along)))
            }
            return (.inside, .began)
        case (.entering, .pan(let verdict)), (.inside, .pan(let verdict)):
            switch verdict {
            case .unchanged, .undecided, .began, .changed: return (state, verdict)
            case .ended, .cancelled, .failed: return (.done, verdict)
            }
        // An app's subclass may begin or end the gesture at any time. If it begins it, the pan counts as inside.
        case (.idle, .assigned(let stage)), (.entering, .assigned(let stage)), (.inside, .assigned(let stage)):
            switch stage {
            case .possible: return (state, .unchanged)
            case .began, .changed: return (.inside, .unchanged)
            case .ended, .cancelled, .failed: return (.done, .unchanged)
            }
        // An extra finger, or an input without a meaning in this state.
        case (.entering, .landed), (.inside, .landed), (.inside, .crossed), (.idle, .crossed), (.idle, .pan):
            return (state, .unchanged)
        // The machine is done until its reset. The fingers may still be down.
        case (.done, _): return (state, .unchanged)
        }
    }
}
