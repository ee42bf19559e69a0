// ServerLink.swift: the app's side of its link to the system server.
//
// Station   inbox
// Fed by    AppCore: the link coming up, frames, the link going down
// Feeds     AppCore, with what a frame is worth
// Knows     whose time it is, and which of the app's fingers are down. Not what becomes of them.
//
//     away ──connected──▶ greeting ──hello──▶ open      a hello is one that answers our last greeting: any other is
//       ▲                    │                  │       of before
//       └──────── lost ──────┴──────────────────┘
//
// The greeting is said again until it is answered, as a link may lose it, or the answer.
//
// Sources   invented, after PIPELINE.md 2, laws I1 and I7, faults F2 and F6

import Basics
import HID
import Hosting
import Wire

struct ServerLink {
    enum State: String, Equatable, CaseIterable { case away, greeting, open }
    enum Input: Equatable, CaseIterable { case connected, hello, message, lost }
    enum Decision: Equatable {
        case greet
        /// The server is there: take its numbers.
        case adopt
        case accept
        case letGo
        case nothing
    }

    private(set) var state = State.away
    private(set) var conversation: Conversation
    /// Counted from 1 with each hello adopted.
    private(set) var number: UInt32 = 0
    /// The epoch of the last server there was.
    private var newest: UInt32 = 0
    /// What is said until it is answered.
    private var greeting: Frame?
    private(set) var counters = Counters()

    struct Counters {
        var fenced = 0
        var duplicates = 0
        var missing: UInt64 = 0
    }

    init(generation: UInt32) {
        conversation = Conversation(epoch: 0, generation: generation)
    }

    mutating func handle(_ input: Input) -> Decision {
        let (next, decision) = Self.transition(from: state, on: input)
        state = next
        switch decision {
        case .greet: greeting = nil
        case .adopt: number += 1
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
        // Said twice, or doubled by the link: its number counts, and nothing else.
        case (.open, .hello), (.open, .message): (.open, .accept)
        case (.open, .lost): (.away, .letGo)
        // The host found a new way to the server before it noticed that the old one was gone.
        case (.greeting, .connected), (.open, .connected): (.greeting, .greet)
        // Of a link that is not up, or before its greeting: nothing can be said of its time.
        case (.away, .hello), (.away, .message), (.greeting, .message), (.away, .lost): (state, .nothing)
        }
    }

    /// The same frame each time until `greet` is decided anew.
    mutating func greet(credit: Int) -> Frame {
        let frame = greeting ?? conversation.greeting(credit: UInt32(clamping: credit))
        greeting = frame
        return frame
    }

    /// What a frame is to the machine.
    func input(_ frame: Frame) -> Input {
        // Of an older epoch than one that was heard already: two servers may have heard one greeting.
        guard case .hello = frame.message, conversation.isAnswered(by: frame), frame.epoch >= newest else {
            return .message
        }
        return .hello
    }

    mutating func adopt(_ hello: Frame) {
        newest = hello.epoch
        conversation.adopt(hello: hello, epoch: hello.epoch)
    }

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

/// Frames that have been taken and not been answered, oldest first.
struct OpenFrames {
    private var frames: [UInt64] = []
    /// How many of this link were never heard, or found no room: so often the fingers were let go of.
    var missed: UInt64 = 0

    /// 0 for none.
    var oldest: UInt64 { frames.first ?? 0 }

    mutating func append(_ frame: UInt64) { frames.append(frame) }

    mutating func remove(_ frame: UInt64) {
        guard let place = frames.firstIndex(of: frame) else { return }
        frames.remove(at: place)
    }

    /// A new link begins.
    mutating func removeAll() {
        frames.removeAll(keepingCapacity: true)
        missed = 0
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

    /// The frame without the fingers that nobody saw land, or that were cancelled here: whatever the server goes on
    /// saying of those, they are dead until they land again.
    func stripped(_ frame: TouchFrame) -> TouchFrame {
        func isKnown(_ contact: TouchContact) -> Bool {
            contact.phase == .began || contacts.contains { $0.touch == contact.touch }
        }
        guard !frame.contacts.allSatisfy(isKnown) else { return frame }
        var known = TouchFrame(timeStamp: frame.timeStamp, contacts: frame.contacts.filter(isKnown))
        known.history = frame.history.map { earlier in
            TouchFrame(timeStamp: earlier.timeStamp, contacts: earlier.contacts.filter(isKnown))
        }
        return known
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
