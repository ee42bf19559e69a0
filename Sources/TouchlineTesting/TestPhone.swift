// TestPhone.swift: an app under a test's fingers, on a virtual clock.
//
//     test ─▶ TestInputKit ─▶ system-server ─▶ the app: run loop, hit test, gestures, responder chain ─▶ your views
//                                     all in one World, one thread, one clock that only the test advances
//
// Input     tests
// Output    the app's own objects, traces, receipts
// Knows     a group of one app: the production cores of the server and the app, and TestInputKit. No real time, no socket.
//
// Sources   invented, after Flutter's WidgetTester, Hammer and XCUITest

package import AppCore
package import Basics
import Explain
public import Foundation
import HID
import Hosting
import Links
import Runs
import Settings
import Simulator
import SystemServerCore
package import Trace
public import UIKit
import ViewTrees
import Wire

/// A phone with one app, which a test touches.
///
///     let phone = TestPhone { CardViewController() }
///     try phone.tap("open")
///     #expect(try phone.find("card").alpha == 1)
///
/// The phone is a whole group on one thread: the system server, which decides who receives a touch, and the app with
/// its run loop. Nothing runs in the background. Time passes while a gesture moves, and in `advance(by:)`,
/// `advanceUntilIdle()` and waits for a view. So a test has the same result on every machine, and a test of two
/// seconds of animation takes a millisecond. Every phone has its own `UIApplication`; tests may run in parallel, each
/// with phones of its own.
///
/// Objects of the app that outlive its phone are no code of an app: `UIApplication.shared` in a `deinit` stops the program
/// then, as everywhere outside an app.
public final class TestPhone {
    /// The name of the app in traces.
    static let app = Peer.app(1)
    /// The time that a gesture waits for its view, at most.
    public var patience = Duration.seconds(2)
    /// The seed of a human hand; nil, the default, moves fingers in exact lines. With a seed they land one after the
    /// other, tremble and accelerate, and a series of gestures is the same with the same seed.
    public var humanSeed: UInt64?

    private var world = World()
    /// Whether the world runs, so that the code that runs now is the app's.
    private(set) var isTurning = false
    /// The application of the running app.
    private var current: UIApplication?
    let input: TestInputKit
    let settings: Settings
    let geometry: ScreenGeometry
    private let content: (UIApplication) -> Void
    /// The number of frames that the test has sent as the supervisor.
    private var supervisor = LinkNumbers(epoch: 1, generation: 1)
    private var launches: UInt32 = 0
    var gestures: UInt64 = 0
    /// The last gesture, also while it is played.
    var lastGesture: PlayedGesture?
    /// Collects what a page shows; nil if a failed test writes none (FailurePages).
    private let recording = FailurePages.folder == nil ? nil : RunRecording()

    // MARK: Making a phone

    /// Makes a phone whose app shows a view controller, and launches the app.
    ///
    /// - Parameters:
    ///   - size: The size of the screen in points; 375 × 667 by default.
    ///   - scale: Pixels per point.
    ///   - settings: Settings of the group by name, as in `Config/pipeline.yaml`: `["app.delivery": "frameAligned"]`.
    ///   - controller: Makes the window's root view controller, as code of the app, at each launch.
    /// - Precondition: The settings exist and allow the values. The program stops with the setting's name otherwise.
    public convenience init(
        size: CGSize = CGSize(width: 375, height: 667), scale: CGFloat = 2,
        settings: KeyValuePairs<String, String> = [:], _ controller: @escaping () -> UIViewController
    ) {
        self.init(size: size, scale: scale, settings: settings) { () -> any UIApplicationDelegate in
            WindowDelegate(filling: { window in window.rootViewController = controller() })
        }
    }

