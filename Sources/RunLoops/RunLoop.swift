// RunLoop.swift: a run loop as a value that returns the next step to carry out.
//
// Station   loop
// Input     calls of a driver: `AppCore/MainLoop`, `AppCore/EventFetcher`, tests
// Output    one `Step` at a time, for the driver
// Knows     the modes of its items and which of them are signaled. No closures, no clock, no waiting.
//
// The driver calls `begin`, then `next(at:)` repeatedly, and carries out each step. A callout runs outside the value, so
// that it may change the value: signal, add, invalidate, stop, or `begin` a nested run and drive it to its end.
// `Phase.swift` has the order of the phases. This file has the items, `RunLoop+Turn.swift` the work of a turn.
//
// Sources   documented  CFRunLoop.c; Docs/Spec/Semantics.md C1, C4
//           invented    of several ready ports, the one that was ready first is served; due timers come last, so that
//                       what has arrived by a moment comes before the timers of that moment (C5)

public import Basics

/// The identifier of an item of a run loop. Numbers are never reused.
public struct ItemID<Kind>: Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A run loop without closures and without a clock, after CFRunLoop.
public struct RunLoop: Sendable {
    /// The kind of item that `ObserverID` identifies. The kinds keep the numbers of different items apart.
    public enum ObserverKind {}
    /// The kind of item that `Source0ID` identifies.
    public enum Source0Kind {}
    /// The kind of item that `Source1ID` identifies.
    public enum Source1Kind {}
    /// The kind of item that `TimerID` identifies.
    public enum TimerKind {}
    /// The kind of item that `BlockID` identifies.
    public enum BlockKind {}
    /// The kind of item that `QueuedID` identifies.
    public enum QueuedKind {}

    /// The number of an observer in its loop.
    public typealias ObserverID = ItemID<ObserverKind>
    /// The number of a source 0 in its loop.
    public typealias Source0ID = ItemID<Source0Kind>
    /// The number of a source 1 in its loop.
    public typealias Source1ID = ItemID<Source1Kind>
    /// The number of a timer in its loop.
    public typealias TimerID = ItemID<TimerKind>
    /// The number of a block that the loop performs in a mode.
    public typealias BlockID = ItemID<BlockKind>
    /// The number of a block of the main queue.
    public typealias QueuedID = ItemID<QueuedKind>

    /// What the driver must do before it calls `next(at:)` again.
    public enum Step: Hashable, Sendable {
        case observe(ObserverID, Activity)
        case source0(Source0ID)
        case source1(Source1ID)
        case timer(TimerID)
        case block(BlockID)
        /// One item of the main dispatch queue.
        case mainQueue(QueuedID)
        /// Wait until an item was signaled and the loop woken, a port is ready, or this moment has come.
        case sleep(until: Instant)
        /// The thread is occupied: call again at this moment, not earlier.
        case busy(until: Instant)
        /// The innermost run has ended. There is a next step only if another run encloses it.
        case finished(RunResult)
    }

    /// An observer of the loop.
    struct Observer {
        let id: UInt64
        let activities: Activity
        let order: Int
        let repeats: Bool
        let modes: ModeSet
        var isFiring = false
    }

    /// A source that is signaled by hand.
    struct Source0 {
        let id: UInt64
        let order: Int
        let modes: ModeSet
        /// The number of the signal that is not handled yet; 0 if the source is not signaled.
        var signal: UInt64 = 0
    }

    /// A source that is a port.
    struct Source1 {
        let id: UInt64
        let modes: ModeSet
        /// The number of messages that wait at the port.
        var pending = 0
    }

    /// A timer of the loop.
    struct Timer {
        let id: UInt64
        let modes: ModeSet
        var fireDate: Instant
        /// In nanoseconds; 0 for a timer that fires once.
        let interval: Int64
        var isFiring = false
    }

    /// A block that waits for the loop.
    struct Block {
        let id: UInt64
        let modes: ModeSet
    }

