// RunLoop.swift: a run loop as a value that is asked what to do next.
//
// Station   loop
// Fed by    whoever drives it: `AppCore/MainLoop`, `AppCore/EventFetcher`, tests
// Feeds     its driver, one `Step` at a time
// Knows     what belongs to which mode and what is signalled. No closures, no clock, no waiting.
//
// The driver calls `begin`, then `next(at:)` again and again, and carries out each step it is given. Because the
// callout happens outside the value, it may change the value: signal, add, invalidate, stop, or `begin` a nested
// run and pull until that one has finished. `Phase.swift` holds the order; this file and `RunLoop+Turn.swift`
// hold what is in the loop and look.
//
// Sources   documented  CFRunLoop.c; Docs/Spec/Semantics.md C1, C4
//           invented    of several ports that are ready, the one that was ready first; due timers last, so that
//                       what has arrived by a moment comes before the timers of that moment (C5)

public import Basics

/// A thing in a run loop. Numbers are never used again.
public struct ItemID<Kind>: Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

public struct RunLoop: Sendable {
    public enum ObserverKind {}
    public enum Source0Kind {}
    public enum Source1Kind {}
    public enum TimerKind {}
    public enum BlockKind {}
    public enum QueuedKind {}

    public typealias ObserverID = ItemID<ObserverKind>
    public typealias Source0ID = ItemID<Source0Kind>
    public typealias Source1ID = ItemID<Source1Kind>
    public typealias TimerID = ItemID<TimerKind>
    public typealias BlockID = ItemID<BlockKind>
    public typealias QueuedID = ItemID<QueuedKind>

    /// What the driver must do before it asks again.
    public enum Step: Hashable, Sendable {
        case observe(ObserverID, Activity)
        case source0(Source0ID)
        case source1(Source1ID)
        case timer(TimerID)
        case block(BlockID)
        /// One item of the main dispatch queue.
        case mainQueue(QueuedID)
        /// Ask again when something was signalled and the loop woken, a port is ready, or at this moment.
        case sleep(until: Instant)
        /// The thread is occupied: ask again at this moment, not earlier.
        case busy(until: Instant)
        /// The innermost run is over. There is a next step only if another run encloses it.
        case finished(RunResult)
    }

    struct Observer {
        let id: UInt64
        let activities: Activity
        let order: Int
        let repeats: Bool
        let modes: ModeSet
        var isFiring = false
    }

    struct Source0 {
        let id: UInt64
        let order: Int
        let modes: ModeSet
        /// When it was signalled, as a count; 0 when it is not.
        var signal: UInt64 = 0
    }

    struct Source1 {
        let id: UInt64
        let modes: ModeSet
        /// Messages waiting at the port.
        var pending = 0
    }

    struct Timer {
        let id: UInt64
        let modes: ModeSet
        var fireDate: Instant
        /// Nanoseconds; 0 fires once.
        let interval: Int64
        var isFiring = false
    }

    struct Block {
        let id: UInt64
        let modes: ModeSet
    }

    /// The main dispatch queue, as this loop serves it.
    struct MainQueue {
        /// Whether this is the loop of the thread that serves it.
        let isServed: Bool
        private(set) var items: [UInt64] = []
        /// While its items run, a nested run leaves it alone.
        private(set) var isDraining = false

        init(isServed: Bool) { self.isServed = isServed }

        var isEmpty: Bool { items.isEmpty }
        var isAvailable: Bool { isServed && !isDraining }

        mutating func append(_ item: UInt64) { items.append(item) }

        /// Its items are the caller's from here on; what is queued while they run is for another turn.
        mutating func beginDraining() {
            items.removeAll(keepingCapacity: true)
            isDraining = true
        }

        mutating func endDraining() { isDraining = false }
    }

    enum ReadyPort: Equatable { case wakeUp, timers, mainQueue, source1(UInt64) }

    /// The ports that are ready, the one that was ready first in front.
    struct ReadyPorts {
        private(set) var ports: [ReadyPort] = []
        /// Whether `timers` is among them.
        private(set) var hasTimers = false

        var isEmpty: Bool { ports.isEmpty }

        func contains(_ port: ReadyPort) -> Bool { ports.contains(port) }

