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
            for touch in activeTouches where touches.contains(touch) { application.gestures.discard(touch) }
            state = .failed
            return
        }
        guard scrollView.delaysContentTouches, let loop = application.mainLoop else {
            decide()
            return
        }
        guard timer == nil else { return }
        let delay = Duration(seconds: application.settings.gestures.scrollContentTouchDelay)
        timer = HeldTimer(on: loop, at: application.now.advanced(by: delay)) { [weak self] in self?.decide() }
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { decide() }

    /// Nobody is asked: what was held is delivered and cancelled. (E2.1)
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) { giveWay() }

    override func reset() {
        super.reset()
        timer = nil
    }

    /// Without asking.
    func giveWay() {
        timer = nil
        if attempt.isActive { state = .failed }
    }

    /// Asks about each view whose touches are still kept from it, and lets go.
    private func decide() {
        timer = nil
        var rest = attemptTouches.filter { $0.delivery.state == .unheard }
        while let view = rest.first?.view, let scrollView {
            let touches = rest.filter { $0.view === view }
            rest.removeAll { $0.view === view }
            if scrollView.touchesShouldBegin(Set(touches), with: application?.touchTracker.event, in: view) { continue }
            for touch in touches {
                note(refusalOf: touch)
                application?.gestures.discard(touch)
            }
        }
        if attempt.isActive { state = .failed }
    }

    private func note(refusalOf touch: UITouch) {
        guard let application, application.trace.isEnabled, let scrollView else { return }
        application.trace.note(
            application.now, .gesture, "touch {a} discarded: touchesShouldBegin of {b:n} said no",
            Int64(touch.id.rawValue), scrollView.traceName(in: application))
    }
}
