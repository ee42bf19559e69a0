// Links.swift: the state of one process and of its link to the server, as the audit knows it.
//
// Input     Audit
// Output    all parts of the audit
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Wire

/// The present or the last process of a peer.
struct Presence: Sendable {
    var process: ProcessInstance
    /// The number of its group in this run. Without a supervisor all processes belong to group 0.
    var group = 0
    var isAlive = true
    var endedAt = Instant.boot
    /// Whether it ended because it found that it had been stopped for too long.
    var hasLeaseExpired = false
}

/// Both ends of one link to the server.
struct LinkEnds: Sendable {
    private let role: Role
    private let hasOneClock: Bool
    var client: StreamVerifier
    var server: StreamVerifier
    /// Frames that are known to be lost, until a later frame shows the gap.
    var lostToServer: [SequenceNumber] = []
    var lostToClient: [SequenceNumber] = []

    init(of role: Role, hasOneClock: Bool) {
        (self.role, self.hasOneClock) = (role, hasOneClock)
        client = StreamVerifier(of: role, to: .systemServer)!
        server = StreamVerifier(of: .systemServer, to: role)!
        clientBegins()
        serverBegins()
    }

    mutating func clientBegins() {
        client = StreamVerifier(of: role, to: .systemServer)!
        client.hasOneClock = hasOneClock
        lostToServer.removeAll()
    }

    mutating func serverBegins() {
        server = StreamVerifier(of: .systemServer, to: role)!
        server.hasOneClock = hasOneClock
        lostToClient.removeAll()
    }
}

/// The link of input-kit: scans in one direction, receipts in the other.
struct ScanLink: Sendable {
    var ends: LinkEnds
    var presence: Presence?
    /// The current play.
    var play: CountedPlay?
    /// Whether a device other than a play has sent scans.
    var hasLiveDevices = false
    /// The rates of live devices, in the order of their first scans.
    var paces: [Pace] = []
    /// One stream for each process generation, oldest first. The last one belongs to the present or last process.
    var streams: [Stream] = []
    /// The index in `streams` of the process whose hello the server accepted.
    var acceptedStream: Int?

    init(hasOneClock: Bool) { ends = LinkEnds(of: .inputKit, hasOneClock: hasOneClock) }

    /// The scans of one process of input-kit.
    struct Stream: Sendable {
        let process: ProcessInstance
        var tally = FrameTally()
    }
}

/// The counts since a play began, which its report must equal.
struct CountedPlay: Sendable {
    var report: PlayReport
    /// Whether scans of other sources were in flight, or receipts were lost.
    var isMixed: Bool
    /// The unanswered frames of several scans, with the number of scans in each.
    private var shared: [(frame: SequenceNumber, scans: Int)] = []

    init(report: PlayReport, isMixed: Bool) { (self.report, self.isMixed) = (report, isMixed) }

    mutating func countSent(_ event: HIDEvent) {
        report.sent += 1
        for finger in event.fingers { report.sentTouches.count(finger.phase) }
    }

    mutating func countSent(_ events: ScanList, in frame: SequenceNumber) {
        shared.append((frame, events.count))
        for event in events { countSent(event) }
    }

    mutating func countReceipt(_ receipt: Receipt) {
        if receipt.reason == .lostOnLink { isMixed = true }
        let index = shared.firstIndex { $0.frame == receipt.frame }
        report.count(receipt, ofScans: index.map { shared.remove(at: $0).scans } ?? 1)
    }
}

/// The link of an app: touches in one direction, receipts in the other.
struct AppLink: Sendable {
    let app: AppID
    var ends: LinkEnds
    var presence: Presence?
    var tally = FrameTally()
    /// Since when the server's end is unknown to the app, and the app's end unknown to the server, with live touches.
    var unnoticedServerLoss: Instant?
    var unnoticedAppLoss: Instant?
    /// Whether the server has a link to this app.
    var isLinkedToServer = false
    /// The process generation of the last hello that the server accepted.
    var acceptedGeneration: UInt32?
    var touches = Touches()
    /// Keys and pointers whose beginning the app received and whose end it did not.
    var held = HeldInputs<SceneSpace>()
    /// The frames due to the app, and the outstanding ones.
    var dues = DueFrames()
    var questions = OutstandingFrames()
    var answering = Answering()
    var scene = Scene()
    var latencies = AppLatencies()

    init(app: AppID, hasOneClock: Bool) {
        self.app = app
        ends = LinkEnds(of: .app, hasOneClock: hasOneClock)
    }

    /// The touches of the app, at both ends of its link.
    struct Touches: Sendable {
        /// The touches whose beginning the app received and whose end it did not.
        var live: [TouchID] = []
        /// The touches whose beginning the server sent and whose end it did not.
        var sent: [TouchID] = []
        /// The causes of cancellations that the app has not received yet.
        var causes: [(touch: TouchID, cause: EndCause)] = []
    }

    /// The answers of the app, as far as the server received them.
    struct Answering: Sendable {
        /// Since when the app has answered no outstanding frame; nil while none is outstanding.
        var unansweredSince: Instant?
        /// Whether the server has reported the app as unresponsive.
        var isStalled = false
        /// The number of frames that the app did not receive or had no room for.
        var missed: UInt64 = 0
        /// The last moment at which the app had no credit left.
        var lastFull = Instant.boot
        /// The number of outstanding frames when a move was sent in the reserved part of the window. The end of a key
        /// must wait behind it.
        var overreach: Int?
    }

    /// The app's scene and windows.
    struct Scene: Sendable {
        /// The scene as the server sent it; nil for the whole screen.
        var sent: OrientedFrame?
        /// The declared windows; nil before the first declaration.
        var windows: DeclaredWindows?
        /// Whether a window was secure at any time since the process started.
        var hasSecrets = false
    }
}
