// HomeScreen.swift: the server's own handling of input that no app receives.
//
// Station   router, then the server's own source0
// Input     SystemServerCore: deliveries to `home`, and to the other scenes that the server draws
// Output    receipts
// Knows     counts per phase. No icons.

import Basics
import HID
import Trace
import Wire

/// Consumes the input of the server's own scenes, and counts it.
struct HomeScreen: Sendable {
    private(set) var touches = Receipt(frame: .zero, outcome: .home)
    /// The screenshot keys. Every key passes them, whichever app receives it.
    var screenshotKeys: ScreenshotKeys

    init(screenshotKeys: ScreenshotKeys) { self.screenshotKeys = screenshotKeys }

    /// Consumes one delivery. The receipt counts all of its contacts.
    mutating func consume(_ delivery: Router.Delivery, probes: Bool, at now: Instant, trace: inout TraceLog) -> Receipt
    {
        let receipt = Receipt(counting: delivery.frame, outcome: .home)
        touches.add(receipt)
        for contact in delivery.frame.contacts where contact.phase != .stationary {
            trace.note(
                now, .responder, "{a:n} {b:n}, touch {c}", trace.intern("\(delivery.recipient)"),
                trace.intern(contact.phase.callback), Int64(contact.touch.rawValue))
            if probes { trace.probe(now, .responder, "server \(delivery.recipient).\(contact.phase.callback)") }
        }
        return receipt
    }

    /// Consumes a key or a pointer over the server's own scenes, without any effect.
    func consume(_ delivery: DeviceRouter.Delivery, at now: Instant, trace: inout TraceLog) -> Receipt {
        trace.note(
            now, .responder, "{a:n}: {b:n}", trace.intern("\(delivery.recipient)"),
            trace.intern("\(delivery.event.input)"))
        return Receipt(frame: .zero, outcome: .home)
    }
}

extension TouchContact.Phase {
    /// The name of the UIResponder method; `stationary` has none.
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
    /// The receipt of a recipient that took every contact of a frame.
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
