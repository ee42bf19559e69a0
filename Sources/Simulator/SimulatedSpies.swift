// SimulatedSpies.swift: the spying commands of a simulated group, each with its own manner.
//
//    seed ─▶ their number and manners ─▶ begin, read or not, answer, take touches, end, die, come back
//
// Input     SimulatedRun: the mail of controllers, time
// Output    SimulatedRun: the frames of each spy to the supervisor
// Knows     what a spy receives; not which app has which touch
//
// Sources   invented

import Basics
import HID
import Hosting
import Synthesis
import Wire

/// All spies of one run.
struct SimulatedSpies {
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

    private struct Spy {
        let peer: Peer
        let manner: Manner
        let interest: SpyInterest
        var isThere = false
        var sent = SequenceNumber.zero
        var newest: UInt64 = 0
        var touches: [TouchID] = []
    }

    private var spies: [Spy] = []
    private var chance: SeededGenerator
    /// The moment of the next act; never when there are no spies.
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
            let patience: Duration? = chance.happens(0.3) ? .milliseconds(Int64(chance.number(0...400))) : nil
            spies.append(
                Spy(
                    peer: Peer(.controller, Self.firstInstance + UInt32(index)),
                    manner: Manner.allCases[chance.number(0...Manner.allCases.count - 1)],
                    interest: SpyInterest(app: app, zone: zone, patience: patience)))
        }
    }

    /// The spies may begin from `now` on.
    mutating func begin(at now: Instant) { if !spies.isEmpty { next = now } }

    /// The group has ended, and with it everything that the spies had asked for.
    mutating func groupEnded() {
        for index in spies.indices { spies[index].isThere = false }
    }

    mutating func hears(_ mail: World.Mail) {
        guard let index = spies.firstIndex(where: { $0.peer == mail.to }), spies[index].isThere,
            case .spied(let page) = mail.frame.message
        else { return }
        switch page.news {
        case .begun: (spies[index].newest, spies[index].touches) = (0, [])
        case .scan(let scan):
            for contact in scan.contacts where !spies[index].touches.contains(contact.touch) {
                spies[index].touches.append(contact.touch)
                if spies[index].touches.count > 16 { spies[index].touches.removeFirst() }
            }
        case .turnedAway, .verdict, .room: break
        }
        spies[index].newest = max(spies[index].newest, page.number)
    }

    /// Returns the inputs of the supervisor from all spies now.
    mutating func act(at now: Instant) -> [Input] {
        var inputs: [Input] = []
        next = now.advanced(by: .milliseconds(Int64(chance.number(1...60))))
        for index in spies.indices { act(index, &inputs) }
        return inputs
    }

    /// All spies leave, some of them without `end`.
    mutating func leave() -> [Input] {
        var inputs: [Input] = []
        for index in spies.indices where spies[index].isThere {
            if chance.happens(0.5) { say(.end, index, &inputs) }
            inputs.append(.peerLost(spies[index].peer))
            spies[index].isThere = false
        }
        next = .never
        return inputs
    }

    private mutating func act(_ index: Int, _ inputs: inout [Input]) {
        let peer = spies[index].peer
        guard spies[index].isThere else {
            guard chance.happens(0.1) else { return }
            (spies[index].isThere, spies[index].newest, spies[index].touches) = (true, 0, [])
            inputs.append(.connected(peer))
            return say(.begin(spies[index].interest), index, &inputs)
        }
        if chance.happens(0.01) {
            spies[index].isThere = false
            return inputs.append(.peerLost(peer))
        }
        if chance.happens(0.005) { say(.begin(spies[index].interest), index, &inputs) }
        let manner = spies[index].manner
        guard manner != .mute else { return }
        if manner != .slow || chance.happens(0.05) { say(.took(spies[index].newest), index, &inputs) }
        let touches = spies[index].touches
        switch manner {
        case .greedy:
            if let touch = touches.last, chance.happens(0.5) { say(.answer(touch, .yes), index, &inputs) }
        case .talkative:
            guard !touches.isEmpty, chance.happens(0.5) else { return }
            // At times a touch that never existed.
            let touch = chance.happens(0.1) ? TouchID(rawValue: 7_000_000) : chance.one(of: touches)
            say(.answer(touch, chance.one(of: SpyAnswer.allCases)), index, &inputs)
        case .observing, .slow, .mute: return
        }
    }

    private mutating func say(_ word: SpyRequest.Word, _ index: Int, _ inputs: inout [Input]) {
        spies[index].sent = spies[index].sent.next
        let frame = Frame(
            epoch: 1, generation: 1, sequence: spies[index].sent, credit: 256,
            message: .spy(SpyRequest(id: 0, word)))
        inputs.append(.frame(frame, from: spies[index].peer))
    }
}
