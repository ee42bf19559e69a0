// TestPhone+Gestures.swift: gestures of a hand, acts of keys, and single fingers.
//
//     gesture ─▶ Synthesizer: landings, samples and lifts with their times ─▶ TestInputKit, one scan at a time
//
// Sources   invented; the thresholds of gestures are those of Synthesis

package import Basics
public import Foundation
package import HID
import Hosting
import Recordings
import Simulator
import Synthesis
public import UIKit
import Wire

/// A gesture that a phone has played: the key of its receipt.
public struct PlayedGesture: Hashable, Sendable {
    let began: Instant
    let ended: Instant
}

extension TestPhone {
    // MARK: Taps and presses

    /// Taps a target: a finger lands, and lifts 80 ms later.
    ///
    /// Like every gesture, it first waits at most `patience` until the target is there and a touch reaches it. It ends
    /// when the app has handled the last scan; what the app does later, as a double-tap recognizer does, needs
    /// `advance(by:)` or `advanceUntilIdle()`.
    ///
    /// - Parameters:
    ///   - target: A view or a point.
    ///   - offset: A point in the view's coordinates; nil for its center.
    /// - Throws: `PhoneError`: no view, or several; a view that a touch would not reach; a place off the screen.
    @discardableResult
    public func tap(_ target: Target, at offset: CGPoint? = nil) throws(PhoneError) -> PlayedGesture {
        try play(.tap, at: place(of: target, at: offset))
    }

    /// Taps twice; the second tap lands 120 ms after the first has lifted.
    @discardableResult
    public func doubleTap(_ target: Target, at offset: CGPoint? = nil) throws(PhoneError) -> PlayedGesture {
        try play(.doubleTap, at: place(of: target, at: offset))
    }

    /// Taps with two fingers at once, 60 points from each other.
    @discardableResult
    public func twoFingerTap(_ target: Target, at offset: CGPoint? = nil) throws(PhoneError) -> PlayedGesture {
        try play(.twoFingerTap, at: place(of: target, at: offset))
    }

    /// Holds a finger down.
    ///
    /// - Parameters:
    ///   - target: The view or the point.
    ///   - offset: A point in the coordinates of the view; nil for its middle.
    ///   - duration: From landing to lift; 0.8 s by default, at least 0.5 s. For a shorter press use `touchDown`,
    ///     `advance(by:)` and `touchUp`.
    @discardableResult
    public func longPress(
        _ target: Target, at offset: CGPoint? = nil, for duration: Duration = .milliseconds(800)
    ) throws(PhoneError) -> PlayedGesture {
        try play(.longPress, at: place(of: target, at: offset)) { $0.duration = duration }
    }

    // MARK: Strokes

    /// Moves a finger from a target, and lets it rest for 200 ms before it lifts, so that nothing is flung.
    ///
    /// A pan recognizer begins after 10 points, and its translation does not make up for them. A shorter drag is refused:
    /// move a single finger.
    ///
    /// - Parameters:
    ///   - target: The view or the point where the finger lands.
    ///   - offset: A point in the coordinates of the view; nil for its middle.
    ///   - translation: In points of the interface.
    ///   - duration: Of the movement; by default that of 400 points a second, at most 2 s.
    @discardableResult
    public func drag(
        _ target: Target, at offset: CGPoint? = nil, by translation: CGVector, duration: Duration? = nil
    ) throws(PhoneError) -> PlayedGesture {
        let start = try place(of: target, at: offset)
        let end = CGPoint(x: start.x + translation.dx, y: start.y + translation.dy)
        return try play(.pan, at: start, to: end) { $0.duration = duration }
    }

    /// Moves a finger from a target to another one.
    @discardableResult
    public func drag(
        _ target: Target, at offset: CGPoint? = nil, to goal: Target, duration: Duration? = nil
    ) throws(PhoneError) -> PlayedGesture {
        let start = try place(of: target, at: offset)
        let end: CGPoint
        switch goal.place {
        case .point(let point): end = point
        // The goal may be covered by what is dragged.
        case .view: end = point(of: try find(goal))
        }
        return try play(.pan, at: start, to: end) { $0.duration = duration }
    }

