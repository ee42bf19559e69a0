// RunLoop+Turn.swift: one turn of a run loop, step by step.
//
// Station   loop
// Input     calls of RunLoop's driver
// Output    findings for `Phase.transition`; steps for the driver
//
// Each phase first collects the items that it will call, as CF does. An item that is added during the callouts waits for
// the next time. An item that was invalidated meanwhile is skipped.
//
// Sources   documented  CFRunLoop.c; Docs/Spec/Semantics.md C1

public import Basics

/// One run, possibly nested in another.
struct Activation {
    let mode: Mode
    /// The time at which the run times out.
    var limit: Instant
    /// Whether the run began without time: it polls the ports once and never waits.
    let polls: Bool
    let returnsAfterSource: Bool

    var phase = Phase.starting
    /// The identifiers of the items that this phase calls, and how many it has called.
    var collected: [UInt64] = []
    var calledCount = 0
    /// The index of the observer that was called last. Observers of one phase are called in their order.
    var observerIndex = 0
    /// The callout that the driver is carrying out.
    var running: Running?
    /// Blocks of other modes, while blocks of this mode run.
    var withheldBlocks: [RunLoop.Block] = []
    var handledSource = false
    var isStopped = false
    var ignoresWakeUps = false
    /// The source1 whose port ended the wait.
    var port: UInt64?
    /// The anti-starvation flag. While it is set, the main queue is not served before the ports. A run begins with it set.
    var servedMainQueue = true

    /// A callout in progress.
    enum Running {
        /// An observer and its index, which is a hint: observers may have been added or removed since.
        case observer(UInt64, Int)
        /// A timer and the date for which it fired.
        case timer(UInt64, Instant)
        case other
    }
}

extension RunLoop {
    /// Begins a run, nested in the current run if there is one.
    ///
    /// - Parameters:
    ///   - mode: The mode of the run.
    ///   - limit: When the run times out. If it is not later than `now`, the run is one turn without waiting.
    ///   - returnsAfterSource: Whether the run ends after the first turn that handled a source.
    ///   - now: The time at which the run begins.
    public mutating func begin(
        in mode: Mode, until limit: Instant = .never, returnsAfterSource: Bool = false, at now: Instant
    ) {
        if depth > 0 { outer.append(current) }
        depth += 1
        current = Activation(mode: mode, limit: limit, polls: limit <= now, returnsAfterSource: returnsAfterSource)
    }

    /// Returns the next step of the innermost run. The call also ends the callout of the previous step.
    public mutating func next(at now: Instant) -> Step {
        precondition(depth > 0, "asked for a step outside a run")
        // A nested run is part of a callout and takes its time, so it is not delayed.
        if now < busyUntil, depth == 1 { return .busy(until: busyUntil) }
        finishCallout(at: now)
        while true {
            if current.calledCount < current.collected.count, let step = nextCallout(at: now) { return step }
            passIdlePhases(at: now)
            guard let finding = finding(at: now) else {
                let fireDate = Self.nextFireDate(of: timers, in: current.mode, common: commonModes)
                return .sleep(until: min(current.limit, fireDate))
            }
            guard let (phase, work) = Phase.transition(from: current.phase, on: finding) else {
                preconditionFailure("a run loop cannot find \(finding) while \(current.phase)")
            }
            current.phase = phase
            if case .finished(let result) = phase {
                depth -= 1
                if let enclosing = outer.popLast() { current = enclosing }
                return .finished(result)
            }
            start(work, at: now)
        }
    }

    // MARK: Phases without work

