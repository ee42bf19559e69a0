// Screenshot.swift: the chord of power and volume up, and the apps that are told of the picture.
//
//     power ──▶ ┐ both down within `screenshot.maxInterval` ─▶ chord ──one up──▶ releasing ──the last up──▶ taken
//     volume ─▶ ┘ later, or one of them down again     ─▶ spent ────────────────────── the last up ──▶ nothing
//
// Station   router
// Input     SystemServerCore: every key, after its routing; the loss of input-kit or of its frames
// Output    one `screenshot` message to each app on the screen
// Knows     two keys, and when they went down by the device's time. No finger: touches in progress go on.
//
// The picture is taken when both keys are up, because keys that stay down have another meaning on a phone. The window
// is measured in the device's time, so a late frame does not matter. A key that is cancelled, or may have been lost,
// ends the chord. The chord takes no input from any app, so it has no contest. The message waits for no credit window.
//
// Sources   documented  the notification follows the picture (UIApplication.userDidTakeScreenshotNotification)
//           inferred    from guides to iPhones without a home button: side and volume up at once, and both up again; held
//                       down they show the slider that switches the phone off
//           invented    the window; a key that goes down again ends the chord; the apps on the screen are told

import Basics
import HID
import Hosting
import Trace
import Wire

/// The state of the chord, from no key down to no key down. Docs/Reference/Machines/ScreenshotChord.md is the whole table;
/// Docs/Decisions/SystemGestures.md gives the reasons.
struct ScreenshotChord: Equatable, Sendable {
    enum State: Equatable, Sendable, CaseIterable {
        /// Neither key is down.
        case resting
        /// One key is down.
        case waiting
        /// Both keys went down in time.
        case chord
        /// One of the two keys is up again.
        case releasing
        /// The keys make no chord any more.
        case spent
    }

    enum Input: Equatable, Sendable, CaseIterable {
        /// A key goes down, and the other is up.
        case first
        /// A key goes down while the other is down: within the window, or later.
        case second, late
        /// A key goes up: the other is still down, or both are up.
        case up, last
        /// The source of the keys is gone, or a key may have been missed.
        case lost
    }

    enum Decision: Equatable, Sendable {
        case nothing, take
    }

    private(set) var state = State.resting

    mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("\(input) while the chord is \(state)")
        }
        state = next
        return decision
    }

    /// The transition table. Nil: the input cannot happen, because each input implies how many keys are down.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (_, .lost): (.resting, .nothing)

        case (.resting, .first): (.waiting, .nothing)
        case (.resting, .second), (.resting, .late), (.resting, .up), (.resting, .last): nil

        case (.waiting, .second): (.chord, .nothing)
        case (.waiting, .late): (.spent, .nothing)
        case (.waiting, .last): (.resting, .nothing)
        case (.waiting, .first), (.waiting, .up): nil

        case (.chord, .up): (.releasing, .nothing)
        case (.chord, .first), (.chord, .second), (.chord, .late), (.chord, .last): nil

        case (.releasing, .last): (.resting, .take)
        case (.releasing, .second), (.releasing, .late): (.spent, .nothing)
        case (.releasing, .first), (.releasing, .up): nil

        case (.spent, .second), (.spent, .late), (.spent, .up): (.spent, .nothing)
        case (.spent, .last): (.resting, .nothing)
        case (.spent, .first): nil
        }
    }
}

/// The two keys, and their chord.
struct ScreenshotKeys: Sendable {
    private let window: Duration
    private var chord = ScreenshotChord()
    /// When each key went down; nil while it is up.
    private var power: Instant?
    private var volumeUp: Instant?

    init(window: Duration) { self.window = window }

    /// Handles a key event.
    ///
    /// - Returns: Whether a picture is taken.
    mutating func handle(_ event: DeviceEvent<DigitizerSpace>) -> Bool {
        guard case .key(let usage) = event.input.content else { return false }
        switch usage {
        case .power: return handle(event, \.power, other: volumeUp)
        case .volumeUp: return handle(event, \.volumeUp, other: power)
        default: return false
        }
    }

    /// Forgets the keys, because their source is gone or a frame was lost.
    mutating func forget() {
        (power, volumeUp) = (nil, nil)
        _ = chord.handle(.lost)
    }

    private mutating func handle(
        _ event: DeviceEvent<DigitizerSpace>, _ key: WritableKeyPath<ScreenshotKeys, Instant?>, other: Instant?
    ) -> Bool {
        let isDown = self[keyPath: key] != nil
        switch event.input.phase {
        case .began:
            // The key is down already.
            guard !isDown else { return false }
            self[keyPath: key] = event.timeStamp
            guard let other else { return chord.handle(.first) == .take }
            // A device's time may go back.
            let (first, second) = (min(other, event.timeStamp), max(other, event.timeStamp))
            return chord.handle(first.duration(to: second) <= window ? .second : .late) == .take
        case .ended:
            guard isDown else { return false }
            self[keyPath: key] = nil
            return chord.handle(other == nil ? .last : .up) == .take
        case .cancelled:
            if isDown { forget() }
            return false
        case .changed, .once: return false
        }
    }
}

extension SystemServerCore {
    /// Tells every app on the screen, even if it is unresponsive or has a secure window.
    mutating func takeScreenshot(at now: Instant, into outbox: inout Outbox) {
        let apps = apps.onScreen
        outbox.trace.note(now, .router, "screenshot sent, apps: {a}", Int64(apps.count))
        for app in apps { send(.screenshot, to: app, at: now, into: &outbox) }
    }
}
