// AppCore+Machines.swift: the states of an app's machines, by the names of Docs/Reference/Machines.
//
// Sources   invented

package import Hosting
import Links

extension AppCore {
    public func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) {
        read("ProcessState", 0, process.name)
        read("ClientLink", 0, server.link.phase.name)
    }

    /// The steps of the machines that `readMachines` names.
    package static var machineSteps: [MachineSteps] {
        [
            MachineSteps(
                "ProcessState", states: ProcessState.examples, inputs: ProcessState.Input.allCases, name: \.name,
                transition: ProcessState.transition),
            MachineSteps(
                "ClientLink", states: Link.Phase.allCases, inputs: Link.Input.allCases, name: \.name,
                transition: { phase, input in
                    Link.transition(of: .client, from: phase, on: input).map { ($0.phase, $0.decision) }
                }),
        ]
    }
}

extension ProcessState {
    /// Each state with each payload that matters to the table.
    static var examples: [ProcessState] {
        let content = Content { _ in }
        return [
            .created(content, isDismissed: false), .created(content, isDismissed: true), .launched, .ready, .dismissed,
            .ended,
        ]
    }

    fileprivate var name: StaticString {
        switch self {
        case .created: "created"
        case .launched: "launched"
        case .ready: "ready"
        case .dismissed: "dismissed"
        case .ended: "ended"
        }
    }
}
