// Explain.swift: the outcome of each interaction, as a fold over the processes' facts.
//
//    facts of all processes, by time ─▶ add … ─▶ interactions, each with one root cause
//
//      input-kit        contact 1 down ─▶ a new interaction
//      system-server    contact 1 → app:1: touch 7 ─▶ it is touch 7 of app1 from here on
//      app1             touch 7 → UIButton …, heard by tap …, tap failed: …, touchUpInside → add
//
// Input     receipts (`touchline input --receipt`): pages of a running group's facts; tests: a world's
// Output    Interaction, Explanation+Text.swift
// Knows     facts, by their templates (FactTemplate.swift). No core, no frame.
//
// Each fact about a recognizer has its identity, a number, because several recognizers may have one name.
//
// Sources   invented, after law I8

public import Basics
public import Trace

/// Folds facts into interactions.
public struct Explain: Sendable {
    /// In the order of their beginning.
    public internal(set) var interactions = Interactions()
    /// More than a receipt contains; further ones are only counted.
    public static let limit = 4096
    public private(set) var omittedCount = 0

    /// The current sender of actions in an app.
    private struct Context {
        let process: String
        /// The recognizer that acts.
        var actor: Actor?
        /// The view that received the last event.
        var speaker: Speaker?
    }
    private var contexts: [Context] = []

    /// A recognizer as a fact names it.
    struct Actor {
        var name: String
        var identity: Int64
    }

    /// A view or another responder as a fact names it.
    struct Speaker {
        var name: String
        /// The touches that it received; empty for other events, and for more touches than a fact has room for.
        var touches: [Int64] = []
    }

    /// The interactions that the current fact's action belongs to.
    var actors: [Int] = []

    /// The last reason of the server for cancelling touches, with its time.
    private var latestReason: (cancellation: Cancellation, at: Instant)?

    public init() {}

    /// Whether no further facts can change any interaction.
    public func isSettled(at now: Instant) -> Bool { interactions.allSatisfy { $0.isSettled(at: now) } }

    /// Adds a fact. Facts come in order of time; at one time input-kit's come first, then the server's.
    public mutating func add(_ fact: ResolvedFact) {
        interactions.beginFact()
        guard !fact.isProbe, let word = FactTemplate(rawValue: fact.template) else { return }
        defer { addStep(word, fact) }
        switch fact.process {
        case "input-kit": handleDeviceFact(word, fact)
        case "system-server": handleServerFact(word, fact)
        default: if fact.process.hasPrefix("app") { handleAppFact(word, fact) }
        }
    }

    /// Notes that a process does not answer: input on its way to it was not received.
    public mutating func noteSilence(of process: String) {
        for index in interactions.indices where interactions[index].process == process {
            guard !interactions[index].isOverInApp else { continue }
            interactions[index].obstacles.append(.unresponsive(app: process))
        }
    }

    /// Notes that nothing of a process can be read: it ran on another machine.
    public mutating func noteAbsence(of process: String) {
        for index in interactions.indices where interactions[index].process == process {
            interactions[index].obstacles.append(.elsewhere(app: process))
        }
    }

    // MARK: input-kit

    private mutating func handleDeviceFact(_ word: FactTemplate, _ fact: ResolvedFact) {
        switch word {
        case .contactDown: open(Interaction(.finger(contact: fact.number(at: 0), touch: nil), at: fact.at))
        case .contactUp, .contactCancelled:
            guard let index = lastFinger(fact.number(at: 0), where: { $0.ended == nil }) else { return }
            interactions[index].ended = fact.at
            if word == .contactCancelled {
                interactions[index].cancelledBy = .other("its device cancelled the contact")
            }
        case .deviceInput where fact.station == .device: handleDeviceInput(fact)
        case .serverLost:
            for index in interactions.indices where interactions[index].ended == nil {
                interactions[index].ended = fact.at
                interactions[index].obstacles.append(.dropped("it ended"))
            }
        default: return
        }
    }

    /// Handles `key hidden began`, `remote play`.
    private mutating func handleDeviceInput(_ fact: ResolvedFact) {
        let words = fact.word(at: 0).split(separator: " ")
        guard let phase = words.last else { return }
        let isRemote = words.first == "remote"
        let subject = isRemote ? "remote" : words.dropLast().joined(separator: " ")
        switch isRemote ? "once" : phase {
        case "began", "once":
            open(Interaction(.input(subject), at: fact.at))
            if isRemote || phase == "once" { end(subject, fact.at) }
        case "ended", "cancelled": end(subject, fact.at)
        default: return
        }
    }

