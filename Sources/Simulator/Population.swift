// Population.swift: the present processes of a world, and all lives so far.
//
// Input     World, when a process starts or ends
// Knows     peers, slots and serials; no time, no links
//
// Sources   invented

import Faults
import Hosting
import Wire

/// The processes of a world, by slot and by serial.
struct Population {
    /// By slot: one slot for each peer that has ever existed.
    var processes: [SimulatedProcess?] = []
    var slots: [SlotState] = []
    /// By serial.
    var instances: [ProcessInstance] = [ProcessInstance(.supervisor, epoch: 0, generation: 0)]

    /// The properties of a peer that survive its lives.
    struct SlotState {
        let peer: Peer
        var starts = 0
        /// The numbers of lasting faults.
        var faults: [Int] = []
        var linkFaults = LinkFaults() { didSet { hasLinkFaults = !linkFaults.isNone } }
        /// Whether a link of the peer is faulty. Each frame asks for it, and the comparison takes longer than the answer.
        private(set) var hasLinkFaults = false
        var diesAfter: Int64?
        var deviceShift: Int64 = 0
    }

    static let supervisorSlot = 0
    static let inputKitSlot = 1
    static let serverSlot = 2
    private static let instanceLimit: UInt32 = 4096

    func slot(of peer: Peer) -> Int? {
        switch peer.role {
        case .supervisor: peer.instance == 0 ? Self.supervisorSlot : nil
        case .inputKit: peer.instance == 0 ? Self.inputKitSlot : nil
        case .systemServer: peer.instance == 0 ? Self.serverSlot : nil
        case .app: peer.instance < Self.instanceLimit ? 3 + 2 * Int(peer.instance) : nil
        case .controller: peer.instance < Self.instanceLimit ? 4 + 2 * Int(peer.instance) : nil
        }
    }

    func process(_ peer: Peer) -> SimulatedProcess? {
        guard let slot = slot(of: peer), slot < processes.count else { return nil }
        return processes[slot]
    }

    mutating func makeSlot(of peer: Peer) -> Int {
        guard let slot = slot(of: peer) else { preconditionFailure("a world has no room for \(peer)") }
        while processes.count <= slot {
            let next = processes.count
            let instance = UInt32(max(0, next - 3) / 2)
            let other: Peer =
                switch next {
                case 0: .supervisor
                case 1: .inputKit
                case 2: .systemServer
                default: next % 2 == 1 ? .app(AppID(instance)) : Peer(.controller, instance)
                }
            processes.append(nil)
            slots.append(SlotState(peer: other))
        }
        return slot
    }
}
