// ServerLink.swift: the app's side of its link to the system server.
//
// Station   inbox
// Fed by    AppCore: the link coming up, frames, the link going down
// Feeds     AppCore, with what a frame is worth
// Knows     whose time it is, and which of the app's fingers are down. Not what becomes of them.
//
//     away ──connected──▶ greeting ──hello──▶ open      another hello begins a new link: whoever says it has
//       ▲                    │                  │
//       └──────── lost ──────┴──────────────────┘        forgotten what was said before
//
// Sources   invented, after PIPELINE.md 2, laws I1 and I7, faults F2 and F6

import Basics
import HID
import Hosting
import Wire

struct ServerLink {
    enum State: Equatable, CaseIterable { case away, greeting, open }
    enum Input: Equatable, CaseIterable { case connected, hello, message, lost }
    enum Decision: Equatable {
        case greet
        /// The server is there: take its numbers.
        case adopt
        /// The same, and what it knew of our fingers is gone.
        case adoptAnew
        case accept
        case letGo
        case nothing
    }

    private(set) var state = State.away
    private(set) var conversation: Conversation
    /// Counted from 1 with each hello adopted.
    private(set) var number: UInt32 = 0
    private let generation: UInt32
    private(set) var counters = Counters()

    struct Counters {
        var fenced = 0
        var duplicates = 0
        var missing: UInt64 = 0
    }

    init(generation: UInt32) {
        self.generation = generation
        conversation = Conversation(epoch: 0, generation: generation)
    }

    mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        switch decision {
        case .greet: conversation = Conversation(epoch: 0, generation: generation)
        case .adopt, .adoptAnew: number += 1
        case .accept, .letGo, .nothing: break
        }
        return decision
    }

    /// The whole machine: every state, every input.
    static func transition(from state: State, on input: Input) -> (State, Decision) {
        switch (state, input) {
        case (.away, .connected): (.greeting, .greet)
        case (.greeting, .hello): (.open, .adopt)
        case (.greeting, .lost): (.away, .letGo)
        case (.open, .hello): (.open, .adoptAnew)
        case (.open, .message): (.open, .accept)
        case (.open, .lost): (.away, .letGo)
        // The host found a new way to the server before it noticed that the old one was gone.
        case (.greeting, .connected), (.open, .connected): (.greeting, .greet)
        // Of a link that is not up, or before its greeting: nothing can be said of its time.
        case (.away, .hello), (.away, .message), (.greeting, .message), (.away, .lost): (state, .nothing)
        }
    }

    mutating func adopt(_ hello: Frame) { conversation.adopt(hello: hello, epoch: hello.epoch) }

    mutating func judge(_ frame: Frame) -> Conversation.Verdict {
        let verdict = conversation.accept(frame)
        switch verdict {
        case .fresh: break
        case .duplicate: counters.duplicates += 1
        case .gap(let missing): counters.missing &+= missing
        case .fenced: counters.fenced += 1
        }
        return verdict
    }

    mutating func frame(_ message: Message, ledger: Ledger = Ledger(), credit: Int) -> Frame {
        conversation.frame(message, ledger: ledger, credit: UInt32(clamping: credit))
    }
}

/// The fingers the server has said are down, as it last said it, in order of landing.
struct LiveFingers {
    private(set) var contacts: [TouchContact] = []

    mutating func follow(_ frame: TouchFrame) {
        for contact in frame.contacts {
            let index = contacts.firstIndex { $0.touch == contact.touch }
            switch contact.phase {
            case .began:
                if let index { contacts.remove(at: index) }
                contacts.append(contact)
            case .moved, .stationary:
                if let index { contacts[index] = contact }
            case .ended, .cancelled:
                if let index { contacts.remove(at: index) }
            }
        }
    }

    /// Every finger, cancelled where it last was; none is live afterwards.
    mutating func cancelAll(at now: Instant) -> TouchFrame? {
        guard !contacts.isEmpty else { return nil }
        defer { contacts.removeAll(keepingCapacity: true) }
        return TouchFrame(
            timeStamp: now,
            contacts: contacts.map { contact in
                var contact = contact
                contact.phase = .cancelled
                return contact
            })
    }
}
