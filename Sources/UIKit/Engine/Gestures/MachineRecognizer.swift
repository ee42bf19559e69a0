// MachineRecognizer.swift: how a recogniser wears its machine.
//
// Station   gesture
// Fed by    GestureEnvironment, through touchesBegan … touchesCancelled and reset; the main loop's timer
// Feeds     the machine, with samples; the recogniser's state, with the machine's verdicts
// Knows     how touches become samples and verdicts states. Not what either means.
//
// A timer only asks the machine what the time means. What comes of it is seen by the environment before the main
// loop waits; a timer that finds the recogniser done, or its machine elsewhere, changes nothing. (C5)

import Basics
import Foundation
import Gestures
import HID

protocol MachineRecognizer: UIGestureRecognizer {
    associatedtype Machine: GestureMachine
    var machine: Machine { get set }
    var wear: MachineWear { get set }
    /// The limits in force: the recogniser's properties, and for the rest the application's settings.
    func rules(_ settings: GestureSettings) -> Machine.Rules
}

/// What a recogniser keeps beside its machine.
struct MachineWear {
    var timer: (at: Instant, held: HeldTimer)?
    /// The wake-up of the last undecided verdict a trace has: one is said once.
    var lastNoted: Instant?
    /// Reused, so that a move allocates nothing.
    var samples: [Sample] = []
}

extension MachineRecognizer {
    /// What the fingers did. Those the machine does not count on landing are ignored from then on.
    func hear(_ phase: SamplePhase, _ touches: Set<UITouch>, _ event: UIEvent) {
        guard !stage.isFinal else { return }
        if phase == .began { prepare() }
        keepUp()
        let now = application?.now ?? Instant(seconds: event.timestamp)
        var samples = wear.samples
        wear.samples = []
        samples.removeAll(keepingCapacity: true)
        for touch in touches { samples.append(Sample(touch)) }
        // A set has no order; fingers have that of landing.
        if samples.count > 1 { samples.sort { $0.finger < $1.finger } }
        let verdict = machine.handle(phase, samples, at: now)
        wear.samples = samples
        if phase == .began { ignoreUncounted(touches, event, verdict) }
        take(verdict)
    }

    /// The rules of this attempt: properties may have changed since the last.
    func prepare() { machine.rules = rules(application?.settings.gestures ?? GestureSettings()) }

    /// The machine hears where its recogniser is: a subclass may have begun by itself.
    func keepUp() {
        if stage != .possible { machine.assigned(stage) }
    }

    private func ignoreUncounted(_ touches: Set<UITouch>, _ event: UIEvent, _ verdict: Verdict) {
        // One that fails lets go of all it has.
        if case .failed = verdict { return }
        guard touches.contains(where: { !machine.counts($0.finger) }) else { return }
        for touch in touches.sorted(by: { $0.id < $1.id }) where !machine.counts(touch.finger) {
            ignore(touch, for: event)
        }
    }

    /// Puts a verdict into effect.
    func take(_ verdict: Verdict) {
        if case .unchanged = verdict { return }
        guard !stage.isFinal else { return }
        note(verdict)
        facts.isStateExplained = true
        defer { facts.isStateExplained = false }
        switch verdict {
        case .unchanged: break
        case .undecided(let wake): arm(wake)
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

    /// A finger that is ignored was never there.
    func forget(_ touch: UITouch) { forget(touch.finger) }
    func forget(_ press: UIPress) { forget(press.finger) }

    private func forget(_ finger: FingerID) {
        keepUp()
        take(machine.forget(finger))
    }

    func rewind() {
        disarm()
        machine.reset()
        facts.names = nil
        wear.lastNoted = nil
    }

    // MARK: Time

    private func arm(_ wake: Instant) {
        if let timer = wear.timer, timer.at == wake { return }
        disarm()
        guard wake != .never, let loop = application?.mainLoop else { return }
        wear.timer = (wake, HeldTimer(on: loop, at: wake) { [weak self] in self?.timePassed() })
    }

    private func disarm() { wear.timer = nil }

    private func timePassed() {
        disarm()
        guard !stage.isFinal, let now = application?.now else { return }
        keepUp()
        take(machine.timePassed(at: now))
    }

    private func note(_ verdict: Verdict) {
        if case .undecided(let wake) = verdict {
            guard wear.lastNoted != wake else { return }
            wear.lastNoted = wake
        }
        guard let application, application.isWatched else { return }
        application.emit(.gesture(.judged(self, verdict)))
    }
}

extension UITouch {
    final var finger: FingerID { FingerID(rawValue: id.rawValue) }
}

extension UIPress {
    /// To a machine a press is a finger that stays in one place.
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
    /// Whose coordinates its machine measures in; the view asked about may be in another.
    private final var window: UIWindow? { attemptTouches.first?.window ?? attachedView?.cachedWindow }

    /// A point of the window's, in a view's coordinates; the window's for nil.
    final func converted(_ point: CGPoint, to view: UIView?) -> CGPoint {
        guard let view else { return point }
        return view.convert(point, from: window)
    }

    /// A way along the window's axes, along a view's.
    final func converted(_ travel: Travel, to view: UIView?) -> CGPoint {
        guard let view else { return CGPoint(travel) }
        let window = self.window
        let (tip, tail) = (view.convert(CGPoint(travel), from: window), view.convert(CGPoint.zero, from: window))
        return CGPoint(x: tip.x - tail.x, y: tip.y - tail.y)
    }

    /// The other way round.
    final func travel(_ vector: CGPoint, in view: UIView?) -> Travel {
        guard let view else { return Travel(vector) }
        let window = self.window
        let (tip, tail) = (view.convert(vector, to: window), view.convert(CGPoint.zero, to: window))
        return Travel(Double(tip.x - tail.x), Double(tip.y - tail.y))
    }
}
