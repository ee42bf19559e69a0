// Audit+Screenshot.swift: the screenshot chord: power and volume up; each app in the picture receives one message.
//
//     a stretch: from no key held to no key held
//     a picture: a stretch with exactly two presses, within `screenshot.maxInterval` of each other
//
// Input     Audit+Server: key events that the server received
// Output    violations
// Knows     the apps in front, from Front. A gap or the loss of input-kit ends a stretch without a picture.
//
// Sources   invented, with the same rules as the server's

import Basics
import HID
import Hosting
import Wire

/// The state of the screenshot chord.
struct ScreenshotLedger: Sendable {
    /// The held keys and the presses of the current stretch.
    fileprivate var held: [HIDUsage] = []
    fileprivate var pressed: [Instant] = []
    /// Apps that must receive the message in this step.
    var due: [AppID] = []

    fileprivate static let limit = 3
}

extension Audit {
    /// Handles a key event that the server received.
    mutating func handleKeyEvent(_ event: DeviceEvent<DigitizerSpace>, _ step: Step) {
        guard case .key(let usage) = event.input.content, usage == .power || usage == .volumeUp else { return }
        let isHeld = shots.held.contains(usage)
        switch event.input.phase {
        case .began where !isHeld:
            shots.held.append(usage)
            if shots.pressed.count < ScreenshotLedger.limit { shots.pressed.append(event.timeStamp) }
        case .ended where isHeld:
            shots.held.removeAll { $0 == usage }
            guard shots.held.isEmpty else { return }
            let pressed = shots.pressed.sorted()
            shots.pressed.removeAll()
            guard pressed.count == 2, pressed[0].duration(to: pressed[1]) <= options.group.screenshotWindow else {
                return
            }
            shots.due = front.pictured
        case .cancelled where isHeld: shots = ScreenshotLedger()
        default: return
        }
    }

    mutating func judgeScreenshotMessage(_ appIndex: Int, _ step: Step) {
        let app = apps[appIndex].app
        guard let index = shots.due.firstIndex(of: app) else {
            return note(.conservation, "app \(app) received a screenshot notice that is not due", step)
        }
        shots.due.remove(at: index)
    }

    mutating func expectScreenshotMessages(_ step: Step) {
        for app in shots.due {
            note(.conservation, "app \(app) did not receive the notice of a screenshot that shows it", step)
        }
        shots.due.removeAll()
    }
}
