// MessagePayloads.swift: what messages carry, where it has no file of its own.
//
// The fields, in the order of their bytes, are described in `OrderFields.swift` and `EventFields.swift`.

public import Basics
public import HID

/// What an app is told of its own life (UIApplicationDelegate's words).
public enum LifeCycle: UInt8, Sendable, CaseIterable {
    case didBecomeActive, willResignActive, didEnterBackground, willEnterForeground, willTerminate
}

/// What the ends of a link that loses frames say to agree on what was lost (Docs/Decisions/Links.md).
public enum LinkWord: Hashable, Sendable {
    /// From an end that waits for answers: the question which frames have arrived.
    case probe
    /// The answer: as far as this frame's `ack`. Of that everything before `oldest` is answered, or all of it when that
    /// is 0; and `missed` frames of this link in all were never heard, or found no room.
    case heard(oldest: SequenceNumber, missed: UInt64)
}

/// What one recipient did with one frame. Every frame sent gets exactly one.
public struct Receipt: Hashable, Sendable {
    public enum Outcome: UInt8, Sendable, CaseIterable {
        /// An app's main loop has handled it.
        case delivered
        /// The home screen took it: no app was in front.
        case home
        /// No process received it: the touch is ignored until it lifts, or its owner has ended.
        case dropped
    }

    /// The reason why no process received it. Law I4: no drop is without one.
    public enum Reason: UInt8, Sendable, CaseIterable {
        /// It was received.
        case none
        /// A touch whose landing was not received.
        case unknownFinger
        /// The finger landed where nothing takes it: the screen is locked.
        case landedOnNothing
        /// Its finger is dead until it lifts.
        case dead
        /// The app it went to died, or lost its link, before it answered.
        case ownerDied
        /// The server had as much in flight as it may, and this was a move; or it is of one more device, or key held,
        /// than anybody has.
        case overLimit
        /// The scan is of an older generation of its device.
        case fenced
        /// The app had no room: it was sent more than its credit.
        case inboxFull
        /// The link lost it, or its answer: its recipient heard a later frame and never this one, or says that it has
        /// answered it and nobody heard.
        case lostOnLink
        /// The scan said nothing that is new to anybody.
        case nothingNew
        /// It waited longer for its app than an app may not respond.
        case late
        /// A move that waited too long to be news, of fingers that have left since.
        case stale
        /// Its app does not answer: the finger that landed on it is nobody's, what waited for it is nothing any more.
        case notResponding
        /// A touch monitor has taken the touch from its app.
        case takenByMonitor
        /// A system gesture has taken the touch from its app.
        case takenBySystem
    }

    /// The sequence number of the frame this answers, on the link it came by.
    public var frame: SequenceNumber
    public var outcome: Outcome
    /// Of a `dropped` one, never `none`; of others, `none`.
    public var reason: Reason
    /// Touches per phase, as the recipient's event carried them.
    public var began, moved, stationary, ended, cancelled: UInt16
    /// Contacts of a scan that moved or left the panel after a touch monitor, or a system gesture, had taken their touches:
    /// they are in none of the counts above. In receipts to input-kit; 0 in those of apps.
    public var takenByMonitor: UInt16 = 0
    public var takenBySystem: UInt16 = 0
    /// Of a frame in which a gated touch begins: the edges at which its app's topmost controller defers the system's
    /// gestures, with UIRectEdge's bits. Nil if the frame did not ask.
    public var deferredEdges: UInt8?

    public init(
        frame: SequenceNumber, outcome: Outcome, reason: Reason = .none, began: UInt16 = 0, moved: UInt16 = 0,
        stationary: UInt16 = 0, ended: UInt16 = 0, cancelled: UInt16 = 0
    ) {
        self.reason = reason
        (self.frame, self.outcome, self.began, self.moved) = (frame, outcome, began, moved)
        (self.stationary, self.ended, self.cancelled) = (stationary, ended, cancelled)
    }

