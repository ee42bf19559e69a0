// FeatureName.swift: the names of what a simulated run can reach. RunCoverage has their list.
//
// Output    RunCoverage (reached), PossibleFeatures (all)
//
// Sources   invented

import Faults
import Hosting
import Wire

/// The names of features. The first word is the kind.
enum FeatureName {
    static func message(_ kind: MessageKind, from sender: Role, to receiver: Role) -> String {
        "message \(sender.processName)>\(receiver.processName) \(kind)"
    }

    /// - Parameter step: `from` is empty for the first state of a machine.
    static func step(_ machine: String, _ step: MachineSteps.Step) -> String {
        "machine \(machine) \(step.from)>\(step.to)"
    }

    /// The reverse of `step`; nil for another feature.
    static func step(in name: String) -> (machine: String, step: MachineSteps.Step)? {
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "machine" else { return nil }
        let states = words[2].split(separator: ">", omittingEmptySubsequences: false)
        guard states.count == 2 else { return nil }
        return (String(words[1]), MachineSteps.Step(from: String(states[0]), to: String(states[1])))
    }

    /// The names of faults and of their pairs, each once.
    static func faults(_ faults: [(kind: FaultKind, role: Role)]) -> [String] {
        var words: [String] = []
        for fault in faults {
            let word = "\(fault.kind.rawValue) \(fault.role.processName)"
            if !words.contains(word) { words.append(word) }
        }
        words.sort()
        var names = words.map { "fault \($0)" }
        for (index, word) in words.enumerated() {
            names += words[(index + 1)...].map { "faults \(word) + \($0)" }
        }
        return names
    }
}
