// Scenario.swift: a screen of views, a finger script and the lines that must be observed, as values.
//
// Fed by    ScenarioParser
// Feeds     SceneBuilder (the tree), the runners (script, modes, settings), Checker (expectation)
// Knows     the words of the language. No YAML, no view, no process.

public import Wire

/// One conformance file.
public struct Scenario: Sendable {
    public var file: String
    public var id: String
    public var title: String
    /// Tags of SEMANTICS 0.1.
    public var source: [String]
    public var kind: Kind
    public var scene: Scene
    /// In the order `Mode.allCases` has.
    public var modes: [Mode]
    /// What the cores and the window print besides the views.
    public var probes: [ProbeWord]
    public var config: [Setting]
    /// What each app has for itself, from app 1 on: its display, its schemes.
    public var apps: [[Setting]] = []
    /// Which display the script's fingers are on.
    public var display: UInt8 = 1
    /// What becomes of an order that iOS does not specify.
    public var order = DeliveryOrder.deterministic
    public var script: Script
    /// No lines in a draft without `expect:`.
    public var expectation: Expectation

    public enum Kind: String, CaseIterable, Sendable { case golden, reconstructed, prose, derived }

    /// Where a scenario runs. All three must give the same lines.
    public enum Mode: String, CaseIterable, Sendable {
        /// The app core alone, virtual clock.
        case direct
        /// All cores, virtual clock.
        case simulated
        /// The real process group over ZeroMQ.
        case processes
    }

    public enum ProbeWord: String, CaseIterable, Sendable {
        /// `loop` is source1, wake, source0, timers, mainQueue and beforeWaiting; the other phases have `loopPhases`.
        case app, server, loop, sendEvent
        /// `touchesShouldBegin`, `touchesShouldCancel` of every scroll view.
        case scroll
        /// `loop mode=tracking`: the main loop goes on in another mode. Invented, for S26.
        case loopMode
        /// Every word a main loop has: invented.
        case loopPhases
        /// `input emit`: invented, SEMANTICS S85 names the line and no word for it.
        case input
        /// `sendEvent UIApplication`: invented, for S85. `sendEvent` is the windows' alone.
        case applicationSendEvent
        /// Each line of an app begins with its name, `app2 touchesBegan V`: invented, for several apps on one screen.
        case process
    }
}

/// What the screen shows: the part of a scenario that `Config/Scenes` files hold too.
public struct Scene: Sendable {
    /// Points.
    public var screen: (width: Double, height: Double)
    /// In order of showing.
    public var windows: [WindowSpec]
    public var app: AppSpec

    public init(screen: (width: Double, height: Double), windows: [WindowSpec], app: AppSpec) {
        (self.screen, self.windows, self.app) = (screen, windows, app)
    }
}

public struct AppSpec: Sendable {
    /// Actions the application's delegate implements.
    public var delegateResponds: [String] = []
    /// Whether its scene has a delegate, which is told of its life and of URLs.
    public var hasSceneDelegate = false
}

public struct WindowSpec: Sendable {
    /// The window itself.
    public var view: ViewSpec
    public var level: Double = 0
    public var controller: ControllerSpec?
    /// The controller's root view, or the window's child.
    public var root: ViewSpec?
    /// Whether the controller stands in a UINavigationController (S07).
    public var navigation = false
}

public struct ControllerSpec: Sendable {
    public var name: String
    public var className: String = "UIViewController"
    public var place: Place
    public var classPlace: Place
    public var responds: [String] = []
    public var touches: Forwarding?
    public var probe: [ViewProbe] = []
    public var probePosition: ProbePosition = .before
    /// Edges at which it defers the system's gestures.
    public var defers: [GestureSpec.ScreenEdge] = []
}

public enum Forwarding: String, CaseIterable, Sendable { case forward, consume }
public enum ProbePosition: String, CaseIterable, Sendable { case before, after }

/// Which lines a view or a controller prints.
public enum ViewProbe: String, CaseIterable, Sendable {
    case hitTest, pointInside, touches, control, events, shouldBegin, chain, select
    /// Entering lines only.
    case hitTestEntering = "hitTest>"
    case pointInsideEntering = "pointInside>"
    case touchesBegan, touchesMoved, touchesEnded, touchesCancelled
    /// What the event holds in `hitTest` and in a window's `sendEvent`: invented, for S03 and S04.
    case event
    /// Frame, transform and interaction, whenever one has changed: invented, for S13 and S18.
    case state
    /// Presses and motion, which have no line in SEMANTICS 0.2 but those S98 and S99 imply.
    case presses, motion
    /// A scroll view's delegate calls with their numbers, without didScroll; that one; all but it without numbers.
    /// Invented, for S26 to S28 and S92.
    case scrolling, didScroll, scrollingOrder
    /// After each touch line: coalesced and predicted touches. Invented, for S95.
    case coalesced
    /// A control's value, at the end of its action lines. Invented.
    case value
}

public struct ViewSpec: Sendable {
    public var name: String
    public var className: String
    public var place: Place
    public var classPlace: Place

    /// x, y, width, height, points, in the superview.
    public var frame: [Double]?
    public var bounds: [Double]?
    public var transform: TransformSpec?
    public var alpha: Double?
    public var hidden: Bool?
    public var userInteractionEnabled: Bool?
    public var multipleTouchEnabled: Bool?
    public var exclusiveTouch: Bool?
    public var clipsToBounds: Bool?
    /// Controls.
    public var enabled: Bool?

