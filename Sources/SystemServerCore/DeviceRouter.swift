// DeviceRouter.swift: the recipient of a key, a shake or a pointer, from its beginning to its end.
//
// Station   router
// Input     SystemServerCore: device events in order, and everything that cancels them
// Output    the event, in the space of its recipient
// Knows     the recipient at a position, and the app in front, when an input begins. No links, no receipts.
//
// ContactRoute routes an input as it routes a finger. The recipient at its beginning owns it until it ends. An input
// that was taken from its owner is ignored until it ends. A hover presses nothing, so its next move finds a new owner.
//
// Sources   inferred  from fingers (D3, S88, D5): the recipient at a pointer's position owns it; input without a
//           position belongs to the app in front

import Basics
import HID
import Wire

/// The owners of all inputs other than touches.
struct DeviceRouter: Sendable {
    /// An event and its recipient.
    struct Delivery: Equatable, Sendable {
        var recipient: Recipient
        var event: DeviceEvent<SceneSpace>
    }

    enum Outcome: Equatable, Sendable {
        case deliver(Delivery)
        case drop(ContactRoute.Reason)
    }

    fileprivate struct Route: Sendable {
        /// The input, as last received.
        var input: DeviceInput<DisplaySpace>
        /// The owner's scene when the input began.
        var scene = SceneGeometry.display
        var route = ContactRoute()
    }

    private let geometry: ScreenGeometry
    /// The limit of held inputs. No person holds as many keys, but a faulty input-kit may report them.
    static let limit = 256

    /// In the order in which the inputs began.
    private var routes: [Route] = []

    init(geometry: ScreenGeometry) { self.geometry = geometry }

    /// The number of inputs that have begun and not ended, with those that are ignored.
    var held: Int { routes.count }

    /// Routes one event.
    ///
    /// - Parameters:
    ///   - ground: Finds the recipient of an input that begins.
    ///   - stalled: Unresponsive recipients. An input that begins there has no owner.
    mutating func route(
        _ event: DeviceEvent<DigitizerSpace>, over ground: some TargetResolver, refusing stalled: [Recipient] = []
    ) -> Outcome {
        let input = event.input.converted(geometry.displayPosition)
        let known = routes.firstIndex { $0.input.stretch == input.stretch }
        switch (input.phase, known) {
        case (.once, _):
            var route = Route(input: input)
            let decision = route.land(on: ground, refusing: stalled)
            return outcome(decision, route, input, at: event.timeStamp)
        case (.began, nil):
            guard routes.count < Self.limit else { return .drop(.tooMany(limit: Self.limit)) }
            var route = Route(input: input)
            let decision = route.land(on: ground, refusing: stalled)
            routes.append(route)
            return outcome(decision, route, input, at: event.timeStamp)
        // A second beginning repairs nothing: the input continues as it was.
        case (.began, let index?), (.changed, let index?):
            if input.stretch == .hover, routes[index].route.state == .ignored, ground.target(of: input) != nil {
                routes[index] = Route(input: DeviceInput(.began, input.content))
                let decision = routes[index].land(on: ground, refusing: stalled)
                return outcome(decision, routes[index], routes[index].input, at: event.timeStamp)
            }
            return advance(index, .held, DeviceInput(.changed, input.content), at: event.timeStamp)
        case (.ended, let index?): return advance(index, .up, input, at: event.timeStamp)
        case (.cancelled, let index?): return advance(index, .cancelled, input, at: event.timeStamp)
        case (.changed, nil), (.ended, nil), (.cancelled, nil): return .drop(.unknownFinger)
        }
    }

    /// Cancels the inputs of one recipient, or of all: each owner receives `cancelled`.
    mutating func revoke(_ recipient: Recipient? = nil, at now: Instant) -> [Delivery] {
        var deliveries: [Delivery] = []
        for i in routes.indices where recipient == nil || routes[i].route.state == .owned(recipient!) {
            let decision = routes[i].route.handle(.revoked)
            let input = routes[i].input.ending(.cancelled)
            if case .deliver(let delivery) = outcome(decision, routes[i], input, at: now) {
                deliveries.append(delivery)
            }
        }
        return deliveries
    }

    /// Forgets an owner that is gone. No message is sent.
    mutating func forget(_ dead: Recipient) {
        for i in routes.indices { _ = routes[i].route.handle(.died(dead)) }
    }

    /// Cancels everything, because the devices are gone.
    mutating func clear(at now: Instant) -> [Delivery] {
        defer { routes.removeAll() }
        return revoke(at: now)
    }

    private mutating func advance(
        _ index: Int, _ step: ContactRoute.Input, _ input: DeviceInput<DisplaySpace>, at time: Instant
    ) -> Outcome {
        routes[index].input = input
        let decision = routes[index].route.handle(step)
        let route = routes[index]
        if routes[index].route.state == .lifted { routes.remove(at: index) }
        // A key that begins while it is down changes nothing.
        guard input.isPossible else { return .drop(.nothingNew) }
        return outcome(decision, route, input, at: time)
    }

    private func outcome(
        _ decision: ContactRoute.Decision, _ route: Route, _ input: DeviceInput<DisplaySpace>, at time: Instant
    ) -> Outcome {
        switch decision {
        case .deliver(let recipient), .cancel(let recipient):
            .deliver(
                Delivery(
                    recipient: recipient,
                    event: DeviceEvent(timeStamp: time, input: input.converted(route.scene.scenePosition))))
        case .drop(let reason): .drop(reason)
        case .nothing: .drop(.unknownFinger)
        }
    }
}

extension DeviceRouter.Route {
    fileprivate mutating func land(on ground: some TargetResolver, refusing stalled: [Recipient])
        -> ContactRoute.Decision
    {
        let target = ground.target(of: input)
        if let target { scene = target.scene }
        let isRefused = target.map { stalled.contains($0.recipient) } ?? false
        return route.handle(isRefused ? .refused : .down(hit: target?.recipient))
    }
}

extension TargetResolver {
    fileprivate func target(of input: DeviceInput<DisplaySpace>) -> Target? {
        // A pointer is on the main display.
        input.position.map { target(at: $0, on: 1) } ?? focus
    }
}
