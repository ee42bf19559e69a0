// UIGestureRecognizer.swift: an object that recognizes a gesture in the touches of a view.
//
// Station   gesture
// Input     GestureEnvironment: the touches that the recognizer accepted, phase by phase, before a view receives them
// Output    its state, which the environment compares with the states of other recognizers
// Knows     its touches, its targets, the recognizers that it waits for. Not the other recognizers of its touches.
//
// A subclass expresses its decisions by assigning `state`. An attempt to begin or to recognize asks `shouldBegin`
// immediately. Everything else waits for the environment's next update. The update comes in the same event, or, after a
// change by a timer, before the main loop waits.
//
// Sources   documented  UIGestureRecognizer: properties, defaults (B9.12), the interface for subclasses
//           observed    the touched view is asked before the delegate, and once if both are one object (B5.4, S36)

import Basics
public import Foundation
import Gestures
import Trace

/// An object that recognizes a gesture in the touches of a view, and then sends actions.
open class UIGestureRecognizer: NSObject {
    /// The progress of a recognizer. (B5.1)
    public enum State: Int, Sendable {
        case possible = 0
        case began = 1
        case changed = 2
        case ended = 3
        case cancelled = 4
        case failed = 5
        public static var recognized: State { .ended }
    }

    // MARK: Of this project

    /// The view clears this pointer before it is freed.
    @exclusivity(unchecked) unowned(unsafe) final var attachedView: UIView?
    /// The position among the recognizers of its view.
    @exclusivity(unchecked) final var index = 0
    @exclusivity(unchecked) private final var progress = RecognizerProgress()
    @exclusivity(unchecked) final var touchInput = AttemptInput<UITouch>()
    @exclusivity(unchecked) final var pressInput = AttemptInput<UIPress>()
    @exclusivity(unchecked) final var requirements = FailureRequirements()
    /// What the environment notes about the current attempt.
    @exclusivity(unchecked) final var attempt = GestureAttempt()
    @exclusivity(unchecked) final var facts = RecognizerFacts()
    @exclusivity(unchecked) private final var targets = ActionTargets()
    @exclusivity(unchecked) final var acceptedInput = AcceptedInput()
    @exclusivity(unchecked) private final var viewEffects = ViewTouchEffects()
    /// The modifier keys and buttons of the event that the recognizer received last.
    @exclusivity(unchecked) final var modifiers = InputModifiers()

    /// The accepted touches that are not over, in order of acceptance.
    final var activeTouches: [UITouch] {
        @inline(__always) get { touchInput.active }
    }
    /// Every touch of this attempt, also touches that are over. When the recognizer acts, views lose these touches.
    final var attemptTouches: [UITouch] {
        @inline(__always) get { touchInput.attempt }
    }
    /// The accepted presses that are not over, in order of acceptance.
    final var activePresses: [UIPress] {
        @inline(__always) get { pressInput.active }
    }
    /// Every press of this attempt, also presses that are over.
    final var attemptPresses: [UIPress] {
        @inline(__always) get { pressInput.attempt }
    }

    @exclusivity(unchecked) final var ownClass: RecognizerClass
    /// Whether an app's code may override what this class answers: the subclass is in another module, or represents one
    /// that is.
    package final var isAppDefined: Bool {
        get { ownClass.isAppDefined }
        set { ownClass.isAppDefined = newValue }
    }

    /// Makes a recognizer with one target; nil for a recognizer that has none yet.
    public init(target: Any?, action: Selector?) {
        ownClass = RecognizerClass(Self.self)
        super.init()
        facts.identity = UIApplication.current?.gestures.nextIdentity() ?? 0
        if let target, let action { addTarget(target, action: action) }
    }

    public convenience override init() { self.init(target: nil, action: nil) }

    /// The application of the window that contains the view; without a window, the application whose code is running.
    final var application: UIApplication? { attachedView?.cachedWindow?.application ?? UIApplication.current }

    // MARK: Targets

    /// Adds a target and its action, unless they are added already. The recognizer does not retain the target.
    open func addTarget(_ target: Any, action: Selector) {
        targets.add(target as AnyObject, action)
    }

    /// Removes each target and action that matches. Nil matches any.
    open func removeTarget(_ target: Any?, action: Selector?) {
        targets.remove(target as AnyObject?, action)
    }

    /// Runs the action's closure when the recognizer acts. An equal action replaces an earlier one.
    ///
    /// UIKit's recognizers have targets only; see Docs/Decisions/Selectors.md.
    public final func addAction(_ action: UIAction) { targets.add(action) }

    /// Removes an action that `addAction` added.
    public final func removeAction(_ action: UIAction) { targets.remove(action) }

