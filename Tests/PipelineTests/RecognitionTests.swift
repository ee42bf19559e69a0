import Basics
import Scenarios
import Settings
import Synthesis
import Testbed
import Testing
import UIKit
import Wire

/// Every gesture of `touchline input`, through all cores and the real UIKit, in front of every recognizer there is.
@Suite("Recognition of synthesized gestures")
struct RecognitionTests {
    private static let screen = Rect<ScreenSpace>(x: 0, y: 0, width: 375, height: 667)

    /// The number of actions of each recognizer, and the recognizers that may or may not act: for example, the speed of
    /// a pan is not fixed.
    private static let expected: [GestureKind: (fired: [String: Int], open: Set<String>)] = [
        .tap: (["tap": 1], []),
        .doubleTap: (["tap": 2, "double": 1], []),
        .tripleTap: (["tap": 3, "double": 1, "triple": 1], []),
        .twoFingerTap: (["two": 1], []),
        .longPress: (["press": 1], ["tap"]),
        .swipe: (["swipe": 1, "pan": 1], []),
        .pan: (["pan": 1], ["swipe", "tap"]),
        .drag: (["press": 1, "pan": 1], ["tap"]),
        .pinch: (["pinch": 1], ["pan"]),
        .rotate: (["rotation": 1], ["pan"]),
        // A swipe in from the left edge is also a swipe to the right.
        .edgeSwipe: (["edge": 1, "pan": 1, "swipe": 1], []),
    ]

    @Test("an exact gesture is recognized as itself only", arguments: GestureKind.allCases)
    func plain(word: GestureKind) throws {
        for rate in [20, 60, 120] {
            let pad = try PadStage()
            try pad.play(word, GestureOptions(), rate: rate, human: nil)
            try expect(word, on: pad, "at \(rate) Hz")
        }
    }

    @Test("a human gesture is recognized as itself only, for 200 seeds", arguments: GestureKind.allCases)
    func human(word: GestureKind) throws {
        let pad = try PadStage()
        for seed in 1...Sanitizer.seeds(200) {
            try pad.play(word, GestureOptions(), rate: seed % 10 == 0 ? 120 : 60, human: seed)
            try expect(word, on: pad, "by the hand of seed \(seed)")
        }
    }

    private func expect(_ word: GestureKind, on pad: PadStage, _ which: String) throws {
        let (fired, open) = try #require(Self.expected[word])
        let closed = pad.fired.filter { !open.contains($0.key) }
        #expect(closed == fired, "\(word.rawValue) \(which)")
    }

    @Test("gestures follow their direction, edge and number of fingers")
    func told() throws {
        let pad = try PadStage()
        for human in [nil, 1, 2, 3] as [UInt64?] {
            for direction in GestureDirection.allCases {
                var options = GestureOptions()
                (options.direction, options.distance) = (direction, 100)
                try pad.play(.swipe, options, human: human)
                #expect(pad.swiped == [direction.rawValue])
                try pad.play(.pan, options, human: human)
                let way = pad.translation
                let (along, across) = direction == .up || direction == .down ? (way.y, way.x) : (way.x, way.y)
                // A pan ignores the first 10 points.
                #expect(along.magnitude == 90)
                #expect(across.magnitude < (human == nil ? 0.02 : 4))
            }
            for edge in GestureEdge.allCases {
                var options = GestureOptions()
                options.edge = edge
                try pad.play(.edgeSwipe, options, human: human)
                #expect(pad.crossed == [edge.rawValue])
            }
            for fingers in 2...5 {
                var options = GestureOptions()
                options.fingers = fingers
                // A human hand's later fingers land when recognizers have failed and may begin again.
                if human == nil || fingers == 2 {
                    try pad.play(.tap, options, human: human)
                    #expect(pad.fired["tap"] == nil)
                    #expect(pad.fired["two"] == (fingers == 2 ? 1 : nil))
                }
                try pad.play(.pan, options, human: human)
                #expect(pad.panFingers == fingers)
            }
        }
    }

    @Test("pinches and rotations measure what was asked for")
    func measures() throws {
        let pad = try PadStage()
        for human in [nil, 1, 2, 3, 4, 5] as [UInt64?] {
            for scale in [0.5, 0.75, 1.25, 2, 3] {
                var options = GestureOptions()
                options.scale = scale
                try pad.play(.pinch, options, human: human)
                #expect((pad.scale / scale - 1).magnitude < (human == nil ? 0.002 : 0.1), "scale \(scale)")
                #expect(pad.fired["rotation"] == nil)
            }
            for degrees in [-180.0, -45, 30, 90, 400] {
                var options = GestureOptions()
                options.degrees = degrees
                try pad.play(.rotate, options, human: human)
                #expect((pad.degrees - degrees).magnitude < (human == nil ? 0.1 : 8), "\(degrees) degrees")
                #expect(pad.fired["pinch"] == nil)
            }
        }
    }

    @Test("a pan ends too slowly to glide; a swipe is fast")
    func speed() throws {
        let pad = try PadStage()
        for human in [nil, 1, 2, 3] as [UInt64?] {
            try pad.play(.pan, GestureOptions(), human: human)
            #expect(pad.speed < 100)
            try pad.play(.swipe, GestureOptions(), human: human)
            #expect(pad.speed > 300)
        }
    }
}

