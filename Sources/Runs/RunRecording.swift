// RunRecording.swift: what the apps of a run showed and the way of each scan, while it is played or replayed.
//
//     World, ReplayedGroup ─ occurrences ─▶ RunRecording ─┬─ ways of scans
//                          └ trees, when they are due ────┴─ changes of the screen
//
// Input     what plays or replays a run
// Output    RecordedRun
// Knows     occurrences and trees. No page.
//
// Sources   invented

public import Basics
public import Hosting
public import ViewTrees
public import Wire

/// Collects ways and screens while a run is played or replayed. It is a class, because the observer of a world and the
/// play share it.
public final class RunRecording {
    public private(set) var ways: [EventWay] = []
    private(set) var screens = ScreenRecorder()

    /// The apps that have had a step since their last tree.
    private var pending: [(app: AppID, since: Instant)] = []
    private var latest: [AppID: Instant] = [:]
    private var touched: Set<AppID> = []

    /// The shortest time between two trees of one app without a touch event.
    private static let frame = Duration.nanoseconds(16_666_666)

    public init() {}

    /// Adds an occurrence, in causal order.
    public func add(_ occurrence: Occurrence) {
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
        case .touches, .severalTouches, .input, .scene, .lifeCycle: touched.insert(app)
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
    public func captureTrees(at moment: Instant, _ tree: (AppID) -> ViewTree?) {
        for (app, _) in pending where touched.contains(app) || isDue(app, at: moment) {
            capture(app, at: moment, tree)
        }
    }

    /// Records the trees that become due before a moment at which something happens next.
    public func captureTrees(before moment: Instant, _ tree: (AppID) -> ViewTree?) {
        for (app, since) in pending where isDue(app, at: moment) { capture(app, at: since, tree) }
    }

    /// Records the trees at the end of a run.
    public func captureLastTrees(_ tree: (AppID) -> ViewTree?) {
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
