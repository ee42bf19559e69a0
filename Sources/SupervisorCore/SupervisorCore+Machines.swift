// SupervisorCore+Machines.swift: the states of the supervisor's machines, by the names of Docs/Reference/Machines.
//
// Sources   invented

package import Hosting

extension SupervisorCore {
    public func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) {
        for (number, child) in table.children.enumerated() { read("Child", UInt64(number), child.state.name) }
    }

    /// The steps of the machines that `readMachines` names.
    package static var machineSteps: [MachineSteps] {
        [
            MachineSteps(
                "Child", states: ChildMachine.State.examples, inputs: ChildMachine.Input.examples, name: \.name,
                transition: ChildMachine.transition)
        ]
    }
}

extension ChildMachine.Input {
    /// Each input with each payload that matters to the table.
    static let examples: [Self] = [
        .start, .spawned(pid: 7), .announced, .linkLost, .timerFired, .misbehaved(reason: "strikes"), .dismiss, .launch,
        .died(.restart), .died(.quarantine(reason: "crashes")), .stop,
    ]
}

extension ChildMachine.State {
    /// Each state with each payload that matters to the table.
    static let examples: [Self] = [
        .waiting, .spawning, .starting(pid: 7), .ready(pid: 7), .condemned(pid: 7),
        .expelled(pid: 7, reason: "strikes"), .dismissed(pid: 7, isWanted: false), .dismissed(pid: 7, isWanted: true),
        .dormant, .backingOff, .quarantined(reason: "crashes"), .stopping(pid: nil), .stopping(pid: 7), .gone,
    ]

    fileprivate var name: StaticString {
        switch self {
        case .waiting: "waiting"
        case .spawning: "spawning"
        case .starting: "starting"
        case .ready: "ready"
        case .condemned: "condemned"
        case .expelled: "expelled"
        case .dismissed: "dismissed"
        case .dormant: "dormant"
        case .backingOff: "backingOff"
        case .quarantined: "quarantined"
        case .stopping: "stopping"
        case .gone: "gone"
        }
    }
}
