// MessagePayloads.swift: the payloads of messages that have no file of their own.
//
// Input     cores and hosts
// Output    Message; the fields, in the order of their bytes, are in OrderFields.swift and EventFields.swift
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2

public import Basics
public import HID

/// A change of an app's life cycle, under the names of UIApplicationDelegate.
public enum LifeCycleChange: UInt8, Sendable, CaseIterable {
    case didBecomeActive, willResignActive, didEnterBackground, willEnterForeground, willTerminate
}

/// The messages with which the ends of a link agree on lost frames (Docs/Decisions/Links.md).
public enum LinkMessage: Hashable, Sendable {
    /// The question of an end that waits for answers: which frames have arrived.
    case probe
    /// The answer: every frame up to this frame's `ack` has arrived. Of these, all frames before `oldest` are answered,
    /// or all of them if `oldest` is 0. `missed` counts the frames of this link that never arrived or were not accepted
    /// for lack of room.
    case received(oldest: SequenceNumber, missed: UInt64)
}

/// What one recipient did with one frame. Each frame gets exactly one receipt.
public struct Receipt: Hashable, Sendable {
    /// How a frame ended.
    public enum Outcome: UInt8, Sendable, CaseIterable {
        /// The main loop of an app has handled the frame.
        case delivered
        /// The home screen took the touch: no app was in front.
        case home
        /// No process received the frame: the touch is ignored until it lifts, or its owner has ended.
        case dropped
    }

    /// The reason why no process received a frame. Law I4: every drop has a reason.
    public enum Reason: UInt8, Sendable, CaseIterable {
        /// The frame was received.
        case none
        /// A touch whose landing was not received.
        case unknownFinger
        /// The finger landed while the screen is locked, so that no scene accepts it.
        case landedOnNothing
        /// The contact is ignored until it lifts.
        case ignoredUntilLift
        /// The owner of the touch exited or lost its link before it answered.
        case ownerDied
        /// The scan has only moves and the server had its limit of scans in flight. Or the scan belongs to a device, or
        /// the event to a held key, beyond the limit of these.
        case overLimit
        /// The scan is of an older generation of its device.
        case fenced
        /// The app had no room: the server exceeded its credit.
        case inboxFull
        /// The link lost the frame or its answer. The recipient received a later frame without this one, or reports
        /// that it answered and the answer did not arrive.
        case lostOnLink
        /// The scan contained nothing new for any recipient.
        case nothingNew
        /// The frame waited for its app longer than the time after which the app is unresponsive.
        case late
        /// A scan of moves waited too long to matter; its fingers have lifted since.
        case stale
        /// The app is unresponsive. A finger that landed on it has no owner, and the frames that waited for it are
        /// discarded.
        case notResponding
        /// A touch monitor has taken the touch from its app.
        case takenByMonitor
        /// A system gesture has taken the touch from its app.
        case takenBySystem
    }

    /// The sequence number of the answered frame, on the link on which it arrived.
    public var frame: SequenceNumber
    public var outcome: Outcome
    /// The reason of a drop: never `none` for `dropped`, always `none` for the other outcomes.
    public var reason: Reason
    /// Touches per phase, as the recipient's event contained them.
    public var began, moved, stationary, ended, cancelled: UInt16
    /// Contacts of a scan that moved or lifted after a touch monitor or a system gesture had taken their touches. The
    /// counts above do not include them. Receipts of apps have 0 here; receipts to input-kit have the counts.
    public var takenByMonitor: UInt16 = 0
    public var takenBySystem: UInt16 = 0
    /// Moves that were merged into later ones. The counts above do not include them. A receipt to input-kit has the number
    /// for a frame of several scans only: one for a frame of one scan counts no touch if it was merged.
    public var coalesced: UInt16?
    /// The edges at which the app's topmost controller defers system gestures, as bits of UIRectEdge, for a frame in
    /// which a gated touch begins. Nil if the frame did not ask.
    public var deferredEdges: UInt8?

    public init(
        frame: SequenceNumber, outcome: Outcome, reason: Reason = .none, began: UInt16 = 0, moved: UInt16 = 0,
        stationary: UInt16 = 0, ended: UInt16 = 0, cancelled: UInt16 = 0
    ) {
        self.reason = reason
        (self.frame, self.outcome, self.began, self.moved) = (frame, outcome, began, moved)
        (self.stationary, self.ended, self.cancelled) = (stationary, ended, cancelled)
    }