    /// Sends all actions, in the order in which they were added. Targets that were freed are left out.
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

    /// The progress of the recognizer. Subclasses assign it. An illegal transition is coerced or ignored. (B5.2)
    open var state: State {
        get { State(rawValue: stage.rawValue)! }
        set { makeTransition(on: .set(RecognizerState(rawValue: newValue.rawValue)!)) }
    }

    /// The state, as a type of the module Gestures.
    final var stage: RecognizerState {
        @inline(__always) get { progress.state }
    }

    /// Makes a transition. An attempt to leave `possible` first asks whether the recognizer may begin.
    private final func makeTransition(on input: RecognizerState.Input) {
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
        if case .set = input, !facts.isStateExplained, !onlyHoldsTouches, !wasRefused {
            application.emit(.gesture(.assignedItself(self)))
        }
        if application.isObserved { noteMove(from: State(rawValue: before.rawValue)!, in: application) }
        application.gestures.stateWasAssigned(to: self)
    }

    /// Fails the recognizer because another one excludes it. A recognized one fails too, as long as it has not acted.
    final func overrule() { makeTransition(on: .overruled) }

    /// Cancels the recognizer because a recognizer that it requires to fail was recognized after this one had acted.
    final func refuse() { makeTransition(on: .refused) }

    /// Runs `body` while the recognizer has an earlier state, for an action that was withheld. (B7.7)
    final func withState<Result>(_ state: RecognizerState, _ body: () -> Result) -> Result {
        let real = progress.pretend(state)
        let result = body()
        progress.endPretending(state, real: real)
        return result
    }

    /// Returns the recognizer to `possible` and forgets the attempt. A subclass is informed by `reset`.
    final func resetAttempt(in application: UIApplication) {
        let before = stage
        leaveTouches()
        let wasDecided = progress.beginReset()
        attempt.reset()
        requirements.forgetAttempt()
        guard wasDecided else { return }
        // Subclasses expect that `reset` runs while the recognizer is still in its final state.
        guard application.isObserved else {
            reset()
            progress.finishReset()
            return
        }
        watchReset(in: application)
        progress.finishReset()
        noteMove(from: State(rawValue: before.rawValue)!, in: application)
    }

    /// Whether the views of its touches and then its delegate permit it to begin.
    ///
    /// A delegate that is one of these views is asked once. (B5.4)
    private final var shouldBegin: Bool {
        facts.refusal = nil
        let asksViews = cancelsTouchesInView
        // Without touches, the recognizer's own view is asked.
        let (touches, ownView) = (attemptTouches, attemptTouches.isEmpty ? attachedView : nil)
        if asksViews {
            if let ownView, isRefused(by: ownView) { return false }
            for (index, touch) in touches.enumerated() {
                guard let view = touch.view, !touches[..<index].contains(where: { $0.view === view }) else { continue }
                if isRefused(by: view) { return false }
            }
        }
        guard let delegate else { return true }
        let subject = ViewDelegate.subject(of: delegate)
        if asksViews, ownView === subject || touches.contains(where: { $0.view === subject }) { return true }
        if let view = subject as? UIView {
            if view.ask(mayBegin: self) { return true }
        } else if self.emitQuestion(
            .shouldBegin(self), of: delegate, answer: delegate.gestureRecognizerShouldBegin(self))
        {
            return true
        }
        noteRefusal(by: "its delegate")
        return false
    }

    private final func isRefused(by view: UIView) -> Bool {
        guard !view.ask(mayBegin: self) else { return false }
        noteRefusal(by: view.naming.cachedLabel ?? view.traceLabel)
        return true
    }

    /// Notes the reason of a refusal, unless a scroll view has noted one already.
    ///
    /// - Parameter asked: The name of the object that refused.
    private final func noteRefusal(by asked: @autoclosure () -> String) {
        guard facts.refusal == nil, application?.trace.isEnabled == true else { return }
        facts.refusal = "gestureRecognizerShouldBegin of \(asked()) returned false"
    }

    // MARK: Properties

