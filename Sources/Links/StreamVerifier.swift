// StreamVerifier.swift: whether what passes over one end of one data link is what an honest group says.
//
//     input-kit ──scans──▶ server ──touches──▶ app          one verifier at each end of each link:
//         ▲───receipts────────┘ ▲────receipts────┘          it sees what that end sends and what it hears
//
// What its own end sends is held to everything: numbers without holes, acknowledgements of what was heard, moves within
// credit, fingers that begin before they move and end once, lists that leave nobody out, one receipt for each frame that
// asks. What it hears may have holes, come twice or late, and be of an older time, as links do that to the honest; what
// no link explains is the sender's fault.
//
// Fed by    ZeroMQHost (in debug builds, or with host.verify), and Audit
// Knows     numbers and phases. Not what the cores decided, and why.
//
// Sources   PIPELINE.md 3: I3, I6, I7

import Basics
public import HID
public import Wire

public struct StreamVerifier: Sendable {
    public let role: Role
    public let peer: Role
    /// Whether both ends have one clock, so that a ledger's stamps ascend.
    public var hasOneClock = true
    /// This end is going: what waits may leave whatever the credit.
    public var isClosing = false

    // What this end says. Its numbers never begin anew.
    public private(set) var sent: UInt64 = 0
    private var generation: UInt32?
    private var newestEpoch: UInt32 = 0
    /// The number of the client's hello that opened the link, or is to.
    private var opening: UInt64 = 0
    /// The number of the server's hello that answered it.
    private var answering: UInt64 = 0

    // What it hears.
    private var isOpen = false
    private var epoch: UInt32 = 0
    private var peerGeneration: UInt32 = 0
    private var received: UInt64 = 0
    private var everReceived: UInt64 = 0
    /// What became of the frame heard last.
    public private(set) var verdict = Verdict.fresh
    /// Since the link opened, something was missing or came late.
    public private(set) var hadGap = false
    /// How many are missing before the frame heard last, whose verdict is `gap`.
    public private(set) var missing: UInt64 = 0
    /// A client's greeting, until this server answers it.
    private var greeting: Greeting?
    /// Whether this server's last hello opened the link: one that is said again only repeats itself.
    public private(set) var hasWelcomed = false
    /// Frames of this end that the peer has said it heard, and how many more it takes.
    private var acknowledged: UInt64 = 0
    private var credit: UInt32 = 256
    /// Of an app, in its hello: how many frames it takes without having answered.
    private var window = 256

    /// Frames of this end that no receipt has come for, and the newest that an app has handled.
    private var asked = SequenceWindow()
    private var newestHandled: UInt64 = 0
    /// Frames heard that this end has not answered.
    private var owed = SequenceWindow()

    private var devices = DevicePhases()
    private var touches = TouchPhases()
    private var held = HeldInputs()

    /// What a frame is worth to the end that hears it.
    public enum Verdict: UInt8, Hashable, Sendable {
        case fresh
        /// The first after some that are missing.
        case gap
        /// Heard before, or given up when a later one was heard.
        case duplicate
        /// Of an older epoch or generation, or before any hello.
        case fenced
        /// A client's, which is for the server to take or leave.
        case greeting
        /// The server's, and from here on all is new.
        case opened
        /// The server's, which changes nothing.
        case oldHello
        case forbidden
    }

    private struct Greeting: Sendable {
        var generation: UInt32
        var sequence, ack: UInt64
        var credit: UInt32
    }

    /// Inputs held at once, as the server's router follows them.
    private static let heldLimit = 256

    /// - Returns: Nil for two roles that have no data link.
    public init?(of role: Role, to peer: Role) {
        switch (role, peer) {
        case (.inputKit, .systemServer), (.systemServer, .inputKit), (.app, .systemServer), (.systemServer, .app):
            (self.role, self.peer) = (role, peer)
        default: return nil
        }
    }

    /// Fingers that are down, as this end has said or heard.
    public var fingersDown: Int { devices.fingersDown }
    /// Keys and pointers that have begun and not ended, as this end has said or heard.
    public var inputsHeld: HeldInputs { held }
    /// Frames that this end has sent and that nobody has answered.
    public var unanswered: Int { asked.count }
    /// How many frames this end's app takes without having answered.
    public var offered: Int { window }