    private mutating func end(_ subject: String, _ moment: Instant) {
        guard let index = lastInput(where: { $0.subject == .input(subject) && $0.ended == nil }) else { return }
        interactions[index].ended = moment
    }

    private mutating func open(_ interaction: Interaction) {
        guard interactions.count < Self.limit else {
            omittedCount += 1
            return
        }
        interactions.append(interaction)
    }

    // MARK: system-server

    private mutating func handleServerFact(_ word: FactTemplate, _ fact: ResolvedFact) {
        switch word {
        case .routed:
            let contact = fact.number(at: 0)
            let known = lastFinger(contact) { $0.recipient == nil && $0.obstacles.isEmpty }
            if known == nil { open(Interaction(.finger(contact: contact, touch: nil), at: fact.at)) }
            guard let index = known ?? lastFinger(contact, where: { $0.recipient == nil }) else { return }
            interactions[index].subject = .finger(contact: contact, touch: fact.number(at: 2))
            interactions[index].recipient = fact.word(at: 1)
        case .landedOnNothing, .emptyDisplay:
            guard let index = lastFinger(fact.number(at: 0), where: { $0.recipient == nil }) else { return }
            interactions[index].obstacles.append(.landedOnNothing)
        case .pair where fact.station == .router:
            guard
                let index = lastInput(where: { $0.subject == .input(fact.word(at: 0)) && $0.recipient == nil })
            else { return }
            interactions[index].recipient = fact.word(at: 1)
        case .dropped: drop(fact.word(at: 0))
        case .pilfered, .takenByMonitor:
            let index = interactions.lastIndex {
                if case .finger(_, fact.number(at: 0)) = $0.subject { true } else { false }
            }
            guard let index else { return }
            interactions[index].cancelledBy =
                word == .takenByMonitor ? .touchMonitor(fact.number(at: 1)) : .systemGesture(fact.word(at: 1))
        case .overLimit: drop("\(fact.number(at: 1)) scans in flight, limit \(fact.number(at: 2))")
        case .heldForFrame:
            let process = "app\(fact.number(at: 0))"
            for index in interactions.indices
            where interactions[index].process == process && interactions[index].isFinger
                && !interactions[index].isOverInApp
            {
                interactions[index].hold(.nanoseconds(fact.number(at: 2)))
            }
        case .appGone:
            let process = "app\(fact.number(at: 0))"
            for index in interactions.indices
            where interactions[index].process == process && !interactions[index].isOverInApp {
                interactions[index].obstacles.append(.appGone(app: process))
            }
        case .inputKitGone: latestReason = (.other("input-kit ended"), fact.at)
        case .hungUp: latestReason = (.other("\(fact.word(at: 0)) was disconnected"), fact.at)
        case .act: latestReason = (Cancellation(act: fact.word(at: 0)), fact.at)
        case .systemGesture: latestReason = (.systemGesture(fact.word(at: 0)), fact.at)
        case .leaseExpired: latestReason = (.other("system-server was suspended for too long"), fact.at)
        case .homeTouch:
            guard
                let index = interactions.lastIndex(where: {
                    if case .finger(_, fact.number(at: 2)) = $0.subject { $0.process == nil } else { false }
                })
            else { return }
            interactions[index].noteReceiver("\(fact.word(at: 0)) \(fact.word(at: 1))")
        default: return
        }
    }

    /// Notes a dropped input. The server does not name the finger: it is the last one without other facts.
    private mutating func drop(_ why: String) {
        guard let index = interactions.lastIndex(where: { $0.recipient == nil && $0.obstacles.isEmpty }) else { return }
        interactions[index].obstacles.append(.dropped(why))
    }

    // MARK: Apps