    /// Flicks a finger, which is fast when it lifts.
    ///
    /// - Parameters:
    ///   - target: The view or the point where the finger lands.
    ///   - direction: Where the finger goes, as a person sees the interface.
    ///   - offset: A point in the coordinates of the view; nil for its middle.
    ///   - distance: In points; by default half of the interface's side in that direction, or less if the edge is
    ///     nearer.
    @discardableResult
    public func swipe(
        _ target: Target, _ direction: Direction, at offset: CGPoint? = nil, distance: CGFloat? = nil
    ) throws(PhoneError) -> PlayedGesture {
        let start = try place(of: target, at: offset)
        let interface = application.sceneBounds
        let (room, half): (CGFloat, CGFloat) =
            switch direction {
            case .up: (start.y, interface.height / 2)
            case .down: (interface.height - 1 - start.y, interface.height / 2)
            case .left: (start.x, interface.width / 2)
            case .right: (interface.width - 1 - start.x, interface.width / 2)
            }
        let length = distance ?? min(room, half)
        let (dx, dy) = direction.vector
        let end = CGPoint(x: start.x + dx * length, y: start.y + dy * length)
        return try play(.swipe, at: start, to: end)
    }

    /// Swipes from the middle of an edge of the interface inward.
    @discardableResult
    public func edgeSwipe(from edge: Edge) throws(PhoneError) -> PlayedGesture {
        guard isRunning else { throw .notRunning }
        let interface = application.sceneBounds
        let middle: CGPoint =
            switch edge {
            case .top: CGPoint(x: interface.midX, y: 0)
            case .bottom: CGPoint(x: interface.midX, y: interface.height)
            case .left: CGPoint(x: 0, y: interface.midY)
            case .right: CGPoint(x: interface.width, y: interface.midY)
            }
        // The interface may be turned: the nearest edge of the screen.
        let (point, bounds) = (screenPoint(middle), geometry.bounds)
        let distances: [(GestureEdge, Double)] = [
            (.left, point.x), (.right, bounds.width - point.x), (.top, point.y), (.bottom, bounds.height - point.y),
        ]
        let nearest = distances.min { $0.1 < $1.1 }!.0
        return try play(.edgeSwipe) { $0.edge = nearest }
    }

    // MARK: Two fingers

    /// Spreads or closes two fingers around a target.
    ///
    /// - Parameters:
    ///   - target: The view or the point between the fingers.
    ///   - offset: A point in the coordinates of the view; nil for its middle.
    ///   - scale: The scale that a pinch recognizer reports at the end: above 1 spreads.
    ///   - duration: Of the movement; 0.5 s by default.
    @discardableResult
    public func pinch(
        _ target: Target, at offset: CGPoint? = nil, scale: CGFloat, duration: Duration? = nil
    ) throws(PhoneError) -> PlayedGesture {
        try playPair(.pinch, on: target, at: offset) { ($0.scale, $0.duration) = (scale, duration) }
    }

    /// Turns two fingers around a target.
    ///
    /// - Parameters:
    ///   - target: The view or the point between the fingers.
    ///   - offset: A point in the coordinates of the view; nil for its middle.
    ///   - degrees: Clockwise, as a rotation recognizer reports it at the end.
    ///   - duration: Of the movement; by default a second for half a turn, within 0.5 s and 30 s.
    @discardableResult
    public func rotate(
        _ target: Target, at offset: CGPoint? = nil, degrees: CGFloat, duration: Duration? = nil
    ) throws(PhoneError) -> PlayedGesture {
        try playPair(.rotate, on: target, at: offset) { ($0.degrees, $0.duration) = (degrees, duration) }
    }

    /// Plays a gesture of two fingers that both touch the target.
    private func playPair(
        _ kind: GestureKind, on target: Target, at offset: CGPoint?, with change: (inout GestureOptions) -> Void
    ) throws(PhoneError) -> PlayedGesture {
        let center = try place(of: target, at: offset)
        let spread = try spread(on: target, around: center)
        return try play(kind, at: center) { options in
            change(&options)
            options.spread = spread
        }
    }

    /// The distance of two fingers that both touch a view; nil if their usual one fits.
    private func spread(on target: Target, around center: CGPoint) throws(PhoneError) -> Double? {
        guard case .view = target.place else { return nil }
        let view = try find(target)
        let size = view.convert(view.bounds, to: nil).size
        let (screen, point) = (geometry.bounds, screenPoint(center))
        let toEdge = min(point.x, screen.width - point.x, point.y, screen.height - point.y)
        // The fingers land up to a slack farther apart than their spread.
        let room = min(size.width, size.height) - 2 * Gesture.pinchSlack - 2
        return room < 0.6 * min(screen.width, screen.height) ? min(room, 2 * toEdge) : nil
    }

    // MARK: Keys and buttons