    /// Whether the receipt counts no touch, because its frame was merged into a later one of the same fingers.
    public var isSilent: Bool { began == 0 && moved == 0 && stationary == 0 && ended == 0 && cancelled == 0 }
}

/// The report that the server disconnected a peer after too many strikes.
public struct StrikeReport: Hashable, Sendable {
    public var peer: Peer
    public var generation: UInt32
    /// The number of strikes that led to it.
    public var strikes: UInt32
    /// The last strike as text for a person.
    public var reason: String

    public init(peer: Peer, generation: UInt32, strikes: UInt32, reason: String) {
        (self.peer, self.generation, self.strikes, self.reason) = (peer, generation, strikes, reason)
    }
}

/// A time in which an app does not answer. The server sends one record when it begins, and the same with the outcome
/// when it ends.
public struct Stall: Hashable, Sendable {
    /// The station that holds the unanswered frame.
    public enum Hop: UInt8, Sendable, CaseIterable {
        /// The app's process has not received the frame: the process does not run, or its link does not carry frames.
        case link
        /// The app's process has received the frame, and its main loop has not processed it.
        case mainLoop
    }

    public var app: AppID
    /// The process generation of the app.
    public var generation: UInt32
    /// The number of the stall on this app's link, from 1.
    public var episode: UInt32
    public var hop: Hop
    /// The oldest unanswered frame on the app's link, and the moment since which no answer arrived.
    public var frame: SequenceNumber
    public var since: Instant
    /// The scans that the app has not answered, and the messages that waited for its credit window. A frame without scans
    /// counts as one.
    public var unanswered: UInt32
    public var waiting: UInt32
    /// The touches that the app loses.
    public var touches: UInt32
    /// The time from `since` to the next answer; nil while there is none.
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

/// A change of its life cycle that an app did not finish in time.
public struct Overrun: Hashable, Sendable {
    public var app: AppID
    public var generation: UInt32
    public var change: LifeCycleChange
    /// The time that the app was given.
    public var limit: Duration

    public init(app: AppID, generation: UInt32, change: LifeCycleChange, limit: Duration) {
        (self.app, self.generation, self.change, self.limit) = (app, generation, change, limit)
    }
}

/// A key and its value, with the dotted key of `Config/pipeline.yaml`: `screen.width`, `375`.
public struct Setting: Hashable, Sendable {
    public var key: String
    public var value: String
    public init(key: String, value: String) { (self.key, self.value) = (key, value) }
}

/// The first message to a child: its identity and all of its settings.
public struct LaunchOrder: Hashable, Sendable {
    public var peer: Peer
    public var epoch: UInt32
    public var generation: UInt32
    /// The directory of the group, with mode 0700, which contains its sockets and traces.
    public var runDirectory: String
    public var settings: [Setting]
    /// The URL that an app is launched with, under the number that the server gave it in this epoch.
    public var openRequest: OpenRequest?

    public init(
        peer: Peer, epoch: UInt32, generation: UInt32, runDirectory: String, settings: [Setting],
        openRequest: OpenRequest? = nil
    ) {
        (self.peer, self.epoch, self.generation) = (peer, epoch, generation)
        (self.runDirectory, self.settings, self.openRequest) = (runDirectory, settings, openRequest)
    }
}

/// A process that may send: the supervisor's statement, which is the only authority on it.
public struct RosterEntry: Hashable, Sendable {
    public var peer: Peer
    public var pid: Int32
    public var uid: UInt32
    public var generation: UInt32
    public var isReady: Bool
    /// The seal that the process's pass opens. The supervisor's host adds it on the way to the server; no core reads
    /// it.
    public var seal: Seal

