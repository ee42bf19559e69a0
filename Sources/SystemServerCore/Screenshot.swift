// Screenshot.swift: the chord of power and volume up, and who is told of the picture that it takes.
//
//     power ──▶ ┐ both down within `screenshot.window` ─▶ chord ──one up──▶ releasing ──the last up──▶ taken
//     volume ─▶ ┘ later, or one of them down again     ─▶ spent ────────────────────── the last up ──▶ nothing
//
// Station   router
// Fed by    SystemServerCore: every key, after it was routed as any other; the loss of what said them
// Feeds     SystemServerCore: apps on the screen are told, once
// Knows     two keys, and when their device saw them go down. No finger: touches under way go on.
//
// The picture is taken when the last of the two is up: whoever keeps them down wants something else of a phone. What lies
// between them is measured by the device's moments, as it is what a hand did, however late it is heard of. A key that
// is cancelled, or may have been lost, makes it none.
//
// It is a gesture of the server's own and takes nothing from anybody, so it has no contest. That an app does not answer keeps
// nobody from being told: the word waits for no window, as it changes nothing that touches mean.
//
// Docs/Machines/ScreenshotChord.md is the whole table. Why it is like this: Docs/Decisions/SystemGestures.md.
//
// Sources   documented  the notification comes after the picture (UIApplication.userDidTakeScreenshotNotification)
//           inferred    the keys, from what guides and users of iPhones without a home button say: side and volume up at once;
//                       that both have to be up, from the same: held down they are the slider that switches it off
//           invented    the window; that a key which goes down again makes it none; which apps hear: those on the screen

import Basics
import HID
import Hosting
import Trace
import Wire

/// What a stretch, from none of the two keys held to none again, has come to.
struct ScreenshotChord: Equatable, Sendable {
    enum State: Equatable, Sendable, CaseIterable {
        /// Neither is down.
        case resting
        /// One is.
        case waiting
        /// Both are, in time.
        case chord
        /// One of them is up again.
        case releasing
        /// No chord comes of it any more.
        case spent
    }

    enum Input: Equatable, Sendable, CaseIterable {
        /// One goes down, and the other is up.
        case first
        /// One goes down while the other is, in time or later.
        case second, late
        /// One goes up, and the other is down; or none is any more.
        case up, last
        /// What said the keys is gone, or has missed one.
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

    /// The whole machine; nil for what cannot happen, as it says how many keys are down.
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
    /// When each went down; nil while it is up.
    private var power: Instant?
    private var volumeUp: Instant?

    init(window: Duration) { self.window = window }

    /// - Returns: Whether a picture is taken.
    mutating func take(_ event: DeviceEvent<DigitizerSpace>) -> Bool {
        guard case .key(let usage) = event.input.content else { return false }
        switch usage {
        case .power: return take(event, \.power, other: volumeUp)
        case .volumeUp: return take(event, \.volumeUp, other: power)
        default: return false
        }
    }

    /// What said them is gone, or was not heard.
    mutating func forget() {
        (power, volumeUp) = (nil, nil)
        _ = chord.handle(.lost)
    }

    private mutating func take(
        _ event: DeviceEvent<DigitizerSpace>, _ key: WritableKeyPath<ScreenshotKeys, Instant?>, other: Instant?
    ) -> Bool {
        let isDown = self[keyPath: key] != nil
        switch event.input.phase {
        case .began:
            // Said twice.
            guard !isDown else { return false }
            self[keyPath: key] = event.timeStamp
            guard let other else { return chord.handle(.first) == .take }
            // Devices' time may go back.
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
    /// Every app on the screen is told, whether it answers or not, and whether it has something to hide or not.
    mutating func takeScreenshot(at now: Instant, into outbox: inout Outbox) {
        let apps = apps.onScreen
        outbox.trace.note(now, .router, "server screenshot, apps told: {a}", Int64(apps.count))
        for app in apps { send(.screenshot, to: app, at: now, into: &outbox) }
    }
}
