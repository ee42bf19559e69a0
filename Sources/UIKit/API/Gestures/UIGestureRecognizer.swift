// UIGestureRecognizer.swift: what watches a view's touches for a meaning.
//
// Station   gesture
// Fed by    GestureEnvironment: the touches it accepted, phase by phase, before any view hears of them
// Feeds     its state, which the environment weighs against the others' and acts on
// Knows     its touches, its targets, whom it waits for. Not who else is watching.
//
// Assigning `state` is all a subclass does to say what it thinks. An attempt to begin or to recognise asks
// `shouldBegin` there and then; everything else waits for the environment's next update, in the same event or, for a
// timer's change, before the main loop waits.
//
// Sources   documented  UIGestureRecognizer: properties, defaults (B9.12), the subclass interface
//           observed    the touched view is asked before the delegate, and once if they are one object (B5.4, S36)

public import Foundation
import Gestures
import Trace

open class UIGestureRecognizer: NSObject {
    public enum State: Int, Sendable {
        case possible = 0
        case began = 1
        case changed = 2
        case ended = 3
        case cancelled = 4
        case failed = 5
        public static var recognized: State { .ended }
    }

    // MARK: Ours

    /// Cleared by the view when it goes.
    @exclusivity(unchecked) unowned(unsafe) final var attachedView: UIView?
    /// Its place among its view's recognisers.
    @exclusivity(unchecked) final var index = 0
    @exclusivity(unchecked) private final var progress = RecognizerProgress()
    @exclusivity(unchecked) final var touchInput = AttemptInput<UITouch>()
    @exclusivity(unchecked) final var pressInput = AttemptInput<UIPress>()
    @exclusivity(unchecked) final var requirements = FailureRequirements()
    /// What the environment knows of this attempt.
    @exclusivity(unchecked) final var attempt = GestureAttempt()
    @exclusivity(unchecked) final var facts = RecognizerFacts()
    private final var targets = ActionTargets()
    @exclusivity(unchecked) private final var acceptedInput = AcceptedInput()
    @exclusivity(unchecked) private final var viewEffects = ViewTouchEffects()
    /// Of the event it was last given.
    @exclusivity(unchecked) final var modifiers = InputModifiers()

    /// Accepted and not over, in order of acceptance.
    final var activeTouches: [UITouch] {
        @inline(__always) get { touchInput.active }
    }
    /// Every touch of this attempt, over or not: what is cancelled in views when it acts.
    final var attemptTouches: [UITouch] {
        @inline(__always) get { touchInput.attempt }
    }
    /// The same of presses.
    final var activePresses: [UIPress] {
        @inline(__always) get { pressInput.active }
    }
    final var attemptPresses: [UIPress] {
        @inline(__always) get { pressInput.attempt }
    }

    /// A subclass of another module than this one, or what stands for one: it may override what this file answers.
    @exclusivity(unchecked) package final var isOfAnAppsClass: Bool
    private static let module = moduleName(of: UIGestureRecognizer.self)
    private static func moduleName(of type: UIGestureRecognizer.Type) -> Substring {
        String(reflecting: type).prefix { $0 != "." }
    }

    public init(target: Any?, action: Selector?) {
        isOfAnAppsClass = Self.moduleName(of: Self.self) != Self.module
        super.init()
        if let target, let action { addTarget(target, action: action) }
    }

    public convenience override init() { self.init(target: nil, action: nil) }

    /// The application whose window its view is in; outside one, the one whose code runs.
    final var application: UIApplication? { attachedView?.cachedWindow?.application ?? UIApplication.current }

    // MARK: Targets

    /// The same target and action twice are one entry. The target is not kept.
    open func addTarget(_ target: Any, action: Selector) {
        targets.add(target as AnyObject, action)
    }

    /// Nil stands for any.
    open func removeTarget(_ target: Any?, action: Selector?) {
        targets.remove(target as AnyObject?, action)
    }

    /// Runs the action's closure when the recogniser acts. One that is the same takes the other's place.
    ///
    /// Apple's recognisers know targets only; see Docs/Decisions/Selectors.md.
    public final func addAction(_ action: UIAction) { targets.add(action) }

    public final func removeAction(_ action: UIAction) { targets.remove(action) }

