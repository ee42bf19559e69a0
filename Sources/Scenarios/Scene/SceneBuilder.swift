// SceneBuilder.swift: a scene's specs as a tree of UIKit objects.
//
// Fed by    Scene, Scenario
// Feeds     the application's windows, through its delegate
// Knows     every key of a view and what UIKit calls it
//
// Sources   documented  frame first, then bounds, then transform about the centre (E2.9)
//           documented  windows are shown in file order; the first is key, which no touch cares about (E7)

import Basics
import Foundation
import Trace
public import UIKit
import Wire

/// What an app does once, when it starts: shows something.
public typealias AppContent = (UIApplication) -> Void

extension Scenario {
    /// Shows this scenario's scene, prints its probes and does the script lines that are the program's own.
    func makeContent() -> AppContent {
        let delay = config.first { $0.key == "shortDoubleTap.delay" }.flatMap { Double($0.value) }
        return scene.makeContent(probes: probes, script: script, shortTapDelay: delay)
    }
}

extension Scene {
    /// What an app shows that was given this file as its setting `app.scene`.
    ///
    /// - Parameter path: A scene, a scenario, or nothing for an empty window.
    /// - Throws: `ScenarioError`, which the app prints as its last line.
    package static func content(ofFile path: String) throws(ScenarioError) -> AppContent {
        if path.isEmpty {
            var window = WindowSpec()
            window.view.name = "window"
            let empty = Scene(screen: (0, 0), windows: [window], app: AppSpec())
            return empty.makeContent()
        }
        if try isScenario(path) { return try Scenario(contentsOf: path, isDraft: true).makeContent() }
        return try Scene(contentsOf: path).makeContent()
    }

    /// Shows this scene, and prints what its views' probes say.
    func makeContent() -> AppContent { makeContent(probes: [], script: nil, shortTapDelay: nil) }

    /// UIKit makes no events for a scene that has no use for them.
    ///
    /// - Parameter shortTapDelay: Seconds; nil for the class's own.
    func makeContent(probes: [Scenario.ProbeWord], script: Script?, shortTapDelay: Double?) -> AppContent {
        let needsEvents =
            !probes.isEmpty || script?.acts.isEmpty == false || windows.contains(where: \.needsEvents)
        return { application in
            let shown = ShownScene(probes: probes, script: script)
            shown.shortTapDelay = shortTapDelay
            if needsEvents { application.observer = shown }
            application.keptDelegate = SceneAppDelegate(shown) { delegate in
                SceneBuilder(scene: shown, app: delegate).show(self)
            }
            if app.hasSceneDelegate { application.makeSceneDelegate = { SceneSceneDelegate(shown) } }
        }
    }
}

extension WindowSpec {
    fileprivate var needsEvents: Bool {
        view.needsEvents || root?.needsEvents == true || controller?.probe.isEmpty == false
    }
}

extension ViewSpec {
    /// Whether a line or an act of the view, of its recognizers or of its subviews comes of an event.
    fileprivate var needsEvents: Bool {
        !probe.isEmpty || SceneClasses.needsEvents(className) || gestures.contains(where: \.needsEvents)
            || subviews.contains(where: \.needsEvents)
    }
}

extension GestureSpec {
    fileprivate var needsEvents: Bool {
        !probe.isEmpty || delegate.map { !$0.log.isEmpty || $0.logRecognizers } == true
    }
}

extension ViewSpec {
    /// Those that would be first responder, in tree order; the last of them is.
    fileprivate var wantingEvents: [String] {
        (firstResponder ? [name] : []) + subviews.flatMap(\.wantingEvents)
    }
}

private struct SceneBuilder {
    let scene: ShownScene
    let app: SceneAppDelegate

    func show(_ specs: Scene) {
        scene.add(app, named: "AppDelegate", Probe(name: "AppDelegate", in: scene))
        for action in specs.app.delegateResponds { answer(action, on: app) }
        var windows: [(UIWindow, WindowSpec)] = []
        for spec in specs.windows {
            guard let window = make(spec.view) as? UIWindow else { continue }
            let root = spec.root.map(make)
            if let controllerSpec = spec.controller {
                let controller = make(controllerSpec)
                if let root { controller.view = root }
                window.rootViewController =
                    spec.navigation ? UINavigationController(rootViewController: controller) : controller
                // A controller's view fills its window unless the scene says where it is.
                if let root, let frame = spec.root?.frame { root.frame = CGRect(numbers: frame) }
            } else if let root {
                if spec.root?.frame == nil { root.frame = window.bounds }
                window.addSubview(root)
            }
            windows.append((window, spec))
            scene.kept.append(window)
        }
        for spec in specs.windows {
            connect(spec.view)
            if let root = spec.root { connect(root) }
        }
        for (window, spec) in windows where !spec.view.isHidden { window.isHidden = false }
        windows.first { !$0.1.view.isHidden }?.0.makeKey()
        for spec in specs.windows {
            for name in (spec.view.wantingEvents + (spec.root?.wantingEvents ?? [])) {
                scene.view(named: name)?.becomeFirstResponder()
            }
        }
        // What is printed from now on is what changes from now on.
        for (window, spec) in windows { settle(window, spec) }
    }

