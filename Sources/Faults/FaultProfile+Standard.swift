// FaultProfile+Standard.swift: the default profile of faults: Config/Faults/standard.yaml, built in.
//
// A test keeps the two equal.
//
// Sources   invented

import Wire

extension FaultProfile {
    /// The profile of Config/Faults/standard.yaml.
    public static let standard: FaultProfile = {
        let (inputKit, server) = (FaultTarget.peer(.inputKit), FaultTarget.peer(.systemServer))
        let all = [inputKit, server, .apps]
        return FaultProfile([
            FaultRule(.kill, chance: 0.35, targets: [.apps, .apps, inputKit, server], every: 0.3...20),
            FaultRule(.stop, chance: 0.3, targets: [.apps, inputKit, server], every: 1...20, length: 0.005...3),
            FaultRule(
                .slow, chance: 0.25, targets: [.apps, .apps, server], every: 2...20, amount: 1...20, length: 0.1...3),
            FaultRule(
                .crashLoop, chance: 0.1, targets: [.apps, inputKit, server], every: 5...40, amount: 1...100,
                length: 0.1...6),
            FaultRule(.loss, chance: 0.3, targets: all, every: 1...20, amount: 0.001...0.1, length: 0.1...20),
            FaultRule(.duplicate, chance: 0.3, targets: all, every: 1...20, amount: 0.001...0.5, length: 0.1...20),
            FaultRule(.reorder, chance: 0.3, targets: all, every: 1...20, amount: 0.001...0.1, length: 0.1...20),
            FaultRule(.delay, chance: 0.2, targets: all, every: 2...20, amount: 1...50, length: 0.1...5),
            FaultRule(.clog, chance: 0.15, targets: all, every: 2...20, length: 0.01...1),
            FaultRule(.malformed, chance: 0.1, targets: [.apps], every: 3...30, amount: 1...4),
            FaultRule(
                .suspend, chance: 0.25, targets: all + [.peer(.supervisor)], every: 0.5...30, amount: 10...5000),
            FaultRule(.deviceTime, chance: 0.25, targets: [inputKit], every: 1...15, amount: 1...10_000),
            FaultRule(
                .wallTime, chance: 0.1, targets: [.peer(.supervisor)], every: 5...30, amount: 1000...3_600_000),
            FaultRule(.diskFull, chance: 0.1, targets: all, every: 5...30, length: 0.1...5),
        ])
    }()
}
