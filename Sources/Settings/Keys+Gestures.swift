// Keys+Gestures.swift: settings of thresholds of gestures and scroll views.
//
// Each setting is a property here and an entry of the list, which has the order of Config/pipeline.yaml.

extension Settings {
    static let gestureKeys = table(
        .tapMaxDuration, .tapAllowableMovement, .tapMaxInterval, .longPressMinDuration, .longPressAllowableMovement,
        .shortDoubleTapDelay, .panHysteresis, .swipeMaxDuration, .swipeMinDistance, .swipeMinDistanceDecay,
        .swipeMaxSecondary, .swipeMaxSecondaryDecay, .swipeMaxOpposite, .pinchHysteresis, .rotationHysteresis,
        .edgePanRegion, .gestureSloppiness, .delayHoldsLaterTouches, .delayEndedAfterFailure, .scrollContentTouchDelay,
        .scrollSlowestRelease, .scrollSlowestGlide, .scrollNormalDecelerationRate, .scrollFastDecelerationRate,
        .scrollRubberBand,
        .scrollSpringStiffness, .scrollSpringDamping, .orderMode, .orderSeed, .tableHasWrapperView)
}

extension Settings.Key {
    public static var tapMaxDuration: Settings.Key<Double> {
        .number(
            "tap.maxDuration", 1.5, .seconds, in: 0...3600, "for which each press of a tap may last",
            source: "B9.1, E28")
    }

    public static var tapAllowableMovement: Settings.Key<Double> {
        .number(
            "tap.allowableMovement", 45, .points, in: 0...10_000,
            "that a finger may move in a tap, and that a later tap may be from the first", source: "B9.1")
    }

    public static var tapMaxInterval: Settings.Key<Double> {
        .number(
            "tap.maxInterval", 0.35, .seconds, in: 0...3600, "from a tap's lift to the next tap's landing",
            source: "B9.1")
    }

    public static var longPressMinDuration: Settings.Key<Double> {
        .number(
            "longPress.minDuration", 0.5, .seconds, in: 0...3600,
            "for which a finger must press, if the recognizer does not set "
                + "minimumPressDuration", source: "UILongPressGestureRecognizer")
    }

    public static var longPressAllowableMovement: Settings.Key<Double> {
        .number(
            "longPress.allowableMovement", 10, .points, in: 0...10_000,
            "that a finger may move in a long press whose recognizer does not set "
                + "allowableMovement", source: "UILongPressGestureRecognizer")
    }

    public static var shortDoubleTapDelay: Settings.Key<Double> {
        .number(
            "shortDoubleTap.delay", 0.2, .seconds, in: 0...3600,
            "after a landing in which UIShortTapGestureRecognizer (a scenario class) "
                + "waits for the next tap",
            source: "S52, E26")
    }

    public static var panHysteresis: Settings.Key<Double> {
        .number(
            "pan.hysteresis", 10, .points, in: 0...10_000, "of movement on either axis before a pan begins",
            source: "B9.3")
    }

    public static var swipeMaxDuration: Settings.Key<Double> {
        .number(
            "swipe.maxDuration", 0.5, .seconds, in: 0...3600, "from a finger's landing to its swipe", source: "B9.4")
    }

    public static var swipeMinDistance: Settings.Key<Double> {
        .number(
            "swipe.minDistance", 50, .points, in: 0...10_000,
            "that a swipe needs along its direction at the landing; "
                + "swipe.minDistanceDecay lowers it with time",
            source: "B9.4")
    }

    public static var swipeMinDistanceDecay: Settings.Key<Double> {
        .number(
            "swipe.minDistanceDecay", 0.94, in: 0...100,
            "share of swipe.minDistance that is subtracted for each second since the "
                + "landing", source: "B9.4")
    }

    public static var swipeMaxSecondary: Settings.Key<Double> {
        .number(
            "swipe.maxSecondary", 50, .points, in: 0...10_000,
            "that a swipe may move across its direction, at the landing", source: "B9.4")
    }

    public static var swipeMaxSecondaryDecay: Settings.Key<Double> {
        .number(
            "swipe.maxSecondaryDecay", 0.98, in: 0...100,
            "share of swipe.maxSecondary that is subtracted for each second since the "
                + "landing", source: "B9.4")
    }

