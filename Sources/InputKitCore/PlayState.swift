// PlayState.swift: the state machine of a play.
//
// Station   device
// Input     InputKitCore: orders, what blocks the next frame, the last receipt, silence, the loss of server or controller
// Output    Order, which InputKitCore carries out
// Knows     nothing else: no frame, no time.
//
//     idle ──ordered──▶ waiting ⇄ pacing ⇄ blocked       for bytes, for the next frame's due time, for receipts
//      ▲                   └─────────┴────────┴──sent everything──▶ draining ──all answered──▶ reporting
//      └─────────────────────────────────reported─────────────────────────────────────────────────┘
//     (a play that is lost, or that receives no receipt while it is blocked or draining, reports at once)
//
// Sources   invented

/// The state of a play.
enum PlayState: String, Equatable, Sendable, CaseIterable {
    case idle, waiting, pacing, blocked, draining, reporting

    enum Input: Equatable, Sendable, CaseIterable {
        case ordered
        /// No frame is ready, and more will follow.
        case ranDry
        /// The next frame is not due yet.
        case notDue
        /// The window is full, there is no credit, or the one frame of a closed loop is outstanding.
        case noRoom
        case sentEverything
        case allAnswered
        /// No receipt has arrived for `Player.receiptWaitLimit`.
        case silence
        /// The server or the controller of the play is gone, or this process ends.
        case lost
        case reported
    }

    /// What InputKitCore does after an input.
    enum Order: Equatable, Sendable {
        case begin, refuse, wait, armFrameTimer, armReceiptTimer, report, nothing
    }

    /// The whole machine. Nil marks impossible pairs: only a sending play can be blocked, and only a reporting one ends.
    static func transition(from state: PlayState, on input: Input) -> (PlayState, Order)? {
        switch (state, input) {
        case (.idle, .ordered): (.waiting, .begin)
        case (.idle, .silence), (.idle, .lost): (.idle, .nothing)
        case (.idle, _): nil

        case (_, .ordered): (state, .refuse)

        case (.waiting, .ranDry), (.pacing, .ranDry), (.blocked, .ranDry): (.waiting, .wait)
        case (.waiting, .notDue), (.pacing, .notDue), (.blocked, .notDue): (.pacing, .armFrameTimer)
        case (.waiting, .noRoom), (.pacing, .noRoom), (.blocked, .noRoom): (.blocked, .armReceiptTimer)
        case (.waiting, .sentEverything), (.pacing, .sentEverything), (.blocked, .sentEverything):
            (.draining, .armReceiptTimer)
        case (.blocked, .silence), (.draining, .silence): (.reporting, .report)
        case (.waiting, .silence), (.pacing, .silence), (.reporting, .silence): (state, .nothing)
        case (.waiting, .lost), (.pacing, .lost), (.blocked, .lost), (.draining, .lost): (.reporting, .report)
        case (.reporting, .lost): (.reporting, .nothing)
        case (.draining, .allAnswered): (.reporting, .report)
        case (.reporting, .reported): (.idle, .nothing)

        case (.waiting, .allAnswered), (.pacing, .allAnswered), (.blocked, .allAnswered), (.reporting, .allAnswered):
            nil
        case (.waiting, .reported), (.pacing, .reported), (.blocked, .reported), (.draining, .reported): nil
        case (.draining, .ranDry), (.draining, .notDue), (.draining, .noRoom), (.draining, .sentEverything): nil
        case (.reporting, .ranDry), (.reporting, .notDue), (.reporting, .noRoom), (.reporting, .sentEverything): nil
        }
    }
}

extension PlayState {
    /// Whether frames are still to be sent.
    var sends: Bool {
        switch self {
        case .waiting, .pacing, .blocked: true
        case .idle, .draining, .reporting: false
        }
    }
}
