// TestPhone+Time.swift: the clock of a phone, and code that runs as the app's.
//
// Sources   invented

import AppCore
import Basics
import Hosting
import Simulator
import UIKit

extension TestPhone {
    /// The time since the phone was made. The app's `CACurrentMediaTime()` differs by a constant.
    public var time: Duration { Self.zero.duration(to: now) }

    /// Lets time pass: timers fire, animations move, held touches are delivered.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "time does not run backwards: advance(by: \(duration))")
        turn(until: now.advanced(by: duration))
    }

    /// Lets time pass until a moment since the phone was made; nothing happens if it has passed.
    public func advance(to time: Duration) { advance(by: max(.zero, time - self.time)) }

    /// Lets time pass until the app has nothing more to do: no timer that fires once, no block of a queue, no task that
    /// runs or sleeps, no animation, no undecided gesture. Repeating timers and display links do not count.
    ///
    /// - Parameter limit: The time after which the phone stops waiting.
    /// - Returns: Whether the app is idle. A test that needs it writes `#expect(phone.advanceUntilIdle())`.
    @discardableResult
    public func advanceUntilIdle(limit: Duration = .seconds(30)) -> Bool {
        let end = now.advanced(by: limit)
        settle()
        while !isIdle {
            guard let next = nextMoment, next <= end else { return false }
            turn(until: next)
        }
        return true
    }

    /// Whether the app has nothing more to do.
    public var isIdle: Bool { core?.isQuiet ?? true }

    /// Lets time pass, at most `patience`, until a condition holds. It is asked at each event and each frame.
    ///
    /// - Returns: Whether the condition holds.
    @discardableResult
    public func advance(until condition: () -> Bool) -> Bool {
        // Code of the app cannot wait for itself.
        if isTurning { return condition() }
        let end = now.advanced(by: patience)
        while !condition() {
            guard now < end else { return false }
            // An animation without a completion has no timer, so the condition is asked at each frame too.
            turn(until: min(nextMoment ?? end, now.advanced(by: .nanoseconds(16_666_667)), end))
        }
        return true
    }

    /// Runs code as the app's, on its main queue: `UIApplication.shared`, windows and animations work in it.
    ///
    /// - Returns: The result of the code. What the code has scheduled for now has happened as well.
    /// - Precondition: The app runs, and `run` is not called by the app's own code.
    @discardableResult
    public func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        withoutActuallyEscaping(body) { body in
            let application = application
            guard let loop = application.mainLoop else { preconditionFailure("\(PhoneError.notRunning)") }
            loop.async {
                do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
            }
            send(.timerFired(AppCore.loopTimer), to: Self.app)
            // A main thread that the app occupies runs nothing.
            while result == nil, let next = nextMoment { turn(until: next) }
        }
        guard let result else { preconditionFailure("the app's main queue did not run the code") }
        return try result.get()
    }
}