    // MARK: Sending

    /// Takes a frame as its core has made it, before the link has it.
    ///
    /// - Returns: What is wrong with it. It counts as sent all the same.
    public mutating func sends(_ frame: Frame) -> StreamFault? {
        let kind = frame.message.kind
        guard frame.message.mayGo(from: role, to: peer) else { return .forbidden(kind) }
        // A client says the very same greeting until it is answered, and a server the very same answer to it.
        if kind == .hello, frame.sequence == (role == .systemServer ? answering : opening), frame.sequence > 0 {
            return repeats() ?? numbersFault(frame, kind)
        }
        let expected = sent &+ 1
        if frame.sequence != expected {
            sent = frame.sequence
            return .sequence(frame.sequence, expected: expected)
        }
        let unheard = sent - min(sent, acknowledged)
        sent = frame.sequence
        if kind == .hello {
            if let fault = greets() { return fault }
        } else if !isOpen {
            return .beforeHello(kind)
        }
        if let fault = numbersFault(frame, kind) { return fault }
        if hasOneClock, let fault = ledgerFault(frame.ledger) { return fault }
        switch frame.message {
        case .digitizer(let event):
            let isOver = unheard >= UInt64(credit) && !isClosing && !event.hasTouchEdge
            asked.insert(frame.sequence)
            let fault = scanFault(event, frame.ledger, isStrict: true)
            return isOver ? .beyondCredit(unanswered: Int(clamping: unheard), credit: Int(credit)) : fault
        case .device(let event):
            asked.insert(frame.sequence)
            return inputFault(event.input, isStrict: true)
        case .touches(let touchFrame):
            let isOver = isOverWindow(frame, isEdge: touchFrame.endsTouch)
            let unanswered = asked.count
            asked.insert(frame.sequence)
            let fault = touches.take(touchFrame, isStrict: true)
            return isOver ? .beyondCredit(unanswered: unanswered, credit: window) : fault
        case .input(let event):
            asked.insert(frame.sequence)
            return inputFault(event.input, isStrict: true)
        case .handled(let receipt): return receiptFault(receipt)
        default: return nil
        }
    }

    /// A link has lost a frame of this end, and somebody knows: nobody will answer it.
    public mutating func lost(_ sequence: UInt64) { asked.remove(sequence) }

    /// A hello under the number it had: a server's only to the greeting that it answered.
    private mutating func repeats() -> StreamFault? {
        hasWelcomed = false
        guard role == .systemServer, let greeting else { return nil }
        self.greeting = nil
        guard isOpen else { return .beforeHello(.hello) }
        guard greeting.generation == peerGeneration else {
            return .generation(greeting.generation, expected: peerGeneration)
        }
        return greeting.sequence == opening ? nil : .oldGreeting(greeting.sequence, newest: opening)
    }

    /// This end's hello: a client's opens the link or renews it, a server's answers one.
    private mutating func greets() -> StreamFault? {
        hasWelcomed = false
        if role == .systemServer {
            guard let greeting else { return nil }
            self.greeting = nil
            if greeting.generation < peerGeneration {
                return .generation(greeting.generation, expected: peerGeneration)
            }
            if greeting.generation == peerGeneration {
                if greeting.sequence < opening { return .oldGreeting(greeting.sequence, newest: opening) }
                if greeting.sequence == opening, isOpen { return .sequence(sent, expected: answering) }
            }
            hasWelcomed = true
            (isOpen, hadGap, answering) = (true, false, sent)
            (opening, received, peerGeneration) = (greeting.sequence, greeting.sequence, greeting.generation)
            everReceived = max(everReceived, received)
            (acknowledged, credit) = (greeting.ack, greeting.credit)
            window = max(1, Int(greeting.credit))
        } else {
            (isOpen, hadGap, opening) = (false, false, sent)
        }
        forget()
        return nil
    }

    /// What was said and heard before is over.
    private mutating func forget() {
        asked.removeAll()
        owed.removeAll()
        newestHandled = 0
        devices.removeAll()
        touches.removeAll()
        held = HeldInputs()
    }