    private mutating func handleAppFact(_ word: FactTemplate, _ fact: ResolvedFact) {
        let context = context(of: fact.process)
        switch fact.station {
        case .inbox, .source0, .queue, .event, .hitTest:
            (contexts[context].actor, contexts[context].speaker) = (nil, nil)
        case .responder: contexts[context].actor = nil
        default: break
        }
        switch word {
        case .missingFrames: refuse(fact, "\(fact.number(at: 0)) frames to it are missing")
        case .late: refuse(fact, "it had no run-loop turn for too long")
        case .full: refuse(fact, "its inbox is full")
        case .cancelledTouches:
            for index in open(in: fact.process) { interactions[index].cancelledBy = .other(fact.word(at: 0)) }
        case .touchBegan, .touchMoved, .touchEnded, .touchCancelled, .interactionIgnored, .exclusive, .neverBegan,
            .neverBeganEnded, .neverBeganCancelled, .hit, .hitNothing, .passed, .discarded, .stoppedScroll,
            .onlyOneFinger, .receivedByRecognizer:
            handleTouchFact(word, fact)
        case .press, .pointer, .shake, .remote: handleEventFact(word, fact)
        case .pointerHit where fact.station == .hitTest:
            guard
                let index = lastInput(where: {
                    $0.process == fact.process && $0.subject == .input(fact.word(at: 0)) && !$0.isOverInApp
                })
            else { return }
            interactions[index].hit.view = fact.word(at: 1)
        case .undecided, .undecidedUntil, .began, .changed, .ended, .cancelled, .failed, .required, .excluded, .waits,
            .acts, .reset, .assigned, .gaveUp, .released, .discardedAll:
            handleGestureFact(word, fact, context)
        case .receivedBegan, .receivedMoved, .receivedEnded, .receivedCancelled:
            let touches = (1...3).map(fact.number).filter { $0 > 0 }.map { $0 - 1 }
            let speaker = Speaker(name: fact.word(at: 0), touches: touches)
            contexts[context].speaker = speaker
            let method = fact.template.split(separator: " ").last ?? ""
            for index in owners(in: fact.process, of: speaker) {
                interactions[index].noteReceiver("\(fact.word(at: 0)) \(method)")
            }
        case .receivedEvent where fact.station == .responder:
            contexts[context].speaker = Speaker(name: fact.word(at: 0))
            guard let index = lastInput(where: { $0.process == fact.process }) else { return }
            interactions[index].noteReceiver("\(fact.word(at: 0)) \(fact.word(at: 1))")
        case .action: act(fact.process, context, trigger: nil, target: fact.word(at: 0))
        case .pair where fact.station == .action:
            act(fact.process, context, trigger: fact.word(at: 0), target: fact.word(at: 1))
        case .selected:
            let row = "row \(fact.number(at: 1)) of section \(fact.number(at: 2))"
            act(fact.process, context, trigger: nil, target: row, selectionIn: fact.word(at: 0))
        case .disabled:
            let index = interactions.lastIndex {
                $0.process == fact.process && $0.reachedApp && !$0.isOverInApp
            }
            guard let index else { return }
            interactions[index].obstacles.append(.disabled(fact.word(at: 0)))
        default: return
        }
    }

    mutating func context(of process: String) -> Int {
        if let index = contexts.firstIndex(where: { $0.process == process }) { return index }
        contexts.append(Context(process: process))
        return contexts.count - 1
    }

    /// Notes that the app refused the input that was on its way.
    private mutating func refuse(_ fact: ResolvedFact, _ why: String) {
        for index in open(in: fact.process) {
            if interactions[index].reachedApp {
                interactions[index].cancelledBy = .other(why)
            } else {
                interactions[index].obstacles.append(.appRefused(app: fact.process, why))
            }
        }
    }

    private mutating func handleTouchFact(_ word: FactTemplate, _ fact: ResolvedFact) {
        let touch = fact.number(at: 0)
        guard let index = finger(of: touch, in: fact.process) else { return }
        switch word {
        case .touchBegan:
            interactions[index].reachedApp = true
            // The position of a touch on secret content is hidden.
            guard !Fact.isHidden(fact.number(at: 1)), !Fact.isHidden(fact.number(at: 2)) else { return }
            interactions[index].hit.position = Interaction.Hit.Position(
                x: points(fact.number(at: 1)), y: points(fact.number(at: 2)))
        case .touchEnded: interactions[index].isOverInApp = true
        case .touchCancelled:
            interactions[index].isOverInApp = true
            if interactions[index].cancelledBy == nil {
                let reason = latestReason.flatMap { $0.at >= interactions[index].began ? $0.cancellation : nil }
                interactions[index].cancelledBy = reason ?? .other("system-server cancelled it")
            }
        case .interactionIgnored:
            interactions[index].isOverInApp = true
            interactions[index].obstacles.append(.ignored("interaction events are ignored"))
        case .exclusive:
            interactions[index].isOverInApp = true
            interactions[index].obstacles.append(
                .ignored("\(fact.word(at: 1)) is touched, and one of the two is exclusive"))
        case .neverBegan, .neverBeganEnded, .neverBeganCancelled:
            guard !interactions[index].reachedApp else { return }
            interactions[index].isOverInApp = word != .neverBegan
            interactions[index].obstacles.append(.appRefused(app: fact.process, "it never received its landing"))
        case .hit: (interactions[index].hit.view, interactions[index].hit.window) = (fact.word(at: 1), fact.word(at: 3))
        case .hitNothing:
            interactions[index].isOverInApp = true
            interactions[index].obstacles.append(.noView(asked: fact.number(at: 1)))
        case .passed: interactions[index].hit.passedOverView = fact.word(at: 1)
        case .discarded:
            discard(index, fact, because: "touchesShouldBegin of \(fact.word(at: 1)) returned false")
        case .stoppedScroll: discard(index, fact, because: "it stopped \(fact.word(at: 1)) as it scrolled")
        case .onlyOneFinger: discard(index, fact, because: "\(fact.word(at: 1)) accepts one touch, and has another")
        case .receivedByRecognizer:
            let heard = Actor(name: fact.word(at: 1), identity: fact.number(at: 3))
            guard interactions[index].recognizerIndex(of: heard.identity, named: heard.name) == nil else { return }
            interactions[index].add(heard.name, identity: heard.identity)
        default: return
        }
    }

