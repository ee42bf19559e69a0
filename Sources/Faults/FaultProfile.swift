// FaultProfile.swift: the possible faults with their frequencies, lengths and targets. Each seed draws a plan from it.
//
//    profile + seed ─▶ which words are on ─▶ for each: one rate, its targets ─▶ faults ─▶ FaultPlan
//
// Swarm testing: every seed omits most words and drives the others to an extreme. A run with a few of all faults finds
// less than many runs with two frequent faults.
//
// Input     Configuration, from Config/Faults/*.yaml
// Output    Simulator, `touchline chaos`, soak runs
// Knows     words, ranges, targets. No file.
//
// Sources   invented; documented  Groce et al., "Swarm testing" (ISSTA 2012)

import Basics
public import Wire

/// The target of a rule.
public enum FaultTarget: Hashable, Sendable {
    case peer(Peer)
    /// Any app of the group.
    case apps

    public init?(_ word: String) {
        if word == "apps" {
            self = .apps
        } else if let peer = Peer(word), peer.role != .controller {
            self = .peer(peer)
        } else {
            return nil
        }
    }
}

/// The frequency of one fault word in a profile.
public struct FaultRule: Hashable, Sendable {
    public var kind: FaultKind
    /// The chance that a seed uses the rule at all, 0…1.
    public var chance: Double
    public var targets: [FaultTarget]
    /// Seconds between two faults: each seed draws its own mean from this range. Nil: once, at the beginning.
    public var every: ClosedRange<Double>?
    /// Each seed draws its own amount from this range; in the word's unit.
    public var amount: ClosedRange<Double>
    /// Seconds that each fault lasts. Nil: until the end of all faults.
    public var length: ClosedRange<Double>?

    public init(
        _ word: FaultKind, chance: Double = 1, targets: [FaultTarget], every: ClosedRange<Double>? = nil,
        amount: ClosedRange<Double> = 0...0, length: ClosedRange<Double>? = nil
    ) {
        (self.kind, self.chance, self.targets, self.every) = (word, chance, targets, every)
        (self.amount, self.length) = (amount, length)
    }
}

/// The rules by which seeds draw faults.
public struct FaultProfile: Hashable, Sendable {
    public var rules: [FaultRule]

    public init(_ rules: [FaultRule] = []) { self.rules = rules }

    /// The most faults of a run: a profile with more is a mistake.
    public static let faultLimit = 10_000

    /// A profile in which `times` as many seeds use each word, up to a chance of 0.75.
    public func withChances(multipliedBy times: Double) -> FaultProfile {
        var profile = self
        for index in rules.indices {
            let chance = rules[index].chance
            profile.rules[index].chance = max(chance, min(0.75, chance * times))
        }
        return profile
    }

    /// A profile in which each word that can hit this target hits no other. Each word also occurs at least as often as
    /// in half of all seeds.
    public func focused(on target: FaultTarget) -> FaultProfile {
        var profile = self
        for index in rules.indices {
            if rules[index].targets.contains(target) { profile.rules[index].targets = [target] }
            guard let every = rules[index].every else { continue }
            profile.rules[index].every =
                every.lowerBound...(every.lowerBound + (every.upperBound - every.lowerBound) / 8)
        }
        return profile
    }

    /// Draws the faults of one run.
    ///
    /// - Parameters:
    ///   - seed: One seed gives one plan.
    ///   - length: The time after which there are no faults.
    ///   - apps: The number of apps of the group.
    public func plan(seed: UInt64, length: Duration, apps: UInt32) -> FaultPlan {
        // Each rule has its own random numbers, so that one more rule does not change the others.
        var seeds = SeededGenerator(seed: seed ^ 0xFA17_FA17_FA17_FA17)
        var faults: [Fault] = []
        for rule in rules {
            var chance = SeededGenerator(seed: seeds.next())
            guard chance.share() < rule.chance else { continue }
            draw(rule, length: length, apps: apps, &chance, into: &faults)
        }
        return FaultPlan(faults)
    }

    private func draw(
        _ rule: FaultRule, length: Duration, apps: UInt32, _ chance: inout SeededGenerator, into faults: inout [Fault]
    ) {
        let places = rule.targets.filter { $0 != .apps || apps > 0 }
        guard !places.isEmpty else { return }
        // First one of the targets, then one of the apps: many apps together are one target.
        func target(_ chance: inout SeededGenerator) -> Peer {
            switch places[chance.index(below: places.count)] {
            case .peer(let peer): peer
            case .apps: .app(AppID(index: chance.index(below: Int(apps))))
            }
        }
        let amount = rounded(chance.number(in: rule.amount), for: rule.kind)
        func fault(at: Duration, _ target: Peer, _ chance: inout SeededGenerator) -> Fault {
            var lasts = Duration.zero
            if rule.kind.hasLength {
                let rest = length - at
                lasts = rule.length.map { min(rest, wholeMilliseconds(chance.number(in: $0))) } ?? rest
            }
            return Fault(at: at, rule.kind, target, amount: amount, for: lasts)
        }
        guard let every = rule.every else {
            // All targets, or one of them.
            let isForAll = chance.share() < 0.5
            let one = target(&chance)
            let all = places.flatMap { place -> [Peer] in
                switch place {
                case .peer(let peer): [peer]
                case .apps: (0..<Int(apps)).map { Peer.app(AppID(index: $0)) }
                }
            }
            for target in all where isForAll || target == one {
                faults.append(fault(at: .zero, target, &chance))
            }
            return
        }
        // The ranges span two decades: frequent and rare faults are equally likely.
        let share = chance.share()
        let mean = every.lowerBound + (every.upperBound - every.lowerBound) * share * share * share
        var at = wholeMilliseconds(chance.number(in: 0...1) * mean)
        while at < length, faults.count < Self.faultLimit {
            faults.append(fault(at: at, target(&chance), &chance))
            at += max(.milliseconds(1), wholeMilliseconds(chance.number(in: 0.2...1.8) * mean))
        }
    }

    /// Rounds an amount so that a person can type it.
    private func rounded(_ amount: Double, for word: FaultKind) -> Double {
        switch word.amount {
        case .nothing: 0
        case .share: (amount * 1000).rounded() / 1000
        case .milliseconds: amount.rounded()
        case .packets: max(1, amount.rounded())
        }
    }

    private func wholeMilliseconds(_ seconds: Double) -> Duration { .milliseconds(Int64(clamping: seconds * 1000)) }
}

extension SeededGenerator {
    /// A number in 0..<1.
    mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }
    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * share()
    }
    mutating func index(below count: Int) -> Int { Int(next() % UInt64(count)) }
}
