// Exhaustion+Histories.swift: the histories of the processes in an exhaustive search, and the cores that played them.
//
//     history ──input──▶ history        one node for each input; the same input after the same history is the same node
//
// Input-kit and the server are values, so a history keeps its core. An app holds a screen of objects and cannot be
// copied. Its core is made again and plays the history again, unless a kept core is at that history already.
//
// Input     the search of Exhaustion.swift
// Knows     the cores' public interface, and the ledger of each history

import AppCore
import Basics
import HID
public import Hosting
import InputKitCore
public import Settings
import SystemServerCore
import Trace
import UIKit
public import Wire

extension Exhaustion {
    /// The production system server.
    public static func standardServer(_ settings: Settings, _ order: LaunchOrder) -> any ProcessCore {
        SystemServerCore(settings: settings, order: order)
    }
}

/// One violation of a law, found in one step.
struct Breach {
    let law: String
    let text: String
    init(_ law: String, _ text: String) { (self.law, self.text) = (law, text) }
}

/// A frame in transit.
struct Sent {
    /// The slot of the receiver.
    let to: Int
    let id: Int32
}

/// The tree of all histories. A number names a history; equal histories have one number.
struct Histories {
    private struct Node {
        let parent: Int32
        /// The number of the input that led from the parent to this node; −1 for a root.
        let input: Int32
        let orderNumber: Int32
        let now: Instant
        /// Nil for an app, and for a history that `keepCores` has dropped.
        var core: (any ProcessCore)?
        var ledger: Ledgers
        var sent: [Sent] = []
        var faults: [Breach] = []
    }

    private struct Step: Hashable {
        let after: Int32
        let input: Int32
    }

    private struct TimedInput: Hashable {
        let input: Input
        let at: Instant
    }

    private struct Mail: Hashable {
        let frame: Frame
        let at: Instant
    }

    /// The core of an app, with the object that holds its window.
    private final class AppInstance {
        var core: AppCore
        var outbox = Outbox()
        let windowHolder: WindowHolder

        init(_ order: LaunchOrder) {
            let stage = WindowHolder()
            self.windowHolder = stage
            core = AppCore(order: order, settings: Histories.settings) { application in
                let window = UIWindow(frame: application.screen.bounds)
                window.isMultipleTouchEnabled = true
                window.makeKeyAndVisible()
                stage.window = window
            }
            outbox.trace.isEnabled = false
        }

        final class WindowHolder { var window: UIWindow? }
    }

    /// Settings with windows so small that a few frames fill them.
    static let settings: Settings = {
        do throws(SettingsError) {
            return try Settings([
                Setting(key: "app.inboxCapacity", value: "2"), Setting(key: "server.inFlightLimit", value: "3"),
            ])
        } catch { preconditionFailure("the settings table has no such window: \(error)") }
    }()

    private let server: (Settings, LaunchOrder) -> any ProcessCore
    private var nodes: [Node] = []
    private var orders: [LaunchOrder] = []
    private var orderNumbers: [LaunchOrder: Int32] = [:]
    private var inputs: [TimedInput] = []
    private var inputsByValue: [TimedInput: Int32] = [:]
    private var mail: [Mail] = []
    private var mailByValue: [Mail: Int32] = [:]
    private var steps: [Step: Int32] = [:]
    /// Cores of apps, each with the history that it has played.
    private var appInstances: [(at: Int32, AppInstance)] = []
    private static let appInstanceLimit = 32
    private var outbox = Outbox()

    init(server: @escaping (Settings, LaunchOrder) -> any ProcessCore) {
        self.server = server
        outbox.trace.isEnabled = false
    }

    var count: Int { nodes.count }

    // MARK: Inputs

    mutating func root(_ order: LaunchOrder) -> Int32 {
        if let known = orderNumbers[order] { return known }
        let core: (any ProcessCore)?
        switch order.peer.role {
        case .inputKit: core = InputKitCore(settings: Self.settings, order: order)
        case .systemServer: core = server(Self.settings, order)
        default: core = nil
        }
        orders.append(order)
        nodes.append(
            Node(
                parent: -1, input: -1, orderNumber: Int32(orders.count - 1), now: .boot, core: core,
                ledger: Ledgers(order, window: Self.window, limit: Self.limit)))
        orderNumbers[order] = Int32(nodes.count - 1)
        return Int32(nodes.count - 1)
    }

