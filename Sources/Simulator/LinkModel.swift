// LinkModel.swift: how long things take between processes: frames, deaths, starts.
//
// Everything takes no time unless somebody says otherwise, so that a script determines every line of a trace.
//
// Sources   observed    `measured`: frames as Config/Links/measured.yaml has them, deaths by `touchline chaos`
//           estimated   of `measured`: connecting and starting, after Docs/Spec/Pipeline.md section 1

import Basics

/// How long something takes: one duration, or any of a spread of them.
public struct Spread: Hashable, Sendable {
    /// Nanoseconds at even steps of probability, ascending; between two of them it is even.
    private let quantiles: [Int64]

    /// - Parameter quantiles: From the shortest to the longest, at even steps of probability; one is a constant.
    public init(_ quantiles: [Duration]) {
        precondition(!quantiles.isEmpty, "a spread of nothing")
        self.quantiles = quantiles.map { max(0, $0.nanoseconds) }.sorted()
    }

    public static func constant(_ duration: Duration) -> Spread { Spread([duration]) }
    public static let zero = constant(.zero)

    var longest: Duration { .nanoseconds(quantiles[quantiles.count - 1]) }

    /// Nanoseconds. A constant takes no chance.
    func draw(_ chance: inout SeededGenerator) -> Int64 {
        guard quantiles.count > 1 else { return quantiles[0] }
        let (high, low) = chance.next().multipliedFullWidth(by: UInt64(quantiles.count - 1))
        let from = quantiles[Int(high)]
        return from + Int64(clamping: Double(quantiles[Int(high) + 1] - from) * Double(low >> 11) * 0x1p-53)
    }
}

public struct LinkModel: Hashable, Sendable {
    /// A frame between the server and a client.
    public var data = Spread.zero
    /// A frame between the supervisor and a child.
    public var control = Spread.zero
    /// From a process's death to the moment each of its peers hears of it: sends succeed meanwhile, and vanish.
    public var notice = Spread.zero
    /// From a client's start, or from the end of its link, to its being connected.
    public var connect = Spread.zero
    /// From a child's being spawned to its first input.
    public var start = Spread.zero
    /// A process that stands still for longer is taken for dead by the I/O threads of its peers.
    public var heartbeat = Duration.milliseconds(304)
    /// Frames a link holds for a process that does not read.
    public var capacity = 376

    public init() {}

    /// That an undisturbed frame takes.
    var longestData: Duration { data.longest }

    /// As a live group of release builds had it, on two CPUs that had nothing else to do.
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