    /// All of them, in the order they were added. A target that is gone is passed over.
    final func sendActions() {
        performOwnAction()
        let application = self.application
        for entry in targets.entries {
            switch entry {
            case .selector(let target, let action):
                guard let object = target.object else { continue }
                demand(action.isAnswered(by: object), "\(type(of: object)) does not respond to \(action.name)")
                application?.noteAction(action.name, on: object, sender: self)
                action.run(on: object, sender: self, event: nil)
            case .closure(let action):
                application?.noteAction(action.traceName, on: nil, sender: self)
                action.run(sender: self)
            }
        }
    }

    // MARK: State

    /// What was recognised so far. Subclasses assign it; what is no legal move is coerced or ignored. (B5.2)
    open var state: State {
        get { State(rawValue: stage.rawValue)! }
        set { take(.set(RecognizerState(rawValue: newValue.rawValue)!)) }
    }

    /// The same, in the environment's words.
    final var stage: RecognizerState {
        @inline(__always) get { progress.state }
    }

    private final func take(_ input: RecognizerState.Input) {
        let before = stage
        var wasRefused = false
        switch progress.handle(input) {
        case .unchanged: return
        case .moved: break
        case .asks(let question):
            let mayBegin = shouldBegin
            guard progress.settle(question, mayBegin: mayBegin) else { return }
            wasRefused = !mayBegin
            if wasRefused { application?.emit(.gesture(.mayNotBegin(self))) }
        }
        guard let application else { return }
        if case .set = input, !facts.isStateExplained, !isOutOfSight, !wasRefused {
            application.emit(.gesture(.assignedItself(self)))
        }
        if application.isObserved { noteMove(from: State(rawValue: before.rawValue)!, in: application) }
        application.gestures.moved(self)
    }

    /// Another has won. Even one that has called itself recognised fails, so long as it has not acted.
    final func overrule() { take(.overruled) }

    /// What it requires to fail was recognised, and it has acted already: it takes it back.
    final func refuse() { take(.refused) }

    /// For the length of one action, where an earlier state is made up for. (B7.7)
    final func pretend<Result>(_ state: RecognizerState, _ body: () -> Result) -> Result {
        let real = progress.pretend(state)
        let result = body()
        progress.endPretending(state, real: real)
        return result
    }

    /// Back to possible, with nothing left of the attempt; a subclass hears of it in `reset`.
    final func rest(in application: UIApplication) {
        let before = stage
        leaveTouches()
        let wasDecided = progress.beginReset()
        attempt.reset()
        requirements.forgetAttempt()
        guard wasDecided else { return }
        // In the final state still, as subclasses expect of the moment.
        guard application.isObserved else {
            reset()
            progress.finishReset()
            return
        }
        watchReset(in: application)
        progress.finishReset()
        noteMove(from: State(rawValue: before.rawValue)!, in: application)
    }

    /// What its touches' views say, then its delegate, unless that is one of those views. (B5.4)
    private final var shouldBegin: Bool {
        facts.refusal = nil
        var asked: [UIView] = []
        if cancelsTouchesInView {
            if attemptTouches.isEmpty {
                asked = attachedView.map { [$0] } ?? []
            } else {
                for touch in attemptTouches {
                    if let view = touch.view, !asked.contains(where: { $0 === view }) { asked.append(view) }
                }
            }
            for view in asked where !view.ask(mayBegin: self) {
                refuse(for: view.naming.knownLabel ?? view.traceLabel)
                return false
            }
        }
        guard let delegate else { return true }
        let subject = ViewDelegate.subject(of: delegate)
        guard !asked.contains(where: { $0 === subject }) else { return true }
        if let view = subject as? UIView {
            if view.ask(mayBegin: self) { return true }
        } else if self.asked(.shouldBegin(self), of: delegate, delegate.gestureRecognizerShouldBegin(self)) {
            return true
        }
        refuse(for: "its delegate")
        return false
    }

    /// - Parameter asked: Who said no; a scroll view has said why already.
    private final func refuse(for asked: @autoclosure () -> String) {
        guard facts.refusal == nil, application?.trace.isEnabled == true else { return }
        facts.refusal = "gestureRecognizerShouldBegin of \(asked()) said no"
    }

    // MARK: What it is like

