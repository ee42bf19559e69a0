// UIControl.swift: a view that turns one touch into control events, and control events into actions.
//
// Station   responder → action
// Input     the view phase, as for any responder
// Output    ControlTracking, which decides; UIApplication.sendAction
// Knows     the touch that it tracks, and the registered actions
//
// An enabled control keeps a touch that lands on it: the control tracks or ignores the touch, and forwards it in no phase.
// It forwards a touch of a subview, and a touch that landed while it was disabled, in every phase, as any view does.
// (E2.4) A control that is disabled, hidden or removed from its window stops tracking, as after `touchesCancelled`. The
// touch itself continues. (S96)
//
// Sources   documented  UIControl
//           observed    endTracking precedes the action (S61)
//           inferred    70 pt around the bounds are inside (B10.6)
//           invented    a control that cannot continue to track cancels at once and sends touchCancel

public import Foundation
import Gestures

/// A view that sends actions when a touch or the app's code operates it.
open class UIControl: UIView {
    /// One registered action, and the events that run it.
    fileprivate struct Entry {
        enum Receiver {
            /// The first object in the responder chain that has the action.
            case responderChain
            case target(WeakTarget)
        }
        enum Content {
            case selector(Receiver, Selector)
            case closure(UIAction)
        }
        var content: Content
        var events: Event
    }

    private final var entries: [Entry] = []
    private final var tracking = ControlTracking()
    /// The touch that the control tracks.
    private(set) final var trackedTouch: UITouch?
    /// Counts how often the control was disabled, hidden or moved between windows.
    private final var interruptions = 0
    /// The control event whose actions run at the moment.
    final var eventBeingSent: Event?

