// Links.swift: what an audit knows of one process, and of its link to the server.
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Wire

/// One process, as its current or last life has it.
struct Presence: Sendable {
    var life: Life
    /// Which group of this run it is of: where there is no supervisor, the first.
    var group = 0
    var isAlive = true
    var endedAt = Instant.boot
    /// It ended because it knew that it had been stopped.
    var hasLeaseExpired = false
}

/// What the two ends of one link to the server send and hear.
struct LinkEnds: Sendable {
    private let role: Role
    private let hasOneClock: Bool
    var client: StreamVerifier
    var server: StreamVerifier
    /// Frames that are known to be lost, until a later frame shows the hole.
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

/// Input-kit's link: scans one way, receipts the other.
struct ScanLink: Sendable {
    var ends: LinkEnds
    var presence: Presence?
    /// The play under way.
    var play: CountedPlay?
    /// Whether a device has been heard that is no play.
    var hasHands = false
    /// Of live devices, in the order they were first heard of.
    var paces: [Pace] = []
    /// Of lives, oldest first; the last is there now, or was.
    var streams: [Stream] = []
    /// Whose greeting the server has taken, in `streams`.
    var heardByServer: Int?

    init(hasOneClock: Bool) { ends = LinkEnds(of: .inputKit, hasOneClock: hasOneClock) }

    struct Stream: Sendable {
        let life: Life
        var tally = Tally()
    }
}

/// What was sent and what came back since a play began, which its report has to say.
struct CountedPlay: Sendable {
    var report: PlayReport
    /// Whether scans that are none of its own were under way, or answers were lost.
    var isMixed: Bool

    mutating func sent(_ event: HIDEvent) {
        report.sent += 1
        for finger in event.fingers { report.sentTouches.count(finger.phase) }
    }

    mutating func heard(_ receipt: Receipt) {
        if receipt.reason == .lostOnLink { isMixed = true }
        report.answered += 1
        switch receipt.outcome {
        case .delivered: report.delivered += 1
        case .home: report.home += 1
        case .dropped where [.takenByMonitor, .takenBySystem].contains(receipt.reason): report.taken += 1
        case .dropped: report.dropped += 1
        }
        report.takenByMonitor += UInt64(receipt.takenByMonitor)
        report.takenBySystem += UInt64(receipt.takenBySystem)
        report.arrivedTouches += PhaseCounts(of: receipt)
    }
}

/// An app's link: touches one way, receipts the other.
struct AppLink: Sendable {
    let app: AppID
    var ends: LinkEnds
    var presence: Presence?
    var tally = Tally()
    /// Since when the server's end, and the app's, are unheard of by the other, with touches alive.
    var serverLossUnheard: Instant?
    var appLossUnheard: Instant?
    /// Whether the server has this app for its link's other end.
    var isHeldByServer = false
    /// Of the last greeting the server has taken from it.
    var generationHeard: UInt32?
    var touches = Touches()
    /// Keys and pointers it has been told of and not of their end.
    var held = HeldInputs<SceneSpace>()
    /// Frames it is to be told, and those it has been told and the server has no answer to.
    var dues = Dues()
    var questions = Questions()
    var answering = Answering()
    var scene = Scene()
    var latencies = AppLatencies()

    init(app: AppID, hasOneClock: Bool) {
        self.app = app
        ends = LinkEnds(of: .app, hasOneClock: hasOneClock)
    }

    struct Touches: Sendable {
        /// Those the app has heard of and not of their end.
        var live: [TouchID] = []
        /// Those the server has told it of and has not ended.
        var told: [TouchID] = []
        /// Why touches were cancelled that the app has not heard of yet.
        var causes: [(touch: TouchID, cause: EndCause)] = []
    }

    /// How the app answers the server, as far as the server has heard.
    struct Answering: Sendable {
        /// Since when it has answered nothing of what it was asked; nil while nothing is.
        var askedSince: Instant?
        /// The server has said that it does not answer.
        var isStalled = false
        /// Frames it has not heard or had no room for.
        var missed: UInt64 = 0
        /// When the server last had no room to tell it anything.
        var lastFull = Instant.boot
        /// A move took it into the part of its window that beginnings and ends have, to this many frames: one of a key's
        /// is behind it.
        var overreach: Int?
    }

    struct Scene: Sendable {
        /// As the server has told it; nil is the whole screen.
        var told: Ground?
        /// Nil until it has declared any.
        var windows: DeclaredWindows?
        /// Whether one of them has been secure since its life began.
        var hasSecrets = false
    }
}
