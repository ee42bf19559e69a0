// PanelState.swift: the fingers as the server knows them, and the frames that are due to each app.
//
//     scan, act, hello, end ─▶ fingers ─▶ due ─ ─ in the same step, or once the app has credit ─ ─▶ sent, and nothing else
//
// Input     Audit+PanelState, Audit+Gestures, Audit+TouchMonitors
// Output    the contacts due to each app; the counts due to each scan
// Knows     frames. Nothing of how the server stores its fingers.
//
// A scan lists every finger of its device, so a finger that is missing from it is cancelled. A finger keeps its owner
// from landing to lift, or loses it and is ignored until it lifts. The audit knows the consequences for each app before
// the server sends them.
//
// Sources   Docs/Spec/Pipeline.md section 2 (state frames), section 3: I1, I4, I8; Docs/Spec/Semantics.md D4, D5

import Basics
import HID
import Wire

/// All fingers on all panels, and the news of the current scan.
struct PanelState: Sendable {
    /// One contact on a panel, from its landing to its lift.
    struct Finger: Sendable {
        let device: UInt64
        let index: UInt32
        let display: DisplayID
        /// The number of the landing over all devices. It distinguishes the finger from later ones with the same index.
        let landing: UInt32
        var owner: Owner
        /// The system gesture or the touch monitor that took the finger from its owner; nil while neither has.
        var taker: TouchOwner?
        /// The number under which its app knows the touch; nil until the app has received it, and without an owner.
        var touch: TouchID?
        /// The frame in which its app received the landing; nil before that.
        var landingFrame: SequenceNumber?
        /// The owner's part of the display at the landing.
        var space: OrientedFrame
        /// The position in that part.
        var position: Point<SceneSpace>
        /// Whether its app knows that the system may still take the touch.
        var isGated = false
        /// The swipe; nil if no system gesture can take the finger.
        var swipe: Swipe?
    }

    struct Device: Sendable {
        let id: UInt64
        var generation: UInt32
    }

    var fingers: [Finger] = []
    var devices: [Device] = []
    private var landings: UInt32 = 0
    /// The first swipes at edges that an app defers.
    var firstSwipes: [(edge: Swipe.Edge, app: Int, until: Instant)] = []

    /// The news of the current scan for each owner, in order. The storage is kept so that a scan allocates nothing.
    var news: [(owner: Owner, due: DueContact)] = []
    var parts: [Part] = []
    /// The reason why a finger's news reached no recipient: the first in the scan.
    var drop: Receipt.Reason?
    /// The fingers of the scan that moved or lifted after they had been taken.
    var takenByMonitor: UInt16 = 0
    var takenBySystem: UInt16 = 0

    /// The greatest number of devices that the server remembers.
    static let deviceLimit = 64

    mutating func landing() -> UInt32 {
        landings &+= 1
        return landings
    }

    mutating func beginScan() {
        news.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        drop = nil
        (takenByMonitor, takenBySystem) = (0, 0)
    }

    func find(_ index: UInt32, of device: UInt64) -> Int? {
        for fingerIndex in fingers.indices
        where fingers[fingerIndex].index == index && fingers[fingerIndex].device == device {
            return fingerIndex
        }
        return nil
    }

    mutating func noteDropReason(_ reason: Receipt.Reason) { drop = drop ?? reason }

    /// Counts the news of a finger that reaches no app any more.
    mutating func countDropped(_ phase: ContactPhase, takenBy taker: TouchOwner?) {
        switch taker {
        case .touchMonitor?:
            noteDropReason(.takenByMonitor)
            if phase != .stationary { takenByMonitor &+= 1 }
        case .system?:
            noteDropReason(.takenBySystem)
            if phase != .stationary { takenBySystem &+= 1 }
        case .app?, .server?, .ignored?, nil: noteDropReason(.ignoredUntilLift)
        }
    }

    /// Adds the news of one finger for its owner.
    mutating func addNews(_ index: Int, _ phase: ContactPhase, _ cause: EndCause) {
        let finger = fingers[index]
        news.append((finger.owner, DueContact(finger, phase, cause)))
        if let part = parts.firstIndex(where: { $0.owner == finger.owner }) {
            parts[part].count(phase)
        } else {
            var part = Part(owner: finger.owner)
            part.count(phase)
            parts.append(part)
        }
    }

    /// Cancels a finger for its owner. The finger stays on the panel.
    mutating func revoke(_ index: Int, _ cause: EndCause) {
        guard fingers[index].owner != .ignored else { return }
        addNews(index, .cancelled, cause)
        (fingers[index].owner, fingers[index].touch) = (.ignored, nil)
    }

    /// The part of a scan for one recipient.
    struct Part: Sendable {
        let owner: Owner
        /// The number of contacts in each phase.
        var counts = Receipt(frame: .zero, outcome: .delivered)

        init(owner: Owner) { self.owner = owner }

        /// Whether all contacts are stationary.
        var isStill: Bool { counts.began | counts.moved | counts.ended | counts.cancelled == 0 }

