// Timer.swift: calls at moments of an application's clock.
//
// Station   loop
// Input     RunLoop.add, and the modes that it names
// Output    MainLoopScheduling; outside of applications Foundation's timer
// Knows     its moment. A Date is converted by the real time, because dates are the wall clock's.
//
//     made ──RunLoop.add──▶ waiting ──fires──▶ waiting (repeats), or invalid
//                              └──invalidate──▶ invalid
//
// Sources   documented  Timer: a loop retains its timers, a timer its target until it is invalid; CFRunLoopTimer
//           inferred    a timer that does not repeat is valid while it fires

import Basics
public import Foundation
import SystemClock

/// A call at a moment, and at regular moments after it.
open class Timer: NSObject, @unchecked Sendable {
    /// What a timer calls; nil when it is invalid.
    private final var action: ((Timer) -> Void)?
    /// The clock of the application that made the timer; nil for one that was made outside of applications.
    private final weak var clock: ApplicationClock?
    private final var system: SystemTimer?
    /// The next moment on the application's clock.
    private final var moment = Instant.never
    private final var modes: [RunLoop.Mode] = []
    /// The number of the timer in the loop.
    private final var number: UInt64?

    /// In seconds; 0 for a timer that fires once.
    public final let timeInterval: TimeInterval
    /// In seconds. It has no effect: a timer is exact.
    open var tolerance: TimeInterval = 0
    open private(set) var userInfo: Any?

    /// The shortest interval of a timer that repeats, in seconds.
    private static let shortestInterval = 0.0001

    // MARK: Making timers

    /// - Parameters:
    ///   - delay: The time until the first call, in seconds.
    ///   - isDate: Whether the delay is the distance of a date, which is no exact number.
    private init(
        after delay: TimeInterval, isDate: Bool = false, interval: TimeInterval, repeats: Bool, userInfo: Any?,
        _ action: @escaping (Timer) -> Void
    ) {
        timeInterval = repeats ? (interval > 0 ? interval : Self.shortestInterval) : 0
        self.action = action
        self.userInfo = userInfo
        clock = ApplicationClock.current
        super.init()
        if let clock {
            moment = isDate ? clock.moment(near: delay) : clock.moment(after: max(delay, Self.shortestInterval))
        } else {
            system = SystemTimer(after: delay, interval: timeInterval, repeats: repeats) { [weak self] in self?.call() }
        }
    }

    /// Makes a timer that is in no loop. Add it with `RunLoop.add(_:forMode:)`.
    public convenience init(
        timeInterval interval: TimeInterval, repeats: Bool, block: @escaping (Timer) -> Void
    ) {
        self.init(after: interval, interval: interval, repeats: repeats, userInfo: nil, block)
    }

    /// Makes a timer that is in no loop.
    ///
    /// - Parameters:
    ///   - date: The first call. The delay from now is rounded up to a millisecond of the app's clock.
    ///   - interval: The time between two calls, in seconds.
    ///   - repeats: Whether the timer calls more than once.
    ///   - block: Receives the timer at each call.
    public convenience init(
        fire date: Date, interval: TimeInterval, repeats: Bool, block: @escaping (Timer) -> Void
    ) {
        self.init(
            after: SystemTime.seconds(until: date), isDate: true, interval: interval, repeats: repeats, userInfo: nil,
            block)
    }

    /// Makes a timer that is in no loop. It retains the target until it is invalid.
    public convenience init(
        timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector, userInfo: Any?,
        repeats yesOrNo: Bool
    ) {
        self.init(
            after: ti, interval: ti, repeats: yesOrNo, userInfo: userInfo,
            Self.action(aTarget, aSelector))
    }

    public convenience init(
        fireAt date: Date, interval ti: TimeInterval, target t: Any, selector s: Selector, userInfo ui: Any?,
        repeats rep: Bool
    ) {
        self.init(
            after: SystemTime.seconds(until: date), isDate: true, interval: ti, repeats: rep, userInfo: ui,
            Self.action(t, s))
    }

    private static func action(_ target: Any, _ selector: Selector) -> (Timer) -> Void {
        let target = target as AnyObject
        return { timer in
            demand(
                selector.isAnswered(by: target),
                "a timer's target, \(type(of: target)), does not respond to \(selector)")
            selector.run(on: target, sender: timer, event: nil)
        }
    }