    /// Passes the phases that call nothing and have the usual finding.
    ///
    /// A turn has seventeen phases, and all but three or four of them are such phases. In any case of doubt the
    /// function stops, and the phase runs in full.
    private mutating func passIdlePhases(at now: Instant) {
        // A due timer would be noticed in these phases.
        guard blocks.isEmpty, current.withheldBlocks.isEmpty, !ready.hasTimers,
            timers.isEmpty || timers[0].fireDate > now
        else {
            return
        }
        while true {
            switch current.phase {
            case .afterWaiting(.wakeUp): passPhase(on: .done, to: .handling(.wakeUp))
            case .handling(.wakeUp), .handling(.source1): passPhase(on: .done, to: .blocksAfterHandling)
            case .polling:
                guard ready.isEmpty else { return }
                passPhase(on: .noPort, to: .blocksAfterHandling)
            case .blocksAfterHandling: passPhase(on: .done, to: .testing)
            case .testing:
                guard !observed.contains(.beforeTimers), !(current.handledSource && current.returnsAfterSource),
                    current.limit > now, !current.isStopped, !isEmpty(current.mode)
                else { return }
                (current.ignoresWakeUps, current.handledSource) = (false, false)
                passPhase(on: .carryOn, to: .beforeTimers)
            case .beforeTimers:
                guard !observed.contains(.beforeSources) else { return }
                passPhase(on: .done, to: .beforeSources)
            case .beforeSources: passPhase(on: .done, to: .blocks)
            case .blocks:
                for source in sources0 where source.signal > 0 { return }
                passPhase(on: .done, to: .sources0)
            case .sources0:
                if current.handledSource {
                    passPhase(on: .handledSource, to: .blocksAfterSources)
                } else {
                    passPhase(on: .done, to: .deciding)
                }
            case .blocksAfterSources: passPhase(on: .done, to: .deciding)
            case .deciding:
                guard mainQueue.isEmpty else { return }
                if current.handledSource || current.polls {
                    passPhase(on: .mustPoll, to: .polling)
                } else {
                    guard !observed.contains(.beforeWaiting) else { return }
                    passPhase(on: .mayWait, to: .beforeWaiting)
                }
                current.servedMainQueue = false
            case .beforeWaiting:
                guard mainQueue.isEmpty else { return }
                passPhase(on: .done, to: .waiting)
            case .starting, .entering, .waiting, .afterWaiting, .handling, .exiting, .finished: return
            }
        }
    }

    @inline(__always)
    private mutating func passPhase(on finding: Finding, to phase: Phase) {
        assert(
            Phase.transition(from: current.phase, on: finding)?.0 == phase,
            "hurried from \(current.phase) to \(phase), which is not the order")
        current.phase = phase
    }

    // MARK: The work of a phase

    private mutating func start(_ work: Work, at now: Instant) {
        // Most phases have collected one item. Removing it alone costs a fraction of removing all.
        if current.collected.count == 1 {
            current.collected.removeLast()
        } else if !current.collected.isEmpty {
            current.collected.removeAll(keepingCapacity: true)
        }
        (current.calledCount, current.observerIndex) = (0, 0)
        updateTimerPort(at: now)
        let mode = current.mode
        switch work {
        case .notify(let activity):
            if activity == .beforeTimers {
                current.ignoresWakeUps = false
                current.handledSource = false
            } else if activity == .afterWaiting {
                current.ignoresWakeUps = true
            }
            guard observed.contains(activity) else { return }
            for observer in observers
            where observer.activities.contains(activity) && !observer.isFiring
                && observer.modes.includes(mode, common: commonModes)
            {
                current.collected.append(observer.id)
            }
        case .runBlocks: collectBlocks()
        case .runSources0: collectSources0()
        case .decide, .test, .return: return
        case .wait, .poll:
            // The main queue's port is in the port set only while the loop looks, so it comes behind the ports that are ready.
            if !mainQueue.isEmpty, ready.contains(.mainQueue) {
                ready.remove(.mainQueue)
                ready.append(.mainQueue)
            }
        case .serve(let port):
            current.ignoresWakeUps = true
            serve(port, at: now)
        }
    }

    private mutating func collectBlocks() {
        guard !blocks.isEmpty else { return }
        let (mode, common) = (current.mode, commonModes)
        for block in blocks where block.modes.includes(mode, common: common) {
            current.collected.append(block.id)
        }
        // While these blocks run, a nested run does not see the other blocks, as in CF.
        current.withheldBlocks = blocks.filter { !$0.modes.includes(mode, common: common) }
        blocks.removeAll(keepingCapacity: true)
    }

