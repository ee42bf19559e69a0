// ControlAction.swift: the action of a scene's control for one event, and its keys.
//
// Input     YAMLNode: the value of a view's `on:`
// Output    SceneBuilder
// Knows     the names of UIControl.Event

/// The action of a control when it sends an event.
struct ControlAction: Hashable, Sendable {
    /// The event's name: `touchUpInside`.
    var event: String
    var action: String
    var target: Target
    /// Whether the action runs the main loop once in its default mode (S97).
    var runsLoop = false
    /// The programming error that the action contains; nil for none (fault F19).
    var failure: Failure?

    /// The process traps, or the action never returns.
    enum Failure: String, CaseIterable, Sendable { case trap, loop }

    enum Target: Hashable, Sendable {
        /// The control itself, which prints `action V.name`.
        case own
        /// Nil as target: the action goes along the responder chain.
        case chain
        /// Another responder of the scene.
        case named(String)
    }
}

extension ControlAction {
    static let keys = KeyTable(
        "a control action", start: ControlAction(event: "", action: "", target: .own),
        [
            Key("action", .word, \.action, isRequired: true, "the label of the line `action V.label`, or the selector"),
            Key(
                "target", "a name, or `nil`",
                "the target: another responder, or `nil` for the responder chain; without the key the control itself"
            ) {
                (value, spec) throws(ScenarioError) in
                let name = try value.text(for: "target")
                spec.target = ["nil", "null", "~", ""].contains(name) ? .chain : .named(name)
            },
            Key(
                "runsLoop", .flag, \.runsLoop,
                "whether the action runs the main loop once, in its default mode (S97): lines `runLoop V.a begins`, "
                    + "`mainQueue V.a`, `runLoop V.a ends`"),
            Key(
                "fails", .choice(Failure.self), \.failure,
                "the failure of the action: it ends the process (`trap`), or never returns (`loop`) (fault F19)"),
        ])

    /// The names of `UIControl.Event`.
    static let events = [
        "touchDown", "touchDownRepeat", "touchDragInside", "touchDragOutside", "touchDragEnter", "touchDragExit",
        "touchUpInside", "touchUpOutside", "touchCancel", "valueChanged", "menuActionTriggered",
        "primaryActionTriggered", "editingDidBegin", "editingChanged", "editingDidEnd", "editingDidEndOnExit",
        "allTouchEvents", "allEditingEvents", "applicationReserved", "systemReserved", "allEvents",
    ]

    /// Reads the actions of each event. One event may have several actions, and an action may be written as its label
    /// alone.
    static func list(_ node: YAMLNode) throws(ScenarioError) -> [ControlAction] {
        guard case .mapping(let entries) = node.content else {
            throw ScenarioError(node.location, "on: expected control events and their actions, found \(node.kindName)")
        }
        var actions: [ControlAction] = []
        for entry in entries {
            guard events.contains(entry.key) else {
                throw ScenarioError(
                    entry.location, "on: unknown control event \(entry.key)\(suggestion(for: entry.key, among: events))"
                )
            }
            let several: [YAMLNode]
            if case .sequence(let items) = entry.value.content { several = items } else { several = [entry.value] }
            for one in several { actions.append(try ControlAction(one, event: entry.key)) }
        }
        return actions
    }

    private init(_ node: YAMLNode, event: String) throws(ScenarioError) {
        self.init(event: event, action: node.scalar ?? "", target: .own)
        if node.scalar != nil { return }
        try Self.keys.read(node, into: &self)
        guard target != .own else { return }
        if runsLoop {
            throw ScenarioError(node.location, "runsLoop: an action of the control's own runs the loop, no target's")
        }
        if failure != nil {
            throw ScenarioError(node.location, "fails: an action of the control's own fails, no target's")
        }
    }
}
