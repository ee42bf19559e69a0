// Exhaustion.swift: the exhaustive search: every order in which events can reach a small group, one after another.
//
//     state ─┬─ a scan ──────────────▶ state        one level for each step; equal states of one level are one state
//            ├─ a frame is delivered ▶ state
//            ├─ an act, a crash ─────▶ state ─ …    from each: let the run end, then check that everything is at rest
//
// The cores are the production cores. The laws are checked by the ledgers of Exhaustion+Ledgers.swift, which are
// independent of the cores. I1, I3, I4, I6 and I7 are checked after every step of a history, I1 and I4 again at the end
// of a run. The doc comment of `Exhaustion` gives the method.
//
// Sources   invented, after Docs/Spec/Pipeline.md sections 3 and 4: F1, F2, F3, F17

import Basics
public import Hosting
public import Settings
public import Wire

/// An exhaustive search over the events of a small group.
///
/// A core is a pure function of its history: its inputs, in order. Two runs are one state when each process has had the
/// same history and the same mail is in transit. They have one future. So states compare histories, not the contents of
/// cores, and the search loses nothing. A state is a class of runs that differ only in the order of events at different
/// processes. No process can observe that order.
///
/// Each history is played to a core once, however many runs share it. A step lengthens one history. So states of
/// different steps are different, and only the states of one step are kept at once.
///
/// The clock of a process is the latest moment that its mail carries. So a process cannot read the order of other
/// processes' steps from a stamp. No timer fires: links without loss need none.
///
/// Two rules reduce the search without missing anything. First, of two fingers that are both up only the first one
/// lands, because they differ by name only. Second, where no crash is left an app takes its mail at once, which is no
/// step. Only its own next frame could come before that. No other process can observe the moment, and the answer waits
/// on the app's own link.
public struct Exhaustion {
    /// The bounds of a search.
    public struct Scope: Hashable, Sendable {
        /// 1...2. All run from the start; the first is in the foreground.
        public var apps: Int
        /// 1...2.
        public var fingers: Int
        /// 0...1. Input-kit, the server or an app crashes, with or without the frames it has just sent, and is started
        /// again.
        public var crashes: Int
        /// 0...1. A call interrupts, or the second app comes to the foreground.
        public var acts: Int
        /// Scans in a run. A finger lands, moves or lifts in each. Two moves that share a frame count as one.
        public var scans: Int
        /// The length of a run. A step is a scan, a delivery, an act, a crash, a restart, or a host's report of the
        /// server.
        public var steps: Int

        public init(
            apps: Int = 2, fingers: Int = 2, crashes: Int = 1, acts: Int = 1, scans: Int = 3, steps: Int = 12
        ) {
            precondition((1...2).contains(apps) && (1...2).contains(fingers), "\(apps) apps, \(fingers) fingers")
            precondition((0...1).contains(crashes) && (0...1).contains(acts) && (0...100).contains(scans) && steps >= 0)
            (self.apps, self.fingers, self.crashes, self.acts) = (apps, fingers, crashes, acts)
            (self.scans, self.steps) = (scans, steps)
        }
    }

    /// A violation of a law, with a shortest run that leads to it.
    public struct Violation: Hashable, Sendable {
        /// The number of the law in Docs/Spec/Pipeline.md section 3, such as `I1`.
        public var law: String
        /// One line: what was expected and what was found.
        public var text: String
        /// The moves of a shortest run that shows it, one line each.
        public var path: [String]
    }

    /// The result of a search.
    public struct Summary: Hashable, Sendable {
        public var scope: Scope
        /// Different states, over all steps.
        public var states: Int
        /// Orders of events that these states represent. Saturates.
        public var interleavings: UInt64
        /// Different histories of a process. Each was played once.
        public var histories: Int
        /// Different ends of runs.
        public var endings: Int
        /// One for each law and text, in the order found: a shortest path to each.
        public var violations: [Violation]
    }

    /// Runs the search.
    ///
    /// - Parameters:
    ///   - scope: The bounds of the search.
    ///   - server: Makes the system server under test, with these settings. A broken one shows that the search finds
    ///     faults.
    ///   - progress: Called after each step with the number of the step and the number of its states.
    public static func run(
        scope: Scope = Scope(),
        server: @escaping (Settings, LaunchOrder) -> any ProcessCore = standardServer,
        progress: (Int, Int) -> Void = { _, _ in }
    ) -> Summary {
        var search = Search(scope: scope, server: server)
        return search.run(progress)
    }
}

