// RunCoverage.swift: what a simulated run has reached, as names of features.
//
//     message system-server>app touches            a core has received a message of this kind from this role
//     fault kill app                               a fault of this word hit a process of this role
//     faults kill app + stop input-kit             both hit the group in one run
//     fact app gesture {a:n} began                 a process of this role noted this fact
//     machine Child ready>backingOff               a machine of Docs/Reference/Machines went from one state to another
//
// A machine is read after each step of its core. Of several transitions in one step, the first state and the last are seen.
//
// Input     RunRecorder (occurrences), World (cores and facts), the plan of faults
// Output    SimulationResult.features
// Knows     kinds and templates. No text is made before the end of the run.
//
// PossibleFeatures lists those that may be reached.
//
// Sources   invented; pairs of faults after the pairwise coverage of combinatorial testing

import Basics
import Faults
import Hosting
import Trace
import Wire

/// What a simulated run has reached.
struct RunCoverage {
    /// By receiver, sender and kind.
    private var messages = Set<UInt32>()
    /// The role and the address of the template, which is a literal, of each of `facts`.
    private var knownFacts = Set<FactKey>()
    /// The first fact of each role and template.
    private var facts: [(role: Role, fact: Fact)] = []

    /// The last state of each machine. A state's address is that of its literal.
    private var machines: [MachineKey: State] = [:]
    private var knownTransitions = Set<TransitionKey>()
    private var transitions: [String] = []

    private struct MachineKey: Hashable {
        var life: UInt32
        var machine: UInt
        var number: UInt64
    }

    private struct State {
        var address: UInt
        var name: StaticString
    }

    private struct TransitionKey: Hashable {
        var machine, from, to: UInt
    }

    private struct FactKey: Hashable {
        var role: Role
        var template: UInt
    }

    mutating func record(_ step: borrowing Step) {
        guard case .frame(let frame, from: let sender) = step.input else { return }
        let (receiver, kind) = (UInt32(step.process.peer.role.rawValue), UInt32(frame.message.kind.rawValue))
        messages.insert(receiver << 16 | UInt32(sender.role.rawValue) << 8 | kind)
    }

    mutating func record(_ core: SimulatedCore, _ peer: Peer, life: UInt32, facts noted: [Fact]) {
        core.readMachines { machine, number, state in
            let key = MachineKey(life: life, machine: UInt(bitPattern: machine.utf8Start), number: number)
            let address = UInt(bitPattern: state.utf8Start)
            let before = machines.updateValue(State(address: address, name: state), forKey: key)
            guard before?.address != address else { return }
            let step = TransitionKey(machine: key.machine, from: before?.address ?? 0, to: address)
            guard knownTransitions.insert(step).inserted else { return }
            let from = before.map { "\($0.name)" } ?? ""
            transitions.append(FeatureName.step("\(machine)", .init(from: from, to: "\(state)")))
        }
        let role = peer.role
        for fact in noted where !fact.isProbe && fact.template.hasPointerRepresentation {
            let key = FactKey(role: role, template: UInt(bitPattern: fact.template.utf8Start))
            if knownFacts.insert(key).inserted { facts.append((role, fact)) }
        }
    }

    /// Returns the names of all features, sorted.
    ///
    /// - Parameter faults: The faults that happened.
    func features(_ faults: [Fault]) -> [String] {
        var names: [String] = []
        for receiver in Role.allCases {
            for sender in Role.allCases {
                for kind in MessageKind.allCases {
                    let key = UInt32(receiver.rawValue) << 16 | UInt32(sender.rawValue) << 8 | UInt32(kind.rawValue)
                    if messages.contains(key) { names.append(FeatureName.message(kind, from: sender, to: receiver)) }
                }
            }
        }
        names += facts.map { "fact \($0.role.processName) \($0.fact.station.rawValue) \($0.fact.template)" }
        // Two literals of one name may have two addresses.
        for transition in transitions where !names.contains(transition) { names.append(transition) }
        names += FeatureName.faults(faults.map { ($0.kind, $0.target.role) })
        return names.sorted()
    }
}