    /// Notes that a content touch delay keeps this touch from its view for good. It may release other touches that it
    /// holds.
    private mutating func discard(_ index: Int, _ fact: ResolvedFact, because why: String) {
        interactions[index].obstacles.append(.ignored(why))
        guard let place = interactions[index].recognizerIndex(of: fact.number(at: 3), named: "") else { return }
        interactions[index].recognizers[place].verdict = .held(
            .nanoseconds(fact.number(at: 2)), isDiscarded: true, because: why)
    }

    /// Handles a press, a shake, a remote command or a pointer: an app has one of a kind at a time.
    private mutating func handleEventFact(_ word: FactTemplate, _ fact: ResolvedFact) {
        let subject = word == .pointer ? fact.word(at: 0) : nil
        func fits(_ interaction: Interaction) -> Bool {
            guard interaction.process == fact.process, !interaction.isOverInApp,
                case .input(let own) = interaction.subject
            else { return false }
            switch word {
            case .press: return own.hasPrefix("key")
            case .shake: return own == "shake"
            case .remote: return own == "remote"
            default: return own == subject
            }
        }
        // Keys that are down together may end in any order: the first end belongs to the first key.
        let phase = word == .press || word == .pointer ? fact.word(at: 1) : fact.word(at: 0)
        let isEnd = word == .remote || ["ended", "cancelled", "once"].contains(phase)
        let found = isEnd ? interactions.firstIndex(where: fits) : interactions.lastIndex(where: fits)
        guard let index = found else { return }
        interactions[index].reachedApp = true
        if isEnd { interactions[index].isOverInApp = true }
    }

    private mutating func handleGestureFact(_ word: FactTemplate, _ fact: ResolvedFact, _ context: Int) {
        var actor = Actor(name: fact.word(at: 0), identity: fact.number(at: 3))
        switch word {
        case .undecided, .undecidedUntil, .began, .changed, .ended, .cancelled, .failed, .assigned:
            actor.name += " on \(fact.word(at: 1))"
        default: break
        }
        if word == .acts { contexts[context].actor = actor }
        for (index, place) in entries(in: fact.process, of: actor) {
            var other: String { interactions[index].name(of: fact.number(at: 2), otherwise: fact.word(at: 1)) }
            func change(_ verdict: Interaction.Verdict) { interactions[index].recognizers[place].verdict = verdict }
            switch word {
            case .undecided: change(.undecided(until: nil))
            case .undecidedUntil: change(.undecided(until: Instant(nanoseconds: fact.number(at: 2))))
            case .began, .changed, .ended: change(.recognized)
            case .cancelled: change(.cancelled)
            case .failed: change(.failed(fact.word(at: 2)))
            case .required: change(.failed("it requires \(other) to fail, which was recognized"))
            case .excluded: change(.failed("excluded by \(other)"))
            case .waits: change(.waiting(for: other))
            case .assigned:
                switch fact.word(at: 2) {
                case "failed": change(.failed("its own code set its state to failed"))
                case "cancelled": change(.cancelled)
                default: change(.recognized)
                }
            case .gaveUp: change(.failed("it was disabled or removed"))
            case .released, .discardedAll:
                // The verdict about this touch alone stays.
                if case .held = interactions[index].recognizers[place].verdict { continue }
                let time = Duration.nanoseconds(fact.number(at: 1))
                change(.held(time, isDiscarded: word == .discardedAll, because: fact.word(at: 2)))
            case .acts:
                let state = fact.word(at: 1)
                change(state == "cancelled" ? .cancelled : .recognized)
                if !interactions[index].recognizers[place].acted.contains(state) {
                    interactions[index].recognizers[place].acted.append(state)
                }
            case .reset:
                if case .undecided(nil) = interactions[index].recognizers[place].verdict {
                    change(.failed("its touches ended before it had decided"))
                }
                interactions[index].recognizers[place].isOver = true
            default: return
            }
        }
    }

