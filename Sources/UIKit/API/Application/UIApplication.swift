// UIApplication.swift: the object an app hangs from: its windows, its queue's end, its delegate.
//
// Station   event
// Fed by    AppCore: one `deliver` for each event that leaves the application's queue
// Feeds     TouchTracker, then `sendEvent`, then the windows
// Knows     windows, the touches on them, the delegate. No queue, no loop, no peer, no clock but `now`.
//
// Several may live in one program (a simulator holds several apps, tests run in parallel), so `shared` is the one
// whose code is running: AppCore sets it for the length of a turn.
//
// Sources   documented  UIApplication, UIApplicationDelegate
//           inferred    touches are cancelled where interaction events begin to be ignored (B11.4)

package import Basics
package import Foundation
package import HID
package import Trace

/// How many touches an event carried in each phase: what a receipt tells input-kit.
package struct TouchCounts: Hashable, Sendable {
    package var began = 0, moved = 0, stationary = 0, ended = 0, cancelled = 0
    /// Where a gated touch began: the edges at which the app defers, with UIRectEdge's bits.
    package var deferredEdges: UInt8?

    package init(began: Int = 0, moved: Int = 0, stationary: Int = 0, ended: Int = 0, cancelled: Int = 0) {
        (self.began, self.moved, self.stationary) = (began, moved, stationary)
        (self.ended, self.cancelled) = (ended, cancelled)
    }
}

open class UIApplication: UIResponder {
    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public enum State: Int, Sendable { case active, inactive, background }

    /// What the system server tells an app of its own life.
    package enum LifeCycle: Sendable, CaseIterable {
        case didBecomeActive, willResignActive, didEnterBackground, willEnterForeground, willTerminate
    }

    // MARK: Ours

    package let settings: UIKitSettings
    /// Facts go here. AppCore swaps its outbox's trace in for a turn.
    @exclusivity(unchecked) package final var trace = TraceLog()
    /// The moment of the turn.
    @exclusivity(unchecked) package final var now = Instant.boot
    @exclusivity(unchecked) package final var host = ApplicationHost()
    /// Receives everything UIKit does here. (UIKitEvent.swift)
    package final weak var observer: (any UIKitObserver)? {
        didSet { observationChanged() }
    }
    /// Whether calls of responders and delegates are intercepted, and why. (UIKitCalls.swift)
    @exclusivity(unchecked) private final var interception = Interception()
    private struct Interception {
        /// Whether `observer` was set: reading a weak reference is slow.
        var isObserved = false
        /// Whether a responder has a behavior. (ResponderBehavior.swift)
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
    /// The block of animations whose code is running. (UIView+Animation.swift)
    @exclusivity(unchecked) final var animation: UIViewAnimation?
    @exclusivity(unchecked) private final var windowList = WindowList()
    @exclusivity(unchecked) private final var scene: ApplicationScene
    @exclusivity(unchecked) private final var cycle = ApplicationLifeCycle()
    /// URLs it has others open. (UIApplication+URLs.swift)
    @exclusivity(unchecked) final var requests = URLRequests()

    package init(settings: UIKitSettings = UIKitSettings()) {
        self.settings = settings
        scene = ApplicationScene(settings)
        touchTracker = TouchTracker(settings: settings)
        gestures = GestureEnvironment(order: settings.order)
        super.init()
        touchTracker.application = self
        devices.join(self)
        gestures.application = self
    }

    deinit {
        for event in longLivedEvents { event.interceptor = nil }
        scene.object?.application = nil
        windowList.forgetApplication()
    }

    package final var mainLoop: (any MainLoopScheduling)? {
        get { host.mainLoop }
        set { host.mainLoop = newValue }
    }

    // MARK: Which one

    private struct Current: @unchecked Sendable {
        unowned(unsafe) let application: UIApplication
    }

    @TaskLocal private static var running: Current?

    /// The application whose code is running, if any is.
    package static var current: UIApplication? { running?.application }

