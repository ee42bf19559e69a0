// Exhaustion.swift: every order in which a small group can take what happens to it, tried one after another.
//
//     state ─┬─ a scan ──────────────▶ state        one level per step; what two orders lead to alike is one state
//            ├─ a frame is delivered ▶ state
//            ├─ an act, a crash ─────▶ state ─ … from each: let everything run out, look whether all rests
//
// The cores are the real ones. Of a process only its history matters: what it was given, in order. A core is a pure
// function of that, so two runs in which every process has had the same history, and the same mail is under way, are one
// state and have one future. So states are told apart by histories, not by what is inside a core, and nothing is lost by
// it: a state is a class of runs that differ in the order of what happened to different processes, and no process could
// tell. Each history is played to a core once, however many runs share it. A step lengthens one history, so states of
// different steps are different, and those of one step are all that must be kept at once.
//
// Time is what mail says it is: a process's clock is the latest moment it has heard of, so that the order of steps of
// others is nothing it can read off a stamp. No timer fires: on links that lose nothing none has to.
//
// The laws are checked by ledgers of this file's own, which know nothing of the cores: I1, I3, I4, I6 and I7 after every
// step of a history, I1 and I4 once more where a run has run out.
//
// Less is tried, and nothing missed, by two rules. Of two fingers that have not touched yet the first is taken: they
// differ by name only. And where no crash is left an app takes what has arrived for it at once, which is no step: only
// its own next frame could come before, nobody else can tell when it was, and what it answers waits on its own link.
//
// Sources   invented, after Docs/Spec/Pipeline.md sections 3 and 4: F1, F2, F3, F17

import Basics
public import Hosting
public import Settings
public import Wire

public struct Exhaustion {
    /// How much is tried.
    public struct Scope: Hashable, Sendable {
        /// 1...2; both run from the start, the first is in front.
        public var apps: Int
        /// 1...2
        public var fingers: Int
        /// 0...1; input-kit, the server or an app dies, with or without what it had just said, and is started again.
        public var crashes: Int
        /// 0...1; a call comes, or the second app is brought to front.
        public var acts: Int
        /// A finger lands, moves or lifts in each.
        public var scans: Int
        /// Each a scan, a delivery, an act, a crash, a restart, or that somebody is told of one.
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

    public struct Violation: Hashable, Sendable {
        /// As Docs/Spec/Pipeline.md section 3 counts them: `I1`.
        public var law: String
        /// What was expected and what was found, one line.
        public var text: String
        /// A shortest run that shows it, a line a step.
        public var path: [String]
    }

    public struct Summary: Hashable, Sendable {
        public var scope: Scope
        /// Different ones, over all steps.
        public var states: Int
        /// Orders of events these stand for; saturates.
        public var interleavings: UInt64
        /// Different histories of a process, each played once.
        public var histories: Int
        /// Different ends of runs that were let run out.
        public var endings: Int
        /// One of each law and text, as they were found: the shortest path to each.
        public var violations: [Violation]
    }

    /// - Parameters:
    ///   - server: Makes the system server to be tried, with these settings; a broken one shows what would be found.
    ///   - progress: Called after each step with the states found at it.
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

private struct Search {
    typealias Move = Exhaustion.Move
    typealias Link = Exhaustion.Link
    typealias Place = Exhaustion.Place
    typealias State = Exhaustion.State

    let scope: Exhaustion.Scope
    var histories: Histories
    private var violations: [Exhaustion.Violation] = []
    private var known: Set<String> = []
    /// By step, by state: where it came from and how.
    private var origins: [[(parent: Int32, move: Move)]] = []
    private var endings = 0
    /// States that runs have come through while they ran out.
    private var rested: Set<State> = []

    init(scope: Exhaustion.Scope, server: @escaping (Settings, LaunchOrder) -> any ProcessCore) {
        self.scope = scope
        histories = Histories(server: server)
    }

    private var places: Range<Int> { 0..<scope.apps + 2 }

    mutating func run(_ progress: (Int, Int) -> Void) -> Exhaustion.Summary {
        var level = [start()]
        var ways: [UInt64] = [1]
        var states = 1
        var interleavings: UInt64 = 0
        var moves: [Move] = []
        for step in 0..<scope.steps {
            var next: [State] = []
            var nextWays: [UInt64] = []
            var from: [(parent: Int32, move: Move)] = []
            var found: [State: Int32] = [:]
            for (place, state) in level.enumerated() {
                // From every state, so that the first run that leaves something behind is a shortest one.
                end(state, step: step, place: place)
                moves.removeAll(keepingCapacity: true)
                list(into: &moves, of: state)
                if moves.isEmpty { interleavings = interleavings.addingSaturating(ways[place]) }
                for move in moves {
                    var after = state
                    let faults = take(move, in: &after) + hurryApps(in: &after)
                    if !faults.isEmpty { report(faults, step: step, place: place, then: move) }
                    if let same = found[after] {
                        nextWays[Int(same)] = nextWays[Int(same)].addingSaturating(ways[place])
                    } else {
                        found[after] = Int32(next.count)
                        next.append(after)
                        nextWays.append(ways[place])
                        from.append((Int32(place), move))
                    }
                }
            }
            origins.append(from)
            (level, ways) = (next, nextWays)
            histories.keepCores(of: level.map(\.histories))
            states += level.count
            progress(step + 1, level.count)
        }
        for (place, state) in level.enumerated() {
            interleavings = interleavings.addingSaturating(ways[place])
            end(state, step: scope.steps, place: place)
        }
        return Exhaustion.Summary(
            scope: scope, states: states, interleavings: interleavings, histories: histories.count, endings: endings,
            violations: violations)
    }