        mutating func append(_ port: ReadyPort) {
            if case .timers = port { hasTimers = true }
            ports.append(port)
        }

        mutating func remove(at index: Int) {
            if case .timers = ports.remove(at: index) { hasTimers = false }
        }

        mutating func remove(_ port: ReadyPort) {
            if case .timers = port { hasTimers = false }
            ports.removeAll { $0 == port }
        }
    }

    /// Ascending order; equal order as added.
    var observers: [Observer] = []
    /// Every activity some observer asked for, so that the other notifications cost nothing.
    var observed: Activity = []
    /// Ascending order; equal order as added.
    var sources0: [Source0] = []
    var sources1: [Source1] = []
    /// Ascending fire date; equal dates as added or moved.
    var timers: [Timer] = []
    var blocks: [Block] = []
    var mainQueue: MainQueue
    var ready = ReadyPorts()
    /// The innermost run, and those it is inside of, outermost first.
    var current = Activation(mode: .standard, limit: .boot, polls: true, returnsAfterSource: false)
    var outer: [Activation] = []
    /// How many runs are nested in each other; 0 when none is.
    public internal(set) var depth = 0
    var busyUntil = Instant.boot
    private var lastID: UInt64 = 0
    private var lastSignal: UInt64 = 0

    public private(set) var commonModes: ModeSet

    /// - Parameter servesMainQueue: Whether this is the loop of the thread that serves the main dispatch queue.
    public init(servesMainQueue: Bool = false, commonModes: ModeSet = [.standard, .tracking]) {
        (mainQueue, self.commonModes) = (MainQueue(isServed: servesMainQueue), commonModes)
    }

    mutating func newID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // MARK: What is in it

    /// What is in the common modes is in this one from now on.
    public mutating func addCommonMode(_ mode: Mode) { commonModes.insert(ModeSet(mode)) }

    /// - Parameter repeats: False: told once, then gone.
    public mutating func addObserver(
        of activities: Activity, order: Int = 0, repeats: Bool = true, in modes: ModeSet
    ) -> ObserverID {
        let observer = Observer(id: newID(), activities: activities, order: order, repeats: repeats, modes: modes)
        observers.insert(observer, at: observers.firstIndex { $0.order > order } ?? observers.count)
        observed.formUnion(activities)
        return ObserverID(rawValue: observer.id)
    }

    public mutating func invalidate(_ observer: ObserverID) {
        observers.removeAll { $0.id == observer.rawValue }
        observed = observers.reduce([]) { $0.union($1.activities) }
    }

    public mutating func addSource0(order: Int = 0, in modes: ModeSet) -> Source0ID {
        let source = Source0(id: newID(), order: order, modes: modes)
        sources0.insert(source, at: sources0.firstIndex { $0.order > order } ?? sources0.count)
        return Source0ID(rawValue: source.id)
    }

    public mutating func invalidate(_ source: Source0ID) { sources0.removeAll { $0.id == source.rawValue } }

    /// Marks it; who wants the loop to notice calls `wakeUp` too (C1.4).
    public mutating func signal(_ source: Source0ID) {
        guard let index = sources0.firstIndex(where: { $0.id == source.rawValue }), sources0[index].signal == 0 else {
            return
        }
        lastSignal += 1
        sources0[index].signal = lastSignal
    }

    public mutating func addSource1(in modes: ModeSet) -> Source1ID {
        let source = Source1(id: newID(), modes: modes)
        sources1.append(source)
        return Source1ID(rawValue: source.id)
    }

    public mutating func invalidate(_ source: Source1ID) {
        sources1.removeAll { $0.id == source.rawValue }
        ready.remove(.source1(source.rawValue))
    }

    /// A message has arrived at the port: this wakes by itself. One message, one callout.
    public mutating func signal(_ source: Source1ID) {
        guard let index = sources1.firstIndex(where: { $0.id == source.rawValue }) else { return }
        sources1[index].pending += 1
        if sources1[index].pending == 1 { ready.append(.source1(source.rawValue)) }
    }

    /// - Parameter interval: Nil or nothing: fires once.
    public mutating func addTimer(at fireDate: Instant, every interval: Duration? = nil, in modes: ModeSet) -> TimerID {
        let timer = Timer(
            id: newID(), modes: modes, fireDate: fireDate, interval: max(0, interval?.nanoseconds ?? 0))
        insert(timer)
        return TimerID(rawValue: timer.id)
    }