    /// The entries of a recognizer that has received touches since its last reset.
    mutating func entries(in process: String, of actor: Actor) -> [(index: Int, place: Int)] {
        var found: [(index: Int, place: Int)] = []
        for index in interactions.indices where interactions[index].process == process {
            guard let place = interactions[index].recognizerIndex(of: actor.identity, named: actor.name) else {
                continue
            }
            found.append((index, place))
        }
        guard found.isEmpty, let index = lastInput(where: { $0.process == process && !$0.isOverInApp }) else {
            return found
        }
        // No fact names the receivers of presses and pointers except their own.
        interactions[index].add(actor.name, identity: actor.identity)
        return [(index, interactions[index].recognizers.count - 1)]
    }

    /// - Parameter table: The table that selected a row.
    private mutating func act(
        _ process: String, _ context: Int, trigger: String?, target: String, selectionIn table: String? = nil
    ) {
        let (actor, speaker) = (contexts[context].actor, contexts[context].speaker)
        var owners: [Int] = []
        if let actor { owners = entries(in: process, of: actor).map(\.index) }
        if owners.isEmpty, let speaker { owners = self.owners(in: process, of: speaker) }
        // The touches may be older than the receipt: then the action belongs to no known interaction.
        if owners.isEmpty, speaker?.touches.isEmpty != false {
            owners = interactions.lastIndex { $0.process == process }.map { [$0] } ?? []
        }
        let source = trigger.map { trigger in speaker.map { "\(trigger) of \($0.name)" } ?? trigger }
        for index in owners {
            let own = actor.map { interactions[index].name(of: $0.identity, otherwise: $0.name) }
            let trigger = table ?? own ?? source ?? speaker?.name ?? process
            let action = Interaction.Action(trigger: trigger, target: target, isSelection: table != nil)
            interactions[index].actions.append(action)
            actors.append(index)
        }
    }

    // MARK: Finding

    func open(in process: String) -> [Int] {
        interactions.indices.filter { interactions[$0].process == process && !interactions[$0].isOverInApp }
    }

    /// The interactions of the touches that a view received. Without touches: all unfinished ones of the view, or else
    /// its last one, because its end arrives last.
    func owners(in process: String, of speaker: Speaker) -> [Int] {
        guard speaker.touches.isEmpty else { return speaker.touches.compactMap { finger(of: $0, in: process) } }
        let own = interactions.indices.filter {
            interactions[$0].process == process
                && (interactions[$0].hit.view == speaker.name || interactions[$0].isInput)
        }
        let lasting = own.filter { !interactions[$0].isOverInApp }
        return lasting.isEmpty ? Array(own.suffix(1)) : lasting
    }

    func finger(of touch: Int64, in process: String) -> Int? {
        interactions.lastIndex {
            if case .finger(_, touch) = $0.subject { $0.process == process } else { false }
        }
    }

    func lastFinger(_ contact: Int64, where fits: (Interaction) -> Bool) -> Int? {
        interactions.lastIndex {
            guard case .finger(contact, _) = $0.subject else { return false }
            return fits($0)
        }
    }

    func lastInput(where fits: (Interaction) -> Bool) -> Int? {
        interactions.lastIndex { $0.isInput && fits($0) }
    }

    func points(_ bits: Int64) -> Double { Double(bitPattern: UInt64(bitPattern: bits)) }
}

extension Interaction {
    /// The index of the recognizer with this identity, unless it has been reset since. Facts without identities refer
    /// to the recognizer with this name.
    fileprivate func recognizerIndex(of identity: Int64, named name: String) -> Int? {
        recognizers.lastIndex { !$0.isOver && (identity == 0 ? $0.name == name : $0.identity == identity) }
    }

    fileprivate var isInput: Bool { if case .input = subject { true } else { false } }

    fileprivate mutating func noteReceiver(_ line: String) {
        if !receivers.contains(line) { receivers.append(line) }
    }
}
