// ServerLink.swift: the link to the system server: who is there, and how much it can take.
//
//     down ──connected──▶ greeting ──its hello──▶ open ──lost──▶ down
//                            └──no answer: hello again──┘
//
// The greeting is repeated because the server's host refuses strangers, and until the supervisor's roster has
// reached it everybody is one. A hello while the link is open, of the same epoch and generation, answers one of
// those; of another, it is a new server, and what the old one knew is gone.
//
// Station   process
// Fed by    InputKitCore
// Knows     numbers of the link. No finger, no play.

import Basics
import HID
import Hosting
import Wire

struct ServerLink: Sendable {
    enum State: Equatable, Sendable, CaseIterable { case down, greeting, open }

    enum Input: Equatable, Sendable, CaseIterable {
        case connected
        /// Of the server that is here already, or, while none is, of any.
        case hello
        case helloOfAnother
        case message
        case lost
    }

    enum Decision: Equatable, Sendable {
        /// Begin a conversation.
        case greet
        /// Take the server's numbers: the link is open.
        case open
        /// The same, and what was said to the one before is gone.
        case replace
        /// Take its numbers; nothing else has changed.
        case renumber
        case judge
        case nothing
    }

    /// What a frame from the server means for whoever plays.
    enum News: Equatable, Sendable {
        /// The link has just opened.
        case opened
        /// It has opened to another server than before.
        case replaced
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
    private let generation: UInt32

    init(generation: UInt32) {
        self.generation = generation
        conversation = Conversation(epoch: 0, generation: generation)
    }

    /// The whole machine: every state, every input.
    static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.down, .connected), (.greeting, .connected), (.open, .connected): (.greeting, .greet)
        case (.greeting, .hello), (.greeting, .helloOfAnother): (.open, .open)
        case (.open, .hello): (.open, .renumber)
        case (.open, .helloOfAnother): (.open, .replace)
        case (.open, .message): (.open, .judge)
        case (.greeting, .lost), (.open, .lost), (.down, .lost): (.down, .nothing)
        case (.down, .hello), (.down, .helloOfAnother), (.down, .message), (.greeting, .message): (state, .nothing)
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
        conversation = Conversation(epoch: 0, generation: generation)
    }

    mutating func lost() { _ = handle(.lost) }

    mutating func roster(_ entries: [RosterEntry]) {
        for entry in entries where entry.peer == .systemServer { rosterGeneration = entry.generation }
    }

    mutating func hello() -> Frame { conversation.frame(.hello) }

    mutating func frame(_ event: HIDEvent, ledger: Ledger) -> Frame {
        conversation.frame(.digitizer(event), ledger: ledger)
    }

    mutating func frame(_ event: DeviceEvent, ledger: Ledger) -> Frame {
        conversation.frame(.device(event), ledger: ledger)
    }

    mutating func take(_ frame: Frame) -> News {
        defer { capacity = max(capacity, Int(conversation.peerCredit)) }
        if frame.message == .hello, frame.generation < rosterGeneration {
            fenced += 1
            return .ignored
        }
        switch handle(input(frame)) {
        case .open:
            conversation.adopt(hello: frame, epoch: frame.epoch)
            return .opened
        case .replace:
            conversation.adopt(hello: frame, epoch: frame.epoch)
            capacity = 0
            return .replaced
        case .renumber:
            conversation.adopt(hello: frame, epoch: frame.epoch)
            return .ignored
        case .judge: return judge(frame)
        case .greet, .nothing: return .ignored
        }
    }

    private func input(_ frame: Frame) -> Input {
        guard frame.message == .hello else { return .message }
        let isSame = frame.epoch == conversation.epoch && frame.generation == conversation.peerGeneration
        return isSame || state != .open ? .hello : .helloOfAnother
    }

    private mutating func judge(_ frame: Frame) -> News {
        switch conversation.accept(frame) {
        case .fresh: return .message(frame.message)
        case .gap(let count):
            missing &+= count
            return .message(frame.message)
        case .duplicate: return .ignored
        case .fenced:
            fenced += 1
            return .ignored
        }
    }
}
