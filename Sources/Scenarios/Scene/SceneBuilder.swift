// SceneBuilder.swift: a scene's specs as a tree of UIKit objects.
//
// Input     Scene, Scenario
// Output    the application's windows, through its delegate
// Knows     every key of a view and UIKit's name for it
//
// Sources   documented  frame first, then bounds, then transform about the center (E2.9)
//           documented  windows are shown in file order; the first is key, which has no effect on touches (E7)

import Basics
import Foundation
import SampleApps
import Trace
public import UIKit
import Wire

/// The content of an app: a closure that the app calls once at its start to show something.
public typealias AppContent = (UIApplication) -> Void

extension Scenario {
    /// Returns content that shows this scenario's scene, prints its probes and does the acts that are the program's
    /// own.
    func makeContent() -> AppContent {
        if let app = sample.flatMap(SampleApp.named) { return app.content }
        let delay = config.first { $0.key == "shortDoubleTap.delay" }.flatMap { Double($0.value) }
        return scene.makeContent(probes: probes, script: script, shortTapDelay: delay)
    }
}

extension Scene {
    /// Returns the content of an app with this file as its setting `app.scene`.
    ///
    /// - Parameter path: A scene, a scenario, or an empty path for an empty window.
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

    /// Returns content that shows this scene and prints the lines of its views' probes.
    func makeContent() -> AppContent { makeContent(probes: [], script: nil, shortTapDelay: nil) }

    /// Returns content that shows this scene. The application gets no observer if the scene needs no UIKit events.
    ///
    /// - Parameter shortTapDelay: Seconds; nil for the default of the class.
    func makeContent(probes: [Scenario.CoreProbe], script: Script?, shortTapDelay: Double?) -> AppContent {
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
    /// Whether a line or an act of the view, of its recognizers or of its subviews depends on a UIKit event.
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
    /// The names of views that ask to be first responder, in the order of the tree. The last one succeeds.
    fileprivate var wantingEvents: [String] {
        (firstResponder ? [name] : []) + subviews.flatMap(\.wantingEvents)
    }
}

private struct SceneBuilder {
    let scene: ShownScene
    let app: SceneAppDelegate

    func show(_ specs: Scene) {
        scene.add(app, named: "AppDelegate", Probe(name: "AppDelegate", in: scene))
        for action in specs.app.delegateResponds { implement(action, on: app) }
        var windows: [(UIWindow, WindowSpec)] = []
        for spec in specs.windows {
            guard let window = make(spec.view) as? UIWindow else { continue }
            let root = spec.root.map(make)
            if let controllerSpec = spec.controller {
                let controller = make(controllerSpec)
                if let root { controller.view = root }
                window.rootViewController =
                    spec.navigation ? UINavigationController(rootViewController: controller) : controller
                // A controller's view fills its window unless the scene sets a frame.
                if let root, let frame = spec.root?.frame { root.frame = CGRect(numbers: frame) }
            } else if let root {
                if spec.root?.frame == nil { root.frame = window.bounds }
                window.addSubview(root)
            }
            windows.append((window, spec))
            scene.retainedObjects.append(window)
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
        // Only later changes of the state are printed.
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
        for action in spec.responds { implement(action, on: controller) }
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
        // A window without a frame fills the screen.
        if let window = view as? UIWindow, spec.frame == nil { window.frame = window.screen.bounds }
        for property in ViewProperties.all {
            // Windows are shown last, all together.
            guard let value = spec.properties[property.name], property.name != "hidden" || !(view is UIWindow) else {
                continue
            }
            property.apply(view, value)
        }
        if let transform = spec.transform { view.transform = CGAffineTransform(transform) }
        if let table = view as? UITableView { fill(table, rows: spec.rows) }
        for action in spec.responds { implement(action, on: view) }
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

    /// Fills a table. A table without rows has no data source, but it has a delegate.
    private func fill(_ table: UITableView, rows: Int?) {
        let content = TableRows(rows ?? 0)
        scene.retainedObjects.append(content)
        table.delegate = content
        if rows != nil { table.dataSource = content }
    }

    /// Connects a view with objects that must exist before.
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

    /// Implements an action on a responder. It prints a line when it runs.
    private func implement(_ action: String, on responder: UIResponder) {
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
                    if application.host.hasOwnProcess { action.failure?.cause(in: label) }
                }, for: events)
        case .chain: control.addTarget(nil, action: Selector(action.action), for: events)
        case .named(let target):
            guard let responder = scene.responder(named: target) else { return }
            implement(action.action, on: responder)
            control.addTarget(responder, action: Selector(action.action), for: events)
        }
    }

    // MARK: Recognizers

    private func make(_ spec: GestureSpec, on view: String) -> UIGestureRecognizer {
        let path = "\(view).\(spec.name)"
        let lines = RecognizerLines(spec, path: path)
        guard let recognizer = GestureClasses.make(spec, lines) else {
            preconditionFailure("\(spec.className) was checked and cannot be made")
        }
        recognizer.name = spec.name
        if let delay = scene.shortTapDelay { (recognizer as? UIShortTapGestureRecognizer)?.maxDelay = delay }
        // A scene stands for an app, whose recognizers are of subclasses.
        recognizer.isAppDefined = true
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

/// A controller that defers system gestures at these edges.
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
    /// Makes a transform that scales first, then rotates, then translates.
    fileprivate init(_ spec: TransformSpec) {
        self = CGAffineTransform(translationX: CGFloat(spec.translate[0]), y: CGFloat(spec.translate[1]))
            .rotated(by: CGFloat(spec.rotate * .pi / 180))
            .scaledBy(x: CGFloat(spec.scale[0]), y: CGFloat(spec.scale[1]))
    }
}

extension UIApplication {
    /// Runs the main loop once in its default mode, with a block that shows that it runs (S97).
    fileprivate func runLoopOnce(for name: String) {
        mainLoop?.async { [unowned self] in trace.probe(now, .action, "mainQueue \(name)") }
        trace.probe(now, .action, "runLoop \(name) begins")
        _ = mainLoop?.run(mode: .default, before: now)
        trace.probe(now, .action, "runLoop \(name) ends")
    }
}

extension UIControl.Event {
    /// - Parameter name: A name in `ControlAction.events`.
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
    /// Makes the programming error happen on purpose.
    fileprivate func cause(in label: String) {
        switch self {
        case .trap: fatalError("\(label) traps, as its scene says")
        case .loop: while true { loopForever() }
        }
    }
}

/// Never returns. The optimizer may assume that a loop without effects ends, so it must not see through this function.
@inline(never)
private func loopForever() { withExtendedLifetime(loopForever as () -> Void) {} }

extension UIControl {
    /// The control's value as the probe `value` prints it.
    fileprivate var valueText: String {
        SceneClasses.uikit.lazy.compactMap { $0.value?.text(self) }.first ?? "none"
    }
}