    // Scroll views and tables.
    public var contentSize: [Double]?
    public var delaysContentTouches: Bool?
    public var canCancelContentTouches: Bool?
    public var contentOffset: [Double]?
    public var scrollEnabled: Bool?
    public var pagingEnabled: Bool?
    public var bounces: Bool?
    public var rows: Int?
    public var rowHeight: Double?

    // Stacks.
    public var axis: StackAxis?
    /// Points.
    public var spacing: Double?

    // Controls with something to choose.
    public var segments: Int?
    public var pages: Int?
    /// A slider's, a stepper's; of a switch 0 or 1.
    public var value: Double?

    public var probe: [ViewProbe] = []
    public var probePosition: ProbePosition = .before
    public var touches: Forwarding?
    /// Top, left, bottom, right; positive grows the hit area. Points.
    public var hitInsets: [Double]?
    public var passThrough = false
    public var pointInsideAlso: [String] = []
    public var shouldBegin: Bool?
    public var beginTracking: Bool?
    public var continueTracking: Bool?
    public var responds: [String] = []
    /// `nil` ends the chain here.
    public var next: String?
    public var drag = false
    /// Becomes first responder when the scene is shown.
    public var firstResponder = false
    public var on: [ControlAction] = []
    public var gestures: [GestureSpec] = []
    public var subviews: [ViewSpec] = []

    public enum StackAxis: String, CaseIterable, Sendable { case horizontal, vertical }

    init(name: String, className: String, place: Place, classPlace: Place) {
        (self.name, self.className, self.place, self.classPlace) = (name, className, place, classPlace)
    }
}

/// Frame first, then bounds, then this, about the centre (SEMANTICS E2.9).
public struct TransformSpec: Hashable, Sendable {
    /// Degrees, clockwise on the screen.
    public var rotate: Double = 0
    public var scale: [Double] = [1, 1]
    /// Points.
    public var translate: [Double] = [0, 0]
}

/// What a control does when an event bit is sent.
public struct ControlAction: Hashable, Sendable {
    /// `touchUpInside`.
    public var event: String
    public var action: String
    public var target: Target
    /// The action runs the main loop once, in its default mode (S97).
    public var runsLoop = false
    /// How the program goes wrong in it; nil for one that does not (PIPELINE F19).
    public var failure: Failure?

    /// The process ends; or the action never does.
    public enum Failure: String, CaseIterable, Sendable { case trap, loop }

    public enum Target: Hashable, Sendable {
        /// The control itself: prints `action V.name`.
        case own
        /// Nil: looked for along the responder chain.
        case chain
        /// Another responder of the scene.
        case named(String)
    }
}

public struct GestureSpec: Sendable {
    public var name: String
    public var className: String
    public var place: Place
    public var taps: Int?
    public var touches: Int?
    public var minimumTouches: Int?
    public var maximumTouches: Int?
    public var minimumPressDuration: Double?
    public var allowableMovement: Double?
    public var direction: [SwipeDirection]?
    public var edges: [ScreenEdge]?
    public var enabled: Bool?
    public var cancelsTouchesInView: Bool?
    public var delaysTouchesBegan: Bool?
    public var delaysTouchesEnded: Bool?
    /// `V.g`.
    public var requireToFail: [Placed]
    /// Buttons of a remote, by UIPress's names.
    public var pressTypes: [String]?
    /// What a scripted recogniser sets its state to, one after the other, in each of its methods (S57).
    public var sets: [GestureProbe: [GestureState]] = [:]
    /// A scripted recogniser gives back what comes after so many touches (S58).
    public var ignoresAfter: Int?
    public var probe: [GestureProbe] = []
    /// Nil is SEMANTICS 0.2's way: `touchesBegan` and `touchesMoved` before super, the others after, with the state.
    public var probePosition: ProbePosition?
    /// What an action line says; nil attaches no target.
    public var action: String?
    public var logState = false
    public var logTranslation = false
    public var delegate: GestureDelegateSpec?

    public struct Placed: Hashable, Sendable {
        public var name: String
        public var place: Place
    }
    public enum SwipeDirection: String, CaseIterable, Sendable { case right, left, up, down }
    public enum ScreenEdge: String, CaseIterable, Sendable { case top, left, bottom, right, all }
}

/// Which of its own methods a recogniser prints.
public enum GestureProbe: String, CaseIterable, Sendable {
    case touches, touchesBegan, touchesMoved, touchesEnded, touchesCancelled, presses, reset
}

/// `UIGestureRecognizer.State`, in words.
public enum GestureState: String, CaseIterable, Sendable { case possible, began, changed, ended, cancelled, failed }

/// A method whose answer is nil is not implemented: default behaviour, no line.
public struct GestureDelegateSpec: Sendable {
    /// The object's name in `by=`. A delegate named as the view is the view.
    public var name: String
    public var log: [Question] = []
    /// Print what the touch's list holds before each `shouldReceive` line: invented, for S04.
    public var logRecognizers = false
    public var shouldReceive: Bool?
    public var shouldBegin: Bool?
    public var simultaneous: Answer?
    public var requireFailure: Answer?
    public var requiredBy: Answer?

    public enum Question: String, CaseIterable, Sendable {
        case shouldReceive, shouldBegin, simultaneous, requireFailure, requiredBy
    }
    public enum Answer: Hashable, Sendable {
        case always(Bool)
        /// Yes for these: `V.g`, or `twoTap` for any recogniser that needs two taps.
        case naming([String])
    }
}
