// ServerLink.swift: the link to the system server: who is there, and how much it can take.
//
//     down ──connected──▶ greeting ──its hello──▶ open ──lost──▶ down
//                            └──no answer: hello again──┘
//
// The greeting is repeated because the server's host refuses strangers, and until the supervisor's roster has
// reached it everybody is one; and because links may lose it. A hello that answers no greeting of ours is of before.
//
// Station   process
// Fed by    InputKitCore
// Knows     numbers of the link. No finger, no play.

import Basics
import HID
import Hosting
import Wire

struct ServerLink: Sendable {
    enum State: String, Equatable, Sendable, CaseIterable { case down, greeting, open }

    enum Input: Equatable, Sendable, CaseIterable {
        case connected
        /// The answer to our last greeting.
        case hello
        case message
        case lost
    }

    enum Decision: Equatable, Sendable {
        /// Begin a conversation.
        case greet
        /// Take the server's numbers: the link is open.
        case open
        case judge
        case nothing
    }

    /// What a frame from the server means for whoever plays.
    enum News: Equatable, Sendable {
        /// The link has just opened.
        case opened
        case message(Message)
        /// The frame changes nothing.
        case ignored
    }

    private(set) var state = State.down
    private(set) var conversation: Conversation
    private(set) var fenced: UInt64 = 0
    private(set) var missing: UInt64 = 0
    /// The most credit this server has given: what it takes when nothing is on its way.
    private(set) var capacity = 0
    /// As the supervisor's roster says; an older server's hello is not listened to.
    private var rosterGeneration: UInt32 = 0
    /// The epoch of the last server there was.
    private var newest: UInt32 = 0
    /// What is said until it is answered.
    private var greeting: Frame?
    /// When to ask how far the server has heard us.
    private var probing = Probing()

    init(generation: UInt32) {
        conversation = Conversation(epoch: 0, generation: generation)
    }

    /// The whole machine: every state, every input.
    static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.down, .connected), (.greeting, .connected), (.open, .connected): (.greeting, .greet)
        case (.greeting, .hello): (.open, .open)
        // Said twice, or doubled by the link: its number counts, and nothing else.
        case (.open, .hello), (.open, .message): (.open, .judge)
        case (.greeting, .lost), (.open, .lost), (.down, .lost): (.down, .nothing)
        case (.down, .hello), (.down, .message), (.greeting, .message): (state, .nothing)
        }
    }

    private mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        return decision
    }

    /// Frames the server can still take, as it last said: credit counted from what it had heard then.
    var credit: Int {
        let unheard = conversation.sent - min(conversation.sent, conversation.acknowledged)
        return max(0, Int(conversation.peerCredit) - Int(clamping: unheard))
    }

    mutating func connected() {
        guard handle(.connected) == .greet else { return }
        capacity = 0
        greeting = nil
    }

    mutating func lost() { _ = handle(.lost) }

    mutating func roster(_ entries: [RosterEntry]) {
        for entry in entries where entry.peer == .systemServer { rosterGeneration = entry.generation }
    }

    /// The same frame each time until the link comes up anew.
    mutating func hello() -> Frame {
        let frame = greeting ?? conversation.greeting()
        greeting = frame
        return frame
    }

    /// A question about how far the server has heard us, when it is time for one.
    mutating func probe(at now: Instant) -> Frame? {
        probing.isDue(at: now) ? conversation.frame(.link(.probe)) : nil
    }

    mutating func frame(_ event: HIDEvent, ledger: Ledger) -> Frame {
        conversation.frame(.digitizer(event), ledger: ledger)
    }

    mutating func frame(_ event: DeviceEvent, ledger: Ledger) -> Frame {
        conversation.frame(.device(event), ledger: ledger)
    }

    mutating func take(_ frame: Frame, at now: Instant) -> News {
        // What a conversation assumes before anybody has spoken is nothing that a server gave.
        defer { if state == .open { capacity = max(capacity, Int(conversation.peerCredit)) } }
        if case .hello = frame.message, frame.generation < rosterGeneration {
            fenced += 1
            return .ignored
        }
        switch handle(input(frame)) {
        case .open:
            newest = frame.epoch
            conversation.adopt(hello: frame, epoch: frame.epoch)
            probing.heard(at: now, missing: false)
            return .opened
        case .judge: return judge(frame, at: now)
        case .greet, .nothing: return .ignored
        }
    }

    private func input(_ frame: Frame) -> Input {
        // Of an older epoch than one that was heard already: two servers may have heard one greeting.
        guard case .hello = frame.message, conversation.isAnswered(by: frame), frame.epoch >= newest else {
            return .message
        }
        return .hello
    }

    private mutating func judge(_ frame: Frame, at now: Instant) -> News {
        switch conversation.accept(frame) {
        case .fresh:
            probing.heard(at: now, missing: false)
            return .message(frame.message)
        case .gap(let count):
            missing &+= count
            probing.heard(at: now, missing: true)
            return .message(frame.message)
        case .duplicate: return .ignored
        case .fenced:
            fenced += 1
            return .ignored
        }
    }
}
