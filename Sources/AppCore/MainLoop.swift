// MainLoop.swift: the app's main run loop: its items, and the work of each step.
//
// Station   source0, queue, loop
// Input     EventFetcher, which signals its source0; UIKit, which schedules timers, blocks and modes
// Output    events for UIApplication.deliver, one at a time; gesture update and layout before each wait
// Knows     closures and their items. RunLoops has the order.
//
//     order        activity             work
//     −2147483647  entry                autorelease pool push: no observer here
//     0            beforeWaiting        gesture update: timers' verdicts, held touches, resets
//     1999000      beforeWaiting, exit  before the commit: no observer here
//     2000000      beforeWaiting, exit  layer commit: layout and display
//     2001000      beforeWaiting, exit  after the commit: no observer here
//     2147483647   beforeWaiting, exit  autorelease pool pop and push: no observer here
//     source0 −1                        the application's event queue
//
// Sources   observed    dumps of iOS 9–14's main loop (C3); source0 order −1 (C2.2); pushed modes end the
//                       run and begin another, as GSEventRunModal does (C4)

package import Basics
import Foundation
import HID
import RunLoops
import Trace
package import UIKit
import Wire

/// The main run loop of an app.
package final class MainLoop: MainLoopScheduling {
    /// The purpose of an observer.
    private enum Role { case gestures, commit, probe }

    package let application: UIApplication
    /// The work that the loop has finished and the core has not taken.
    @exclusivity(unchecked) var finished = FinishedWork()
    @exclusivity(unchecked) var queue = EventQueue()

    @exclusivity(unchecked) private var loop = RunLoops.RunLoop(servesMainQueue: true)
    private var events: RunLoops.RunLoop.Source0ID
    private var port: RunLoops.RunLoop.Source1ID?
    private unowned(unsafe) var fetcher: EventFetcher?
    @exclusivity(unchecked) private var roles: [(RunLoops.RunLoop.ObserverID, Role)] = []

    private var callouts = LoopCallouts()
    @exclusivity(unchecked) private var frames: FramePacing
    /// Touch frames that the next event contains besides its own.
    @exclusivity(unchecked) private var merged = TouchList()
    private var blocked: (from: Instant, until: Instant)?
    private var modes = LoopModes()
    /// The groups of callouts to which the previous step belongs: timers or the main queue.
    @exclusivity(unchecked) private var previousCallouts: LoopProbes = []

    /// The lines of the conformance language that the loop writes.
    @exclusivity(unchecked) package var probes: LoopProbes = [] {
        didSet { observeProbedPhases() }
    }

    /// - Parameters:
    ///   - application: The application that receives the events.
    ///   - isFrameAligned: Whether events wait for the screen's next frame.
    ///   - deliversLandingsAtOnce: Whether a landing and the events before it do not wait for a frame.
    init(application: UIApplication, isFrameAligned: Bool = false, deliversLandingsAtOnce: Bool = false) {
        self.application = application
        frames = FramePacing(
            isAligned: isFrameAligned, deliversLandingsAtOnce: deliversLandingsAtOnce,
            clock: FrameClock(rate: application.settings.display.frameRate))
        events = loop.addSource0(order: -1, in: .common)
        observe([.beforeWaiting], order: 0, .gestures)
        observe([.beforeWaiting, .exit], order: 2_000_000, .commit)
    }

    private func observe(_ activities: Activity, order: Int, _ role: Role) {
        roles.append((loop.addObserver(of: activities, order: order, in: .common), role))
    }

    package var now: Instant { application.now }
    var depth: Int { loop.depth }
    /// The touches of all events so far.
    package var touchTotals: TouchCounts { finished.totals }
    package var timerCounts: (once: Int, repeating: Int) { loop.timerCounts }
    /// Whether nothing waits and nothing but repeating timers will happen.
    var isQuiet: Bool {
        // A frame that only display links wait for is like a repeating timer.
        let frames = frames.awaited == nil ? 0 : 1
        if !application.clock.inbox.isEmpty { return false }
        // A pushed mode without a touch means that a view still glides, by a timer that repeats until the end.
        if modes.isPushed, application.touchTracker.liveTouches.isEmpty { return false }
        return queue.count == 0 && !loop.hasPending && loop.timerCounts.once == frames
    }

    // MARK: Events

    /// Adds the event port to this loop, which fetches events itself.
    func servePort(of fetcher: EventFetcher) {
        self.fetcher = fetcher
        port = loop.addSource1(in: .common)
    }

    func signalPort() {
        if let port { loop.signal(port) }
    }

    /// Signals the event source now, or at the screen's next frame, because the queue has new events.
    func eventsArrived() {
        guard frames.isAligned, !queue.hasUrgentEvent(landingsAreUrgent: frames.deliversLandingsAtOnce) else {
            frames.hasUrgentEvent = true
            loop.signal(events)
            return application.note(.source0, "main loop signalled")
        }
        requestFrame()
        application.note(.source0, "waits for frame {a}", frames.awaited ?? 0)
    }

    /// Signals the event source for events that arrived during another event's delivery.
    private func signalDelayedEvents() {
        if frames.isAligned, !frames.hasUrgentEvent { return requestFrame() }
        loop.signal(events)
        wakeUp()
    }

    func wakeUp() { loop.wakeUp() }

    /// Records that the main thread is occupied until then, because the app's current work takes that long.
    package func busy(until moment: Instant) {
        loop.busy(until: moment)
        blocked = (blocked?.from ?? now, max(blocked?.until ?? moment, moment))
    }

    /// Ends the time for which the main thread was occupied, if it is over.
    ///
    /// - Returns: The beginning of that time; nil if the thread was not occupied, or still is.
    func endBlocking(at now: Instant) -> Instant? {
        guard let (from, until) = blocked, now >= until else { return nil }
        blocked = nil
        return from
    }

    /// The callout of the event source: the queue, then the display links if a display frame has arrived. (C6)
    private func processEvents() {
        let frame = frames.arrived
        if frame == nil || queue.count > 0 { probe(.source0, "loop source0") }
        // A handler is running the loop, and its event or update is not finished. (S97)
        guard !queue.isProcessing, !application.isDelivering else { return postponeFrame() }
        frames.arrived = nil
        if !frames.isAligned {
            processQueue()
        } else if frame != nil || frames.hasUrgentEvent {
            frames.hasUrgentEvent = false
            processDueEvents()
        }
        guard let frame else { return }
        application.callDisplayLinks(frame, in: modes.name)
        if application.displayLinks.needFrames { requestFrame() }
    }

    /// Delivers every event of the queue, for immediate delivery.
    private func processQueue() {
        guard queue.count > 0 else { return }
        if queue.count == 1 {
            application.note(.queue, "one event, none coalesced")
        } else {
            application.note(.queue, "{a} events, none coalesced", Int64(queue.count))
        }
        while let event = queue.removeFirst() { deliver(event) }
    }

    private func deliver(_ event: QueuedEvent, merging merged: TouchList = TouchList()) {
        switch event.content {
        case .touches(let frame):
            var parts = merged
            parts.append(contentsOf: frame.history)
            let counts = application.deliver(frame, merging: parts)
            finished.delivered(counts, of: event)
        case .device(let input):
            application.deliver(input)
            finished.delivered(TouchCounts(), of: event)
        case .scene(let state):
            application.moveScene(
                to: CGRect(
                    x: state.frame.x.double, y: state.frame.y.double, width: state.frame.width.double,
                    height: state.frame.height.double), orientation: state.orientation)
        case .open(let request):
            application.openURL(text: request.url.text)
            finished.openedURLs.append(request.id)
        case .screenshot: application.postScreenshotNotification()
        case .lifeCycle(let change):
            for word in application.applicationState.steps(to: change) {
                application.changeLifeCycle(UIApplication.LifeCycleChange(word))
            }
            if let frame = event.frame { finished.lifeCycleChanges.append(frame) }
        }
    }

    // MARK: Frames

    /// Requests the screen's next frame, for events that wait for it or for display links.
    package func requestFrame() {
        guard let (number, moment) = frames.request(at: now) else { return }
        callouts.add(loop.addTimer(at: moment, every: nil, in: .common), repeats: false) { [unowned self] in
            // The events come first: the event source is signaled, and the display links follow the events.
            frames.arrive(number)
            loop.signal(events)
        }
    }

    /// Moves the processing of the arrived frame to the next one, because it must not happen inside another delivery.
    private func postponeFrame() {
        guard frames.arrived != nil else { return }
        frames.arrived = nil
        requestFrame()
    }

    /// Delivers the events that wait now; later events have their own frame. Frames of moves are delivered with the
    /// last of them. (B15.1)
    private func processDueEvents() {
        var due = queue.count
        guard due > 0 else { return }
        let arrived = Int64(due)
        var coalesced: Int64 = 0
        while due > 0, let event = queue.removeFirst() {
            due -= 1
            if due > 0, case .touches(let frame) = event.content, queue.canMerge(frame) {
                merged.append(contentsOf: frame.history)
                merged.append(frame)
                coalesced += 1
                finished.merged(event, moves: frame.contacts.count { $0.phase == .moved })
            } else {
                deliver(event, merging: merged)
                merged = TouchList()
            }
        }
        queue.endProcessing()
        application.note(.queue, "{a} events, {b} coalesced", arrived, coalesced)
        if queue.count > 0 { requestFrame() }
    }

    // MARK: Turning

    func start(at now: Instant) { loop.begin(in: modes.current, at: now) }

    /// The largest number of steps in one turn. After it the loop returns to its host, and continues a tenth of a
    /// millisecond later. Only an app that never rests reaches it: a block queues itself, or a timer is always due.
    private static let stepLimit = 10_000

    /// Runs the loop until there is nothing left to do at this moment.
    ///
    /// - Returns: The time at which the loop needs to run again.
    func turn(at now: Instant) -> Instant {
        application.clock.takeInbox()
        for _ in 0..<Self.stepLimit {
            let step = loop.next(at: now)
            switch step {
            case .sleep(let moment), .busy(let moment): return moment
            // A mode was pushed or popped: the run has ended, and the next one uses the current mode.
            case .finished:
                loop.begin(in: modes.current, at: now)
                if probes.contains(.mode) {
                    application.trace.probe(now, .loop, "loop mode=\(modes.conformanceName)")
                }
            default: carryOut(step)
            }
        }
        return now.advanced(by: .microseconds(100))
    }

    private func carryOut(_ step: RunLoops.RunLoop.Step) {
        let before = previousCallouts
        previousCallouts = []
        switch step {
        case .observe(let id, let activity): observed(id, activity)
        case .source0: processEvents()
        case .source1: fetcher?.portWoke(byOwnLoop: false)
        case .timer(let id):
            if !before.contains(.timers) { probe(.timers, "loop timers") }
            callouts.fire(id)?()
            previousCallouts.insert(.timers)
        case .block(let id): callouts.remove(id)?()
        case .mainQueue(let id):
            if !before.contains(.mainQueue) { probe(.mainQueue, "loop mainQueue") }
            callouts.remove(id)?()
            previousCallouts.insert(.mainQueue)
        case .sleep, .busy, .finished: preconditionFailure("\(step) is for the caller that turns the loop")
        }
    }

    private func observed(_ id: RunLoops.RunLoop.ObserverID, _ activity: Activity) {
        for (known, role) in roles where known == id {
            switch role {
            case .gestures:
                application.updateGestures()
                // Events arrived during the update.
                if queue.count > 0, !queue.isProcessing, !application.isDelivering {
                    signalDelayedEvents()
                }
            case .commit: application.commitLayout()
            case .probe: application.trace.probe(now, .loop, "loop \(activity)")
            }
            return
        }
    }

    // MARK: Probes

    @inline(__always)
    func probe(_ which: LoopProbes, _ line: StaticString) {
        if probes.contains(which) { application.trace.probe(now, .loop, "\(line)") }
    }

    private func observeProbedPhases() {
        for (id, role) in roles where role == .probe { loop.invalidate(id) }
        roles.removeAll { $0.1 == .probe }
        let phases: [(LoopProbes, Activity)] = [
            (.entry, .entry), (.beforeTimers, .beforeTimers), (.beforeSources, .beforeSources),
            (.beforeWaiting, .beforeWaiting), (.afterWaiting, .afterWaiting), (.exit, .exit),
        ]
        let watched = phases.reduce(into: Activity()) { if probes.contains($1.0) { $0.insert($1.1) } }
        if !watched.isEmpty { observe(watched, order: .min, .probe) }
    }

    // MARK: MainLoopScheduling

    package func schedule(
        at instant: Instant, every interval: Duration?, modes: [Foundation.RunLoop.Mode], _ fire: @escaping () -> Void
    ) -> UInt64 {
        let id = loop.addTimer(at: instant, every: interval, in: self.modes.set(modes))
        callouts.add(id, repeats: (interval?.nanoseconds ?? 0) > 0, fire)
        return id.rawValue
    }

    package func invalidate(_ timer: UInt64) {
        let id = RunLoops.RunLoop.TimerID(rawValue: timer)
        if callouts.remove(id) { loop.invalidate(id) }
    }

    package func perform(modes: [Foundation.RunLoop.Mode], _ block: @escaping () -> Void) {
        callouts.add(loop.perform(in: self.modes.set(modes)), block)
        // A block alone does not wake the loop. UIKit means the next turn, so there must be one.
        loop.wakeUp()
    }

    package func async(_ block: @escaping () -> Void) { callouts.add(loop.async(), block) }

    package func pushMode(_ mode: Foundation.RunLoop.Mode) {
        modes.push(mode)
        modeChanged()
    }

    package func popMode(_ mode: Foundation.RunLoop.Mode) {
        if modes.pop(mode) { modeChanged() }
    }

    package var currentMode: Foundation.RunLoop.Mode? { modes.name }

    private func modeChanged() {
        if loop.depth == 1, loop.currentMode != modes.current { loop.stop() }
    }

    package func run(mode: Foundation.RunLoop.Mode, before limit: Instant) -> MainLoopRun {
        loop.begin(in: modes.number(of: mode), until: limit, returnsAfterSource: true, at: now)
        while true {
            let step = loop.next(at: now)
            switch step {
            // A core does not wait: what is not pending now cannot arrive during this run.
            case .sleep: loop.expire()
            case .busy: preconditionFailure("a nested run is not told of its own callout")
            case .finished(let result):
                modeChanged()
                switch result {
                case .finished: return .finished
                case .stopped: return .stopped
                case .timedOut: return .timedOut
                case .handledSource: return .handledSource
                }
            default: carryOut(step)
            }
        }
    }
}

extension UIApplication.State {
    /// The changes that the application receives for a life-cycle message. A repeated message, which a server sends
    /// after a loss, results in none. A message whose preceding step was lost results in both.
    fileprivate func steps(to word: LifeCycleChange) -> [LifeCycleChange] {
        switch (word, self) {
        case (.didBecomeActive, .active), (.willResignActive, .inactive), (.willResignActive, .background),
            (.didEnterBackground, .background), (.willEnterForeground, .active):
            []
        case (.didBecomeActive, .background): [.willEnterForeground, word]
        case (.didEnterBackground, .active): [.willResignActive, word]
        case (.didBecomeActive, .inactive), (.willResignActive, .active), (.didEnterBackground, .inactive),
            (.willEnterForeground, .inactive), (.willEnterForeground, .background), (.willTerminate, _):
            [word]
        }
    }
}

extension UIApplication.LifeCycleChange {
    init(_ word: LifeCycleChange) {
        self =
            switch word {
            case .didBecomeActive: .didBecomeActive
            case .willResignActive: .willResignActive
            case .didEnterBackground: .didEnterBackground
            case .willEnterForeground: .willEnterForeground
            case .willTerminate: .willTerminate
            }
    }
}
