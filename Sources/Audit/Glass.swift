// Glass.swift: the fingers as the server has heard of them, and what each app is to be told of them.
//
//     scan, act, hello, end ─▶ fingers ─▶ due ─ ─ in the same step, or once the app has room ─ ─▶ told, and nothing else
//
// A scan lists every finger of its device, so one that it leaves out is gone; a finger is its owner's from landing to
// lifting, or nobody's any more. What follows for each app is known before the server says it.
//
// Knows     frames. Nothing of how the server keeps its fingers.
//
// Sources   Docs/Spec/Pipeline.md section 2 (state frames), section 3: I1, I4, I8; Docs/Spec/Semantics.md D4, D5

import Basics
import HID
import Wire

struct Glass: Sendable {
    struct Finger: Sendable {
        let device: UInt64
        let index: UInt32
        let display: DisplayID
        /// Counted over all devices: tells it from whoever lands in its place.
        let landing: UInt32
        var owner: Owner
        /// The system gesture or the touch monitor that has taken it from its owner; nil while neither has.
        var taker: SpiedOwner?
        /// As its app was told; nil until it is, and for nobody's.
        var touch: TouchID?
        /// The frame in which its app was told that it landed; nil until it is.
        var toldIn: SequenceNumber?
        /// Its owner's part of the screen, as it was when it landed.
        var space: Ground
        /// There.
        var position: Point<SceneSpace>
        /// Its app is told that the system may take it yet.
        var isGated = false
        /// Nil for one that no system gesture takes.
        var swipe: Swipe?
    }

    struct Device: Sendable {
        let id: UInt64
        var generation: UInt32
    }

    var fingers: [Finger] = []
    var devices: [Device] = []
    private var landings: UInt32 = 0
    /// First swipes at edges that an app defers.
    var firsts: [(edge: Swipe.Edge, app: Int, until: Instant)] = []

    /// What the scan under way means for whom, in order; kept so that nothing is allocated for a scan.
    var news: [(owner: Owner, due: Due)] = []
    var parts: [Part] = []
    /// Why a finger's news reached nobody: the first in the scan.
    var drop: Receipt.Reason?
    /// Fingers of the scan that moved or left after they had been taken.
    var takenByMonitor: UInt16 = 0
    var takenBySystem: UInt16 = 0

