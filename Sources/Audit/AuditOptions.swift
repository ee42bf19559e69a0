// AuditOptions.swift: what a run is held to.
//
// Sources   laws I2 (100 ms live, one step and the link's delay simulated); faults F2 and F3 (300 ms)

public import Basics
public import HID
import Hosting
public import Settings
public import Wire

public struct AuditOptions: Sendable {
    /// A stretch of time in which something was done to somebody on purpose.
    public struct Disturbance: Hashable, Sendable {
        public var from: Instant
        public var until: Instant
        /// Whom it was done to; nil for everybody.
        public var peer: Peer?
        /// Whether it makes them slow or mute, so that nothing they say need be prompt: a stop, a delay, a clog.
        public var excusesLateness: Bool
        /// Whether its links lose frames or turn them round, and nobody says which.
        public var explainsLoss: Bool

        public init(
            from: Instant, until: Instant, peer: Peer?, excusesLateness: Bool = true, explainsLoss: Bool = true
        ) {
            (self.from, self.until, self.peer) = (from, until, peer)
            (self.excusesLateness, self.explainsLoss) = (excusesLateness, explainsLoss)
        }
    }

    /// I2: from its cause to a terminal's arrival at the app.
    public var terminalBound: Duration
    /// I2: from the end of a life to its peers' hearing of it.
    public var lossBound: Duration
    /// I2: from a moment at which the server has to say something to its saying so.
    static let patienceBound = Duration.milliseconds(50)
    /// I6: effects of one step.
    static let outboxLimit = 20_000
    public var group = GroupSettings()
    /// I4: where on its display a place of the glass is, and who is on which; nil leaves out where apps are told that
    /// fingers are.
    public var displays: Displays?
    /// The main one, where it is alone.
    public var screen: ScreenGeometry? {
        get { displays?.geometry(of: 1) }
        set { displays = newValue.map { Displays(main: $0) } }
    }
    /// I4: which way up apps are, and can be.
    public var orientations = Orientations()
    /// I1, I8: `systemGesture.*`, what makes a finger the system's; nil where nothing does, or the screen is not known.
    public var gestures: Gestures?
    /// I4: `trace.places`, whether nothing on the screen is secret.
    public var saysPlaces = false
    /// I4: whether the run was left to come to rest, so that nothing may be in flight at its end.
    public var isAtRest = true
    /// I5: whether latencies are measured and compared. Of a simulation they say nothing.
    public var measuresIsolation: Bool
    /// I3: whether all processes have one clock, so that the stamps of a ledger ascend.
    public var hasOneClock = true
    /// I9: whether somebody compares what the cores answer with what they answered (`Audit.note`).
    public var isReplayed = false
    public var disturbances: [Disturbance] = []
    /// How many violations are kept with their evidence; all are counted.
    public var kept = 64

    public init(terminalBound: Duration, lossBound: Duration, measuresIsolation: Bool, inFlightLimit: Int = 256) {
        (self.terminalBound, self.lossBound) = (terminalBound, lossBound)
        self.measuresIsolation = measuresIsolation
        group.inFlightLimit = inFlightLimit
    }

    /// What the group itself was told, and its screen.
    public mutating func take(_ settings: Settings) {
        takeLimits(settings)
        displays = Displays(settings)
        gestures = settings[.systemGestureEnabled] ? Gestures(settings) : nil
        orientations = Orientations(settings)
        saysPlaces = settings[.tracePlaces]
    }

    /// The same without the screen: of a run whose panels may be turned in another way than its screen.
    public mutating func takeLimits(_ settings: Settings) { group = GroupSettings(settings) }

    /// Whether I2 is judged.
    public var judgesPromptness = true

    /// On a machine that is busy with other things, nobody's lateness is the group's fault.
    public mutating func ignoreTiming() { (judgesPromptness, measuresIsolation) = (false, false) }

    public static let live = AuditOptions(
        terminalBound: .milliseconds(100), lossBound: .milliseconds(300), measuresIsolation: true)

    /// - Parameter linkDelay: The longest that an undisturbed link takes.
    public static func simulated(linkDelay: Duration) -> AuditOptions {
        AuditOptions(
            terminalBound: linkDelay + linkDelay + .milliseconds(1), lossBound: .milliseconds(300),
            measuresIsolation: false)
    }
}

extension AuditOptions {
    /// A screen that nobody has described is as large as one by default.
    static let unknown = Displays(main: ScreenGeometry(width: 375, height: 667, rotation: 0))

    /// What the group was told.
    public struct GroupSettings: Sendable {
        /// I6: `server.inFlightLimit`.
        public var inFlightLimit = 256
        /// I6: `server.window`, frames an app may have and not have answered.
        public var window = 32
        /// I4: `server.staleness`, how old a move gets while it waits; zero for ever.
        public var staleness = Duration.milliseconds(250)
        /// I2, I8: `server.unresponsive`, how long an app may answer nothing; zero for ever.
        public var patience = Duration.milliseconds(500)
        /// I4: `server.display`, frames a second for which moves are held; 0 for none.
        public var display = 0
        /// I4: `server.resample`, whether a frame says where fingers were at it.
        public var resamples = false
        /// I6: `device.rate`, scans a second in which fingers of one live device only move; 0 for any number.
        public var moveRate = 1000.0
        /// I6: `device.burst`, such scans at once.
        public var moveBurst = 64
        /// Which app opens what; nil where it is not known.
        public var schemes: Schemes?
        /// I2: `server.openLimit`, from a request to open a URL to its answer.
        public var openLimit = Duration.seconds(20)
        /// `screenshot.window`, how far apart the two keys of a screenshot go down.
        public var screenshotWindow = Duration.milliseconds(200)

        init() {}

        init(_ settings: Settings) {
            inFlightLimit = settings[.serverInFlightLimit]
            window = settings[.serverWindow]
            staleness = settings[.serverStaleness]
            patience = settings[.serverUnresponsive]
            display = settings[.serverDisplay]
            resamples = settings[.serverResample]
            (moveRate, moveBurst) = (settings[.deviceRate], settings[.deviceBurst])
            schemes = Self.schemes(settings)
            openLimit = settings[.serverOpenLimit]
            screenshotWindow = settings[.screenshotWindow]
        }

        /// Of a supervisor's settings, which say what apps declare, or of its children's, which say what all have
        /// declared.
        private static func schemes(_ settings: Settings) -> Schemes? {
            if let topology = try? Topology(text: settings[.groupTopology]),
                let all = try? Schemes(settings, topology, apps: UInt32(max(1, topology.apps.count)))
            {
                return all
            }
            return try? Schemes(text: settings[.groupSchemes])
        }
    }

    /// What a swipe of the system's is.
    public struct Gestures: Sendable {
        /// Points from an edge in which it begins.
        public var zone: Fixed
        /// Points inwards, and from the landing in which they are gone.
        public var distance: Double
        public var limit: Duration
        /// What a finger at rest may move, and for how long it rests.
        public var stillness: Double
        public var hold: Duration
        /// How long an app has for its answer, and a second swipe after the first.
        public var answer: Duration
        public var second: Duration

        public init(_ settings: Settings) {
            zone = Fixed(settings[.systemGestureZone])
            (distance, stillness) = (
                settings[.systemGestureDistance], settings[.systemGestureStillness]
            )
            (limit, hold) = (settings[.systemGestureLimit], settings[.systemGestureHold])
            answer = settings[.systemGestureAnswer]
            second = settings[.systemGestureSecondSwipe]
        }
    }
}
