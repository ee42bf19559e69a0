// RecordedRun.swift: a run with what its apps showed and the way of each scan.
//
//     World, ReplayedGroup ─ occurrences ─▶ RunRecording ─┬─ ways of scans
//                          └ trees, when they are due ────┴─ changes of the screen
//
// Input     `touchline report`
// Output    RecordedRun
// Knows     occurrences and trees. No page.
//
// Sources   invented

public import Basics
import Hosting
import Settings
import ViewTrees
import Wire

/// The facts of a run, what its apps showed, and the ways of its scans.
public struct RecordedRun: Sendable {
    public var observed: ObservedRun
    public var screens: [ScreenChange]
    /// The number of changes of the screen beyond the limit.
    public var omittedScreenCount: Int
    public var ways: [EventWay]
    /// The size of the main display in points.
    public var width, height: Double
    /// Whether the times are those of a simulator, in which no step takes time.
    public var isVirtual: Bool

    /// Plays a scenario on a virtual clock.
    ///
    /// - Throws: `PlaybackFailure`, or the error of a setting.
    public init(of scenario: Scenario) throws {
        let recording = RunRecording()
        var play = try SimulatedPlay(scenario)
        play.recording = recording
        let observed = try play.observe()
        self.init(
            observed, recording, isVirtual: true, width: scenario.scene.screen.width,
            height: scenario.scene.screen.height)
    }

    /// Replays the journals of a group.
    ///
    /// - Throws: `ReplayError` for a folder without journals, or of another version.
    public init(
        journals folder: String, programs: ReplayPrograms = ReplayPrograms(),
        onStep: (UInt64, Instant) -> Void = { _, _ in }
    ) throws(ReplayError) {
        let recording = RunRecording()
        let observed = try ObservedRun(
            journals: folder, programs: programs, recording: recording, onStep: onStep)
        let settings = observed.settings ?? Settings()
        self.init(
            observed, recording, isVirtual: false, width: settings[.screenWidth], height: settings[.screenHeight])
    }

    /// Makes a run of values that were gathered elsewhere, as from a running group.
    public init(
        _ observed: ObservedRun, screens: [ScreenChange] = [], ways: [EventWay] = [], isVirtual: Bool = false,
        width: Double, height: Double
    ) {
        (self.observed, self.screens, self.ways, omittedScreenCount) = (observed, screens, ways, 0)
        (self.width, self.height, self.isVirtual) = (width, height, isVirtual)
    }

    private init(
        _ observed: ObservedRun, _ recording: RunRecording, isVirtual: Bool, width: Double, height: Double
    ) {
        self.observed = observed
        (screens, omittedScreenCount) = (recording.screens.changes, recording.screens.omittedCount)
        ways = recording.ways
        (self.width, self.height, self.isVirtual) = (width, height, isVirtual)
    }
}

/// Collects ways and screens while a run is played or replayed. It is a class, because the observer of a world and the
/// play share it.
final class RunRecording {
    private(set) var ways: [EventWay] = []
    private(set) var screens = ScreenRecorder()

    /// The apps that have had a step since their last tree.
    private var pending: [(app: AppID, since: Instant)] = []
    private var latest: [AppID: Instant] = [:]
    private var touched: Set<AppID> = []

    /// The shortest time between two trees of one app without a touch event.
    private static let frame = Duration.nanoseconds(16_666_666)

    func add(_ occurrence: Occurrence) {
        switch occurrence {
        case .began, .lost: return
        case .ended(let instance, let moment, _):
            guard let app = instance.peer.app else { return }
            pending.removeAll { $0.app == app }
            screens.record(nil, of: app, at: moment)
        case .step(let step):
            if let app = step.process.peer.app { note(step, of: app) }
            if step.process.peer == .systemServer { noteReceipts(step) }
        }
    }

    private func note(_ step: Step, of app: AppID) {
        if !pending.contains(where: { $0.app == app }) { pending.append((app, step.at)) }
        guard case .frame(let frame, from: _) = step.input else { return }
        switch frame.message {
        case .touches, .input, .scene, .lifeCycle: touched.insert(app)
        default: return
        }
    }

    private func noteReceipts(_ step: Step) {
        if case .frame(let frame, from: let peer) = step.input, case .handled(let receipt) = frame.message {
            ways.append(EventWay(ledger: frame.ledger, app: peer.app, receipt: receipt))
        }
        for case .send(let frame, to: .inputKit) in step.effects {
            guard case .handled(let receipt) = frame.message, receipt.outcome != .delivered else { continue }
            ways.append(EventWay(ledger: frame.ledger, app: nil, receipt: receipt))
        }
    }

    // MARK: Trees

    /// Records the trees that are due after the steps of a moment.
    func captureTrees(at moment: Instant, _ tree: (AppID) -> ViewTree?) {
        for (app, _) in pending where touched.contains(app) || isDue(app, at: moment) {
            capture(app, at: moment, tree)
        }
    }

    /// Records the trees that become due before a moment at which something happens next.
    func captureTrees(before moment: Instant, _ tree: (AppID) -> ViewTree?) {
        for (app, since) in pending where isDue(app, at: moment) { capture(app, at: since, tree) }
    }

    /// Records the trees at the end of a run.
    func captureLastTrees(_ tree: (AppID) -> ViewTree?) {
        for (app, since) in pending { capture(app, at: since, tree) }
    }

    private func isDue(_ app: AppID, at moment: Instant) -> Bool {
        latest[app].map { moment >= $0.advanced(by: Self.frame) } ?? true
    }

    private func capture(_ app: AppID, at moment: Instant, _ tree: (AppID) -> ViewTree?) {
        pending.removeAll { $0.app == app }
        touched.remove(app)
        latest[app] = moment
        guard let tree = tree(app) else { return }
        screens.record(tree, of: app, at: moment)
    }
}