    /// Runs `body` as code of this application: `shared` is it for so long.
    package static func with<Result, Failure: Error>(
        _ application: UIApplication, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = $running.withValue(Current(application: application)) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The same for AppCore, which has a turn at every input: nothing generic is made on the way.
    package static func turn(_ application: UIApplication, _ body: () -> Void) {
        $running.withValue(Current(application: application), operation: body)
    }

    open class var shared: UIApplication {
        guard let current else {
            preconditionFailure("UIApplication.shared was asked for outside an application's turn")
        }
        return current
    }

    // MARK: Facts

    /// Notes a fact of this moment.
    package final func note(
        _ station: Station, _ template: StaticString, _ a: Int64 = 0, _ b: Int64 = 0, _ c: Int64 = 0, _ d: Int64 = 0
    ) {
        trace.note(now, station, template, a, b, c, d)
    }

    /// Begins a turn, with its trace, or ends it and gives the trace back.
    package final func exchange(_ log: inout TraceLog, at now: Instant) {
        self.now = now
        swap(&trace, &log)
        if windowList.hadSecureWindow { trace.hidesPlaces = true }
    }

    /// One of its windows is secure.
    final func keepPlacesSecret() {
        windowList.becomeSecure()
        trace.hidesPlaces = true
    }

    // MARK: Delegate and life cycle

    /// Not kept by the application; see `keptDelegate`.
    open var delegate: (any UIApplicationDelegate)? {
        get { cycle.keptDelegate ?? cycle.looseDelegate }
        set { cycle.setDelegate(newValue) }
    }

    /// The delegate AppCore made: no other object holds it, so the application does.
    package final var keptDelegate: (any UIApplicationDelegate)? {
        get { cycle.keptDelegate }
        set { cycle.keptDelegate = newValue }
    }
    open var applicationState: State { cycle.state }

    /// Makes the delegate of the one scene, where the app has one: on iOS Info.plist names its class.
    package final var makeSceneDelegate: (() -> any UISceneDelegate)? {
        get { scene.makeDelegate }
        set { scene.makeDelegate = newValue }
    }

    /// Tells the delegate that the app is up. It shows its windows from here.
    package func launch() { launch(opening: nil) }

    final func applicationDidLaunch() { cycle.didLaunch() }

    /// With a delegate of its own it hears what the application's delegate otherwise does.
    final var connectedScene: UIWindowScene? { scene.connected }

    /// The one there is, where it has a delegate.
    open var connectedScenes: Set<UIScene> { connectedScene.map { [$0] } ?? [] }

    package func lifeCycle(_ change: LifeCycle) {
        let scene = connectedScene
        emit(.app(.lifeCycle(change, scene?.delegate == nil || change == .willTerminate ? nil : scene)))
        cycle.begin(change)
        if let scene, let delegate = scene.delegate { tell(change, to: delegate, of: scene) } else { tell(change) }
        cycle.end(change)
    }

    private func tell(_ change: LifeCycle) {
        switch change {
        case .didBecomeActive: delegate?.applicationDidBecomeActive(self)
        case .willResignActive: delegate?.applicationWillResignActive(self)
        case .didEnterBackground: delegate?.applicationDidEnterBackground(self)
        case .willEnterForeground: delegate?.applicationWillEnterForeground(self)
        case .willTerminate: delegate?.applicationWillTerminate(self)
        }
    }

    private func tell(_ change: LifeCycle, to sceneDelegate: any UISceneDelegate, of scene: UIScene) {
        switch change {
        case .didBecomeActive: sceneDelegate.sceneDidBecomeActive(scene)
        case .willResignActive: sceneDelegate.sceneWillResignActive(scene)
        case .didEnterBackground: sceneDelegate.sceneDidEnterBackground(scene)
        case .willEnterForeground: sceneDelegate.sceneWillEnterForeground(scene)
        case .willTerminate: delegate?.applicationWillTerminate(self)
        }
    }

    // MARK: Windows

    /// The main one first.
    final var screens: [UIScreen] { scene.screens }
    /// The one its scene is on.
    package final var screen: UIScreen { scene.screen }

    /// Where on the display the app's scene is.
    package final var sceneFrame: CGRect { scene.frame }

    /// Which way up the interface is.
    package final var orientation: InterfaceOrientation { screen.orientation }

    /// Windows and touches are placed in it: the scene as the interface has it.
    package final var sceneBounds: CGRect { scene.bounds }

    /// Those its Info.plist would name. A turn to any other is refused before the app hears of it.
    open func supportedInterfaceOrientations(for window: UIWindow?) -> UIInterfaceOrientationMask {
        settings.display.orientations.reduce(into: []) { $0.insert(UIInterfaceOrientationMask($1)) }
    }

    /// The scene is somewhere else, of another size or another way up: windows that filled it go on filling it.
    package final func sceneMoved(to frame: CGRect, _ orientation: InterfaceOrientation) {
        let old = sceneBounds
        scene.move(to: frame, orientation)
        let new = sceneBounds
        guard old != new else { return }
        for window in windows where window.frame == old { window.frame = new }
    }

    /// A window made to fill the device's own screen fills the scene, where that is on another one.
    final func windowFrame(_ frame: CGRect) -> CGRect { scene.windowFrame(frame) }

    /// Edges at which the topmost controller defers the system's gestures: of the frontmost window that has one, what it
    /// presents, and of that the child that it names.
    package final var deferredEdges: UIRectEdge {
        for window in windows.reversed() {
            guard var controller = window.rootViewController else { continue }
            while let presented = controller.presentedViewController { controller = presented }
            // One that names itself, or its namer, is asked itself.
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

    /// Of one more window.
    final func nextWindowNumber() -> UInt32 { windowList.nextNumber() }

    /// Those that are shown, back to front: by level, then by order of showing.
    open var windows: [UIWindow] {
        if let known = windowList.ordered { return known }
        let ordered = windowList.sorted()
        windowList.know(ordered)
        return ordered
    }

    final func windowLevelsChanged() { windowList.levelsChanged() }

    /// The one scene, made when first asked for.
    package final var windowScene: UIWindowScene {
        if let known = scene.object { return known }
        let made = UIWindowScene(application: self)
        scene.object = made
        return made
    }

    open internal(set) var keyWindow: UIWindow? {
        get { windowList.key }
        set { windowList.key = newValue }
    }

    final func adopt(_ window: UIWindow) { windowList.adopt(window) }

    final func forget(_ window: UIWindow) { windowList.forget(window) }

    /// Puts the window in front of those of its level.
    final func show(_ window: UIWindow) { windowList.show(window) }

    final func hide(_ window: UIWindow) {
        windowList.hide(window)
        if keyWindow === window { window.giveUpKey() }
    }

    // MARK: Events

    /// One event of the application's queue, whole: hit test, collection of recognisers, `sendEvent`, clean-up.
    ///
    /// Not to be called while it runs: a nested loop leaves touches in the queue until the outer one is done. (S97)
    ///
    /// - Parameter merged: What the device saw before, since the last event: frames in which fingers only moved, oldest
    ///   first. (B15.1)
    /// - Returns: What the event carried; zeros when nothing of the frame concerned a window.
    package func deliver(_ frame: TouchFrame, merging merged: [TouchFrame] = []) -> TouchCounts {
        touchTracker.deliver(frame, merging: merged)
    }

    /// Whether an event, or an update of the recognisers, is at work: another event has to wait.
    package var isDelivering: Bool { touchTracker.isDelivering || gestures.isUpdating }

    /// Whether no recogniser is at work and no touch is kept from its view.
    package var isGestureIdle: Bool { gestures.isIdle }

    open func sendEvent(_ event: UIEvent) {
        guard event.type == .touches else { return devices.send(event, from: self) }
        // Each window once, in order of landing. A copy: this event's touches are this event's.
        let touches = event.touches
        for (index, touch) in touches.enumerated() {
            guard let window = touch.window, !touches[..<index].contains(where: { $0.window === window }) else {
                continue
            }
            send(event, to: window)
        }
    }

    /// UIKit's one place from which a window receives an event.
    @inline(__always)
    final func send(_ event: UIEvent, to window: UIWindow) {
        emit(.input(.windowSends(window, event)))
        window.sendEvent(event)
    }

    /// What the main loop does before it waits, first: what timers and blocks have changed takes effect. (B6.5′)
    package func updateGestures() {
        touchTracker.cancelIfAsked()
        // A touch's handler runs the loop: its event is not done with what recognisers hold.
        if !touchTracker.isDelivering { gestures.updateOutsideEvents() }
        // What was asked for in the middle of that.
        touchTracker.cancelIfAsked()
    }

    /// What the main loop does before it waits, last: lays out what has asked for it.
    package func commitLayout() {
        for window in windows { window.layoutTree() }
    }

    // MARK: Ignoring

    /// New touches are dropped, and live ones cancelled, until as many `endIgnoringInteractionEvents`. (B11.4)
    open func beginIgnoringInteractionEvents() { touchTracker.beginIgnoring() }

    open func endIgnoringInteractionEvents() { touchTracker.endIgnoring() }

    open var isIgnoringInteractionEvents: Bool { touchTracker.isIgnoring }

    // MARK: Actions

    /// Runs an action on `target`, or on the first object that has it. (B10.11)
    ///
    /// - Returns: False, silently, when nobody has it.
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
            // Whoever was named must have it. (An object that offers a target which has not is no better.)
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

    /// The delegate, if it is a responder that is none of the chain's other kinds. (B13.1)
    open override var next: UIResponder? {
        guard let responder = delegate as? UIResponder, responder !== self, !(responder is UIView),
            !(responder is UIViewController)
        else { return nil }
        return responder
    }

    /// The end of every chain but the delegate's: a press that comes here was nobody's, and may be typed.
    open override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        devices.presses.isUnhandled = true
        super.pressesBegan(presses, with: event)
    }

    // MARK: By name

    /// The first shown window of this name, or nil.
    package func window(named name: String) -> UIWindow? {
        windowList.shown.first { $0.accessibilityIdentifier == name }
    }

    /// The first view of this name in the shown windows, in order of showing, outermost first.
    package func view(named name: String) -> UIView? {
        for window in windowList.shown {
            if let view = window.descendant(named: name) { return view }
        }
        return nil
    }

    /// `V.g`: the recogniser named g on the view named V.
    package func gestureRecognizer(named path: String) -> UIGestureRecognizer? {
        let parts = path.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let view = view(named: String(parts[0])) else { return nil }
        return view.gestureRecognizers?.first { $0.name == String(parts[1]) }
    }
}
