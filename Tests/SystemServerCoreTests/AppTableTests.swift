import Testing
import Wire

@testable import SystemServerCore

@Suite("Who is in front")
struct AppTableTests {

    var apps = AppTable()

    @Test("app 1 is launched into the front; others wait to be asked for")
    mutating func launch() {
        #expect(apps.handle(.launched(2)) == [])
        #expect(apps.recipient == .home)
        #expect(apps.handle(.launched(1)) == [.tell(1, .didBecomeActive)])
        #expect(apps.recipient == .app(1))
    }

    @Test("a call takes the touches first and says why after, and gives nothing back but the active state")
    mutating func interruption() {
        _ = apps.handle(.launched(1))
        #expect(apps.handle(.interrupt) == [.revoke(.app(1)), .tell(1, .willResignActive)])
        #expect(apps.handle(.interrupt) == [])
        #expect(apps.recipient == .overlay)
        #expect(apps.handle(.resume) == [.tell(1, .didBecomeActive)])
    }

    @Test("switching apps cancels, deactivates and backgrounds one before the other hears anything")
    mutating func switching() {
        _ = apps.handle(.launched(1))
        _ = apps.handle(.launched(2))
        #expect(
            apps.handle(.foreground(2)) == [
                .revoke(.app(1)), .tell(1, .willResignActive), .tell(1, .didEnterBackground),
                .tell(2, .willEnterForeground), .tell(2, .didBecomeActive),
            ])
        #expect(apps.handle(.foreground(2)) == [])
    }

    @Test("an app asked for before it runs comes to front when it says hello")
    mutating func awaited() {
        #expect(apps.handle(.foreground(3)) == [])
        #expect(apps.handle(.launched(3)).last == .tell(3, .didBecomeActive))
        #expect(apps.recipient == .app(3))
    }

    @Test("home stays home when an app is launched later; a crash shows home until the app is back")
    mutating func home() {
        _ = apps.handle(.launched(1))
        _ = apps.handle(.died(1))
        #expect(apps.recipient == .home)
        _ = apps.handle(.launched(1))
        #expect(apps.recipient == .app(1))
        #expect(
            apps.handle(.home) == [
                .revoke(.app(1)), .tell(1, .willResignActive), .tell(1, .didEnterBackground),
            ])
        _ = apps.handle(.died(1))
        _ = apps.handle(.launched(1))
        #expect(apps.recipient == .home)
    }

    @Test("a locked screen gives a finger to nobody")
    mutating func lock() {
        _ = apps.handle(.launched(1))
        #expect(
            apps.handle(.lock) == [
                .revoke(.app(1)), .tell(1, .willResignActive), .tell(1, .didEnterBackground),
            ])
        #expect(apps.recipient == nil)
        #expect(apps.handle(.unlock) == [.tell(1, .willEnterForeground), .tell(1, .didBecomeActive)])
    }
}