    public init(peer: Peer, pid: Int32, uid: UInt32, generation: UInt32, isReady: Bool, seal: Seal = .none) {
        (self.peer, self.pid, self.uid) = (peer, pid, uid)
        (self.generation, self.isReady, self.seal) = (generation, isReady, seal)
    }
}

/// An event of the phone itself rather than of its panel (Docs/Spec/Scenarios.md, script lines).
public enum SystemAct: Hashable, Sendable {
    /// A call or an alert: the app in front loses its touches and then its active state.
    case interrupt
    case resume
    case home
    case foreground(app: AppID)
    case lock
    case unlock
    /// Two apps side by side; the first is on the left.
    case split(app: AppID, with: AppID)
    /// An app over those in front, in a frame on the display.
    case overlay(app: AppID, frame: Rect<DisplaySpace>)
    /// An app leaves the screen and stays in memory.
    case suspend(app: AppID)
    /// The system asks an app to terminate.
    case terminate(app: AppID)
    /// An alert of the system, over every app. It lasts until `resume`.
    case alert
    /// The height of the keyboard in points; zero hides it.
    case keyboard(height: Fixed)
    case display(isOn: Bool)
    /// An app's interface takes this orientation from now on, if the app supports it.
    case orientation(app: AppID, InterfaceOrientation)
}

/// An order to play a recording, a script or generated input.
public struct PlayOrder: Hashable, Sendable {
    /// The input that is played.
    public enum Source: Hashable, Sendable {
        /// An absolute path on this machine.
        case file(String)
        /// A finger script (Docs/Spec/Semantics.md section 0.4) with positions in screen points.
        case script(String)
        /// One finger that lands, moves every period and lifts, in this many frames. `bench` plays it.
        case synthetic(frames: UInt32)
        /// No input. The report is sent when everything that plays and devices sent earlier has been answered.
        case marker
    }

    /// The times at which frames are sent.
    public enum Pace: Hashable, Sendable {
        /// The recording's own times at this speed, in thousandths: 1000 is real time.
        case times(UInt32)
        /// As fast as the receivers' credit allows.
        case max
        /// The time between two frames in nanoseconds.
        case every(UInt64)
        /// The next frame follows the receipt of the previous one.
        case closedLoop
    }

    /// The greatest length of a script in bytes that fits into a frame with its other fields. A longer script is a
    /// file.
    public static let scriptLimit = 60_000

    /// The number that the sender of the request chose; the report returns it.
    public var id: UInt32
    public var source: Source
    public var pace: Pace
    /// At least 1.
    public var repeats: UInt32
    /// The number of frames at the beginning for which no `measured` is sent.
    public var warmUpFrames: UInt32
    public var wantsLedgers: Bool
    /// The axes of a recording that does not describe them.
    public var ranges: AxisRanges?
    /// Whether a contact that a HID report omits has lifted.
    public var absentMeansLifted = false
    /// The display that the fingers are on; 1 is the main one. Keys and pointers belong to the main display.
    public var display = DisplayID.main

    public init(
        id: UInt32, source: Source, pace: Pace, repeats: UInt32 = 1, warmUpFrames: UInt32 = 0,
        wantsLedgers: Bool = false, ranges: AxisRanges? = nil
    ) {
        (self.id, self.source, self.pace, self.repeats) = (id, source, pace, repeats)
        (self.warmUpFrames, self.wantsLedgers, self.ranges) = (warmUpFrames, wantsLedgers, ranges)
    }
}

/// The number of touches in each phase. Stationary touches are not counted.
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

