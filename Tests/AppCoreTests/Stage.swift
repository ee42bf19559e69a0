import AppCore
import Basics
import Foundation
import HID
import Hosting
import Links
import Settings
import Trace
import UIKit
import Wire

/// One app core on a clock that the test moves. The test plays the server's and the supervisor's ends of its links.
///
/// The app shows one window of 375 × 667 with a `LogView` that fills it.
final class Stage {
    private var core: AppCore
    let application: UIApplication
    let loop: MainLoop
    private(set) var outbox = Outbox()
    private(set) var now = Instant.boot
    /// Lines that the app's own code wrote.
    let log = Log()
    private(set) var facts: [TraceLine] = []
    private(set) var effects: [Effect] = []
    var server = LinkNumbers(epoch: 7, generation: 1)
    private var supervisor = LinkNumbers(epoch: 7, generation: 1)

    final class Log {
        var lines: [String] = []
    }

    static let epoch: UInt32 = 7

    /// - Parameter isConnected: Whether the link to the server is open and the app is active.
    init(
        _ settings: [Setting] = [], isConnected: Bool = true, opens: OpenRequest? = nil,
        content: @escaping (UIApplication, Stage.Log) -> Void = { _, _ in }
    ) throws {
        let order = LaunchOrder(
            peer: .app(1), epoch: Self.epoch, generation: 3, runDirectory: "/run", settings: settings,
            openRequest: opens)
        let log = self.log
        core = AppCore(order: order, settings: try Settings(settings)) { application in
            application.keptDelegate = LogDelegate(log)
            content(application, log)
        }
        (application, loop) = (core.application, core.mainLoop)
        deliver(.started)
        guard isConnected else { return }
        connect()
        lifeCycle(.didBecomeActive)
        log.lines = []
        facts = []
        effects = []
    }

    // MARK: Time

    /// Sets the clock to `milliseconds` since the start.
    func at(_ milliseconds: Int) {
        now = Instant.boot.advanced(by: .milliseconds(milliseconds))
    }

    /// Lets time pass and fires the core's timer whenever it is due.
    func run(until milliseconds: Int) {
        let end = Instant.boot.advanced(by: .milliseconds(milliseconds))
        while let due = armed, due <= end {
            now = max(now, due)
            armed = nil
            deliver(.timerFired(AppCore.loopTimer))
        }
        now = end
    }

    private(set) var armed: Instant?

    func deliver(_ input: Input) {
        core.handle(input, at: now, into: &outbox)
        for fact in outbox.trace.facts { facts.append(fact.line(process: "app1", names: outbox.trace.names)) }
        outbox.trace.removeFacts()
        for effect in outbox.drain() {
            switch effect {
            case .arm(AppCore.loopTimer, let moment): armed = moment
            case .disarm(AppCore.loopTimer): armed = nil
            default: effects.append(effect)
            }
        }
    }

    // MARK: The server

    func connect(epoch: UInt32 = Stage.epoch, generation: UInt32 = 1) {
        server = LinkNumbers(epoch: epoch, generation: generation)
        deliver(.connected(.systemServer))
        guard let hello = sent(to: .systemServer).last(where: { $0.message == .hello }) else { return }
        server.adopt(hello: hello, epoch: epoch)
        deliver(.frame(server.frame(.hello), from: .systemServer))
    }

    func lifeCycle(_ change: LifeCycleChange) { deliver(.frame(server.frame(.lifeCycle(change)), from: .systemServer)) }

    func touch(
        _ phase: TouchContact.Phase, finger: UInt32 = 1, _ x: Double = 100, _ y: Double = 100, isGated: Bool = false
    ) {
        deliver(.frame(frame(phase, finger: finger, x, y, isGated: isGated), from: .systemServer))
    }

    /// Makes the server's next frame without delivering it.
    func frame(
        _ phase: TouchContact.Phase, finger: UInt32 = 1, _ x: Double = 100, _ y: Double = 100, isGated: Bool = false
    ) -> Frame {
        let contact = TouchContact(
            touch: TouchID(rawValue: finger), phase: phase, at: Point(x, y), isGated: isGated)
        return frame([contact])
    }

    func frame(_ contacts: [TouchContact]) -> Frame {
        var ledger = Ledger(device: now)
        // The frame passes input-kit and the server in no time.
        for _ in 0..<3 { ledger.append(now) }
        return server.frame(.touches(TouchFrame(timeStamp: now, contacts: contacts)), ledger: ledger)
    }

    // MARK: Output

    func sent(to peer: Peer) -> [Frame] {
        effects.compactMap { if case .send(let frame, peer) = $0 { frame } else { nil } }
    }

    var receipts: [Receipt] {
        sent(to: .systemServer).compactMap { if case .handled(let receipt) = $0.message { receipt } else { nil } }
    }

    /// Delivers a message of the supervisor.
    func ask(_ message: Message) { deliver(.frame(supervisor.frame(message), from: .supervisor)) }

    func report() -> Report? {
        ask(.reportRequest)
        guard case .report(let report)? = sent(to: .supervisor).last?.message else { return nil }
        return report
    }

    func lines(at stations: [Station]) -> [String] {
        facts.filter { stations.contains($0.station) }.map {
            let name = $0.station.rawValue
            return name + String(repeating: " ", count: max(1, 9 - name.count)) + $0.text
        }
    }

    func forgetEffects() { effects = [] }

    /// The next handler of this name runs the loop inside, once, with a block on the main queue.
    func runsLoop(in handler: String) {
        view.actions[handler] = { [unowned self] in
            view.actions = [:]
            loop.async { self.log.lines.append("main queue") }
            let result = loop.run(mode: .default, before: now.advanced(by: .seconds(1)))
            log.lines.append("nested run \(result)")
        }
    }

    func clearRecords() {
        facts = []
        effects = []
        log.lines = []
    }
}

extension Setting {
    init(_ key: String, _ value: String) { self.init(key: key, value: value) }
}

/// A view that logs its calls and runs the test's closure for each of them.
final class LogView: UIView {
    var log: Stage.Log?
    var actions: [String: () -> Void] = [:]
    var watched: ((UITouch, UIEvent?) -> Void)?

    private func record(_ line: String) {
        log?.lines.append(line)
        actions[line]?()
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { record("began") }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let touch = touches.first { watched?(touch, event) }
        record("moved")
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { record("ended") }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { record("cancelled") }
    override func layoutSubviews() { record("layout") }
}

final class LogDelegate: NSObject, UIApplicationDelegate {
    private let log: Stage.Log
    private var keptWindow: UIWindow?

    init(_ log: Stage.Log) { self.log = log }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: application.screen.bounds)
        let view = LogView(frame: window.bounds)
        view.accessibilityIdentifier = "V"
        view.isMultipleTouchEnabled = true
        view.log = log
        window.addSubview(view)
        window.makeKeyAndVisible()
        keptWindow = window
        log.lines.append("launched")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { log.lines.append("didBecomeActive") }
    func applicationWillResignActive(_ application: UIApplication) { log.lines.append("willResignActive") }
    func applicationDidEnterBackground(_ application: UIApplication) { log.lines.append("didEnterBackground") }
    func applicationWillEnterForeground(_ application: UIApplication) { log.lines.append("willEnterForeground") }
    func applicationWillTerminate(_ application: UIApplication) { log.lines.append("willTerminate") }
}

extension Stage {
    var view: LogView { application.view(named: "V") as! LogView }
}