    public static var swipeMaxOpposite: Settings.Key<Double> {
        .number(
            "swipe.maxOpposite", 0, .points, in: 0...10_000, "that a swipe may move back behind its start",
            source: "B9.4")
    }

    public static var pinchHysteresis: Settings.Key<Double> {
        .number(
            "pinch.hysteresis", 8, .points, in: 0...10_000,
            "by which the distance of two fingers changes before a pinch begins", source: "B9.5")
    }

    public static var rotationHysteresis: Settings.Key<Double> {
        .number("rotation.hysteresis", 10, .degrees, in: 0...360, "of turning before a rotation begins", source: "B9.5")
    }

    public static var edgePanRegion: Settings.Key<Double> {
        .number(
            "edgePan.region", 13, .points, in: 0...10_000, "from the edge in which an edge pan lands", source: "B9.6")
    }

    public static var gestureSloppiness: Settings.Key<Double> {
        .number(
            "gesture.sloppiness", 1, in: 0...100,
            "factor of the distances of taps, long presses, pans, swipes, pinches and "
                + "edge pans", source: "B9")
    }

    public static var delayHoldsLaterTouches: Settings.Key<Bool> {
        .flag(
            "delay.holdsLaterTouches", false,
            "whether a recognizer that holds a touch also holds touches that begin later", source: "B8.6, E35")
    }

    public static var delayEndedAfterFailure: Settings.Key<Double> {
        .number(
            "delay.endedAfterFailure", 0, .seconds, in: 0...3600,
            "for which touchesEnded is still delayed after the last recognizer that "
                + "delayed it has failed", source: "E3")
    }

    public static var scrollContentTouchDelay: Settings.Key<Double> {
        .number(
            "scroll.contentTouchDelay", 0.15, .seconds, in: 0...3600,
            "for which a scroll view delays touches of its content", source: "B12.1")
    }

    public static var scrollSlowestRelease: Settings.Key<Double> {
        .number(
            "scroll.slowestRelease", 250, .pointsPerSecond, in: 0...1_000_000,
            "at the release below which a scroll view does not decelerate", source: "B12.10")
    }

    public static var scrollSlowestGlide: Settings.Key<Double> {
        .number(
            "scroll.slowestGlide", 10, .pointsPerSecond, in: 0.1...1_000_000,
            "at which deceleration stops", source: "B12.10")
    }

    public static var scrollNormalDecelerationRate: Settings.Key<Double> {
        .number(
            "scroll.normalDecelerationRate", 0.998, in: 0.1...0.9999,
            "the part of the speed that is left after one millisecond of deceleration, at DecelerationRate.normal",
            source: "B12.10")
    }

    public static var scrollFastDecelerationRate: Settings.Key<Double> {
        .number(
            "scroll.fastDecelerationRate", 0.99, in: 0.1...0.9999,
            "part of the speed that is left after one millisecond of deceleration, at "
                + "DecelerationRate.fast and with paging", source: "B12.10")
    }

    public static var scrollRubberBand: Settings.Key<Double> {
        .number(
            "scroll.rubberBand", 0.55, in: 0...1,
            "points that the content moves for the first point of a drag beyond an edge", source: "B12.11")
    }

    public static var scrollSpringStiffness: Settings.Key<Double> {
        .number(
            "scroll.springStiffness", 120, in: 1...10_000,
            "stiffness of the spring that returns content to its edge, per square second", source: "B12.12")
    }

    public static var scrollSpringDamping: Settings.Key<Double> {
        .number(
            "scroll.springDamping", 22, in: 0...200,
            "damping of the spring that returns content to its edge, per second; at "
                + "least critical damping is used",
            source: "B12.12")
    }

    public static var orderMode: Settings.Key<OrderMode> {
        .choice(
            "order.mode", .deterministic, of: OrderMode.allCases,
            "the order of what iOS leaves unordered: always the same (deterministic), or shuffled by order.seed (ios)",
            source: "B6.1")
    }

    public static var orderSeed: Settings.Key<UInt64> {
        .whole("order.seed", 1, in: 0...9_007_199_254_740_992, "the seed of the shuffle")
    }

    public static var tableHasWrapperView: Settings.Key<Bool> {
        .flag(
            "table.hasWrapperView", false,
            "whether a view with a delay of its own stands between a table and its cells", source: "E29")
    }
}
