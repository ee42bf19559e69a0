import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("The route of one contact")
struct ContactRouteTests {

    var route = ContactRoute()

    @Test("a contact stays with the app it landed on until it lifts")
    mutating func ownership() {
        #expect(route.handle(.down(hit: .app(1))) == .deliver(.app(1)))
        #expect(route.handle(.held) == .deliver(.app(1)))
        #expect(route.handle(.died(.app(2))) == .nothing)
        #expect(route.handle(.up) == .deliver(.app(1)))
    }

    @Test("a contact whose touch was revoked is ignored until it lifts")
    mutating func revoked() {
        _ = route.handle(.down(hit: .app(1)))
        #expect(route.handle(.revoked) == .cancel(.app(1)))
        #expect(route.handle(.revoked) == .nothing)
        #expect(route.handle(.held) == .drop(.ignored))
        #expect(route.handle(.up) == .drop(.ignored))
        #expect(route.state == .lifted)
    }

    @Test("a taken contact is dropped with its taker as reason until lift", arguments: ContactRoute.Taker.allCases)
    func taken(taker: ContactRoute.Taker) {
        var route = ContactRoute()
        _ = route.handle(.down(hit: .app(1)))
        #expect(route.handle(.taken(by: taker)) == .cancel(.app(1)))
        #expect(route.handle(.held) == .drop(.taken(by: taker)))
        for loss in [ContactRoute.Input.revoked, .died(.app(1)), .taken(by: .monitor), .taken(by: .system)] {
            #expect(route.handle(loss) == .nothing)
        }
        #expect(route.handle(.up) == .drop(.taken(by: taker)))
        #expect(route.state == .lifted)
    }

    @Test("a system gesture takes a contact that lost its app")
    mutating func takenWithoutOwner() {
        _ = route.handle(.down(hit: .app(1)))
        _ = route.handle(.died(.app(1)))
        #expect(route.handle(.taken(by: .system)) == .nothing)
        #expect(route.handle(.held) == .drop(.taken(by: .system)))
    }

    @Test("ContactRoute's transitions match Docs/Reference/Machines/ContactRoute.md")
    func table() {
        expectMachineTable(
            "ContactRoute",
            states: ContactRoute.State.examples, inputs: ContactRoute.Input.examples,
            transition: ContactRoute.transition)
    }
}
