// Interaction.swift: one finger from touch-down to lift, or one key from down to up, with all its effects.
//
// Input     Explain
// Output    receipts: text, JSON
// Sources   invented

public import Basics

/// One interaction with its effects.
public struct Interaction: Hashable, Sendable {
    /// The input of an interaction.
    public enum Subject: Hashable, Sendable {
        /// A finger by its device's contact number, and by its touch once the server has routed it.
        case finger(contact: Int64, touch: Int64?)
        /// `key hidden`, `shake`, `scroll`.
        case input(String)
    }

    /// The state or the result of a recognizer.
    public enum Verdict: Hashable, Sendable {
        /// Undecided until this time; nil if time alone decides nothing.
        case undecided(until: Instant?)
        /// Recognized as soon as another recognizer fails.
        case waiting(for: String)
        /// With the measure and the limit, or the name of the winner.
        case failed(String)
        case recognized
        case cancelled
        /// The recognizer only held the touch back, and then released it to its view or discarded it.
        case held(Duration, isDiscarded: Bool, because: String)
    }

    /// A recognizer that received the interaction.
    public struct Recognizer: Hashable, Sendable {
        /// `tap on UIView "R"`; with a number after it if another recognizer of this interaction has the same name.
        public var name: String
        /// The identity of the recognizer, unique in its app; 0 for facts without one.
        public var identity: Int64
        public var verdict = Verdict.undecided(until: nil)
        /// The states in which it acted: `began`, `changed`, `ended`, `cancelled`; each once, in order.
        public var acted: [String] = []
        /// Whether it has been reset: its later facts belong to other touches.
        var isOver = false
    }

    /// A call of the app's own code.
    public struct Action: Hashable, Sendable {
        /// The control's event, or the recognizer.
        public var trigger: String
        /// `Counter.add`, or the row of a table.
        public var target: String
        /// Whether a table selected a row.
        public var isSelection = false
    }

    /// The result of the app's hit test at touch-down.
    public struct Hit: Hashable, Sendable {
        /// A position in points.
        public struct Position: Hashable, Sendable { public var x, y: Double }

        /// In the coordinates of its window.
        public var position: Position?
        public var window: String?
        public var view: String?
        /// A view that hit testing passed over, because touches cannot begin on it.
        var passedOverView: String?
    }

    /// Something that did not receive the interaction.
    public struct Refusal: Hashable, Sendable {
        public enum Kind: Sendable { case scene, view, recognizer }

        public var kind: Kind
        /// `app:2`, `UIView "cover"`, `tap on UIView "card"`.
        public var name: String
        /// In English, with measure and limit.
        public var reason: String

        /// Whether a person sees the view although it was passed over.
        var isOfVisibleView: Bool { kind == .view && reason != "it is hidden" && !reason.hasPrefix("alpha ") }
    }

    /// The wait of its moves for frames of the server's display.
    public struct Hold: Hashable, Sendable {
        public var frames: Int
        /// The longest wait of the first move for a frame.
        public var longest: Duration
    }

    public var subject: Subject
    public var began: Instant
    /// The time of its lift, end or cancellation on its device; nil while it lasts.
    public var ended: Instant?
    /// `app:1`, `home`, `overlay`; nil without a recipient.
    public var recipient: String?
    public var hit = Hit()
    /// In the order in which they received the touch: the view's own first, outward.
    public var recognizers: [Recognizer] = []
    /// `UIButton "plus" touchesBegan`, each once.
    public var receivers: [String] = []
    public var actions: [Action] = []
    /// Nil if no display delayed it.
    public var held: Hold?

    /// What happened to it, in order.
    public internal(set) var steps: [Step] = []
    /// The views and scenes at its position that were passed over, and the recognizers that did not receive it, each
    /// with the reason.
    public internal(set) var refusals: [Refusal] = []
    /// The names of the responders behind the one that received it, innermost first.
    public internal(set) var chain: [String] = []

    /// The obstacles in their order; the first is the cause if nothing acted.
    var obstacles: [RootCause] = []
    /// The number of events in which its app received it, and of scans that were merged into them.
    var events: Int64 = 0
    var mergedScans: Int64 = 0
    /// The greatest distance from its beginning, in points.
    var farthest = 0.0
    /// Whether its app has received it.
    var reachedApp = false
    /// Whether its app has received its end.
    var isOverInApp = false
    /// The reason for its cancellation; nil if its app received it to its end.
    public internal(set) var cancelledBy: Cancellation?

