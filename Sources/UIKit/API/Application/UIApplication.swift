// UIApplication.swift: the root object of an app: its windows, its delegate, and the delivery of its events.
//
// Station   event
// Input     AppCore: one `deliver` for each event that leaves the application's event queue
// Output    TouchTracker, then `sendEvent`, then the windows
// Knows     windows, the touches on them, the delegate. No queue, no run loop, no peer, no clock except `now`.
//
// Several applications can run in one process: a simulator holds several apps, and tests run in parallel. Therefore
// `shared` is the application whose code runs at the moment. AppCore sets it for each turn.
//
// Sources   documented  UIApplication, UIApplicationDelegate
//           inferred    touches are cancelled when interaction events begin to be ignored (B11.4)

package import Basics
import CConcurrency
package import Foundation
package import HID
import SystemClock
package import Trace

/// The number of touches that an event carried in each phase. A receipt reports these numbers to input-kit.
package struct TouchCounts: Hashable, Sendable {
    package var began = 0, moved = 0, stationary = 0, ended = 0, cancelled = 0
    /// The edges at which the app deferred system gestures when a gated touch landed, as bits of `UIRectEdge`.
    /// Nil if no gated touch landed.
    package var deferredEdges: UInt8?

    package init(began: Int = 0, moved: Int = 0, stationary: Int = 0, ended: Int = 0, cancelled: Int = 0) {
        (self.began, self.moved, self.stationary) = (began, moved, stationary)
        (self.ended, self.cancelled) = (ended, cancelled)
    }
}

/// The object that owns an app's windows and delivers its events.
open class UIApplication: UIResponder {
    /// The keys of the options that the launch methods of the delegate receive.
    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The state of the app in its life cycle, as the delegate knows it.
    public enum State: Int, Sendable { case active, inactive, background }

    /// A change of the app's life cycle that the system server requests.
    package enum LifeCycleChange: Sendable, CaseIterable {
        case didBecomeActive, willResignActive, didEnterBackground, willEnterForeground, willTerminate
    }

    // MARK: Of this project

    /// The settings of the group that concern UIKit.
    package let settings: UIKitSettings
    /// Receives facts. AppCore exchanges it with the trace of its outbox for one turn.
    @exclusivity(unchecked) package final var trace = TraceLog()
    /// The moment of the current turn.
    @exclusivity(unchecked) package final var now = Instant.boot
    @exclusivity(unchecked) package final var host = ApplicationHost()
    /// Receives each event of UIKit in this application. (UIKitEvent.swift)
    package final weak var observer: (any UIKitObserver)? {
        didSet { observationChanged() }
    }
    /// Whether, and why, calls of responders and delegates are intercepted. (UIKitCalls.swift)
    @exclusivity(unchecked) private final var interception = Interception()
    private struct Interception {
        /// Whether `observer` is set. A copy, because reading a weak reference is slow.
        var isObserved = false
        /// Whether a responder of the application has a behavior. (ResponderBehavior.swift)
        var hasBehaviors = false
    }
    final var isObserved: Bool { interception.isObserved }
    final var hasBehaviors: Bool {
        get { interception.hasBehaviors }
        set {
            interception.hasBehaviors = newValue
            observationChanged()
        }
    }
    private final func observationChanged() {
        interception.isObserved = observer != nil
        for event in longLivedEvents { event.interceptor = interceptor }
    }

    package final let touchTracker: TouchTracker
    package final let devices = DeviceTracker()
    package final var displayLinks = DisplayLinks()
    final let gestures: GestureEnvironment
    /// The animation whose block is running. (UIView+Animation.swift)
    @exclusivity(unchecked) final var animation: UIViewAnimation?
    /// Whether `UIView.animate` animates. (UIView+Animation.swift)
    final var areAnimationsEnabled = true
    /// The drawing that waits for a commit. (ApplicationDrawing.swift)
    @exclusivity(unchecked) final var drawing = ApplicationDrawing()
    /// The open transactions of Core Animation. (TransactionStack.swift)
    final let transactions = TransactionStack()
    @exclusivity(unchecked) private final var windowList = WindowList()
    @exclusivity(unchecked) private final var scene: ApplicationScene
    @exclusivity(unchecked) private final var cycle = ApplicationLifeCycle()
    /// The URLs that this application asks the system to open. (UIApplication+URLs.swift)
    @exclusivity(unchecked) final var urlRequests = URLRequests()