// MARK: The search

/// A running search: the present level of states, and the violations so far.
private struct Search {
    typealias Move = Exhaustion.Move
    typealias Link = Exhaustion.Link
    typealias ProcessSlot = Exhaustion.ProcessSlot
    typealias State = Exhaustion.State

    let scope: Exhaustion.Scope
    var histories: Histories
    private var violations: [Exhaustion.Violation] = []
    private var reportedKeys: Set<String> = []
    /// By step, by state: the number of its parent and the move that led to it.
    private var origins: [[(parent: Int32, move: Move)]] = []
    private var endings = 0
    /// States through which earlier runs passed on the way to their ends.
    private var restedStates: Set<State> = []

    init(scope: Exhaustion.Scope, server: @escaping (Settings, LaunchOrder) -> any ProcessCore) {
        self.scope = scope
        histories = Histories(server: server)
    }

    private var slots: Range<Int> { 0..<scope.apps + 2 }

    mutating func run(_ progress: (Int, Int) -> Void) -> Exhaustion.Summary {
        var level = [firstState()]
        var pathCounts: [UInt64] = [1]
        var states = 1
        var interleavings: UInt64 = 0
        var moves: [Move] = []
        for step in 0..<scope.steps {
            var next: [State] = []
            var nextPathCounts: [UInt64] = []
            var from: [(parent: Int32, move: Move)] = []
            var found: [State: Int32] = [:]
            for (place, state) in level.enumerated() {
                // From every state, so that the first run that violates a law at rest is a shortest one.
                end(state, step: step, place: place)
                moves.removeAll(keepingCapacity: true)
                listMoves(into: &moves, of: state)
                if moves.isEmpty { interleavings = interleavings.addingSaturating(pathCounts[place]) }
                for move in moves {
                    var after = state
                    let faults = perform(move, in: &after) + drainApps(in: &after)
                    if !faults.isEmpty { report(faults, step: step, place: place, then: move) }
                    if let same = found[after] {
                        nextPathCounts[Int(same)] = nextPathCounts[Int(same)].addingSaturating(pathCounts[place])
                    } else {
                        found[after] = Int32(next.count)
                        next.append(after)
                        nextPathCounts.append(pathCounts[place])
                        from.append((Int32(place), move))
                    }
                }
            }
            origins.append(from)
            (level, pathCounts) = (next, nextPathCounts)
            histories.keepCores(of: level.map(\.histories))
            states += level.count
            progress(step + 1, level.count)
        }
        for (place, state) in level.enumerated() {
            interleavings = interleavings.addingSaturating(pathCounts[place])
            end(state, step: scope.steps, place: place)
        }
        return Exhaustion.Summary(
            scope: scope, states: states, interleavings: interleavings, histories: histories.count, endings: endings,
            violations: violations)
    }

    // MARK: One step

    /// Where no crash is left, apps take their mail at once.
    private mutating func drainApps(in state: inout State) -> [Breach] {
        var faults: [Breach] = []
        guard state.crashes == 0, state.isUp(ProcessSlot.server) else { return faults }
        for app in slots.dropFirst(2) where state.isUp(app) && !state.hasUnreportedChange(app) {
            let link = Link(client: app, isUp: false)
            while state.first(on: link) != nil { faults += perform(.deliver(link), in: &state) }
        }
        return faults
    }

    /// The first state: all processes are up and connected, and their links are open.
    private mutating func firstState() -> State {
        var state = State(crashes: scope.crashes, acts: scope.acts)
        for place in [ProcessSlot.server, ProcessSlot.inputKit] + slots.dropFirst(2) {
            _ = perform(.restart(place), in: &state)
        }
        while let move = nextSettlingMove(state) { _ = perform(move, in: &state) }
        return state
    }

