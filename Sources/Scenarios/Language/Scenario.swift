// Scenario.swift: a screen of views, a finger script and the lines that must be observed, as values.
//
// Input     ScenarioParser; the keys are in Keys/ScenarioKeys.swift
// Output    SceneBuilder (the tree), the runners (script, modes, settings), Checker (expectation)
// Knows     the words of the language. No YAML, no view, no process.

public import Basics
public import Wire

/// One conformance file.
public struct Scenario: Sendable {
    public var file: String
    public var id = ""
    public var title = ""
    /// Tags of Docs/Fidelity.md.
    public var source: [String] = []
    public var kind = Kind.derived
    public var scene = Scene(screen: (375, 667), windows: [], app: AppSpec())
    /// In the order `Mode.allCases` has.
    public var modes = Mode.allCases
    /// What the cores and the window print besides the views.
    var probes: [ProbeWord] = []
    public var config: [Setting] = []
    /// What each app has for itself, from app 1 on: its display, its schemes.
    public var apps: [[Setting]] = []
    /// Which display the script's fingers are on.
    public var display: DisplayID = 1
    /// What becomes of an order that iOS does not specify.
    public var order = DeliveryOrder.deterministic
    public var script = Script()
    /// No lines in a draft without `expect:`.
    public var expectation = Expectation()

    init(file: String) { self.file = file }

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

    enum ProbeWord: String, CaseIterable, Sendable {
        /// `loop` is source1, wake, source0, timers, mainQueue and beforeWaiting; the other phases have `loopPhases`.
        case app, server, loop, sendEvent
        /// `touchesShouldBegin`, `touchesShouldCancel` of every scroll view.
        case scroll
        /// `loop mode=tracking`: the main loop goes on in another mode. Invented, for S26.
        case loopMode
        /// Every word a main loop has: invented.
        case loopPhases
        /// `input emit`: invented, S85 names the line and no word for it.
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
    var app: AppSpec

    init(screen: (width: Double, height: Double), windows: [WindowSpec], app: AppSpec) {
        (self.screen, self.windows, self.app) = (screen, windows, app)
    }
}

/// Which lines a view or a controller prints.
enum ViewProbe: String, CaseIterable, Sendable {
    case hitTest, pointInside, touches, control, events, shouldBegin, chain, select
    /// Entering lines only.
    case hitTestEntering = "hitTest>"
    case pointInsideEntering = "pointInside>"
    case touchesBegan, touchesMoved, touchesEnded, touchesCancelled
    /// What the event holds in `hitTest` and in a window's `sendEvent`: invented, for S03 and S04.
    case event
    /// Frame, transform and interaction, whenever one has changed: invented, for S13 and S18.
    case state
    /// Presses and motion, which have no line in Docs/Spec/Semantics.md section 0.2 but those S98 and S99 imply.
    case presses, motion
    /// A scroll view's delegate calls with their numbers, without didScroll; that one; all but it without numbers.
    /// Invented, for S26 to S28 and S92.
    case scrolling, didScroll, scrollingOrder
    /// After each touch line: coalesced and predicted touches. Invented, for S95.
    case coalesced
    /// A control's value, at the end of its action lines. Invented.
    case value
}
