// SystemServerCore+Machines.swift: the states of the server's machines, by the names of Docs/Reference/Machines.
//
// Sources   invented

import HID
import Links
import Wire

extension SystemServerCore {
    public func readMachines(_ read: (StaticString, UInt64, StaticString) -> Void) {
        // App numbers begin at 1.
        read("ServerLink", 0, inputKit.link.phase.name)
        for index in connections.values.indices {
            read("ServerLink", UInt64(connections.app(at: index).rawValue), connections.values[index].link.phase.name)
        }
        for finger in touches.router.fingers {
            let number = UInt64(finger.touch.rawValue)
            read("ContactRoute", number, finger.route.state.name)
            if let contest = finger.contest { read("GestureContest", number, contest.contest.state.name) }
        }
        for entry in urls.entries { read("Opening", UInt64(entry.id), entry.machine.state.name) }
    }
}

extension ContactRoute.State {
    fileprivate var name: StaticString {
        switch self {
        case .lifted: "lifted"
        case .owned: "owned"
        case .ignored: "ignored"
        case .taken: "taken"
        }
    }
}

extension GestureContest.State {
    fileprivate var name: StaticString {
        switch self {
        case .asking: "asking"
        case .allowed: "allowed"
        case .deferred: "deferred"
        case .holding: "holding"
        case .taken: "taken"
        case .left: "left"
        }
    }
}

extension Opening.State {
    fileprivate var name: StaticString {
        switch self {
        case .waiting: "waiting"
        case .sent: "sent"
        case .lost: "lost"
        case .over: "over"
        }
    }
}