    private mutating func numbersFault(_ frame: Frame, _ kind: MessageKind) -> StreamFault? {
        if let generation, frame.generation != generation {
            return .generation(frame.generation, expected: generation)
        }
        generation = frame.generation
        if role == .systemServer {
            if kind == .hello, frame.epoch >= newestEpoch { (epoch, newestEpoch) = (frame.epoch, frame.epoch) }
            if frame.epoch != epoch { return .epoch(frame.epoch, expected: epoch) }
        } else if kind != .hello {
            if frame.epoch < newestEpoch { return .epoch(frame.epoch, expected: newestEpoch) }
            newestEpoch = frame.epoch
            if isOpen, frame.epoch != epoch { return .epoch(frame.epoch, expected: epoch) }
        }
        // Of this peer's life, or of the one before, whose numbers may have been higher.
        guard frame.ack <= everReceived else { return .acknowledged(frame.ack, sent: everReceived) }
        return nil
    }

    private func isOverWindow(_ frame: Frame, isEdge: Bool) -> Bool {
        // What the system takes away and what ends goes out whatever the window; and after a loss nobody can say from
        // here how many the app still holds.
        guard !isEdge, frame.ledger.count > 0, !hadGap else { return false }
        return asked.count >= window
    }

    private mutating func receiptFault(_ receipt: Receipt) -> StreamFault? {
        if (receipt.outcome == .dropped) != (receipt.reason != .none) {
            return .receiptReason(receipt.outcome, receipt.reason)
        }
        if owed.remove(receipt.frame) { return nil }
        // For a frame that was never heard, as later ones were.
        if receipt.reason == .lostOnLink, receipt.frame < received { return nil }
        return receipt.frame > received
            ? .receiptForUnheard(frame: receipt.frame, heard: received) : .receiptTwice(frame: receipt.frame)
    }

    // MARK: Hearing

    /// Takes a frame as its core is about to get it.
    ///
    /// - Returns: What is wrong with it that no link can explain.
    public mutating func hears(_ frame: Frame) -> StreamFault? {
        let kind = frame.message.kind
        guard frame.message.mayGo(from: peer, to: role) else {
            verdict = .forbidden
            return .forbidden(kind)
        }
        if kind == .hello, !isOpen || role == .systemServer || isOnlyGreeted && frame.epoch > epoch {
            verdict = hearsHello(frame)
            return nil
        }
        // Nothing comes of what is of another time, before the hello, or known already.
        guard isOpen, frame.epoch == epoch, frame.generation == peerGeneration else {
            verdict = .fenced
            return nil
        }
        guard frame.sequence > received else {
            // A second time, or given up already.
            verdict = .duplicate
            return nil
        }
        verdict = .fresh
        if frame.sequence != received + 1 {
            (verdict, hadGap, missing) = (.gap, true, frame.sequence - received - 1)
            // What the missing said of touches and inputs is unknown: of those heard, not of those sent.
            if role == .app { touches.removeAll(keepingNumbers: true) }
            if role == .app || peer == .inputKit { held = HeldInputs() }
        }
        received = frame.sequence
        everReceived = max(everReceived, received)
        guard frame.ack <= sent else { return .acknowledged(frame.ack, sent: sent) }
        acknowledged = max(acknowledged, frame.ack)
        credit = frame.credit
        window = max(window, Int(frame.credit))
        if hasOneClock, let fault = ledgerFault(frame.ledger) { return fault }
        switch frame.message {
        case .digitizer(let event):
            owed.insert(frame.sequence)
            return scanFault(event, frame.ledger, isStrict: !hadGap)
        case .device(let event), .input(let event):
            owed.insert(frame.sequence)
            return inputFault(event.input, isStrict: !hadGap)
        case .touches(let touchFrame):
            owed.insert(frame.sequence)
            return touches.take(touchFrame, isStrict: !hadGap)
        case .handled(let receipt):
            if receipt.outcome != .dropped { newestHandled = max(newestHandled, receipt.frame) }
            if asked.remove(receipt.frame) || hadGap { return nil }
            // Whoever missed frames answers for all of them, whatever they were.
            if receipt.reason == .lostOnLink, receipt.frame <= sent { return nil }
            return receipt.frame > sent
                ? .receiptForUnheard(frame: receipt.frame, heard: sent) : .receiptTwice(frame: receipt.frame)
        case .link(.heard(let oldest, _)):
            // What it has heard, and neither answered nor has before it, has no answer any more.
            asked.removeAll(through: oldest > 0 ? min(frame.ack, oldest - 1) : frame.ack)
            return nil
        default: return nil
        }
    }

