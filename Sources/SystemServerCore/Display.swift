// Display.swift: holds moves until the server's next display frame, and sends them as one frame of touches.
//
//     move ───────────────────▶ held ──display frame──▶ one frame of touches, earlier samples as history ─▶ FlowControl
//     landing, lift, cancel ──▶ sent at once, behind the held moves, which are then released ─────────────▶ FlowControl
//
// A host's timer fires at each display frame that is needed; no timer runs while nothing is held. Held moves do not
// count in an app's credit window. If the window is closed at the display frame, they wait longer, as without a
// display. Keys and pointers are not held, and overtake held moves.
//
// Station   router
// Input     SystemServerCore: frames for apps, a timer
// Output    FlowControl, in order
// Knows     moments, and the moves it holds. No credit window.
//
// Sources   inferred  events wait for the display frame, and a landing need not (C6, S95)
//           invented  that the server has a display of its own; Docs/Decisions/FrameAlignment.md

import Basics
import HID
import Hosting
import Settings
import Trace
import Wire

/// The clock of the server's display frames.
struct Display: Sendable {
    /// Display frames per second; 0 for no display.
    let rate: Int
    /// Whether positions are computed for the moment of the display frame.
    let resamples: Bool
    private(set) var clock: FrameClock?
    /// The display frame that the timer is armed for; nil while nothing is held.
    var nextFrame: Instant?

    init(_ settings: Settings) {
        rate = settings[.serverDisplayRate]
        resamples = settings[.serverResample]
    }

    var isOn: Bool { clock != nil }

    /// Starts the clock. The first display frame is at the beginning of the epoch.
    mutating func begin(at now: Instant) {
        if rate > 0 { clock = FrameClock(rate: rate, from: now) }
    }
}

extension SystemServerCore {
    /// Holds a move until the next display frame.
    mutating func hold(
        _ question: AppConnection.Waiting, at appIndex: Int, at now: Instant, into outbox: inout Outbox
    ) {
        connections.values[appIndex].held.append(question)
        if display.nextFrame == nil { awaitFrame(at: now, into: &outbox) }
    }

    private mutating func awaitFrame(at now: Instant, into outbox: inout Outbox) {
        guard let next = display.clock?.next(after: now) else { return }
        display.nextFrame = next
        outbox.append(.arm(Timer.frame, at: next))
    }

    /// Releases held moves if a display frame is due. Every timer calls this, because it may fire at the same moment or later.
    mutating func showFrame(at now: Instant, into outbox: inout Outbox) {
        guard let clock = display.clock, let awaited = display.nextFrame, awaited <= now else { return }
        display.nextFrame = nil
        // A timer that is late by several frames shows the last of them.
        let moment = display.resamples ? clock.last(until: now).advanced(by: .zero - Resampling.latency) : nil
        var isMoreHeld = false
        for appIndex in connections.values.indices where !connections.values[appIndex].held.isEmpty {
            let app = connections.app(at: appIndex)
            let count = connections.values[appIndex].held(until: moment)
            if count > 0 {
                noteHeld(count, at: appIndex, at: now, into: &outbox)
                release(count, at: appIndex, showing: moment, at: now, into: &outbox)
                sendWaiting(to: app, at: now, into: &outbox)
            }
            isMoreHeld = isMoreHeld || !connections.values[appIndex].held.isEmpty
        }
        if isMoreHeld { awaitFrame(at: now, into: &outbox) }
    }

    private func noteHeld(_ count: Int, at appIndex: Int, at now: Instant, into outbox: inout Outbox) {
        let since = connections.values[appIndex].held[0].ledger[.serverReceived] ?? now
        outbox.trace.note(
            now, .router, "app {a}: {b} scans held for the display frame, at most {c:t}",
            Int64(connections.app(at: appIndex)),
            Int64(count), since.duration(to: now).nanoseconds)
    }

    /// Releases all held moves at their own positions, because a touch begins or ends behind them.
    mutating func releaseAll(at appIndex: Int, at now: Instant, into outbox: inout Outbox) {
        release(connections.values[appIndex].held.count, at: appIndex, showing: nil, at: now, into: &outbox)
        connections.values[appIndex].lastShown = nil
    }

    /// Moves the first `count` held moves to the queue of the credit window, where they merge.
    private mutating func release(
        _ count: Int, at appIndex: Int, showing moment: Instant?, at now: Instant, into outbox: inout Outbox
    ) {
        guard count > 0 else { return }
        let shown = moment.flatMap { connections.values[appIndex].fingers(at: $0, after: count) }
        connections.values[appIndex].lastShown = connections.values[appIndex].held[count - 1].touches
        for index in 0..<count {
            var question = connections.values[appIndex].held[index]
            question.at = now
            if index == count - 1 { question.shown = shown }
            if let part = connections.values[appIndex].enqueue(question) {
                settle(inputKit.inFlight.settle(part.scan, .coalesced(part.moves)), into: &outbox)
            }
        }
        connections.values[appIndex].held.removeFirst(count)
    }
}

extension AppConnection {
    /// The number of held moves up to a moment; all of them without a moment.
    fileprivate func held(until moment: Instant?) -> Int {
        guard let moment else { return held.count }
        return held.firstIndex { ($0.touches?.timeStamp ?? .boot) > moment } ?? held.count
    }

    /// The touches at a moment; nil if the last sample has the same positions.
    ///
    /// - Parameter count: The number of held moves up to the moment.
    fileprivate func fingers(at moment: Instant, after count: Int) -> TouchFrame? {
        guard let sample = held[count - 1].touches else { return nil }
        let before = count > 1 ? held[count - 2].touches : lastShown
        let after = count < held.count ? held[count].touches : nil
        return Resampling.fingers(at: moment, before: before, sample, after: after)
    }

    mutating func forgetHeld() {
        held.removeAll(keepingCapacity: true)
        lastShown = nil
    }
}

extension AppConnection.Waiting {
    var touches: TouchFrame? { if case .touches(let frame) = message { frame } else { nil } }

    /// The message to send: the touches at the display frame, with the last sample in their history.
    var messageToSend: ServerToApp {
        guard var shown, let last = touches else { return message }
        for index in shown.contacts.indices where last.contacts[index].phase == .moved {
            shown.contacts[index].phase = .moved
        }
        shown.history = last.history
        shown.history.append(TouchFrame(timeStamp: last.timeStamp, contacts: last.contacts))
        shown.thinHistory()
        return .touches(shown)
    }
}