    private mutating func collectSources0() {
        let mode = current.mode
        var previous: (order: Int, signal: UInt64)?
        var isSorted = true
        for source in sources0 where source.signal > 0 && source.modes.includes(mode, common: commonModes) {
            if let previous, previous.order == source.order, previous.signal > source.signal { isSorted = false }
            previous = (source.order, source.signal)
            current.collected.append(source.id)
        }
        guard !isSorted else { return }
        // Sources of equal order are called in the order of their signals.
        current.collected =
            sources0.filter { $0.signal > 0 && $0.modes.includes(mode, common: commonModes) }
            .sorted { ($0.order, $0.signal) < ($1.order, $1.signal) }.map(\.id)
    }

    private mutating func serve(_ port: Port, at now: Instant) {
        switch port {
        case .wakeUp: return
        case .timers:
            let mode = current.mode
            for timer in timers {
                if timer.fireDate > now { break }
                if !timer.isFiring, timer.modes.includes(mode, common: commonModes) {
                    current.collected.append(timer.id)
                }
            }
        case .mainQueue:
            current.collected.append(contentsOf: mainQueue.items)
            mainQueue.beginDraining()
            ready.remove(.mainQueue)
        case .source1:
            guard let source = current.port else { preconditionFailure("served a port that was not chosen") }
            current.collected.append(source)
        }
    }

    // MARK: Callouts

    private mutating func nextCallout(at now: Instant) -> Step? {
        while current.calledCount < current.collected.count {
            let id = current.collected[current.calledCount]
            current.calledCount += 1
            if let step = callOut(to: id, at: now) { return step }
        }
        return nil
    }

    /// Makes one callout.
    ///
    /// - Returns: Nil if the item is gone or has no reason to be called any more.
    private mutating func callOut(to id: UInt64, at now: Instant) -> Step? {
        switch current.phase {
        case .entering: return notify(id, .entry)
        case .beforeTimers: return notify(id, .beforeTimers)
        case .beforeSources: return notify(id, .beforeSources)
        case .beforeWaiting: return notify(id, .beforeWaiting)
        case .afterWaiting: return notify(id, .afterWaiting)
        case .exiting: return notify(id, .exit)

        case .blocks, .blocksAfterSources, .blocksAfterHandling:
            current.running = .other
            return .block(BlockID(rawValue: id))

        case .sources0:
            guard let index = sources0.firstIndex(where: { $0.id == id }), sources0[index].signal > 0 else {
                return nil
            }
            sources0[index].signal = 0
            current.handledSource = true
            current.running = .other
            // A run that returns after a source calls only one: the others stay signaled.
            if current.returnsAfterSource { current.calledCount = current.collected.count }
            return .source0(Source0ID(rawValue: id))

        case .handling(.timers):
            guard let index = timers.firstIndex(where: { $0.id == id }), timers[index].fireDate <= now,
                !timers[index].isFiring
            else { return nil }
            timers[index].isFiring = true
            current.running = .timer(id, timers[index].fireDate)
            return .timer(TimerID(rawValue: id))

        case .handling(.mainQueue):
            current.running = .other
            return .mainQueue(QueuedID(rawValue: id))

        case .handling(.source1):
            guard sources1.contains(where: { $0.id == id }) else { return nil }
            current.handledSource = true
            current.running = .other
            return .source1(Source1ID(rawValue: id))

        case .starting, .deciding, .waiting, .polling, .handling(.wakeUp), .testing, .finished:
            preconditionFailure("no observer is called while \(current.phase)")
        }
    }

    private mutating func notify(_ id: UInt64, _ activity: Activity) -> Step? {
        guard let index = index(ofObserver: id, near: current.observerIndex) else { return nil }
        observers[index].isFiring = true
        current.observerIndex = index
        current.running = .observer(id, index)
        return .observe(ObserverID(rawValue: id), activity)
    }

    /// Finds an observer, first at the given index and the next one, where it mostly is.
    private func index(ofObserver id: UInt64, near place: Int) -> Int? {
        let end = max(place, min(place + 2, observers.count))
        for index in place..<end where observers[index].id == id { return index }
        return observers.firstIndex { $0.id == id }
    }

