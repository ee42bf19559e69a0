// PossibleFeatures.swift: what simulated runs can reach, and from it what none of them has reached.
//
//     permissions of messages, tables of machines, rules of faults ─▶ names ─ without those reached ─▶ UnreachedKind
//
// Facts are not listed: a template is known when a core notes it. A machine's row that keeps the state is not listed, as a
// reader sees no input.
//
// Input     SimulationOptions, the features that runs have reached (RunCoverage)
// Output    the report of a campaign
// Knows     names. No run.
//
// Sources   invented

import AppCore
import Basics
import Faults
import HID
import Hosting
import InputKitCore
import SupervisorCore
import SystemServerCore
import Wire

/// What runs with some options can reach.
public struct PossibleFeatures: Sendable {
    /// The features of one kind.
    public struct UnreachedKind: Hashable, Sendable {
        /// The first word of their names.
        public let kind: String
        /// How many features of this kind there are.
        public let possible: Int
        /// The names of those that no run has reached, without the kind, in the order of their tables.
        public let names: [String]
    }

    /// In the order of their tables.
    private let messages: [String]
    private let faults: [String]
    private let machines: [MachineSteps]

    public init(_ options: SimulationOptions) {
        messages = Self.messages()
        machines =
            SupervisorCore.machineSteps + InputKitCore.machineSteps + SystemServerCore.machineSteps
            + AppCore.machineSteps
        faults =
            switch options.faults {
            case .plan(let plan): FeatureName.faults(plan.faults.map { ($0.kind, $0.target.role) })
            case .profile(let profile):
                FeatureName.faults(
                    profile.rules.filter { $0.chance > 0 }.flatMap { rule in
                        rule.targets.map { target in
                            switch target {
                            case .peer(let peer): (rule.kind, peer.role)
                            case .apps: (rule.kind, Role.app)
                            }
                        }
                    })
            }
    }

    /// Returns what is missing in the features that runs have reached.
    ///
    /// - Parameter reached: In any order.
    /// - Returns: Each kind that has features, also if all are reached.
    public func unreached(by reached: [String]) -> [UnreachedKind] {
        let names = Set(reached)
        func kind(_ word: String, _ all: [String]) -> UnreachedKind? {
            let own = all.filter { $0.hasPrefix("\(word) ") }
            guard !own.isEmpty else { return nil }
            let missing = own.filter { !names.contains($0) }.map { String($0.dropFirst(word.count + 1)) }
            return UnreachedKind(kind: word, possible: own.count, names: missing)
        }
        return [unreachedSteps(reached), kind("message", messages), kind("fault", faults), kind("faults", faults)]
            .compactMap { $0 }
    }

    private func unreachedSteps(_ reached: [String]) -> UnreachedKind? {
        let seen = reached.compactMap(FeatureName.step(in:))
        var (possible, names) = (0, [String]())
        for machine in machines {
            let taken = machine.taken(by: seen.filter { $0.machine == machine.machine }.map(\.step))
            possible += machine.visible.count
            for step in machine.visible where !taken.contains(step) {
                names.append("\(machine.machine) \(step.from)>\(step.to)")
            }
        }
        return UnreachedKind(kind: "machine", possible: possible, names: names)
    }

    /// The messages that a simulated core may receive. A controller has no core, and roles that may only refuse each
    /// other's messages have no link.
    private static func messages() -> [String] {
        var names: [String] = []
        for sender in Role.allCases {
            for receiver in Role.allCases where receiver != .controller {
                let kinds = MessageKind.allCases.filter { $0.isAllowed(from: sender, to: receiver) }
                guard kinds != [.refused] else { continue }
                names += kinds.map { FeatureName.message($0, from: sender, to: receiver) }
            }
        }
        return names
    }
}