    /// Whether it counts no touch: its frame was handled with a later one of the same fingers.
    public var isSilent: Bool { began == 0 && moved == 0 && stationary == 0 && ended == 0 && cancelled == 0 }
}

/// A peer has sent what no honest peer sends, too often: the server has hung up on it.
public struct Misconduct: Hashable, Sendable {
    public var peer: Peer
    public var generation: UInt32
    /// How many refusals it took.
    public var strikes: UInt32
    /// The last of them, for a person.
    public var reason: String

    public init(peer: Peer, generation: UInt32, strikes: UInt32, reason: String) {
        (self.peer, self.generation, self.strikes, self.reason) = (peer, generation, strikes, reason)
    }
}

/// An app that does not answer: one record as it begins, and the same with what came of it as it ends.
public struct Stall: Hashable, Sendable {
    /// Who has what is not answered.
    public enum Hop: UInt8, Sendable, CaseIterable {
        /// The app's process has not heard it: it does not run, or its link does not carry.
        case link
        /// It has heard it, and its main loop has not come to it.
        case mainLoop
    }

    public var app: AppID
    /// The app's.
    public var generation: UInt32
    /// Of this app's link, from 1.
    public var episode: UInt32
    public var hop: Hop
    /// The first frame that is not answered, on the app's link, and since when nothing was answered.
    public var frame: SequenceNumber
    public var since: Instant
    /// Frames it has not answered, and those that waited for its window.
    public var unanswered: UInt32
    public var waiting: UInt32
    /// Touches that it loses.
    public var touches: UInt32
    /// From `since` to its next answer; nil while there is none.
    public var lasted: Duration?

    public init(
        app: AppID, generation: UInt32, episode: UInt32, hop: Hop, frame: SequenceNumber, since: Instant,
        unanswered: UInt32,
        waiting: UInt32, touches: UInt32, lasted: Duration? = nil
    ) {
        (self.app, self.generation, self.episode, self.hop) = (app, generation, episode, hop)
        (self.frame, self.since, self.unanswered, self.waiting) = (frame, since, unanswered, waiting)
        (self.touches, self.lasted) = (touches, lasted)
    }
}

/// A change of life that an app has not come to the end of in time.
public struct Overrun: Hashable, Sendable {
    public var app: AppID
    public var generation: UInt32
    public var moment: LifeCycle
    /// What it had.
    public var limit: Duration

    public init(app: AppID, generation: UInt32, moment: LifeCycle, limit: Duration) {
        (self.app, self.generation, self.moment, self.limit) = (app, generation, moment, limit)
    }
}

/// A key and its value, as `Config/pipeline.yaml` says them with dots: `screen.width`, `375`.
public struct Setting: Hashable, Sendable {
    public var key: String
    public var value: String
    public init(key: String, value: String) { (self.key, self.value) = (key, value) }
}

/// The first thing a child hears: who it is, and everything it needs to know.
public struct LaunchOrder: Hashable, Sendable {
    public var peer: Peer
    public var epoch: UInt32
    public var generation: UInt32
    /// The group's folder, 0700: sockets and traces live in it.
    public var runDirectory: String
    public var settings: [Setting]
    /// Of an app: the URL it is launched with, under the number that the server gives it in this epoch.
    public var opens: OpenRequest?

    public init(
        peer: Peer, epoch: UInt32, generation: UInt32, runDirectory: String, settings: [Setting],
        opens: OpenRequest? = nil
    ) {
        (self.peer, self.epoch, self.generation) = (peer, epoch, generation)
        (self.runDirectory, self.settings, self.opens) = (runDirectory, settings, opens)
    }
}

/// Who may speak: the supervisor's word, and the only one that counts.
public struct RosterEntry: Hashable, Sendable {
    public var peer: Peer
    public var pid: Int32
    public var uid: UInt32
    public var generation: UInt32
    public var isReady: Bool
    /// What its pass opens. The supervisor's host puts it in on the way to the server, and no core reads it.
    public var seal: Seal

