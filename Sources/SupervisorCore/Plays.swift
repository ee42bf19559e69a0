// Plays.swift: the plays that input-kit has, and which controller ordered each.
//
// Station   process
// Input     ControlBroker: orders, reports, controllers that leave
// Output    ControlBroker: the number by which input-kit knows a play, and the report under the number of its controller
// Knows     numbers. No file, no finger.
//
// Sources   invented

import Wire

struct Plays: Sendable {
    private struct Play: Sendable {
        /// By which input-kit knows it.
        var id: UInt32
        var controller: Peer
        /// By which its controller knows it.
        var orderedAs: UInt32
        var wantsLedgers: Bool
    }

    /// Plays of all controllers that input-kit may have at once.
    static let limit = 64

    private var plays: [Play] = []
    private var lastID: UInt32 = 0

    /// Why this play cannot begin now; nil when it can.
    func refusal(of order: PlayOrder) -> String? {
        // Measurements come back without a number, so two at once could not be told apart.
        if order.wantsLedgers && measuring != nil { return "another measurement is under way" }
        return plays.count < Self.limit ? nil : "more than \(Self.limit) plays at once"
    }

    /// The order as input-kit is given it. It counts once `begin` is called.
    func numbered(_ order: PlayOrder) -> PlayOrder {
        var order = order
        order.id = lastID + 1
        return order
    }

    mutating func begin(_ order: PlayOrder, for controller: Peer) {
        lastID += 1
        plays.append(Play(id: lastID, controller: controller, orderedAs: order.id, wantsLedgers: order.wantsLedgers))
    }

    /// The controller whose play is being measured.
    var measuring: Peer? { plays.first(where: \.wantsLedgers)?.controller }

    /// - Returns: The report as its controller is given it; nil when the play was forgotten.
    mutating func finish(_ report: PlayReport) -> (report: PlayReport, controller: Peer)? {
        guard let index = plays.firstIndex(where: { $0.id == report.id }) else { return nil }
        let play = plays.remove(at: index)
        var report = report
        report.id = play.orderedAs
        return (report, play.controller)
    }

    /// Ends all plays.
    ///
    /// - Returns: A report for each, in the order they began.
    mutating func fail(because reason: String) -> [(report: PlayReport, controller: Peer)] {
        defer { plays = [] }
        return plays.map { play in
            var report = PlayReport(id: play.orderedAs)
            report.failure = reason
            return (report, play.controller)
        }
    }

    /// Forgets the plays of a controller that has left.
    ///
    /// - Returns: The numbers by which input-kit knows them.
    mutating func forget(_ controller: Peer) -> [UInt32] {
        defer { plays.removeAll { $0.controller == controller } }
        return plays.filter { $0.controller == controller }.map(\.id)
    }
}