    private func settle(_ window: UIWindow, _ spec: WindowSpec) {
        window.layoutIfNeeded()
        var views: [UIView] = [window]
        while let view = views.popLast() {
            scene.probe(of: view)?.printState(of: view)
            views += view.subviews
        }
    }

    // MARK: Views

    private func make(_ spec: ControllerSpec) -> UIViewController {
        let controller = spec.defers.isEmpty ? UIViewController() : DeferringController(spec.defers)
        if spec.touches == .consume { controller.behavior = ResponderBehavior(consumes: true) }
        scene.add(controller, named: spec.name, Probe(spec, in: scene))
        for action in spec.responds { answer(action, on: controller) }
        return controller
    }

    private func make(_ spec: ViewSpec) -> UIView {
        let probe = Probe(spec, in: scene)
        guard let view = SceneClasses.make(spec.className, probe) else {
            preconditionFailure("\(spec.className) was checked and cannot be made")
        }
        view.accessibilityIdentifier = spec.name
        view.traceClass = spec.className
        view.behavior = probe.behavior(of: view)
        scene.add(view, named: spec.name, probe)
        // A window without a frame is as large as the screen.
        if let window = view as? UIWindow, spec.frame == nil { window.frame = window.screen.bounds }
        for property in ViewProperties.all {
            // Windows are shown last, together.
            guard let value = spec.properties[property.name], property.name != "hidden" || !(view is UIWindow) else {
                continue
            }
            property.apply(view, value)
        }
        if let transform = spec.transform { view.transform = CGAffineTransform(transform) }
        if let table = view as? UITableView { fill(table, rows: spec.rows) }
        for action in spec.responds { answer(action, on: view) }
        for gesture in spec.gestures { view.addGestureRecognizer(make(gesture, on: spec.name)) }
        for subview in spec.subviews {
            if let stack = view as? UIStackView {
                stack.addArrangedSubview(make(subview))
            } else {
                view.addSubview(make(subview))
            }
        }
        return view
    }

    /// A table without rows has no data source, and a delegate all the same.
    private func fill(_ table: UITableView, rows: Int?) {
        let content = TableRows(rows ?? 0)
        scene.kept.append(content)
        table.delegate = content
        if rows != nil { table.dataSource = content }
    }

    /// What needs other objects to be there.
    private func connect(_ spec: ViewSpec) {
        if let control = scene.view(named: spec.name) as? UIControl {
            for action in spec.on { add(action, to: control, named: spec.name) }
        }
        for gesture in spec.gestures {
            guard let recognizer = scene.recognizer(at: "\(spec.name).\(gesture.name)") else { continue }
            for other in gesture.requireToFail {
                if let other = scene.recognizer(at: other.value) { recognizer.require(toFail: other) }
            }
            if let delegate = gesture.delegate { recognizer.delegate = self.delegate(delegate, for: recognizer) }
        }
        for subview in spec.subviews { connect(subview) }
    }

    // MARK: Actions

    /// The responder implements the action, and says so when it runs.
    private func answer(_ action: String, on responder: UIResponder) {
        responder.respond(
            to: Selector(action) { (target: UIResponder) in
                {
                    guard let probe = Probe.of(target) else { return }
                    probe.print("action \(probe.name).\(action)", .action)
                }
            })
    }

    private func add(_ action: ControlAction, to control: UIControl, named name: String) {
        let events = UIControl.Event(sceneName: action.event)
        switch action.target {
        case .own:
            let label = "action \(name).\(action.action)"
            let probe = scene.probe(of: control)
            control.addAction(
                UIAction(title: action.action) { [unowned control] _ in
                    guard let application = UIApplication.current else { return }
                    let value = probe?.prints(.value) == true ? " value=\(control.valueText)" : ""
                    application.trace.probe(application.now, .action, label + value)
                    if action.runsLoop { application.runLoopOnce(for: "\(name).\(action.action)") }
                    if application.host.hasOwnProcess { action.failure?.happen(in: label) }
                }, for: events)
        case .chain: control.addTarget(nil, action: Selector(action.action), for: events)
        case .named(let target):
            guard let responder = scene.responder(named: target) else { return }
            answer(action.action, on: responder)
            control.addTarget(responder, action: Selector(action.action), for: events)
        }
    }