    /// Makes a phone whose app shows one view.
    ///
    /// A view without a size fills the screen. A window is shown as it is.
    ///
    /// - Parameters:
    ///   - size: The size of the screen in points; 375 × 667 by default.
    ///   - scale: Pixels per point.
    ///   - settings: Settings of the group by name, as in `Config/pipeline.yaml`: `["app.delivery": "frameAligned"]`.
    ///   - view: Makes the view, as code of the app, at each launch.
    public convenience init(
        size: CGSize = CGSize(width: 375, height: 667), scale: CGFloat = 2,
        settings: KeyValuePairs<String, String> = [:], _ view: @escaping () -> UIView
    ) {
        self.init(size: size, scale: scale, settings: settings) { () -> any UIApplicationDelegate in
            WindowDelegate(showing: view)
        }
    }

    /// Makes a phone whose app has a delegate of its own.
    ///
    /// - Parameters:
    ///   - size: The size of the screen in points; 375 × 667 by default.
    ///   - scale: Pixels per point.
    ///   - settings: Settings of the group by name, as in `Config/pipeline.yaml`: `["app.delivery": "frameAligned"]`.
    ///   - delegate: Makes the application's delegate, as code of the app, at each launch.
    public convenience init(
        size: CGSize = CGSize(width: 375, height: 667), scale: CGFloat = 2,
        settings: KeyValuePairs<String, String> = [:], _ delegate: @escaping () -> any UIApplicationDelegate
    ) {
        let list = settings.map { ($0.key, $0.value) }
        self.init(size: size, scale: scale, settings: list, content: { $0.keptDelegate = delegate() })
    }

    /// - Parameter content: Makes the app's content, as code of the app, at each launch.
    package init(
        size: CGSize = CGSize(width: 375, height: 667), scale: CGFloat = 2, settings list: [(String, String)],
        content: @escaping (UIApplication) -> Void
    ) {
        let screen = [
            ("screen.width", "\(size.width)"), ("screen.height", "\(size.height)"), ("screen.scale", "\(scale)"),
        ]
        do throws(SettingsError) {
            settings = try Settings((screen + list).map { Setting(key: $0.0, value: $0.1) })
        } catch { preconditionFailure("TestPhone: \(error)") }
        self.content = content
        geometry = ScreenGeometry(
            width: settings[.screenWidth], height: settings[.screenHeight], rotation: settings[.screenRotation])
        input = TestInputKit(screen: geometry)
        if let recording { world.observer = { recording.add($0) } }
        world.install(SystemServerCore(settings: settings, order: order(.systemServer)), as: .systemServer)
        world.install(input, as: .inputKit)
        install()
        // The beginning of time is special: a device's stamp of zero means none.
        turn(until: Self.zero)
        LatestPhone.note(self)
    }

    private func order(_ peer: Peer, generation: UInt32 = 1) -> LaunchOrder {
        LaunchOrder(peer: peer, epoch: 1, generation: generation, runDirectory: "", settings: settings.changed)
    }

    // MARK: The app's process

    private func install() {
        launches += 1
        let order = order(Self.app, generation: launches)
        let core = AppCore(order: order, settings: settings, content: content)
        current = core.application
        world.install(core, as: Self.app, order: order)
    }

    /// The app's main loop.
    ///
    /// - Precondition: The app runs.
    package var mainLoop: MainLoop {
        guard let loop = application.mainLoop as? MainLoop else { preconditionFailure("\(PhoneError.notRunning)") }
        return loop
    }

    /// The core of the app in its present state; nil while it does not run.
    ///
    /// - Precondition: The app's own code does not run.
    var core: AppCore? {
        mayTurn()
        return world.core(of: Self.app) as? AppCore
    }

    /// Whether the app's process runs.
    public var isRunning: Bool { isTurning || world.core(of: Self.app) != nil }

    /// The app's application object.
    ///
    /// - Precondition: The app runs.
    public var application: UIApplication {
        guard isRunning, let current else { preconditionFailure("\(PhoneError.notRunning)") }
        return current
    }

    /// Kills the app's process as the kernel does: its code runs no more, and its touches end. Its objects stay with
    /// those who hold them.
    public func kill() {
        mayTurn()
        world.crash(Self.app)
        current = nil
        settle()
    }

    /// Launches the app again after `kill()`, with new content.
    public func launch() {
        guard !isRunning else { return }
        install()
        act(.foreground(app: 1))
    }

