// ShownScene.swift: a scene in a running app: its objects by name, its acts, its delegate.
//
// Station   app
// Input     SceneBuilder, which adds objects; the application, if the scene is its observer (SceneLines.swift)
// Output    the application's trace
// Knows     names. Probe prints the lines of a view.

import AppCore
import Basics
import Foundation
import HID
import Recordings
import Trace
import UIKit

/// A scene that an app shows.
final class ShownScene {
    private var responders: [(name: String, responder: UIResponder)] = []
    private var recognizers: [(path: String, recognizer: UIGestureRecognizer)] = []
    /// The probes of responders and delegates, and the lines of recognizers, by object.
    private var probesByObject: [ObjectIdentifier: Probe] = [:]
    private var linesByRecognizer: [ObjectIdentifier: RecognizerLines] = [:]
    private(set) var delegates: [(name: String, delegate: SceneDelegate)] = []
    /// Objects that UIKit references weakly.
    var retainedObjects: [AnyObject] = []
    /// Seconds; nil for the default of the class.
    var shortTapDelay: Double?
    private let probes: [Scenario.CoreProbe]
    private let acts: SceneActs

    init(probes: [Scenario.CoreProbe], script: Script?) {
        self.probes = probes
        acts = SceneActs(script)
    }

    // MARK: Names

    func add(_ responder: UIResponder, named name: String, _ probe: Probe) {
        responders.append((name, responder))
        probesByObject[ObjectIdentifier(responder)] = probe
    }

    func add(_ delegate: SceneDelegate, named name: String, _ probe: Probe) {
        delegates.append((name, delegate))
        probesByObject[ObjectIdentifier(delegate)] = probe
    }

    func add(_ recognizer: UIGestureRecognizer, at path: String, _ lines: RecognizerLines) {
        recognizers.append((path, recognizer))
        linesByRecognizer[ObjectIdentifier(recognizer)] = lines
    }

    func probe(of object: AnyObject) -> Probe? { probesByObject[ObjectIdentifier(object)] }
    func lines(of recognizer: UIGestureRecognizer) -> RecognizerLines? {
        linesByRecognizer[ObjectIdentifier(recognizer)]
    }

    func responder(named name: String) -> UIResponder? { responders.first { $0.name == name }?.responder }
    func view(named name: String) -> UIView? { responder(named: name) as? UIView }
    func recognizer(at path: String) -> UIGestureRecognizer? { recognizers.first { $0.path == path }?.recognizer }

    func name(of view: UIView?) -> String {
        guard let view else { return "nil" }
        return probe(of: view)?.name ?? view.accessibilityIdentifier ?? "\(type(of: view))"
    }

    /// Returns `V.g`; `null` for a recognizer without a name.
    func name(of recognizer: UIGestureRecognizer) -> String {
        recognizers.first { $0.recognizer === recognizer }?.path ?? recognizer.name ?? "null"
    }

    func text(of list: [UIGestureRecognizer]?) -> String {
        "[" + (list ?? []).map { name(of: $0) }.joined(separator: " ") + "]"
    }

    func chain(from responder: UIResponder) -> String {
        var names: [String] = []
        var current: UIResponder? = responder
        while let here = current, names.count < 1000 {
            names.append(probe(of: here)?.className ?? "\(type(of: here))")
            current = here.chainNext
        }
        return names.joined(separator: " --> ")
    }

    // MARK: Events

    func text(of event: UIEvent) -> String {
        let count = event.allTouches?.count ?? 0
        return "type=\(event.type) timestamp=\(event.timestamp > 0 ? "yes" : "no") allTouches=\(count)"
    }

    func text(of touch: UITouch) -> String {
        "touch phase=\(touch.phase) tapCount=\(touch.tapCount) force=\(numberText(touch.force))"
            + " window=\(name(of: touch.window)) view=\(name(of: touch.view))"
            + " location=\(pointText(touch.location(in: nil))) previous=\(pointText(touch.previousLocation(in: nil)))"
            + " inView=\(pointText(touch.location(in: touch.view))) recognizers=\(text(of: touch.gestureRecognizers))"
    }

    // MARK: Reactions to events (SceneLines.swift)

    func printWindowSends(_ window: UIWindow, _ event: UIEvent) {
        guard let probe = probe(of: window) else { return }
        if probes.contains(.sendEvent) { probe.print("sendEvent \(probe.name)", .event) }
        guard probe.prints(.event) else { return }
        probe.print("event \(probe.name) sendEvent \(text(of: event))", .event)
        for touch in event.touches where touch.window === window { probe.print(text(of: touch), .event) }
    }

    /// Whether scroll views print the questions that they are asked about touches.
    var printsTouchesShould: Bool { probes.contains(.scroll) }

    func fingerLanded() {
        guard let application = UIApplication.current else { return }
        let landing = Instant(seconds: application.touchTracker.event.timestamp)
        acts.fingerLanded(at: landing, in: self)
        for (_, responder) in responders { (responder as? TimerView)?.start(from: landing) }
    }

    func deviceInputArrived(at time: Instant) { acts.deviceInputArrived(at: time, in: self) }

    func printApplicationSends() {
        guard probes.contains(.applicationSendEvent), let application = UIApplication.current else { return }
        application.trace.probe(application.now, .event, "sendEvent UIApplication")
    }

    // MARK: Life cycle

    func becameActive() { acts.appBecameActive(in: self) }

    /// Makes the main loop print its phases from now on.
    func enableLoopProbes(of application: UIApplication) {
        guard let loop = application.mainLoop as? MainLoop else { return }
        if probes.contains(.loop) { loop.probes = [.source1, .wake, .source0, .timers, .mainQueue, .beforeWaiting] }
        if probes.contains(.loopPhases) { loop.probes = LoopProbes(LoopProbes.names.map(\.probe)) }
        if probes.contains(.loopMode) { loop.probes.insert(.mode) }
    }

    /// - Parameter subject: The owner of the delegate that is called: the application or the scene.
    func printApp(_ line: String, of subject: String = "app") {
        guard probes.contains(.app), let application = UIApplication.current else { return }
        application.trace.probe(application.now, .app, "\(subject) \(line)")
    }
}

/// The application delegate of a scene. It keeps the scene, shows it, and ends the responder chain.
final class SceneAppDelegate: UIResponder, UIApplicationDelegate {
    let scene: ShownScene
    private let show: (SceneAppDelegate) -> Void

    init(_ scene: ShownScene, show: @escaping (SceneAppDelegate) -> Void) {
        (self.scene, self.show) = (scene, show)
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        scene.enableLoopProbes(of: application)
        show(self)
        return true
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool { true }
    func applicationDidBecomeActive(_ application: UIApplication) { scene.becameActive() }
}

/// The delegate of the window scene, for a scenario that has one.
final class SceneSceneDelegate: UIResponder, UIWindowSceneDelegate {
    private let scene: ShownScene

    init(_ scene: ShownScene) { self.scene = scene }

    func sceneDidBecomeActive(_ scene: UIScene) { self.scene.becameActive() }
}
