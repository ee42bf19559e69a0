// SimulatedTouchMonitors.swift: the touch monitors of a simulated group, each with its own behavior.
//
//    seed ─▶ their number and behaviors ─▶ begin, read or not, answer, take touches, end, die, come back
//
// Input     SimulatedRun: the mail of controllers, time
// Output    SimulatedRun: the frames of each monitor to the supervisor
// Knows     what a monitor receives; not which app has which touch
//
// Sources   invented

import Basics
import HID
import Hosting
import Synthesis
import Wire

/// All monitors of one run.
struct SimulatedTouchMonitors {
    private enum Manner: CaseIterable {
        /// Reads everything and answers nothing.
        case observing
        /// Answers yes to the newest touch.
        case greedy
        /// Answers at random, at times for a touch that never existed.
        case talkative
        /// Begins, and sends nothing more.
        case mute
        /// Acknowledges pages late.
        case slow
    }

    private struct Monitor {
        let peer: Peer
        let manner: Manner
        let interest: TouchMonitorInterest
        var isThere = false
        var sent = SequenceNumber.zero
        var newest: UInt64 = 0
        var touches: [TouchID] = []
    }

    private var monitors: [Monitor] = []
    private var chance: SeededGenerator
    /// The moment of the next act; never when there are no monitors.
    private(set) var next = Instant.never

    /// Smaller instances belong to other controllers.
    private static let firstInstance: UInt32 = 2

    init(_ count: Int, seed: UInt64, screen: Rect<DisplaySpace>) {
        chance = SeededGenerator(seed: seed ^ 0x5B1E_5B1E_5B1E_5B1E)
        for index in 0..<count {
            let app = chance.happens(0.2) ? AppID(UInt32(chance.number(1...3))) : nil
            let zone: Rect<DisplaySpace>? =
                chance.happens(0.2)
                ? Rect(
                    x: screen.x, y: screen.y, width: Fixed(screen.width.double / 2), height: screen.height) : nil
            let answerLimit: Duration? = chance.happens(0.3) ? .milliseconds(Int64(chance.number(0...400))) : nil
            monitors.append(
                Monitor(
                    peer: Peer(.controller, Self.firstInstance + UInt32(index)),
                    manner: Manner.allCases[chance.number(0...Manner.allCases.count - 1)],
                    interest: TouchMonitorInterest(app: app, zone: zone, answerLimit: answerLimit)))
        }
    }

    /// The monitors may begin from `now` on.
    mutating func begin(at now: Instant) { if !monitors.isEmpty { next = now } }

    /// The group has ended, and with it everything that the monitors had asked for.
    mutating func groupEnded() {
        for index in monitors.indices { monitors[index].isThere = false }
    }

    mutating func hears(_ mail: World.Mail) {
        // A monitor that is passed to a closure is copied.
        for index in monitors.indices where monitors[index].peer == mail.to && monitors[index].isThere {
            if case .monitorPage(let page) = mail.frame.message { reads(page, index) }
            return
        }
    }

    private mutating func reads(_ page: TouchMonitorPage, _ index: Int) {
        switch page.content {
        case .begun: (monitors[index].newest, monitors[index].touches) = (0, [])
        case .scan(let scan):
            for contact in scan.contacts where !monitors[index].touches.contains(contact.touch) {
                monitors[index].touches.append(contact.touch)
                if monitors[index].touches.count > 16 { monitors[index].touches.removeFirst() }
            }
        case .turnedAway, .verdict, .omissions: break
        }
        monitors[index].newest = max(monitors[index].newest, page.number)
    }

    /// Lets all monitors act now.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - send: Receives the inputs of the supervisor.
    mutating func act(at now: Instant, send: (consuming Input) -> Void) {
        next = now.advanced(by: .milliseconds(Int64(chance.number(1...60))))
        for index in monitors.indices { act(index, send) }
    }

    /// All monitors leave, some of them without `end`.
    ///
    /// - Parameter send: Receives the inputs of the supervisor.
    mutating func leave(send: (consuming Input) -> Void) {
        for index in monitors.indices where monitors[index].isThere {
            if chance.happens(0.5) { say(.end, index, send) }
            send(.peerLost(monitors[index].peer))
            monitors[index].isThere = false
        }
        next = .never
    }

    private mutating func act(_ index: Int, _ send: (consuming Input) -> Void) {
        let peer = monitors[index].peer
        guard monitors[index].isThere else {
            guard chance.happens(0.1) else { return }
            (monitors[index].isThere, monitors[index].newest, monitors[index].touches) = (true, 0, [])
            send(.connected(peer))
            return say(.begin(monitors[index].interest), index, send)
        }
        if chance.happens(0.01) {
            monitors[index].isThere = false
            return send(.peerLost(peer))
        }
        if chance.happens(0.005) { say(.begin(monitors[index].interest), index, send) }
        let manner = monitors[index].manner
        guard manner != .mute else { return }
        if manner != .slow || chance.happens(0.05) { say(.acknowledged(monitors[index].newest), index, send) }
        let touches = monitors[index].touches
        switch manner {
        case .greedy:
            if let touch = touches.last, chance.happens(0.5) { say(.answer(touch, .yes), index, send) }
        case .talkative:
            guard !touches.isEmpty, chance.happens(0.5) else { return }
            // At times a touch that never existed.
            let touch = chance.happens(0.1) ? TouchID(rawValue: 7_000_000) : chance.one(of: touches)
            say(.answer(touch, chance.one(of: TouchMonitorAnswer.allCases)), index, send)
        case .observing, .slow, .mute: return
        }
    }

    private mutating func say(_ word: TouchMonitorRequest.Kind, _ index: Int, _ send: (consuming Input) -> Void) {
        monitors[index].sent = monitors[index].sent.next
        let frame = Frame(
            epoch: 1, generation: 1, sequence: monitors[index].sent, credit: 256,
            message: .monitor(TouchMonitorRequest(id: 0, word)))
        send(.frame(frame, from: monitors[index].peer))
    }
}
