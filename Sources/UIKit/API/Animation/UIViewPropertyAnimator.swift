// UIViewPropertyAnimator.swift: an animation that can be paused, reversed and stopped on the way.
//
//                 start, pause                 stop(false)
//     inactive ────────────────▶ active ────────────────▶ stopped
//        ▲                         │                         │
//        └── end, stop(true) ──────┴──── finish(at:) ────────┘
//
// As on iOS, the values that the blocks set apply when the animation starts, and a reversed animation sets the old values at
// its end. `stopAnimation` sets the values of the moment: of center, bounds, transform and alpha. Presentation layers have the
// values of the moment at any time.
//
// Sources   documented  UIViewAnimating, UIViewPropertyAnimator
//           documented  views of an animator take touches unless `isUserInteractionEnabled` is false

import Basics
public import Foundation

/// The state of an animator.
public enum UIViewAnimatingState: Int, Sendable { case inactive, active, stopped }

/// Where an animation has ended.
public enum UIViewAnimatingPosition: Int, Sendable { case end, start, current }

/// An animation that can be paused, reversed and stopped.
public protocol UIViewAnimating: NSObjectProtocol {
    var state: UIViewAnimatingState { get }
    var isRunning: Bool { get }
    var isReversed: Bool { get set }
    var fractionComplete: CGFloat { get set }
    func startAnimation()
    func startAnimation(afterDelay delay: TimeInterval)
    func pauseAnimation()
    func stopAnimation(_ withoutFinishing: Bool)
    func finishAnimation(at finalPosition: UIViewAnimatingPosition)
}

/// An animation to which blocks are added.
public protocol UIViewImplicitlyAnimating: UIViewAnimating {
    func addAnimations(_ animation: @escaping () -> Void)
    func addAnimations(_ animation: @escaping () -> Void, delayFactor: CGFloat)
    func addCompletion(_ completion: @escaping (UIViewAnimatingPosition) -> Void)
    func continueAnimation(withTimingParameters parameters: (any UITimingCurveProvider)?, durationFactor: CGFloat)
}

/// Runs blocks as an animation that can be paused, reversed and stopped on the way.
open class UIViewPropertyAnimator: NSObject, UIViewImplicitlyAnimating {
    private final var blocks: [(block: () -> Void, delayFactor: CGFloat)] = []
    private final var groups: [ViewAnimationGroup] = []
    private final var completions: [(UIViewAnimatingPosition) -> Void] = []
    private final let changes = ViewChanges()
    private final var curve: TimingCurve
    /// The fraction at `startTime`, or while the animation is paused.
    private final var fraction: CGFloat = 0
    private final var startTime: Instant?
    /// The duration of the whole animation at the current pace, in seconds.
    private final var pace: TimeInterval
    private final var timer: UInt64?
    private final var reversed = false

    /// In seconds.
    open private(set) var duration: TimeInterval
    open private(set) var delay: TimeInterval = 0
    open private(set) var timingParameters: (any UITimingCurveProvider)?
    open private(set) var state = UIViewAnimatingState.inactive
    /// Whether views that the blocks change take touches while the animation runs. They take touches during its delay.
    open var isUserInteractionEnabled = true
    /// No effect here: a hit test uses the values that are set.
    open var isManualHitTestingEnabled = false
    open var isInterruptible = true
    /// Whether progress is proportional to `fractionComplete` while the animation is paused.
    open var scrubsLinearly = true
    /// Whether the animation stays active and paused at its end, without completions.
    open var pausesOnCompletion = false

    private init(_ duration: TimeInterval, _ curve: TimingCurve) {
        (self.duration, pace, self.curve) = (max(0, duration), max(0, duration), curve)
    }

    public convenience init(duration: TimeInterval, timingParameters parameters: any UITimingCurveProvider) {
        self.init(duration, parameters.curve)
        timingParameters = parameters
    }

    public convenience init(
        duration: TimeInterval, curve: UIView.AnimationCurve, animations: (() -> Void)? = nil
    ) {
        self.init(duration, TimingCurve(curve))
        if let animations { addAnimations(animations) }
    }

    public convenience init(
        duration: TimeInterval, controlPoint1 point1: CGPoint, controlPoint2 point2: CGPoint,
        animations: (() -> Void)? = nil
    ) {
        self.init(duration, .cubic(point1, point2))
        if let animations { addAnimations(animations) }
    }

    public convenience init(duration: TimeInterval, dampingRatio ratio: CGFloat, animations: (() -> Void)? = nil) {
        self.init(duration, .spring(dampingRatio: ratio))
        if let animations { addAnimations(animations) }
    }