    /// Makes a timer in the default mode of the current loop. It waits while content is dragged.
    @discardableResult
    open class func scheduledTimer(
        withTimeInterval interval: TimeInterval, repeats: Bool, block: @escaping (Timer) -> Void
    ) -> Timer {
        scheduled(Timer(timeInterval: interval, repeats: repeats, block: block))
    }

    @discardableResult
    open class func scheduledTimer(
        timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector, userInfo: Any?,
        repeats yesOrNo: Bool
    ) -> Timer {
        scheduled(
            Timer(timeInterval: ti, target: aTarget, selector: aSelector, userInfo: userInfo, repeats: yesOrNo))
    }

    private class func scheduled(_ timer: Timer) -> Timer {
        RunLoop.current.add(timer, forMode: .default)
        return timer
    }

    // MARK: Firing

    open var isValid: Bool { action != nil }

    /// Calls the timer's action now. A timer that does not repeat is invalid then; the moments of another one stay.
    open func fire() {
        guard isValid else { return }
        call()
    }

    private func call() {
        action?(self)
        if timeInterval == 0 { invalidate() }
    }

    /// Ends the timer for good, and releases its target.
    open func invalidate() {
        unschedule()
        system?.invalidate()
        (action, userInfo, modes) = (nil, nil, [])
    }

    /// The next call, or the last one of an invalid timer. `distantFuture` suspends the timer.
    ///
    /// A date is the wall clock's. A new date counts from now, and is rounded up to a millisecond of the app's clock.
    open var fireDate: Date {
        get {
            if let system { return system.timer.fireDate }
            guard let clock, moment < .never else { return SystemTime.date(after: .infinity) }
            return SystemTime.date(after: clock.now.duration(to: moment).seconds)
        }
        set {
            system?.timer.fireDate = newValue
            guard isValid, let clock else { return }
            moment = clock.moment(near: SystemTime.seconds(until: newValue))
            schedule()
        }
    }

    // MARK: The loop

    /// Adds the timer to a loop for a mode: to that of an application, or of Foundation.
    final func add(to loopClock: ApplicationClock?, _ systemLoop: SystemLoop?, forMode mode: RunLoop.Mode) {
        guard isValid else { return }
        if let system {
            guard let loopClock else {
                system.owner = self
                return (systemLoop ?? SystemLoop.current).add(system, in: mode)
            }
            // Another thread gives its timer to an application.
            let delay = SystemTime.seconds(until: system.timer.fireDate)
            system.invalidate()
            self.system = nil
            clock = loopClock
            moment = .never
            loopClock.onLoop { [unowned loopClock] in self.moment = loopClock.moment(near: delay) }
        }
        guard let clock else { return }
        clock.onLoop {
            guard self.isValid, !self.modes.contains(mode) else { return }
            self.modes.append(mode)
            self.schedule()
        }
    }

    private func unschedule() {
        if let number { clock?.loop?.invalidate(number) }
        number = nil
    }

    /// Gives the loop the timer's moment and modes. The loop retains the timer.
    private func schedule() {
        unschedule()
        guard let clock, let loop = clock.loop, !modes.isEmpty, moment < .never else { return }
        let interval = timeInterval > 0 ? Duration(seconds: timeInterval) : nil
        number = loop.schedule(at: moment, every: interval, modes: modes) { self.loopFired() }
    }

    private func loopFired() {
        if timeInterval == 0 {
            number = nil
        } else if let clock {
            // The loop leaves out the moments that it missed.
            let interval = Duration(seconds: timeInterval).nanoseconds
            let late = moment.duration(to: clock.now).nanoseconds
            moment = moment.advanced(byNanoseconds: (max(0, late) / interval + 1) * interval)
        }
        call()
    }
}

extension ApplicationClock {
    func moment(after seconds: TimeInterval) -> Instant { now.advanced(by: Duration(seconds: seconds)) }

    /// The moment after a time in seconds that a real clock has measured. It is rounded up to a millisecond.
    func moment(near seconds: TimeInterval) -> Instant {
        guard seconds < .infinity else { return .never }
        return now.advanced(byNanoseconds: Int64(clamping: max(0, (seconds * 1000).rounded(.up)) * 1e6))
    }
}
