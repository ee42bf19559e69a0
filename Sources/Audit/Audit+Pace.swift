// Audit+Pace.swift: the rate of scans in which the fingers of one live device only move (I6).
//
// Input     Audit+InputKit, for each scan sent
// Output    violations
//
// A scan of moves is counted when the device's next scan is seen, because a scan with a landing or a lift takes the
// waiting moves along at no cost. The limit is `device.scanBurst` at once and `device.scanRate` a second.
//
// Sources   Docs/Spec/Pipeline.md section 4, F21

import Basics
import HID
import Hosting
import Wire

/// The scans of moves of one device.
struct Pace {
    var sender: UInt64
    /// One token for each scan of moves.
    var tokens: TokenBucket
    /// The last scan of moves, until the next scan is known.
    var last: Instant?
}

extension Audit {
    /// The sender number of plays, which have a pace of their own.
    private static let player: UInt64 = 1

    mutating func expectPace(of event: HIDEvent, _ step: Step) {
        let (rate, burst) = (options.group.moveRate, options.group.moveBurst)
        guard rate > 0, event.senderID != Self.player else { return }
        // A device repeats its state for a server that may have missed a scan. Such a scan moves no finger.
        let isMove = !event.hasTouchEdge && event.fingers.contains { !$0.mask.isEmpty }
        guard isMove || event.hasTouchEdge else { return }
        let tokens = TokenBucket(.init(rate: rate, burst: Double(burst)))
        let paceIndex = input.paces.firstIndex { $0.sender == event.senderID } ?? input.paces.count
        if paceIndex == input.paces.count { input.paces.append(Pace(sender: event.senderID, tokens: tokens)) }
        defer { input.paces[paceIndex].last = isMove ? step.at : nil }
        guard isMove, let last = input.paces[paceIndex].last, !input.paces[paceIndex].tokens.takeTokens(at: last) else {
            return
        }
        note(
            .bounds,
            "\(step.process): device \(event.senderID) has moved more often than \(rate) times a second, "
                + "\(burst) at once", step)
        // Each excess is reported once.
        input.paces[paceIndex].tokens.refill()
    }
}