    /// The object that decides together with the recognizer which touches it receives and when it recognizes.
    @exclusivity(unchecked) open weak var delegate: (any UIGestureRecognizerDelegate)?
    /// Whether the recognizer receives touches. Disabling an active one fails or cancels it. (B5.7)
    @exclusivity(unchecked) open var isEnabled = true {
        didSet {
            if !isEnabled, oldValue { abandonAttempt() }
        }
    }
    /// The view whose touches the recognizer receives, also those of its subviews.
    open var view: UIView? { attachedView }
    /// The name of the recognizer in traces and reports.
    open var name: String? {
        get { facts.name }
        set { facts.name = newValue }
    }
    /// Whether views lose the touches of this recognizer when it acts. (B8.1)
    open var cancelsTouchesInView: Bool {
        get { viewEffects.cancels }
        set { viewEffects.cancels = newValue }
    }
    /// Whether touches that begin are held from their views while the recognizer is undecided. (B8.6)
    open var delaysTouchesBegan: Bool {
        get { viewEffects.delaysBegan }
        set { viewEffects.delaysBegan = newValue }
    }
    /// Whether touches that end are held from their views while the recognizer is undecided. (B8.6)
    open var delaysTouchesEnded: Bool {
        get { viewEffects.delaysEnded }
        set { viewEffects.delaysEnded = newValue }
    }
    /// The kinds of touches that the recognizer accepts, as raw values of `UITouch.TouchType`.
    open var allowedTouchTypes: [NSNumber] {
        get { acceptedInput.touchTypes }
        set { acceptedInput.touchTypes = newValue }
    }
    /// The kinds of presses that the recognizer accepts, as raw values of `UIPress.PressType`.
    open var allowedPressTypes: [NSNumber] {
        get { acceptedInput.pressTypes }
        set { acceptedInput.pressTypes = newValue }
    }
    /// Whether a recognizer with touches of one type refuses touches of other types.
    open var requiresExclusiveTouchType: Bool {
        get { acceptedInput.requiresOneTouchType }
        set { acceptedInput.requiresOneTouchType = newValue }
    }
    /// The modifier keys that were down in the last event.
    open var modifierFlags: UIKeyModifierFlags { modifiers.flags }
    /// The buttons of a pointer that were down in the last event.
    open var buttonMask: UIEvent.ButtonMask { modifiers.buttons }

    /// Ends an active attempt: a possible recognizer fails, and one that has begun is cancelled and sends its action.
    ///
    /// An idle recognizer does not change.
    final func abandonAttempt() {
        guard attempt.isActive else { return }
        if !stage.isFinal { application?.emit(.gesture(.gaveUp(self))) }
        facts.isStateExplained = true
        defer { facts.isStateExplained = false }
        // A recognizer that called itself recognized and still waits to act will not act.
        if stage == .ended, attempt.state.isExcludable { overrule() } else { state = .cancelled }
        leaveTouches(keepingAttempt: true)
    }

    // MARK: Touches

    /// The touches that are down, without those that lift or are cancelled in the current event.
    private final var downTouches: [UITouch] { activeTouches.filter { !$0.isOver } }

    /// The number of its touches that are down.
    open var numberOfTouches: Int { activeTouches.count { !$0.isOver } }

    /// The center of its touches that are down. After they have lifted, the center of their last positions.
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

