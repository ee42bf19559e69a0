// DeviceRouter.swift: who hears of a key, a shake, a pointer, from its beginning to its end.
//
// Station   router
// Fed by    SystemServerCore: device events in order, and everything that takes them away
// Feeds     SystemServerCore: the event as its recipient gets it
// Knows     whose a point is, and who is in front, when something begins. No links, no receipts.
//
// A stretch of input is routed as a finger is (ContactRoute): by what is there when it begins, there until it ends,
// and dead until it ends once it has been taken away; but for a hover, which presses nothing and is the next one's with
// its next move.
//
// Sources   inferred  from fingers (D3, S88, D5): a pointer is whose the point is, and what is at no point the front's

import Basics
import HID
import Wire

struct DeviceRouter: Sendable {
    struct Delivery: Equatable, Sendable {
        var recipient: Recipient
        var event: DeviceEvent<SceneSpace>
    }

    enum Outcome: Equatable, Sendable {
        case deliver(Delivery)
        case drop(ContactRoute.Reason)
    }

    fileprivate struct Route: Sendable {
        /// As last heard.
        var input: DeviceInput<DisplaySpace>
        /// Its owner's, as it was when this began.
        var scene = SceneGeometry.display
        var route = ContactRoute()
    }

    private let geometry: ScreenGeometry
    /// No person holds as many keys; an input-kit gone mad does.
    static let limit = 256

    /// In the order they began.
    private var routes: [Route] = []

    init(geometry: ScreenGeometry) { self.geometry = geometry }

    /// What has begun and not ended, dead or not.
    var held: Int { routes.count }

    /// - Parameters:
    ///   - ground: The recipient of what begins now.
    ///   - stalled: Recipients that do not respond: what begins there has no owner.
    mutating func route(
        _ event: DeviceEvent<DigitizerSpace>, over ground: some Ground, refusing stalled: [Recipient] = []
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
        // An input-kit that says it twice has repaired nothing; it goes on as it was.
        case (.began, let index?), (.changed, let index?):
            if input.stretch == .hover, routes[index].route.state == .orphaned, ground.target(of: input) != nil {
                routes[index] = Route(input: DeviceInput(.began, input.content))
                let decision = routes[index].land(on: ground, refusing: stalled)
                return outcome(decision, routes[index], routes[index].input, at: event.timeStamp)
            }
            return follow(index, .held, DeviceInput(.changed, input.content), at: event.timeStamp)
        case (.ended, let index?): return follow(index, .up, input, at: event.timeStamp)
        case (.cancelled, let index?): return follow(index, .cancelled, input, at: event.timeStamp)
        case (.changed, nil), (.ended, nil), (.cancelled, nil): return .drop(.unknownFinger)
        }
    }

    /// Takes what one recipient, or everybody, has: they hear that it is cancelled.
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

    /// The owner is gone, and nobody is told.
    mutating func forget(_ dead: Recipient) {
        for i in routes.indices { _ = routes[i].route.handle(.died(dead)) }
    }

    /// The devices are gone.
    mutating func clear(at now: Instant) -> [Delivery] {
        defer { routes.removeAll() }
        return revoke(at: now)
    }

    private mutating func follow(
        _ index: Int, _ word: ContactRoute.Input, _ input: DeviceInput<DisplaySpace>, at time: Instant
    ) -> Outcome {
        routes[index].input = input
        let decision = routes[index].route.handle(word)
        let route = routes[index]
        if routes[index].route.state == .lifted { routes.remove(at: index) }
        // A key that was said to go down again has nothing to change.
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
    fileprivate mutating func land(on ground: some Ground, refusing stalled: [Recipient]) -> ContactRoute.Decision {
        let target = ground.target(of: input)
        if let target { scene = target.scene }
        let isRefused = target.map { stalled.contains($0.recipient) } ?? false
        return route.handle(isRefused ? .refused : .down(hit: target?.recipient))
    }
}

extension Ground {
    fileprivate func target(of input: DeviceInput<DisplaySpace>) -> Target? {
        // A pointer is on the main display.
        input.position.map { target(at: $0, on: 1) } ?? focus
    }
}