    /// The main dispatch queue, as this loop serves it.
    struct MainQueue {
        /// Whether this loop runs on the thread that serves the queue.
        let isServed: Bool
        private(set) var items: [UInt64] = []
        /// Whether the items of the queue are running. A nested run does not serve the queue then.
        private(set) var isDraining = false

        init(isServed: Bool) { self.isServed = isServed }

        var isEmpty: Bool { items.isEmpty }
        var isAvailable: Bool { isServed && !isDraining }

        mutating func append(_ item: UInt64) { items.append(item) }

        /// Removes the items, which the caller has collected. Items that are added while they run wait for another turn.
        mutating func beginDraining() {
            items.removeAll(keepingCapacity: true)
            isDraining = true
        }

        mutating func endDraining() { isDraining = false }
    }

    /// A port that is ready.
    enum ReadyPort: Equatable { case wakeUp, timers, mainQueue, source1(UInt64) }

    /// The ready ports, in the order in which they became ready.
    struct ReadyPorts {
        private(set) var ports: [ReadyPort] = []
        /// Whether the timer port is ready.
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

    /// By ascending order; observers of equal order as they were added.
    var observers: [Observer] = []
    /// The activities of all observers. Other notifications cost nothing.
    var observed: Activity = []
    /// By ascending order; sources of equal order as they were added.
    var sources0: [Source0] = []
    var sources1: [Source1] = []
    /// By ascending fire date; timers of equal date as they were added or moved.
    var timers: [Timer] = []
    var blocks: [Block] = []
    var mainQueue: MainQueue
    var ready = ReadyPorts()
    /// The innermost run, and the runs that enclose it, outermost first.
    var current = Activation(mode: .standard, limit: .boot, polls: true, returnsAfterSource: false)
    var outer: [Activation] = []
    /// The number of nested runs; 0 if the loop does not run.
    public internal(set) var depth = 0
    var busyUntil = Instant.boot
    private var lastID: UInt64 = 0
    private var lastSignal: UInt64 = 0

    public private(set) var commonModes: ModeSet

    /// - Parameters:
    ///   - servesMainQueue: Whether this is the loop of the thread that serves the main dispatch queue.
    ///   - commonModes: The modes in which the items of the common modes run.
    public init(servesMainQueue: Bool = false, commonModes: ModeSet = [.standard, .tracking]) {
        (mainQueue, self.commonModes) = (MainQueue(isServed: servesMainQueue), commonModes)
    }

    mutating func newID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // MARK: Items

    /// Adds a mode to the common modes. The items of the common modes belong to it from now on.
    public mutating func addCommonMode(_ mode: Mode) { commonModes.insert(ModeSet(mode)) }

    /// - Parameters:
    ///   - activities: The activities that the observer observes.
    ///   - order: Observers of a lower order run first; those of equal order run as they were added.
    ///   - repeats: False for an observer that is removed after its first callout.
    ///   - modes: The modes in which the observer runs.
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

    /// Signals the source. The signal alone does not wake the loop: that needs `wakeUp()` (C1.4).
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

    /// Records a message at the port, which wakes the loop. Each message is one callout.
    public mutating func signal(_ source: Source1ID) {
        guard let index = sources1.firstIndex(where: { $0.id == source.rawValue }) else { return }
        sources1[index].pending += 1
        if sources1[index].pending == 1 { ready.append(.source1(source.rawValue)) }
    }

    /// - Parameters:
    ///   - fireDate: The first time.
    ///   - interval: Nil or zero for a timer that fires once.
    ///   - modes: The modes in which the timer fires.
    public mutating func addTimer(at fireDate: Instant, every interval: Duration? = nil, in modes: ModeSet) -> TimerID {
        let timer = Timer(
            id: newID(), modes: modes, fireDate: fireDate, interval: max(0, interval?.nanoseconds ?? 0))
        insert(timer)
        return TimerID(rawValue: timer.id)
    }