    open weak var delegate: (any UIGestureRecognizerDelegate)?
    /// One that is disabled while at work fails, or is cancelled. (B5.7)
    open var isEnabled = true {
        didSet {
            if !isEnabled, oldValue { giveUp() }
        }
    }
    open var view: UIView? { attachedView }
    open var name: String? {
        get { facts.name }
        set { facts.name = newValue }
    }
    open var cancelsTouchesInView: Bool {
        get { viewEffects.cancels }
        set { viewEffects.cancels = newValue }
    }
    open var delaysTouchesBegan: Bool {
        get { viewEffects.delaysBegan }
        set { viewEffects.delaysBegan = newValue }
    }
    open var delaysTouchesEnded: Bool {
        get { viewEffects.delaysEnded }
        set { viewEffects.delaysEnded = newValue }
    }
    /// Raw values of `UITouch.TouchType`.
    open var allowedTouchTypes: [NSNumber] {
        get { acceptedInput.touchTypes }
        set { acceptedInput.touchTypes = newValue }
    }
    /// Raw values of `UIPress.PressType`.
    open var allowedPressTypes: [NSNumber] {
        get { acceptedInput.pressTypes }
        set { acceptedInput.pressTypes = newValue }
    }
    /// Whether, having touches of one type, it refuses those of another.
    open var requiresExclusiveTouchType: Bool {
        get { acceptedInput.requiresOneTouchType }
        set { acceptedInput.requiresOneTouchType = newValue }
    }
    open var modifierFlags: UIKeyModifierFlags { modifiers.flags }
    open var buttonMask: UIEvent.ButtonMask { modifiers.buttons }

    /// At work no longer: possible fails, begun is cancelled and says so. An idle one stays as it is.
    final func giveUp() {
        guard attempt.isActive else { return }
        if !stage.isFinal { application?.emit(.gesture(.gaveUp(self))) }
        facts.isStateExplained = true
        defer { facts.isStateExplained = false }
        // One that has called itself recognised, and waits to act, never will.
        if stage == .ended, attempt.state.isExcludable { overrule() } else { state = .cancelled }
        leaveTouches(keepingAttempt: true)
    }

    // MARK: Touches

    /// One that lifts or is cancelled in the event at hand is down no more.
    private final var downTouches: [UITouch] { activeTouches.filter { !$0.isOver } }

    open var numberOfTouches: Int { activeTouches.count { !$0.isOver } }

    /// The middle of its touches; once they have lifted, of where they were.
    open func location(in view: UIView?) -> CGPoint {
        let down = downTouches
        return middle(of: !down.isEmpty ? down : activeTouches.isEmpty ? attemptTouches : activeTouches, in: view)
    }

    final func middle(of touches: [UITouch], in view: UIView?) -> CGPoint {
        guard !touches.isEmpty else { return .zero }
        var sum = CGPoint.zero
        for touch in touches {
            let point = touch.location(in: view)
            sum = CGPoint(x: sum.x + point.x, y: sum.y + point.y)
        }
        let count = CGFloat(touches.count)
        return CGPoint(x: sum.x / count, y: sum.y / count)
    }