    /// As many as the server remembers.
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
        for place in fingers.indices where fingers[place].index == index && fingers[place].device == device {
            return place
        }
        return nil
    }

    mutating func drops(_ reason: Receipt.Reason) { drop = drop ?? reason }

    /// News of a finger that reaches no app any more.
    mutating func drops(_ finger: Finger, _ phase: ContactPhase) {
        switch finger.taker {
        case .spy?:
            drops(.takenByMonitor)
            if phase != .stationary { takenByMonitor &+= 1 }
        case .system?:
            drops(.takenBySystem)
            if phase != .stationary { takenBySystem &+= 1 }
        case .app?, .server?, .nobody?, nil: drops(.dead)
        }
    }

    /// One finger's news, for whoever has it.
    mutating func tell(_ place: Int, _ phase: ContactPhase, _ cause: EndCause) {
        let finger = fingers[place]
        news.append((finger.owner, Due(finger, phase, cause)))
        if let part = parts.firstIndex(where: { $0.owner == finger.owner }) {
            parts[part].count(phase)
        } else {
            var part = Part(owner: finger.owner)
            part.count(phase)
            parts.append(part)
        }
    }

    /// It is taken from whoever has it, and stays on the glass.
    mutating func revoke(_ place: Int, _ cause: EndCause) {
        guard fingers[place].owner != .nobody else { return }
        tell(place, .cancelled, cause)
        (fingers[place].owner, fingers[place].touch) = (.nobody, nil)
    }

    /// What a scan means for one recipient.
    struct Part: Sendable {
        let owner: Owner
        /// Of the contacts, by phase.
        var counts = Receipt(frame: .zero, outcome: .delivered)

        init(owner: Owner) { self.owner = owner }

        /// Whether nothing is said but that everything rests.
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

/// One contact that an app is to be told of.
struct Due: Sendable {
    let device: UInt64
    let index: UInt32
    let landing: UInt32
    var touch: TouchID?
    let phase: ContactPhase
    /// Why it ends, if it does.
    let cause: EndCause
    /// Whether it is told that the system may take it; of one that is over nothing is.
    let isGated: Bool
    let space: Ground
    let position: Point<SceneSpace>

    init(_ finger: Glass.Finger, _ phase: ContactPhase, _ cause: EndCause) {
        space = finger.space
        (device, index, landing, touch) = (finger.device, finger.index, finger.landing, finger.touch)
        (self.phase, self.cause, position) = (phase, cause, finger.position)
        isGated = finger.isGated && phase != .ended && phase != .cancelled
    }

    /// The same finger, elsewhere.
    init(_ other: Due, at position: Point<SceneSpace>) {
        space = other.space
        (device, index, landing, touch) = (other.device, other.index, other.landing, other.touch)
        phase = position != other.position ? .moved : other.phase
        (cause, self.position) = (other.cause, position)
        isGated = other.isGated
    }

    /// The same finger, where it was, as something else.
    init(_ other: Due, _ phase: ContactPhase, _ cause: EndCause) {
        space = other.space
        (device, index, landing, touch) = (other.device, other.index, other.landing, other.touch)
        (self.phase, self.cause, position) = (phase, cause, other.position)
        isGated = other.isGated && phase != .ended && phase != .cancelled
    }
}

/// Frames that an app is to be told, in order; those it has no room for wait.
struct Dues: Sendable {
    struct Frame: Sendable {
        /// The scan it is a part of; zero of none, or of an input-kit that is gone.
        var scan: SequenceNumber
        /// Its ledger's first stamp; nil for what no scan is behind.
        let stamp: Instant?
        let count: Int
        /// Whether a finger lands or leaves in it: then it is told as it is.
        let isEdge: Bool
        /// When it was due.
        var at: Instant
        /// Frames that have become part of it, oldest first.
        var parts: [(stamp: Instant?, contacts: [Due])] = []
        /// Where the fingers were at the display's frame; its own places are the last of its parts then.
        var shown: Shown?
    }

    struct Shown: Sendable {
        var at: Instant
        /// By landing.
        var places: [(landing: UInt32, position: Point<SceneSpace>)] = []
        /// Where they were before.
        var contacts: [Due] = []
    }

    /// One that waits for the display's frame.
    struct Sample: Sendable {
        var frame: Frame
        var contacts: [Due]
    }

    private(set) var frames: [Frame] = []
    private var contacts: [Due] = []
    /// Behind them all, oldest first; and the sample before those, with nothing but moves between.
    private(set) var held: [Sample] = []
    private(set) var before: Sample?
    /// Of those that wait, how many are edges.
    private(set) var edges = 0
    private var head = 0
    private var headContact = 0

    var first: Frame? { head < frames.count ? frames[head] : nil }

    mutating func append(_ due: Due) { contacts.append(due) }

    /// What was appended since is one frame. While it waits the next goes on with it, if in both the same fingers do
    /// nothing but move.
    ///
    /// - Parameter isAlone: Whether it is a frame of its own however the fingers go on.
    /// - Returns: The scan that has become part of this one.
    mutating func close(_ frame: Frame, isAlone: Bool = false) -> SequenceNumber? {
        var frame = frame
        let start = contacts.count - frame.count
        frame.shown?.contacts = Array(contacts[start...])
        guard let last, !isAlone, !last.isEdge, !frame.isEdge, last.count == frame.count else { return add(frame) }
        let before = Array(contacts[(start - last.count)..<start])
        for place in start..<contacts.count {
            guard before.contains(where: { $0.landing == contacts[place].landing }) else { return add(frame) }
        }
        for place in start..<contacts.count where contacts[place].phase == .stationary {
            let isMoved = before.contains { $0.landing == contacts[place].landing && $0.phase == .moved }
            if isMoved { contacts[place] = Due(contacts[place], .moved, contacts[place].cause) }
        }
        frame.shown?.contacts = Array(contacts[start...])
        frame.parts = last.parts
        frame.parts.append((last.stamp, before))
        contacts.removeSubrange((start - last.count)..<start)
        frames.removeLast()
        frames.append(frame)
        return last.scan
    }

    private mutating func add(_ frame: Frame) -> SequenceNumber? {
        frames.append(frame)
        if frame.isEdge { edges += 1 }
        return nil
    }

    var last: Frame? { head < frames.count ? frames[frames.count - 1] : nil }

    /// Of the frames that wait, each with its contacts.
    var waiting: [(frame: Frame, contacts: ArraySlice<Due>)] {
        var start = headContact
        return frames[head...].map { frame in
            defer { start += frame.count }
            return (frame, contacts[start..<(start + frame.count)])
        }
    }

    /// The contacts of the first.
    var firstContacts: Range<Int> {
        headContact..<(headContact + (first?.count ?? 0))
    }

    subscript(contact: Int) -> Due { contacts[contact] }

    /// A landing has its number now, here and wherever it goes on.
    mutating func bind(_ landing: UInt32, to touch: TouchID) {
        for place in headContact..<contacts.count where contacts[place].landing == landing {
            contacts[place].touch = touch
        }
        for sample in held.indices {
            for place in held[sample].contacts.indices where held[sample].contacts[place].landing == landing {
                held[sample].contacts[place].touch = touch
            }
        }
    }

    /// What was appended since waits for the display's frame.
    mutating func hold(_ frame: Frame) {
        let start = contacts.count - frame.count
        held.append(Sample(frame: frame, contacts: Array(contacts[start...])))
        contacts.removeSubrange(start...)
    }

    /// The first of those held is a frame like others now.
    mutating func letGo() -> Sample {
        let sample = held.removeFirst()
        before = sample
        for due in sample.contacts { contacts.append(due) }
        return sample
    }

    /// Something begins or ends: what comes after says nothing of what was before.
    mutating func breakOff() { before = nil }

    mutating func forgetHeld() {
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

    /// Nobody waits for the answers any more.
    mutating func disown() {
        for place in head..<frames.count { frames[place].scan = .zero }
        for place in held.indices { held[place].frame.scan = .zero }
    }

    var waitingScans: ArraySlice<Frame> { frames[head...] }
}

/// What an app has been asked and the server has no answer to, oldest first: answered nearly in that order.
struct Questions: Sendable {
    struct Question: Sendable {
        let sequence: SequenceNumber
        /// The scan it is a part of; zero of none that is judged.
        var scan: SequenceNumber
    }

    private var questions: [Question] = []
    private var head = 0

    var open: ArraySlice<Question> { questions[head...] }

    mutating func append(_ sequence: SequenceNumber, scan: SequenceNumber) {
        questions.append(Question(sequence: sequence, scan: scan))
    }

    /// - Returns: Its scan; nil for what was not asked, or not any more.
    mutating func answer(_ sequence: SequenceNumber) -> SequenceNumber? {
        for place in head..<questions.count where questions[place].sequence == sequence {
            let scan = questions[place].scan
            if place == head { removeFirst() } else { questions.remove(at: place) }
            return scan
        }
        return nil
    }

    /// The first, if it is not above.
    mutating func removeFirst(through sequence: SequenceNumber) -> Question? {
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

    mutating func disown() {
        for place in head..<questions.count { questions[place].scan = .zero }
    }
}