    public init(peer: Peer, pid: Int32, uid: UInt32, generation: UInt32, isReady: Bool, seal: Seal = .none) {
        (self.peer, self.pid, self.uid) = (peer, pid, uid)
        (self.generation, self.isReady, self.seal) = (generation, isReady, seal)
    }
}

/// What happens to the phone rather than to its glass (Docs/Spec/Scenarios.md, script lines).
public enum SystemAct: Hashable, Sendable {
    /// A call, an alert: the app in front loses its touches and then its active state.
    case interrupt
    case resume
    case home
    case foreground(app: AppID)
    case lock
    case unlock
    /// Two apps side by side; the first is left.
    case split(app: AppID, with: AppID)
    /// An app over those in front, in a frame on the screen.
    case overlay(app: AppID, frame: Rect<DisplaySpace>)
    /// An app leaves the screen and stays in memory.
    case suspend(app: AppID)
    /// An app is told to end.
    case terminate(app: AppID)
    /// An alert of the system's own, over every app; it lasts until `resume`.
    case alert
    /// How high the keyboard is, in points; zero puts it away.
    case keyboard(height: Fixed)
    case display(isOn: Bool)
    /// An app's interface is this way up from now on, if it can be.
    case orientation(app: AppID, InterfaceOrientation)
}

/// Play this file, or these lines.
public struct PlayOrder: Hashable, Sendable {
    public enum Source: Hashable, Sendable {
        /// A path on this machine, absolute.
        case file(String)
        /// A finger script (Docs/Spec/Semantics.md section 0.4), screen points.
        case script(String)
        /// One finger that lands, moves every period and lifts, for this many frames: what `bench` plays.
        case synthetic(frames: UInt32)
        /// Nothing: reported when everything sent before it, by plays and by devices, has been answered.
        case marker
    }

    public enum Pace: Hashable, Sendable {
        /// By the recording's own times, this many times as fast, in thousandths: 1000 is real time.
        case times(UInt32)
        /// As fast as the receivers' credit allows.
        case max
        /// The nanoseconds between two frames.
        case every(UInt64)
        /// The next frame when the last one's receipt is back.
        case closedLoop
    }

    /// Bytes of a script that a frame holds, with room for what is around it; a longer one is a file.
    public static let scriptLimit = 60_000

    /// Chosen by the sender of the request; comes back in the report.
    public var id: UInt32
    public var source: Source
    public var pace: Pace
    /// At least 1.
    public var repeats: UInt32
    /// Send `measured` for the frames after this many.
    public var warmUpFrames: UInt32
    public var wantsLedgers: Bool
    /// The axes of a recording that does not describe them itself.
    public var ranges: AxisRanges?
    /// A contact that a HID report leaves out has lifted.
    public var absentMeansLifted = false
    /// Over which the fingers are; 1 is the main one. Keys and pointers are the main one's.
    public var display = DisplayID.main

    public init(
        id: UInt32, source: Source, pace: Pace, repeats: UInt32 = 1, warmUpFrames: UInt32 = 0,
        wantsLedgers: Bool = false, ranges: AxisRanges? = nil
    ) {
        (self.id, self.source, self.pace, self.repeats) = (id, source, pace, repeats)
        (self.warmUpFrames, self.wantsLedgers, self.ranges) = (warmUpFrames, wantsLedgers, ranges)
    }
}

/// How many touches did what; those that rested are not counted.
public struct PhaseCounts: Hashable, Sendable, CustomStringConvertible {
    public var began, moved, ended, cancelled: UInt64

    public init(began: UInt64 = 0, moved: UInt64 = 0, ended: UInt64 = 0, cancelled: UInt64 = 0) {
        (self.began, self.moved, self.ended, self.cancelled) = (began, moved, ended, cancelled)
    }

    public init(of receipt: Receipt) {
        self.init(
            began: UInt64(receipt.began), moved: UInt64(receipt.moved), ended: UInt64(receipt.ended),
            cancelled: UInt64(receipt.cancelled))
    }

