// Plays.swift: the plays of input-kit, with the controller of each.
//
// Station   process
// Input     ControlBroker: orders, reports, controllers that leave
// Output    ControlBroker: input-kit's number for a play, and the report with its controller's number
// Knows     numbers. No file, no touch.
//
// Sources   invented

import Wire

/// The plays that are under way.
struct Plays: Sendable {
    private struct Play: Sendable {
        /// The number by which input-kit identifies it.
        var id: UInt32
        var controller: Peer
        /// The number by which its controller identifies it.
        var orderedAs: UInt32
        var wantsLedgers: Bool
    }

    /// The most plays of all controllers at once.
    static let limit = 64

    private var plays: [Play] = []
    private var lastID: UInt32 = 0

    /// The reason why this play cannot begin now; nil if it can.
    func refusal(of order: PlayOrder) -> String? {
        // Measurements return without a number, so two at once could not be distinguished.
        if order.wantsLedgers && measuring != nil { return "another measurement is under way" }
        return plays.count < Self.limit ? nil : "more than \(Self.limit) plays at once"
    }

    /// The order with input-kit's number. The number is used up once `begin` is called.
    func numbered(_ order: PlayOrder) -> PlayOrder {
        var order = order
        order.id = lastID + 1
        return order
    }

    mutating func begin(_ order: PlayOrder, for controller: Peer) {
        lastID += 1
        plays.append(Play(id: lastID, controller: controller, orderedAs: order.id, wantsLedgers: order.wantsLedgers))
    }

    /// The controller of the play that is measured.
    var measuring: Peer? { plays.first(where: \.wantsLedgers)?.controller }

    /// Removes a finished play.
    ///
    /// - Returns: The report with its controller's number; nil if the play was forgotten.
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
    /// - Returns: input-kit's numbers of the plays.
    mutating func forget(_ controller: Peer) -> [UInt32] {
        defer { plays.removeAll { $0.controller == controller } }
        return plays.filter { $0.controller == controller }.map(\.id)
    }
}
