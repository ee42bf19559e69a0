// SpecParser.swift: windows, views, controllers and recognisers, key by key.
//
// Fed by    ScenarioParser
// Feeds     the specs of Scenario.swift

import Basics
import HID

extension AppSpec {
    init(_ node: YAMLNode?) throws(ScenarioError) {
        guard let node, node.scalar != "" else { return }
        let fields = try Fields(node, of: "the app", known: ["delegate", "sceneDelegate"])
        hasSceneDelegate = try fields.flag("sceneDelegate") ?? false
        guard let delegate = fields.node.value("delegate"), delegate.scalar != "" else { return }
        delegateResponds =
            try Fields(delegate, of: "the app's delegate", known: ["responds"]).words("responds")?.map(\.value) ?? []
    }
}

extension WindowSpec {
    init(_ node: YAMLNode, screen: (width: Double, height: Double)) throws(ScenarioError) {
        let fields = try Fields(node, of: "a window", known: windowKeys)
        view = try ViewSpec(fields, standardClass: "UIWindow")
        guard SceneClasses.isWindow(view.className) else {
            throw ScenarioError(view.classPlace, "expected a window's class, found \(view.className)")
        }
        if view.frame == nil { view.frame = [0, 0, screen.width, screen.height] }
        level = try fields.number("level") ?? 0
        navigation = try fields.flag("navigation") ?? false
        if let controller = node.value("controller"), controller.scalar != "nil" {
            self.controller = try ControllerSpec(controller)
        }
        if let root = node.value("view") {
            self.root = try ViewSpec(
                try Fields(root, of: "a view", known: viewKeys), standardClass: "UIView")
        }
        if navigation, controller == nil {
            throw ScenarioError(node.place, "navigation: yes needs a controller to stand in it")
        }
    }
}

extension ControllerSpec {
    init(_ node: YAMLNode) throws(ScenarioError) {
        let fields = try Fields(node, of: "a controller", known: controllerKeys)
        name = try fields.requiredText("name")
        place = node.place
        classPlace = node.value("class")?.place ?? node.place
        if let word = try fields.text("class") {
            guard let full = ClassNames.controllerClass(word) else {
                let known = ClassNames.controllers
                throw ScenarioError(
                    classPlace, "unknown controller class \(word)\(ClassNames.suggestion(for: word, among: known))")
            }
            className = full
        }
        responds = try fields.words("responds")?.map(\.value) ?? []
        touches = try fields.choice("touches", Forwarding.self)
        probe = try fields.choices("probe", ViewProbe.self) ?? []
        probePosition = try fields.choice("probePosition", ProbePosition.self) ?? .before
        defers = try fields.choices("defers", GestureSpec.ScreenEdge.self) ?? []
    }
}

extension ViewSpec {
    init(_ fields: Fields, standardClass: String) throws(ScenarioError) {
        let node = fields.node
        self.init(
            name: try fields.requiredText("name"), className: standardClass, place: node.place,
            classPlace: node.value("class")?.place ?? node.place)
        guard !name.isEmpty, !name.contains(where: { " .|;{}()".contains($0) }) else {
            throw ScenarioError(
                node.value("name")?.place ?? node.place, "name: expected a word without spaces, dots or brackets")
        }
        if let word = try fields.text("class") {
            guard let full = ClassNames.viewClass(word) else {
                let known = ClassNames.views + SceneClasses.names
                throw ScenarioError(
                    classPlace, "unknown class \(word)\(ClassNames.suggestion(for: word, among: known))")
            }
            className = full
        }
        frame = try fields.numbers("frame", 4)
        bounds = try fields.numbers("bounds", 4)
        if let transform = node.value("transform") { self.transform = try TransformSpec(transform) }
        alpha = try fields.number("alpha", in: 0...1)
        hidden = try fields.flag("hidden")
        userInteractionEnabled = try fields.flag("userInteractionEnabled")
        multipleTouchEnabled = try fields.flag("multipleTouchEnabled")
        exclusiveTouch = try fields.flag("exclusiveTouch")
        clipsToBounds = try fields.flag("clipsToBounds")
        enabled = try fields.flag("enabled")
        contentSize = try fields.numbers("contentSize", 2)
        delaysContentTouches = try fields.flag("delaysContentTouches")
        canCancelContentTouches = try fields.flag("canCancelContentTouches")
        contentOffset = try fields.numbers("contentOffset", 2)
        scrollEnabled = try fields.flag("scrollEnabled")
        pagingEnabled = try fields.flag("pagingEnabled")
        bounces = try fields.flag("bounces")
        rows = try fields.count("rows")
        rowHeight = try fields.number("rowHeight", in: 0...100_000)
        axis = try fields.choice("axis", StackAxis.self)
        spacing = try fields.number("spacing")
        segments = try fields.count("segments", in: 0...100)
        pages = try fields.count("pages", in: 0...100)
        value = try fields.number("value")

        probe = try fields.choices("probe", ViewProbe.self) ?? []
        probePosition = try fields.choice("probePosition", ProbePosition.self) ?? .before
        touches = try fields.choice("touches", Forwarding.self)
        hitInsets = try fields.numbers("hitInsets", 4)
        passThrough = try fields.flag("passThrough") ?? false
        pointInsideAlso = try fields.words("pointInsideAlso")?.map(\.value) ?? []
        shouldBegin = try fields.flag("shouldBegin")
        beginTracking = try fields.flag("beginTracking")
        continueTracking = try fields.flag("continueTracking")
        responds = try fields.words("responds")?.map(\.value) ?? []
        next = try fields.text("next")
        drag = try fields.flag("drag") ?? false
        firstResponder = try fields.flag("firstResponder") ?? false
        if let on = node.value("on") { self.on = try ControlAction.list(on) }
        for gesture in try fields.list("gestures") ?? [] {
            gestures.append(try GestureSpec(gesture, view: name))
        }
        for subview in try fields.list("subviews") ?? [] {
            subviews.append(
                try ViewSpec(
                    try Fields(subview, of: "a view", known: viewKeys), standardClass: "UIView"))
        }
    }
}

