// BrowserGesture.swift: the latest gesture of a browser, to be played again: every sample from the first landing on.
//
//     untouched ─landing─▶ samples … ─last lift─▶ over ─landing─▶ the next gesture
//
// Input     BrowserSession
// Output    a finger script (Docs/Spec/Semantics.md section 0.4), for jobs of the page
// Knows     positions and times. No panel.
//
// Sources   invented

public import Basics

/// The samples of fingers from the moment at which the panel was untouched.
public struct BrowserGesture: Hashable, Sendable {
    /// One sample that reached the panel.
    public struct Sample: Hashable, Sendable {
        public enum Change: String, Hashable, Sendable { case down, move, up, cancel }

        public var at: Instant
        /// The number of the landing in this gesture, from 1 on.
        public var finger: Int
        public var change: Change
        /// Points of the display.
        public var x, y: Double
    }

    public private(set) var samples: [Sample] = []
    /// Whether samples were left out, because the gesture has more than the limit.
    public private(set) var isCut = false

    private var landings = 0
    private var down: [(id: UInt32, finger: Int)] = []

    /// Ten fingers at 120 Hz for a quarter of a minute.
    static let limit = 20_000

    public init() {}

    /// Whether a finger is still down.
    public var isOver: Bool { down.isEmpty }
    public var isEmpty: Bool { samples.isEmpty }

    mutating func note(_ change: Sample.Change, of id: UInt32, x: Double, y: Double, at moment: Instant) {
        if change == .down {
            if down.isEmpty { self = BrowserGesture() }
            landings += 1
            down.removeAll { $0.id == id }
            down.append((id, landings))
        }
        guard let place = down.firstIndex(where: { $0.id == id }) else { return }
        let finger = down[place].finger
        if change == .up || change == .cancel { down.remove(at: place) }
        // The end of a finger is kept in any case: without it a play would hold it down.
        guard samples.count < Self.limit || change == .up || change == .cancel else {
            isCut = true
            return
        }
        samples.append(Sample(at: moment, finger: finger, change: change, x: x, y: y))
    }

    /// The gesture as a finger script; times count from the first landing.
    public var script: String {
        guard let first = samples.first else { return "" }
        return samples.map { sample in
            let time = "@\(Self.decimal(first.at.duration(to: sample.at).nanoseconds, digits: 9, shown: 6))"
            let finger = "f\(sample.finger)"
            switch sample.change {
            case .down, .move:
                return "\(sample.change.rawValue) \(finger) (\(Self.points(sample.x)),\(Self.points(sample.y))) \(time)"
            case .up, .cancel: return "\(sample.change.rawValue) \(finger) \(time)"
            }
        }.joined(separator: "\n")
    }

    private static func points(_ value: Double) -> String {
        decimal(Int64(clamping: value * 1000), digits: 3, shown: 3)
    }

    /// A number of 10^-digits as a decimal.
    private static func decimal(_ number: Int64, digits: Int, shown: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        let rest = padded(Int64(number.magnitude) % scale, to: digits).prefix(shown)
        return "\(number < 0 ? "-" : "")\(Int64(number.magnitude) / scale).\(rest)"
    }

    public static func == (a: Self, b: Self) -> Bool { a.samples == b.samples && a.isCut == b.isCut }
    public func hash(into hasher: inout Hasher) { hasher.combine(samples) }
}
