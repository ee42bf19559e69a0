// UIControl.swift: a view that turns one finger into events, and events into actions.
//
// Station   responder → action
// Fed by    the view phase, as any responder
// Feeds     ControlTracking (decisions), UIApplication.sendAction
// Knows     which finger it follows, and who wants to know.
//
// A touch that lands on the control while it is enabled is taken: followed or ignored, never forwarded, in no phase.
// What comes up the chain from a subview, and what landed while the control was disabled, is forwarded as by any view,
// in every phase. (E2.4) A control that is disabled, hidden or taken out of its window stops following its finger, as
// if the touch had been cancelled; the finger itself goes on. (S96)
//
// Sources   documented  UIControl; observed: endTracking precedes the action (S61)
//           inferred    70 pt around the bounds are inside (B10.6)
//           invented    a control that cannot go on tracking cancels, with touchCancel, at once

public import Foundation
import Gestures

open class UIControl: UIView {
    fileprivate struct Entry {
        enum Receiver {
            /// The first responder that has it.
            case anybody
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
    /// The finger it follows.
    private(set) final var tracked: UITouch?
    /// How often it was disabled, hidden or moved between windows.
    private final var obstacles = 0
    /// The control event whose actions are being sent.
    final var sending: Event?

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    /// - Parameter primaryAction: For `.primaryActionTriggered`.
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }

    // MARK: State

    open var isEnabled = true {
        didSet { if !isEnabled { abandonTracking(.disabled) } }
    }
    open var isSelected = false
    open var isHighlighted = false
    open var contentVerticalAlignment = ContentVerticalAlignment.center
    open var contentHorizontalAlignment = ContentHorizontalAlignment.center
    /// Whether a finger is followed.
    open var isTracking: Bool { tracked != nil }
    open private(set) var isTouchInside = false
    open var state: State {
        var state: State = []
        if isHighlighted { state.insert(.highlighted) }
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        return state
    }

    // MARK: Tracking, for subclasses

    /// - Returns: Whether to follow this finger. No means that nothing more is heard of it.
    open func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
    /// - Returns: Whether to go on. No ends it, without an event.
    open func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
    open func endTracking(_ touch: UITouch?, with event: UIEvent?) {}
    open func cancelTracking(with event: UIEvent?) {}

    // MARK: Touches

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard isEnabled, let touch = first(of: touches, in: event, where: { $0.view === self }),
            !isOtherButton(touch, event)
        else {
            if !isEnabled { noteDisabled() }
            super.touchesBegan(touches, with: event)
            return
        }
        for own in touches where own.view === self { own.isTaken = true }
        // A subclass that keeps the end of a touch to itself leaves one behind that is over.
        if tracked?.delivery.state == .over { forgetTracked() }
        // One finger at a time; others on the control are its own affair, and nobody's. (E2.5)
        guard tracked == nil else { return }
        let before = obstacles
        let accepted = asksToBegin(touch, event)
        // Asked of the app's code, which may have disabled, hidden or removed the control.
        let stands = accepted && obstacles == before
        guard case .press(let repeated) = tracking.handle(.began(accepted: stands, repeated: touch.tapCount >= 2))
        else {
            trackingIsOver()
            return
        }
        tracked = touch
        setInside(true)
        if tracked === touch { send(.touchDown, event) }
        if repeated, tracked === touch { send(.touchDownRepeat, event) }
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = tracked, touches.contains(touch) else {
            if let others = notTaken(touches) { super.touchesMoved(others, with: event) }
            return
        }
        let continues = asksToContinue(touch, event)
        // Asked of the app's code, which may have cancelled the touch meanwhile.
        guard tracked === touch else { return }
        switch tracking.handle(.moved(continues: continues, inside: isInside(touch))) {
        case .drag(let inside, let crossed):
            if crossed { cross(inside: inside, event) }
            if tracked === touch { send(inside ? .touchDragInside : .touchDragOutside, event) }
        case .stop:
            letGo()
        case .nothing, .press, .release, .cancel:
            preconditionFailure("a moved finger was judged as something else")
        }
    }

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = tracked, touches.contains(touch) else {
            if let others = notTaken(touches) { super.touchesEnded(others, with: event) }
            return
        }
        guard case .release(let inside, let crossed) = tracking.handle(.ended(inside: isInside(touch))) else {
            preconditionFailure("a lifted finger was judged as something else")
        }
        if crossed { cross(inside: inside, event) }
        track(.endTracking) { endTracking(touch, with: event) }
        // No longer tracking when the action runs, but lit until it has. (B10.4)
        tracked = nil
        trackingIsOver()
        send(inside ? .touchUpInside : .touchUpOutside, event)
        if inside { wasTapped(event) }
        if tracked == nil { setInside(false) }
    }

    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = tracked, touches.contains(touch) else {
            if let others = notTaken(touches) { super.touchesCancelled(others, with: event) }
            return
        }
        cancel(event)
    }

    private final func asksToBegin(_ touch: UITouch, _ event: UIEvent?) -> Bool {
        var answer = false
        track(.beginTracking) { answer = beginTracking(touch, with: event) && behavior?.beginTracking != false }
        return answer
    }

    private final func asksToContinue(_ touch: UITouch, _ event: UIEvent?) -> Bool {
        var answer = false
        track(.continueTracking) {
            answer = continueTracking(touch, with: event) && behavior?.continueTracking != false
        }
        return answer
    }

    /// After touchUpInside: what a kind of control sends besides.
    func wasTapped(_ event: UIEvent?) {}

    /// The finger is no longer followed, whatever the reason and whichever of the tracking methods an app has
    /// overridden. For subclasses here, to let go of what they hold.
    func trackingIsOver() {}

    /// Sets are without order: the event's order of landing decides which finger is first.
    private final func first(of touches: Set<UITouch>, in event: UIEvent?, where fits: (UITouch) -> Bool) -> UITouch? {
        if touches.count == 1 { return touches.first.flatMap { fits($0) ? $0 : nil } }
        let inOrder = event?.touches ?? touches.sorted { $0.id < $1.id }
        return inOrder.first { touches.contains($0) && fits($0) }
    }

    /// A pointer's second button presses nothing.
    private final func isOtherButton(_ touch: UITouch, _ event: UIEvent?) -> Bool {
        guard touch.type == .indirectPointer, let buttons = event?.buttonMask, !buttons.isEmpty else { return false }
        return !buttons.contains(.primary)
    }

    /// What no control has taken; nil when that is nothing.
    private final func notTaken(_ touches: Set<UITouch>) -> Set<UITouch>? {
        if touches.count == 1 { return touches.first?.isTaken == true ? nil : touches }
        let others = touches.filter { !$0.isTaken }
        return others.isEmpty ? nil : others
    }

    /// Within the bounds and the margin around them, as the control's events count it.
    final func isInside(_ touch: UITouch) -> Bool {
        let margin = settings.trackingMargin
        return bounds.insetBy(dx: -margin, dy: -margin).holds(touch.location(in: self))
    }

    final var settings: UIKitSettings.Controls {
        cachedWindow?.application?.settings.controls ?? UIKitSettings.Controls()
    }

    private final func cross(inside: Bool, _ event: UIEvent?) {
        setInside(inside)
        if tracked != nil { send(inside ? .touchDragEnter : .touchDragExit, event) }
    }

    private final func setInside(_ inside: Bool) {
        isTouchInside = inside
        isHighlighted = inside
    }

    private final func forgetTracked() {
        if tracking.state != .idle { _ = tracking.handle(.cancelled) }
        letGo()
    }

    private final func letGo() {
        tracked = nil
        setInside(false)
        trackingIsOver()
    }

    // MARK: What ends tracking besides the finger

    private final func noteDisabled() {
        cachedWindow?.application?.emit(.action(.takesNoTouch(self)))
    }

    private final func abandonTracking(_ obstacle: UIKitEvent.Obstacle) {
        obstacles += 1
        guard tracked != nil, tracking.state != .idle else { return }
        cachedWindow?.application?.emit(.action(.letGo(self, obstacle)))
        cancel(nil)
    }

    private final func cancel(_ event: UIEvent?) {
        guard case .cancel = tracking.handle(.cancelled) else {
            preconditionFailure("a cancelled finger was judged as something else")
        }
        track(.cancelTracking) { cancelTracking(with: event) }
        letGo()
        send(.touchCancel, event)
    }

    open override var isHidden: Bool {
        get { super.isHidden }
        set {
            super.isHidden = newValue
            if newValue { abandonTracking(.hidden) }
        }
    }

    override func windowWillChange(to window: UIWindow?) {
        super.windowWillChange(to: window)
        abandonTracking(.gone)
    }

    // MARK: Targets and actions

    /// Nil as target means whoever in the responder chain has the action. The target is not kept.
    open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {
        let object = target as AnyObject?
        if let index = entries.firstIndex(where: { $0.isFor(object, action) }) {
            entries[index].events.formUnion(controlEvents)
            return
        }
        let receiver = object.map { Entry.Receiver.target(.init(object: $0)) } ?? .anybody
        entries.append(Entry(content: .selector(receiver, action), events: controlEvents))
    }

    /// Nil, as target or action, stands for any.
    open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: Event) {
        let object = target as AnyObject?
        remove(controlEvents) { entry in
            guard case .selector(let receiver, let selector) = entry.content else { return false }
            return (object == nil || receiver.object === object) && (action == nil || selector == action)
        }
    }

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

    /// Names of the target's actions for the event, in order of adding; nil when there are none.
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

    /// `NSNull` stands for whoever has the action. Closures have no target, and a target that is gone is none.
    open var allTargets: Set<AnyHashable> {
        Set(
            entries.compactMap { entry -> AnyHashable? in
                switch entry.content {
                case .closure: return nil
                case .selector(.anybody, _): return NSNull()
                case .selector(.target(let target), _):
                    guard let object = target.object else { return nil }
                    guard let hashable = object as? any Hashable else { return ObjectIdentifier(object) }
                    return AnyHashable(hashable)
                }
            })
    }

    open var allControlEvents: Event { entries.reduce(into: []) { $0.formUnion($1.events) } }

    /// Every action there is now, in order of adding: a closure, or a target (nil for whoever has it) and a selector;
    /// its events; and what is set to true for the walk to stop.
    ///
    /// An action whose target is gone is passed over.
    open func enumerateEventHandlers(_ iterator: (UIAction?, (Any?, Selector)?, Event, inout Bool) -> Void) {
        var stop = false
        for entry in entries where !stop {
            switch entry.content {
            case .closure(let action): iterator(action, nil, entry.events, &stop)
            case .selector(.anybody, let action): iterator(nil, (nil, action), entry.events, &stop)
            case .selector(.target(let target), let action):
                guard let object = target.object else { continue }
                iterator(nil, (object, action), entry.events, &stop)
            }
        }
    }

    /// As if the control had been used: what listens for its primary action runs.
    open func performPrimaryAction() { sendActions(for: .primaryActionTriggered) }

    /// Runs what was added for these events, in order of adding.
    open func sendActions(for controlEvents: Event) { send(controlEvents, nil) }

    /// A control whose value a finger has changed says so, twice: some listen for the one, some for the other.
    final func announceValue(_ event: UIEvent?) {
        send(.valueChanged, event)
        send(.primaryActionTriggered, event)
    }

    final func send(_ events: Event, _ event: UIEvent?) {
        let application = cachedWindow?.application ?? UIApplication.current
        application?.emit(.action(.controlSends(self, events)))
        let outer = sending
        sending = events
        defer { sending = outer }
        // A copy: actions may add and remove.
        let entries = self.entries
        for entry in entries where !entry.events.isDisjoint(with: events) {
            switch entry.content {
            case .closure(let action): sendAction(action)
            case .selector(.anybody, let action):
                sendAction(action, to: nil, for: event)
            case .selector(.target(let target), let action):
                // A target that is gone is skipped.
                if let object = target.object { sendAction(action, to: object, for: event) }
            }
        }
    }

    /// Runs the closure. Overrides see every closure of this control.
    open func sendAction(_ action: UIAction) {
        let application = cachedWindow?.application ?? UIApplication.current
        application?.noteAction(action.traceName, on: nil, sender: self)
        action.run(sender: self)
    }

    /// Hands the action to the application. Overrides see every action of this control.
    open func sendAction(_ action: Selector, to target: Any?, for event: UIEvent?) {
        guard let application = cachedWindow?.application ?? UIApplication.current else {
            // Outside an application there is nobody to look for.
            if let object = target as AnyObject? { action.run(on: object, sender: self, event: event) }
            return
        }
        application.sendAction(action, to: target, from: self, for: event)
    }
}

extension UIControl.Entry {
    fileprivate func isFor(_ object: AnyObject?, _ action: Selector) -> Bool {
        guard case .selector(let receiver, let selector) = content, selector == action else { return false }
        switch receiver {
        case .anybody: return object == nil
        case .target(let target): return object != nil && target.object === object
        }
    }
}

extension UIControl.Entry.Receiver {
    fileprivate var object: AnyObject? {
        switch self {
        case .anybody: nil
        case .target(let target): target.object
        }
    }
}
