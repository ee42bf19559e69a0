// UIWindow.swift: the root of a tree of views, which divides an event among recognizers and views.
//
// Station   event → responder
// Input     UIApplication.sendEvent
// Output    UIWindow+SendEvent.swift
// Knows     its level, whether it is key, its root view controller, its first responder
//
// Sources   documented  a new window is hidden; `makeKeyAndVisible` moves it in front of its level
//           documented  touches do not depend on the key window (E7)

public import Foundation

/// The root of a tree of views.
open class UIWindow: UIView {
    /// The position of a window in front of or behind other windows. Windows with higher levels are in front.
    public struct Level: Hashable, RawRepresentable, Comparable, Sendable {
        public var rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        public static let normal = Level(0)
        public static let statusBar = Level(1000)
        public static let alert = Level(2000)

        public static func + (level: Level, difference: CGFloat) -> Level { Level(level.rawValue + difference) }
        public static func - (level: Level, difference: CGFloat) -> Level { Level(level.rawValue - difference) }
        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    /// The application clears this pointer before it is freed. Code that reads `application` counts a reference.
    @exclusivity(unchecked) private(set) final var applicationReference: Unmanaged<UIApplication>?
    package final var application: UIApplication? {
        @inline(__always) get { applicationReference?.takeUnretainedValue() }
        set { applicationReference = newValue.map(Unmanaged.passUnretained) }
    }
    /// The first responder of this window. The application uses the key window's. (B13.4)
    package final weak var firstResponder: UIResponder?

    /// The number of the window, unique in its application, by which the server identifies it.
    package private(set) final var number: UInt32 = 0
    /// Whether positions of touches on this window must not leave the app.
    package final var isSecure = false {
        didSet { if isSecure { application?.redactPositions() } }
    }

    /// Whether `windowScene` is not nil, by the settings. A copy, because every event that climbs the responder chain reads it.
    @exclusivity(unchecked) private final var hasWindowScene = false

    /// The gates that delay touches at the screen's edges. They are made when a touch first needs them, and live as long as
    /// the window. (UISystemGestureGateGestureRecognizer.swift)
    final var systemGestureGates: [UISystemGestureGateGestureRecognizer]?

    public override init(frame: CGRect) {
        super.init(frame: UIApplication.current?.windowFrame(for: frame) ?? frame)
        joinApplication()
    }

    public required init?(coder: NSCoder) { nil }

    /// Makes a window as large as the scene's screen.
    public init(windowScene: UIWindowScene) {
        super.init(frame: windowScene.screen.bounds)
        joinApplication()
    }

    private func joinApplication() {
        cachedWindow = self
        super.isHidden = true
        application = UIApplication.current
        application?.adopt(self)
        hasWindowScene = application?.settings.hasWindowScene ?? false
        hitMembership.own = HitIndex(root: self, application?.settings.hitIndex ?? .whenItPays)
        number = application?.nextWindowNumber() ?? 0
    }

    deinit {
        for gate in systemGestureGates ?? [] {
            gate.abandonAttempt()
            gate.attachedView = nil
        }
        application?.forget(self)
    }

    // MARK: Showing

    /// The level of the window, which precedes the order of showing.
    open var windowLevel = Level.normal {
        didSet { application?.windowLevelsChanged() }
    }

    /// Whether the window is hidden. A new window is. Showing it puts it in front of its level.
    open override var isHidden: Bool {
        get { super.isHidden }
        set {
            guard newValue != super.isHidden else { return }
            super.isHidden = newValue
            if newValue {
                application?.hide(self)
                rootViewController?.leaveScreen()
                rootViewController?.presentedViewController?.leaveScreen()
            } else {
                application?.show(self)
                (rootViewController?.presentedViewController ?? rootViewController)?.enterScreen()
            }
        }
    }

    /// Shows the window in front of the other windows of its level, and makes it key.
    open func makeKeyAndVisible() {
        if isHidden { isHidden = false } else { application?.show(self) }
        makeKey()
    }

    /// Makes the window key. The old key window resigns first.
    open func makeKey() {
        guard let application, application.keyWindow !== self else { return }
        application.keyWindow?.loseKeyStatus()
        application.keyWindow = self
        becomeKey()
    }

    final func loseKeyStatus() {
        application?.keyWindow = nil
        resignKey()
    }

    open var isKeyWindow: Bool { application?.keyWindow === self }
    /// Called after the window has become key. A call does not make the window key.
    open func becomeKey() {}
    open func resignKey() {}

    open var screen: UIScreen { application?.screen ?? UIScreen.main }

    /// The scene, if `responder.windowScene` is set; otherwise nil.
    open var windowScene: UIWindowScene? {
        guard hasWindowScene else { return nil }
        return application?.windowScene
    }

    // MARK: Root view controller

    /// The controller whose view fills the window.
    open var rootViewController: UIViewController? {
        didSet {
            guard rootViewController !== oldValue else { return }
            oldValue?.viewIfLoaded?.removeFromSuperview()
            guard let root = rootViewController else { return }
            root.view.frame = bounds
            insertSubview(root.view, at: 0)
        }
    }

    override func sizeDidChange(from old: CGSize) {
        super.sizeDidChange(from: old)
        rootViewController?.viewIfLoaded?.frame = bounds
    }

    // MARK: Geometry

    /// Converts a point to another window's coordinates, or to the screen's if `window` is nil.
    open func convert(_ point: CGPoint, to window: UIWindow?) -> CGPoint {
        let onScreen = pointToSuperview(point)
        return window?.pointFromSuperview(onScreen) ?? onScreen
    }

    open func convert(_ point: CGPoint, from window: UIWindow?) -> CGPoint {
        pointFromSuperview(window?.pointToSuperview(point) ?? point)
    }

    open func convert(_ rect: CGRect, to window: UIWindow?) -> CGRect {
        let onScreen = rectToSuperview(rect)
        return window?.rectFromSuperview(onScreen) ?? onScreen
    }

    open func convert(_ rect: CGRect, from window: UIWindow?) -> CGRect {
        rectFromSuperview(window?.rectToSuperview(rect) ?? rect)
    }

    // MARK: Events

    /// The window scene if there is one, or else the application.
    open override var next: UIResponder? { standardNext }

    override var standardNext: UIResponder? { windowScene ?? application }

    /// Delivers an event: first to recognizers (GestureEnvironment.swift), then to views (UIWindow+SendEvent.swift).
    open func sendEvent(_ event: UIEvent) {
        guard let application else { return }
        guard event.type == .touches else {
            application.devices.handle(event, in: self)
            return
        }
        application.divide(event, in: self)
    }
}
