// AppConnection.swift: what the server knows of one app while their link is open.
//
// Station   router
// Input     SystemServerCore: frames for the app, its receipts
// Output    the scans that a receipt, a death or a full window answers
// Knows     the link, what waits for the app's window, what the app has yet to answer, whether it responds. No touch of
//           which the app has not been told, no scene.
//
// FlowControl.swift, Display.swift, Responsiveness.swift and Watchdog.swift add what each of them does with it.
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Wire

struct AppConnection: Sendable {
    /// A message that waits for the app's window, or for the display's frame.
    struct Waiting: Sendable {
        /// The scan of which it is a part; zero for none.
        var input: SequenceNumber
        let message: ServerToApp
        let ledger: Ledger
        /// When it was to be sent. Of one that waited for the display's frame: the moment of that frame.
        var at: Instant
        /// What the app is told instead: where the fingers were at the frame.
        var shown: TouchFrame?
        /// Whether something begins or ends with it.
        let isEdge: Bool

        init(input: SequenceNumber, message: ServerToApp, ledger: Ledger, at moment: Instant) {
            (self.input, self.message, self.ledger, at) = (input, message, ledger, moment)
            isEdge = message.isEdge
        }

        /// Whether the app answers it with a receipt: then it takes a place of the window.
        var isAnswered: Bool { !message.keepsItsPlace }
    }

    /// Its capacity is the app's window: when it opens, frames of the last link may still take a part of the app's room.
    var link: Link
    /// How many unanswered frames the server allows any app: `server.window`.
    let limit: Int
    /// Messages that wait for room in the window, in order.
    var waiting: [Waiting] = []
    /// Moves that wait for the display's frame, behind everything that waits for the window.
    var held: [Waiting] = []
    /// The sample before those; nil when something has begun or ended since.
    var lastShown: TouchFrame?
    /// The frames without a receipt, each with the scan of which it is a part: zero for one that is part of none, or of an
    /// input-kit that is gone. Such a frame takes a place of the window too.
    private var questions = Outstanding<SequenceNumber>()
    var responsiveness = Responsiveness()
    /// Changes of its life that it was told of and has not carried out, oldest first.
    var changes: [Change] = []
    /// The highest number of unanswered frames, and the number of scans that became part of later ones.
    private(set) var most = 0
    var coalesced: UInt64 = 0
    /// Frames that the app has not received or had no room for, as far as it has said.
    var missed: UInt64 = 0
    /// The number of the last frame that changed its life; zero before there is one.
    var lastLifeCycle = SequenceNumber.zero
    /// The number from which on it was last told again where its scene is and what to open, and how its life stands.
    var sceneSaid = SequenceNumber.zero
    var standingSaid = SequenceNumber.zero

    init(link: Link, limit: Int) { (self.link, self.limit) = (link, limit) }

    /// Everything that it is to be told and has not been told.
    var pending: Int { waiting.count + held.count }

    // MARK: Questions

    /// How many frames it has not answered.
    var unanswered: Int { questions.count }
    /// The number of the first of them; zero for none.
    var firstUnanswered: SequenceNumber { questions.first }
    /// The scans of which they are parts.
    var askedScans: [SequenceNumber] { questions.entries.map(\.note) }

    func isAsked(_ frame: SequenceNumber) -> Bool { questions.contains(frame) }

    /// A part of this scan was sent in this frame.
    mutating func asked(_ scan: SequenceNumber, in frame: SequenceNumber) {
        questions.append(frame, scan)
        most = max(most, questions.count)
    }

    /// The app has answered a frame.
    ///
    /// - Returns: The scan of which the frame was a part; nil when the frame is not outstanding.
    mutating func answered(_ frame: SequenceNumber) -> SequenceNumber? { questions.remove(frame) }

    /// The app has received every frame up to `received`, and answered what is older than `oldest` (zero: everything).
    ///
    /// - Returns: The scans whose receipts were lost.
    mutating func answersLost(received: SequenceNumber, oldest: SequenceNumber) -> [SequenceNumber] {
        questions.answersLost(received: received, oldest: oldest).compactMap { questions.remove($0) }
    }

    /// Input-kit, from which the scans came, is gone.
    mutating func disown() {
        questions.changeAll { $0 = .zero }
        for place in waiting.indices { waiting[place].input = .zero }
        for place in held.indices { held[place].input = .zero }
    }
}

/// A link that was lost. Should its process still live, the numbers go on, and what it has been told holds.
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
    /// Whether it tells an app how things stand from here on. The app does not answer it, and receives it behind
    /// everything that was to be sent before it.
    var keepsItsPlace: Bool {
        switch self {
        case .lifeCycle, .scene, .open: true
        case .hello, .link, .touches, .input, .screenshot, .opened, .observe, .refused: false
        }
    }
}
