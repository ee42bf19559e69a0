// HomeScreen.swift: what the server does itself with input that no app receives.
//
// Station   router, then the server's own source0
// Fed by    SystemServerCore: deliveries to `home`, and to what else the server itself draws
// Feeds     receipts
// Knows     counts per phase: the icons are somebody else's.

import Basics
import HID
import Trace
import Wire

struct HomeScreen: Sendable {
    private(set) var touches = Receipt(frame: .zero, outcome: .home)
    /// Every key passes them, whichever app it goes to.
    var screenshotKeys: ScreenshotKeys

    init(screenshotKeys: ScreenshotKeys) { self.screenshotKeys = screenshotKeys }

    /// Takes one delivery. The receipt counts every contact of it.
    mutating func consume(_ delivery: Router.Delivery, probes: Bool, at now: Instant, trace: inout TraceLog) -> Receipt
    {
        let receipt = Receipt(counting: delivery.frame, outcome: .home)
        touches.add(receipt)
        for contact in delivery.frame.contacts where contact.phase != .stationary {
            trace.note(
                now, .responder, "{a:n} {b:n}, touch {c}", trace.name("\(delivery.recipient)"),
                trace.name(contact.phase.callback), Int64(contact.touch.rawValue))
            if probes { trace.probe(now, .responder, "server \(delivery.recipient).\(contact.phase.callback)") }
        }
        return receipt
    }

    /// A key or a pointer over the icons: nothing comes of it here.
    func consume(_ delivery: DeviceRouter.Delivery, at now: Instant, trace: inout TraceLog) -> Receipt {
        trace.note(
            now, .responder, "{a:n}: {b:n}", trace.name("\(delivery.recipient)"), trace.name("\(delivery.event.input)"))
        return Receipt(frame: .zero, outcome: .home)
    }
}

extension TouchContact.Phase {
    /// UIResponder's name for it; `stationary` has none.
    var callback: String {
        switch self {
        case .began: "touchesBegan"
        case .moved: "touchesMoved"
        case .stationary: "stationary"
        case .ended: "touchesEnded"
        case .cancelled: "touchesCancelled"
        }
    }
}

extension Receipt {
    /// What a recipient says that took every contact of a frame.
    init(counting frame: TouchFrame, outcome: Outcome) {
        self.init(frame: 0, outcome: outcome)
        for contact in frame.contacts {
            switch contact.phase {
            case .began: began += 1
            case .moved: moved += 1
            case .stationary: stationary += 1
            case .ended: ended += 1
            case .cancelled: cancelled += 1
            }
        }
    }
}