    // MARK: One step

    /// Where no crash is left, apps take what has arrived at once.
    private mutating func hurryApps(in state: inout State) -> [Breach] {
        var faults: [Breach] = []
        guard state.crashes == 0, state.isUp(Place.server) else { return faults }
        for app in places.dropFirst(2) where state.isUp(app) && !state.hasNews(app) {
            let link = Link(client: app, isUp: false)
            while state.first(on: link) != nil { faults += take(.deliver(link), in: &state) }
        }
        return faults
    }

    /// Everybody is up, connected and has said hello.
    private mutating func start() -> State {
        var state = State(crashes: scope.crashes, acts: scope.acts)
        for place in [Place.server, Place.inputKit] + places.dropFirst(2) { _ = take(.restart(place), in: &state) }
        while let move = nextOfRest(state) { _ = take(move, in: &state) }
        return state
    }

    private func list(into moves: inout [Move], of state: State) {
        for client in places where client != Place.server {
            if state.isUp(client), state.hasNews(client) { moves.append(.tell(client: client)) }
            if state.isUp(client), state.first(on: Link(client: client, isUp: false)) != nil {
                moves.append(.deliver(Link(client: client, isUp: false)))
            }
            if state.isUp(Place.server), state.first(on: Link(client: client, isUp: true)) != nil {
                moves.append(.deliver(Link(client: client, isUp: true)))
            }
        }
        if state.scans < scope.scans, state.isUp(Place.inputKit), histories.canScan(state.histories[Place.inputKit]) {
            for finger in 0..<scope.fingers {
                if state.fingers & 1 << finger != 0 {
                    moves.append(.scan(finger: finger, .moves))
                    moves.append(.scan(finger: finger, .lifts))
                } else if finger == 0 || state.fingers & 1 != 0 {
                    moves.append(.scan(finger: finger, .lands))
                }
            }
        }
        if state.acts > 0, state.isUp(Place.server) {
            moves.append(.interrupt)
            if scope.apps > 1 { moves.append(.front) }
        }
        for place in places {
            if !state.isUp(place) {
                moves.append(.restart(place))
            } else if state.crashes > 0 {
                moves.append(.crash(place, silently: false))
                if hasWords(of: place, in: state) { moves.append(.crash(place, silently: true)) }
            }
        }
    }

    private func hasWords(of place: Int, in state: State) -> Bool {
        guard place == Place.server else { return state.first(on: Link(client: place, isUp: true)) != nil }
        return places.contains { $0 != place && state.first(on: Link(client: $0, isUp: false)) != nil }
    }

    /// What is left to do when nothing new happens: one order of it.
    private func nextOfRest(_ state: State) -> Move? {
        for place in [Place.server, Place.inputKit] + places.dropFirst(2) where !state.isUp(place) {
            return .restart(place)
        }
        for client in places where client != Place.server {
            if state.hasNews(client) { return .tell(client: client) }
            for isUp in [true, false] where state.first(on: Link(client: client, isUp: isUp)) != nil {
                return .deliver(Link(client: client, isUp: isUp))
            }
        }
        return nil
    }

    /// - Returns: The laws this step broke.
    private mutating func take(_ move: Move, in state: inout State) -> [Breach] {
        switch move {
        case .scan(let finger, let what):
            let before = state.fingers
            switch what {
            case .lands: state.fingers |= 1 << finger
            case .lifts: state.fingers &= ~(1 << finger)
            case .moves: break
            }
            state.scans += 1
            let words = Exhaustion.scriptFrame(
                number: Int(state.scans), before: before, finger: finger, what, scope.fingers)
            return give(Place.inputKit, &state) { $0.scan(words, after: $1, into: &$2) }
        case .deliver(let link):
            guard let id = state.removeFirst(on: link) else { return [] }
            let place = link.isUp ? Place.server : link.client
            let sender = Place.peer(link.isUp ? link.client : Place.server)
            return give(place, &state) { $0.deliver(id, from: sender, after: $1, into: &$2) }
        case .tell(let client):
            let isLoss = state.isLossUntold[client] > 0
            if isLoss { state.isLossUntold[client] = 0 } else { state.isServerUntold[client] = 0 }
            state.isLinked[client] = isLoss ? 0 : 1
            if client == Place.inputKit { state.fingers = 0 }
            return give(client, &state) {
                $0.give(isLoss ? .peerLost(.systemServer) : .connected(.systemServer), after: $1, into: &$2)
            }
        case .interrupt, .front:
            state.acts -= 1
            let act: SystemAct = move == .front ? .foreground(app: 2) : .interrupt
            return give(Place.server, &state) { $0.supervisorSays(.act(act), after: $1, into: &$2) }
        case .crash(let place, let silently):
            state.crashes -= 1
            crash(place, silently: silently, in: &state)
            return []
        case .restart(let place): return restart(place, in: &state)
        }
    }