    init(_ subject: Subject, at moment: Instant) { (self.subject, began) = (subject, moment) }

    /// The process name of its app: `app1`.
    public var process: String? {
        guard let recipient, recipient.hasPrefix("app:") else { return nil }
        return "app" + recipient.dropFirst("app:".count)
    }
}

extension Interaction {
    /// The single cause of the outcome (law I8).
    public var cause: RootCause {
        if let action = actions.last, !recognizers.contains(where: { !$0.acted.isEmpty }) { return action.cause }
        if let winner = recognizers.first(where: { !$0.acted.isEmpty }) {
            let own = actions.filter { $0.trigger == winner.name }.map(\.target)
            let once = own.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            return .recognized(winner.name, in: winner.acted.last ?? "", actions: once)
        }
        if let action = actions.last { return action.cause }
        if let obstacle = obstacles.first {
            guard case .noView = obstacle else { return obstacle }
            if let passed = hit.passedOverView { return .passedOver(passed, hit: nil) }
            return front.map { .behind(nil, front: $0.name, $0.reason) } ?? obstacle
        }
        guard let recipient else { return .unrouted }
        guard let process else { return .taken(by: recipient) }
        guard reachedApp else { return .notReceived(app: process) }
        if let cancelledBy { return .cancelled(by: cancelledBy) }
        if let passed = hit.passedOverView { return .passedOver(passed, hit: hit.view) }
        if let undecided = recognizers.first(where: \.isPending) {
            return .undecided(undecided.name, undecided.verdict)
        }
        for recognizer in recognizers {
            if case .failed(let why) = recognizer.verdict { return .failed(recognizer.name, why) }
        }
        // The receiver without the method: `UIWindow "window" pressesBegan`.
        let hearer = receivers.first.map { $0.split(separator: " ").dropLast().joined(separator: " ") }
        if let front { return .behind(hit.view, front: front.name, front.reason) }
        return .unclaimed(view: hit.view ?? hearer)
    }

    /// The view in front of the hit view that a person may have meant: a visible one before others.
    private var front: Refusal? {
        refusals.first(where: \.isOfVisibleView) ?? refusals.first { $0.kind == .view }
    }

    /// Whether no further facts can change it.
    ///
    /// - Parameter now: The time for recognizers that only time decides.
    public func isSettled(at now: Instant) -> Bool {
        if !obstacles.isEmpty { return true }
        guard ended != nil else { return false }
        guard recipient != nil else { return false }
        guard process != nil else { return true }
        return reachedApp && isOverInApp && !recognizers.contains { $0.isPending(at: now) }
    }
}

extension Interaction.Action {
    fileprivate var cause: RootCause {
        isSelection ? .selected(target, in: trigger) : .action(trigger: trigger, target: target)
    }
}

extension Interaction {
    /// Adds a recognizer that receives it. Recognizers with equal names get a number from 2 on.
    mutating func add(_ name: String, identity: Int64) {
        let namesakes = recognizers.count { $0.name == name || $0.name.hasPrefix("\(name) (") }
        let unique = namesakes == 0 ? name : "\(name) (\(namesakes + 1))"
        recognizers.append(Recognizer(unique, identity: identity))
    }

    /// The unique name of the recognizer with that identity; `name` for a recognizer that did not receive it.
    func name(of identity: Int64, otherwise name: String) -> String {
        recognizers.last { identity != 0 && $0.identity == identity }?.name ?? name
    }

    var isFinger: Bool { if case .finger = subject { true } else { false } }

    mutating func hold(_ time: Duration) {
        held = Hold(frames: (held?.frames ?? 0) + 1, longest: max(held?.longest ?? .zero, time))
    }
}

extension Interaction.Recognizer {
    init(_ name: String, identity: Int64) { (self.name, self.identity) = (name, identity) }

    /// Whether it is undecided, and time or another recognizer will decide.
    var isPending: Bool {
        guard !isOver, acted.isEmpty else { return false }
        switch verdict {
        case .undecided(let until): return until != nil
        case .waiting: return true
        case .failed, .recognized, .cancelled, .held: return false
        }
    }

    func isPending(at now: Instant) -> Bool {
        guard isPending else { return false }
        // Its timer fires a little later than it is due.
        if case .undecided(let until?) = verdict { return now < until.advanced(by: .milliseconds(100)) }
        return true
    }
}

extension Interaction.Refusal {
    /// The reason in a language.
    public func text(in language: Language) -> String { Reason.text(of: reason, in: language) }
}
