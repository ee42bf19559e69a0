// UIScrollViewDelayedTouchesBeganGestureRecognizer.swift: keeps a scroll view's touches from its content until it is
// clear that they are no flick.
//
// Station   gesture
// Fed by    GestureEnvironment, as any recogniser; a timer
// Feeds     its own failing, which is when content hears; UIScrollView.touchesShouldBegin
//
//     began ──held──▶ waits ──0.15 s, or the finger is up──▶ touchesShouldBegin? ──▶ fails: held touches are delivered
//                       │                                              └──no──▶ the touch is discarded
//                       └──the drag begins──▶ fails: the drag takes the touch, and content never knew
//
// It recognises nothing, wins nothing and is in nobody's way: other recognisers and their delegates never see it.
//
// Sources   observed    0.15 s; the hook comes before the touch, with a little time between (S23)
//           documented  delaysContentTouches, touchesShouldBegin(_:with:in:)
//           inferred    a finger that is up early is asked about too (B12.2)
//           inferred    a touch that stops moving content is not its content's

import Basics
import Foundation
import Gestures
import HID
import Trace

final class UIScrollViewDelayedTouchesBeganGestureRecognizer: UIGestureRecognizer {
    /// Cleared by the scroll view when it goes.
    unowned(unsafe) var scrollView: UIScrollView?
    private var timer: HeldTimer?
    /// When the touches came that are held; nil once it is decided what becomes of them.
    private var heldSince: Instant?
    /// Why content never gets one of the touches; nil where no touch was lost at its landing.
    private var lossAtLanding: String?

    init(of scrollView: UIScrollView) {
        self.scrollView = scrollView
        super.init(target: nil, action: nil)
        delaysTouchesBegan = true
        delaysTouchesEnded = false
        cancelsTouchesInView = false
    }

    override var isOutOfSight: Bool { true }
    override var traceKind: String { "content touch delay" }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        guard let scrollView, let application else { return }
        if scrollView.isBeingCaught {
            for touch in activeTouches where touches.contains(touch) {
                note(.stoppedScroll, of: touch, about: scrollView)
                application.gestures.discard(touch)
            }
            // Of the touches that were held before, if there are any.
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

    /// Nobody is asked: what was held is delivered and cancelled. (E2.1)
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        if attemptTouches.contains(where: { $0.delivery.state == .unheard }) {
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

    /// The scroll view itself takes the touch, and content is not asked about it.
    func giveWay(because why: String) {
        noteDiscard(because: why)
        fail()
    }

    private func fail() {
        timer = nil
        heldSince = nil
        if attempt.isActive { state = .failed }
    }

    /// Asks about each view whose touches are still kept from it, and lets go.
    private func decide(because why: String) {
        timer = nil
        var (isReleased, isRefused) = (false, false)
        var rest = attemptTouches.filter { $0.delivery.state == .unheard }
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
            noteDiscard(because: isRefused ? "touchesShouldBegin said no" : loss)
        }
        fail()
    }

    /// Why content hears of no touch, though `touchesShouldBegin` refused none.
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

    /// A view that takes one finger, and has one, never hears of these. (B9v.4)
    private func noteKeptOut(_ touches: Set<UITouch>) {
        let all = application?.touchTracker.event.touches ?? []
        for touch in activeTouches where touches.contains(touch) && touch.delivery.state == .over {
            guard let view = touch.view, !view.isMultipleTouchEnabled,
                all.contains(where: { $0 !== touch && $0.view === view && !$0.isOver })
            else { continue }
            lossAtLanding = "\(view.traceLabel) takes one finger"
            note(.oneFingerOnly, of: touch, about: view)
        }
    }

    /// Once for the touches it holds, when it is decided what becomes of them.
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