    /// Counts a finger of a scan; one that hovers or rests is not counted.
    public mutating func count(_ phase: ContactPhase?) {
        switch phase {
        case .began: began += 1
        case .moved: moved += 1
        case .ended: ended += 1
        case .cancelled: cancelled += 1
        case .stationary, nil: break
        }
    }

    public static func += (sum: inout PhaseCounts, counts: PhaseCounts) {
        sum.began += counts.began
        sum.moved += counts.moved
        sum.ended += counts.ended
        sum.cancelled += counts.cancelled
    }

    public var description: String { "\(began) began, \(moved) moved, \(ended) ended, \(cancelled) cancelled" }
}

/// What was played, and what came of it.
public struct PlayReport: Hashable, Sendable {
    public var id: UInt32
    /// Frames sent, and receipts that came back for them.
    public var sent, answered: UInt64
    /// Of those answered: handled by an app, by the home screen, by no process because of a loss or a refusal.
    public var delivered, home, dropped: UInt64
    /// Of those answered: frames whose touches were all taken from their apps before, by touch monitors or system gestures.
    public var taken: UInt64 = 0
    /// Touches in the frames sent.
    public var sentTouches = PhaseCounts()
    /// Touches as the recipients counted them.
    public var arrivedTouches = PhaseCounts()
    /// Moves of frames that went with a later one of the same fingers, and were not counted: an app has them as
    /// coalesced touches.
    public var coalesced: UInt64
    /// Moves, lifts and cancels of touches that a touch monitor, or a system gesture, had taken before.
    public var takenByMonitor: UInt64 = 0
    public var takenBySystem: UInt64 = 0
    /// Why it stopped early, or empty: "Atmel.evemu:12: expected …, found …".
    public var failure: String

    public init(id: UInt32) {
        self.id = id
        (sent, answered, delivered, home, dropped) = (0, 0, 0, 0, 0)
        (coalesced, failure) = (0, "")
    }

    /// Whether every touch that was sent was counted by a recipient, went with one that was, or had been taken.
    public var isWhole: Bool {
        let (sent, arrived) = (sentTouches, arrivedTouches)
        guard arrived.began == sent.began, arrived.moved <= sent.moved, arrived.ended <= sent.ended,
            arrived.cancelled <= sent.cancelled
        else { return false }
        let missingMoves = arrived.moved &+ coalesced >= sent.moved ? 0 : sent.moved - arrived.moved - coalesced
        let missing = missingMoves &+ (sent.ended - arrived.ended) &+ (sent.cancelled - arrived.cancelled)
        return missing <= takenByMonitor &+ takenBySystem
    }

    /// Whether every touch that began at a recipient also ended there, or had been taken from it.
    public var isPaired: Bool {
        let (began, ends) = (arrivedTouches.began, arrivedTouches.ended &+ arrivedTouches.cancelled)
        return ends <= began && began - ends <= takenByMonitor &+ takenBySystem
    }
}

/// A process about itself: rows in the order it wants them read.
public struct Report: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        case number(Int64)
        case text(String)
        case flag(Bool)
    }
    public struct Row: Hashable, Sendable {
        /// Dotted: `queue.depth`.
        public var key: String
        public var value: Value
        public init(_ key: String, _ value: Value) { (self.key, self.value) = (key, value) }
    }

    public var peer: Peer
    public var rows: [Row]

    public init(peer: Peer, rows: [Row] = []) { (self.peer, self.rows) = (peer, rows) }

    @inlinable
    public mutating func add(_ key: String, _ number: some BinaryInteger) {
        rows.append(Row(key, .number(Int64(clamping: number))))
    }
    public mutating func add(_ key: String, text: String) { rows.append(Row(key, .text(text))) }
    public mutating func add(_ key: String, flag: Bool) { rows.append(Row(key, .flag(flag))) }

    public subscript(key: String) -> Value? { rows.first { $0.key == key }?.value }
}
