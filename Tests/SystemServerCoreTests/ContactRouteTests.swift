import Testbed
import Testing

@testable import SystemServerCore

@Suite("One finger's route")
struct ContactRouteTests {

    var route = ContactRoute()

    @Test("a finger keeps the app it landed on, wherever the front goes")
    mutating func ownership() {
        #expect(route.handle(.down(hit: .app(1))) == .deliver(.app(1)))
        #expect(route.handle(.held) == .deliver(.app(1)))
        #expect(route.handle(.died(.app(2))) == .nothing)
        #expect(route.handle(.up) == .deliver(.app(1)))
    }

    @Test("a finger whose touch was taken is dead until it lifts")
    mutating func revoked() {
        _ = route.handle(.down(hit: .app(1)))
        #expect(route.handle(.revoked) == .cancel(.app(1)))
        #expect(route.handle(.revoked) == .nothing)
        #expect(route.handle(.held) == .drop(.dead))
        #expect(route.handle(.up) == .drop(.dead))
        #expect(route.state == .lifted)
    }

    @Test("the whole table")
    func table() {
        expectMachineTable(
            "ContactRoute", states: [.lifted, .owned(.app(1)), .owned(.home), .orphaned],
            inputs: [
                .down(hit: .app(1)), .down(hit: nil), .held, .up, .cancelled, .revoked, .died(.app(1)), .died(.app(2)),
            ],
            transition: ContactRoute.transition)
    }
}
