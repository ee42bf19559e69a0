// Keys+App.swift: settings of an app's content, its screen, and UIKit's handling of touches.
//
// Each setting is a property here and an entry of the list, which has the order of Config/pipeline.yaml.

public import Basics

extension Settings {
    static let appKeys = table(
        .groupTopology, .groupSchemes, .screenWidth, .screenHeight, .screenScale, .screenRotation, .screenRefreshRate,
        .screenOthers, .frameRate, .appEventFetch, .appDelivery, .appLowLatencyBegan, .appInboxCapacity,
        .appUnresponsive, .appDeclaresWindows, .appOrientation, .appOrientations, .appDisplay, .appScene, .appSample,
        .appSchemes, .hitTestPasses, .responderWindowScene, .touchTapCountInterval, .touchTapCountRadius,
        .controlTrackingMargin, .controlSwitchDragDistance, .controlStepperDelay, .controlStepperInterval)
}

extension Settings.Key {
    public static var groupTopology: Settings.Key<String> {
        .text(
            "group.topology", "what each app shows, as `touchline up --topology FILE` has read it; empty for all alike")
    }

    public static var groupSchemes: Settings.Key<String> {
        .text(
            "group.schemes",
            "which app opens URLs of which scheme, as touchline-demo=2 other=3: beside what apps declare themselves")
    }

    public static var screenWidth: Settings.Key<Double> {
        .number("screen.width", 375, .points, in: Displays.Display.sides, "before rotation")
    }

    public static var screenHeight: Settings.Key<Double> {
        .number("screen.height", 667, .points, in: Displays.Display.sides, "before rotation")
    }

    public static var screenScale: Settings.Key<Double> {
        .number("screen.scale", 2, in: Displays.Display.scales, "pixels in a point")
    }

    public static var screenRotation: Settings.Key<Int> {
        .choice("screen.rotation", 0, .degrees, of: [0, 90, 180, 270], "clockwise the panel is turned")
    }

    public static var screenRefreshRate: Settings.Key<Int> {
        .whole("screen.refreshRate", 60, .hertz, in: 1...1000, "")
    }

    public static var screenOthers: Settings.Key<[Displays.Display]> {
        .displays(
            "screen.others",
            "displays beside this one, 2 and on, as 1024x768@2 (points, and pixels in one) with blanks between",
            source: "UIScreen.screens")
    }

    public static var frameRate: Settings.Key<Double> {
        .number("frame.rate", 0, in: 0...1000, "frames a second; 0 for screen.refreshRate", source: "B15")
    }

    public static var appEventFetch: Settings.Key<EventFetch> {
        .choice(
            "app.eventFetch", .loop, of: EventFetch.allCases,
            "where the app's event port is served: a second loop on the same thread, a real second thread, or "
                + "the main loop", source: "C2.1, E13")
    }

    public static var appDelivery: Settings.Key<EventDelivery> {
        .choice(
            "app.delivery", .immediate, of: EventDelivery.allCases,
            "each HID frame is one sendEvent; or it waits for the screen's next frame, moves becoming coalesced "
                + "touches", source: "B15")
    }

    public static var appLowLatencyBegan: Settings.Key<Bool> {
        .flag(
            "app.lowLatencyBegan", false,
            "with frameAligned: a landing does not wait for the frame", source: "C6")
    }

    public static var appInboxCapacity: Settings.Key<Int> {
        .whole("app.inboxCapacity", 256, in: 1...4096, "frames an app holds that its main loop has not taken")
    }

    public static var appUnresponsive: Settings.Key<Duration> {
        .seconds(
            "app.unresponsive", 0.5, in: 0...3600,
            "without a turn of an app for which touches wait: after them it cancels its touches; 0 for never",
            source: "faults F4, F12")
    }

    public static var appDeclaresWindows: Settings.Key<Bool> {
        .flag(
            "app.declaresWindows", false,
            "the app tells the server where its windows are, and a touch beside them goes to the app behind; "
                + "otherwise every touch in its scene is its own", source: "fault F15")
    }

    public static var appOrientation: Settings.Key<InterfaceOrientation> {
        .choice(
            "app.orientation", .portrait, of: InterfaceOrientation.allCases,
            "which way up the app's interface is at first, as UIInterfaceOrientation has it", source: "D4")
    }

    public static var appOrientations: Settings.Key<[InterfaceOrientation]> {
        .all(
            "app.orientations", of: InterfaceOrientation.allCases,
            "which ways up the interface can be, as its Info.plist would say",
            source: "UISupportedInterfaceOrientations")
    }

    public static var appDisplay: Settings.Key<UInt8> {
        .choice(
            "app.display", 1, of: 1...UInt8(Displays.limit),
            "on which display the app is; 1 is the main one", source: "UIWindowScene.screen")
    }

    public static var appScene: Settings.Key<String> {
        .text("app.scene", "the scene or scenario file the app shows; empty for an empty window")
    }

    public static var appSample: Settings.Key<String> {
        .text("app.sample", "the sample app the app is, instead of showing a scene; empty for none")
    }

    public static var appSchemes: Settings.Key<[String]> {
        .schemes(
            "app.schemes",
            "schemes of URLs that the app opens, with blanks between; of one app each", source: "CFBundleURLSchemes")
    }

    public static var hitTestPasses: Settings.Key<Int> {
        .choice("hitTest.passes", 2, of: [1, 2], "walks per new contact", source: "S02, E1")
    }

    public static var responderWindowScene: Settings.Key<Bool> {
        .flag("responder.windowScene", false, "UIWindowScene between window and application", source: "E23")
    }

    public static var touchTapCountInterval: Settings.Key<Double> {
        .number("touch.tapCountInterval", 0.35, .seconds, in: 0...60, "from up to next down", source: "B1.6")
    }

    public static var touchTapCountRadius: Settings.Key<Double> {
        .number(
            "touch.tapCountRadius", 45, .points, in: 0...10_000,
            "between two taps that count as one series", source: "B1.6")
    }

    public static var controlTrackingMargin: Settings.Key<Double> {
        .number(
            "control.trackingMargin", 70, .points, in: 0...10_000,
            "outside a control within which a touch still tracks it", source: "B10.6")
    }

    public static var controlSwitchDragDistance: Settings.Key<Double> {
        .number("control.switchDragDistance", 10, .points, in: 0...10_000, "along the track")
    }

    public static var controlStepperDelay: Settings.Key<Double> {
        .number("control.stepperDelay", 0.5, .seconds, in: 0.001...60, "a stepper is held before it repeats")
    }

    public static var controlStepperInterval: Settings.Key<Double> {
        .number(
            "control.stepperInterval", 0.1, .seconds, in: 0.001...60,
            "between a held stepper's repeats; half of it after ten")
    }
}
