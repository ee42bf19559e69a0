// Audit+Pace.swift: how often one live device may have its fingers only move (I6).
//
// A scan of moves is counted when the device's next one is seen: one that lands or lifts somebody takes along what waited
// before it, so that a scan of moves in front of such a one costs nothing: `device.burst` at once, and `device.rate` a
// second.
//
// Sources   Docs/Spec/Pipeline.md section 4, F21

import Basics
import HID
import Hosting
import Wire

/// One device's scans of moves.
struct Pace {
    var sender: UInt64
    /// One token for each scan of moves.
    var tokens: TokenBucket
    /// The last one, while it is not known what comes after it.
    var last: Instant?
}

extension Audit {
    /// Plays are input-kit's own, and have a pace of their own.
    private static let player: UInt64 = 1

    mutating func expectPace(of event: HIDEvent, _ step: Step) {
        let (rate, burst) = (options.group.moveRate, options.group.moveBurst)
        guard rate > 0, event.senderID != Self.player else { return }
        // What a device says again for a server that may have missed something moves nobody.
        let isMove = !event.hasEdge && event.fingers.contains { !$0.mask.isEmpty }
        guard isMove || event.hasEdge else { return }
        let tokens = TokenBucket(.init(rate: rate, burst: Double(burst)))
        let place = input.paces.firstIndex { $0.sender == event.senderID } ?? input.paces.count
        if place == input.paces.count { input.paces.append(Pace(sender: event.senderID, tokens: tokens)) }
        defer { input.paces[place].last = isMove ? step.at : nil }
        guard isMove, let last = input.paces[place].last, !input.paces[place].tokens.take(at: last) else { return }
        note(
            .bounds,
            "\(step.life): device \(event.senderID) has moved more often than \(rate) times a second, "
                + "\(burst) at once", step)
        // Said once for each time it goes too far.
        input.paces[place].tokens.refill()
    }
}
