// HostContract.swift: the inputs that a host can give its core, distinguished from those that it cannot.
//
//     .started, once, before anything else; and for the supervisor's children:
//
//     none ──spawn──▶ asked ──childStarted──▶ alive ──childExited──▶ none
//                        └──────childFailed──────┴──▶ none
//
// Input     ReplayedProcess: the inputs and effects of one journal
// Output    the reason why an input is impossible
//
// A host reports one start or one failure for each spawn, and one exit for each start. Cores rely on this order, but a
// journal may contain anything.
//
// Sources   invented, after ChildMachine

import Hosting
import Wire

/// The state of the contract between one core and its host.
struct HostContract {
    private enum State { case asked, alive }

    private var hasStarted = false
    private var children: [(peer: Peer, state: State)] = []

    /// Returns the reason why no host gives this input; nil if a host may.
    func objection(to input: Input) -> String? {
        if (input == .started) == hasStarted {
            return hasStarted ? "it starts a second time" : "it begins with something else than its start"
        }
        return switch input {
        case .childStarted(let peer, let pid):
            state(of: peer) == .asked ? nil : "\(peer) is started, pid \(pid), without an order"
        case .childFailed(let peer, reason: _):
            state(of: peer) != nil ? nil : "\(peer) cannot be started, and there was no order"
        case .childExited(let peer, let pid, status: _):
            state(of: peer) == .alive ? nil : "\(peer) exits, pid \(pid), and it was not running"
        case .programReplaced(let peer):
            state(of: peer) == nil ? nil : "the program of \(peer) is reported as replaced, and it runs"
        case .started, .connected, .frame, .peerLost, .refused, .timerFired, .fileBytes, .fileFailed, .device,
            .stopRequested:
            nil
        }
    }

    mutating func apply(_ input: Input) {
        hasStarted = true
        switch input {
        case .childStarted(let peer, pid: _): set(.alive, for: peer)
        case .childFailed(let peer, reason: _), .childExited(let peer, pid: _, status: _): set(nil, for: peer)
        case .started, .connected, .frame, .peerLost, .refused, .timerFired, .fileBytes, .fileFailed, .device,
            .programReplaced, .stopRequested:
            return
        }
    }

    mutating func apply(_ effects: [Effect]) {
        for case .spawn(let peer, _) in effects { set(.asked, for: peer) }
    }

    private func state(of peer: Peer) -> State? { children.first { $0.peer == peer }?.state }

    private mutating func set(_ state: State?, for peer: Peer) {
        children.removeAll { $0.peer == peer }
        if let state { children.append((peer, state)) }
    }
}