    private func listMoves(into moves: inout [Move], of state: State) {
        for client in slots where client != ProcessSlot.server {
            if state.isUp(client), state.hasUnreportedChange(client) {
                moves.append(.reportServerChange(client: client))
            }
            if state.isUp(client), state.first(on: Link(client: client, isUp: false)) != nil {
                moves.append(.deliver(Link(client: client, isUp: false)))
            }
            if state.isUp(ProcessSlot.server), state.first(on: Link(client: client, isUp: true)) != nil {
                moves.append(.deliver(Link(client: client, isUp: true)))
            }
        }
        if state.scans < scope.scans, state.isUp(ProcessSlot.inputKit),
            histories.canScan(state.histories[ProcessSlot.inputKit])
        {
            for finger in 0..<scope.fingers {
                if state.fingers & 1 << finger != 0 {
                    moves.append(.scan(finger: finger, .moves))
                    moves.append(.scan(finger: finger, .movesTwice))
                    moves.append(.scan(finger: finger, .lifts))
                } else if finger == 0 || state.fingers & 1 != 0 {
                    moves.append(.scan(finger: finger, .lands))
                }
            }
        }
        if state.acts > 0, state.isUp(ProcessSlot.server) {
            moves.append(.interrupt)
            if scope.apps > 1 { moves.append(.front) }
        }
        for place in slots {
            if !state.isUp(place) {
                moves.append(.restart(place))
            } else if state.crashes > 0 {
                moves.append(.crash(place, silently: false))
                if hasMailInTransit(of: place, in: state) { moves.append(.crash(place, silently: true)) }
            }
        }
    }

    private func hasMailInTransit(of place: Int, in state: State) -> Bool {
        guard place == ProcessSlot.server else { return state.first(on: Link(client: place, isUp: true)) != nil }
        return slots.contains { $0 != place && state.first(on: Link(client: $0, isUp: false)) != nil }
    }

    /// Returns the next move of a run in which nothing new happens, in a fixed order; nil at its end.
    private func nextSettlingMove(_ state: State) -> Move? {
        for place in [ProcessSlot.server, ProcessSlot.inputKit] + slots.dropFirst(2) where !state.isUp(place) {
            return .restart(place)
        }
        for client in slots where client != ProcessSlot.server {
            if state.hasUnreportedChange(client) { return .reportServerChange(client: client) }
            for isUp in [true, false] where state.first(on: Link(client: client, isUp: isUp)) != nil {
                return .deliver(Link(client: client, isUp: isUp))
            }
        }
        return nil
    }

    /// - Returns: The laws that this step broke.
    private mutating func perform(_ move: Move, in state: inout State) -> [Breach] {
        switch move {
        case .scan(let finger, let what):
            let before = state.fingers
            switch what {
            case .lands: state.fingers |= 1 << finger
            case .lifts: state.fingers &= ~(1 << finger)
            case .moves, .movesTwice: break
            }
            state.scans += 1
            let lines = Exhaustion.scriptFrames(
                number: Int(state.scans), before: before, finger: finger, what, scope.fingers)
            return apply(ProcessSlot.inputKit, &state) { $0.scan(lines, after: $1, into: &$2) }
        case .deliver(let link):
            guard let id = state.removeFirst(on: link) else { return [] }
            let slot = link.isUp ? ProcessSlot.server : link.client
            let sender = ProcessSlot.peer(link.isUp ? link.client : ProcessSlot.server)
            return apply(slot, &state) { $0.deliver(id, from: sender, after: $1, into: &$2) }
        case .reportServerChange(let client):
            let isLoss = state.hasUnreportedLoss[client] > 0
            if isLoss { state.hasUnreportedLoss[client] = 0 } else { state.hasUnreportedServer[client] = 0 }
            state.isLinked[client] = isLoss ? 0 : 1
            if client == ProcessSlot.inputKit { state.fingers = 0 }
            return apply(client, &state) {
                $0.apply(isLoss ? .peerLost(.systemServer) : .connected(.systemServer), after: $1, into: &$2)
            }
        case .interrupt, .front:
            state.acts -= 1
            let act: SystemAct = move == .front ? .foreground(app: 2) : .interrupt
            return apply(ProcessSlot.server, &state) { $0.deliverFromSupervisor(.act(act), after: $1, into: &$2) }
        case .crash(let slot, let silently):
            state.crashes -= 1
            crash(slot, silently: silently, in: &state)
            return []
        case .restart(let slot): return restart(slot, in: &state)
        }
    }

    private mutating func apply(
        _ place: Int, _ state: inout State, _ action: (inout Histories, Int32, inout [Sent]) -> (Int32, [Breach])
    ) -> [Breach] {
        var sent: [Sent] = []
        let (history, faults) = action(&histories, state.histories[place], &sent)
        state.histories[place] = history
        for item in sent { post(item, from: place, in: &state) }
        return faults
    }

