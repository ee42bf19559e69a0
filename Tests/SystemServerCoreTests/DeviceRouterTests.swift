import Basics
import HID
import Testing
import Wire

@testable import SystemServerCore

@Suite("The routing of input other than touches")
struct DeviceRouterTests {
    private typealias Content = DeviceInput<DigitizerSpace>.Content

    var router = DeviceRouter(geometry: ScreenGeometry(width: 400, height: 800, rotation: 0))

    private func event(_ phase: InputPhase, _ content: Content) -> DeviceEvent<DigitizerSpace> {
        DeviceEvent(timeStamp: .boot, input: DeviceInput(phase, content))
    }
    private let a = Content.key(HIDUsage(page: 7, usage: 4))
    private let b = Content.key(HIDUsage(page: 7, usage: 5))

    @Test("a held key stays with the app that was in front")
    mutating func owner() {
        #expect(router.route(event(.began, a), to: .app(1)).recipient == .app(1))
        #expect(router.route(event(.began, b), to: .app(2)).recipient == .app(2))
        #expect(router.route(event(.ended, a), to: .app(2)).recipient == .app(1))
        #expect(router.route(event(.ended, b), to: .home).recipient == .app(2))
        #expect(router.held == 0)
    }

    @Test("a revoked key is cancelled for its owner and ignored until released")
    mutating func revoked() {
        _ = router.route(event(.began, a), to: .app(1))
        _ = router.route(event(.began, b), to: .app(2))
        let told = router.revoke(.app(1), at: .boot)
        #expect(told.map(\.recipient) == [.app(1)])
        #expect(told.map(\.event.input) == [DeviceInput(.cancelled, .key(HIDUsage(page: 7, usage: 4)))])
        #expect(router.route(event(.ended, a), to: .app(2)) == .drop(.ignored))
        #expect(router.route(event(.began, a), to: .app(2)).recipient == .app(2), "it has been up")
        #expect(router.revoke(at: .boot).map(\.recipient) == [.app(2), .app(2)])
    }

    @Test("a key whose owner died reaches no app until it is released")
    mutating func died() {
        _ = router.route(event(.began, a), to: .app(1))
        router.forget(.app(1))
        #expect(router.revoke(at: .boot).isEmpty)
        #expect(router.route(event(.ended, a), to: .app(1)) == .drop(.ignored))
    }

    @Test("the device router drops ends without a beginning and second beginnings")
    mutating func lies() {
        #expect(router.route(event(.ended, a), to: .app(1)) == .drop(.unknownFinger))
        _ = router.route(event(.began, a), to: .app(1))
        #expect(router.route(event(.began, a), to: .app(1)) == .drop(.nothingNew))
        let hover = Content.hover(.zero)
        _ = router.route(event(.began, hover), to: .app(1))
        guard case .deliver(let delivery) = router.route(event(.began, hover), to: .app(2)) else {
            Issue.record("a hover that goes on was dropped")
            return
        }
        #expect(delivery.recipient == .app(1))
        #expect(delivery.event.input.phase == .changed)
    }

    @Test("a hover that lost its owner begins again in the front app")
    mutating func hoverGoesOn() {
        let hover = Content.hover(.zero)
        _ = router.route(event(.began, hover), to: .app(1))
        #expect(router.revoke(.app(1), at: .boot).map(\.recipient) == [.app(1)])
        #expect(router.route(event(.changed, hover), to: nil) == .drop(.ignored), "a locked screen")
        for (front, phase) in [(Recipient.app(2), InputPhase.began), (.app(3), .changed)] {
            guard case .deliver(let delivery) = router.route(event(.changed, hover), to: front) else {
                Issue.record("a hover that goes on was dropped")
                return
            }
            #expect(delivery.recipient == .app(2))
            #expect(delivery.event.input.phase == phase)
        }
        router.forget(.app(2))
        #expect(router.route(event(.changed, hover), to: .home).recipient == .home)
        #expect(router.route(event(.ended, hover), to: .app(3)).recipient == .home)
        #expect(router.held == 0)
    }

    @Test("the device router holds a limited number of pressed keys")
    mutating func flood() {
        for usage in 0..<1000 {
            _ = router.route(event(.began, .key(HIDUsage(page: 1, usage: UInt16(usage)))), to: .app(1))
        }
        #expect(router.held == DeviceRouter.limit)
        let more = event(.began, .key(HIDUsage(page: 7, usage: 4)))
        #expect(router.route(more, to: .app(1)) == .drop(.tooMany(limit: DeviceRouter.limit)))
    }

    @Test("a pointer's position arrives in points; a locked screen receives no input")
    mutating func place() {
        let middle = Point<DigitizerSpace>(0.5, 0.25)
        guard case .deliver(let delivery) = router.route(event(.began, .hover(middle)), to: .home) else {
            Issue.record("dropped")
            return
        }
        #expect(delivery.event.input.position == Point(200, 200))
        #expect(router.route(event(.once, .remote(.play)), to: nil) == .drop(.landedOnNothing))
    }
}

extension DeviceRouter.Outcome {
    fileprivate var recipient: Recipient? {
        if case .deliver(let delivery) = self { delivery.recipient } else { nil }
    }
}
