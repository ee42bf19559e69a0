import Basics
import HID
import Testing

@testable import SystemServerCore

@Suite("One scan, split by owner")
struct RouterTests {

    var router = Router(geometry: ScreenGeometry(width: 400, height: 800, rotation: 0))

    @Test("a finger that lands becomes a touch in points")
    mutating func landing() {
        let outcome = router.route(scan(down(1, 0.5, 0.25)), to: .app(1))
        #expect(outcome.landings == [.init(finger: 1, touch: TouchID(rawValue: 0), recipient: .app(1))])
        #expect(outcome.deliveries.map(\.recipient) == [.app(1)])
        #expect(outcome.deliveries[0].frame.contacts[0].location == Point(200, 200))
        #expect(outcome.deliveries[0].frame.contacts[0].phase == .began)
    }

    @Test("two fingers with two owners are two frames, and one that rests alone is none")
    mutating func split() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        let second = router.route(scan(held(1, 0.1, 0.1), down(2, 0.2, 0.2)), to: .app(2))
        #expect(second.deliveries.map(\.recipient) == [.app(2)], "app 1's finger only rested")
        let both = router.route(scan(moved(1, 0.3, 0.3), moved(2, 0.4, 0.4)), to: .home)
        #expect(both.deliveries.map(\.recipient) == [.app(1), .app(2)])
    }

    @Test("a resting finger rides along with its moving neighbour")
    mutating func stationary() {
        _ = router.route(scan(down(1, 0.1, 0.1), down(2, 0.2, 0.2)), to: .app(1))
        let outcome = router.route(scan(held(1, 0.1, 0.1), moved(2, 0.4, 0.4)), to: .app(1))
        #expect(outcome.deliveries[0].frame.contacts.map(\.phase) == [.stationary, .moved])
    }

    @Test("a finger missing from a scan is gone, and its owner hears cancelled")
    mutating func resync() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        let outcome = router.route(scan(moved(2, 0.5, 0.5)), to: .app(1))
        #expect(outcome.deliveries.flatMap(\.frame.contacts).map(\.phase) == [.cancelled])
        #expect(outcome.drops == [.unknownFinger], "nobody saw finger 2 land")
        #expect(router.fingersDown == 0)
    }

    @Test("a second landing of a live finger is a cancel and a landing")
    mutating func landsTwice() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        let outcome = router.route(scan(down(1, 0.9, 0.9)), to: .app(1))
        let contacts = outcome.deliveries[0].frame.contacts
        #expect(contacts.map(\.phase) == [.cancelled, .began])
        #expect(contacts[0].touch != contacts[1].touch)
    }

    @Test("touches taken away are cancelled once; the finger stays dead and the next landing is free")
    mutating func revoking() {
        _ = router.route(scan(down(1, 0.1, 0.1)), to: .app(1))
        #expect(router.revoke(.app(1), at: .boot).map(\.frame.contacts[0].phase) == [.cancelled])
        #expect(router.revoke(.app(1), at: .boot).isEmpty)
        #expect(router.route(scan(moved(1, 0.2, 0.2)), to: .app(2)).deliveries.isEmpty)
        #expect(router.route(scan(lifted(1)), to: .app(2)).drops == [.dead])
        #expect(router.route(scan(down(1, 0.2, 0.2)), to: .app(2)).deliveries.map(\.recipient) == [.app(2)])
    }
}

func scan(_ fingers: DigitizerEvent...) -> HIDEvent {
    HIDEvent(
        timeStamp: Instant(nanoseconds: 1), senderID: 1, generationCount: 1,
        hand: record(0, [], [.isCollection], 0, 0, .hand), fingers: fingers)
}

func down(_ index: UInt32, _ x: Double, _ y: Double) -> DigitizerEvent {
    record(index, [.range, .touch, .position], [.range, .touch], x, y)
}
func moved(_ index: UInt32, _ x: Double, _ y: Double) -> DigitizerEvent {
    record(index, [.position], [.range, .touch], x, y)
}
func held(_ index: UInt32, _ x: Double, _ y: Double) -> DigitizerEvent { record(index, [], [.range, .touch], x, y) }
func lifted(_ index: UInt32) -> DigitizerEvent { record(index, [.range, .touch], [], 0.1, 0.1) }

private func record(
    _ index: UInt32, _ mask: DigitizerEventMask, _ options: DigitizerOptions, _ x: Double, _ y: Double,
    _ transducer: DigitizerTransducer = .finger
) -> DigitizerEvent {
    DigitizerEvent(
        transducer: transducer, index: index, identity: index, mask: mask, options: options, x: Fixed(x), y: Fixed(y))
}