    /// Counts a finger of a scan, unless it hovers or is stationary.
    public mutating func count(_ phase: ContactPhase?, times: UInt64 = 1) {
        switch phase {
        case .began: began += times
        case .moved: moved += times
        case .ended: ended += times
        case .cancelled: cancelled += times
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

/// The result of a play.
public struct PlayReport: Hashable, Sendable {
    public var id: UInt32
    /// The scans and inputs that were sent, and those for which a receipt arrived. Scans that share a frame have its
    /// receipt and its outcome.
    public var sent, answered: UInt64
    /// Of the answered ones: those handled by an app, by the home screen, or by no process because of a loss or a
    /// refusal.
    public var delivered, home, dropped: UInt64
    /// Of the answered ones: those whose touches had all been taken from their apps by touch monitors or system
    /// gestures.
    public var takenFrames: UInt64 = 0
    /// The touches in the sent frames.
    public var sentTouches = PhaseCounts()
    /// The touches as the recipients counted them.
    public var arrivedTouches = PhaseCounts()
    /// Moves that were merged into a later move of the same finger. They are not counted above; an app has them as
    /// coalesced touches. With the arrived moves they are the sent ones, unless touches were taken or lost.
    public var coalesced: UInt64
    /// Moves, lifts and cancellations of touches that a touch monitor or a system gesture had taken before.
    public var takenByMonitor: UInt64 = 0
    public var takenBySystem: UInt64 = 0
    /// The reason why the play stopped early, or empty: "Atmel.evemu:12: expected …, found …".
    public var failure: String

    public init(id: UInt32) {
        self.id = id
        (sent, answered, delivered, home, dropped) = (0, 0, 0, 0, 0)
        (coalesced, failure) = (0, "")
    }

    /// Counts a receipt that arrived.
    ///
    /// - Parameters:
    ///   - receipt: The receipt, of whichever outcome.
    ///   - scans: The number of scans, or of other inputs, in the answered frame.
    public mutating func count(_ receipt: Receipt, ofScans scans: Int) {
        let scans = UInt64(scans)
        answered += scans
        switch receipt.outcome {
        case .delivered: delivered += scans
        case .home: home += scans
        case .dropped where [.takenByMonitor, .takenBySystem].contains(receipt.reason): takenFrames += scans
        case .dropped: dropped += scans
        }
        takenByMonitor += UInt64(receipt.takenByMonitor)
        takenBySystem += UInt64(receipt.takenBySystem)
        arrivedTouches += PhaseCounts(of: receipt)
    }

    /// Whether every touch that was sent was counted by a recipient, was merged into a counted one, or had been taken.
    public var isWhole: Bool {
        let (sent, arrived) = (sentTouches, arrivedTouches)
        guard arrived.began == sent.began, arrived.moved <= sent.moved, arrived.ended <= sent.ended,
            arrived.cancelled <= sent.cancelled
        else { return false }
        let missingMoves = arrived.moved &+ coalesced >= sent.moved ? 0 : sent.moved - arrived.moved - coalesced
        let missing = missingMoves &+ (sent.ended - arrived.ended) &+ (sent.cancelled - arrived.cancelled)
        return missing <= takenByMonitor &+ takenBySystem
    }

    /// Whether every touch that began at a recipient also ended there or had been taken from it.
    public var isPaired: Bool {
        let (began, ends) = (arrivedTouches.began, arrivedTouches.ended &+ arrivedTouches.cancelled)
        return ends <= began && began - ends <= takenByMonitor &+ takenBySystem
    }
}

/// The report of a process about itself: rows in the order in which a person reads them.
public struct Report: Hashable, Sendable {
    /// The value of a row.
    public enum Value: Hashable, Sendable {
        case number(Int64)
        case text(String)
        case flag(Bool)
    }
    /// A key with its value.
    public struct Row: Hashable, Sendable {
        /// A dotted key: `queue.depth`.
        public var key: String
        public var value: Value
        public init(_ key: String, _ value: Value) { (self.key, self.value) = (key, value) }
    }

    public var peer: Peer
    public var rows: [Row]

    public init(peer: Peer, rows: [Row] = []) { (self.peer, self.rows) = (peer, rows) }

    /// Makes a report without rows.
    ///
    /// - Parameters:
    ///   - peer: The process that the report describes.
    ///   - capacity: The expected number of rows. A list that grows row by row is copied several times.
    public init(peer: Peer, capacity: Int) {
        self.init(peer: peer)
        rows.reserveCapacity(capacity)
    }

    @inlinable
    public mutating func add(_ key: String, _ number: some BinaryInteger) {
        rows.append(Row(key, .number(Int64(clamping: number))))
    }
    public mutating func add(_ key: String, text: String) { rows.append(Row(key, .text(text))) }
    public mutating func add(_ key: String, flag: Bool) { rows.append(Row(key, .flag(flag))) }

    public subscript(key: String) -> Value? { rows.first { $0.key == key }?.value }

    /// The rows as lines for a page of lines: `queue.depth number 3`.
    package var lines: [String] {
        rows.map { row in
            switch row.value {
            case .number(let number): "\(row.key) number \(number)"
            case .text(let text): "\(row.key) text \(text)"
            case .flag(let flag): "\(row.key) flag \(flag)"
            }
        }
    }

    /// Reads lines of an app. A line that is no row is left out: the app may be of another version.
    package init(peer: Peer, lines: [String]) {
        self.init(
            peer: peer,
            rows: lines.compactMap { line in
                let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
                guard parts.count == 3 else { return nil }
                let key = String(parts[0])
                switch parts[1] {
                case "number": return Int64(parts[2]).map { Row(key, .number($0)) }
                case "text": return Row(key, .text(String(parts[2])))
                case "flag": return Bool(String(parts[2])).map { Row(key, .flag($0)) }
                default: return nil
                }
            })
    }
}