    /// The position of one of the touches that are down. An index without a touch stops the program. (B9.10)
    open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
        touch(at: touchIndex).location(in: view)
    }

    /// The touch with this index among those that are down. An index without a touch stops the program. (B9.10)
    final func touch(at index: Int) -> UITouch {
        let down = downTouches
        precondition(
            down.indices.contains(index), "\(traceText): touch \(index) was asked for, and it has \(down.count)")
        return down[index]
    }

    /// Accepts a touch, and forgets touches of the attempt that are over for their views too.
    ///
    /// A recognizer that never decides would otherwise remember every touch since its last reset.
    final func accept(_ touch: UITouch) {
        touchInput.forgetInactive(where: { $0.isOver && $0.delivery.state == .over }) { old in
            old.recognizers.remove(self)
            attempt.leftTouches.removeAll { $0 === old }
        }
        touchInput.accept(touch)
    }

    /// Removes a touch that is over, or that belongs to no recognizer. The attempt remembers it.
    final func release(_ touch: UITouch) { touchInput.release(touch) }

    /// Leaves all active touches and presses, and forgets the attempt unless `keepingAttempt` is true.
    final func leaveTouches(keepingAttempt: Bool = false) {
        for touch in activeTouches { touch.recognizers.remove(self) }
        if keepingAttempt {
            attempt.leftTouches += activeTouches
        } else {
            for touch in attemptTouches
            where !touchInput.isActive(touch) && !attempt.leftTouches.contains(where: { $0 === touch }) {
                touch.recognizers.remove(self)
            }
            touchInput.forgetAttempt()
        }
        touchInput.leaveActive()
        if !attemptPresses.isEmpty { leavePresses(keepingAttempt: keepingAttempt) }
    }

    // MARK: Relations

    /// Makes this recognizer wait until the other fails. A repeated requirement, and one of itself, is ignored. (B7.8)
    open func require(toFail otherGestureRecognizer: UIGestureRecognizer) {
        guard otherGestureRecognizer !== self else {
            application?.emit(.gesture(.requiresItself(self)))
            return
        }
        guard requirements.require(otherGestureRecognizer) else { return }
        otherGestureRecognizer.requirements.becomeRequired()
        application?.gestures.noteCycle(closedBy: self, requiring: otherGestureRecognizer)
    }

    /// Whether this recognizer may exclude the other when it is recognized. (B7.1)
    open func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool { true }
    /// Whether the other recognizer may exclude this one when it is recognized. (B7.1)
    open func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool { true }
    /// Whether this recognizer waits for the other in this attempt. (B6.2)
    open func shouldRequireFailure(of otherGestureRecognizer: UIGestureRecognizer) -> Bool { false }
    /// Whether the other recognizer waits for this one in this attempt. (B6.2)
    open func shouldBeRequiredToFail(by otherGestureRecognizer: UIGestureRecognizer) -> Bool { false }
    /// Whether the recognizer takes part in the event. It is asked once in each attempt. (B4.1)
    open func shouldReceive(_ event: UIEvent) -> Bool { true }

    /// Whether this recognizer waits for `other`, in this attempt or always.
    final func requires(_ other: UIGestureRecognizer) -> Bool { requirements.contains(other) }

    // MARK: For subclasses

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {}
    /// Receives a move of its only active touch in place of `touchesMoved`, if no app's code overrides that method.
    ///
    /// - Parameter samples: The touch as a sample, made once for all recognizers of the touch.
    func receiveMove(of touch: UITouch, as samples: [Sample], at now: Instant, in event: UIEvent) {
        touchesMoved(touch.setOfSelf, with: event)
    }
    /// Receives touches whose estimated properties were corrected. (UITouch+Estimates.swift)
    open func touchesEstimatedPropertiesUpdated(_ touches: Set<UITouch>) {}
    open func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent) {}
    open func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent) {}
    open func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent) {}
    open func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent) {}
    /// Returns the subclass to its initial state after an attempt. Called if the state left `possible`. (B5.9)
    open func reset() {}

    /// Removes a press from this recognizer. When the recognizer acts, it does not cancel the press for its responder.
    open func ignore(_ button: UIPress, for event: UIPressesEvent) {
        pressInput.ignore(button)
        button.gestureRecognizers?.removeAll { $0 === self }
        button.hold?.holders.removeAll { $0 === self }
    }

    /// Removes a touch from this recognizer. When the recognizer acts, it does not cancel the touch in its view. (B8.3)
    open func ignore(_ touch: UITouch, for event: UIEvent) {
        application?.emitToObserver(.gesture(.ignored(self, touch)))
        touchInput.ignore(touch)
        touch.recognizers.remove(self)
        application?.gestures.releaseHold(on: touch, by: self)
    }

    /// Called when the last recognizer that this one waited for has failed, just before this one acts.
    func requirementCleared() {}

    /// What UIKit itself does on recognition, before any target: a scroll view scrolls by its pan.
    func performOwnAction() {}

    /// Whether the recognizer only holds touches. No question concerns it, and it excludes and requires no recognizer.
    var onlyHoldsTouches: Bool { false }

    /// Whether the recognizer may stay possible after its touches have ended, until the environment fails it.
    ///
    /// Such a recognizer never decides, and must not delay others. A plain `UIGestureRecognizer` is one.
    var finishesAtReset: Bool { type(of: self) == UIGestureRecognizer.self }

    // MARK: Traces

    /// The name of the kind of recognizer in traces, for recognizers without a name.
    var traceKind: String { "\(type(of: self))" }

    /// The differences from a recognizer of this kind with default properties: `2 taps`. Traces add them to `traceKind`.
    var traceTraits: [String] { [] }

    /// Describes numbers of taps and touches that differ from the default.
    ///
    /// - Parameter defaultTaps: The number of taps that is not mentioned.
    final class func traits(taps: Int = 1, defaultTaps: Int = 1, touches: Int) -> [String] {
        var traits = taps == defaultTaps ? [] : [taps == 1 ? "1 tap" : "\(taps) taps"]
        if touches != 1 { traits.append("\(touches) touches") }
        return traits
    }

    /// The name of the recognizer without its view's: `tap (2 taps)`.
    ///
    /// If several recognizers of the view have this name, their order distinguishes them: `tap #2`.
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

    /// The name of the recognizer in traces: `tap on UIView "R"`.
    final var traceText: String {
        let own = traceOwnName
        guard let view = attachedView else { return own }
        return "\(own) on \(view.naming.cachedLabel ?? view.traceLabel)"
    }
}
