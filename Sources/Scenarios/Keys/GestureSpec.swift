// GestureSpec.swift: one recognizer of a view, its delegate, and their keys.
//
// Input     YAMLNode
// Output    SceneBuilder, RecognizerLines, Delegations
// Knows     the keys of a recognizer. GestureProperties has UIKit's own properties.

/// One recognizer as a scene describes it.
struct GestureSpec: Equatable, Sendable {
    var name = ""
    var className = ""
    var location: FileLocation
    /// The name of its view.
    let view: String
    /// The values of properties, by their names in GestureProperties.
    var properties: [String: PropertyValue] = [:]
    /// The paths of other recognizers, `V.g`.
    var requireToFail: [Located<String>] = []
    /// The states that a scripted recognizer assigns in each of its methods, in order (S57).
    var sets: [GestureProbe: [GestureState]] = [:]
    /// The number of touches after which a scripted recognizer ignores further ones (S58).
    var ignoresAfter: Int?
    var probe: [GestureProbe] = []
    /// Nil for the default of Docs/Spec/Semantics.md section 0.2: `touchesBegan` and `touchesMoved` before super, the
    /// others after, with the state.
    var probePosition: ProbePosition?
    /// The label of the action line; nil attaches no target.
    var action: String?
    var logState = false
    var logTranslation = false
    var delegate: GestureDelegateSpec?

    private init(view: String, location: FileLocation) { (self.view, self.location) = (view, location) }

    init(_ node: YAMLNode, view: String) throws(ScenarioError) {
        self.init(view: view, location: node.location)
        try Self.keys.read(node, into: &self)
        if node.value("action") == nil { action = name }
    }
}

/// The methods that a recognizer prints.
enum GestureProbe: String, CaseIterable, Sendable {
    case touches, touchesBegan, touchesMoved, touchesEnded, touchesCancelled, presses, reset
}

/// The names of `UIGestureRecognizer.State`.
enum GestureState: String, CaseIterable, Sendable { case possible, began, changed, ended, cancelled, failed }

extension GestureSpec {
    static let keys = KeyTable(
        "a recognizer", start: GestureSpec(view: "", location: .nowhere),
        namingKeys + (GestureProperties.all.keys(\.properties) + ownKeys).map(forItsClasses))

    private static let namingKeys: [Key<GestureSpec>] = [
        Key(
            "name", .word, \.name, isRequired: true,
            "the name of the recognizer, unique in its view; lines and other keys name it `V.name`"),
        Key("class", "class name", isRequired: true, "the class, in full or short (`Pan`); see [Classes](#classes)") {
            (value, spec) throws(ScenarioError) in
            let word = try value.text(for: "class")
            guard let full = ClassNames.gestureClass(word) else {
                let hint = ClassNames.suggestion(for: word, among: ClassNames.gestures, suffix: "GestureRecognizer")
                throw ScenarioError(value.location, "unknown recognizer class \(word)\(hint)")
            }
            spec.className = full
        },
    ]

    private static let ownKeys: [Key<GestureSpec>] = [
        Key("requireToFail", "list of `V.g`", "`require(toFail:)`") { (value, spec) throws(ScenarioError) in
            spec.requireToFail = try value.words(for: "requireToFail")
        },
        Key(
            "probe", .choicesOrFlag(GestureProbe.self, yes: [.touches, .presses]), \.probe,
            "methods of the recognizer that print a line; `reset` is the line `reset V.g`"),
        Key(
            "probePosition", .choice(ProbePosition.self), \.probePosition,
            "whether the lines of its methods come before super, without a state (S30), or after super"),
        Key("action", "label, or `no`", standard: "its name", "the label of its action line; `no` adds no target") {
            (value, spec) throws(ScenarioError) in
            // `action: no` means the same as `action: false`.
            let label = try value.text(for: "action")
            spec.action = ["false", "no", "nil"].contains(label) ? nil : label
        },
        Key("logState", .flag, \.logState, "whether action lines end with ` state=began`"),
        Key(
            "logTranslation", .flag, \.logTranslation, classes: ["UIPanGestureRecognizer"],
            "whether action lines end with ` translation=(12,0)`, in the view, to a tenth of a point"),
        Key("delegate", "keys of a delegate", "the delegate; nil without the key") {
            (value, spec) throws(ScenarioError) in
            if !["", "nil"].contains(value.scalar) {
                spec.delegate = try GestureDelegateSpec(value, view: spec.view)
            }
        },
        Key(
            "sets", "`{ touchesBegan: [began, …], … }`", classes: ["ScriptedGestureRecognizer"],
            "the states that each method sets, one after the other: lines `set V.g changed -> began` (S57)"
        ) { (value, spec) throws(ScenarioError) in
            try setKeys.read(value, into: &spec.sets)
        },
        Key(
            "ignoresAfter", .count(in: 1...100), \.ignoresAfter, classes: ["ScriptedGestureRecognizer"],
            "the number of touches after which the recognizer ignores further ones with `ignore(_:for:)` (S58)"),
    ]