    private static let window = settings[.appInboxCapacity]
    private static let limit = settings[.serverInFlightLimit]

    /// - Returns: The history after this input, and the laws that the step broke. A known step is not played again.
    mutating func apply(
        _ input: Input, at moment: Instant = .boot, after history: Int32, into sent: inout [Sent]
    ) -> (Int32, [Breach]) {
        let given = TimedInput(input: input, at: moment)
        let number = intern(given)
        let step = Step(after: history, input: number)
        let next = steps[step] ?? play(given, number, after: history)
        steps[step] = next
        sent += nodes[Int(next)].sent
        return (next, nodes[Int(next)].faults)
    }

    private mutating func intern(_ given: TimedInput) -> Int32 {
        if let known = inputsByValue[given] { return known }
        inputs.append(given)
        inputsByValue[given] = Int32(inputs.count - 1)
        return Int32(inputs.count - 1)
    }

    private mutating func play(_ given: TimedInput, _ number: Int32, after history: Int32) -> Int32 {
        let before = nodes[Int(history)]
        let now = max(before.now, given.at)
        var node = Node(
            parent: history, input: number, orderNumber: before.orderNumber, now: now, core: nil, ledger: before.ledger)
        var touches: Int?
        let effects: [Effect]
        if orders[Int(before.orderNumber)].peer.role != .app {
            var core = before.core ?? core(at: history)
            core.handle(given.input, at: now, into: &outbox)
            node.core = core
            outbox.trace.removeFacts()
            effects = outbox.drain()
        } else {
            let performance = appInstance(at: history)
            performance.core.handle(given.input, at: now, into: &performance.outbox)
            touches = performance.core.application.touchTracker.liveTouches.count
            performance.outbox.trace.removeFacts()
            effects = performance.outbox.drain()
            appInstances.append((Int32(nodes.count), performance))
            if appInstances.count > Self.appInstanceLimit { appInstances.removeFirst() }
        }
        node.ledger.record(given.input, effects, liveTouches: touches, faults: &node.faults)
        for effect in effects {
            guard case .send(var frame, let peer) = effect, let slot = node.ledger.slot(of: peer) else { continue }
            if frame.ledger.count > 0 { frame.ledger.append(now) }
            node.sent.append(Sent(to: slot, id: intern(Mail(frame: frame, at: now))))
        }
        nodes.append(node)
        return Int32(nodes.count - 1)
    }

    private mutating func intern(_ item: Mail) -> Int32 {
        if let known = mailByValue[item] { return known }
        mail.append(item)
        mailByValue[item] = Int32(mail.count - 1)
        return Int32(mail.count - 1)
    }

    /// Drops the cores that no given state uses. A dropped core is made again by playing its history.
    mutating func keepCores(of states: [SIMD4<Int32>]) {
        var isKept = [Bool](repeating: false, count: nodes.count)
        for state in states {
            for place in 0..<4 where state[place] >= 0 { isKept[Int(state[place])] = true }
        }
        for place in nodes.indices where !isKept[place] && nodes[place].parent >= 0 { nodes[place].core = nil }
    }

    private func core(at history: Int32) -> any ProcessCore {
        var path: [Int32] = []
        var current = history
        while nodes[Int(current)].core == nil {
            path.append(current)
            current = nodes[Int(current)].parent
        }
        guard var core = nodes[Int(current)].core else { preconditionFailure("a first history has no core") }
        var outbox = Outbox()
        outbox.trace.isEnabled = false
        for step in path.reversed() {
            core.handle(inputs[Int(nodes[Int(step)].input)].input, at: nodes[Int(step)].now, into: &outbox)
            outbox.trace.removeFacts()
            _ = outbox.drain()
        }
        return core
    }

    /// Returns an app's core that has played exactly this history, and removes it from the kept ones.
    private mutating func appInstance(at history: Int32) -> AppInstance {
        if let index = appInstances.firstIndex(where: { $0.at == history }) {
            return appInstances.remove(at: index).1
        }
        var path: [Int32] = []
        var current = history
        while nodes[Int(current)].parent >= 0 {
            path.append(current)
            current = nodes[Int(current)].parent
        }
        let performance = AppInstance(orders[Int(nodes[Int(current)].orderNumber)])
        for step in path.reversed() {
            let node = nodes[Int(step)]
            performance.core.handle(inputs[Int(node.input)].input, at: node.now, into: &performance.outbox)
            performance.outbox.trace.removeFacts()
            _ = performance.outbox.drain()
        }
        return performance
    }