    /// Presses a button of the phone or of a remote by its name: `volumeUp`, `menu`, `select`, …
    @discardableResult
    public func press(_ button: String) throws(PhoneError) -> PlayedGesture {
        try perform { () throws(GestureError) in [try Gesture.press(button)] }
    }

    /// Types a text on a keyboard, key by key, into the first responder.
    @discardableResult
    public func type(_ text: String) throws(PhoneError) -> PlayedGesture {
        try perform { () throws(GestureError) in try Gesture.typing(text) }
    }

    /// Shakes the phone.
    @discardableResult
    public func shake() throws(PhoneError) -> PlayedGesture { try perform { [Gesture.shake] } }

    /// Sends one input of a device that is not the panel now: a key, a shake, a command or a pointer.
    ///
    /// - Parameter input: Positions are points of the interface.
    package func send(_ input: DeviceInput<SceneSpace>) {
        let onPanel = input.converted { position in
            geometry.panelPosition(screenPoint(CGPoint(x: position.x.double, y: position.y.double)))
        }
        self.input.append(onPanel)
        send(.timerFired(TestInputKit.actsTimer), to: .inputKit)
    }

    // MARK: Single fingers

    /// Puts a finger down now.
    ///
    /// - Parameters:
    ///   - target: The view or the point.
    ///   - offset: A point in the coordinates of the view; nil for its middle.
    ///   - finger: A number of the test's choice. A finger with this number must not be down.
    ///   - force: As `UITouch.force`: 1 is the force of an ordinary touch, 20/3 the greatest. Nil for a panel that does
    ///     not measure it.
    /// - Throws: `PhoneError`.
    public func touchDown(
        _ target: Target, at offset: CGPoint? = nil, finger: Int = 1, force: CGFloat? = nil
    ) throws(PhoneError) {
        guard !input.fingersDown.contains(finger) else { throw .finger(finger, isDown: true) }
        let point = try place(of: target, at: offset)
        try setForce(force, of: finger)
        try scan(.down(finger, point))
    }

    /// Moves a finger to a point of the interface now. Beyond the edge of the screen it stays at the edge.
    ///
    /// - Parameters:
    ///   - point: In points of the interface.
    ///   - finger: The number of a finger that is down.
    ///   - force: The finger's force from now on; nil leaves it as it is.
    public func touchMove(to point: CGPoint, finger: Int = 1, force: CGFloat? = nil) throws(PhoneError) {
        if input.fingersDown.contains(finger) { try setForce(force, of: finger) }
        try scan(.move(finger, point))
    }

    private func setForce(_ force: CGFloat?, of finger: Int) throws(PhoneError) {
        guard let force else { return }
        let greatest = UITouch.greatestForceOfFinger
        guard (0...greatest).contains(force) else {
            throw .impossible("expected a force from 0 to \(greatest), found \(force)")
        }
        input.setForce(force / greatest, of: finger)
    }

    /// Lifts a finger now.
    public func touchUp(finger: Int = 1) throws(PhoneError) { try scan(.up(finger)) }

    /// Cancels a finger now, as a panel does that takes it for a palm.
    public func touchCancel(finger: Int = 1) throws(PhoneError) { try scan(.cancel(finger)) }

    /// What one finger does in a scan of the panel. Points are points of the interface.
    public enum FingerAct: Hashable, Sendable {
        case down(Int, CGPoint)
        case move(Int, CGPoint)
        case up(Int)
        case cancel(Int)
    }

    /// One scan of the panel now: what some fingers do at once. The others rest.
    ///
    ///     try phone.scan(.down(1, left), .down(2, right))
    ///
    /// - Throws: `PhoneError.finger`; then no finger has acted.
    public func scan(_ acts: FingerAct...) throws(PhoneError) { try scan(acts) }

    /// One scan of the panel now.
    public func scan(_ acts: [FingerAct]) throws(PhoneError) {
        var down = input.fingersDown
        for act in acts {
            switch act {
            case .down(let finger, let point):
                guard isRunning else { throw .notRunning }
                guard !down.contains(finger) else { throw .finger(finger, isDown: true) }
                down.append(finger)
                guard down.count <= HIDEvent.fingerLimit else {
                    throw .impossible("expected at most \(HIDEvent.fingerLimit) fingers, found \(down.count)")
                }
                let place = screenPoint(point)
                guard geometry.bounds.contains(place) else {
                    throw .impossible("\(GestureError.offScreen(place, screen: geometry.bounds))")
                }
            case .move(let finger, _): guard down.contains(finger) else { throw .finger(finger, isDown: false) }
            case .up(let finger), .cancel(let finger):
                guard down.contains(finger) else { throw .finger(finger, isDown: false) }
                down.removeAll { $0 == finger }
            }
        }
        noteSingleFingers()
        send(
            acts.map { act in
                switch act {
                case .down(let finger, let point): .down(finger: finger, screenPoint(point))
                case .move(let finger, let point): .move(finger: finger, screenPoint(point))
                case .up(let finger): .up(finger: finger)
                case .cancel(let finger): .cancel(finger: finger)
                }
            })
    }

