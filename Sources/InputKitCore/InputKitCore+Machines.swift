// InputKitCore+Machines.swift: the states of input-kit's machines, by the names of Docs/Reference/Machines.
//
// Sources   invented

package import Hosting
import Links

extension InputKitCore {
    public func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) {
        read("PlayState", 0, player.state.name)
        read("ClientLink", 0, sender.link.phase.name)
    }

    /// The steps of the machines that `readMachines` names, except `ClientLink`, which AppCore lists.
    package static var machineSteps: [MachineSteps] {
        [
            MachineSteps(
                "PlayState", states: PlayState.allCases, inputs: PlayState.Input.allCases, name: \.name,
                transition: PlayState.transition)
        ]
    }
}

extension PlayState {
    fileprivate var name: StaticString {
        switch self {
        case .idle: "idle"
        case .waiting: "waiting"
        case .pacing: "pacing"
        case .blocked: "blocked"
        case .draining: "draining"
        case .reporting: "reporting"
        }
    }
}
