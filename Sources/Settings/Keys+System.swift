// Keys+System.swift: settings of devices, the system server and its gestures.
//
// Each setting is a property here and an entry of the list, which has the order of Config/pipeline.yaml.

extension Settings {
    static let systemKeys = table(
        .deviceOpen, .deviceDirectory, .deviceDisplays, .deviceGrab, .devicePalms, .deviceAbsentMeansLifted,
        .deviceReportSilence, .deviceStuckFinger, .deviceRate, .deviceBurst, .deviceGap, .serverInFlightLimit,
        .serverWindow, .serverStaleness, .serverDisplay, .serverResample, .serverUnresponsive, .serverWatchdog,
        .serverOpenLimit, .serverLease, .serverStrikes, .systemGestureEnabled, .systemGestureZone,
        .systemGestureDistance, .systemGestureLimit, .systemGestureHold, .systemGestureStillness,
        .systemGestureAnswer, .systemGestureSecondSwipe, .screenshotWindow, .gateEdgeDelayMax, .probes, .tracePositions,
        .traceKeys)
}

extension Settings.Key {
    public static var deviceOpen: Settings.Key<String> {
        .text(
            "device.open",
            "live devices that input-kit reads: none, all (every touch screen that is or will be connected), or "
                + "paths with commas between")
    }

    public static var deviceDirectory: Settings.Key<String> {
        .text("device.directory", "where all looks for event* and hidraw*; empty for /dev/input and, for hidraw*, /dev")
    }

    public static var deviceDisplays: Settings.Key<[PanelDisplays.Entry]> {
        .panels(
            "device.displays",
            "which devices lie over another display than the main one, by path or by name, as Wacom=2 with "
                + "commas between")
    }

    public static var deviceGrab: Settings.Key<Bool> {
        .flag(
            "device.grab", false,
            "no other program receives the events of an evdev device that input-kit reads (EVIOCGRAB)")
    }

    public static var devicePalms: Settings.Key<PalmRule> {
        .choice(
            "device.palms", .cancel, of: PalmRule.allCases,
            "what becomes of a contact its device calls a palm, or has no confidence in",
            source: "Docs/Spec/Input.md section 3.9")
    }

    public static var deviceAbsentMeansLifted: Settings.Key<Bool> {
        .flag(
            "device.absentMeansLifted", false,
            "a contact that a HID report leaves out has lifted", source: "Docs/Spec/Input.md section 3.10.5")
    }

    public static var deviceReportSilence: Settings.Key<Duration> {
        .seconds(
            "device.reportSilence", 1, in: 0...3600,
            "without a report after which a hidraw panel that must report (Windows 8) has lost its fingers; 0 "
                + "for never")
    }

    public static var deviceStuckFinger: Settings.Key<Duration> {
        .seconds(
            "device.stuckFinger", 60, in: 0...86_400,
            "without any change after which a finger of any device is cancelled, even one that its panel "
                + "affirms in every report; 0 for never")
    }

    public static var deviceRate: Settings.Key<Double> {
        .number(
            "device.rate", 1000, in: 0...1_000_000,
            "scans without a touch-down or lift that one device may send in a second: further ones are merged; "
                + "0 for any number", source: "fault F21")
    }

    public static var deviceBurst: Settings.Key<Int> {
        .whole("device.burst", 64, in: 1...4096, "such scans at once after a pause", source: "fault F21")
    }

    public static var deviceGap: Settings.Key<Duration> {
        .seconds(
            "device.gap", 1, in: 0...3600,
            "without a turn of input-kit (it was stopped) after which live touches are cancelled; 0 for never",
            source: "fault F9")
    }

    public static var serverInFlightLimit: Settings.Key<Int> {
        .whole("server.inFlightLimit", 256, in: 1...4096, "frames routed and not yet answered")
    }

    public static var serverWindow: Settings.Key<Int> {
        .whole(
            "server.window", 32, in: 1...4096,
            "frames an app may have and not have answered, if it takes as many; a quarter of them, eight at "
                + "most, for what begins or ends", source: "fault F5")
    }

    public static var serverStaleness: Settings.Key<Duration> {
        .seconds(
            "server.staleness", 0.25, in: 0...3600,
            "a move may wait for its app's window when its fingers have left since; 0 for ever", source: "fault F4")
    }

    public static var serverDisplay: Settings.Key<Int> {
        .whole(
            "server.display", 0, .hertz, in: 0...1000,
            "of the server's display: moves are held for its next frame and sent as one, with the earlier ones "
                + "as coalesced samples; 0 to send each at once", source: "C6, S95")
    }