    public mutating func invalidate(_ timer: TimerID) { timers.removeAll { $0.id == timer.rawValue } }

    /// Sets the next fire date. Within the timer's own callout, only a date after the one it fired for counts, as in CF.
    public mutating func setFireDate(of timer: TimerID, to moment: Instant) {
        guard let index = timers.firstIndex(where: { $0.id == timer.rawValue }) else { return }
        var moved = timers.remove(at: index)
        moved.fireDate = moment
        insert(moved)
    }

    mutating func insert(_ timer: Timer) {
        timers.insert(timer, at: timers.firstIndex { $0.fireDate > timer.fireDate } ?? timers.count)
    }

    /// Adds a block to be run in one of these modes. The block does not wake the loop.
    public mutating func perform(in modes: ModeSet) -> BlockID {
        let block = Block(id: newID(), modes: modes)
        blocks.append(block)
        return BlockID(rawValue: block.id)
    }

    /// Adds an item to the main dispatch queue, which is served in every common mode. The item wakes the loop.
    public mutating func async() -> QueuedID {
        precondition(mainQueue.isServed, "this loop does not serve the main queue")
        let id = newID()
        mainQueue.append(id)
        if !ready.contains(.mainQueue) { ready.append(.mainQueue) }
        return QueuedID(rawValue: id)
    }

    // MARK: Control

    /// Ends the wait. The call has no effect between the end of a wait and the next turn, which comes anyway.
    public mutating func wakeUp() {
        if depth == 0 || !current.ignoresWakeUps, !ready.contains(.wakeUp) { ready.append(.wakeUp) }
    }

    /// Ends the innermost run after its current turn.
    public mutating func stop() {
        guard depth > 0 else { return }
        current.isStopped = true
        wakeUp()
    }

    /// Ends the time of the innermost run: it times out at the end of its turn or instead of waiting.
    public mutating func expire() {
        if depth > 0 { current.limit = .boot }
    }

    /// Records that the loop's thread is occupied until then, because the current callout takes that long.
    public mutating func busy(until moment: Instant) { busyUntil = max(busyUntil, moment) }

    // MARK: State

    public var currentMode: Mode? { depth > 0 ? current.mode : nil }

    /// The number of timers that fire once, and of those that repeat.
    public var timerCounts: (once: Int, repeating: Int) {
        let once = timers.count { $0.interval == 0 }
        return (once, timers.count - once)
    }

    /// The number of ready ports of the current mode. If there are several, the loop chooses the first.
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

    /// Whether a turn would find a signaled source, a ready port, a waiting block or a queued item.
    public var hasPending: Bool {
        ready.ports.contains { $0 != .timers } || !blocks.isEmpty || !mainQueue.isEmpty
            || sources0.contains { $0.signal > 0 }
    }

    /// Whether a run in this mode has nothing to do, ever. In the common modes the main queue counts as an item.
    ///
    /// The function changes nothing. It is mutating because a mutating caller copies the loop for one that is not.
    mutating func isEmpty(_ mode: Mode) -> Bool {
        if mainQueue.isAvailable, commonModes.contains(ModeSet(mode)) { return false }
        let common = commonModes
        for source in sources0 where source.modes.includes(mode, common: common) { return false }
        for source in sources1 where source.modes.includes(mode, common: common) { return false }
        for timer in timers where timer.modes.includes(mode, common: common) { return false }
        for block in blocks where block.modes.includes(mode, common: common) { return false }
        return true
    }

    /// The fire date of the next timer in this mode; `never` if there is none.
    func nextFireDate(in mode: Mode) -> Instant { Self.nextFireDate(of: timers, in: mode, common: commonModes) }

    static func nextFireDate(of timers: [Timer], in mode: Mode, common: ModeSet) -> Instant {
        for timer in timers where !timer.isFiring && timer.modes.includes(mode, common: common) {
            return timer.fireDate
        }
        return .never
    }
}
