// MachineRecognizer.swift: connects a recognizer with its machine.
//
// Station   gesture
// Input     GestureEnvironment, through touchesBegan … touchesCancelled and reset; the main loop's timer
// Output    samples for the machine; the recognizer's state, from the machine's verdicts
// Knows     how touches become samples and verdicts become states. Not what either means.
//
// A timer passes only the time to the machine. The environment handles the result before the main loop waits. A timer
// changes nothing if the recognizer is in a final state or its machine has moved on. (C5)

import Basics
import Foundation
import Gestures
import HID

/// A recognizer whose decisions a machine of `Gestures` makes.
protocol MachineRecognizer: UIGestureRecognizer {
    associatedtype Machine: GestureMachine
    var machine: Machine { get set }
    var machineContext: MachineContext { get set }
    /// The limits of this recognizer: its own properties, and the application's settings for the others.
    func rules(_ settings: GestureSettings) -> Machine.Rules
}

/// The state of a recognizer beside its machine.
struct MachineContext {
    /// The deadline of the last undecided verdict; nil once the machine has decided. Without a main loop no timer runs.
    var deadline: Instant?
    var timer: HeldTimer?
    /// The deadline of the last undecided verdict in the trace, so that each is noted once.
    var lastNotedDeadline: Instant?
    /// Kept for its memory, so that a move allocates nothing.
    var samples: [Sample] = []
}

extension MachineRecognizer {
    /// Passes touches of one phase to the machine. Landed touches that the machine does not count are ignored from then
    /// on.
    func handle(_ phase: SamplePhase, touches: Set<UITouch>, for event: UIEvent) {
        guard !stage.isFinal else { return }
        let application = application
        if case .began = phase { updateRules(in: application) }
        passStateToMachine()
        let now = application?.now ?? Instant(seconds: event.timestamp)
        var samples = machineContext.samples
        machineContext.samples = []
        var count = 0
        for touch in touches {
            if count < samples.count { samples[count] = Sample(touch) } else { samples.append(Sample(touch)) }
            count += 1
        }
        if samples.count > count { samples.removeLast(samples.count - count) }
        // A set has no order; fingers are sorted by their numbers, which follow the order of landing.
        if samples.count > 1 { samples.sort { $0.finger < $1.finger } }
        let verdict = machine.handle(phase, samples, at: now)
        machineContext.samples = samples
        if case .began = phase { ignoreUncounted(touches, event, verdict) }
        apply(verdict, in: application)
    }

    /// Assigns the state that a verdict on a move means, as `apply` does. Each recognizer passes the moves of its only active
    /// touch to its machine itself: the call here would be one through the witness table of the machine.
    @inline(__always)
    func applyMove(_ verdict: Verdict) {
        if !confirms(verdict) { apply(verdict, in: application) }
    }

    /// Sets the machine's limits for this attempt, because properties may have changed since the last one.
    func updateRules() { updateRules(in: application) }

    private func updateRules(in application: UIApplication?) {
        machine.rules = rules(application?.settings.gestures ?? GestureSettings())
    }

    /// Passes the recognizer's state to the machine, because a subclass may have assigned it.
    @inline(__always)
    func passStateToMachine() {
        if case .possible = stage { return }
        machine.assigned(stage)
    }

    private func ignoreUncounted(_ touches: Set<UITouch>, _ event: UIEvent, _ verdict: Verdict) {
        // A recognizer that fails leaves all its touches.
        if case .failed = verdict { return }
        guard touches.contains(where: { !counts($0) }) else { return }
        for touch in touches.sorted(by: { $0.id < $1.id }) where !counts(touch) { ignore(touch, for: event) }
    }

    /// Whether the machine counts the touch. The pointer prevents a copy of the machine, which a protocol's property makes.
    private func counts(_ touch: UITouch) -> Bool {
        withUnsafePointer(to: &machine) { $0.pointee.counts(touch.finger) }
    }

    /// Assigns the state that a verdict means.
    func apply(_ verdict: Verdict) {
        if !confirms(verdict) { apply(verdict, in: application) }
    }

    /// Whether the verdict changes nothing: nearly every move of an undecided recognizer only confirms the last verdict.
    @inline(__always)
    private func confirms(_ verdict: Verdict) -> Bool {
        switch verdict {
        case .unchanged: true
        case .undecided(let wake): machineContext.deadline == wake && machineContext.lastNotedDeadline == wake
        case .began, .changed, .ended, .cancelled, .failed: false
        }
    }

