// WindowSpec.swift: windows, their controllers, the app, and the keys of each.
//
// Input     YAMLNode
// Output    SceneBuilder
// Knows     the keys of everything that contains views

/// One window as a scene describes it.
public struct WindowSpec: Equatable, Sendable {
    /// The window as a view.
    var view = ViewSpec(className: "UIWindow", location: .nowhere)
    var controller: ControllerSpec?
    /// The controller's root view, or the window's subview.
    var root: ViewSpec?
    /// Whether the controller is in a UINavigationController (S07).
    var navigation = false
}

extension WindowSpec {
    static let keys = KeyTable(
        "a window", start: WindowSpec(),
        (ViewSpec.ownKeys + ViewProperties.all.keys(\.properties) + ViewSpec.treeKeys).map { $0.of(\.view) } + [
            Key("navigation", .flag, \.navigation, "whether the controller is in a UINavigationController"),
            Key("controller", "keys of a controller, or `nil`", "the root view controller") {
                (value, spec) throws(ScenarioError) in
                if value.scalar != "nil" { spec.controller = try ControllerSpec(value) }
            },
            Key("view", "keys of a view", "the controller's view, or the window's subview") {
                (value, spec) throws(ScenarioError) in
                spec.root = try ViewSpec(value)
            },
        ])

    init(_ node: YAMLNode, screen: (width: Double, height: Double)) throws(ScenarioError) {
        view = ViewSpec(className: "UIWindow", location: node.location)
        try Self.keys.read(node, into: &self)
        guard SceneClasses.isWindow(view.className) else {
            throw ScenarioError(view.classLocation, "expected a window's class, found \(view.className)")
        }
        if view.frame == nil { view.properties["frame"] = .numbers([0, 0, screen.width, screen.height]) }
        if navigation, controller == nil {
            throw ScenarioError(node.location, "navigation: yes needs a controller to stand in it")
        }
    }
}

/// A view controller as a scene describes it.
struct ControllerSpec: Equatable, Sendable {
    var name = ""
    var className = "UIViewController"
    var location: FileLocation
    var responds: [String] = []
    var touches: Forwarding?
    var probe: [ViewProbe] = []
    var probePosition = ProbePosition.before
    /// The edges at which the controller defers system gestures.
    var defers: [ScreenEdge] = []
}

extension ControllerSpec {
    static let keys = KeyTable(
        "a controller", start: ControllerSpec(location: .nowhere),
        [
            Key("name", .word, \.name, isRequired: true, "unique in the scene"),
            Key("class", "class name", standard: "UIViewController", "the class; only UIViewController is allowed") {
                (value, spec) throws(ScenarioError) in
                let word = try value.text(for: "class")
                guard let full = ClassNames.controllerClass(word) else {
                    let known = ClassNames.controllers
                    throw ScenarioError(
                        value.location,
                        "unknown controller class \(word)\(ClassNames.suggestion(for: word, among: known))")
                }
                spec.className = full
            },
            Key("responds", .words, \.responds, "actions that it implements"),
            Key("touches", .choice(Forwarding.self), \.touches, "as a view's"),
            Key(
                "probe", .choices(ViewProbe.self, text: "as a view's"), \.probe, "the lines that the controller prints"),
            Key("probePosition", .choice(ProbePosition.self), \.probePosition, "as a view's"),
            Key("defers", .choices(ScreenEdge.self), \.defers, "edges at which the controller defers system gestures"),
        ])

    init(_ node: YAMLNode) throws(ScenarioError) {
        self.init(location: node.location)
        try Self.keys.read(node, into: &self)
    }
}

/// The application as a scene describes it.
struct AppSpec: Equatable, Sendable {
    /// The actions that the application's delegate implements.
    var delegateResponds: [String] = []
    /// Whether the scene has a delegate, which receives its life cycle and its URLs.
    var hasSceneDelegate = false
}

extension AppSpec {
    static let keys = KeyTable(
        "the app", start: AppSpec(),
        [
            Key(
                "sceneDelegate", .flag, \.hasSceneDelegate,
                "whether a scene delegate receives the life cycle and URLs instead of the application's delegate"),
            Key("delegate", "`{ responds: [ACTION] }`", "actions that the application's delegate implements") {
                (value, spec) throws(ScenarioError) in
                if value.scalar != "" { try delegateKeys.read(value, into: &spec) }
            },
        ])

    private static let delegateKeys = KeyTable(
        "the app's delegate", start: AppSpec(),
        [Key("responds", .words, \AppSpec.delegateResponds, "actions that it implements")])
}
