// SystemServerCore+Machines.swift: the states of the server's machines, by the names of Docs/Reference/Machines.
//
// Sources   invented

import HID
package import Hosting
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

    /// The steps of the machines that `readMachines` names. A contact that lifts, a contest that is left and an opening that
    /// is over are removed at once.
    package static var machineSteps: [MachineSteps] {
        [
            MachineSteps(
                "ServerLink", states: Link.Phase.allCases.filter { $0 != .connecting }, inputs: Link.Input.allCases,
                name: \.name,
                transition: { phase, input in
                    Link.transition(of: .server, from: phase, on: input).map { ($0.phase, $0.decision) }
                }),
            MachineSteps(
                "ContactRoute", states: ContactRoute.State.examples, inputs: ContactRoute.Input.examples,
                ends: [.lifted], name: \.name, transition: ContactRoute.transition),
            MachineSteps(
                "GestureContest", states: GestureContest.State.allCases, inputs: GestureContest.Input.allCases,
                ends: [.left], name: \.name, transition: GestureContest.transition),
            MachineSteps(
                "Opening", states: Opening.State.examples, inputs: Opening.Input.examples, ends: [.over], name: \.name,
                transition: Opening.transition),
        ]
    }
}

extension ContactRoute.Input {
    /// Each input with each payload that matters to the table.
    static let examples: [Self] = [
        .down(hit: .app(1)), .down(hit: nil), .refused, .held, .up, .cancelled, .revoked, .taken(by: .monitor),
        .taken(by: .system), .died(.app(1)), .died(.app(2)),
    ]
}

extension Opening.Input {
    static let examples: [Self] = [.linked, .outlived, .unlinked, .framesLost, .answered, .failed, .due]
}

extension ContactRoute.State {
    /// Each state with each payload that matters to the table.
    static let examples: [Self] = [
        .lifted, .owned(.app(1)), .owned(.home), .ignored, .taken(by: .monitor), .taken(by: .system),
    ]

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
    static let examples: [Self] = [.waiting, .sent, .lost, .over]

    fileprivate var name: StaticString {
        switch self {
        case .waiting: "waiting"
        case .sent: "sent"
        case .lost: "lost"
        case .over: "over"
        }
    }
}