    public override init(frame: CGRect) { super.init(frame: frame) }
    /// Reads a control. Targets and actions are not archived.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        isEnabled = coder.decodeBool(forKey: "isEnabled")
        isSelected = coder.decodeBool(forKey: "isSelected")
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isEnabled, forKey: "isEnabled")
        coder.encode(isSelected, forKey: "isSelected")
    }

    /// - Parameters:
    ///   - frame: In the coordinates of the superview.
    ///   - primaryAction: Runs for `.primaryActionTriggered`.
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }

    // MARK: State

    /// Whether the control accepts touches. Disabling it cancels its tracking.
    open var isEnabled = true {
        didSet { if !isEnabled { abandonTracking(because: .disabled) } }
    }
    /// Whether the control is selected. Touches do not change it, except in a button that toggles its selection.
    open var isSelected = false
    /// Whether the control is highlighted, which it is while a tracked touch is inside.
    open var isHighlighted = false
    open var contentVerticalAlignment = ContentVerticalAlignment.center
    open var contentHorizontalAlignment = ContentHorizontalAlignment.center
    /// Whether the control tracks a touch.
    open var isTracking: Bool { trackedTouch != nil }
    /// Whether the tracked touch is inside the bounds, or within 70 pt around them: the position that `continueTracking` and
    /// `endTracking` receive. (B10.3, B10.6)
    @exclusivity(unchecked) open private(set) var isTouchInside = false
    /// The conditions that apply at the moment.
    open var state: State {
        var state: State = []
        if isHighlighted { state.insert(.highlighted) }
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        return state
    }

    // MARK: Tracking, for subclasses

    /// - Returns: Whether to track this touch. The control ignores a touch that is not tracked until it lifts.
    @discardableResult
    open func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
    /// - Returns: Whether to continue. False ends the tracking without a control event.
    @discardableResult
    open func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
    /// Called when the tracked touch lifts, before its control event. (S61)
    open func endTracking(_ touch: UITouch?, with event: UIEvent?) {}
    /// Called when the tracking is cancelled, before `touchCancel`.
    open func cancelTracking(with event: UIEvent?) {}

    // MARK: Touches

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard isEnabled, let touch = first(of: touches, in: event, where: { $0.view === self }),
            !isSecondaryButton(touch, event)
        else {
            if !isEnabled { noteDisabled() }
            super.touchesBegan(touches, with: event)
            return
        }
        for own in touches where own.view === self { own.belongsToControl = true }
        // A subclass whose `touchesEnded` does not call `super` leaves a tracked touch that is over.
        if trackedTouch?.delivery.state == .over { forgetTrackedTouch() }
        // The control tracks one touch at a time. Further touches on it reach no responder. (E2.5)
        guard trackedTouch == nil else { return }
        let before = interruptions
        let accepted = asksToBeginTracking(touch, event)
        // `beginTracking` is code of the app, which may have disabled, hidden or removed the control.
        let stands = accepted && interruptions == before
        guard case .press(let repeated) = tracking.handle(.began(accepted: stands, repeated: touch.tapCount >= 2))
        else {
            trackingDidEnd()
            return
        }
        trackedTouch = touch
        setTouchInside(true)
        if trackedTouch === touch { sendActions(for: .touchDown, with: event) }
        if repeated, trackedTouch === touch { sendActions(for: .touchDownRepeat, with: event) }
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = trackedTouch, touches.contains(touch) else {
            if let others = touchesToForward(among: touches) { super.touchesMoved(others, with: event) }
            return
        }
        let isInside = isInside(touch)
        isTouchInside = isInside
        let continues = asksToContinueTracking(touch, event)
        // `continueTracking` is code of the app, which may have cancelled the touch.
        guard trackedTouch === touch else { return }
        switch tracking.handle(.moved(continues: continues, inside: isInside)) {
        case .drag(let inside, let crossed):
            if crossed { crossBoundary(inside: inside, event) }
            if trackedTouch === touch { sendActions(for: inside ? .touchDragInside : .touchDragOutside, with: event) }
        case .stop:
            stopTracking()
        case .nothing, .press, .release, .cancel:
            preconditionFailure("a moved finger was judged as something else")
        }
    }

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = trackedTouch, touches.contains(touch) else {
            if let others = touchesToForward(among: touches) { super.touchesEnded(others, with: event) }
            return
        }
        guard case .release(let inside, let crossed) = tracking.handle(.ended(inside: isInside(touch))) else {
            preconditionFailure("a lifted finger was judged as something else")
        }
        if crossed { crossBoundary(inside: inside, event) }
        track(.endTracking) { endTracking(touch, with: event) }
        // When the action runs, the control tracks no touch any more, but is still highlighted. (B10.4)
        trackedTouch = nil
        trackingDidEnd()
        sendActions(for: inside ? .touchUpInside : .touchUpOutside, with: event)
        if inside { touchUpInsideWasSent(event) }
        if trackedTouch == nil { setTouchInside(false) }
    }

    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = trackedTouch, touches.contains(touch) else {
            if let others = touchesToForward(among: touches) { super.touchesCancelled(others, with: event) }
            return
        }
        cancelTrackedTouch(with: event)
    }

    private final func asksToBeginTracking(_ touch: UITouch, _ event: UIEvent?) -> Bool {
        var answer = false
        track(.beginTracking) { answer = beginTracking(touch, with: event) && behavior?.beginTracking != false }
        return answer
    }

    private final func asksToContinueTracking(_ touch: UITouch, _ event: UIEvent?) -> Bool {
        var answer = false
        track(.continueTracking) {
            answer = continueTracking(touch, with: event) && behavior?.continueTracking != false
        }
        return answer
    }

    /// Sends what this kind of control sends after touchUpInside.
    func touchUpInsideWasSent(_ event: UIEvent?) {}

    /// Releases what a built-in subclass holds while it tracks.
    ///
    /// The control calls this function whenever tracking ends, whatever the reason and whichever tracking methods an app
    /// overrides.
    func trackingDidEnd() {}

    /// The first touch in the event's order of landing, because a set has no order.
    private final func first(of touches: Set<UITouch>, in event: UIEvent?, where fits: (UITouch) -> Bool) -> UITouch? {
        if touches.count == 1 { return touches.first.flatMap { fits($0) ? $0 : nil } }
        let inOrder = event?.touches ?? touches.sorted { $0.id < $1.id }
        return inOrder.first { touches.contains($0) && fits($0) }
    }

    /// Whether the touch is a pointer whose primary button is up. The control forwards such a touch.
    private final func isSecondaryButton(_ touch: UITouch, _ event: UIEvent?) -> Bool {
        guard touch.type == .indirectPointer, let buttons = event?.buttonMask, !buttons.isEmpty else { return false }
        return !buttons.contains(.primary)
    }

    /// The touches that no control keeps; nil if there are none.
    private final func touchesToForward(among touches: Set<UITouch>) -> Set<UITouch>? {
        if touches.count == 1 { return touches.first?.belongsToControl == true ? nil : touches }
        let others = touches.filter { !$0.belongsToControl }
        return others.isEmpty ? nil : others
    }

    /// Whether the touch is inside the bounds or the margin around them, as control events count it.
    final func isInside(_ touch: UITouch) -> Bool {
        let margin = settings.trackingMargin
        return bounds.insetBy(dx: -margin, dy: -margin).containsForHitTest(touch.location(in: self))
    }

    final var settings: UIKitSettings.Controls {
        cachedWindow?.application?.settings.controls ?? UIKitSettings.Controls()
    }

    private final func crossBoundary(inside: Bool, _ event: UIEvent?) {
        setTouchInside(inside)
        if trackedTouch != nil { sendActions(for: inside ? .touchDragEnter : .touchDragExit, with: event) }
    }

    private final func setTouchInside(_ inside: Bool) {
        isTouchInside = inside
        isHighlighted = inside
    }

    private final func forgetTrackedTouch() {
        if tracking.state != .idle { _ = tracking.handle(.cancelled) }
        stopTracking()
    }

    private final func stopTracking() {
        trackedTouch = nil
        setTouchInside(false)
        trackingDidEnd()
    }

    // MARK: The end of tracking without a lift

    private final func noteDisabled() {
        cachedWindow?.application?.emit(.action(.ignoresTouch(self)))
    }

    private final func abandonTracking(because obstacle: UIKitEvent.Obstacle) {
        interruptions += 1
        guard trackedTouch != nil, tracking.state != .idle else { return }
        cachedWindow?.application?.emit(.action(.stopsTracking(self, obstacle)))
        cancelTrackedTouch(with: nil)
    }

    private final func cancelTrackedTouch(with event: UIEvent?) {
        guard case .cancel = tracking.handle(.cancelled) else {
            preconditionFailure("a cancelled finger was judged as something else")
        }
        track(.cancelTracking) { cancelTracking(with: event) }
        stopTracking()
        sendActions(for: .touchCancel, with: event)
    }

    open override var isHidden: Bool {
        get { super.isHidden }
        set {
            super.isHidden = newValue
            if newValue { abandonTracking(because: .hidden) }
        }
    }

    override func windowWillChange(to window: UIWindow?) {
        super.windowWillChange(to: window)
        abandonTracking(because: .gone)
    }

    // MARK: Targets and actions

    /// Registers an action. Without a target, the first object in the responder chain that has the action receives it.
    ///
    /// The control does not retain the target. A second call with the same target and action adds the events.
    open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {
        let object = target as AnyObject?
        if let index = entries.firstIndex(where: { $0.matches(object, action) }) {
            entries[index].events.formUnion(controlEvents)
            return
        }
        let receiver = object.map { Entry.Receiver.target(.init(object: $0)) } ?? .responderChain
        entries.append(Entry(content: .selector(receiver, action), events: controlEvents))
    }

    /// Removes the events from each action that matches. Nil, as target or as action, matches any.
    open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: Event) {
        let object = target as AnyObject?
        remove(controlEvents) { entry in
            guard case .selector(let receiver, let selector) = entry.content else { return false }
            return (object == nil || receiver.object === object) && (action == nil || selector == action)
        }
    }

    /// Registers a closure. An action that `isSame` replaces the earlier one and adds the events.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        let same = entries.firstIndex {
            if case .closure(let other) = $0.content { other.isSame(as: action) } else { false }
        }
        if let index = same {
            entries[index].content = .closure(action)
            entries[index].events.formUnion(controlEvents)
        } else {
            entries.append(Entry(content: .closure(action), events: controlEvents))
        }
    }

    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        remove(controlEvents) { if case .closure(let other) = $0.content { other.isSame(as: action) } else { false } }
    }

    open func removeAction(identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event) {
        remove(controlEvents) {
            if case .closure(let other) = $0.content { other.identifier == actionIdentifier } else { false }
        }
    }

    private final func remove(_ events: Event, where fits: (Entry) -> Bool) {
        for index in entries.indices where fits(entries[index]) { entries[index].events.subtract(events) }
        entries.removeAll { $0.events.isEmpty }
    }

    /// The names of the target's actions for the event, in the order in which they were added; nil if there are none.
    open func actions(forTarget target: Any?, forControlEvent controlEvent: Event) -> [String]? {
        let object = target as AnyObject?
        let names: [String] = entries.compactMap { entry in
            guard !entry.events.isDisjoint(with: controlEvent),
                case .selector(let receiver, let action) = entry.content,
                receiver.object === object
            else { return nil }
            return action.name
        }
        return names.isEmpty ? nil : names
    }

    /// The targets. `NSNull` represents the search in the responder chain. Closures have no target, and targets that were
    /// freed are left out.
    open var allTargets: Set<AnyHashable> {
        Set(
            entries.compactMap { entry -> AnyHashable? in
                switch entry.content {
                case .closure: return nil
                case .selector(.responderChain, _): return NSNull()
                case .selector(.target(let target), _):
                    guard let object = target.object else { return nil }
                    guard let hashable = object as? any Hashable else { return ObjectIdentifier(object) }
                    return AnyHashable(hashable)
                }
            })
    }

    /// The events of all registered actions.
    open var allControlEvents: Event { entries.reduce(into: []) { $0.formUnion($1.events) } }

    /// Calls the closure for each registered action, in the order in which the actions were added.
    ///
    /// - Parameter iterator: Receives a closure, or a target and a selector; the events; and a flag that ends the iteration
    ///   when it is set. The target is nil if the responder chain is searched. Actions with a freed target are left out.
    open func enumerateEventHandlers(_ iterator: (UIAction?, (Any?, Selector)?, Event, inout Bool) -> Void) {
        var stop = false
        for entry in entries where !stop {
            switch entry.content {
            case .closure(let action): iterator(action, nil, entry.events, &stop)
            case .selector(.responderChain, let action): iterator(nil, (nil, action), entry.events, &stop)
            case .selector(.target(let target), let action):
                guard let object = target.object else { continue }
                iterator(nil, (object, action), entry.events, &stop)
            }
        }
    }

    /// Runs the actions for `.primaryActionTriggered`, as if a person had operated the control.
    open func performPrimaryAction() { sendActions(for: .primaryActionTriggered) }

    /// Runs the actions for these events, in the order in which they were added.
    open func sendActions(for controlEvents: Event) { sendActions(for: controlEvents, with: nil) }

    /// Sends both events of a changed value: actions may be registered for one or for the other.
    final func sendValueEvents(with event: UIEvent?) {
        sendActions(for: .valueChanged, with: event)
        sendActions(for: .primaryActionTriggered, with: event)
    }

    /// Runs the actions for the events, without a check whether the control is enabled.
    final func sendActions(for events: Event, with event: UIEvent?) {
        let application = cachedWindow?.application ?? UIApplication.current
        application?.emit(.action(.controlSends(self, events)))
        let outer = eventBeingSent
        eventBeingSent = events
        defer { eventBeingSent = outer }
        // The loop reads a copy, because actions may register and remove actions.
        let entries = self.entries
        for entry in entries where !entry.events.isDisjoint(with: events) {
            switch entry.content {
            case .closure(let action): sendAction(action)
            case .selector(.responderChain, let action):
                sendAction(action, to: nil, for: event)
            case .selector(.target(let target), let action):
                // An action whose target was freed does not run.
                if let object = target.object { sendAction(action, to: object, for: event) }
            }
        }
    }

    /// Runs the closure. An override sees every closure of this control.
    open func sendAction(_ action: UIAction) {
        let application = cachedWindow?.application ?? UIApplication.current
        application?.noteAction(action.traceName, on: nil, sender: self)
        action.run(sender: self)
    }

    /// Sends the action through the application. An override sees every action of this control.
    open func sendAction(_ action: Selector, to target: Any?, for event: UIEvent?) {
        guard let application = cachedWindow?.application ?? UIApplication.current else {
            // Outside an application there is no responder chain to search.
            if let object = target as AnyObject? { action.run(on: object, sender: self, event: event) }
            return
        }
        application.sendAction(action, to: target, from: self, for: event)
    }
}

extension UIControl.Entry {
    fileprivate func matches(_ object: AnyObject?, _ action: Selector) -> Bool {
        guard case .selector(let receiver, let selector) = content, selector == action else { return false }
        switch receiver {
        case .responderChain: return object == nil
        case .target(let target): return object != nil && target.object === object
        }
    }
}

extension UIControl.Entry.Receiver {
    fileprivate var object: AnyObject? {
        switch self {
        case .responderChain: nil
        case .target(let target): target.object
        }
    }
}
