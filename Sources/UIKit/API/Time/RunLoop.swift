// RunLoop.swift: the run loop that an app's code sees.
//
// Station   loop
// Input     the app's code
// Output    MainLoopScheduling; outside of applications Foundation's run loop
//
// Sources   documented  RunLoop; UITrackingRunLoopMode is active while content is dragged (C4)
//           invented    one loop in an application: `current` is `main`

public import Foundation
import SystemClock

/// The loop that runs timers and blocks.
open class RunLoop: NSObject, @unchecked Sendable {
    public typealias Mode = Foundation.RunLoop.Mode

    /// The clock whose loop this is; nil outside of applications, and when the application is gone.
    private final weak var clock: ApplicationClock?
    private final let system: SystemLoop?

    init(clock: ApplicationClock?) { (self.clock, system) = (clock, nil) }
    private init(_ system: SystemLoop) { (self.clock, self.system) = (nil, system) }

    private static let systemMain = RunLoop(SystemLoop.main)

    /// The loop of the application whose code runs; other threads of a live app find it too. Outside of applications it is that
    /// of the process's main thread.
    open class var main: RunLoop { (ApplicationClock.current ?? LiveApplication.clock)?.runLoop ?? systemMain }
    /// The loop of the application whose code runs; outside of applications that of the thread.
    open class var current: RunLoop {
        if let clock = ApplicationClock.current { return clock.runLoop }
        let loop = SystemLoop.current
        return loop === SystemLoop.main ? systemMain : RunLoop(loop)
    }

    private var loop: (any MainLoopScheduling)? { clock?.loop }

    /// The mode in which the loop runs.
    open var currentMode: Mode? { system == nil ? loop?.currentMode : system?.mode }

    // MARK: Timers and blocks

    /// Adds a timer for a mode. `common` stands for the default mode and the mode while content is dragged.
    open func add(_ timer: Timer, forMode mode: Mode) { timer.add(to: clock, system, forMode: mode) }

    /// Runs the block in the next turn in the default mode.
    public final func perform(_ block: @escaping () -> Void) { perform(inModes: [.default], block: block) }

    /// Runs the block in the next turn in one of these modes.
    public final func perform(inModes modes: [Mode], block: @escaping () -> Void) {
        if let system { return system.perform(in: modes, block) }
        guard let clock else { return }
        clock.onLoop { [unowned clock] in clock.loop?.perform(modes: modes, block) }
    }

    // MARK: Nested runs

    /// Runs the loop until a source is handled or the time has passed.
    ///
    /// In an application the run handles what is due now. A later `limitDate` stops the program: time does not pass
    /// while the app's code runs.
    @discardableResult
    open func run(mode: Mode, before limitDate: Date) -> Bool {
        if let system { return system.run(mode: mode, before: limitDate) }
        return runNested(mode: mode, before: limitDate, "RunLoop.run(mode:before:)")
    }

    /// Runs the loop until the time has passed. In an application that is possible only if it has.
    open func run(until limitDate: Date) {
        if let system { return system.run(until: limitDate) }
        runNested(mode: .default, before: limitDate, "RunLoop.run(until:)")
    }

    /// Runs the loop forever, which the loop of an application does already.
    open func run() {
        if let system { return system.run() }
        ApplicationClock.refuseToWait("RunLoop.run()", instead: "return, and let the app's loop go on")
    }

    @discardableResult
    private func runNested(mode: Mode, before limit: Date, _ call: String) -> Bool {
        guard let clock, let loop else { return false }
        guard SystemTime.seconds(until: limit) <= 0 else {
            ApplicationClock.refuseToWait(call, instead: "a Timer, or in a test phone.advance(by:)")
        }
        return loop.run(mode: mode, before: clock.now) != .finished
    }
}