    /// Makes an application without windows, in the background.
    package init(settings: UIKitSettings = UIKitSettings()) {
        self.settings = settings
        scene = ApplicationScene(settings)
        touchTracker = TouchTracker(settings: settings)
        gestures = GestureEnvironment(order: settings.order)
        super.init()
        touchTracker.application = self
        devices.attach(to: self)
        gestures.application = self
        clock.application = self
    }

    deinit {
        clock.inbox.close()
        clock.application = nil
        for event in longLivedEvents { event.interceptor = nil }
        scene.object?.application = nil
        windowList.detachWindows()
    }

    /// The loop that runs timers and blocks of this application; nil without one.
    package final var mainLoop: (any MainLoopScheduling)? {
        get { host.mainLoop }
        set {
            host.mainLoop = newValue
            if newValue != nil { TaskExecutors.install { ApplicationClock.current } }
        }
    }
    /// The clock of the application's timers, queues and tasks.
    package final let clock = ApplicationClock()

    /// Makes this the only application of the process, to which the work of all threads belongs.
    ///
    /// - Parameter wake: Makes the host run the loop. Other threads call it.
    package final func claimProcess(wake: @escaping @Sendable () -> Void) {
        host.hasOwnProcess = true
        clock.inbox.setWake(wake)
        LiveApplication.set(self)
    }

    // MARK: Current application

