// AppConnection.swift: what the server knows of one app while their link is open.
//
// Station   router
// Input     SystemServerCore: frames for the app, its receipts
// Output    the scans that a receipt, an exit or a full credit window answers
// Knows     the link, waiting messages, outstanding frames, responsiveness. No scene, and no touch before its frame.
//
// FlowControl.swift, Display.swift, Responsiveness.swift and Watchdog.swift extend it, each with its own subject.
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Wire

/// The link to one app, with the messages that wait for it and the frames that it has not answered.
struct AppConnection: Sendable {
    /// A message that waits for the app's credit window, or for the display frame.
    struct Waiting: Sendable {
        /// The scan that contains the message; zero for none.
        var input: SequenceNumber
        var message: ServerToApp
        var ledger: Ledger
        /// The moment when the message was due. If it waited for the display frame, the moment of that frame.
        var at: Instant
        /// The touches to send instead: their positions at the display frame.
        var shown: TouchFrame?
        /// Whether a touch or an input begins or ends in the message.
        let isEdge: Bool

        init(input: SequenceNumber, message: ServerToApp, ledger: Ledger, at moment: Instant) {
            (self.input, self.message, self.ledger, at) = (input, message, ledger, moment)
            isEdge = message.isEdge
        }

        /// Whether the app answers the message with a receipt. Such a message counts in the credit window.
        var isAnswered: Bool { !message.isQueuedInOrder }
    }

    /// The link to the app. Its `capacity` is the app's credit window: the credit in the hello may be smaller, because
    /// frames of the last link may still occupy the app's inbox.
    var link: Link
    /// The limit of unanswered scans for every app: `server.creditWindow`.
    let limit: Int
    /// Messages that wait for the credit window, in order.
    var waiting: [Waiting] = []
    /// Moves that wait for the display frame, behind all messages in `waiting`.
    var held: [Waiting] = []
    /// The last sample that was released before the held ones; nil if a touch has begun or ended since.
    var lastShown: TouchFrame?
    /// The frames without a receipt, each with the scan that contains it. The scan is zero for a frame that belongs to
    /// no scan, or to a scan of an input-kit that is gone. Such frames count in the credit window too.
    private var outstanding = Outstanding<Sent>()
    var responsiveness = Responsiveness()
    /// The changes of the life cycle that were sent and are not carried out yet, oldest first.
    var changes: [Change] = []
    /// The highest number of unanswered scans so far.
    private(set) var mostUnanswered = 0
    /// The number of scans that were merged into later ones.
    var coalesced: UInt64 = 0
    /// Frames that the app has not received or had no room for, as far as it has reported.
    var missed: UInt64 = 0
    /// The number of the last frame that changed the app's life cycle; zero if there is none.
    var lastLifeCycle = SequenceNumber.zero
    /// The number of the first frame of the last restatement: of the scene and the open URL, and of the life cycle.
    var sceneRestatedFrom = SequenceNumber.zero
    var lifeCycleRestatedFrom = SequenceNumber.zero

    init(link: Link, limit: Int) { (self.link, self.limit) = (link, limit) }

    /// The number of messages that are due and not sent.
    var pending: Int { waiting.count + held.count }

    // MARK: Outstanding frames

    /// What is noted about an outstanding frame: the scan or shared frame of input-kit that it is a part of, and its
    /// number of scans.
    private struct Sent: Sendable {
        var scan: SequenceNumber
        let scans: Int
    }

    /// The number of scans in frames that the app has not answered. Another frame counts as one.
    private(set) var unanswered = 0
    /// The number of the first unanswered frame; zero for none.
    var firstUnanswered: SequenceNumber { outstanding.first }
    /// The scans that contain the unanswered frames.
    var outstandingScans: [SequenceNumber] { outstanding.entries.map(\.note.scan) }

    func isOutstanding(_ frame: SequenceNumber) -> Bool { outstanding.contains(frame) }

    /// Notes that a part of this scan was sent in this frame.
    ///
    /// - Parameter scans: The number of scans in the frame.
    mutating func noteSent(_ scan: SequenceNumber, in frame: SequenceNumber, scans: Int) {
        outstanding.append(frame, Sent(scan: scan, scans: scans))
        unanswered += scans
        mostUnanswered = max(mostUnanswered, unanswered)
    }

    /// Notes that the app has answered a frame.
    ///
    /// - Returns: The scan that contains the frame; nil if the frame is not outstanding.
    mutating func noteAnswer(to frame: SequenceNumber) -> SequenceNumber? {
        guard let sent = outstanding.remove(frame) else { return nil }
        unanswered -= sent.scans
        return sent.scan
    }

    /// Removes the frames whose receipts were lost: those up to `received` that precede `oldest` (zero: all of them).
    ///
    /// - Returns: The scans that contain these frames.
    mutating func removeAnswersLost(received: SequenceNumber, oldest: SequenceNumber) -> [SequenceNumber] {
        outstanding.answersLost(received: received, oldest: oldest).compactMap { noteAnswer(to: $0) }
    }

    /// Forgets the scans, because the input-kit that sent them is gone.
    mutating func forgetScans() {
        outstanding.changeAll { $0.scan = .zero }
        for index in waiting.indices { waiting[index].input = .zero }
        for index in held.indices { held[index].input = .zero }
    }
}

/// A link that was lost. If the app's process still lives, its numbers continue, and its last life cycle holds.
struct FormerConnection: Sendable {
    let link: Link
    let lastLifeCycle: SequenceNumber

    init(_ connection: AppConnection) {
        var link = connection.link
        link.lost()
        (self.link, lastLifeCycle) = (link, connection.lastLifeCycle)
    }
}

extension ServerToApp {
    /// Whether the message states the app's life cycle, its scene or a URL to open. The app sends no receipt for it,
    /// and receives it behind all messages that were due earlier.
    var isQueuedInOrder: Bool {
        switch self {
        case .lifeCycle, .scene, .open: true
        case .hello, .link, .touches, .severalTouches, .input, .screenshot, .opened, .observe, .refused: false
        }
    }
}
