// Scenario.swift: a view tree, a finger script and the expected lines, as values.
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
    /// Tags of Docs/Reference/Fidelity.md.
    public var source: [String] = []
    public var kind = Kind.derived
    public var scene = Scene(screen: (375, 667), windows: [], app: AppSpec())
    /// In the order of `Mode.allCases`.
    public var modes = Mode.allCases
    /// The lines that the cores and the window print in addition to those of views.
    var probes: [CoreProbe] = []
    public var config: [Setting] = []
    /// The settings of each app, from app 1 on: its display, its schemes.
    public var apps: [[Setting]] = []
    /// The display that the script's fingers are on.
    public var display: DisplayID = 1
    /// How orders that iOS does not specify are decided.
    public var order = DeliveryOrder.deterministic
    public var script = Script()
    /// A recording that the fingers of `simulated` mode follow instead of the script's.
    public var recording: PlayedRecording?
    /// The sample app that is shown instead of the scene.
    var sample: String?
    /// Whether a simulated play keeps the ledgers of its scans.
    var keepsLedgers = false
    /// The expected lines; none in a draft without `expect:`.
    public var expectation = Expectation()

    init(file: String) { self.file = file }

    /// The kind of evidence for the expected lines.
    public enum Kind: String, CaseIterable, Sendable { case golden, reconstructed, prose, derived }

    /// The hosts in which a scenario runs. All three must give the same lines.
    public enum Mode: String, CaseIterable, Sendable {
        /// The core of the app alone, on a virtual clock.
        case direct
        /// All cores, on a virtual clock.
        case simulated
        /// The real processes of a group, over ZeroMQ.
        case processes
    }

    /// A group of lines that cores and windows print.
    enum CoreProbe: String, CaseIterable, Sendable {
        /// `loop` is source1, wake, source0, timers, mainQueue and beforeWaiting; `loopPhases` adds the other phases.
        case app, server, loop, sendEvent
        /// `touchesShouldBegin` and `touchesShouldCancel` of every scroll view.
        case scroll
        /// `loop mode=tracking`: the main loop continues in another mode. Invented, for S26.
        case loopMode
        /// Every phase of a main loop; invented.
        case loopPhases
        /// `input emit`; invented, because S85 has the line and no key for it.
        case input
        /// `sendEvent UIApplication`; invented, for S85. `sendEvent` is the line of windows alone.
        case applicationSendEvent
        /// Each line of an app begins with the app's name, `app2 touchesBegan V`; invented, for several apps on one
        /// screen.
        case process
    }
}

/// The view tree of a screen: the part of a scenario that files in `Config/Scenes` contain too.
public struct Scene: Sendable {
    /// The size of the screen in points.
    public var screen: (width: Double, height: Double)
    /// The windows in the order in which they are shown.
    public var windows: [WindowSpec]
    var app: AppSpec

    init(screen: (width: Double, height: Double), windows: [WindowSpec], app: AppSpec) {
        (self.screen, self.windows, self.app) = (screen, windows, app)
    }
}

/// The groups of lines that a view or a controller prints.
enum ViewProbe: String, CaseIterable, Sendable {
    case hitTest, pointInside, touches, control, events, shouldBegin, chain, select
    /// Only the lines at the beginning of a call.
    case hitTestEntering = "hitTest>"
    case pointInsideEntering = "pointInside>"
    case touchesBegan, touchesMoved, touchesEnded, touchesCancelled
    /// The content of the event in `hitTest` and in a window's `sendEvent`; invented, for S03 and S04.
    case event
    /// Frame, transform and interaction whenever one has changed; invented, for S13 and S18.
    case state
    /// Presses and motion. Docs/Spec/Semantics.md section 0.2 has no lines for them, but S98 and S99 imply them.
    case presses, motion
    /// The calls of a scroll view's delegate with their numbers, except didScroll; didScroll alone; all except
    /// didScroll without numbers. Invented, for S26 to S28 and S92.
    case scrolling, didScroll, scrollingOrder
    /// Coalesced and predicted touches after each touch line; invented, for S95.
    case coalesced
    /// The value of a control at the end of its action lines; invented.
    case value
}