    public static var serverResample: Settings.Key<Bool> {
        .flag(
            "server.resample", false,
            "with server.display: a frame says where fingers were 5 ms before it, between two samples or a "
                + "little beyond the last", source: "Android's rule")
    }

    public static var serverUnresponsive: Settings.Key<Duration> {
        .seconds(
            "server.unresponsive", 0.5, in: 0...3600,
            "an app may leave every message unanswered: then its touches end, and new touches on it are ignored "
                + "until it answers; 0 for ever", source: "fault F4")
    }

    public static var serverWatchdog: Settings.Key<Duration> {
        .seconds(
            "server.watchdog", 10, in: 0...3600,
            "an app may take to finish a change of its life cycle, to foreground or background: then it is "
                + "ended and started again; 0 for ever", source: "D10")
    }

    public static var serverOpenLimit: Settings.Key<Duration> {
        .seconds(
            "server.openLimit", 20, in: 0.001...3600,
            "within which an app must have been told of a URL that it is to open, its launch included",
            source: "D10")
    }

    public static var serverLease: Settings.Key<Duration> {
        .seconds(
            "server.lease", 0.9, in: 0...3600,
            "a scan may have waited for the server: after a longer wait the server was stopped, and ends to "
                + "begin a new epoch; 0 for any", source: "fault F12")
    }

    public static var serverStrikes: Settings.Key<Int> {
        .whole(
            "server.strikes", 3, in: 1...1_000_000,
            "refused frames of one peer after which it is disconnected and quarantined", source: "fault F7")
    }

    public static var systemGestureEnabled: Settings.Key<Bool> {
        .flag(
            "systemGesture.enabled", false,
            "the server takes swipes from the screen's upper and lower edge: home, switcher, centres", source: "D8")
    }

    public static var systemGestureZone: Settings.Key<Double> {
        .number("systemGesture.zone", 20, .points, in: 0...10_000, "from an edge at which they begin", source: "D8")
    }

    public static var systemGestureDistance: Settings.Key<Double> {
        .number("systemGesture.distance", 20, .points, in: 0...10_000, "inwards that make a swipe")
    }

    public static var systemGestureLimit: Settings.Key<Duration> {
        .seconds(
            "systemGesture.limit", 0.75, in: 0.001...3600,
            "from the landing to a swipe: then the touch is its app's", source: "D8")
    }

    public static var systemGestureHold: Settings.Key<Duration> {
        .seconds("systemGesture.hold", 0.3, in: 0.001...3600, "a swipe home rests, for the app switcher")
    }

    public static var systemGestureStillness: Settings.Key<Double> {
        .number("systemGesture.stillness", 5, .points, in: 0...10_000, "a resting finger may move")
    }

    public static var systemGestureAnswer: Settings.Key<Duration> {
        .seconds(
            "systemGesture.answer", 0.1, in: 0.001...3600,
            "an app may take to say that it defers an edge: an app that says nothing does not")
    }

    public static var systemGestureSecondSwipe: Settings.Key<Duration> {
        .seconds(
            "systemGesture.secondSwipe", 3, in: 0...3600,
            "in which a second swipe at a deferred edge is the system's", source: "D8")
    }

    public static var screenshotWindow: Settings.Key<Duration> {
        .seconds(
            "screenshot.window", 0.2, in: 0...60,
            "between power and volume up going down within which they are one chord, the screenshot's, as their "
                + "device saw them")
    }

    public static var gateEdgeDelayMax: Settings.Key<Double> {
        .number(
            "gate.edgeDelayMax", 1, .seconds, in: 0...3600,
            "an app's gates keep a touch at an edge from its view while the server says nothing", source: "D8")
    }

    public static var probes: Settings.Key<[String]> {
        .words(
            "probes",
            "which conformance lines are noted, comma separated: input, server, loop, app",
            source: "Docs/Spec/Semantics.md section 0.2")
    }

    public static var tracePositions: Settings.Key<Bool> {
        .flag(
            "trace.places", false,
            "whether input-kit's facts say where on its panel a finger is, and touch monitors receive positions "
                + "over an app that has declared no windows: use it only where nothing on the screen is secret",
            source: "threat T5")
    }

    public static var traceKeys: Settings.Key<Bool> {
        .flag(
            "trace.keys", false,
            "whether facts say which keys of a keyboard are pressed, except in an app with a secure window: use "
                + "it only where nothing that is typed is secret; a button is always named", source: "threat T5")
    }
}
