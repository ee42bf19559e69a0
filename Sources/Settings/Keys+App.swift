// Keys+App.swift: settings of an app's content, its screen, and UIKit's handling of touches.
//
// Each setting is a property here and an entry of the list, which has the order of Config/pipeline.yaml.

public import Basics

extension Settings {
    static let appKeys = table(
        .groupTopology, .groupSchemes, .groupStartedAt, .screenWidth, .screenHeight, .screenScale, .screenRotation,
        .screenRefreshRate,
        .screenOthers, .frameRate, .appEventFetch, .appDelivery, .appLowLatencyBegan, .appInboxCapacity,
        .appTurnTimeout, .appDeclaresWindows, .appOrientation, .appOrientations, .appDisplay, .appScene, .appSample,
        .appExecutable, .appSchemes, .hitTestPasses, .responderWindowScene, .touchTapCountInterval,
        .touchTapCountRadius,
        .controlTrackingMargin, .controlSwitchDragDistance, .controlStepperDelay, .controlStepperInterval)
}

extension Settings.Key {
    public static var groupTopology: Settings.Key<String> {
        .text(
            "group.topology",
            "what each app shows, as read by `touchline up --topology FILE`; empty if all apps are alike")
    }

    public static var groupSchemes: Settings.Key<String> {
        .text(
            "group.schemes",
            "the app that opens URLs of each scheme, as touchline-demo=2 other=3; in addition to app.schemes")
    }

    public static var groupStartedAt: Settings.Key<Instant?> {
        .moment(
            "group.startedAt",
            "the start of the group in nanoseconds of CLOCK_MONOTONIC, which the supervisor sets: the times of traces "
                + "count from it")
    }

    public static var screenWidth: Settings.Key<Double> {
        .number(
            "screen.width", 375, .points, in: Displays.Display.sides,
            "of the main display's width, before screen.rotation")
    }

    public static var screenHeight: Settings.Key<Double> {
        .number(
            "screen.height", 667, .points, in: Displays.Display.sides,
            "of the main display's height, before screen.rotation")
    }

    public static var screenScale: Settings.Key<Double> {
        .number("screen.scale", 2, in: Displays.Display.scales, "pixels in one point")
    }

    public static var screenRotation: Settings.Key<Int> {
        .choice("screen.rotation", 0, .degrees, of: [0, 90, 180, 270], "by which the panel is turned clockwise")
    }

    public static var screenRefreshRate: Settings.Key<Int> {
        .whole("screen.refreshRate", 60, .hertz, in: 1...1000, "at which the main display refreshes")
    }

    public static var screenOthers: Settings.Key<[Displays.Display]> {
        .displays(
            "screen.others",
            "further displays, numbered from 2, as 1024x768@2 (points, and pixels in one point) with blanks between",
            source: "UIScreen.screens")
    }

    public static var frameRate: Settings.Key<Double> {
        .number(
            "frame.rate", 0, in: 0...1000, "display frames a second in every app; 0 for screen.refreshRate",
            source: "B15")
    }

    public static var appEventFetch: Settings.Key<EventFetch> {
        .choice(
            "app.eventFetch", .loop, of: EventFetch.allCases,
            "the loop that serves the app's event port: a second loop on the main thread (loop), a second thread "
                + "(thread), or the main loop (main)", source: "C2.1, E13")
    }

    public static var appDelivery: Settings.Key<EventDelivery> {
        .choice(
            "app.delivery", .immediate, of: EventDelivery.allCases,
            "each HID frame is one sendEvent (immediate), or frames wait for the next display frame and moves become "
                + "coalesced touches (frameAligned)", source: "B15")
    }

    public static var appLowLatencyBegan: Settings.Key<Bool> {
        .flag(
            "app.lowLatencyBegan", false,
            "whether, with app.delivery=frameAligned, a touch that begins is delivered "
                + "without waiting for the display frame", source: "C6")
    }

