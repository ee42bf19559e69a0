// GroupPlayer.swift: one play after another over one connection to a group, and the messages about each.
//
//     order ─▶ group ─▶ measured … ─▶ ended, or refused
//
// Input     input, replay, monkey, bench, demo, conform, chaos, soak: plays
// Output    the report of each play, separated from other messages of the group
// Knows     the number of the play in progress. A group plays one source at a time, for all its controllers.

import Basics
import Glibc
import Wire
import ZeroMQHost

/// Plays over one connection.
struct GroupPlayer {
    let client: ControlClient
    /// The limit for a group that is busy with another play, and for a play beyond its own length.
    let waitLimit: Duration
    /// The display of the fingers.
    let display: DisplayID

    private var plays: UInt32 = 0
    /// Whether the last ordered play has neither ended nor been refused.
    private(set) var isPlaying = false
    /// The moment of the last order.
    private(set) var begun = Instant.boot

    /// The pause between two orders to a busy group.
    private static let pause = Duration.milliseconds(20)

    init(client: ControlClient, waitLimit: Duration = .seconds(30), display: DisplayID = 1) {
        (self.client, self.waitLimit, self.display) = (client, waitLimit, display)
    }

    // MARK: One play

    /// A message of the group.
    enum Update {
        case ended(PlayReport)
        case measured([Ledger])
        case refused(String)
        /// A message about another matter.
        case other(Message)
        /// No message in time.
        case none
    }

    /// Orders a play without waiting for it.
    mutating func order(_ order: PlayOrder) throws {
        plays += 1
        var order = order
        order.id = plays
        (begun, isPlaying) = (monotonicNow(), true)
        try client.ask(.play(order))
    }

    /// Waits for the next message of the group.
    mutating func next(within limit: Duration) throws -> Update {
        switch try client.next(timeout: max(.milliseconds(1), limit)) {
        case .played(let report) where report.id == plays:
            isPlaying = false
            return .ended(report)
        case .refused(let reason):
            isPlaying = false
            return .refused(reason)
        case .measured(let ledgers): return .measured(ledgers)
        case .some(let message): return .other(message)
        case nil: return .none
        }
    }

    /// Waits for the end of the play.
    ///
    /// - Returns: Nil without an end within `limit`.
    /// - Throws: `Failure` with exit code 3 for a refused play.
    mutating func report(
        within limit: Duration, measured: ([Ledger]) -> Void = { _ in }
    ) throws -> PlayReport? {
        let deadline = monotonicNow().advanced(by: limit)
        while true {
            switch try next(within: monotonicNow().duration(to: deadline)) {
            case .ended(let report): return report
            case .measured(let ledgers): measured(ledgers)
            case .refused(let reason): throw Failure.group("refused: \(reason)")
            case .other: continue
            case .none: return nil
            }
        }
    }

    /// Stops waiting for the end of the play.
    mutating func stopWaiting() { isPlaying = false }

    // MARK: A play to its end

    /// Plays a source and waits until all of it has been handled.
    ///
    /// - Parameter length: The length of the source at this pace.
    /// - Throws: `Failure` with exit code 3 for a group that stays busy, is not ready or ends.
    mutating func play(
        _ source: PlayOrder.Source, pace: PlayOrder.Pace = .times(1000), length: Duration
    ) throws -> PlayReport {
        let deadline = monotonicNow().advanced(by: waitLimit)
        while true {
            var order = PlayOrder(id: 0, source: source, pace: pace)
            order.display = display
            try self.order(order)
            guard let report = try report(within: length + waitLimit) else {
                throw Failure.group("no report in time: look at the group with `touchline status`")
            }
            guard report.sent == 0, report.failure.hasPrefix("busy") else { return report }
            guard monotonicNow() < deadline else {
                throw Failure.group("the group still plays something else after \(waitLimit.seconds) s")
            }
            usleep(UInt32(Self.pause.nanoseconds / 1000))
        }
    }
}

extension GroupReport {
    /// The size of the main display in the group's coordinates; nil when its server does not report it.
    var screen: Rect<ScreenSpace>? { screen(of: 1) }

    /// The size of one display; nil without such a display, or when the server does not report it.
    func screen(of display: DisplayID) -> Rect<ScreenSpace>? {
        let key = display == 1 ? "screen" : "screen.\(display)"
        guard let server = processes.first(where: { $0.name == "\(Peer.systemServer)" }),
            let row = server.rows.first(where: { $0.key == key })
        else { return nil }
        let numbers = row.value.shown.split(separator: " ").compactMap { Double($0) }
        return numbers.count == 2 ? Rect(x: 0, y: 0, width: numbers[0], height: numbers[1]) : nil
    }
}

extension PhaseCounts {
    /// For scripts, with the number of frames that the touches were in.
    func json(frames: UInt64) -> [String: Int] {
        [
            "frames": Int(frames), "began": Int(began), "moved": Int(moved), "ended": Int(ended),
            "cancelled": Int(cancelled),
        ]
    }

    /// Of a table's row: began, moved, ended, cancelled.
    var cells: [String] { [began, moved, ended, cancelled].map { "\($0)" } }
}

extension PlayReport {
    /// Adds several plays.
    static func + (a: PlayReport, b: PlayReport) -> PlayReport {
        var sum = b
        sum.sent += a.sent
        sum.answered += a.answered
        sum.delivered += a.delivered
        sum.home += a.home
        sum.dropped += a.dropped
        sum.takenFrames += a.takenFrames
        sum.takenByMonitor += a.takenByMonitor
        sum.takenBySystem += a.takenBySystem
        sum.sentTouches += a.sentTouches
        sum.arrivedTouches += a.arrivedTouches
        sum.coalesced += a.coalesced
        sum.failure = a.failure.isEmpty ? b.failure : a.failure
        return sum
    }

    /// For scripts: frames with all touches taken, and contacts that moved or ended after that.
    var takenJSON: [String: Int] {
        ["frames": Int(takenFrames), "byMonitor": Int(takenByMonitor), "bySystem": Int(takenBySystem)]
    }

    /// The takings: `3 moves and lifts taken by a touch monitor`, `1 move or lift taken by …`. Nil when no touch was
    /// taken.
    var takings: String? {
        let takers = [(takenByMonitor, "a touch monitor"), (takenBySystem, "a system gesture")].filter { $0.0 > 0 }
        guard !takers.isEmpty else { return nil }
        return takers.map { count, taker in
            "\(count) \(count == 1 ? "move or lift" : "moves and lifts") taken by \(taker)"
        }
        .joined(separator: ", ")
    }

    /// The losses of the play; nil without any. The home screen, touch monitors and system gestures take touches as an
    /// app does.
    var losses: String? {
        if answered < sent { return "\(sent - answered) of \(sent) frames were not answered" }
        if dropped > 0 { return "\(dropped) of \(sent) frames were dropped" }
        let (began, arrived) = (sentTouches.began, arrivedTouches.began)
        if arrived < began { return "\(began - arrived) of \(began) touches landed outside every window" }
        return isWhole ? nil : "the touches that arrived differ from those that were sent"
    }
}