    private func apply(_ verdict: Verdict, in application: UIApplication?) {
        guard !confirms(verdict), !stage.isFinal else { return }
        note(verdict, in: application)
        facts.isStateExplained = true
        defer { facts.isStateExplained = false }
        switch verdict {
        case .unchanged: break
        case .undecided(let wake): arm(wake, in: application)
        case .began: decide(.began)
        case .changed: state = .changed
        case .ended: decide(.ended)
        case .cancelled: decide(.cancelled)
        case .failed: decide(.failed)
        }
    }

    private func decide(_ state: UIGestureRecognizer.State) {
        disarm()
        self.state = state
    }

    /// Removes an ignored finger from the machine.
    func forget(_ touch: UITouch) { forget(touch.finger) }
    func forget(_ press: UIPress) { forget(press.finger) }

    private func forget(_ finger: FingerID) {
        passStateToMachine()
        apply(machine.forget(finger))
    }

    func resetMachine() {
        disarm()
        machine.reset()
        facts.names = nil
        machineContext.lastNotedDeadline = nil
    }

    // MARK: Time

    private func arm(_ wake: Instant, in application: UIApplication?) {
        guard machineContext.deadline != wake else { return }
        machineContext.timer = nil
        machineContext.deadline = wake
        guard wake != .never, let loop = application?.mainLoop else { return }
        machineContext.timer = HeldTimer(on: loop, at: wake) { [weak self] in self?.timerFired() }
    }

    private func disarm() { (machineContext.deadline, machineContext.timer) = (nil, nil) }

    private func timerFired() {
        disarm()
        guard !stage.isFinal, let now = application?.now else { return }
        passStateToMachine()
        apply(machine.timePassed(at: now))
    }

    private func note(_ verdict: Verdict, in application: UIApplication?) {
        if case .undecided(let wake) = verdict {
            guard machineContext.lastNotedDeadline != wake else { return }
            machineContext.lastNotedDeadline = wake
        }
        guard let application, application.isWatched else { return }
        application.emit(.gesture(.judged(self, verdict)))
    }
}

extension UITouch {
    final var finger: FingerID { FingerID(rawValue: id.rawValue) }
}

extension UIPress {
    /// The number of the press as a finger. For a machine, a press is a finger that stays at one position.
    final var finger: FingerID { FingerID(rawValue: UInt32(usage.page) << 16 | UInt32(usage.usage)) }
}

extension Sample {
    init(_ touch: UITouch) {
        self.init(
            touch.finger, Point(Double(touch.position.x), Double(touch.position.y)),
            Instant(seconds: touch.timestamp))
    }
}

extension CGPoint {
    init(_ point: Point<WindowSpace>) { self.init(x: point.x, y: point.y) }
    init(_ travel: Travel) { self.init(x: travel.dx, y: travel.dy) }
}

extension Travel {
    init(_ point: CGPoint) { self.init(Double(point.x), Double(point.y)) }
}

extension UIGestureRecognizer {
    /// The window in whose coordinates the machine measures. A view that a caller passes may be in another window.
    private final var window: UIWindow? { attemptTouches.first?.window ?? attachedView?.cachedWindow }

    /// Converts a point of the window to the view's coordinates; without a view, to the window's.
    final func converted(_ point: CGPoint, to view: UIView?) -> CGPoint {
        guard let view else { return point }
        return view.convert(point, from: window)
    }

    /// Converts a distance along the window's axes to the view's axes.
    final func converted(_ travel: Travel, to view: UIView?) -> CGPoint {
        guard let view else { return CGPoint(travel) }
        let window = self.window
        let (tip, tail) = (view.convert(CGPoint(travel), from: window), view.convert(CGPoint.zero, from: window))
        return CGPoint(x: tip.x - tail.x, y: tip.y - tail.y)
    }

    /// Converts a distance along the view's axes to the window's axes.
    final func travel(_ vector: CGPoint, in view: UIView?) -> Travel {
        guard let view else { return Travel(vector) }
        let window = self.window
        let (tip, tail) = (view.convert(vector, to: window), view.convert(CGPoint.zero, to: window))
        return Travel(Double(tip.x - tail.x), Double(tip.y - tail.y))
    }
}
