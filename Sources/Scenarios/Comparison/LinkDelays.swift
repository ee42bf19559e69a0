// LinkDelays.swift: the delays of frames between the processes of a live group, from its journals.
//
//     data       server ↔ input-kit, apps       control    supervisor ↔ children
//
// Input     LiveRun
// Output    LinkModel, through `touchline compare --write-links`
//
// A delay reaches from the sender's step to the receiver's step, on one clock. It includes the sender's work after the
// step and the time until the receiver wakes. A World needs exactly this sum.
//
// Sources   invented

import Basics
import Hosting

import Wire

/// The delays of all frames of a run.
public struct LinkDelays: Sendable {
    /// Nanoseconds, ascending after `finish`.
    public private(set) var data: [Int64] = []
    public private(set) var control: [Int64] = []

    private struct Sent: Hashable {
        var from, to: Peer
        var epoch, generation: UInt32
        var sequence: SequenceNumber
    }
    private var inTransit: [Sent: Instant] = [:]
    private var alive: [Peer] = []

    /// The number of steps of probability, from the shortest to the longest delay.
    private static let steps = 20

    mutating func begin(_ instance: ProcessInstance) {
        if !alive.contains(instance.peer) { alive.append(instance.peer) }
    }

    mutating func end(_ instance: ProcessInstance) {
        alive.removeAll { $0 == instance.peer }
        inTransit = inTransit.filter { $0.key.to != instance.peer }
    }

    mutating func add(_ step: Step) {
        let peer = step.process.peer
        if case .frame(let frame, from: let sender) = step.input,
            let at = inTransit.removeValue(
                forKey: Sent(
                    from: sender, to: peer, epoch: frame.epoch, generation: frame.generation, sequence: frame.sequence))
        {
            let took = max(0, at.duration(to: step.at).nanoseconds)
            if sender == .supervisor || peer == .supervisor { control.append(took) } else { data.append(took) }
        }
        // A frame that waits for a process to start does not measure the link.
        for case .send(let frame, to: let receiver) in step.effects
        where alive.contains(receiver) && receiver.role != .controller {
            let sent = Sent(
                from: peer, to: receiver, epoch: frame.epoch, generation: frame.generation, sequence: frame.sequence)
            inTransit[sent] = step.at
        }
    }

    mutating func finish() {
        inTransit = [:]
        data.sort()
        control.sort()
    }

    /// - Parameters:
    ///   - share: 0...1: 0.5 for the median.
    ///   - times: Delays, ascending.
    /// - Returns: The delay that this share of them does not exceed; zero without delays.
    public static func quantile(_ share: Double, of times: [Int64]) -> Duration {
        guard !times.isEmpty else { return .zero }
        let index = Int(Double(times.count - 1) * min(max(share, 0), 1))
        return .nanoseconds(times[index])
    }

    /// Returns the delays at 21 even steps of probability, in microseconds. Interpolation overestimates rare delays:
    /// the slowest twentieth is spread evenly up to the slowest.
    public static func microseconds(_ times: [Int64]) -> [Int64] {
        (0...steps).map { quantile(Double($0) / Double(steps), of: times).nanoseconds / 1000 }
    }

    /// The text that `LinkModel(contentsOf:)` reads.
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
