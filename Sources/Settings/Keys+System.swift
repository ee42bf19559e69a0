// Keys+System.swift: settings of devices, the system server and its gestures.
//
// Each setting is a property here and an entry of the list, which has the order of Config/pipeline.yaml.

extension Settings {
    static let systemKeys = table(
        .deviceOpen, .deviceDirectory, .deviceVirtual, .deviceDisplays, .deviceGrab, .devicePalms,
        .deviceAbsentMeansLifted,
        .deviceReportTimeout, .deviceStuckContactTimeout, .deviceScanRate, .deviceScanBurst, .deviceSuspensionLimit,
        .serverInFlightLimit,
        .serverCreditWindow, .serverStaleMoveAge, .serverDisplayRate, .serverResample, .serverResponseTimeout,
        .serverLifecycleTimeout,
        .serverOpenURLTimeout, .serverSuspensionLimit, .serverStrikeLimit, .systemGestureEnabled, .systemGestureZone,
        .systemGestureDistance, .systemGestureRecognitionTimeout, .systemGestureSwitcherHoldDuration,
        .systemGestureSwitcherHoldMovement,
        .systemGestureDeferralTimeout, .systemGestureSecondSwipeTimeout, .screenshotMaxInterval, .gateEdgeDelayMax,
        .probes, .tracePositions,
        .traceKeys)
}

extension Settings.Key {
    public static var deviceOpen: Settings.Key<String> {
        .text(
            "device.open",
            "live devices that input-kit reads: empty for none, all (every touch screen, also if it is connected later), "
                + "or paths with commas between")
    }

    public static var deviceDirectory: Settings.Key<String> {
        .text(
            "device.directory",
            "the folder of event* and hidraw* for device.open=all; empty for /dev/input and, for hidraw*, /dev")
    }

    public static var deviceVirtual: Settings.Key<Bool> {
        .flag(
            "device.virtual", false,
            "whether input-kit also reads the virtual touch screens in the folder devices of the run directory, as "
                + "touchline inspect makes them")
    }

    public static var deviceDisplays: Settings.Key<[PanelDisplays.Entry]> {
        .panels(
            "device.displays",
            "devices on another display than the main one, by path or by name, as Wacom=2 with commas between")
    }

    public static var deviceGrab: Settings.Key<Bool> {
        .flag(
            "device.grab", false,
            "whether input-kit alone receives the events of an evdev device that it reads (EVIOCGRAB)")
    }

    public static var devicePalms: Settings.Key<PalmRule> {
        .choice(
            "device.palms", .cancel, of: PalmRule.allCases,
            "the treatment of a contact that its device reports as a palm or without confidence",
            source: "Docs/Spec/Input.md section 3.9")
    }

    public static var deviceAbsentMeansLifted: Settings.Key<Bool> {
        .flag(
            "device.absentMeansLifted", false,
            "whether a contact that is missing in a HID report has lifted", source: "Docs/Spec/Input.md section 3.10.5")
    }

    public static var deviceReportTimeout: Settings.Key<Duration> {
        .seconds(
            "device.reportTimeout", 1, in: 0...3600,
            "without a report after which the contacts of a hidraw panel that must report (Windows 8) are cancelled; "
                + "0 for no limit")
    }

    public static var deviceStuckContactTimeout: Settings.Key<Duration> {
        .seconds(
            "device.stuckContactTimeout", 60, in: 0...86_400,
            "without any change after which a contact of any device is cancelled, even if its panel still reports it; "
                + "0 for no limit")
    }

    public static var deviceScanRate: Settings.Key<Double> {
        .number(
            "device.scanRate", 1000, in: 0...1_000_000,
            "scans a second without a landing or lift that one device may send; further ones are coalesced; 0 for no "
                + "limit", source: "fault F21")
    }

    public static var deviceScanBurst: Settings.Key<Int> {
        .whole(
            "device.scanBurst", 64, in: 1...4096,
            "scans without a landing or lift that one device may send at once after a "
                + "pause, before device.scanRate limits it", source: "fault F21")
    }

    public static var deviceSuspensionLimit: Settings.Key<Duration> {
        .seconds(
            "device.suspensionLimit", 1, in: 0...3600,
            "for which input-kit may be suspended before it cancels live touches; 0 for no limit",
            source: "fault F9")
    }

    public static var serverInFlightLimit: Settings.Key<Int> {
        .whole(
            "server.inFlightLimit", 256, in: 1...4096,
            "frames of scans that the server may have received and not answered; further moves "
                + "are dropped")
    }

    public static var serverCreditWindow: Settings.Key<Int> {
        .whole(
            "server.creditWindow", 32, in: 1...4096,
            "scans that the server may send to an app before the app answers one, at "
                + "most what the app's inbox allows; a quarter, at most eight, is reserved for "
                + "landings and lifts", source: "fault F5")
    }

    public static var serverStaleMoveAge: Settings.Key<Duration> {
        .seconds(
            "server.staleMoveAge", 0.25, in: 0...3600,
            "for which a move whose fingers have lifted since may wait for credit before it is dropped; 0 for no limit",
            source: "fault F4")
    }