    /// Puts a frame into the mail. A send to a dead process, or over a closed connection, succeeds and is lost.
    private func post(_ item: Sent, from place: Int, in state: inout State) {
        let client = place == ProcessSlot.server ? item.to : place
        let link = Link(client: client, isUp: place != ProcessSlot.server)
        guard state.isUp(item.to), state.isLinked[client] > 0 else { return }
        if !link.isUp, state.hasEnd(on: Link(client: client, isUp: true)) { return }
        state.append(item.id, to: link)
    }

    private func crash(_ place: Int, silently: Bool, in state: inout State) {
        state.histories[place] = -1
        if place == ProcessSlot.server {
            for client in slots where client != ProcessSlot.server {
                state.removeAll(on: Link(client: client, isUp: true))
                if silently { state.removeAll(on: Link(client: client, isUp: false)) }
                state.hasUnreportedServer[client] = 0
                if state.isLinked[client] > 0 { state.hasUnreportedLoss[client] = 1 }
            }
        } else {
            let link = Link(client: place, isUp: true)
            if silently { state.removeAll(on: link) }
            if state.isLinked[place] > 0, state.isUp(ProcessSlot.server) { state.append(State.end, to: link) }
            state.removeAll(on: Link(client: place, isUp: false))
            (state.hasUnreportedLoss[place], state.hasUnreportedServer[place], state.isLinked[place]) = (0, 0, 0)
            if place == ProcessSlot.inputKit { state.fingers = 0 }
        }
    }

    private mutating func restart(_ place: Int, in state: inout State) -> [Breach] {
        state.generations[place] += 1
        let generation = UInt32(state.generations[place])
        let order = LaunchOrder(
            peer: ProcessSlot.peer(place), epoch: UInt32(max(1, state.generations[ProcessSlot.server])),
            generation: generation,
            runDirectory: "", settings: Histories.settings.changed)
        let root = histories.root(order)
        state.histories[place] = root
        let faults = apply(place, &state) { $0.apply(.started, after: $1, into: &$2) }
        if place == ProcessSlot.server {
            for client in slots where client != place && state.isUp(client) { state.hasUnreportedServer[client] = 1 }
        } else if state.isUp(ProcessSlot.server) {
            state.hasUnreportedServer[place] = 1
        }
        return faults
    }

    // MARK: The end of a run

    /// Lets a run end. The end of the journal lifts the fingers. Then checks that every process is at rest.
    private mutating func end(_ state: State, step: Int, place: Int) {
        // A state that an earlier run passed through has the same future, which is checked already.
        var isNew = restedStates.insert(state).inserted
        guard isNew else { return }
        var state = state
        var faults: [Breach] = []
        func finish(_ search: inout Search) {
            var settlingMoves = 0
            while isNew, let move = search.nextSettlingMove(state) {
                faults += search.perform(move, in: &state)
                settlingMoves += 1
                isNew = search.restedStates.insert(state).inserted
                guard settlingMoves < 1000 else {
                    return faults.append(Breach("I4", "still busy 1000 deliveries after the last step"))
                }
            }
        }
        finish(&self)
        guard isNew else { return faults.isEmpty ? () : report(faults, step: step, place: place, then: nil) }
        endings += 1
        faults += apply(ProcessSlot.inputKit, &state) { $0.endPlay(after: $1, into: &$2) }
        finish(&self)
        if isNew { for place in slots { faults += histories.faultsAtRest(state.histories[place], apps: scope.apps) } }
        if !faults.isEmpty { report(faults, step: step, place: place, then: nil) }
    }

    private mutating func report(_ faults: [Breach], step: Int, place: Int, then move: Move?) {
        for fault in faults where reportedKeys.insert("\(fault.law) \(fault.text)").inserted {
            var moves = move.map { [$0] } ?? []
            var stateIndex = place
            for level in (0..<step).reversed() {
                moves.append(origins[level][stateIndex].move)
                stateIndex = Int(origins[level][stateIndex].parent)
            }
            let path = moves.reversed().map(\.description) + (move == nil ? ["everything else, to the end"] : [])
            violations.append(Exhaustion.Violation(law: fault.law, text: fault.text, path: path))
        }
    }
}

extension UInt64 {
    fileprivate func addingSaturating(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
