// Interaction.swift: one finger from its landing to its lift, or one key from down to up, and all that came of it.
//
// Fed by    Explain
// Feeds     receipts: text, JSON
// Sources   invented

public import Basics

public struct Interaction: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        /// By the number its device gives it, and, once the server has routed it, the touch it is.
        case finger(contact: Int64, touch: Int64?)
        /// `key hidden`, `shake`, `scroll`.
        case input(String)
    }

    /// What a recogniser said at its end, or of its state.
    public enum Verdict: Hashable, Sendable {
        /// Says nothing until then; nil where time alone decides nothing.
        case undecided(until: Instant?)
        /// It would be, and waits for another to fail.
        case waiting(for: String)
        /// With the measure and the limit, or whom it lost to.
        case failed(String)
        case recognised
        case cancelled
        /// The recognizer only held the touch back, and then released it to its view or discarded it.
        case held(Duration, isDiscarded: Bool, because: String)
    }

    public struct Recognizer: Hashable, Sendable {
        /// `tap on UIView "R"`; with a number behind it where another of this interaction is called the same.
        public var name: String
        /// A number that no other recognizer of its app has; 0 where facts say none.
        public var identity: Int64
        public var verdict = Verdict.undecided(until: nil)
        /// The states it acted in: `began`, `changed`, `ended`, `cancelled`; each once, in order.
        public var acted: [String] = []
        /// It has been reset: what it does next is of other fingers.
        var isOver = false
    }

    /// Something of the app's own was called.
    public struct Action: Hashable, Sendable {
        /// The control's event, or the recogniser.
        public var trigger: String
        /// `Counter.add`.
        public var target: String
    }

    /// Where it came down in its app, as the app's hit test found it.
    public struct Hit: Hashable, Sendable {
        /// In points.
        public struct Place: Hashable, Sendable { public var x, y: Double }

        /// In its window's coordinates.
        public var place: Place?
        public var window: String?
        public var view: String?
        /// A view that was passed over, as no touch begins on it.
        var passed: String?
    }

    /// How its moves waited for the frames of the server's display.
    public struct Hold: Hashable, Sendable {
        public var frames: Int
        /// Of the first to wait for a frame.
        public var longest: Duration
    }

    public var subject: Subject
    public var began: Instant
    /// Its lift, its end, or its cancel, as its device has it; nil while it lasts.
    public var ended: Instant?
    /// `app:1`, `home`, `overlay`; nil while nobody has it, or when nobody ever does.
    public var recipient: String?
    public var hit = Hit()
    /// In the order they were given the touch: the view's own first, outwards.
    public var recognizers: [Recognizer] = []
    /// `UIButton "plus" touchesBegan`, each once.
    public var told: [String] = []
    public var actions: [Action] = []
    /// Nil where no display kept it waiting.
    public var held: Hold?

    /// Of the ways to nothing those that were taken, in order; the first is the cause when nothing acted.
    var obstacles: [RootCause] = []
    /// Its app knows of it.
    var reachedApp = false
    /// Its app knows of its end.
    var isOverInApp = false
    /// What took it from its app; nil for one that its app had to its end.
    public internal(set) var cancelledBy: Cancellation?

    init(_ subject: Subject, at moment: Instant) { (self.subject, began) = (subject, moment) }

    /// Of its app, as processes are called: `app1`.
    public var process: String? {
        guard let recipient, recipient.hasPrefix("app:") else { return nil }
        return "app" + recipient.dropFirst("app:".count)
    }
}

extension Interaction {
    /// Why it did what it did, or why nothing: exactly one (law I8).
    public var cause: RootCause {
        if let action = actions.last, !recognizers.contains(where: { !$0.acted.isEmpty }) {
            return .action(trigger: action.trigger, target: action.target)
        }
        if let winner = recognizers.first(where: { !$0.acted.isEmpty }) {
            let own = actions.filter { $0.trigger == winner.name }.map(\.target)
            let once = own.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            return .recognized(winner.name, in: winner.acted.last ?? "", actions: once)
        }
        if let action = actions.last { return .action(trigger: action.trigger, target: action.target) }
        if let obstacle = obstacles.first {
            if case .noView = obstacle, let passed = hit.passed { return .passedOver(passed, hit: nil) }
            return obstacle
        }
        guard let recipient else { return .unrouted }
        guard let process else { return .taken(by: recipient) }
        guard reachedApp else { return .unheard(app: process) }
        if let cancelledBy { return .cancelled(by: cancelledBy) }
        if let passed = hit.passed { return .passedOver(passed, hit: hit.view) }
        if let undecided = recognizers.first(where: \.isPending) {
            return .undecided(undecided.name, undecided.verdict)
        }
        for recognizer in recognizers {
            if case .failed(let why) = recognizer.verdict { return .failed(recognizer.name, why) }
        }
        // Who was told, without what: `UIWindow "window" pressesBegan`.
        let hearer = told.first.map { $0.split(separator: " ").dropLast().joined(separator: " ") }
        return .unclaimed(view: hit.view ?? hearer)
    }

    /// Whether more may come of it.
    ///
    /// - Parameter now: For recognisers that time alone decides.
    public func isSettled(at now: Instant) -> Bool {
        if !obstacles.isEmpty { return true }
        guard ended != nil else { return false }
        guard recipient != nil else { return false }
        guard process != nil else { return true }
        return reachedApp && isOverInApp && !recognizers.contains { $0.isPending(at: now) }
    }
}

extension Interaction {
    /// A recognizer that hears of it. Another of the same name gets a number behind its own, from 2 on.
    mutating func add(_ name: String, identity: Int64) {
        let namesakes = recognizers.count { $0.name == name || $0.name.hasPrefix("\(name) (") }
        let unique = namesakes == 0 ? name : "\(name) (\(namesakes + 1))"
        recognizers.append(Recognizer(unique, identity: identity))
    }

    /// How this interaction calls the recognizer of that identity; `name` for one that did not hear of it.
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

    /// Whether its last word is that it cannot tell yet, and time or another will.
    var isPending: Bool {
        guard !isOver, acted.isEmpty else { return false }
        switch verdict {
        case .undecided(let until): return until != nil
        case .waiting: return true
        case .failed, .recognised, .cancelled, .held: return false
        }
    }

    func isPending(at now: Instant) -> Bool {
        guard isPending else { return false }
        // Its timer is served a little later than it is due.
        if case .undecided(let until?) = verdict { return now < until.advanced(by: .milliseconds(100)) }
        return true
    }
}