    public static var serverDisplayRate: Settings.Key<Int> {
        .whole(
            "server.displayRate", 0, .hertz, in: 0...1000,
            "of the server's display: moves wait for its next frame and are sent as one, with the earlier ones as "
                + "coalesced samples; 0 to send each move at once", source: "C6, S95")
    }

    public static var serverResample: Settings.Key<Bool> {
        .flag(
            "server.resample", false,
            "with server.displayRate: whether positions are computed for 5 ms before each display frame, between two "
                + "samples or shortly after the last", source: "Android's rule")
    }

    public static var serverResponseTimeout: Settings.Key<Duration> {
        .seconds(
            "server.responseTimeout", 0.5, in: 0...3600,
            "for which an app may leave every message unanswered; then its touches end, and new touches on it are "
                + "ignored until it answers; 0 for no limit", source: "fault F4")
    }

    public static var serverLifecycleTimeout: Settings.Key<Duration> {
        .seconds(
            "server.lifecycleTimeout", 10, in: 0...3600,
            "for which an app may take to finish a change to foreground or background; then it is ended and started "
                + "again (the watchdog); 0 for no limit", source: "D10")
    }

    public static var serverOpenURLTimeout: Settings.Key<Duration> {
        .seconds(
            "server.openURLTimeout", 20, in: 0.001...3600,
            "for which an app may take to open a URL, its launch included",
            source: "D10")
    }

    public static var serverSuspensionLimit: Settings.Key<Duration> {
        .seconds(
            "server.suspensionLimit", 0.9, in: 0...3600,
            "for which the server may be suspended, as the wait of a scan shows; then it ends and a new epoch begins "
                + "(the lease); 0 for no limit", source: "fault F12")
    }

    public static var serverStrikeLimit: Settings.Key<Int> {
        .whole(
            "server.strikeLimit", 3, in: 1...1_000_000,
            "refused frames after which a peer is disconnected and quarantined", source: "fault F7")
    }

    public static var systemGestureEnabled: Settings.Key<Bool> {
        .flag(
            "systemGesture.enabled", false,
            "whether swipes from the upper and lower edge of the screen are the server's: home, app switcher, centres",
            source: "D8")
    }

    public static var systemGestureZone: Settings.Key<Double> {
        .number(
            "systemGesture.zone", 20, .points, in: 0...10_000, "from an edge in which a system gesture begins",
            source: "D8")
    }

    public static var systemGestureDistance: Settings.Key<Double> {
        .number("systemGesture.distance", 20, .points, in: 0...10_000, "of movement from the edge that make a swipe")
    }

    public static var systemGestureRecognitionTimeout: Settings.Key<Duration> {
        .seconds(
            "systemGesture.recognitionTimeout", 0.75, in: 0.001...3600,
            "from the landing to the swipe; a slower touch stays with its app", source: "D8")
    }

    public static var systemGestureSwitcherHoldDuration: Settings.Key<Duration> {
        .seconds(
            "systemGesture.switcherHoldDuration", 0.3, in: 0.001...3600,
            "for which the finger of a home swipe rests before the app switcher shows")
    }

    public static var systemGestureSwitcherHoldMovement: Settings.Key<Double> {
        .number("systemGesture.switcherHoldMovement", 5, .points, in: 0...10_000, "that a resting finger may move")
    }

    public static var systemGestureDeferralTimeout: Settings.Key<Duration> {
        .seconds(
            "systemGesture.deferralTimeout", 0.1, in: 0.001...3600,
            "for which an app may take to answer whether it defers an edge; without an answer it does not")
    }

    public static var systemGestureSecondSwipeTimeout: Settings.Key<Duration> {
        .seconds(
            "systemGesture.secondSwipeTimeout", 3, in: 0...3600,
            "after a swipe at a deferred edge in which a second swipe is the server's", source: "D8")
    }

    public static var screenshotMaxInterval: Settings.Key<Duration> {
        .seconds(
            "screenshot.maxInterval", 0.2, in: 0...60,
            "between the presses of power and volume up that make a screenshot, by the times of their device")
    }

    public static var gateEdgeDelayMax: Settings.Key<Double> {
        .number(
            "gate.edgeDelayMax", 1, .seconds, in: 0...3600,
            "for which UIKit holds back a touch that landed at a screen edge, if the "
                + "server does not decide whether it is a system gesture", source: "D8")
    }

    public static var probes: Settings.Key<[String]> {
        .words(
            "probes",
            "which conformance lines are noted, with commas between: input, server, loop, app",
            source: "Docs/Spec/Semantics.md section 0.2")
    }

    public static var tracePositions: Settings.Key<Bool> {
        .flag(
            "trace.positions", false,
            "whether input-kit's facts contain positions, and touch monitors receive positions over an app that has "
                + "declared no windows; use it only if nothing on the screen is secret",
            source: "threat T5")
    }

    public static var traceKeys: Settings.Key<Bool> {
        .flag(
            "trace.keys", false,
            "whether facts name the pressed keys of a keyboard, except in an app with a secure window; use it only if "
                + "nothing that is typed is secret; buttons are always named", source: "threat T5")
    }
}