/// A whole group with one view that recognizes every gesture at the same time.
private final class PadStage {
    private var group: SimulatedGroup
    private let pad = PadDelegate()

    init() throws {
        let pad = pad
        group = SimulatedGroup(settings: Settings(), isTraced: false) { $0.keptDelegate = pad }
    }

    func play(_ word: GestureKind, _ options: GestureOptions, rate: Int = 60, human: UInt64?) throws {
        pad.forget()
        let screen = Rect<ScreenSpace>(x: 0, y: 0, width: 375, height: 667)
        var synthesizer = Synthesizer(on: screen, rate: rate, human: human)
        try synthesizer.play(Gesture(word, options, on: screen))
        let report = group.play(synthesizer.text, length: synthesizer.now)
        #expect(report?.failure == "")
        #expect(report?.answered == report?.sent)
        #expect(report?.arrivedTouches.began == report?.arrivedTouches.ended)
        // The pause is longer than a tap waits for another.
        group.rest(.seconds(1))
    }

    var fired: [String: Int] { pad.fired }
    var swiped: [String] { pad.swiped }
    var crossed: [String] { pad.crossed }
    var translation: CGPoint { pad.translation }
    var panFingers: Int { pad.panFingers }
    var scale: Double { pad.scale }
    var degrees: Double { pad.degrees }
    var speed: Double { pad.speed }
}

private final class PadDelegate: UIResponder, UIApplicationDelegate, UIGestureRecognizerDelegate {
    var window: UIWindow?
    private var deeds: [PadAction] = []
    private(set) var fired: [String: Int] = [:]
    private(set) var swiped: [String] = []
    private(set) var crossed: [String] = []
    private(set) var translation = CGPoint.zero
    private(set) var panFingers = 0
    private(set) var scale = 1.0
    private(set) var degrees = 0.0
    private(set) var speed = 0.0

    func forget() { (fired, swiped, crossed, panFingers) = ([:], [], [], 0) }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        let view = UIView(frame: window.bounds)
        view.isMultipleTouchEnabled = true
        window.addSubview(view)
        window.makeKeyAndVisible()
        self.window = window

        for (name, taps, fingers) in [("tap", 1, 1), ("double", 2, 1), ("triple", 3, 1), ("two", 1, 2)] {
            let tap = UITapGestureRecognizer()
            (tap.numberOfTapsRequired, tap.numberOfTouchesRequired) = (taps, fingers)
            add(tap, to: view) { [unowned self] _ in fired[name, default: 0] += 1 }
        }
        let directions: [(UISwipeGestureRecognizer.Direction, String)] = [
            (.up, "up"), (.down, "down"), (.left, "left"), (.right, "right"),
        ]
        for (direction, name) in directions {
            let swipe = UISwipeGestureRecognizer()
            swipe.direction = direction
            add(swipe, to: view) { [unowned self] _ in
                swiped.append(name)
                fired["swipe", default: 0] += 1
            }
        }
        let edges: [(UIRectEdge, String)] = [(.top, "top"), (.bottom, "bottom"), (.left, "left"), (.right, "right")]
        for (edge, name) in edges {
            let pan = UIScreenEdgePanGestureRecognizer()
            pan.edges = edge
            add(pan, to: view) { [unowned self] pan in
                guard pan.state == .ended else { return }
                crossed.append(name)
                fired["edge", default: 0] += 1
            }
        }
        add(UILongPressGestureRecognizer(), to: view) { [unowned self] in end($0, "press") }
        add(UIPanGestureRecognizer(), to: view) { [unowned self] pan in
            if pan.state != .ended {
                panFingers = max(panFingers, pan.numberOfTouches)
            } else {
                translation = pan.translation(in: view)
                let velocity = pan.velocity(in: view)
                speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
            }
            end(pan, "pan")
        }
        add(UIPinchGestureRecognizer(), to: view) { [unowned self] pinch in
            scale = pinch.scale
            end(pinch, "pinch")
        }
        add(UIRotationGestureRecognizer(), to: view) { [unowned self] rotation in
            degrees = rotation.rotation * 180 / .pi
            end(rotation, "rotation")
        }
        return true
    }

    private func end(_ recognizer: UIGestureRecognizer, _ name: String) {
        if recognizer.state == .ended { fired[name, default: 0] += 1 }
    }

    private func add<Recognizer: UIGestureRecognizer>(
        _ recognizer: Recognizer, to view: UIView, _ act: @escaping (Recognizer) -> Void
    ) {
        let deed = PadAction { [unowned recognizer] in act(recognizer) }
        deeds.append(deed)
        recognizer.addTarget(deed, action: Selector("act", PadAction.act))
        recognizer.delegate = self
        view.addGestureRecognizer(recognizer)
    }

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { true }
}

private final class PadAction: NSObject, @unchecked Sendable {
    private let deed: () -> Void
    init(_ deed: @escaping () -> Void) { self.deed = deed }
    @Sendable func act() { deed() }
}