    private mutating func give(
        _ place: Int, _ state: inout State, _ action: (inout Histories, Int32, inout [Sent]) -> (Int32, [Breach])
    ) -> [Breach] {
        var sent: [Sent] = []
        let (history, faults) = action(&histories, state.histories[place], &sent)
        state.histories[place] = history
        for item in sent { post(item, from: place, in: &state) }
        return faults
    }

    /// A send to the dead succeeds and is lost; so is one by a connection that is no more.
    private func post(_ item: Sent, from place: Int, in state: inout State) {
        let client = place == Place.server ? item.to : place
        let link = Link(client: client, isUp: place != Place.server)
        guard state.isUp(item.to), state.isLinked[client] > 0 else { return }
        if !link.isUp, state.hasEnd(on: Link(client: client, isUp: true)) { return }
        state.append(item.id, to: link)
    }

    private func crash(_ place: Int, silently: Bool, in state: inout State) {
        state.histories[place] = -1
        if place == Place.server {
            for client in places where client != Place.server {
                state.removeAll(on: Link(client: client, isUp: true))
                if silently { state.removeAll(on: Link(client: client, isUp: false)) }
                state.isServerUntold[client] = 0
                if state.isLinked[client] > 0 { state.isLossUntold[client] = 1 }
            }
        } else {
            let link = Link(client: place, isUp: true)
            if silently { state.removeAll(on: link) }
            if state.isLinked[place] > 0, state.isUp(Place.server) { state.append(State.end, to: link) }
            state.removeAll(on: Link(client: place, isUp: false))
            (state.isLossUntold[place], state.isServerUntold[place], state.isLinked[place]) = (0, 0, 0)
            if place == Place.inputKit { state.fingers = 0 }
        }
    }

    private mutating func restart(_ place: Int, in state: inout State) -> [Breach] {
        state.generations[place] += 1
        let generation = UInt32(state.generations[place])
        let order = LaunchOrder(
            peer: Place.peer(place), epoch: UInt32(max(1, state.generations[Place.server])), generation: generation,
            runDirectory: "", settings: Histories.settings.changed)
        let root = histories.root(order)
        state.histories[place] = root
        let faults = give(place, &state) { $0.give(.started, after: $1, into: &$2) }
        if place == Place.server {
            for client in places where client != place && state.isUp(client) { state.isServerUntold[client] = 1 }
        } else if state.isUp(Place.server) {
            state.isServerUntold[place] = 1
        }
        return faults
    }

    // MARK: The end of a run

    /// Lets a run run out, the fingers taken off by the end of what is played, and looks whether everything is at rest.
    private mutating func end(_ state: State, step: Int, place: Int) {
        // Another run came by here, and went on from here as this one would.
        var isNew = rested.insert(state).inserted
        guard isNew else { return }
        var state = state
        var faults: [Breach] = []
        func finish(_ search: inout Search) {
            var rest = 0
            while isNew, let move = search.nextOfRest(state) {
                faults += search.take(move, in: &state)
                rest += 1
                isNew = search.rested.insert(state).inserted
                guard rest < 1000 else {
                    return faults.append(Breach("I4", "still busy 1000 deliveries after the last step"))
                }
            }
        }
        finish(&self)
        guard isNew else { return faults.isEmpty ? () : report(faults, step: step, place: place, then: nil) }
        endings += 1
        faults += give(Place.inputKit, &state) { $0.endPlay(after: $1, into: &$2) }
        finish(&self)
        if isNew { for place in places { faults += histories.faultsAtRest(state.histories[place], apps: scope.apps) } }
        if !faults.isEmpty { report(faults, step: step, place: place, then: nil) }
    }

    private mutating func report(_ faults: [Breach], step: Int, place: Int, then move: Move?) {
        for fault in faults where known.insert("\(fault.law) \(fault.text)").inserted {
            var moves = move.map { [$0] } ?? []
            var place = place
            for level in (0..<step).reversed() {
                moves.append(origins[level][place].move)
                place = Int(origins[level][place].parent)
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
