// LinkModel.swift: the durations of transport between processes: frames, ends of connections, starts.
//
// Every spread is zero by default, so that a script determines every line of a trace.
//
// Sources   observed    `measured`: frames as in Config/Links/measured.yaml, ends of processes by `touchline chaos`
//           estimated   of `measured`: connecting and starting, after Docs/Spec/Pipeline.md section 1

import Basics

/// A duration of the link model: a constant, or a distribution.
public struct Spread: Hashable, Sendable {
    /// Nanoseconds at even steps of probability, ascending. Between two quantiles the distribution is uniform.
    private let quantiles: [Int64]

    /// - Parameter quantiles: From the shortest to the longest, at even steps of probability. One alone is a constant.
    public init(_ quantiles: [Duration]) {
        precondition(!quantiles.isEmpty, "a spread of nothing")
        self.quantiles = quantiles.map { max(0, $0.nanoseconds) }.sorted()
    }

    /// A spread that always gives the same duration.
    public static func constant(_ duration: Duration) -> Spread { Spread([duration]) }
    public static let zero = constant(.zero)

    var longest: Duration { .nanoseconds(quantiles[quantiles.count - 1]) }

    /// Draws a duration in nanoseconds. A constant consumes no random number.
    func draw(_ chance: inout SeededGenerator) -> Int64 {
        guard quantiles.count > 1 else { return quantiles[0] }
        let (high, low) = chance.next().multipliedFullWidth(by: UInt64(quantiles.count - 1))
        let from = quantiles[Int(high)]
        return from + Int64(clamping: Double(quantiles[Int(high) + 1] - from) * Double(low >> 11) * 0x1p-53)
    }
}

/// The durations and limits of the links of a world.
public struct LinkModel: Hashable, Sendable {
    /// A frame between the server and a client.
    public var data = Spread.zero
    /// A frame between the supervisor and a child.
    public var control = Spread.zero
    /// From the death of a process until each of its peers notices. Sends succeed meanwhile and are lost.
    public var notice = Spread.zero
    /// From the start of a client, or from the end of its link, to its connection.
    public var connect = Spread.zero
    /// From the spawn of a child to its first input.
    public var start = Spread.zero
    /// The peers' I/O threads close the connection of a process that is stopped for longer.
    public var heartbeat = Duration.milliseconds(304)
    /// The number of frames that a link holds for a process that does not read.
    public var capacity = 376

    public init() {}

    /// The longest time of an undisturbed frame.
    var longestData: Duration { data.longest }

    /// Measured in a live group of release builds on two CPUs without other load.
    public static let measured = {
        var model = LinkModel()
        func microseconds(_ numbers: [Int64]) -> Spread { Spread(numbers.map { .microseconds($0) }) }
        model.data = microseconds([
            42, 76, 95, 110, 122, 133, 143, 152, 160, 169, 178, 188, 199, 210, 223, 237, 252, 278, 313, 351, 5537,
        ])
        model.control = microseconds([
            44, 72, 79, 84, 98, 110, 122, 139, 150, 155, 169, 188, 228, 262, 285, 313, 365, 417, 485, 566, 4155,
        ])
        model.notice = microseconds([300, 900, 1400, 1700, 2100, 3000, 5700])
        model.connect = microseconds([200, 500, 1000, 10_000, 20_000, 21_000])
        model.start = microseconds([4000, 6000, 10_000, 15_000, 30_000])
        return model
    }()
}
