import Basics
import HID

@testable import SystemServerCore

/// A ground whose owner is the same at every position.
struct SingleOwnerResolver: TargetResolver {
    var owner: Recipient?

    func target(at position: Point<DisplaySpace>, on display: DisplayID) -> Target? { focus }
    var focus: Target? { owner.map { Target(recipient: $0) } }
}

extension Router {
    mutating func route(_ event: HIDEvent, to owner: Recipient?) -> Outcome {
        route(event, over: SingleOwnerResolver(owner: owner))
    }
}

extension DeviceRouter {
    mutating func route(_ event: DeviceEvent<DigitizerSpace>, to owner: Recipient?) -> Outcome {
        route(event, over: SingleOwnerResolver(owner: owner))
    }
}
