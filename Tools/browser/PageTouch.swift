// PageTouch.swift: a touch of a web page, expected by a recording or received by the page, and the comparison of both.
//
// Input     main.swift: a recording, and the events that the page received
// Knows     pixels and the names of touch events

import Foundation
import HID
import Recordings

/// One touch of the page.
struct PageTouch {
    var first, last: (x: Double, y: Double)
    var moves: [(x: Double, y: Double)] = []
    /// The page's name of the end; nil while the touch is down.
    var terminal: String?

    /// Returns the touches that the page should receive according to the recording, in pixels.
    static func expected(of recording: Recording, on screen: ScreenGeometry) -> [PageTouch] {
        let (x, y) = (recording.ranges.x, recording.ranges.y)
        func pixel(_ contact: DeviceContact) -> (x: Double, y: Double) {
            func share(_ value: Int32, _ range: ClosedRange<Int32>) -> Double {
                let share =
                    (Double(value) - Double(range.lowerBound)) / (Double(range.upperBound) - Double(range.lowerBound))
                return min(1, max(0, share))
            }
            return (share(contact.x, x) * screen.width, share(contact.y, y) * screen.height)
        }
        var touches: [PageTouch] = []
        var live: [(id: Int64, order: Int)] = []
        for frame in recording.frames {
            for contact in frame.contacts {
                let order = live.first { $0.id == contact.id }?.order
                switch contact.phase {
                case .began:
                    live.append((contact.id, touches.count))
                    touches.append(PageTouch(first: pixel(contact), last: pixel(contact)))
                case .moved, .stationary:
                    guard let order else { continue }
                    touches[order].last = pixel(contact)
                    touches[order].moves.append(pixel(contact))
                case .ended, .cancelled:
                    guard let order else { continue }
                    touches[order].terminal = contact.phase == .ended ? "touchend" : "touchcancel"
                    live.removeAll { $0.id == contact.id }
                }
            }
        }
        return touches
    }

    /// Compares the touches of the page with the expected ones. A page rounds positions and receives fewer moves.
    ///
    /// - Returns: One line for each difference.
    static func differences(_ found: [PageTouch], _ expected: [PageTouch]) -> [String] {
        var faults: [String] = []
        if found.count != expected.count { faults.append("expected \(expected.count) touches, found \(found.count)") }
        func isNear(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> Bool {
            abs(a.x - b.x) <= 1 && abs(a.y - b.y) <= 1
        }
        for (order, (touch, expected)) in zip(found, expected).enumerated() {
            if !isNear(touch.first, expected.first) {
                faults.append("touch \(order): expected first at \(expected.first), found \(touch.first)")
            }
            if !isNear(touch.last, expected.last) {
                faults.append("touch \(order): expected last at \(expected.last), found \(touch.last)")
            }
            // The specification leaves the effect of pointerCancel open: chromedriver leaves the touch down.
            let isLeftDown = touch.terminal == nil && expected.terminal == "touchcancel"
            if touch.terminal != expected.terminal, !isLeftDown {
                faults.append(
                    "touch \(order): expected \(expected.terminal ?? "down"), found \(touch.terminal ?? "down")")
            }
            let strays = touch.moves.count { move in !expected.moves.contains { isNear(move, $0) } }
            if strays > 0 { faults.append("touch \(order): \(strays) moves are at positions without a contact") }
        }
        return faults
    }

    /// Returns the touches in the page's list of [type, identifier, x, y], in its order.
    static func received(_ events: [[Any]]) -> [PageTouch] {
        var touches: [PageTouch] = []
        var live: [(id: Int, order: Int)] = []
        for event in events {
            guard event.count == 4, let type = event[0] as? String, let id = event[1] as? Int,
                let x = event[2] as? Double, let y = event[3] as? Double
            else { continue }
            let order = live.first { $0.id == id }?.order
            switch (type, order) {
            case ("touchstart", _):
                live.append((id, touches.count))
                touches.append(PageTouch(first: (x, y), last: (x, y)))
            case ("touchmove", let order?):
                touches[order].last = (x, y)
                touches[order].moves.append((x, y))
            case (_, let order?):
                touches[order].terminal = type
                live.removeAll { $0.id == id }
            case (_, nil): continue
            }
        }
        return touches
    }
}
