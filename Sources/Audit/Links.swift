// Links.swift: what an audit knows of one process, and of its link to the server.
//
// Sources   invented

import Basics
import HID
import Hosting
import Wire

/// One process, as its current or last life has it.
struct Presence: Sendable {
    var life: Life
    /// Which group of this run it is of: where there is no supervisor, the first.
    var group = 0
    var isAlive = true
    var endedAt = Instant.boot
}

/// Input-kit's link: scans one way, receipts the other.
struct ScanLink: Sendable {
    var clientEnd = StreamVerifier(of: .inputKit, to: .systemServer)!
    var serverEnd = StreamVerifier(of: .systemServer, to: .inputKit)!
    var presence: Presence?
    /// Of lives, oldest first; the last is there now, or was.
    var streams: [Stream] = []
    /// Whose greeting the server has taken, in `streams`.
    var heardByServer: Int?

    struct Stream: Sendable {
        let life: Life
        var tally = Tally()
    }
}

/// An app's link: touches one way, receipts the other.
struct AppLink: Sendable {
    let instance: UInt32
    var clientEnd = StreamVerifier(of: .app, to: .systemServer)!
    var serverEnd = StreamVerifier(of: .systemServer, to: .app)!
    var presence: Presence?
    var tally = Tally()
    /// Whether the server has this app for its link's other end.
    var isHeldByServer = false
    /// Touches the app has been told of and not of their end, and how many there are the server has not ended.
    var live: [TouchID] = []
    var toldLive: [TouchID] = []
    /// Why touches were cancelled that the app has not heard of yet.
    var causes: [(touch: TouchID, cause: EndCause)] = []

    var calm = Latencies()
    var disturbed = Latencies()

    init(instance: UInt32) { self.instance = instance }
}