    /// The states by method: `{ touchesBegan: [began], touchesEnded: ended }`.
    private static let setKeys = KeyTable<[GestureProbe: [GestureState]]>(
        "what a recognizer sets", start: [:],
        [GestureProbe.touchesBegan, .touchesMoved, .touchesEnded, .touchesCancelled].map { method in
            Key(method.rawValue, .choices(GestureState.self), \.[method], "")
        })

    /// Makes a key an error for a recognizer whose class does not have it.
    private static func forItsClasses(_ key: Key<GestureSpec>) -> Key<GestureSpec> {
        guard !key.classes.isEmpty else { return key }
        return key.reading { (value, spec) throws(ScenarioError) in
            let className = spec.className
            guard key.classes.contains(where: { ClassNames.isKind(className, of: $0) }) else {
                throw ScenarioError(value.location, "\(key.name): a \(className) has none")
            }
            try key.read(value, &spec)
        }
    }
}

/// A recognizer's delegate as a scene describes it. A method without an answer is not implemented: UIKit's default
/// applies, and no line is printed.
struct GestureDelegateSpec: Equatable, Sendable {
    /// The object's name in `by=`. A delegate with the name of the view is the view.
    var name: String
    var log: [Question] = []
    /// Whether the touch's list of recognizers is printed before each `shouldReceive` line; invented, for S04.
    var logRecognizers = false
    var shouldReceive: Bool?
    var shouldBegin: Bool?
    var simultaneous: Answer?
    var requireFailure: Answer?
    var requiredBy: Answer?

    enum Question: String, CaseIterable, Sendable {
        case shouldReceive, shouldBegin, simultaneous, requireFailure, requiredBy
    }
    enum Answer: Hashable, Sendable {
        case always(Bool)
        /// Yes for these recognizers: `V.g`, or `twoTap` for any recognizer that needs two taps.
        case naming([String])
    }
}

extension GestureDelegateSpec {
    static let keys = KeyTable(
        "a recognizer's delegate", start: GestureDelegateSpec(name: "the view's name"),
        [
            Key(
                "is", .word, \.name,
                "the name of the delegate in `by=`; with the name of a view, the view is the delegate"),
            Key("log", .choicesOrFlag(Question.self, yes: Question.allCases), \.log, "questions that print a line"),
            Key(
                "logRecognizers", .flag, \.logRecognizers,
                "whether the touch's list of recognizers is printed before each `shouldReceive` line"),
            Key(
                "shouldReceive", .flag, \.shouldReceive,
                "the answer; without the key the delegate does not implement the method"),
            Key("shouldBegin", .flag, \.shouldBegin, "as `shouldReceive`"),
            Key(
                "simultaneous", .answer, \.simultaneous,
                "the answer of `shouldRecognizeSimultaneouslyWith`: `yes` always, or `yes` for these recognizers"),
            Key("requireFailure", .answer, \.requireFailure, "the answer of `shouldRequireFailureOf`"),
            Key("requiredBy", .answer, \.requiredBy, "the answer of `shouldBeRequiredToFailBy`"),
        ])

    init(_ node: YAMLNode, view: String) throws(ScenarioError) {
        self.init(name: view)
        try Self.keys.read(node, into: &self)
    }
}

extension Form<GestureDelegateSpec.Answer> {
    fileprivate static var answer: Self {
        Form(
            text: "yes or no, or list of `V.g` and `twoTap`",
            read: { (node, key) throws(ScenarioError) in
                if let flag = node.scalar.flatMap(parseFlag) { return .always(flag) }
                return .naming(try node.words(for: key).map(\.value))
            }, write: { _ in "" })
    }
}

extension Form {
    /// A list of words; `yes` stands for some of them and `no` for none.
    fileprivate static func choicesOrFlag<T: RawRepresentable & CaseIterable & Sendable>(
        _ type: T.Type, yes: [T]
    ) -> Self where Value == [T], T.RawValue == String {
        let list = Form.choices(type)
        return Form(
            text: "\(list.text); `yes` for \(yes.count == T.allCases.count ? "all" : list.write(yes))",
            read: { (node, key) throws(ScenarioError) in
                if let flag = node.scalar.flatMap(parseFlag) { return flag ? yes : [] }
                return try list.read(node, key)
            }, write: list.write)
    }
}
