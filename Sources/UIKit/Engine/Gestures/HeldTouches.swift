// HeldTouches.swift: touches that undecided recognizers withhold from views, and their late delivery.
//
// Station   gesture → responder
// Input     GestureEnvironment: recognizers that hold, release and cancel
// Output    touchesBegan … touchesCancelled of the touches' views
//
//     began ──held by one or more──▶ kept: began, the last move, ended ──last holder releases──▶ delivered, in order
//                                        └──a recognizer cancels the touch──▶ discarded: the view never receives it
//
// Sources   documented  delaysTouchesBegan, delaysTouchesEnded
//           observed    held touches are released after all acts of an update (S19), before the view phase
//           invented    held moves are delivered as one; no recognizer can hold a cancelled touch (E2.1)

import Basics
import Foundation
import Gestures

/// The recognizers that withhold a touch from its view, and the withheld phases.
struct TouchHold {
    struct Sample {
        var phase: UITouch.Phase
        var position: CGPoint
        var previousPosition: CGPoint
        var timestamp: TimeInterval
    }

    var holders: [UIGestureRecognizer] = []
    var began: Sample?
    /// The last one.
    var moved: Sample?
    var ended: Sample?
    /// The earliest moment of the release.
    var releasesAt = Instant.boot

    var samples: [Sample] { [began, moved, ended].compactMap { $0 } }

    mutating func keep(_ sample: Sample) {
        switch sample.phase {
        case .began: began = sample
        case .moved: moved = sample
        case .ended: ended = sample
        case .cancelled, .stationary, .regionEntered, .regionMoved, .regionExited: break
        }
    }
}

extension GestureEnvironment {
    // MARK: Holding

    /// Withholds touches that began or ended in this event, as the flags of an undecided recognizer demand. (B8.6)
    func holdTouches(for recognizer: UIGestureRecognizer, in event: UIEvent?) {
        guard let event else { return }
        if event.type == .presses, let presses = event as? UIPressesEvent {
            return holdPresses(for: recognizer, in: presses)
        }
        guard !recognizer.finishesAtReset else { return }
        let holdsBegan =
            recognizer.delaysTouchesBegan
            || application.settings.gestures.delay.holdsLaterTouches && recognizer.attempt.holdsInput
        for touch in recognizer.attemptTouches where touch.delivery.state != .over && event.lists(touch) {
            guard touch.phase == .began && holdsBegan || touch.phase == .ended && recognizer.delaysTouchesEnded else {
                continue
            }
            hold(touch, by: recognizer)
        }
    }

    private func hold(_ touch: UITouch, by recognizer: UIGestureRecognizer) {
        if touch.hold == nil {
            touch.hold = TouchHold()
            held.append(touch)
        }
        guard touch.hold?.holders.contains(where: { $0 === recognizer }) == false else { return }
        touch.hold?.holders.append(recognizer)
        recognizer.attempt.holdsInput = true
        application.emit(.gesture(.withheld(touch, by: recognizer)))
    }

    /// Removes the recognizer from the holders of all touches and presses.
    func releaseHolds(of recognizer: UIGestureRecognizer, afterFailing: Bool = false) {
        guard recognizer.attempt.holdsInput else { return }
        recognizer.attempt.holdsInput = false
        for touch in held { releaseHold(on: touch, by: recognizer, afterFailing: afterFailing) }
        if !heldPresses.isEmpty { releaseHoldsOnPresses(by: recognizer) }
    }

    func releaseHold(on touch: UITouch, by recognizer: UIGestureRecognizer, afterFailing: Bool = false) {
        guard let index = touch.hold?.holders.firstIndex(where: { $0 === recognizer }) else { return }
        touch.hold?.holders.remove(at: index)
        let delay = application.settings.gestures.delay.endedAfterFailure
        guard afterFailing, delay > 0, touch.hold?.holders.isEmpty == true, touch.hold?.ended != nil,
            let loop = application.mainLoop
        else { return }
        let moment = application.now.advanced(by: Duration(seconds: delay))
        touch.hold?.releasesAt = moment
        // The timer has no work of its own: the update after each turn releases held touches.
        _ = loop.schedule(at: moment, every: nil, modes: [.common]) {}
    }

    private func dropHold(of touch: UITouch) {
        guard touch.hold != nil else { return }
        touch.hold = nil
        held.removeAll { $0 === touch }
    }

    // MARK: Cancelling

