// UIScrollViewDelayedTouchesBeganGestureRecognizer.swift: withholds a scroll view's touches from its content until they
// are known to be no flick.
//
// Station   gesture
// Input     GestureEnvironment, as any recognizer; a timer
// Output    its own failure, which releases the touches to content; UIScrollView.touchesShouldBegin
//
//     began ──held──▶ waits ──0.15 s, or the lift──▶ touchesShouldBegin? ──▶ fails: held touches are delivered
//                       │                                        └──no──▶ the touch is discarded
//                       └──the drag begins──▶ fails: the drag takes the touch, and content never receives it
//
// It recognizes nothing and excludes none: other recognizers and their delegates never see it.
//
// Sources   observed    0.15 s; the call of touchesShouldBegin precedes the touch by a short time (S23)
//           documented  delaysContentTouches, touchesShouldBegin(_:with:in:)
//           inferred    touchesShouldBegin is asked after an early lift, too (B12.2)
//           inferred    a touch that stops moving content is not delivered to content

import Basics
import Foundation
import Gestures
import HID
import Trace

/// A recognizer that only delays the touches of a scroll view's content.
final class UIScrollViewDelayedTouchesBeganGestureRecognizer: UIGestureRecognizer {
    /// Cleared by the scroll view before it is deallocated.
    unowned(unsafe) var scrollView: UIScrollView?
    private var timer: HeldTimer?
    /// The landing of the first held touch; nil once the outcome is decided.
    private var heldSince: Instant?
    /// Why content never receives one of the touches; nil if no touch was lost at its landing.
    private var lossAtLanding: String?

    init(of scrollView: UIScrollView) {
        self.scrollView = scrollView
        super.init(target: nil, action: nil)
        delaysTouchesBegan = true
        delaysTouchesEnded = false
        cancelsTouchesInView = false
    }

    override var onlyHoldsTouches: Bool { true }
    override var traceKind: String { "content touch delay" }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        guard let scrollView, let application else { return }
        if scrollView.isBeingCaught {
            for touch in activeTouches where touches.contains(touch) {
                note(.stoppedScroll, of: touch, about: scrollView)
                application.gestures.discard(touch)
            }
            // Releases touches that were held before, if there are any.
            noteRelease(because: "another touch stopped the scroll")
            state = .failed
            return
        }
        if heldSince == nil { heldSince = application.now }
        if application.isWatched { noteKeptOut(touches) }
        guard scrollView.delaysContentTouches, let loop = application.mainLoop else {
            decide(because: "delaysContentTouches is false")
            return
        }
        guard timer == nil else { return }
        let delay = Duration(seconds: application.settings.gestures.scroll.contentTouchDelay)
        timer = HeldTimer(on: loop, at: application.now.advanced(by: delay)) { [weak self] in
            self?.decide(because: "its time is up")
        }
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        decide(because: "the finger lifted")
    }

    /// Fails without a call of `touchesShouldBegin`: withheld touches are delivered and cancelled. (E2.1)
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        if attemptTouches.contains(where: { $0.delivery.state == .undelivered }) {
            noteRelease(because: "they were cancelled")
        } else {
            noteDiscard(because: loss)
        }
        fail()
    }

    override func reset() {
        super.reset()
        timer = nil
        heldSince = nil
        lossAtLanding = nil
    }

    /// Fails without a call of `touchesShouldBegin`, because the scroll view takes the touches.
    func discardTouches(because why: String) {
        noteDiscard(because: why)
        fail()
    }

    private func fail() {
        timer = nil
        heldSince = nil
        if attempt.isActive { state = .failed }
    }

    /// Asks about each view whose touches are still withheld, then fails, which releases them.
    private func decide(because why: String) {
        timer = nil
        var (isReleased, isRefused) = (false, false)
        var rest = attemptTouches.filter { $0.delivery.state == .undelivered }
        while let view = rest.first?.view, let scrollView {
            let touches = rest.filter { $0.view === view }
            rest.removeAll { $0.view === view }
            if scrollView.askShouldBegin(Set(touches), application?.touchTracker.event, in: view) {
                isReleased = true
                continue
            }
            isRefused = true
            for touch in touches {
                note(.refused, of: touch, about: scrollView, since: heldSince)
                application?.gestures.discard(touch)
            }
        }
        if isReleased {
            noteRelease(because: why)
        } else {
            noteDiscard(because: isRefused ? "touchesShouldBegin returned false" : loss)
        }
        fail()
    }

    /// Why content receives no touch although `touchesShouldBegin` refused none.
    private var loss: String {
        let takers = attemptTouches.lazy.compactMap { touch in
            touch.gestureRecognizers?.first {
                $0.cancelsTouchesInView && !$0.attempt.state.isExcludable && $0.stage != .failed
            }
        }
        if let taker = takers.first { return "\(taker.traceText) took it" }
        return lossAtLanding ?? "another recognizer took it"
    }

    // MARK: Events

    private func note(
        _ loss: UIKitEvent.ContentTouchLoss, of touch: UITouch, about view: UIView, since: Instant? = nil
    ) {
        guard let application else { return }
        let held = since?.duration(to: application.now) ?? .zero
        application.emit(.gesture(.contentTouch(.discarded(touch.id, about: view, loss, held: held), of: self)))
    }

    /// Notes touches that a view without multiple touch never receives, because it has one already. (B9v.4)
    private func noteKeptOut(_ touches: Set<UITouch>) {
        let all = application?.touchTracker.event.touches ?? []
        for touch in activeTouches where touches.contains(touch) && touch.delivery.state == .over {
            guard let view = touch.view, !view.isMultipleTouchEnabled,
                all.contains(where: { $0 !== touch && $0.view === view && !$0.isOver })
            else { continue }
            lossAtLanding = "\(view.traceLabel) accepts one touch"
            note(.oneFingerOnly, of: touch, about: view)
        }
    }

    /// Notes the release, once for all touches that are held.
    private func noteRelease(because why: @autoclosure () -> String) {
        guard let application, let heldSince else { return }
        application.emit(
            .gesture(
                .contentTouch(
                    .allReleased(after: heldSince.duration(to: application.now), because: why()), of: self)))
    }

    private func noteDiscard(because why: @autoclosure () -> String) {
        guard let application, let heldSince else { return }
        application.emit(
            .gesture(
                .contentTouch(
                    .allDiscarded(after: heldSince.duration(to: application.now), because: why()), of: self)))
    }
}
