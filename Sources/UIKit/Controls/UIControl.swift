// UIControl.swift: a view that turns one finger into events, and events into actions.
//
// Station   responder → action
// Fed by    the view phase, as any responder
// Feeds     ControlTracking (decisions), UIApplication.sendAction
// Knows     which finger it follows, and who wants to know.
//
// A touch whose view is the control is taken or ignored, never forwarded. What comes up the chain from a subview, and
// everything while the control is disabled, is forwarded as by any view. (E2.4)
//
// Sources   documented  UIControl; observed: endTracking precedes the action (S61)
//           inferred    70 pt around the bounds are inside (B10.6)

public import Foundation

open class UIControl: UIView {
    public struct Event: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let touchDown = Event(rawValue: 1 << 0)
        public static let touchDownRepeat = Event(rawValue: 1 << 1)
        public static let touchDragInside = Event(rawValue: 1 << 2)
        public static let touchDragOutside = Event(rawValue: 1 << 3)
        public static let touchDragEnter = Event(rawValue: 1 << 4)
        public static let touchDragExit = Event(rawValue: 1 << 5)
        public static let touchUpInside = Event(rawValue: 1 << 6)
        public static let touchUpOutside = Event(rawValue: 1 << 7)
        public static let touchCancel = Event(rawValue: 1 << 8)
        public static let valueChanged = Event(rawValue: 1 << 12)
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        public static let menuActionTriggered = Event(rawValue: 1 << 14)
        public static let editingDidBegin = Event(rawValue: 1 << 16)
        public static let editingChanged = Event(rawValue: 1 << 17)
        public static let editingDidEnd = Event(rawValue: 1 << 18)
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
        public static let allTouchEvents = Event(rawValue: 0x0000_0FFF)
        public static let allEditingEvents = Event(rawValue: 0x000F_0000)
        public static let applicationReserved = Event(rawValue: 0x0F00_0000)
        public static let systemReserved = Event(rawValue: 0xF000_0000)
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)

        /// In ascending bit: the single events that have a name.
        package static let named: [(event: Event, name: String)] = [
            (.touchDown, "touchDown"), (.touchDownRepeat, "touchDownRepeat"), (.touchDragInside, "touchDragInside"),
            (.touchDragOutside, "touchDragOutside"), (.touchDragEnter, "touchDragEnter"),
            (.touchDragExit, "touchDragExit"), (.touchUpInside, "touchUpInside"),
            (.touchUpOutside, "touchUpOutside"), (.touchCancel, "touchCancel"), (.valueChanged, "valueChanged"),
            (.primaryActionTriggered, "primaryActionTriggered"), (.menuActionTriggered, "menuActionTriggered"),
            (.editingDidBegin, "editingDidBegin"), (.editingChanged, "editingChanged"),
            (.editingDidEnd, "editingDidEnd"), (.editingDidEndOnExit, "editingDidEndOnExit"),
        ]

        /// Of a single event; nil for none, several, or one without a name.
        package var name: String? { Self.named.first { $0.event == self }?.name }

        /// The reverse of `name`.
        package init?(named name: String) {
            guard let known = Self.named.first(where: { $0.name == name }) else { return nil }
            self = known.event
        }
    }

    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let normal: State = []
        public static let highlighted = State(rawValue: 1 << 0)
        public static let disabled = State(rawValue: 1 << 1)
        public static let selected = State(rawValue: 1 << 2)
        /// Never here: nothing moves a focus.
        public static let focused = State(rawValue: 1 << 3)
        public static let application = State(rawValue: 0x00FF_0000)
        public static let reserved = State(rawValue: 0xFF00_0000)
    }

    fileprivate struct Entry {
        enum Receiver {
            /// The first responder that has it.
            case anybody
            case target(UIGestureRecognizer.WeakTarget)
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
    private final var tracked: UITouch?
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

    open var isEnabled = true
    open var isSelected = false
    open var isHighlighted = false
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
        guard isEnabled, let touch = first(of: touches, in: event, where: { $0.view === self }) else {
            super.touchesBegan(touches, with: event)
            return
        }
        // One finger at a time; others on the control are its own affair, and nobody's. (E2.5)
        guard tracked == nil else { return }
        let accepted = beginTracking(touch, with: event)
        guard case .press(let repeated) = tracking.handle(.began(accepted: accepted, repeated: touch.tapCount >= 2))
        else { return }
        tracked = touch
        setInside(true)
        send(.touchDown, event)
        if repeated { send(.touchDownRepeat, event) }
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = tracked, touches.contains(touch) else {
            if forwards(touches) { super.touchesMoved(touches, with: event) }
            return
        }
        let continues = continueTracking(touch, with: event)
        // Asked of the app's code, which may have cancelled the touch meanwhile.
        guard tracked === touch else { return }
        switch tracking.handle(.moved(continues: continues, inside: isInside(touch))) {
        case .drag(let inside, let crossed):
            if crossed { cross(inside: inside, event) }
            send(inside ? .touchDragInside : .touchDragOutside, event)
        case .stop:
            letGo()
        case .nothing, .press, .release, .cancel:
            preconditionFailure("a moved finger was judged as something else")
        }
    }

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = tracked, touches.contains(touch) else {
            if forwards(touches) { super.touchesEnded(touches, with: event) }
            return
        }
        guard case .release(let inside, let crossed) = tracking.handle(.ended(inside: isInside(touch))) else {
            preconditionFailure("a lifted finger was judged as something else")
        }
        if crossed { cross(inside: inside, event) }
        endTracking(touch, with: event)
        // No longer tracking when the action runs, but lit until it has. (B10.4)
        tracked = nil
        send(inside ? .touchUpInside : .touchUpOutside, event)
        if inside { wasTapped(event) }
        if tracked == nil { setInside(false) }
    }

    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = tracked, touches.contains(touch) else {
            if forwards(touches) { super.touchesCancelled(touches, with: event) }
            return
        }
        guard case .cancel = tracking.handle(.cancelled) else {
            preconditionFailure("a cancelled finger was judged as something else")
        }
        cancelTracking(with: event)
        letGo()
        send(.touchCancel, event)
    }

    /// After touchUpInside: what a kind of control sends besides.
    func wasTapped(_ event: UIEvent?) {}

    /// Sets are without order: the event's order of landing decides which finger is first.
    private final func first(of touches: Set<UITouch>, in event: UIEvent?, where fits: (UITouch) -> Bool) -> UITouch? {
        if touches.count == 1 { return touches.first.flatMap { fits($0) ? $0 : nil } }
        let inOrder = event?.touches ?? touches.sorted { $0.id < $1.id }
        return inOrder.first { touches.contains($0) && fits($0) }
    }

    /// Touches that are not the followed finger: a subview's, or any while disabled, are none of the control's.
    private final func forwards(_ touches: Set<UITouch>) -> Bool {
        !isEnabled || !touches.contains { $0.view === self }
    }

    private final func isInside(_ touch: UITouch) -> Bool {
        let margin = cachedWindow?.application?.settings.trackingMargin ?? UIKitSettings().trackingMargin
        return bounds.insetBy(dx: -margin, dy: -margin).holds(touch.location(in: self))
    }

    private final func cross(inside: Bool, _ event: UIEvent?) {
        setInside(inside)
        send(inside ? .touchDragEnter : .touchDragExit, event)
    }

    private final func setInside(_ inside: Bool) {
        isTouchInside = inside
        isHighlighted = inside
    }

    private final func letGo() {
        tracked = nil
        setInside(false)
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

    open var allTargets: Set<AnyHashable> {
        Set(
            entries.compactMap { entry -> AnyHashable? in
                guard case .selector(let receiver, _) = entry.content else { return nil }
                return receiver.object as? NSObject ?? NSNull()
            })
    }

    open var allControlEvents: Event { entries.reduce(into: []) { $0.formUnion($1.events) } }

    /// Runs what was added for these events, in order of adding.
    open func sendActions(for controlEvents: Event) { send(controlEvents, nil) }

    private final func send(_ events: Event, _ event: UIEvent?) {
        let application = cachedWindow?.application ?? UIApplication.current
        application?.observer?.controlSends(events, from: self)
        let outer = sending
        sending = events
        defer { sending = outer }
        // A copy: actions may add and remove.
        let entries = self.entries
        for entry in entries where !entry.events.isDisjoint(with: events) {
            switch entry.content {
            case .closure(let action):
                application?.noteAction(action.traceName, on: nil, sender: self)
                action.run(sender: self)
            case .selector(.anybody, let action):
                sendAction(action, to: nil, for: event)
            case .selector(.target(let target), let action):
                // A target that is gone is skipped.
                if let object = target.object { sendAction(action, to: object, for: event) }
            }
        }
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
