// LinkDelays.swift: how long frames took between the processes of a live group, from its journals.
//
// From the step that sent a frame, at its sender, to the step that was given it, at its receiver: one clock, and all
// that lies between is in it, the sender's own answer and the receiver's waking too. A World needs to know just that.
//
//     data       server ↔ input-kit, apps       control    supervisor ↔ children
//
// Fed by    LiveRun
// Feeds     LinkModel, by `touchline compare --write-links`
//
// Sources   invented

import Basics
import Hosting

import Wire

public struct LinkDelays: Sendable {
    /// Nanoseconds, ascending once the run is over.
    public private(set) var data: [Int64] = []
    public private(set) var control: [Int64] = []

    private struct Sent: Hashable {
        var from, to: Peer
        var epoch, generation: UInt32
        var sequence: SequenceNumber
    }
    private var underWay: [Sent: Instant] = [:]
    private var alive: [Peer] = []

    /// Steps of probability, from the shortest to the longest: a twentieth each.
    private static let steps = 20

    mutating func begin(_ life: Life) { if !alive.contains(life.peer) { alive.append(life.peer) } }

    mutating func end(_ life: Life) {
        alive.removeAll { $0 == life.peer }
        underWay = underWay.filter { $0.key.to != life.peer }
    }

    mutating func take(_ step: Step) {
        let peer = step.life.peer
        if case .frame(let frame, from: let sender) = step.input,
            let at = underWay.removeValue(
                forKey: Sent(
                    from: sender, to: peer, epoch: frame.epoch, generation: frame.generation, sequence: frame.sequence))
        {
            let took = max(0, at.duration(to: step.at).nanoseconds)
            if sender == .supervisor || peer == .supervisor { control.append(took) } else { data.append(took) }
        }
        // What waits for a process that has yet to start is no matter of its link.
        for case .send(let frame, to: let receiver) in step.effects
        where alive.contains(receiver) && receiver.role != .controller {
            let sent = Sent(
                from: peer, to: receiver, epoch: frame.epoch, generation: frame.generation, sequence: frame.sequence)
            underWay[sent] = step.at
        }
    }

    mutating func finish() {
        underWay = [:]
        data.sort()
        control.sort()
    }

    /// - Parameter times: Ascending.
    /// - Returns: What this share of them does not exceed; zero for none.
    public static func quantile(_ share: Double, of times: [Int64]) -> Duration {
        guard !times.isEmpty else { return .zero }
        let index = Int(Double(times.count - 1) * min(max(share, 0), 1))
        return .nanoseconds(times[index])
    }

    /// Microseconds, a twentieth of the frames between each and the next; what is seldom is rounded up by that: the
    /// slowest twentieth is spread evenly up to the slowest of all.
    public static func microseconds(_ times: [Int64]) -> [Int64] {
        (0...steps).map { quantile(Double($0) / Double(steps), of: times).nanoseconds / 1000 }
    }

    /// As `LinkModel(contentsOf:)` reads it.
    public var text: String {
        func list(_ times: [Int64]) -> String { Self.microseconds(times).map(String.init).joined(separator: ", ") }
        return """
            # How long frames took between processes of a live group: microseconds, from the shortest to the longest, at
            # even steps of probability. Written by `touchline compare --write-links`, for `touchline simulate --links`.

            # between the server and its clients: \(data.count) frames
            data: [\(list(data))]
            # between the supervisor and its children: \(control.count) frames
            control: [\(list(control))]

            """
    }
}