    /// Makes an animator and starts it. Of the options, the curve and `allowUserInteraction` have an effect.
    open class func runningPropertyAnimator(
        withDuration duration: TimeInterval, delay: TimeInterval, options: UIView.AnimationOptions = [],
        animations: @escaping () -> Void, completion: ((UIViewAnimatingPosition) -> Void)? = nil
    ) -> UIViewPropertyAnimator {
        let curve = UIView.AnimationCurve(rawValue: Int(options.rawValue >> 16 & 3)) ?? .easeInOut
        let animator = UIViewPropertyAnimator(duration: duration, curve: curve, animations: animations)
        if let completion { animator.addCompletion(completion) }
        animator.startAnimation(afterDelay: delay)
        return animator
    }

    // MARK: Blocks

    /// Adds a block. An active animator runs it at once.
    open func addAnimations(_ animation: @escaping () -> Void) { addAnimations(animation, delayFactor: 0) }
    /// Adds a block.
    ///
    /// - Parameters:
    ///   - animation: Sets the properties to their final values.
    ///   - delayFactor: The part of the duration that the block waits, 0...1.
    open func addAnimations(_ animation: @escaping () -> Void, delayFactor: CGFloat) {
        blocks.append((animation, min(max(delayFactor, 0), 1)))
        if state == .active { runBlocks() }
    }
    open func addCompletion(_ completion: @escaping (UIViewAnimatingPosition) -> Void) {
        completions.append(completion)
    }

    private final func runBlocks() {
        let new = blocks
        blocks = []
        guard let application = UIApplication.current, application.areAnimationsEnabled else {
            for (block, _) in new { block() }
            return
        }
        let outer = application.animation
        outer?.recorder.commit(application)
        for (block, delayFactor) in new {
            let group = ViewAnimationGroup { [weak self] now in
                self?.shownProgress(at: now, delayFactor: delayFactor)
            }
            groups.append(group)
            let recorder = AnimationRecorder(group)
            // Touches are excluded while the animation runs, not during its delay.
            application.animation = UIViewAnimation(
                end: application.now.advanced(by: Duration(seconds: pace)), allowsTouches: true, changes: changes,
                recorder: recorder)
            block()
            recorder.commit(application)
        }
        application.animation = outer
        changes.blockDidRun()
        if isRunning { excludeTouches() }
    }

    /// The progress that presentation layers show; nil if they show the values that are set.
    private final func shownProgress(at now: Instant, delayFactor: CGFloat) -> CGFloat? {
        guard state == .active else { return nil }
        var fraction = fraction(at: now)
        if let driveTime { fraction = pace > 0 ? min(max(CGFloat(driveTime(now) / pace), 0), 1) : 1 }
        if delayFactor > 0 { fraction = delayFactor < 1 ? max(0, (fraction - delayFactor) / (1 - delayFactor)) : 0 }
        return isScrubbed ? fraction : curve.progress(at: fraction)
    }

    /// Whether the animation is paused and shows the fraction without its curve.
    private final var isScrubbed: Bool { !isRunning && scrubsLinearly && driveTime == nil }

    /// Excludes touches from the animated views until the end of the animation, if `isUserInteractionEnabled` is false.
    private final func excludeTouches() {
        guard !isUserInteractionEnabled, let application = UIApplication.current else { return }
        let rest = pace * Double(reversed ? fraction : 1 - fraction)
        let end = isRunning ? application.now.advanced(by: Duration(seconds: rest)) : .never
        for view in changes.views where view.cachedWindow != nil {
            view.admission.endAnimations()
            view.admission.excludeTouches(until: end)
        }
    }

    // MARK: Transitions

    /// Seconds of the transition that drives the animation; nil if the animation runs by itself.
    private final var driveTime: ((Instant) -> TimeInterval)?

    /// Ends the animation with the transition that drives it.
    final func endDriven(_ finished: Bool) {
        guard state == .active else { return }
        driveTime = nil
        if !finished { changes.apply(0) }
        complete(finished ? .end : .start)
    }

    // MARK: Running

    open var isRunning: Bool { startTime != nil }

    /// Whether the animation runs towards the old values.
    open var isReversed: Bool {
        get { reversed }
        set {
            guard newValue != reversed else { return }
            let wasRunning = isRunning
            halt()
            reversed = newValue
            if wasRunning { run() }
        }
    }

    /// The part of the duration that has passed, 0...1. Setting it pauses the animation. Values of views do not change, as they
    /// are at the end already; those of presentation layers do.
    open var fractionComplete: CGFloat {
        get {
            // Outside of the app's code, the app is that of an animated view.
            let view = changes.views.first { $0.cachedWindow != nil }
            guard let application = UIApplication.current ?? view?.cachedWindow?.application else { return fraction }
            return fraction(at: application.now)
        }
        set {
            pauseAnimation()
            fraction = min(max(newValue, 0), 1)
        }
    }

