// Display.swift: what only moves waits for the display's next frame, and is told as one.
//
//     move ───────────────────▶ held ──the display's frame──▶ one frame of touches, its way as history ─▶ FlowControl
//     landing, lift, cancel ──▶ told at once, behind what is held, which then waits no longer ──────────▶ FlowControl
//
// A frame is a timer of the host's; between frames nobody asks what time it is. What is held is in no app's window: a
// window that is full when the frame comes holds it longer, as it does without a display. Keys and pointers are not
// held, and pass what is.
//
// Station   router
// Fed by    SystemServerCore: frames for apps, a timer
// Feeds     FlowControl, in order
// Knows     moments, and the fingers it holds. No window.
//
// Sources   inferred  events wait for the display's frame, and a landing need not (C6, S95)
//           invented  that the server has a display of its own; Docs/Decisions/FrameAlignment.md

import Basics
import HID
import Hosting
import Settings
import Trace
import Wire

struct Display: Sendable {
    /// Frames a second; 0 for no display.
    let rate: Int
    /// Whether fingers are told where they were at the frame.
    let resamples: Bool
    private(set) var clock: FrameClock?
    /// When something that is held is to be looked at; nil while nothing is.
    var awaited: Instant?

    init(_ settings: Settings) {
        rate = settings[.serverDisplay]
        resamples = settings[.serverResample]
    }

    var isOn: Bool { clock != nil }

    /// Its first frame is the epoch's beginning.
    mutating func begin(at now: Instant) {
        if rate > 0 { clock = FrameClock(rate: rate, from: now) }
    }
}

extension SystemServerCore {
    /// A move waits for the display's next frame.
    mutating func hold(
        _ question: AppConnection.Waiting, at place: Int, at now: Instant, into outbox: inout Outbox
    ) {
        connections.values[place].held.append(question)
        if display.awaited == nil { awaitFrame(at: now, into: &outbox) }
    }

    private mutating func awaitFrame(at now: Instant, into outbox: inout Outbox) {
        guard let next = display.clock?.next(after: now) else { return }
        display.awaited = next
        outbox.append(.arm(Timer.frame, at: next))
    }

    /// A timer has fired: the display's, or another at the same moment or after it.
    mutating func showFrame(at now: Instant, into outbox: inout Outbox) {
        guard let clock = display.clock, let awaited = display.awaited, awaited <= now else { return }
        display.awaited = nil
        // A timer that is late by frames shows the last of them.
        let moment = display.resamples ? clock.last(until: now).advanced(by: .zero - Resampling.latency) : nil
        var isMoreHeld = false
        for place in connections.values.indices where !connections.values[place].held.isEmpty {
            let app = connections.app(at: place)
            let count = connections.values[place].held(until: moment)
            if count > 0 {
                noteHeld(count, at: place, at: now, into: &outbox)
                release(count, at: place, showing: moment, at: now, into: &outbox)
                sendWaiting(to: app, at: now, into: &outbox)
            }
            isMoreHeld = isMoreHeld || !connections.values[place].held.isEmpty
        }
        if isMoreHeld { awaitFrame(at: now, into: &outbox) }
    }

    private func noteHeld(_ count: Int, at place: Int, at now: Instant, into outbox: inout Outbox) {
        let since = connections.values[place].held[0].ledger[.serverReceived] ?? now
        outbox.trace.note(
            now, .router, "app {a}: {b} scans held for the frame, {c:t} at most", Int64(connections.app(at: place)),
            Int64(count), since.duration(to: now).nanoseconds)
    }

    /// Something begins or ends: what moved before it comes before it, as it was.
    mutating func releaseAll(at place: Int, at now: Instant, into outbox: inout Outbox) {
        release(connections.values[place].held.count, at: place, showing: nil, at: now, into: &outbox)
        connections.values[place].lastShown = nil
    }

    /// The first of those held wait for the window, and become part of each other.
    private mutating func release(
        _ count: Int, at place: Int, showing moment: Instant?, at now: Instant, into outbox: inout Outbox
    ) {
        guard count > 0 else { return }
        let shown = moment.flatMap { connections.values[place].fingers(at: $0, after: count) }
        connections.values[place].lastShown = connections.values[place].held[count - 1].touches
        for index in 0..<count {
            var question = connections.values[place].held[index]
            question.at = now
            if index == count - 1 { question.shown = shown }
            if let part = connections.values[place].wait(question) {
                settle(inputKit.inFlight.settled(part, .coalesced), into: &outbox)
            }
        }
        connections.values[place].held.removeFirst(count)
    }
}

extension AppConnection {
    /// How many of those held are of that moment or before; all, of no moment.
    fileprivate func held(until moment: Instant?) -> Int {
        guard let moment else { return held.count }
        return held.firstIndex { ($0.touches?.timeStamp ?? .boot) > moment } ?? held.count
    }

    /// Where the fingers are at a moment; nil where their last sample says it.
    ///
    /// - Parameter count: How many of those held are of before.
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

    /// What its app is told of it: with where the fingers are at the display's frame their last sample is of the past.
    var told: ServerToApp {
        guard var shown, let last = touches else { return message }
        for place in shown.contacts.indices where last.contacts[place].phase == .moved {
            shown.contacts[place].phase = .moved
        }
        shown.history = last.history
        shown.history.append(TouchFrame(timeStamp: last.timeStamp, contacts: last.contacts))
        shown.thinHistory()
        return .touches(shown)
    }
}
