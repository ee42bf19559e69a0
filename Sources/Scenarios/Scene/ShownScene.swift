// ShownScene.swift: a scene as it stands in an app: its objects by name, its acts in time, its delegate.
//
// Station   app
// Fed by    SceneBuilder, which fills it; the application, whose observer and delegate it is
// Feeds     the application's trace
// Knows     names. What a view prints by itself is Probe's business.

import AppCore
import Basics
import Foundation
import HID
import Recordings
import Trace
import UIKit

final class ShownScene: UIKitObserver {
    private var responders: [(name: String, responder: UIResponder)] = []
    private var recognizers: [(path: String, recognizer: UIGestureRecognizer)] = []
    var delegates: [(name: String, delegate: SceneDelegate)] = []
    /// Objects that UIKit holds weakly.
    var kept: [AnyObject] = []
    /// Seconds, where a scenario says other than the class does.
    var shortTapDelay: Double?
    private let probes: [Scenario.ProbeWord]
    private let acts: SceneActs

    init(probes: [Scenario.ProbeWord], script: Script?) {
        self.probes = probes
        acts = SceneActs(script)
    }

    // MARK: Names

    func add(_ responder: UIResponder, named name: String) { responders.append((name, responder)) }
    func add(_ recognizer: UIGestureRecognizer, at path: String) { recognizers.append((path, recognizer)) }

    func responder(named name: String) -> UIResponder? { responders.first { $0.name == name }?.responder }
    func view(named name: String) -> UIView? { responder(named: name) as? UIView }
    func recognizer(at path: String) -> UIGestureRecognizer? { recognizers.first { $0.path == path }?.recognizer }

    func name(of view: UIView?) -> String {
        guard let view else { return "nil" }
        return (view as? any Probed)?.probe.name ?? view.accessibilityIdentifier ?? "\(type(of: view))"
    }

    /// `V.g`; `null` for a recogniser that has no name.
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
            names.append((here as? any Probed)?.probe.className ?? "\(type(of: here))")
            current = here.next
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

    func windowSends(_ window: ProbeWindow, _ event: UIEvent) {
        let probe = window.probe
        if probes.contains(.sendEvent) { probe.print("sendEvent \(probe.name)", .event) }
        guard probe.prints(.event) else { return }
        probe.print("event \(probe.name) sendEvent \(text(of: event))", .event)
        for touch in event.touches where touch.window === window { probe.print(text(of: touch), .event) }
    }

    /// Whether scroll views say what they are asked of touches.
    var printsTouchesShould: Bool { probes.contains(.scroll) }

    // MARK: UIKitObserver

    func observe(_ event: UIKitEvent) {
        switch event {
        case .hitTest(.passBegan): fingerLanded()
        case .input(.device(let event)): acts.deviceSpoke(at: event.timeStamp, in: self)
        case .input(.applicationSends): applicationSends()
        case .action(.controlSends(let control, let events)): controlSends(events, from: control)
        case .app, .input, .hitTest, .gesture, .responder, .scroll, .action: break
        }
    }

    private func fingerLanded() {
        guard let application = UIApplication.current else { return }
        let landing = Instant(seconds: application.touchTracker.event.timestamp)
        acts.fingerLanded(at: landing, in: self)
        for (_, responder) in responders { (responder as? TimerView)?.start(from: landing) }
    }

    private func applicationSends() {
        guard probes.contains(.applicationSendEvent), let application = UIApplication.current else { return }
        application.trace.probe(application.now, .event, "sendEvent UIApplication")
    }

    private func controlSends(_ events: UIControl.Event, from control: UIControl) {
        guard let probe = (control as? any Probed)?.probe, probe.prints(.events) else { return }
        for (event, name) in UIControl.Event.named where events.contains(event) {
            probe.print("control \(probe.name) event=\(name)", .action)
        }
    }

    // MARK: Life

    func becameActive() { acts.appBecameActive(in: self) }

    /// The main loop says what it does from here on.
    func watchLoop(of application: UIApplication) {
        guard let loop = application.mainLoop as? MainLoop else { return }
        if probes.contains(.loop) { loop.probes = [.source1, .wake, .source0, .timers, .mainQueue, .beforeWaiting] }
        if probes.contains(.loopPhases) { loop.probes = LoopProbes(LoopProbes.words.map(\.probe)) }
        if probes.contains(.loopMode) { loop.probes.insert(.mode) }
    }

    /// - Parameter subject: Whose delegate is told: the application's or the scene's.
    func tell(_ line: String, of subject: String = "app") {
        guard probes.contains(.app), let application = UIApplication.current else { return }
        application.trace.probe(application.now, .app, "\(subject) \(line)")
    }
}

/// The scene's application delegate: keeps the scene, shows it, and ends the responder chain.
final class SceneAppDelegate: UIResponder, UIApplicationDelegate, Probed {
    let probe: Probe
    private let scene: ShownScene
    private let show: (SceneAppDelegate) -> Void

    init(_ scene: ShownScene, show: @escaping (SceneAppDelegate) -> Void) {
        (self.scene, self.show) = (scene, show)
        probe = Probe(name: "AppDelegate", in: scene)
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.observer = scene
        scene.watchLoop(of: application)
        let url = (launchOptions?[.url] as? URL).map { " url=\($0.absoluteString)" } ?? ""
        scene.tell("didFinishLaunching\(url)")
        show(self)
        return true
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        scene.tell("open \(url.absoluteString)")
        return true
    }
    func applicationDidBecomeActive(_ application: UIApplication) {
        scene.tell("didBecomeActive")
        scene.becameActive()
    }
    func applicationWillResignActive(_ application: UIApplication) { scene.tell("willResignActive") }
    func applicationDidEnterBackground(_ application: UIApplication) { scene.tell("didEnterBackground") }
    func applicationWillEnterForeground(_ application: UIApplication) { scene.tell("willEnterForeground") }
    func applicationWillTerminate(_ application: UIApplication) { scene.tell("willTerminate") }
}

/// The delegate of the scene's window scene, where the scenario has one: it prints what it is told.
final class SceneSceneDelegate: UIResponder, UIWindowSceneDelegate {
    private let scene: ShownScene

    init(_ scene: ShownScene) { self.scene = scene }

    private func tell(_ line: String, _ contexts: Set<UIOpenURLContext> = []) {
        let urls = contexts.map { " url=\($0.url.absoluteString)" }.sorted().joined()
        scene.tell(line + urls, of: "scene")
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) { tell("willConnect", connectionOptions.urlContexts) }
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        tell("openURLContexts", URLContexts)
    }
    func sceneDidBecomeActive(_ scene: UIScene) {
        tell("didBecomeActive")
        self.scene.becameActive()
    }
    func sceneWillResignActive(_ scene: UIScene) { tell("willResignActive") }
    func sceneWillEnterForeground(_ scene: UIScene) { tell("willEnterForeground") }
    func sceneDidEnterBackground(_ scene: UIScene) { tell("didEnterBackground") }
}