        mutating func count(_ phase: ContactPhase) {
            switch phase {
            case .began: counts.began &+= 1
            case .moved: counts.moved &+= 1
            case .stationary: counts.stationary &+= 1
            case .ended: counts.ended &+= 1
            case .cancelled: counts.cancelled &+= 1
            }
        }
    }
}

/// One contact that is due to an app.
struct DueContact: Sendable {
    let device: UInt64
    let index: UInt32
    let landing: UInt32
    var touch: TouchID?
    let phase: ContactPhase
    /// The cause of the end, if the contact ends.
    let cause: EndCause
    /// Whether the touch is gated: the system may still take it. False for a contact that ends.
    let isGated: Bool
    let space: OrientedFrame
    let position: Point<SceneSpace>

    init(_ finger: PanelState.Finger, _ phase: ContactPhase, _ cause: EndCause) {
        space = finger.space
        (device, index, landing, touch) = (finger.device, finger.index, finger.landing, finger.touch)
        (self.phase, self.cause, position) = (phase, cause, finger.position)
        isGated = finger.isGated && phase != .ended && phase != .cancelled
    }

    /// The same finger at another position.
    init(_ other: DueContact, at position: Point<SceneSpace>) {
        space = other.space
        (device, index, landing, touch) = (other.device, other.index, other.landing, other.touch)
        phase = position != other.position ? .moved : other.phase
        (cause, self.position) = (other.cause, position)
        isGated = other.isGated
    }

    /// The same finger at the same position with another phase.
    init(_ other: DueContact, _ phase: ContactPhase, _ cause: EndCause) {
        space = other.space
        (device, index, landing, touch) = (other.device, other.index, other.landing, other.touch)
        (self.phase, self.cause, position) = (phase, cause, other.position)
        isGated = other.isGated && phase != .ended && phase != .cancelled
    }
}

/// The frames due to one app, in order. Frames without credit wait.
struct DueFrames: Sendable {
    /// One due frame.
    struct Frame: Sendable {
        /// The scan that the frame is a part of; zero for none, and for one of an input-kit that is gone.
        var scan: SequenceNumber
        /// The first stamp of the ledger; nil for a frame without a scan.
        let stamp: Instant?
        let count: Int
        /// Whether a finger lands or lifts in it, so that it is not merged.
        let isEdge: Bool
        /// The moment at which it was due.
        var at: Instant
        /// The frames that were merged into it, oldest first.
        var parts: [(stamp: Instant?, contacts: [DueContact])] = []
        /// The resampled positions at the display frame. Its own positions are then the last of its samples.
        var shown: Shown?
    }

    /// The positions of the fingers at a display frame.
    struct Shown: Sendable {
        var at: Instant
        /// The positions by landing number.
        var positions: [(landing: UInt32, position: Point<SceneSpace>)] = []
        /// The contacts before resampling.
        var contacts: [DueContact] = []
    }

    /// A frame that waits for a display frame.
    struct Sample: Sendable {
        var frame: Frame
        var contacts: [DueContact]
    }

    /// A scan whose frame was merged into a later one, with the number of its moves.
    struct MergedPart: Sendable {
        let scan: SequenceNumber
        let moves: Int
    }

    private(set) var frames: [Frame] = []
    private var contacts: [DueContact] = []
    /// The frames that wait for a display frame, oldest first; and the sample before them, if only moves lie between.
    private(set) var held: [Sample] = []
    private(set) var before: Sample?
    /// The number of waiting frames in which a finger lands or lifts.
    private(set) var edges = 0
    private var head = 0
    private var headContact = 0

    var first: Frame? { head < frames.count ? frames[head] : nil }

    mutating func append(_ due: DueContact) { contacts.append(due) }

    /// Makes a frame of the contacts appended since the last one. It is merged with the last waiting frame if the same
    /// fingers only move in both.
    ///
    /// - Parameter isAlone: Whether the frame is not merged in any case.
    /// - Returns: The scan whose frame was merged into this one.
    mutating func close(_ frame: Frame, isAlone: Bool = false) -> MergedPart? {
        var frame = frame
        let start = contacts.count - frame.count
        frame.shown?.contacts = Array(contacts[start...])
        guard let last, !isAlone, !last.isEdge, !frame.isEdge, last.count == frame.count else { return add(frame) }
        let before = Array(contacts[(start - last.count)..<start])
        for index in start..<contacts.count {
            guard before.contains(where: { $0.landing == contacts[index].landing }) else { return add(frame) }
        }
        for index in start..<contacts.count where contacts[index].phase == .stationary {
            let isMoved = before.contains { $0.landing == contacts[index].landing && $0.phase == .moved }
            if isMoved { contacts[index] = DueContact(contacts[index], .moved, contacts[index].cause) }
        }
        frame.shown?.contacts = Array(contacts[start...])
        frame.parts = last.parts
        frame.parts.append((last.stamp, before))
        contacts.removeSubrange((start - last.count)..<start)
        frames.removeLast()
        frames.append(frame)
        return MergedPart(scan: last.scan, moves: before.count { $0.phase == .moved })
    }

