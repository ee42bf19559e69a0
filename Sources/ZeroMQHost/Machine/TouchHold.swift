// TouchHold.swift: how long this process holds its CPU: from the first scan with a finger down until after the last lift.
//
// Station   process
// Input     ZeroMQHost: scans that are sent or received, and the time before each sleep
// Output    the hold of the CPU (CSystem/awake.c)
// Knows     whether a finger is down. No touch, no peer.
//
//     free ──touched──▶ held ──due──▶ free
//
// The hold is carried out before a sleep, when the frames of an input have been sent. Its end is known from its
// beginning, so that lost lifts, a process that hangs and a device that reports nothing more end it too.
//
// Docs/Reference/Machines/TouchHold.md is the whole table.
//
// Sources   invented (Docs/Decisions/SystemCalls.md)

import Basics
import CSystem
import HID
import Wire

/// The hold of this process's CPU, for host.awake.
struct TouchHold {
    enum State: Equatable, Sendable, CaseIterable { case free, held }
    enum Input: Equatable, Sendable, CaseIterable {
        /// A scan with a finger down.
        case touched
        /// A scan without one.
        case lifted
        /// The end of the hold has come.
        case due
    }
    enum Order: Equatable, Sendable { case hold, shorten, release, nothing }

    /// How long the hold outlasts a scan with a finger down, if no other follows.
    static let rest = Duration.milliseconds(500)
    /// How long it outlasts a scan in which the last finger lifted: the next tap of a double tap finds it.
    static let linger = Duration.milliseconds(50)

    private(set) var state = State.free
    /// The end of the hold; never without one.
    private(set) var end = Instant.never
    private var hasChanged = false

    /// The transition table, for every state and input.
    static func transition(from state: State, on input: Input) -> (State, Order) {
        switch (state, input) {
        case (_, .touched): (.held, .hold)
        case (.free, .lifted), (.free, .due): (.free, .nothing)
        case (.held, .lifted): (.held, .shorten)
        case (.held, .due): (.free, .release)
        }
    }

    mutating func handle(_ input: Input, at now: Instant) {
        let (next, order) = Self.transition(from: state, on: input)
        state = next
        switch order {
        case .hold: end = now.advanced(by: Self.rest)
        case .shorten: end = min(end, now.advanced(by: Self.linger))
        case .release: end = .never
        case .nothing: return
        }
        hasChanged = true
    }

    /// Notes a frame of this process or to it.
    mutating func note(_ frame: Frame, at now: Instant) {
        guard let hasFingersDown = frame.message.hasFingersDown else { return }
        handle(hasFingersDown ? .touched : .lifted, at: now)
    }

    /// Carries out what changed, before a sleep.
    mutating func carryOut(at now: Instant) {
        if end <= now { handle(.due, at: now) }
        guard hasChanged else { return }
        hasChanged = false
        if state == .held { awake_hold(end.nanoseconds) } else { awake_release() }
    }
}

extension Message {
    /// Whether a finger is down at the end of this message; nil if it has no scan.
    var hasFingersDown: Bool? {
        switch self {
        case .digitizer(let event): event.value.hasFingersDown
        case .scans(let scans): scans.parts.last?.first.hasFingersDown
        case .touches(let frame): frame.contacts.contains { $0.phase != .ended && $0.phase != .cancelled }
        case .severalTouches: true
        default: nil
        }
    }
}

extension HIDEvent {
    fileprivate var hasFingersDown: Bool { fingers.contains { $0.options.contains(.touch) } }
}