    // MARK: The system

    /// A call arrives, or an alert: the app loses its touches and becomes inactive.
    public func receiveCall() { act(.interrupt) }
    /// The call ends: the app becomes active.
    public func endCall() { act(.resume) }
    /// Locks the screen: the app loses its touches and goes to the background.
    public func lock() { act(.lock) }
    /// Unlocks the screen, after `lock()`.
    public func unlock() { act(.unlock) }
    /// Presses the home button: the app goes to the background.
    public func pressHome() { act(.home) }
    /// Brings the app to the front again.
    public func openApp() { act(.foreground(app: 1)) }

    /// Turns the interface, if the app allows the orientation.
    public func rotate(to orientation: UIInterfaceOrientation) {
        let known: InterfaceOrientation? =
            switch orientation {
            case .portrait: .portrait
            case .portraitUpsideDown: .portraitUpsideDown
            case .landscapeLeft: .landscapeLeft
            case .landscapeRight: .landscapeRight
            case .unknown: nil
            }
        if let known { act(.orientation(app: 1, known)) }
    }

    private func act(_ act: SystemAct) {
        send(.frame(supervisor.frame(.act(act)), from: .supervisor), to: .systemServer)
    }

    // MARK: The world

    static let zero = Instant(seconds: 1)
    /// The moment of the app's clock at which the phone was made.
    package static var clockStart: Instant { zero }

    /// The moment of the clock, also for code of the app.
    var now: Instant { isTurning ? current?.now ?? .boot : world.now }

    /// The moment at which something happens next; nil if nothing will.
    var nextMoment: Instant? { world.nextMoment }

    /// The facts of all processes since the group was made.
    package var facts: [ResolvedFact] {
        mayTurn()
        return world.resolvedFacts
    }
    /// The facts as text.
    var lines: [TraceLine] {
        mayTurn()
        return world.trace(since: Self.zero)
    }

    /// Runs everything that is due by a moment, which becomes the present.
    func turn(until moment: Instant) {
        mayTurn()
        isTurning = true
        defer { isTurning = false }
        scheduleInbox()
        if let recording { runRecorded(until: moment, recording) }
        world.run(until: moment)
        // A test that reads a presentation layer means this moment, also if the app had no turn at it.
        current?.now = world.now
    }

    /// Runs the world, and records the trees of the app between its moments.
    private func runRecorded(until limit: Instant, _ recording: RunRecording) {
        while let next = world.nextMoment, next <= limit {
            recording.captureTrees(before: next, viewTree(of:))
            world.run(until: next)
            recording.captureTrees(at: next, viewTree(of:))
        }
    }

    private func viewTree(of app: AppID) -> ViewTree? { (world.core(of: .app(app)) as? AppCore)?.viewTree() }

    /// The run so far, for a page; nil if the phone was made without a folder for pages, or the app's own code runs.
    var recordedRun: RecordedRun? {
        guard let recording, !isTurning else { return nil }
        recording.captureLastTrees(viewTree(of:))
        return RecordedRun(
            ObservedRun(facts: facts, zero: Self.zero, begin: Self.zero), recording, isVirtual: true,
            width: settings[.screenWidth], height: settings[.screenHeight])
    }

    /// Lets the app run what code outside of it has sent to its loop, such as the end of a task.
    private func scheduleInbox() {
        guard let current, !current.clock.inbox.isEmpty else { return }
        world.schedule(.timerFired(AppCore.loopTimer), for: Self.app, at: world.now)
    }

    /// Runs everything that is due now.
    func settle() { turn(until: now) }

    /// Sends an input to a process, and runs everything that follows from it now.
    func send(_ input: Input, to peer: Peer) {
        mayTurn()
        world.schedule(input, for: peer, at: world.now)
        settle()
    }

    private func mayTurn() {
        precondition(
            !isTurning,
            "the app's own code, also that in run { }, can only find views: it plays no gestures, lets no time pass, and "
                + "reads no traces")
    }
}