    /// The application whose code this thread runs, or nil. A variable of the thread and not of the task: a task that
    /// outlives its application must not reach it.
    package static var current: UIApplication? {
        concurrency_application().map { Unmanaged<UIApplication>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` as code of this application: until it returns, `shared` is this application.
    package static func run<Result, Failure: Error>(
        as application: UIApplication, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = concurrency_application()
        concurrency_set_application(Unmanaged.passUnretained(application).toOpaque())
        defer { concurrency_set_application(outer) }
        return try body()
    }

    /// Runs `body` as code of this application, without generic code. AppCore calls this function for every input.
    package static func runTurn(of application: UIApplication, _ body: () -> Void) {
        let outer = concurrency_application()
        concurrency_set_application(Unmanaged.passUnretained(application).toOpaque())
        body()
        concurrency_set_application(outer)
    }

    /// The application whose code is running. Outside an application's turn, a call stops the program.
    open class var shared: UIApplication {
        guard let current else {
            preconditionFailure("UIApplication.shared was asked for outside an application's turn")
        }
        return current
    }

    // MARK: Facts

    /// Notes a fact at the moment `now`.
    package final func note(
        _ station: Station, _ template: StaticString, _ a: Int64 = 0, _ b: Int64 = 0, _ c: Int64 = 0, _ d: Int64 = 0
    ) {
        trace.note(now, station, template, a, b, c, d)
    }

    /// Exchanges the application's trace with `log`: once at the beginning of a turn, and once at its end.
    package final func exchangeTrace(with log: inout TraceLog, at now: Instant) {
        self.now = now
        swap(&trace, &log)
        if windowList.hadSecureWindow { trace.hidesPositions = true }
    }

    /// Whether a window of the application is or was secure, so that no position of a touch may leave the app.
    final var hadSecureWindow: Bool { windowList.hadSecureWindow }

    /// Redacts positions from the trace from now on, because a window of the application is secure.
    final func redactPositions() {
        windowList.becomeSecure()
        trace.hidesPositions = true
    }

    // MARK: Delegate and life cycle

    /// The delegate, which the application does not retain. A delegate in `keptDelegate` is retained.
    open var delegate: (any UIApplicationDelegate)? {
        get { cycle.ownedDelegate ?? cycle.weakDelegate }
        set { cycle.setDelegate(newValue) }
    }

    /// The delegate that AppCore made. The application retains it, because no other object does.
    package final var keptDelegate: (any UIApplicationDelegate)? {
        get { cycle.ownedDelegate }
        set { cycle.ownedDelegate = newValue }
    }
    /// The state of the app. It changes before a `did` method of the delegate and after a `will` method.
    open var applicationState: State { cycle.state }

    /// Makes the delegate of the scene; nil if the app uses no scene delegate. On iOS Info.plist names the class.
    package final var makeSceneDelegate: (() -> any UISceneDelegate)? {
        get { scene.makeDelegate }
        set { scene.makeDelegate = newValue }
    }

    /// Launches the app without a URL: the delegate's launch methods run, in which the app shows its windows.
    package func launch() { launch(opening: nil) }

    final func applicationDidLaunch() { cycle.didLaunch() }

    /// The scene if it has a delegate, which then receives the life cycle instead of the application's delegate.
    final var connectedScene: UIWindowScene? { scene.sceneWithDelegate }

    /// The one scene, if it has a delegate; otherwise the set is empty.
    open var connectedScenes: Set<UIScene> { connectedScene.map { [$0] } ?? [] }

    /// Sets `applicationState` and calls the scene's delegate, or the application's delegate if the scene has none.
    package func changeLifeCycle(_ change: LifeCycleChange) {
        let scene = connectedScene
        emit(.app(.lifeCycle(change, scene?.delegate == nil || change == .willTerminate ? nil : scene)))
        cycle.begin(change)
        if let scene, let delegate = scene.delegate {
            report(change, to: delegate, of: scene)
        } else {
            reportToDelegate(change)
        }
        cycle.end(change)
    }

    private func reportToDelegate(_ change: LifeCycleChange) {
        switch change {
        case .didBecomeActive: delegate?.applicationDidBecomeActive(self)
        case .willResignActive: delegate?.applicationWillResignActive(self)
        case .didEnterBackground: delegate?.applicationDidEnterBackground(self)
        case .willEnterForeground: delegate?.applicationWillEnterForeground(self)
        case .willTerminate: delegate?.applicationWillTerminate(self)
        }
    }

    private func report(_ change: LifeCycleChange, to sceneDelegate: any UISceneDelegate, of scene: UIScene) {
        switch change {
        case .didBecomeActive: sceneDelegate.sceneDidBecomeActive(scene)
        case .willResignActive: sceneDelegate.sceneWillResignActive(scene)
        case .didEnterBackground: sceneDelegate.sceneDidEnterBackground(scene)
        case .willEnterForeground: sceneDelegate.sceneWillEnterForeground(scene)
        case .willTerminate: delegate?.applicationWillTerminate(self)
        }
    }

    // MARK: Windows

    /// The screens of the device, the main screen first.
    final var screens: [UIScreen] { scene.screens }
    /// The screen that the app's scene is on.
    package final var screen: UIScreen { scene.screen }

    /// The frame of the app's scene on its display, in points.
    package final var sceneFrame: CGRect { scene.frame }

    /// The orientation of the interface.
    package final var orientation: InterfaceOrientation { screen.orientation }

    /// The bounds of the scene in the orientation of the interface. Windows and touches have positions in this rectangle.
    package final var sceneBounds: CGRect { scene.bounds }

    /// The orientations that the settings allow, as Info.plist does on iOS. A turn to another orientation is refused before
    /// the application receives it.
    open func supportedInterfaceOrientations(for window: UIWindow?) -> UIInterfaceOrientationMask {
        settings.display.orientations.reduce(into: []) { $0.insert(UIInterfaceOrientationMask($1)) }
    }

    /// Moves, resizes or turns the scene. A window that filled the scene before fills it afterwards.
    package final func moveScene(to frame: CGRect, orientation: InterfaceOrientation) {
        let old = sceneBounds
        scene.move(to: frame, orientation)
        let new = sceneBounds
        guard old != new else { return }
        for window in windows where window.frame == old { window.frame = new }
    }

    /// The frame for a new window: a frame equal to the main screen becomes the scene's bounds on another screen.
    final func windowFrame(for frame: CGRect) -> CGRect { scene.windowFrame(frame) }

    /// The edges at which the app defers system gestures.
    ///
    /// The frontmost window with a root view controller decides. From that controller the search goes to the last
    /// controller in the chain of presentations, and from there along `childForScreenEdgesDeferringSystemGestures`.
    package final var deferredEdges: UIRectEdge {
        for window in windows.reversed() {
            guard var controller = window.rootViewController else { continue }
            while let presented = controller.presentedViewController { controller = presented }
            // The search ends at a controller that names itself. The limit ends a cycle of controllers that name each other.
            for _ in 0..<64 {
                guard let child = controller.childForScreenEdgesDeferringSystemGestures, child !== controller else {
                    break
                }
                controller = child
            }
            return controller.preferredScreenEdgesDeferringSystemGestures.intersection(.all)
        }
        return []
    }

    /// The number for a new window, unique in this application.
    final func nextWindowNumber() -> UInt32 { windowList.nextNumber() }

    /// The windows that are shown, back to front: by level, then in the order in which they were shown.
    open var windows: [UIWindow] {
        if let known = windowList.ordered { return known }
        let ordered = windowList.sorted()
        windowList.cacheOrder(ordered)
        return ordered
    }

    final func windowLevelsChanged() { windowList.levelsChanged() }

    /// The scene of the application, made when it is first read.
    package final var windowScene: UIWindowScene {
        if let known = scene.object { return known }
        let made = UIWindowScene(application: self)
        scene.object = made
        return made
    }

    /// The window that receives events without a position: keys, motion, remote control.
    open internal(set) var keyWindow: UIWindow? {
        get { windowList.key }
        set { windowList.key = newValue }
    }

    final func adopt(_ window: UIWindow) { windowList.add(window) }

    final func forget(_ window: UIWindow) { windowList.remove(window) }

    /// Moves the window in front of the other windows of its level.
    final func show(_ window: UIWindow) { windowList.show(window) }

    final func hide(_ window: UIWindow) {
        windowList.hide(window)
        if keyWindow === window { window.loseKeyStatus() }
    }

    // MARK: Events

    /// Delivers one event of the application's queue: hit test, collection of recognizers, `sendEvent`, clean-up.
    ///
    /// A caller must not call this function while it runs: a nested loop leaves touches in the queue until the outer event
    /// is done. (S97)
    ///
    /// - Parameter merged: Frames since the last event in which touches only moved, oldest first. (B15.1)
    /// - Returns: The touches of the event in each phase; zeros if the frame concerned no window.
    package func deliver(_ frame: TouchFrame, merging merged: TouchList = TouchList()) -> TouchCounts {
        touchTracker.deliver(frame, merging: merged, in: self)
    }

    /// Whether an event or an update of the recognizers is in progress, so that another event has to wait.
    package var isDelivering: Bool { touchTracker.isDelivering || gestures.isUpdating }

    /// Whether no recognizer is active and no touch is held from its view.
    package var isGestureIdle: Bool { gestures.isIdle }

    /// Sends the event to each window that has a touch of the event, once, in the order of landing.
    open func sendEvent(_ event: UIEvent) {
        guard event.type == .touches else { return devices.send(event, from: self) }
        // Nearly every event has one touch.
        if event.touches.count == 1 {
            if let window = event.touches[0].ownWindow { send(event, to: window) }
            return
        }
        // The loop reads a copy, because an app's code may change the touches of the event while it is delivered.
        let touches = event.touches
        for index in touches.indices {
            guard let window = touches[index].ownWindow,
                index == 0 || !touches[..<index].contains(where: { $0.ownWindow === window })
            else { continue }
            send(event, to: window)
        }
    }

    /// Applies the changes that timers and blocks made to recognizers: the main loop's first step before it waits. (B6.5′)
    package func updateGestures() {
        touchTracker.cancelIfAsked()
        // The handler of a touch can run the loop. The event is then unfinished, and recognizers still hold its touches.
        if !touchTracker.isDelivering { gestures.updateOutsideEvents() }
        // The update above can request a cancellation.
        touchTracker.cancelIfAsked()
    }

    /// Lays out and draws the views and layers that asked for it, and commits the implicit transaction. The main loop calls
    /// it last before it waits.
    package func commitLayout() {
        for window in windows { window.layoutTree() }
        commitLayerLayout()
        commitDisplay()
        transactions.commitImplicit()
    }

    // MARK: Ignoring

    /// Cancels live touches and drops new ones, until `endIgnoringInteractionEvents` was called equally often. (B11.4)
    open func beginIgnoringInteractionEvents() { touchTracker.beginIgnoring() }

    /// Ends one `beginIgnoringInteractionEvents`.
    open func endIgnoringInteractionEvents() { touchTracker.endIgnoring() }

    open var isIgnoringInteractionEvents: Bool { touchTracker.isIgnoring }

    // MARK: Actions

    /// Runs an action on `target`. Without a target, the first responder's chain is searched, or else the sender's. (B10.11)
    ///
    /// - Returns: False if no object in the chain has the action. The application reports no error then.
    @discardableResult
    open func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: UIEvent?) -> Bool {
        let found: AnyObject?
        if let target {
            found = target as AnyObject
        } else {
            let start = keyWindow?.firstResponder ?? sender as? UIResponder
            found = start?.target(forAction: action, withSender: sender) as AnyObject?
        }
        guard let found else { return false }
        guard action.isAnswered(by: found) else {
            // A named target without the action is an error of the app. A target that the search found may lack the action,
            // because an override of `target(forAction:withSender:)` can return any object.
            demand(target == nil, "\(type(of: found)) does not respond to \(action.name)")
            return false
        }
        noteAction(action.name, on: found, sender: sender)
        action.run(on: found, sender: sender, event: event)
        return true
    }

    final func noteAction(_ name: String, on target: AnyObject?, sender: Any?) {
        emit(.action(.runs(name, target: target, sender: sender)))
    }

    // MARK: Chain

    /// The delegate, if it is a responder and neither the application, a view nor a view controller. (B13.1)
    open override var next: UIResponder? { standardNext }

    override var standardNext: UIResponder? {
        guard let responder = delegate as? UIResponder, responder !== self, !(responder is UIView),
            !(responder is UIViewController)
        else { return nil }
        return responder
    }

    /// Notes that no responder handled the press, so that it may be typed. The application ends every responder chain,
    /// except for its delegate.
    open override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        devices.presses.isUnhandled = true
        super.pressesBegan(presses, with: event)
    }

    // MARK: Search by name

    /// The first shown window with this accessibility identifier, or nil.
    package func window(named name: String) -> UIWindow? {
        windowList.shown.first { $0.accessibilityIdentifier == name }
    }

    /// The first view with this name in the shown windows, in the order in which they were shown, outermost view first.
    package func view(named name: String) -> UIView? {
        for window in windowList.shown {
            if let view = window.descendant(named: name) { return view }
        }
        return nil
    }

    /// The recognizer at a path `V.g`: the recognizer named g on the view named V.
    package func gestureRecognizer(named path: String) -> UIGestureRecognizer? {
        let parts = path.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let view = view(named: String(parts[0])) else { return nil }
        return view.gestureRecognizers?.first { $0.name == String(parts[1]) }
    }
}
