// AuditOptions.swift: the limits and the settings that a run is judged by.
//
// Input     the runner of an audit; the settings of the group
// Output    Audit
//
// Sources   laws I2 (100 ms live, one step and the link's delay simulated); faults F2 and F3 (300 ms)

public import Basics
public import HID
import Hosting
public import Settings
public import Wire

/// The limits and the settings that a run is judged by.
public struct AuditOptions: Sendable {
    /// A stretch of time in which a fault was applied on purpose.
    public struct Disturbance: Hashable, Sendable {
        public var from: Instant
        public var until: Instant
        /// The target; nil for every process.
        public var peer: Peer?
        /// Whether the fault makes its target slow or mute: a stop, a delay, a clog. Its messages need not be prompt
        /// then.
        public var excusesLateness: Bool
        /// Whether the target's links lose or reorder frames without a record.
        public var explainsLoss: Bool

        public init(
            from: Instant, until: Instant, peer: Peer?, excusesLateness: Bool = true, explainsLoss: Bool = true
        ) {
            (self.from, self.until, self.peer) = (from, until, peer)
            (self.excusesLateness, self.explainsLoss) = (excusesLateness, explainsLoss)
        }
    }

    /// I2: the limit from the cause of a touch's end to its arrival at the app.
    public var terminalBound: Duration
    /// I2: the limit from the end of a process until its peers learn of it.
    public var lossBound: Duration
    /// I2: the limit from the moment at which the server has to report an unresponsive app.
    static let responseBound = Duration.milliseconds(50)
    /// I6: the limit of effects in one step.
    static let outboxLimit = 20_000
    public var group = GroupSettings()
    /// I4: the displays with their geometry and their apps. Nil omits the judgement of positions.
    public var displays: Displays?
    /// The main display, if it is the only one.
    public var screen: ScreenGeometry? {
        get { displays?.geometry(of: 1) }
        set { displays = newValue.map { Displays(main: $0) } }
    }
    /// I4: the initial and the supported orientations of apps.
    public var orientations = Orientations()
    /// I1, I8: `systemGesture.*`, the rules of system gestures; nil if they are off or the screen is unknown.
    public var gestures: Gestures?
    /// I4: `trace.positions`, whether positions are reported because nothing on the screen is secret.
    public var reportsPositions = false
    /// I4: whether the run ended at rest, so that nothing may be in flight.
    public var isAtRest = true
    /// I5: whether latencies are measured and compared. They mean nothing in a simulation.
    public var measuresIsolation: Bool
    /// I3: whether all processes share one clock, so that the stamps of a ledger ascend.
    public var hasOneClock = true
    /// I9: whether a replay compares the effects of the cores with the journals (`Audit.note`).
    public var isReplayed = false
    public var disturbances: [Disturbance] = []
    /// The greatest number of violations kept with their evidence. All are counted.
    public var keptViolationLimit = 64

    public init(terminalBound: Duration, lossBound: Duration, measuresIsolation: Bool, inFlightLimit: Int = 256) {
        (self.terminalBound, self.lossBound) = (terminalBound, lossBound)
        self.measuresIsolation = measuresIsolation
        group.inFlightLimit = inFlightLimit
    }

    /// Takes the limits, the displays and the rules from the group's settings.
    public mutating func apply(_ settings: Settings) {
        applyLimits(settings)
        let topology = settings.topology
        displays = Displays(settings, topology)
        gestures = settings[.systemGestureEnabled] ? Gestures(settings) : nil
        orientations = Orientations(settings, topology)
        reportsPositions = settings[.tracePositions]
    }

    /// Takes the limits only, for a run whose panels may be rotated differently from its screen.
    public mutating func applyLimits(_ settings: Settings) { group = GroupSettings(settings) }

    /// Whether I2 is judged.
    public var judgesPromptness = true

    /// Turns off the laws about timing, for a loaded machine.
    public mutating func ignoreTiming() { (judgesPromptness, measuresIsolation) = (false, false) }

    public static let live = AuditOptions(
        terminalBound: .milliseconds(100), lossBound: .milliseconds(300), measuresIsolation: true)