    open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
        touch(at: touchIndex).location(in: view)
    }

    /// The touch of that index among those that are down; there must be one. (B9.10)
    final func touch(at index: Int) -> UITouch {
        let down = downTouches
        precondition(
            down.indices.contains(index), "\(traceText): touch \(index) was asked for, and it has \(down.count)")
        return down[index]
    }

    /// It is accepted. One that is over for its view, too, is nothing an attempt need remember: a recogniser that never
    /// decides would remember every finger there ever was.
    final func take(_ touch: UITouch) {
        touchInput.forgetInactive(where: { $0.isOver && $0.delivery.state == .over }) { old in
            old.gestureRecognizers?.removeAll { $0 === self }
            attempt.left.removeAll { $0 === old }
        }
        touchInput.accept(touch)
    }

    /// The touch is over, or nobody's; the attempt remembers it.
    final func release(_ touch: UITouch) { touchInput.release(touch) }

    final func leaveTouches(keepingAttempt: Bool = false) {
        for touch in activeTouches { touch.dismiss(self) }
        if keepingAttempt { attempt.left += activeTouches }
        touchInput.leaveActive()
        if !attemptPresses.isEmpty { leavePresses(keepingAttempt: keepingAttempt) }
        guard !keepingAttempt else { return }
        for touch in attemptTouches where !attempt.left.contains(where: { $0 === touch }) { touch.dismiss(self) }
        touchInput.forgetAttempt()
    }

    // MARK: Others

    /// This one waits for the other to fail. One that requires itself is ignored, and so is one that requires the
    /// same twice. (B7.8)
    open func require(toFail otherGestureRecognizer: UIGestureRecognizer) {
        guard otherGestureRecognizer !== self else {
            application?.emit(.gesture(.requiresItself(self)))
            return
        }
        guard requirements.require(otherGestureRecognizer) else { return }
        otherGestureRecognizer.requirements.becomeRequired()
        application?.gestures.noteCycle(closedBy: self, requiring: otherGestureRecognizer)
    }

    open func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool { true }
    open func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool { true }
    open func shouldRequireFailure(of otherGestureRecognizer: UIGestureRecognizer) -> Bool { false }
    open func shouldBeRequiredToFail(by otherGestureRecognizer: UIGestureRecognizer) -> Bool { false }
    open func shouldReceive(_ event: UIEvent) -> Bool { true }

    /// Whether it waits for `other` in this attempt, or always.
    final func requires(_ other: UIGestureRecognizer) -> Bool { requirements.contains(other) }

    // MARK: For subclasses

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {}
    /// Corrections of what was only estimated when the touches were told. (UITouch+Estimates.swift)
    open func touchesEstimatedPropertiesUpdated(_ touches: Set<UITouch>) {}
    open func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {}
    open func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {}
    open func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {}
    open func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {}
    open func reset() {}

    /// The press is this recogniser's no longer, and it does not cancel it for its responder.
    open func ignore(_ button: UIPress, for event: UIPressesEvent) {
        pressInput.ignore(button)
        button.gestureRecognizers?.removeAll { $0 === self }
        button.hold?.holders.removeAll { $0 === self }
    }

    /// The touch is this recogniser's no longer, and it does not cancel it in its view. (B8.3)
    open func ignore(_ touch: UITouch, for event: UIEvent) {
        application?.emitToObserver(.gesture(.ignored(self, touch)))
        touchInput.ignore(touch)
        touch.gestureRecognizers?.removeAll { $0 === self }
        application?.gestures.letGo(of: touch, by: self)
    }

    /// Another that it waited for has failed, and it is about to act at last.
    func requirementCleared() {}

    /// What UIKit itself makes of the gesture, before any target: a scroll view's drag is its pan's.
    func performOwnAction() {}

    /// Whether nobody is asked about it, and it excludes and requires nobody: it only holds touches back.
    var isOutOfSight: Bool { false }

    /// Whether it may stay possible after its touches have gone, and is then failed by the environment: one that
    /// never decides, which must hold nothing up. A plain recogniser is such a one.
    var finishesAtReset: Bool { type(of: self) == UIGestureRecognizer.self }

    // MARK: Traces

    /// What a nameless one is called in traces.
    var traceKind: String { "\(type(of: self))" }

    /// What tells a nameless one from others of its kind: `2 taps`. Empty for one that is as it was made.
    var traceTraits: [String] { [] }

    /// - Parameter usually: Taps that go without saying.
    final class func traits(taps: Int = 1, usually: Int = 1, touches: Int) -> [String] {
        var traits = taps == usually ? [] : [taps == 1 ? "1 tap" : "\(taps) taps"]
        if touches != 1 { traits.append("\(touches) touches") }
        return traits
    }

    /// What it is called beside its view's name: `tap (2 taps)`; and, where others on the view are called the same,
    /// which of them it is: `tap #2`.
    final var traceOwnName: String {
        let own = plainName
        guard let alike = attachedView?.recognizers, alike.count > 1 else { return own }
        let namesakes = alike.filter { $0 === self || $0.plainName == own }
        guard namesakes.count > 1, let place = namesakes.firstIndex(where: { $0 === self }) else { return own }
        return "\(own) #\(place + 1)"
    }

    private final var plainName: String {
        if let name { return name }
        let traits = traceTraits
        return traits.isEmpty ? traceKind : "\(traceKind) (\(traits.joined(separator: ", ")))"
    }

    /// How traces call it: `tap on UIView "R"`.
    final var traceText: String {
        let own = traceOwnName
        guard let view = attachedView else { return own }
        return "\(own) on \(view.naming.knownLabel ?? view.traceLabel)"
    }
}

/// A modifier key held during an event.
public struct UIKeyModifierFlags: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let alphaShift = UIKeyModifierFlags(rawValue: 1 << 16)
    public static let shift = UIKeyModifierFlags(rawValue: 1 << 17)
    public static let control = UIKeyModifierFlags(rawValue: 1 << 18)
    public static let alternate = UIKeyModifierFlags(rawValue: 1 << 19)
    public static let command = UIKeyModifierFlags(rawValue: 1 << 20)
    public static let numericPad = UIKeyModifierFlags(rawValue: 1 << 21)
}