extension TransformSpec {
    init(_ node: YAMLNode) throws(ScenarioError) {
        let fields = try Fields(node, of: "a transform", known: ["rotate", "scale", "translate"])
        rotate = try fields.number("rotate") ?? 0
        scale = try fields.numbers("scale", 2) ?? [1, 1]
        translate = try fields.numbers("translate", 2) ?? [0, 0]
    }
}

extension ControlAction {
    /// `UIControl.Event`'s words.
    static let events = [
        "touchDown", "touchDownRepeat", "touchDragInside", "touchDragOutside", "touchDragEnter", "touchDragExit",
        "touchUpInside", "touchUpOutside", "touchCancel", "valueChanged", "menuActionTriggered",
        "primaryActionTriggered", "editingDidBegin", "editingChanged", "editingDidEnd", "editingDidEndOnExit",
        "allTouchEvents", "allEditingEvents", "applicationReserved", "systemReserved", "allEvents",
    ]

    static func list(_ node: YAMLNode) throws(ScenarioError) -> [ControlAction] {
        guard case .mapping(let entries) = node.content else {
            throw ScenarioError(node.place, "on: expected control events and their actions, found \(node.kindName)")
        }
        var actions: [ControlAction] = []
        for entry in entries {
            guard events.contains(entry.key) else {
                throw ScenarioError(
                    entry.place, "on: unknown control event \(entry.key)\(suggestion(for: entry.key, among: events))")
            }
            // One event may run several actions.
            let several: [YAMLNode]
            if case .sequence(let items) = entry.value.content { several = items } else { several = [entry.value] }
            for one in several {
                if let label = one.scalar {
                    actions.append(ControlAction(event: entry.key, action: label, target: .own))
                    continue
                }
                let fields = try Fields(one, of: "a control action", known: ["action", "target", "runsLoop", "fails"])
                let target = try fields.text("target")
                let runsLoop = try fields.flag("runsLoop") ?? false
                if runsLoop, target != nil {
                    throw ScenarioError(
                        one.place, "runsLoop: an action of the control's own runs the loop, no target's")
                }
                let failure = try fields.choice("fails", ControlAction.Failure.self)
                if failure != nil, target != nil {
                    throw ScenarioError(one.place, "fails: an action of the control's own fails, no target's")
                }
                actions.append(
                    ControlAction(
                        event: entry.key, action: try fields.requiredText("action"),
                        target: target.map { ["nil", "null", "~", ""].contains($0) ? .chain : .named($0) } ?? .own,
                        runsLoop: runsLoop, failure: failure))
            }
        }
        return actions
    }
}

