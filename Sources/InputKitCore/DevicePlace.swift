// DevicePlace.swift: one path that a device can be at: which opening it is in, and the scans that wait there.
//
//     device at the path ─▶ LiveDevice, one an opening ─▶ ScanOutlet, one a place ─▶ the server
//
// Station   device
// Fed by    LiveDevices
// Feeds     LiveDevices: scans for the server, in turn
// Knows     one path. No other place, no link.
//
// Sources   invented

import Basics
import HID
import Hosting

struct DevicePlace: Sendable {
    let path: String
    var state = DeviceLife.State.absent
    /// Of the last attempt to open it.
    var id = DeviceID(0)
    var device: LiveDevice?
    var identity = DeviceIdentity()
    var isEvdev = false
    /// 0 until it has been opened as a touch device once.
    var sender: UInt64 = 0
    var openings: UInt32 = 0
    var attempts = OpeningAttempts()
    /// Why it is not read; empty while it is.
    var reason = ""
    var outlet: ScanOutlet
    /// Of the devices that were opened here before.
    private var before = LiveDevice.Counters()

    init(path: String, moveLimits: TokenBucket.Limits) {
        (self.path, outlet) = (path, ScanOutlet(moveLimits: moveLimits))
    }

    var counters: LiveDevice.Counters { before + (device?.counters ?? LiveDevice.Counters()) }

    /// The display that it lies over, unless that is the main one.
    var whereabouts: String {
        let display = device?.opening.display ?? 1
        return display == 1 ? "" : " over display \(display)"
    }

    mutating func take(_ bytes: [UInt8], at now: Instant, canHear: Bool, ordinal: inout UInt64) -> LiveDevice.Need {
        device?.take(bytes, at: now, canHear: canHear, into: &outlet.queue, ordinal: &ordinal) ?? .nothing
    }

    mutating func resynchronise(_ slots: DeviceSlots?, at now: Instant, canHear: Bool, ordinal: inout UInt64) {
        device?.resynchronise(slots, at: now, canHear: canHear, into: &outlet.queue, ordinal: &ordinal)
    }

    mutating func expire(at now: Instant, ordinal: inout UInt64) -> Int {
        device?.expire(at: now, into: &outlet.queue, ordinal: &ordinal) ?? 0
    }

    mutating func wasAway(at now: Instant, ordinal: inout UInt64) -> Int {
        device?.wasAway(at: now, into: &outlet.queue, ordinal: &ordinal) ?? 0
    }

    mutating func deadline() -> Instant? {
        let moment = min(attempts.retryAt ?? .never, device?.deadline() ?? .never, outlet.waitsUntil ?? .never)
        return moment == .never ? nil : moment
    }

    mutating func end(at now: Instant, ordinal: inout UInt64) {
        device?.end(at: now, into: &outlet.queue, ordinal: &ordinal)
        before = counters
        device = nil
    }
}

/// How often a device was tried in vain, and when it is tried again.
struct OpeningAttempts: Sendable {
    private(set) var retryAt: Instant?
    private var count = 0
    private var openedAt = Instant.boot

    /// How many attempts follow a first one that failed.
    static let limit = 5
    /// The time before the first of them; it doubles for each further one.
    static let firstRetry = Duration.milliseconds(100)
    /// A device that is lost sooner than this after it was opened has not been opened to any use.
    static let settled = Duration.seconds(1)

    mutating func beginAgain() { count = 0 }
    mutating func opened(at now: Instant) { openedAt = now }
    mutating func cancelRetry() { retryAt = nil }

    mutating func lost(at now: Instant) {
        if now >= openedAt.advanced(by: Self.settled) { beginAgain() }
    }

    mutating func retryLater(at now: Instant) {
        guard count < Self.limit else { return }
        retryAt = now.advanced(byNanoseconds: Self.firstRetry.nanoseconds << Int64(count))
        count += 1
    }
}
