// Keys+Gestures.swift: settings of thresholds of gestures and scroll views.
//
// Each setting is a property here and an entry of the list, which has the order of Config/pipeline.yaml.

extension Settings {
    static let gestureKeys = table(
        .tapMaxDuration, .tapAllowableMovement, .tapMaxInterval, .longPressMinDuration, .longPressMovement,
        .shortDoubleTapDelay, .panHysteresis, .swipeMaxDuration, .swipeMinDistance, .swipeMinDistanceDecay,
        .swipeMaxSecondary, .swipeMaxSecondaryDecay, .swipeMaxOpposite, .pinchHysteresis, .rotationHysteresis,
        .edgePanRegion, .gestureSloppiness, .delayHoldFollowers, .delayEndedAfterFailure, .scrollContentTouchDelay,
        .scrollSlowestRelease, .scrollSlowestGlide, .scrollNormalRate, .scrollFastRate, .scrollRubberBand,
        .scrollSpringStiffness, .scrollSpringDamping, .orderMode, .orderSeed, .tableHasWrapperView)
}

extension Settings.Key {
    public static var tapMaxDuration: Settings.Key<Double> {
        .number("tap.maxDuration", 1.5, .seconds, in: 0...3600, "a single press of a tap may last", source: "B9.1, E28")
    }

    public static var tapAllowableMovement: Settings.Key<Double> {
        .number(
            "tap.allowableMovement", 45, .points, in: 0...10_000,
            "a tap's finger may stray, and a later tap be from the first", source: "B9.1")
    }

    public static var tapMaxInterval: Settings.Key<Double> {
        .number(
            "tap.maxInterval", 0.35, .seconds, in: 0...3600, "from a tap's up to the next one's down", source: "B9.1")
    }

    public static var longPressMinDuration: Settings.Key<Double> {
        .number(
            "longPress.minDuration", 0.5, .seconds, in: 0...3600,
            "where the recognizer says nothing else", source: "UILongPressGestureRecognizer")
    }

    public static var longPressMovement: Settings.Key<Double> {
        .number(
            "longPress.movement", 10, .points, in: 0...10_000,
            "where the recognizer says nothing else", source: "UILongPressGestureRecognizer")
    }

    public static var shortDoubleTapDelay: Settings.Key<Double> {
        .number(
            "shortDoubleTap.delay", 0.2, .seconds, in: 0...3600,
            "from each landing that UIShortTapGestureRecognizer, a scene's class, gives a double tap",
            source: "S52, E26")
    }

    public static var panHysteresis: Settings.Key<Double> {
        .number("pan.hysteresis", 10, .points, in: 0...10_000, "on either axis", source: "B9.3")
    }

    public static var swipeMaxDuration: Settings.Key<Double> {
        .number("swipe.maxDuration", 0.5, .seconds, in: 0...3600, "from each finger's touch-down", source: "B9.4")
    }

    public static var swipeMinDistance: Settings.Key<Double> {
        .number("swipe.minDistance", 50, .points, in: 0...10_000, "along the direction, at touch-down", source: "B9.4")
    }

    public static var swipeMinDistanceDecay: Settings.Key<Double> {
        .number(
            "swipe.minDistanceDecay", 0.94, in: 0...100,
            "share of swipe.minDistance that is no longer needed a second after touch-down", source: "B9.4")
    }

    public static var swipeMaxSecondary: Settings.Key<Double> {
        .number(
            "swipe.maxSecondary", 50, .points, in: 0...10_000, "across the direction, at touch-down", source: "B9.4")
    }

    public static var swipeMaxSecondaryDecay: Settings.Key<Double> {
        .number(
            "swipe.maxSecondaryDecay", 0.98, in: 0...100,
            "share of swipe.maxSecondary that is no longer allowed a second after touch-down", source: "B9.4")
    }

    public static var swipeMaxOpposite: Settings.Key<Double> {
        .number(
            "swipe.maxOpposite", 0, .points, in: 0...10_000, "behind the start, against the direction", source: "B9.4")
    }

    public static var pinchHysteresis: Settings.Key<Double> {
        .number(
            "pinch.hysteresis", 8, .points, in: 0...10_000, "by which two fingers' distance changes", source: "B9.5")
    }

    public static var rotationHysteresis: Settings.Key<Double> {
        .number("rotation.hysteresis", 10, .degrees, in: 0...360, "", source: "B9.5")
    }

    public static var edgePanRegion: Settings.Key<Double> {
        .number("edgePan.region", 13, .points, in: 0...10_000, "from the edge", source: "B9.6")
    }

    public static var gestureSloppiness: Settings.Key<Double> {
        .number("gesture.sloppiness", 1, in: 0...100, "factor of all these distances", source: "B9")
    }

    public static var delayHoldFollowers: Settings.Key<Bool> {
        .flag(
            "delay.holdFollowers", false,
            "a recognizer that holds a touch also holds those that begin later", source: "B8.6, E35")
    }

    public static var delayEndedAfterFailure: Settings.Key<Double> {
        .number(
            "delay.endedAfterFailure", 0, .seconds, in: 0...3600,
            "an end is held on after the last recognizer that held it has failed", source: "E3")
    }

    public static var scrollContentTouchDelay: Settings.Key<Double> {
        .number(
            "scroll.contentTouchDelay", 0.15, .seconds, in: 0...3600,
            "a scroll view's content waits for touches", source: "B12.1")
    }

    public static var scrollSlowestRelease: Settings.Key<Double> {
        .number(
            "scroll.slowestRelease", 250, .pointsPerSecond, in: 0...1_000_000,
            "below which a release does not glide", source: "B12.10")
    }

    public static var scrollSlowestGlide: Settings.Key<Double> {
        .number(
            "scroll.slowestGlide", 10, .pointsPerSecond, in: 0.1...1_000_000,
            "at which a glide stops", source: "B12.10")
    }

    public static var scrollNormalRate: Settings.Key<Double> {
        .number(
            "scroll.normalRate", 0.998, in: 0.1...0.9999,
            "the part of a glide's speed that is left after a millisecond, at DecelerationRate.normal",
            source: "B12.10")
    }

    public static var scrollFastRate: Settings.Key<Double> {
        .number(
            "scroll.fastRate", 0.99, in: 0.1...0.9999,
            "the same at DecelerationRate.fast, and for pages", source: "B12.10")
    }

    public static var scrollRubberBand: Settings.Key<Double> {
        .number(
            "scroll.rubberBand", 0.55, in: 0...1,
            "the points that show for the first point of a pull beyond an edge", source: "B12.11")
    }

    public static var scrollSpringStiffness: Settings.Key<Double> {
        .number(
            "scroll.springStiffness", 120, in: 1...10_000,
            "per square second: the spring that brings content back to its edge", source: "B12.12")
    }

    public static var scrollSpringDamping: Settings.Key<Double> {
        .number(
            "scroll.springDamping", 22, in: 0...200,
            "per second; a spring that would swing is damped until it does not", source: "B12.12")
    }

    public static var orderMode: Settings.Key<OrderMode> {
        .choice(
            "order.mode", .deterministic, of: OrderMode.allCases,
            "what iOS leaves in no order: always the same way, or shuffled by order.seed", source: "B6.1")
    }

    public static var orderSeed: Settings.Key<UInt64> {
        .whole("order.seed", 1, in: 0...9_007_199_254_740_992, "the seed of that shuffling")
    }

    public static var tableHasWrapperView: Settings.Key<Bool> {
        .flag(
            "table.hasWrapperView", false,
            "a view between a table and its cells, with a delay of its own", source: "E29")
    }
}
