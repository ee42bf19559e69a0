// ProcessState.swift: the state machine of an app process, from its creation to its exit.
//
// Station   process
// Input     AppCore: the host's start, the handshake with the server, the server's dismissal, each turn, a stop
// Output    Effect, which AppCore carries out
// Knows     nothing else: no link, no loop, no time. UIApplication has foreground and background.
//
//     created ──started──▶ launched ──link opened──▶ ready
//        │                     └──────dismissed──────┴──▶ dismissed ──turned──▶ ended
//        └──dismissed──▶ created, and dismissed once it has started
//     (a stop ends every state at once)
//
// Sources   documented  applicationWillTerminate(_:) is sent only to an app that has launched
//           invented    the rest

import UIKit

/// The state of an app process.
enum ProcessState {
    case created(Content, isDismissed: Bool)
    case launched
    /// The app has reported to the supervisor that it is ready.
    case ready
    /// The server has requested the end of the app, which follows at the end of the turn.
    case dismissed
    case ended

    /// The function that makes the app's content once, when it starts: a delegate, windows, or both.
    struct Content: CustomStringConvertible {
        let make: (UIApplication) -> Void
        var description: String { "content" }
    }

    /// An event of the process.
    enum Input: CaseIterable {
        case started
        /// The handshake with the server is complete.
        case linkOpened
        /// The server has requested the end of the app.
        case dismissed
        /// The app's loops have done all that was due.
        case turned
        /// The host or the supervisor ends the process.
        case stopRequested
    }

    /// What AppCore does after an input.
    enum Effect {
        case launch(Content)
        /// Report to the supervisor that the app is ready.
        case announce
        /// Send `willTerminate` to the application, then exit.
        case terminate
        case exit
        case nothing
    }

    /// The whole machine. Nil marks impossible pairs: a dismissed app ends in the turn that dismissed it.
    static func transition(from state: ProcessState, on input: Input) -> (ProcessState, Effect)? {
        switch (state, input) {
        case (.created(let content, isDismissed: false), .started): (.launched, .launch(content))
        case (.created(let content, isDismissed: true), .started): (.dismissed, .launch(content))
        case (.created(let content, _), .dismissed): (.created(content, isDismissed: true), .nothing)
        case (.created, .linkOpened), (.created, .turned): (state, .nothing)
        case (.created, .stopRequested): (.ended, .exit)

        case (.launched, .linkOpened): (.ready, .announce)
        case (.ready, .linkOpened): (.ready, .nothing)
        case (.launched, .dismissed), (.ready, .dismissed): (.dismissed, .nothing)
        case (.launched, .started), (.launched, .turned), (.ready, .started), (.ready, .turned): (state, .nothing)
        case (.launched, .stopRequested), (.ready, .stopRequested): (.ended, .terminate)

        case (.dismissed, .turned): (.ended, .terminate)
        case (.dismissed, .started), (.dismissed, .linkOpened), (.dismissed, .dismissed), (.dismissed, .stopRequested):
            nil

        case (.ended, _): (.ended, .nothing)
        }
    }

    mutating func handle(_ input: Input) -> Effect {
        guard let (next, effect) = Self.transition(from: self, on: input) else {
            preconditionFailure("an app process that is \(self) cannot take \(input)")
        }
        self = next
        return effect
    }

    /// Whether the loops run: the app has launched and has not ended.
    var isRunning: Bool {
        switch self {
        case .launched, .ready, .dismissed: true
        case .created, .ended: false
        }
    }

    var hasEnded: Bool { if case .ended = self { true } else { false } }
    var isReady: Bool { if case .ready = self { true } else { false } }
}