    /// The link is down: this end knows nothing of the peer's any more, but for its numbers.
    public mutating func linkLost() {
        (isOpen, greeting) = (false, nil)
        forget()
    }

    /// A client that has said nothing but its greeting may yet turn to another server that has heard it.
    private var isOnlyGreeted: Bool { role != .systemServer && sent == opening }

    private mutating func hearsHello(_ frame: Frame) -> Verdict {
        if role == .systemServer {
            greeting = Greeting(
                generation: frame.generation, sequence: frame.sequence, ack: frame.ack, credit: frame.credit)
            everReceived = max(everReceived, frame.sequence)
            return .greeting
        }
        // It answers a greeting of before, or is a server's of before.
        guard opening > 0, frame.ack >= opening, frame.epoch >= newestEpoch else { return .oldHello }
        (isOpen, hadGap) = (true, false)
        (epoch, newestEpoch, peerGeneration, received) = (
            frame.epoch, frame.epoch, frame.generation, frame.sequence
        )
        everReceived = max(everReceived, received)
        (acknowledged, credit) = (frame.ack, frame.credit)
        forget()
        return .opened
    }

    // MARK: What frames say

    private func ledgerFault(_ ledger: Ledger) -> StreamFault? {
        guard ledger.count > 1, var last = ledger[.device] else { return nil }
        for place in 1..<ledger.count {
            guard let hop = Ledger.Hop(rawValue: place), let stamp = ledger[hop] else { return nil }
            if stamp < last { return .ledger(hop: hop, stamp, before: last) }
            last = stamp
        }
        return nil
    }

    private mutating func scanFault(_ event: HIDEvent, _ ledger: Ledger, isStrict: Bool) -> StreamFault? {
        if let stamp = ledger[.device], stamp != event.timeStamp {
            return .deviceStamp(stamp, event: event.timeStamp)
        }
        return devices.take(event, isStrict: isStrict)
    }

    private mutating func inputFault(_ input: DeviceInput, isStrict: Bool) -> StreamFault? {
        guard input.isPossible else { return .input(input, .impossible) }
        // Of somebody who begins everything and ends nothing, not everything is remembered.
        if held.inputs.count > Self.heldLimit { held = HeldInputs() }
        let repaired = held.take(input)
        guard isStrict else { return nil }
        guard let repaired else {
            return .input(input, input.phase == .began ? .beganTwice : .neverBegan)
        }
        if repaired.phase == input.phase { return nil }
        return .input(input, input.phase == .began ? .beganTwice : .neverBegan)
    }
}

extension MessageKind {
    /// Whether every frame of this kind gets one receipt.
    public var asksForReceipt: Bool {
        switch self {
        case .digitizer, .device, .touches, .input: true
        default: false
        }
    }
}

extension HIDEvent {
    /// Whether a finger lands or leaves in this scan.
    fileprivate var hasTouchEdge: Bool { fingers.contains { !$0.mask.isDisjoint(with: [.touch, .cancel]) } }
}

extension TouchFrame {
    /// Whether a touch ends in this frame.
    fileprivate var endsTouch: Bool { contacts.contains { $0.phase == .ended || $0.phase == .cancelled } }
}

/// The fingers of each device, as its scans have said. A scan lists every finger that is down on its device.
struct DevicePhases: Sendable {
    private struct Device: Sendable {
        let sender: UInt64
        var generation: UInt32
        var time: Instant
        /// A bit for each finger that is down, by its index.
        var down: UInt64 = 0
    }

    private var devices: [Device] = []

    /// As many as the server's router remembers.
    static let limit = 64

    var fingersDown: Int { devices.reduce(0) { $0 + $1.down.nonzeroBitCount } }

    mutating func removeAll() { devices.removeAll(keepingCapacity: true) }