    /// - Parameter linkDelay: The longest delay of an undisturbed link.
    public static func simulated(linkDelay: Duration) -> AuditOptions {
        AuditOptions(
            terminalBound: linkDelay + linkDelay + .milliseconds(1), lossBound: .milliseconds(300),
            measuresIsolation: false)
    }
}

extension AuditOptions {
    /// The default screen, for a run without a description of one.
    static let defaultDisplays = Displays(main: ScreenGeometry(width: 375, height: 667, rotation: 0))

    /// The settings of the group that the laws refer to.
    public struct GroupSettings: Sendable {
        /// I6: `server.inFlightLimit`.
        public var inFlightLimit = 256
        /// I6: `server.creditWindow`, the greatest number of outstanding frames to an app.
        public var window = 32
        /// I4: `server.staleMoveAge`, the age at which a waiting move is stale; zero for never.
        public var staleness = Duration.milliseconds(250)
        /// I2, I8: `server.responseTimeout`, the time without an answer after which an app is unresponsive; zero for
        /// never.
        public var unresponsiveAfter = Duration.milliseconds(500)
        /// I4: `server.displayRate`, the display frames per second for which moves are held; 0 for none.
        public var display = 0
        /// I4: `server.resample`, whether a frame has the positions at its display frame.
        public var resamples = false
        /// I6: `device.scanRate`, scans per second in which the fingers of one live device only move; 0 for no limit.
        public var moveRate = 1000.0
        /// I6: `device.scanBurst`, the number of such scans at once.
        public var moveBurst = 64
        /// The app for each scheme; nil if that is unknown.
        public var schemes: Schemes?
        /// I2: `server.openURLTimeout`, the time from a request to open a URL to its answer.
        public var openLimit = Duration.seconds(20)
        /// `screenshot.maxInterval`, the greatest time between the two presses of a screenshot.
        public var screenshotWindow = Duration.milliseconds(200)

        init() {}

        init(_ settings: Settings) {
            inFlightLimit = settings[.serverInFlightLimit]
            window = settings[.serverCreditWindow]
            staleness = settings[.serverStaleMoveAge]
            unresponsiveAfter = settings[.serverResponseTimeout]
            display = settings[.serverDisplayRate]
            resamples = settings[.serverResample]
            (moveRate, moveBurst) = (settings[.deviceScanRate], settings[.deviceScanBurst])
            schemes = Self.schemes(settings)
            openLimit = settings[.serverOpenURLTimeout]
            screenshotWindow = settings[.screenshotMaxInterval]
        }

        /// Reads the schemes from a supervisor's settings, which have a topology, or from its children's, which have
        /// the declared schemes of all apps.
        private static func schemes(_ settings: Settings) -> Schemes? {
            if let topology = try? Topology(text: settings[.groupTopology]),
                let all = try? Schemes(settings, topology, apps: UInt32(max(1, topology.apps.count)))
            {
                return all
            }
            return try? Schemes(text: settings[.groupSchemes])
        }
    }

    /// The rules of system gestures.
    public struct Gestures: Sendable {
        /// The distance from an edge, in points, within which a gesture begins.
        public var zone: Fixed
        /// The distance inwards, in points, and the time from the landing in which the finger has to travel it.
        public var distance: Double
        public var limit: Duration
        /// The movement, in points, that still counts as rest, and the duration of a rest.
        public var stillness: Double
        public var hold: Duration
        /// The time that an app has for its answer, and the time within which a second swipe follows the first.
        public var answer: Duration
        public var second: Duration

        public init(_ settings: Settings) {
            zone = Fixed(settings[.systemGestureZone])
            (distance, stillness) = (
                settings[.systemGestureDistance], settings[.systemGestureSwitcherHoldMovement]
            )
            (limit, hold) = (settings[.systemGestureRecognitionTimeout], settings[.systemGestureSwitcherHoldDuration])
            answer = settings[.systemGestureDeferralTimeout]
            second = settings[.systemGestureSecondSwipeTimeout]
        }
    }
}