    /// Single fingers count as one gesture from the first landing on, for reports of failures.
    private func noteSingleFingers() {
        if input.fingersDown.isEmpty { lastGesture = PlayedGesture(began: now, ended: .never) }
        LatestPhone.note(self)
    }

    // MARK: Playing

    private func send(_ acts: [FingerScript.Act]) {
        let time = Instant.boot.duration(to: now)
        for act in acts { input.append(FingerScript.Line(time: time, act: act, number: 0)) }
        send(.timerFired(TestInputKit.actsTimer), to: .inputKit)
    }

    /// Converts a point of the interface to the screen.
    private func screenPoint(_ point: CGPoint) -> Point<ScreenSpace> {
        guard isRunning else { return Point(point.x, point.y) }
        let frame = application.sceneFrame
        let scene = SceneGeometry(
            frame: Rect(
                x: Fixed(frame.origin.x), y: Fixed(frame.origin.y), width: Fixed(frame.width),
                height: Fixed(frame.height)),
            orientation: application.orientation)
        let position = scene.displayPosition(Point(point.x, point.y))
        return Point(position.x.double, position.y.double)
    }

    private func play(
        _ kind: GestureKind, at start: CGPoint? = nil, to end: CGPoint? = nil,
        with change: (inout GestureOptions) -> Void = { _ in }
    ) throws(PhoneError) -> PlayedGesture {
        var options = GestureOptions()
        options.at = start.map(screenPoint)
        options.to = end.map(screenPoint)
        change(&options)
        return try perform { () throws(GestureError) in [try Gesture(kind, options, on: geometry.bounds)] }
    }

    /// Plays gestures to their end, one after the other.
    private func perform(_ make: () throws(GestureError) -> [Gesture]) throws(PhoneError) -> PlayedGesture {
        guard isRunning else { throw .notRunning }
        // The gestures of one seed are not those of the next one, shifted.
        let seed = humanSeed.map { $0 &* 0x9E37_79B9_7F4A_7C15 &+ gestures }
        var synthesizer = Synthesizer(on: geometry.bounds, rate: 60, human: seed)
        gestures += 1
        do throws(GestureError) {
            for gesture in try make() { try synthesizer.play(gesture) }
        } catch { throw .impossible("\(error)") }
        let began = now
        lastGesture = PlayedGesture(began: began, ended: .never)
        LatestPhone.note(self)
        var lines = synthesizer.lines[...]
        while let first = lines.first {
            let scan = lines.prefix { $0.time == first.time }
            turn(until: began.advanced(by: first.time))
            send(scan.map(\.act.ofGesture))
            lines.removeFirst(scan.count)
        }
        let ended = now
        // Before the next gesture a panel reports at least once that no finger is down.
        turn(until: began.advanced(by: synthesizer.now))
        let gesture = PlayedGesture(began: began, ended: ended)
        lastGesture = gesture
        return gesture
    }
}

extension FingerScript.Act {
    /// The same act of a finger that no test has a number for, so that a gesture can be played beside single fingers.
    fileprivate var ofGesture: FingerScript.Act {
        let first = 1_000_000
        return switch self {
        case .down(let finger, let point): .down(finger: first + finger, point)
        case .move(let finger, let point): .move(finger: first + finger, point)
        case .up(let finger): .up(finger: first + finger)
        case .cancel(let finger): .cancel(finger: first + finger)
        default: self
        }
    }
}

extension TestPhone {
    /// A direction of the interface.
    public enum Direction: Hashable, Sendable, CaseIterable {
        case up, down, left, right

        fileprivate var vector: (dx: CGFloat, dy: CGFloat) {
            switch self {
            case .up: (0, -1)
            case .down: (0, 1)
            case .left: (-1, 0)
            case .right: (1, 0)
            }
        }
    }

    /// An edge of the interface.
    public enum Edge: Hashable, Sendable, CaseIterable { case top, bottom, left, right }
}
