// ContactRoute.swift: which recipient owns one finger, from landing to lift.
//
// Station   router
// Input     Router, once per finger per scan, and when an owner exits or loses its touches
// Output    Decision, which Router turns into frames and receipts
// Knows     recipients. No geometry, no sockets, no clock.
//
//     lifted ──down on a recipient─▶ owned ─┬─owner exits, or loses its touches────────────▶ ignored
//       ▲                              │    └─a touch monitor or system gesture takes it──▶ taken
//       └────────up, cancelled─────────┴──────────────────up, cancelled─────────────────
//     (a finger that lands on nothing, or is refused, is ignored at once, until it lifts)
//
// Sources   documented  a touch keeps its view until it ends (UITouch.view)
//           inferred    and therefore keeps its app, wherever the finger moves (S88, D4)
//           invented    a finger that the system took is never passed to another recipient (D5)

public import Wire

/// A possible owner of a finger: an app, or a scene of the server.
public enum Recipient: Hashable, Sendable {
    case app(AppID)
    /// The home screen, drawn by the server itself.
    case home
    /// A scene above every app: a call, an assistant.
    case overlay
    /// The system's alert, over the apps.
    case alert
    case keyboard
    /// The app switcher or a center, which a system gesture opens over the apps.
    case shade(SystemShade)
}

/// Scenes of the server that cover the apps, until a swipe home or `resume`.
public enum SystemShade: UInt8, Hashable, Sendable, CaseIterable {
    case switcher, notifications, controls

    /// The name in a `server route=` line.
    var name: String {
        switch self {
        case .switcher: "switcher"
        case .notifications: "notifications"
        case .controls: "controls"
        }
    }
}

extension Recipient: CustomStringConvertible {
    /// The name in a `server route=` line.
    public var description: String {
        switch self {
        case .app(let instance): "app:\(instance)"
        case .home: "home"
        case .overlay: "overlay"
        case .alert: "alert"
        case .keyboard: "keyboard"
        case .shade(let shade): shade.name
        }
    }
}

/// The owner of one finger, as a state machine.
struct ContactRoute: Equatable, Sendable {

    enum State: Equatable, Sendable { case lifted, owned(Recipient), ignored, taken(by: Taker) }

    /// A contender that takes a touch from its owner and uses it.
    enum Taker: Equatable, Sendable, CaseIterable {
        /// A touch monitor outside the server (`touchline monitor`).
        case monitor
        /// A system gesture of the server.
        case system
    }

    enum Input: Equatable, Sendable {
        case down(hit: Recipient?)
        /// The finger landed on an app that is unresponsive.
        case refused
        /// The finger is still down: it moved or stayed.
        case held
        case up
        /// The device cancelled the finger (palm, end of a recording).
        case cancelled
        /// The system takes the touch from its owner. The finger stays on the glass.
        case revoked
        /// A touch monitor or a system gesture takes the touch from its owner.
        case taken(by: Taker)
        case died(Recipient)
    }

    enum Decision: Equatable, Sendable {
        case deliver(Recipient)
        /// The owner receives `cancelled`, and nothing after it.
        case cancel(Recipient)
        case drop(Reason)
        case nothing
    }

    /// Why the change of a finger or an input reached no recipient.
    ///
    /// Only `unknownFinger` and `tooMany` are faults, both of input-kit. `nothingNew` belongs to inputs, not to
    /// fingers: a key that is down goes down again (DeviceRouter). `tooMany` is a limit of devices or of held inputs
    /// that no person reaches.
    enum Reason: Equatable, Sendable {
        case landedOnNothing, ownerDied, ignored, unknownFinger, nothingNew, notResponding, tooMany(limit: Int)
        case taken(by: Taker)
    }

    private(set) var state = State.lifted

    mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("a finger cannot take \(input) while \(state)")
        }
        state = next
        return decision
    }

    /// The transition table, for every state and input. Nil: the input cannot happen.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.lifted, .down(let hit?)): (.owned(hit), .deliver(hit))
        case (.lifted, .down(nil)): (.ignored, .drop(.landedOnNothing))
        case (.lifted, .refused): (.ignored, .drop(.notResponding))
        case (.lifted, .held), (.lifted, .up), (.lifted, .cancelled): (.lifted, .drop(.unknownFinger))
        case (.lifted, .revoked), (.lifted, .taken), (.lifted, .died): (.lifted, .nothing)

        case (.owned(let owner), .held): (.owned(owner), .deliver(owner))
        case (.owned(let owner), .up), (.owned(let owner), .cancelled): (.lifted, .deliver(owner))
        case (.owned(let owner), .revoked): (.ignored, .cancel(owner))
        case (.owned(let owner), .taken(let taker)): (.taken(by: taker), .cancel(owner))
        case (.owned(let owner), .died(let dead)) where dead == owner: (.ignored, .drop(.ownerDied))
        case (.owned, .died): (state, .nothing)

        case (.ignored, .held): (.ignored, .drop(.ignored))
        case (.ignored, .up), (.ignored, .cancelled): (.lifted, .drop(.ignored))
        case (.ignored, .revoked), (.ignored, .died): (.ignored, .nothing)
        // A system gesture continues to follow its finger after the app has lost the touch.
        case (.ignored, .taken(let taker)): (.taken(by: taker), .nothing)

        case (.taken(let taker), .held): (state, .drop(.taken(by: taker)))
        case (.taken(let taker), .up), (.taken(let taker), .cancelled): (.lifted, .drop(.taken(by: taker)))
        // The first taker keeps the finger.
        case (.taken, .revoked), (.taken, .taken), (.taken, .died): (state, .nothing)

        // A second landing of a live finger is an error of the peer. Router turns it into a cancel and a landing (D11).
        case (.owned, .down), (.ignored, .down), (.taken, .down): nil
        case (.owned, .refused), (.ignored, .refused), (.taken, .refused): nil
        }
    }
}

extension ContactRoute.Reason: CustomStringConvertible {
    var description: String {
        switch self {
        case .landedOnNothing: "landed on nothing"
        case .ownerDied: "its owner died"
        case .ignored: "ignored until lift"
        case .unknownFinger: "its landing was not received"
        case .nothingNew: "nothing new"
        case .notResponding: "its app does not answer"
        case .tooMany(let limit): "limit of \(limit) contacts"
        case .taken(let taker): "taken by \(taker)"
        }
    }
}

extension ContactRoute.Taker: CustomStringConvertible {
    var description: String {
        switch self {
        case .monitor: "a touch monitor"
        case .system: "a system gesture"
        }
    }
}

extension Receipt.Reason {
    init(_ reason: ContactRoute.Reason) {
        self =
            switch reason {
            case .landedOnNothing: .landedOnNothing
            case .ownerDied: .ownerDied
            case .ignored: .ignoredUntilLift
            case .unknownFinger: .unknownFinger
            case .nothingNew: .nothingNew
            case .notResponding: .notResponding
            case .tooMany: .overLimit
            case .taken(by: .monitor): .takenByMonitor
            case .taken(by: .system): .takenBySystem
            }
    }
}
