// AppCore+Machines.swift: the states of an app's machines, by the names of Docs/Reference/Machines.
//
// Sources   invented

import Links

extension AppCore {
    public func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) {
        read("ProcessState", 0, process.name)
        read("ClientLink", 0, server.link.phase.name)
    }
}

extension ProcessState {
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
