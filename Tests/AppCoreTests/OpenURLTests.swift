import AppCore
import Basics
import Foundation
import HID
import Hosting
import Links
import Testing
import Trace
import UIKit
import Wire

@Suite("URLs that an app opens")
struct OpenURLTests {
    private static func request(_ id: UInt32, _ text: String) -> OpenRequest {
        OpenRequest(id: id, url: try! URLText(text))
    }

    /// A scene delegate that logs its calls.
    private final class SceneLog: NSObject, UIWindowSceneDelegate {
        let log: Stage.Log
        init(_ log: Stage.Log) { self.log = log }

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            let urls = connectionOptions.urlContexts.map(\.url.absoluteString)
            log.lines.append("connect \(urls)")
            #expect(session.scene === scene && scene.delegate === self)
        }
        func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
            log.lines.append("open \(URLContexts.map(\.url.absoluteString))")
        }
        func sceneDidBecomeActive(_ scene: UIScene) { log.lines.append("sceneDidBecomeActive") }
        func sceneWillResignActive(_ scene: UIScene) { log.lines.append("sceneWillResignActive") }
        func sceneWillEnterForeground(_ scene: UIScene) { log.lines.append("sceneWillEnterForeground") }
        func sceneDidEnterBackground(_ scene: UIScene) { log.lines.append("sceneDidEnterBackground") }
    }

    /// An application delegate that logs its calls, with the URLs of its launch and open calls.
    private final class URLDelegate: NSObject, UIApplicationDelegate {
        let log: Stage.Log
        let handles: Bool
        init(_ log: Stage.Log, handles: Bool) { (self.log, self.handles) = (log, handles) }

        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            log.lines.append("launch \((launchOptions?[.url] as? URL)?.absoluteString ?? "plain")")
            return handles
        }
        func application(
            _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
        ) -> Bool {
            log.lines.append("open \(url.absoluteString)")
            return true
        }
        func applicationDidBecomeActive(_ application: UIApplication) { log.lines.append("active") }
        func applicationWillEnterForeground(_ application: UIApplication) { log.lines.append("foreground") }
    }

    private func scene(opens: OpenRequest? = nil) throws -> Stage {
        try Stage(isConnected: false, opens: opens) { application, log in
            application.makeSceneDelegate = { SceneLog(log) }
        }
    }

    private func plain(opens: OpenRequest? = nil, handles: Bool = true) throws -> Stage {
        try Stage(isConnected: false, opens: opens) { application, log in
            application.keptDelegate = URLDelegate(log, handles: handles)
        }
    }

    private func hears(_ stage: Stage, _ message: Message) {
        stage.deliver(.frame(stage.server.frame(message), from: .systemServer))
    }

    private func answers(_ stage: Stage) -> [OpenAnswer] {
        stage.sent(to: .systemServer).compactMap { if case .opened(let answer) = $0.message { answer } else { nil } }
    }

    @Test("a scene launched with a URL receives it once, at connection")
    func launchedScene() throws {
        let stage = try scene(opens: Self.request(4, "demo://a"))
        stage.connect()
        #expect(stage.log.lines.prefix(2) == ["launched", "connect [\"demo://a\"]"])
        hears(stage, .open(Self.request(4, "demo://a")))
        stage.lifeCycle(.didBecomeActive)
        #expect(stage.log.lines.dropFirst(2).filter { $0 != "layout" } == ["sceneDidBecomeActive"])
        #expect(answers(stage) == [OpenAnswer(id: 4, outcome: .opened)])
        #expect(stage.facts.contains { $0.text == "launched to open demo://a" })
    }

    @Test("a running scene opens a URL once, between foreground and active")
    func runningScene() throws {
        let stage = try scene()
        stage.connect()
        for change in [LifeCycleChange.didBecomeActive, .willResignActive, .didEnterBackground] {
            stage.lifeCycle(change)
        }
        stage.clearRecords()
        stage.lifeCycle(.willEnterForeground)
        hears(stage, .open(Self.request(1, "demo://b")))
        hears(stage, .open(Self.request(1, "demo://b")))
        stage.lifeCycle(.didBecomeActive)
        #expect(stage.log.lines == ["sceneWillEnterForeground", "open [\"demo://b\"]", "sceneDidBecomeActive"])
        #expect(answers(stage).map(\.id) == [1, 1])
    }

    @Test("without a scene delegate the application delegate receives the launch URL")
    func launchedApplication() throws {
        let stage = try plain(opens: Self.request(4, "demo://a"))
        stage.connect()
        stage.lifeCycle(.didBecomeActive)
        #expect(stage.log.lines == ["launch demo://a", "open demo://a", "active"])
        hears(stage, .open(Self.request(5, "demo://b")))
        #expect(stage.log.lines.last == "open demo://b")
    }

    @Test("an application that declines its launch URL never opens it")
    func unhandled() throws {
        let stage = try plain(opens: Self.request(4, "demo://a"), handles: false)
        #expect(stage.log.lines == ["launch demo://a"])
        stage.connect()
        hears(stage, .open(Self.request(4, "demo://a")))
        #expect(answers(stage).count == 1, "it was told, all the same")
        #expect(try plain().log.lines == ["launch plain"])
    }

    @Test("an open request's number in another epoch is another URL")
    func epochs() throws {
        let stage = try scene(opens: Self.request(1, "demo://a"))
        stage.connect(epoch: Stage.epoch + 1)
        hears(stage, .open(Self.request(1, "demo://b")))
        #expect(stage.log.lines.last == "open [\"demo://b\"]")
    }

    @Test("an app's open request completes on the main queue with its outcome")
    func asking() throws {
        let stage = try Stage([Setting(key: "group.schemes", value: "demo=2")])
        var heard: [Bool] = []
        func ask(_ text: String) {
            stage.view.actions["began"] = {
                #expect(UIApplication.shared.canOpenURL(URL(string: "DEMO:x")!))
                #expect(!UIApplication.shared.canOpenURL(URL(string: "none:x")!))
                UIApplication.shared.open(URL(string: text)!) { heard.append($0) }
            }
            stage.touch(.began)
            stage.touch(.ended)
            stage.run(until: 2000)
        }
        ask("demo:x")
        #expect(
            stage.sent(to: .systemServer).map(\.message).contains(.open(Self.request(1, "demo:x"))))
        #expect(heard == [])
        hears(stage, .opened(OpenAnswer(id: 1, app: 2, outcome: .opened)))
        #expect(heard == [true])
        ask("demo:y")
        hears(stage, .opened(OpenAnswer(id: 2, app: 2, outcome: .notInFront)))
        #expect(heard == [true, false])
        ask("demo:" + String(repeating: "z", count: URLText.limit))
        #expect(heard == [true, false, false], "no delegate is asked")
        ask("demo:w")
        stage.deliver(.peerLost(.systemServer))
        #expect(heard == [true, false, false, false], "no app will answer")
        stage.run(until: 3000)
    }
}