extension GestureSpec {
    init(_ node: YAMLNode, view: String) throws(ScenarioError) {
        let fields = try Fields(node, of: "a recogniser", known: gestureKeys)
        place = node.place
        name = try fields.requiredText("name")
        let word = try fields.requiredText("class")
        let classPlace = node.value("class")?.place ?? node.place
        guard let full = ClassNames.gestureClass(word) else {
            let hint = ClassNames.suggestion(
                for: word, among: ClassNames.gestures, suffix: "GestureRecognizer")
            throw ScenarioError(classPlace, "unknown recogniser class \(word)\(hint)")
        }
        className = full

        let foreign = Self.ownKeys.filter { $0.keys.contains { node.value($0) != nil } && !$0.classes.contains(full) }
        if let key = foreign.flatMap(\.keys).first(where: { node.value($0) != nil }), let value = node.value(key) {
            throw ScenarioError(value.place, "\(key): a \(full) has none")
        }
        taps = try fields.count("taps", in: 0...100)
        touches = try fields.count("touches", in: 1...100)
        minimumTouches = try fields.count("minimumTouches", in: 1...100)
        maximumTouches = try fields.count("maximumTouches", in: 1...Int.max)
        minimumPressDuration = try fields.number("minimumPressDuration", in: 0...86_400)
        allowableMovement = try fields.number("allowableMovement", in: 0...1e6)
        direction = try fields.choices("direction", SwipeDirection.self)
        edges = try fields.choices("edges", ScreenEdge.self)
        enabled = try fields.flag("enabled")
        cancelsTouchesInView = try fields.flag("cancelsTouchesInView")
        delaysTouchesBegan = try fields.flag("delaysTouchesBegan")
        delaysTouchesEnded = try fields.flag("delaysTouchesEnded")
        requireToFail = try fields.words("requireToFail")?.map { Placed(name: $0.value, place: $0.place) } ?? []
        if let node = node.value("probe"), let flag = node.scalar.flatMap(flagWord) {
            probe = flag ? [.touches, .presses] : []
        } else {
            probe = try fields.choices("probe", GestureProbe.self) ?? []
        }
        probePosition = try fields.choice("probePosition", ProbePosition.self)
        pressTypes = try fields.words("pressTypes")?.map { word throws(ScenarioError) in
            guard HIDUsage.button(named: word.value) != nil else {
                let hint = suggestion(for: word.value, among: HIDUsage.buttons.map(\.name))
                throw ScenarioError(word.place, "pressTypes: unknown button \(word.value)\(hint)")
            }
            return word.value
        }
        ignoresAfter = try fields.count("ignoresAfter", in: 1...100)
        if let sets = node.value("sets") { self.sets = try Self.sets(sets) }
        // `action: no` would be as false as `action: false`.
        let label = try fields.text("action")
        action = label.map { ["false", "no", "nil"].contains($0) ? nil : $0 } ?? name
        logState = try fields.flag("logState") ?? false
        logTranslation = try fields.flag("logTranslation") ?? false
        if let delegate = node.value("delegate"), !["", "nil"].contains(delegate.scalar) {
            self.delegate = try GestureDelegateSpec(delegate, view: view)
        }
    }
}

extension GestureSpec {
    /// Keys that only some classes have.
    private static let ownKeys: [(keys: [String], classes: [String])] = [
        (["taps"], ["UITapGestureRecognizer", "UIShortTapGestureRecognizer", "UILongPressGestureRecognizer"]),
        (
            ["touches"],
            [
                "UITapGestureRecognizer", "UIShortTapGestureRecognizer", "UILongPressGestureRecognizer",
                "UISwipeGestureRecognizer",
            ]
        ),
        (["minimumPressDuration", "allowableMovement"], ["UILongPressGestureRecognizer"]),
        (
            ["minimumTouches", "maximumTouches", "logTranslation"],
            ["UIPanGestureRecognizer", "UIScreenEdgePanGestureRecognizer"]
        ),
        (["edges"], ["UIScreenEdgePanGestureRecognizer"]),
        (["direction"], ["UISwipeGestureRecognizer"]),
        (["sets", "ignoresAfter"], ["ScriptedGestureRecognizer"]),
    ]

    /// States by method: `{ touchesBegan: [began], touchesEnded: ended }`.
    private static func sets(_ node: YAMLNode) throws(ScenarioError) -> [GestureProbe: [GestureState]] {
        let methods: [GestureProbe] = [.touchesBegan, .touchesMoved, .touchesEnded, .touchesCancelled]
        let fields = try Fields(node, of: "what a recogniser sets", known: methods.map(\.rawValue))
        var sets: [GestureProbe: [GestureState]] = [:]
        for method in methods {
            if let states = try fields.choices(method.rawValue, GestureState.self) { sets[method] = states }
        }
        return sets
    }
}

extension GestureDelegateSpec {
    init(_ node: YAMLNode, view: String) throws(ScenarioError) {
        let fields = try Fields(node, of: "a recogniser's delegate", known: delegateKeys)
        name = try fields.text("is") ?? view
        if let node = node.value("log"), let flag = node.scalar.flatMap(flagWord) {
            log = flag ? Question.allCases : []
        } else {
            log = try fields.choices("log", Question.self) ?? []
        }
        logRecognizers = try fields.flag("logRecognizers") ?? false
        shouldReceive = try fields.flag("shouldReceive")
        shouldBegin = try fields.flag("shouldBegin")
        simultaneous = try Self.answer(fields, "simultaneous")
        requireFailure = try Self.answer(fields, "requireFailure")
        requiredBy = try Self.answer(fields, "requiredBy")
    }

    private static func answer(_ fields: Fields, _ key: String) throws(ScenarioError) -> Answer? {
        guard let node = fields.node.value(key) else { return nil }
        if let flag = node.scalar.flatMap(flagWord) { return .always(flag) }
        return .naming(try node.words(for: key).map(\.value))
    }
}