    private final func fraction(at now: Instant) -> CGFloat {
        guard let startTime, pace > 0 else { return fraction }
        let passed = CGFloat((now.seconds - startTime.seconds) / pace)
        return min(max(fraction + (reversed ? -passed : passed), 0), 1)
    }

    open func startAnimation() {
        demand(state != .stopped, "a stopped UIViewPropertyAnimator cannot start: it must be finished first")
        guard !isRunning else { return }
        activate()
        run()
    }

    /// - Parameter delay: In seconds.
    open func startAnimation(afterDelay delay: TimeInterval) {
        self.delay = delay
        guard delay > 0, let application = UIApplication.current, let loop = application.mainLoop else {
            return startAnimation()
        }
        activate()
        let moment = application.now.advanced(by: Duration(seconds: delay))
        timer = loop.schedule(at: moment, every: nil, modes: [.default, .tracking]) { self.run() }
    }

    open func pauseAnimation() {
        demand(state != .stopped, "a stopped UIViewPropertyAnimator cannot pause: it must be finished first")
        if state == .inactive { activate() } else { halt() }
    }

    /// Continues a paused animation.
    ///
    /// - Parameters:
    ///   - parameters: The curve of the rest; nil for the curve so far.
    ///   - durationFactor: The rest lasts this factor times `duration`; 0 means as long as it would have.
    open func continueAnimation(
        withTimingParameters parameters: (any UITimingCurveProvider)?, durationFactor: CGFloat
    ) {
        guard state == .active, !isRunning else { return }
        if let parameters { (timingParameters, curve) = (parameters, parameters.curve) }
        let rest = Double(reversed ? fraction : 1 - fraction)
        if durationFactor > 0, rest > 0 { pace = duration * Double(durationFactor) / rest }
        run()
    }

    /// Stops the animation at the values of the moment.
    ///
    /// - Parameter withoutFinishing: Whether the animator becomes inactive without completions. If not, it waits for
    ///   `finishAnimation(at:)`.
    open func stopAnimation(_ withoutFinishing: Bool) {
        guard state == .active else { return }
        let isScrubbed = isScrubbed
        halt()
        changes.apply(isScrubbed ? fraction : curve.progress(at: fraction))
        state = .stopped
        if withoutFinishing { deactivate() }
    }

    /// Sets the values of a position and calls the completions.
    open func finishAnimation(at finalPosition: UIViewAnimatingPosition) {
        demand(state == .stopped, "a UIViewPropertyAnimator must be stopped before it is finished")
        switch finalPosition {
        case .end: changes.apply(1)
        case .start: changes.apply(0)
        case .current: break
        }
        complete(finalPosition)
    }

    // MARK: States

    private final func activate() {
        guard state == .inactive else { return }
        state = .active
        runBlocks()
    }

    private final func run() {
        guard state == .active, !isRunning else { return }
        invalidateTimer()
        guard let application = UIApplication.current, let loop = application.mainLoop else { return end() }
        if let drive = application.transactions.drive {
            drive.add(self)
            driveTime = { drive.elapsed(at: $0) }
            return
        }
        startTime = application.now
        excludeTouches()
        let rest = pace * Double(reversed ? fraction : 1 - fraction)
        let moment = application.now.advanced(by: Duration(seconds: rest))
        timer = loop.schedule(at: moment, every: nil, modes: [.default, .tracking]) { self.end() }
    }

    /// Stops the clock of the animation.
    private final func halt() {
        fraction = fractionComplete
        let wasRunning = isRunning
        startTime = nil
        invalidateTimer()
        if wasRunning { excludeTouches() }
    }

    private final func invalidateTimer() {
        if let timer { UIApplication.current?.mainLoop?.invalidate(timer) }
        timer = nil
    }

    private final func end() {
        (fraction, startTime, timer) = (reversed ? 0 : 1, nil, nil)
        guard !pausesOnCompletion else { return }
        if reversed { changes.apply(0) }
        complete(reversed ? .start : .end)
    }

    private final func complete(_ position: UIViewAnimatingPosition) {
        let blocks = completions
        deactivate()
        for block in blocks { block(position) }
    }

    private final func deactivate() {
        invalidateTimer()
        (state, fraction, startTime, reversed, pace) = (.inactive, 0, nil, false, duration)
        completions = []
        driveTime = nil
        if !isUserInteractionEnabled { for view in changes.views { view.admission.endAnimations() } }
        changes.removeAll()
        let ended = groups
        groups = []
        for group in ended { group.end() }
    }
}