    // MARK: Recognisers

    private func make(_ spec: GestureSpec, on view: String) -> UIGestureRecognizer {
        let path = "\(view).\(spec.name)"
        let lines = RecognizerLines(spec, path: path)
        guard let recognizer = GestureClasses.make(spec, lines) else {
            preconditionFailure("\(spec.className) was checked and cannot be made")
        }
        recognizer.name = spec.name
        if let delay = scene.shortTapDelay { (recognizer as? UIShortTapGestureRecognizer)?.maxDelay = delay }
        // A scene stands for an app, which has subclasses.
        recognizer.isOfAnAppsClass = true
        scene.add(recognizer, at: path, lines)
        for property in GestureProperties.all {
            if let value = spec.properties[property.name] { property.apply(recognizer, value) }
        }
        if let label = spec.action {
            recognizer.addAction(
                UIAction(title: label) { [weak recognizer] _ in lines.action(label, of: recognizer) })
        }
        return recognizer
    }

    private func delegate(
        _ spec: GestureDelegateSpec, for recognizer: UIGestureRecognizer
    ) -> (any UIGestureRecognizerDelegate)? {
        if let view = scene.view(named: spec.name), let probe = scene.probe(of: view) {
            probe.delegations.add(spec, for: recognizer)
            view.behavior = probe.behavior(of: view)
            return view.asDelegate
        }
        if let known = scene.delegates.first(where: { $0.name == spec.name })?.delegate {
            scene.probe(of: known)?.delegations.add(spec, for: recognizer)
            return known
        }
        let probe = Probe(name: spec.name, in: scene)
        probe.delegations.add(spec, for: recognizer)
        let delegate = SceneDelegate(probe)
        scene.add(delegate, named: spec.name, probe)
        return delegate
    }
}

/// Defers the system's gestures at these edges.
private final class DeferringController: UIViewController {
    private let edges: UIRectEdge

    init(_ edges: [ScreenEdge]) {
        self.edges = UIRectEdge(edges)
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { edges }
}

extension CGAffineTransform {
    /// Scaled, then turned, then moved.
    fileprivate init(_ spec: TransformSpec) {
        self = CGAffineTransform(translationX: CGFloat(spec.translate[0]), y: CGFloat(spec.translate[1]))
            .rotated(by: CGFloat(spec.rotate * .pi / 180))
            .scaledBy(x: CGFloat(spec.scale[0]), y: CGFloat(spec.scale[1]))
    }
}

extension UIApplication {
    /// Runs the main loop in its default mode, once, with something in it to show that it runs (S97).
    fileprivate func runLoopOnce(for name: String) {
        mainLoop?.async { [unowned self] in trace.probe(now, .action, "mainQueue \(name)") }
        trace.probe(now, .action, "runLoop \(name) begins")
        _ = mainLoop?.run(mode: .default, before: now)
        trace.probe(now, .action, "runLoop \(name) ends")
    }
}

extension UIControl.Event {
    /// Of a word that `ControlAction.events` has.
    fileprivate init(sceneName name: String) {
        switch name {
        case "allTouchEvents": self = .allTouchEvents
        case "allEditingEvents": self = .allEditingEvents
        case "applicationReserved": self = .applicationReserved
        case "systemReserved": self = .systemReserved
        case "allEvents": self = .allEvents
        default:
            guard let event = UIControl.Event(named: name) else {
                preconditionFailure("\(name) was accepted as a control event")
            }
            self = event
        }
    }
}

extension ControlAction.Failure {
    /// What a program does by mistake, a scene does on purpose.
    fileprivate func happen(in label: String) {
        switch self {
        case .trap: fatalError("\(label) traps, as its scene says")
        case .loop: while true { loopForever() }
        }
    }
}

/// Not seen through by an optimiser, which may take a loop without effects for one that ends.
@inline(never)
private func loopForever() { withExtendedLifetime(loopForever as () -> Void) {} }

extension UIControl {
    /// As `value` prints it.
    fileprivate var valueText: String {
        SceneClasses.uikit.lazy.compactMap { $0.value?.text(self) }.first ?? "none"
    }
}