    mutating func take(_ event: HIDEvent, isStrict: Bool) -> StreamFault? {
        let place = place(of: event)
        let known = devices[place]
        let generation = event.generationCount
        if generation < known.generation {
            return .deviceGeneration(sender: event.senderID, generation, newest: known.generation)
        }
        if generation > known.generation { (devices[place].generation, devices[place].down) = (generation, 0) }
        let before = devices[place].down
        var (down, listed) = (before, UInt64(0))
        var fault: StreamFault?
        if event.timeStamp < known.time {
            fault = .deviceTime(sender: event.senderID, event.timeStamp, before: known.time)
        }
        for finger in event.fingers {
            guard finger.index < 64 else {
                fault = .finger(sender: event.senderID, index: finger.index, .impossible)
                continue
            }
            let bit = UInt64(1) << UInt64(finger.index)
            if listed & bit != 0 { fault = .finger(sender: event.senderID, index: finger.index, .listedTwice) }
            listed |= bit
            switch finger.phase {
            case .began:
                if before & bit != 0 { fault = .finger(sender: event.senderID, index: finger.index, .beganTwice) }
                down |= bit
            case .moved, .stationary:
                if before & bit == 0, isStrict {
                    fault = .finger(sender: event.senderID, index: finger.index, .neverBegan)
                }
                down |= bit
            case .ended, .cancelled:
                if before & bit == 0, isStrict {
                    fault = .finger(sender: event.senderID, index: finger.index, .neverBegan)
                }
                down &= ~bit
            case nil:
                // Hovering: not down, and not said to have left.
                if before & bit != 0 { fault = .finger(sender: event.senderID, index: finger.index, .notListed) }
            }
        }
        if before & ~listed != 0, isStrict {
            let index = UInt32((before & ~listed).trailingZeroBitCount)
            fault = .finger(sender: event.senderID, index: index, .notListed)
        }
        devices[place].down = down & listed
        devices[place].time = max(known.time, event.timeStamp)
        return isStrict ? fault : nil
    }

    private mutating func place(of event: HIDEvent) -> Int {
        for place in devices.indices where devices[place].sender == event.senderID { return place }
        if devices.count >= Self.limit { devices.removeFirst() }
        devices.append(
            Device(sender: event.senderID, generation: event.generationCount, time: event.timeStamp))
        return devices.count - 1
    }
}

/// The touches of one app, as its server's frames have said. A frame lists every touch that the app has.
struct TouchPhases: Sendable {
    /// In order of landing.
    private(set) var live: [TouchID] = []
    /// The highest number that has begun.
    private var newest: TouchID?

    mutating func removeAll(keepingNumbers: Bool = false) {
        if !live.isEmpty { live.removeAll(keepingCapacity: true) }
        if !keepingNumbers { newest = nil }
    }

    mutating func take(_ frame: TouchFrame, isStrict: Bool) -> StreamFault? {
        var fault: StreamFault?
        if live.count > TouchFrame.contactLimit { live.removeAll() }
        let before = live.count
        let newestBefore = newest
        /// A bit for each place in `live` that the frame lists.
        var listed: UInt64 = 0
        var ended = 0
        for contact in frame.contacts {
            let place = live.firstIndex(of: contact.touch)
            switch contact.phase {
            case .began:
                if let place {
                    fault = .touch(contact.touch, place < before ? .beganTwice : .listedTwice)
                    if place < min(before, 64) { listed |= UInt64(1) << UInt64(place) }
                    continue
                }
                if let newestBefore, contact.touch <= newestBefore {
                    fault = .touch(contact.touch, .numberUsedBefore)
                }
                newest = max(newest ?? contact.touch, contact.touch)
                live.append(contact.touch)
            case .moved, .stationary, .ended, .cancelled:
                guard let place, place < before else {
                    if isStrict { fault = .touch(contact.touch, .neverBegan) }
                    continue
                }
                let bit = place < 64 ? UInt64(1) << UInt64(place) : 0
                if listed & bit != 0 { fault = .touch(contact.touch, .listedTwice) }
                listed |= bit
                if contact.phase == .ended || contact.phase == .cancelled { ended += 1 }
            }
        }
        if before <= 64 {
            let all = before == 64 ? UInt64.max : (UInt64(1) << UInt64(before)) - 1
            if listed != all { fault = .touch(live[(~listed).trailingZeroBitCount], .notListed) }
        }
        if ended > 0 {
            for contact in frame.contacts where contact.phase == .ended || contact.phase == .cancelled {
                if let place = live.firstIndex(of: contact.touch) { live.remove(at: place) }
            }
        }
        return isStrict ? fault : nil
    }
}