    private mutating func add(_ frame: Frame) -> MergedPart? {
        frames.append(frame)
        if frame.isEdge { edges += 1 }
        return nil
    }

    var last: Frame? { head < frames.count ? frames[frames.count - 1] : nil }

    /// The waiting frames, each with its contacts.
    var waiting: [(frame: Frame, contacts: ArraySlice<DueContact>)] {
        var start = headContact
        return frames[head...].map { frame in
            defer { start += frame.count }
            return (frame, contacts[start..<(start + frame.count)])
        }
    }

    /// The indices of the contacts of the first frame.
    var firstContacts: Range<Int> {
        headContact..<(headContact + (first?.count ?? 0))
    }

    subscript(contact: Int) -> DueContact { contacts[contact] }

    /// Sets the touch number of a landing in all waiting and held contacts.
    mutating func bind(_ landing: UInt32, to touch: TouchID) {
        for index in headContact..<contacts.count where contacts[index].landing == landing {
            contacts[index].touch = touch
        }
        for sample in held.indices {
            for index in held[sample].contacts.indices where held[sample].contacts[index].landing == landing {
                held[sample].contacts[index].touch = touch
            }
        }
    }

    /// Makes a held frame of the contacts appended since the last one.
    mutating func holdFrame(_ frame: Frame) {
        let start = contacts.count - frame.count
        held.append(Sample(frame: frame, contacts: Array(contacts[start...])))
        contacts.removeSubrange(start...)
    }

    /// Removes the first held sample and appends its contacts, for `close`.
    mutating func releaseFirstHeld() -> Sample {
        let sample = held.removeFirst()
        before = sample
        for due in sample.contacts { contacts.append(due) }
        return sample
    }

    /// Ends a run of moves: later samples are not interpolated with earlier ones.
    mutating func endMoves() { before = nil }

    mutating func removeHeld() {
        held.removeAll(keepingCapacity: true)
        before = nil
    }

    mutating func removeFirst() {
        guard let first else { return }
        if first.isEdge { edges -= 1 }
        head += 1
        headContact += first.count
        if head == frames.count {
            removeAll()
        } else if head >= 64, head * 2 > frames.count {
            frames.removeFirst(head)
            contacts.removeFirst(headContact)
            (head, headContact) = (0, 0)
        }
    }

    mutating func removeAll() {
        frames.removeAll(keepingCapacity: true)
        contacts.removeAll(keepingCapacity: true)
        (head, headContact, edges) = (0, 0, 0)
    }

    /// Removes the scans of all frames, because no receipt for them is expected any more.
    mutating func detachScans() {
        for index in head..<frames.count { frames[index].scan = .zero }
        for index in held.indices { held[index].frame.scan = .zero }
    }

    var waitingScans: ArraySlice<Frame> { frames[head...] }
}

/// The frames outstanding to an app, oldest first. They are answered nearly in that order.
struct OutstandingFrames: Sendable {
    /// One outstanding frame.
    struct Entry: Sendable {
        let sequence: SequenceNumber
        /// The scan that the frame is a part of; zero if none is judged.
        var scan: SequenceNumber
    }

    private var questions: [Entry] = []
    private var head = 0

    var open: ArraySlice<Entry> { questions[head...] }

    mutating func append(_ sequence: SequenceNumber, scan: SequenceNumber) {
        questions.append(Entry(sequence: sequence, scan: scan))
    }

    /// Removes an answered frame.
    ///
    /// - Returns: Its scan; nil if no such frame is outstanding.
    mutating func removeAnswered(_ sequence: SequenceNumber) -> SequenceNumber? {
        for index in head..<questions.count where questions[index].sequence == sequence {
            let scan = questions[index].scan
            if index == head { removeFirst() } else { questions.remove(at: index) }
            return scan
        }
        return nil
    }

    /// Removes and returns the first frame, if its number is not greater.
    mutating func removeFirst(through sequence: SequenceNumber) -> Entry? {
        guard head < questions.count, questions[head].sequence <= sequence else { return nil }
        defer { removeFirst() }
        return questions[head]
    }

    private mutating func removeFirst() {
        head += 1
        if head == questions.count {
            removeAll()
        } else if head >= 64, head * 2 > questions.count {
            questions.removeFirst(head)
            head = 0
        }
    }

    mutating func removeAll() {
        questions.removeAll(keepingCapacity: true)
        head = 0
    }

    mutating func detachScans() {
        for index in head..<questions.count { questions[index].scan = .zero }
    }
}

extension HIDEvent {
    /// Whether the scan contains moves but no landing and no lift, so that it may be dropped without room.
    var isDroppable: Bool {
        var changes = false
        for finger in fingers {
            if !finger.mask.isDisjoint(with: [.touch, .cancel]) { return false }
            changes = changes || !finger.mask.isDisjoint(with: [.position, .attribute])
        }
        return changes
    }
}