    // MARK: Inputs of the search

    mutating func deliver(
        _ id: Int32, from sender: Peer, after history: Int32, into sent: inout [Sent]
    ) -> (Int32, [Breach]) {
        guard id >= 0 else { return apply(.peerLost(sender), after: history, into: &sent) }
        let item = mail[Int(id)]
        let isServer = orders[Int(nodes[Int(history)].orderNumber)].peer == .systemServer
        guard isServer, !nodes[Int(history)].ledger.hasAnnounced(sender) else {
            return apply(.frame(item.frame, from: sender), at: item.at, after: history, into: &sent)
        }
        // A host announces a peer before its first frame.
        let (greeted, early) = apply(.connected(sender), after: history, into: &sent)
        let (next, late) = apply(.frame(item.frame, from: sender), at: item.at, after: greeted, into: &sent)
        return (next, early + late)
    }

    mutating func deliverFromSupervisor(
        _ message: Message, after history: Int32, into sent: inout [Sent]
    ) -> (Int32, [Breach]) {
        let order = orders[Int(nodes[Int(history)].orderNumber)]
        let frame = Frame(
            epoch: order.epoch, generation: 1, sequence: SequenceNumber(UInt64(nodes[Int(history)].ledger.inputs + 1)),
            credit: 256, message: message)
        return apply(.frame(frame, from: .supervisor), after: history, into: &sent)
    }

    /// Whether input-kit would play a scan.
    func canScan(_ history: Int32) -> Bool { nodes[Int(history)].ledger.isOpen }

    /// Gives input-kit lines of the journal, as the answer to its `read`. Orders a play first when none is open.
    mutating func scan(_ lines: String, after history: Int32, into sent: inout [Sent]) -> (Int32, [Breach]) {
        var (next, faults) = (history, [Breach]())
        var text = lines
        if nodes[Int(next)].ledger.reading == nil {
            let order = PlayOrder(id: 1, source: .file(Exhaustion.scriptPath), pace: .max)
            (next, faults) = deliverFromSupervisor(.play(order), after: next, into: &sent)
            text = Exhaustion.scriptOpening + lines
        }
        guard let file = nodes[Int(next)].ledger.reading else { return (next, faults) }
        let (last, more) = apply(.fileBytes(file, Array(text.utf8)), after: next, into: &sent)
        return (last, faults + more)
    }

    mutating func endPlay(after history: Int32, into sent: inout [Sent]) -> (Int32, [Breach]) {
        guard let file = nodes[Int(history)].ledger.reading else { return (history, []) }
        return apply(.fileBytes(file, []), after: history, into: &sent)
    }

    // MARK: At rest

    /// Returns the laws that are broken at the end of a run. Asks the process for its report as well.
    mutating func faultsAtRest(_ history: Int32, apps: Int) -> [Breach] {
        let peer = orders[Int(nodes[Int(history)].orderNumber)].peer
        var faults = nodes[Int(history)].ledger.faultsAtRest
        var unused: [Sent] = []
        let (asked, _) = deliverFromSupervisor(.reportRequest, after: history, into: &unused)
        guard let report = nodes[Int(asked)].ledger.report else {
            return faults + [Breach("I4", "\(peer): asked for a report, gave none")]
        }
        for (law, key) in Self.zeroAtRest(peer, apps) {
            guard let value = report[key] else { continue }
            if value != .number(0) { faults.append(Breach(law, "\(peer) at rest: \(key) expected 0, found \(value)")) }
        }
        if peer != .systemServer, report["link"] != .text("open") {
            faults.append(
                Breach("I4", "\(peer) at rest: link expected open, found \(String(describing: report["link"]))"))
        }
        return faults
    }

    private static func zeroAtRest(_ peer: Peer, _ apps: Int) -> [(law: String, key: String)] {
        switch peer.role {
        case .inputKit: [("I4", "unanswered"), ("I4", "play.unanswered"), ("I1", "contacts.live")]
        case .systemServer:
            [("I1", "touches.live"), ("I1", "contacts.down"), ("I4", "inFlight")]
                + (1...apps).flatMap { [("I4", "app\($0).unanswered"), ("I4", "app\($0).queue")] }
        default: [("I1", "touches.live"), ("I1", "contacts.down"), ("I4", "inbox.depth"), ("I4", "dropped")]
        }
    }
}