    /// Cancels the recognizer's touches in their views. A view that has received a touch receives its cancellation;
    /// other views never receive the touch. (B8.2)
    func cancelTouches(of recognizer: UIGestureRecognizer, _ event: UIEvent?) {
        var views: [(view: UIView, touches: [UITouch])] = []
        for touch in recognizer.attemptTouches {
            dropHold(of: touch)
            guard touch.delivery.handle(.taken) == .cancel, let view = touch.view else { continue }
            if let index = views.firstIndex(where: { $0.view === view }) {
                views[index].touches.append(touch)
            } else {
                views.append((view, [touch]))
            }
        }
        for (view, touches) in views {
            let real = touches.map(\.sample)
            for touch in touches { touch.phase = .cancelled }
            send(touches, in: .cancelled, to: view)
            for (touch, sample) in zip(touches, real) where touch.phase == .cancelled { touch.phase = sample.phase }
        }
    }

    /// Discards the touch: its view never receives it.
    func discard(_ touch: UITouch) {
        dropHold(of: touch)
        _ = touch.delivery.handle(.taken)
    }

    // MARK: Releasing

    /// Adds the present event to the withheld phases of held touches, and delivers the phases of touches that no
    /// recognizer holds any more.
    ///
    /// For a touch that this event releases, the event's own phase is not kept: the view phase delivers it. (E2.3)
    func releaseTouches(_ event: UIEvent?, in window: UIWindow?) {
        guard !held.isEmpty else { return }
        if let event {
            for touch in event.touches where touch.window === window && touch.hold?.holders.isEmpty == false {
                if touch.phase == .cancelled { touch.hold?.holders = [] } else { touch.hold?.keep(touch.sample) }
            }
        }
        var due: [(touch: UITouch, sample: TouchHold.Sample)] = []
        for touch in held {
            guard let hold = touch.hold, hold.holders.isEmpty, hold.releasesAt <= application.now else { continue }
            touch.hold = nil
            due += hold.samples.map { (touch, $0) }
        }
        guard held.contains(where: { $0.hold == nil }) else { return }
        held.removeAll { $0.hold == nil }
        // Samples are sorted by their time; samples of one time by landing and phase.
        let ordered = due.enumerated().sorted {
            ($0.element.sample.timestamp, $0.offset) < ($1.element.sample.timestamp, $1.offset)
        }
        var rest = ordered.map(\.element)[...]
        while let first = rest.first {
            let together = rest.prefix {
                $0.sample.timestamp == first.sample.timestamp && $0.sample.phase == first.sample.phase
                    && $0.touch.view === first.touch.view
            }
            rest = rest.dropFirst(together.count)
            deliver(Array(together), in: first.sample.phase)
        }
    }

    private func deliver(_ samples: [(touch: UITouch, sample: TouchHold.Sample)], in phase: UITouch.Phase) {
        guard let view = samples[0].touch.view else { return }
        let told = samples.filter { $0.touch.advanceDelivery(to: phase) }
        guard !told.isEmpty else { return }
        let real = told.map(\.touch.sample)
        for (touch, sample) in told { touch.sample = sample }
        send(told.map(\.touch), in: phase, to: view)
        for ((touch, sample), real) in zip(told, real) where touch.phase == sample.phase { touch.sample = real }
    }

    private func send(_ touches: [UITouch], in phase: UITouch.Phase, to view: UIView) {
        // Not `touch.alone`, which would make a touch that is over keep itself alive.
        application.send(Set(touches), in: phase, to: view, of: application.touchTracker.event)
    }
}

extension UITouch {
    /// The touch at this moment.
    fileprivate var sample: TouchHold.Sample {
        get {
            TouchHold.Sample(
                phase: phase, position: position, previousPosition: previousPosition, timestamp: timestamp)
        }
        set {
            (phase, position) = (newValue.phase, newValue.position)
            (previousPosition, timestamp) = (newValue.previousPosition, newValue.timestamp)
        }
    }

    /// Whether the view receives this phase. The call counts as its delivery.
    @inline(__always)
    final func advanceDelivery(to phase: Phase) -> Bool {
        let decision: TouchDelivery.Decision =
            switch phase {
            case .began: delivery.handle(.began)
            case .moved: delivery.handle(.moved)
            case .ended: delivery.handle(.ended)
            case .cancelled: delivery.handle(.cancelled)
            case .stationary, .regionEntered, .regionMoved, .regionExited: .nothing
            }
        // `==` of another module's enum is a call through its witness table.
        return if case .deliver = decision { true } else { false }
    }
}

extension UIEvent {
    /// Whether the touch is one of the event's.
    fileprivate func lists(_ touch: UITouch) -> Bool { touches.contains { $0 === touch } }
}
