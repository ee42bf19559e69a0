// ViewSpec.swift: one view of a scene, and its keys.
//
// Input     YAMLNode
// Output    SceneBuilder (the view tree), Probe (the lines and answers of the view)
// Knows     the keys of a view. ViewProperties has UIKit's own properties.

import Basics

/// One view as a scene describes it.
struct ViewSpec: Equatable, Sendable {
    var name = ""
    var className: String
    var location: FileLocation
    var classLocation: FileLocation
    /// The values of properties, by their names in ViewProperties.
    var properties: [String: PropertyValue] = [:]
    var transform: TransformSpec?
    /// The number of rows of a table; nil for a table without a data source.
    var rows: Int?
    var probe: [ViewProbe] = []
    var probePosition = ProbePosition.before
    var answers = ViewAnswers()
    /// The actions that the view implements.
    var responds: [String] = []
    /// Whether the view becomes first responder when the scene is shown.
    var firstResponder = false
    var on: [ControlAction] = []
    var gestures: [GestureSpec] = []
    var subviews: [ViewSpec] = []

    init(className: String, location: FileLocation) {
        (self.className, self.location, classLocation) = (className, location, location)
    }

    init(_ node: YAMLNode) throws(ScenarioError) {
        self.init(className: "UIView", location: node.location)
        try Self.keys.read(node, into: &self)
    }

    /// x, y, width and height in points, in the superview.
    var frame: [Double]? {
        guard case .numbers(let numbers)? = properties["frame"] else { return nil }
        return numbers
    }

    var isHidden: Bool { properties["hidden"] == .flag(true) }
}

/// The answers of a view that replace those of its class.
struct ViewAnswers: Hashable, Sendable {
    /// Whether the view passes touches on after it printed them; nil for the behavior of its class.
    var touches: Forwarding?
    /// Top, left, bottom and right in points; positive numbers enlarge the hit area.
    var hitInsets: [Double]?
    var passThrough = false
    var pointInsideAlso: [String] = []
    var shouldBegin: Bool?
    var beginTracking: Bool?
    var continueTracking: Bool?
    /// The next responder's name; `nil` ends the responder chain.
    var next: String?
    var drag = false
}

extension ViewSpec {
    static let keys = KeyTable(
        "a view", start: ViewSpec(className: "UIView", location: .nowhere),
        ownKeys + ViewProperties.ofViews.keys(\.properties) + treeKeys)

    /// The keys that views and windows share.
    static let ownKeys: [Key<ViewSpec>] = [
        Key("name", "word", isRequired: true, "the name of the view in lines and other keys; unique in the scene") {
            (value, spec) throws(ScenarioError) in
            spec.name = try value.text(for: "name")
            guard !spec.name.isEmpty, !spec.name.contains(where: { " .|;{}()".contains($0) }) else {
                throw ScenarioError(value.location, "name: expected a word without spaces, dots or brackets")
            }
        },
        Key(
            "class", "class name", standard: "UIView, UIWindow",
            "the class, in full or short (`Button`); see [Classes](#classes)"
        ) {
            (value, spec) throws(ScenarioError) in
            spec.classLocation = value.location
            let word = try value.text(for: "class")
            guard let full = ClassNames.viewClass(word) else {
                let known = ClassNames.views + SceneClasses.names
                throw ScenarioError(
                    value.location, "unknown class \(word)\(ClassNames.suggestion(for: word, among: known))")
            }
            spec.className = full
        },
        Key(
            "transform", "`{ rotate: degrees, scale: [x, y], translate: [x, y] }`",
            "the transform about the centre; it is set after frame and bounds"
        ) {
            (value, spec) throws(ScenarioError) in
            var transform = TransformSpec()
            try TransformSpec.keys.read(value, into: &transform)
            spec.transform = transform
        },
        Key(
            "probe", .choices(ViewProbe.self, text: "list of words"), \.probe,
            "the lines that the view prints ([Lines of a view](#lines-of-a-view))"
        ),
        Key(
            "probePosition", .choice(ProbePosition.self), \.probePosition,
            "whether lines of touches, presses and control methods come before or after super"),
        Key(
            "touches", .choice(Forwarding.self), \.answers.touches,
            "whether the view calls super after its touches line (`forward`) or not (`consume`)"),
        Key(
            "hitInsets", .numbers(["top", "left", "bottom", "right"]), \.answers.hitInsets,
            "points that `point(inside:)` adds to the bounds at each edge"),
        Key("passThrough", .flag, \.answers.passThrough, "`hitTest` never returns the view itself"),
        Key("pointInsideAlso", .words, \.answers.pointInsideAlso, "views in which a point also counts as inside"),
        Key("shouldBegin", .flag, \.answers.shouldBegin, "the answer of `gestureRecognizerShouldBegin`"),
        Key("beginTracking", .flag, \.answers.beginTracking, "the answer of a control's `beginTracking`"),
        Key("continueTracking", .flag, \.answers.continueTracking, "the answer of a control's `continueTracking`"),
        Key("next", .word, \.answers.next, "the next responder; `nil` ends the chain"),
        Key("drag", .flag, \.answers.drag, "whether the view follows the finger (S18)"),
        Key("responds", .words, \.responds, "actions that it implements"),
        Key(
            "firstResponder", .flag, \.firstResponder,
            "whether the view becomes first responder when the scene is shown"),
        Key(
            "rows", .count(in: 0...1_000_000), \.rows, classes: ["UITableView"],
            "the number of rows; a selected row prints a line"),
    ]

    static let treeKeys: [Key<ViewSpec>] = [
        Key("on", "`{ EVENT: ACTION }`", "the action of a control for an event ([Control action](#control-action))") {
            (value, spec) throws(ScenarioError) in
            spec.on = try ControlAction.list(value)
        },
        Key("gestures", "list of recognizers", "the recognizers, in the order in which they are added") {
            (value, spec) throws(ScenarioError) in
            for node in try value.items(for: "gestures") {
                spec.gestures.append(try GestureSpec(node, view: spec.name))
            }
        },
        Key("subviews", "list of views", "the subviews: each with its keys, or by a name that `views:` describes") {
            (value, spec) throws(ScenarioError) in
            for node in try value.items(for: "subviews") { spec.subviews.append(try ViewSpec(node)) }
        },
    ]
}

/// A transform about the center, applied after frame and bounds (E2.9).
struct TransformSpec: Hashable, Sendable {
    /// Degrees, clockwise on the screen.
    var rotate: Double = 0
    var scale: [Double] = [1, 1]
    /// Points.
    var translate: [Double] = [0, 0]

    static let keys = KeyTable(
        "a transform", start: TransformSpec(),
        [
            Key("rotate", .number, \.rotate, "degrees, clockwise on the screen, applied second"),
            Key("scale", .numbers(["x", "y"]), \.scale, "factors, applied first"),
            Key("translate", .numbers(["x", "y"]), \.translate, "points, applied last"),
        ])
}

enum Forwarding: String, CaseIterable, Sendable { case forward, consume }
enum ProbePosition: String, CaseIterable, Sendable { case before, after }
