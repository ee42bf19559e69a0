// DeviceNode.swift: one device node: the device that is open there, and the scans that wait for the server.
//
// Station   device
// Input     LiveDevices
// Output    scans for the server, to LiveDevices
// Knows     one path. No other node, no link.
//
//     device at the path ─▶ LiveDevice, one for each opening ─▶ ScanOutlet, one for each node ─▶ the server
//
// Sources   invented

import Basics
import HID
import Hosting

/// One device node.
struct DeviceNode: Sendable {
    let path: String
    var state = DeviceNodeMachine.State.absent
    /// The number of the last attempt to open the node.
    var id = DeviceID(0)
    var device: LiveDevice?
    var identity = DeviceIdentity()
    var isEvdev = false
    /// The sender of the node's events; 0 until the node was opened as a touch device once.
    var sender: UInt64 = 0
    var openings: UInt32 = 0
    var attempts = OpeningAttempts()
    /// The reason why the node is not read; empty while it is read.
    var reason = ""
    var outlet: ScanOutlet
    /// The sums of earlier openings.
    private var earlierCounters = LiveDevice.Counters()

    init(path: String, moveLimits: TokenBucket.Limits) {
        (self.path, outlet) = (path, ScanOutlet(moveLimits: moveLimits))
    }

    /// The sums of all openings.
    var counters: LiveDevice.Counters { earlierCounters + (device?.counters ?? LiveDevice.Counters()) }

    /// The text about the panel's display; empty for the main display.
    var displayText: String {
        let display = device?.opening.display ?? 1
        return display == 1 ? "" : " over display \(display)"
    }

    mutating func read(_ bytes: [UInt8], at now: Instant, hasServer: Bool, ordinal: inout UInt64) -> LiveDevice.FollowUp
    {
        device?.read(bytes, at: now, hasServer: hasServer, into: &outlet.queue, ordinal: &ordinal) ?? .nothing
    }

    mutating func resynchronize(_ slots: DeviceSlots?, at now: Instant, hasServer: Bool, ordinal: inout UInt64) {
        device?.resynchronize(slots, at: now, hasServer: hasServer, into: &outlet.queue, ordinal: &ordinal)
    }

    mutating func expire(at now: Instant, ordinal: inout UInt64) -> Int {
        device?.expire(at: now, into: &outlet.queue, ordinal: &ordinal) ?? 0
    }

    mutating func cancelAfterSuspension(at now: Instant, ordinal: inout UInt64) -> Int {
        device?.cancelAfterSuspension(at: now, into: &outlet.queue, ordinal: &ordinal) ?? 0
    }

    /// Lowers a moment to the next time at which the node needs the timer.
    mutating func limitDeadline(_ next: inout Instant) {
        if let retryAt = attempts.retryAt { next = min(next, retryAt) }
        if let waitsUntil = outlet.waitsUntil { next = min(next, waitsUntil) }
        device?.limitDeadline(&next)
    }

    mutating func end(at now: Instant, ordinal: inout UInt64) {
        device?.end(at: now, into: &outlet.queue, ordinal: &ordinal)
        earlierCounters = counters
        device = nil
    }
}

/// The number of failed attempts to open a node, and the time of the next attempt.
struct OpeningAttempts: Sendable {
    private(set) var retryAt: Instant?
    private var count = 0
    private var openedAt = Instant.boot

    /// The number of attempts after the first one.
    static let limit = 5
    /// The pause before the second attempt. It doubles for each further attempt.
    static let firstRetry = Duration.milliseconds(100)
    /// A device that is lost sooner than this after its opening counts as a failed attempt.
    static let minimumOpenTime = Duration.seconds(1)

    mutating func reset() { count = 0 }
    mutating func opened(at now: Instant) { openedAt = now }
    mutating func cancelRetry() { retryAt = nil }

    mutating func lost(at now: Instant) {
        if now >= openedAt.advanced(by: Self.minimumOpenTime) { reset() }
    }

    mutating func retryLater(at now: Instant) {
        guard count < Self.limit else { return }
        retryAt = now.advanced(byNanoseconds: Self.firstRetry.nanoseconds << Int64(count))
        count += 1
    }
}