    public mutating func invalidate(_ timer: TimerID) { timers.removeAll { $0.id == timer.rawValue } }

    /// Moves its next firing. From inside its own callout only a later date counts, as in CF.
    public mutating func setFireDate(of timer: TimerID, to moment: Instant) {
        guard let index = timers.firstIndex(where: { $0.id == timer.rawValue }) else { return }
        var moved = timers.remove(at: index)
        moved.fireDate = moment
        insert(moved)
    }

    mutating func insert(_ timer: Timer) {
        timers.insert(timer, at: timers.firstIndex { $0.fireDate > timer.fireDate } ?? timers.count)
    }

    /// A block to be run in one of these modes. It waits for the loop to come by, and does not wake it.
    public mutating func perform(in modes: ModeSet) -> BlockID {
        let block = Block(id: newID(), modes: modes)
        blocks.append(block)
        return BlockID(rawValue: block.id)
    }

    /// An item for the main dispatch queue, served in any common mode. This wakes by itself.
    public mutating func async() -> QueuedID {
        precondition(mainQueue.isServed, "this loop does not serve the main queue")
        let id = newID()
        mainQueue.append(id)
        if !ready.contains(.mainQueue) { ready.append(.mainQueue) }
        return QueuedID(rawValue: id)
    }

    // MARK: Being told

    /// Ends the wait. Ignored between a wait's end and the next turn, which comes anyway.
    public mutating func wakeUp() {
        if depth == 0 || !current.ignoresWakeUps, !ready.contains(.wakeUp) { ready.append(.wakeUp) }
    }

    /// Ends the innermost run after its current turn.
    public mutating func stop() {
        guard depth > 0 else { return }
        current.isStopped = true
        wakeUp()
    }

    /// Takes the innermost run's remaining time from it: it ends, timed out, as soon as it would wait.
    public mutating func expire() {
        if depth > 0 { current.limit = .boot }
    }

    /// The thread this loop runs on is occupied until then: the callout in progress takes that long.
    public mutating func busy(until moment: Instant) { busyUntil = max(busyUntil, moment) }

    // MARK: Being asked

    public var currentMode: Mode? { depth > 0 ? current.mode : nil }

    /// Those that will fire once, and those that fire again and again.
    public var timerCounts: (once: Int, repeating: Int) {
        let once = timers.count { $0.interval == 0 }
        return (once, timers.count - once)
    }

    /// The ports of the current mode that are ready: with more than one, which comes first is this loop's choice.
    public func readyPorts(at now: Instant) -> Int {
        guard let mode = currentMode else { return 0 }
        let signalled = ready.ports.count { port in
            switch port {
            case .wakeUp: true
            case .timers: false
            case .mainQueue: !mainQueue.isEmpty
            case .source1(let id):
                sources1.contains { $0.id == id && $0.modes.includes(mode, common: commonModes) }
            }
        }
        return signalled + (nextFireDate(in: mode) <= now ? 1 : 0)
    }

    /// Whether a turn would find something: a signalled source, a ready port, a waiting block or queued item.
    public var hasPending: Bool {
        ready.ports.contains { $0 != .timers } || !blocks.isEmpty || !mainQueue.isEmpty
            || sources0.contains { $0.signal > 0 }
    }

    /// Nothing a run in this mode could ever do. The main queue counts as something, in the common modes.
    func isEmpty(_ mode: Mode) -> Bool {
        if mainQueue.isAvailable, commonModes.contains(ModeSet(mode)) { return false }
        let common = commonModes
        for source in sources0 where source.modes.includes(mode, common: common) { return false }
        for source in sources1 where source.modes.includes(mode, common: common) { return false }
        for timer in timers where timer.modes.includes(mode, common: common) { return false }
        for block in blocks where block.modes.includes(mode, common: common) { return false }
        return true
    }

    /// When the loop next wants to run a timer of this mode; `never` when it has none.
    func nextFireDate(in mode: Mode) -> Instant {
        for timer in timers where !timer.isFiring && timer.modes.includes(mode, common: commonModes) {
            return timer.fireDate
        }
        return .never
    }
}