    public static var appInboxCapacity: Settings.Key<Int> {
        .whole(
            "app.inboxCapacity", 256, in: 1...4096,
            "scans that an app stores until its main loop reads them; further scans "
                + "are dropped")
    }

    public static var appTurnTimeout: Settings.Key<Duration> {
        .seconds(
            "app.turnTimeout", 0.5, in: 0...3600,
            "for which an app may have no run-loop turn while touches wait; then it cancels its touches; 0 for no "
                + "limit",
            source: "faults F4, F12")
    }

    public static var appDeclaresWindows: Settings.Key<Bool> {
        .flag(
            "app.declaresWindows", false,
            "whether the app declares the positions of its windows to the server: a touch outside them goes to the app "
                + "behind; otherwise the app receives every touch in its scene", source: "fault F15")
    }

    public static var appOrientation: Settings.Key<InterfaceOrientation> {
        .choice(
            "app.orientation", .portrait, of: InterfaceOrientation.allCases,
            "the orientation of the app's interface at its start (UIInterfaceOrientation)", source: "D4")
    }

    public static var appOrientations: Settings.Key<[InterfaceOrientation]> {
        .all(
            "app.orientations", of: InterfaceOrientation.allCases,
            "the orientations that the app supports, as in its Info.plist",
            source: "UISupportedInterfaceOrientations")
    }

    public static var appDisplay: Settings.Key<UInt8> {
        .choice(
            "app.display", 1, of: 1...UInt8(Displays.limit),
            "the display of the app; 1 is the main display", source: "UIWindowScene.screen")
    }

    public static var appScene: Settings.Key<String> {
        .text("app.scene", "the scene or scenario file that the app shows; empty for an empty window")
    }

    public static var appSample: Settings.Key<String> {
        .text("app.sample", "the sample app that runs instead of a scene; empty for none")
    }

    public static var appExecutable: Settings.Key<String> {
        .text(
            "app.executable",
            "the program of the app, made with the product TouchlineApp; empty for the program that shows a scene or a "
                + "sample app")
    }

    public static var appSchemes: Settings.Key<[String]> {
        .schemes(
            "app.schemes",
            "schemes of the URLs that the app opens, with blanks between; each scheme belongs to one app",
            source: "CFBundleURLSchemes")
    }

    public static var hitTestPasses: Settings.Key<Int> {
        .choice("hitTest.passes", 2, of: [1, 2], "how often UIKit hit-tests each new touch", source: "S02, E1")
    }

    public static var responderWindowScene: Settings.Key<Bool> {
        .flag(
            "responder.windowScene", false,
            "whether UIWindowScene stands between the window and the application in the responder chain", source: "E23")
    }

    public static var touchTapCountInterval: Settings.Key<Double> {
        .number(
            "touch.tapCountInterval", 0.35, .seconds, in: 0...60,
            "from a lift to the next landing of one series of taps", source: "B1.6")
    }

    public static var touchTapCountRadius: Settings.Key<Double> {
        .number(
            "touch.tapCountRadius", 45, .points, in: 0...10_000,
            "between two taps of one series", source: "B1.6")
    }

    public static var controlTrackingMargin: Settings.Key<Double> {
        .number(
            "control.trackingMargin", 70, .points, in: 0...10_000,
            "outside a control's bounds within which a touch still tracks the control", source: "B10.6")
    }

    public static var controlSwitchDragDistance: Settings.Key<Double> {
        .number(
            "control.switchDragDistance", 10, .points, in: 0...10_000, "along the track before a touch drags a switch")
    }

    public static var controlStepperDelay: Settings.Key<Double> {
        .number("control.stepperDelay", 0.5, .seconds, in: 0.001...60, "for which a stepper is held before it repeats")
    }

    public static var controlStepperInterval: Settings.Key<Double> {
        .number(
            "control.stepperInterval", 0.1, .seconds, in: 0.001...60,
            "between the repeats of a held stepper; half as long after ten repeats")
    }
}