    private mutating func finishCallout(at now: Instant) {
        guard let running = current.running else { return }
        current.running = nil
        switch running {
        case .observer(let id, let place):
            guard let index = self.index(ofObserver: id, near: place) else { return }
            observers[index].isFiring = false
            if !observers[index].repeats { invalidate(ObserverID(rawValue: id)) }
        case .timer(let id, let fired):
            guard let index = timers.firstIndex(where: { $0.id == id }) else { return }
            var timer = timers.remove(at: index)
            timer.isFiring = false
            guard timer.interval > 0 else { return }
            if timer.fireDate <= fired {
                // A late loop skips the firings that it missed, and keeps the period.
                let missed = (now.nanoseconds - fired.nanoseconds) / timer.interval
                timer.fireDate = fired.advanced(byNanoseconds: (missed + 1) * timer.interval)
            }
            insert(timer)
        case .other: return
        }
    }

    // MARK: Looking

    /// Returns the finding of a phase after its callouts; nil if the loop must wait.
    private mutating func finding(at now: Instant) -> Finding? {
        switch current.phase {
        case .starting: return isEmpty(current.mode) ? .emptyMode : .somethingToDo
        case .entering:
            guard current.isStopped else { return .done }
            return .stopRequested
        case .blocks, .blocksAfterSources, .blocksAfterHandling:
            if !current.withheldBlocks.isEmpty {
                blocks.insert(contentsOf: current.withheldBlocks, at: 0)
                current.withheldBlocks = []
            }
            return .done
        case .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exiting: return .done
        case .sources0: return current.handledSource ? .handledSource : .done
        case .deciding:
            if !current.servedMainQueue, !mainQueue.isEmpty, mayServeMainQueue { return .mainQueueHasItems }
            current.servedMainQueue = false
            return current.handledSource || current.polls ? .mustPoll : .mayWait
        case .waiting: return readyPort(at: now).map { .port($0) }
        case .polling: return readyPort(at: now).map { .port($0) } ?? .noPort
        case .handling(.mainQueue):
            mainQueue.endDraining()
            current.handledSource = true
            current.servedMainQueue = true
            return .done
        case .handling: return .done
        case .testing:
            if current.handledSource, current.returnsAfterSource { return .leave(.handledSource) }
            if current.limit <= now { return .leave(.timedOut) }
            if current.isStopped { return .leave(.stopped) }
            return isEmpty(current.mode) ? .leave(.finished) : .carryOn
        case .finished: preconditionFailure("asked a run that is over")
        }
    }

    /// A nested run inside an item of the main queue does not serve the main queue, because that item has not returned.
    private var mayServeMainQueue: Bool {
        mainQueue.isAvailable && commonModes.contains(ModeSet(current.mode))
    }

    /// Makes the timer port ready, behind the ready ports, if a timer is due.
    @inline(__always)
    private mutating func updateTimerPort(at now: Instant) {
        // No timer of any mode is due, and none was.
        if !ready.hasTimers, timers.isEmpty || timers[0].fireDate > now { return }
        updateTimerPortInFull(at: now)
    }

    private mutating func updateTimerPortInFull(at now: Instant) {
        if Self.nextFireDate(of: timers, in: current.mode, common: commonModes) > now {
            // A nested run has fired the timers, or they belong to another mode.
            if ready.hasTimers { ready.remove(.timers) }
        } else if !ready.hasTimers {
            ready.append(.timers)
        }
    }

    /// Takes the port that has been ready longest among the ports of this mode.
    private mutating func readyPort(at now: Instant) -> Port? {
        updateTimerPort(at: now)
        let mode = current.mode
        var index = 0
        while index < ready.ports.count {
            defer { index += 1 }
            switch ready.ports[index] {
            case .wakeUp:
                ready.remove(at: index)
                return .wakeUp
            case .timers:
                ready.remove(at: index)
                return .timers
            case .mainQueue:
                guard mayServeMainQueue, !mainQueue.isEmpty else { continue }
                ready.remove(at: index)
                return .mainQueue
            case .source1(let id):
                guard let source = sources1.firstIndex(where: { $0.id == id }),
                    sources1[source].modes.includes(mode, common: commonModes)
                else { continue }
                ready.remove(at: index)
                sources1[source].pending -= 1
                if sources1[source].pending > 0 { ready.append(.source1(id)) }
                current.port = id
                return .source1
            }
        }
        // The end of the run's own time is a wake-up without a cause.
        return current.limit <= now && current.phase == .waiting ? .wakeUp : nil
    }
}
