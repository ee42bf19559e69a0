// SupervisorCore+Machines.swift: the states of the supervisor's machines, by the names of Docs/Reference/Machines.
//
// Sources   invented

extension SupervisorCore {
    public func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) {
        for (number, child) in table.children.enumerated() { read("Child", UInt64(number), child.state.name) }
    }
}

extension ChildMachine.State {
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
