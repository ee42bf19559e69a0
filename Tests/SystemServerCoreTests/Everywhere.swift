import Basics
import HID

@testable import SystemServerCore

/// Ground that is somebody's wherever a finger lands.
struct Everywhere: Ground {
    var owner: Recipient?

    func target(at x: Fixed, _ y: Fixed, on display: DisplayID) -> Target? { focus }
    var focus: Target? { owner.map { Target(recipient: $0) } }
}

extension Router {
    mutating func route(_ event: HIDEvent, to owner: Recipient?) -> Outcome {
        route(event, over: Everywhere(owner: owner))
    }
}

extension DeviceRouter {
    mutating func route(_ event: DeviceEvent, to owner: Recipient?) -> Outcome {
        route(event, over: Everywhere(owner: owner))
    }
}
