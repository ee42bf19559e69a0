import Basics
import Hosting
import Testing

@Suite("Being there")
struct VigilTests {

    @Test("a turn that comes later than the limit was missed, while a vigil is kept")
    func kept() {
        var vigil = Vigil(limit: .milliseconds(900))
        #expect(vigil.turn(at: at(0)) == nil)
        #expect(vigil.keep(true, at: at(0)) == at(100))
        #expect(vigil.keep(true, at: at(50)) == nil)
        #expect(vigil.turn(at: at(900)) == nil)
        #expect(vigil.turn(at: at(1801)) == .milliseconds(901))
    }

    @Test("without reason to keep one, time passes, and only what has waited says that nobody was there")
    func idle() {
        var vigil = Vigil(limit: .milliseconds(900))
        _ = vigil.turn(at: at(0))
        #expect(vigil.turn(at: at(60_000)) == nil)
        #expect(vigil.turn(at: at(120_000), waited: at(119_990)) == nil)
        #expect(vigil.turn(at: at(180_000), waited: at(170_000)) == .seconds(10))
        // It was here in between, so it was the link that was late.
        #expect(vigil.turn(at: at(180_500)) == nil)
        #expect(vigil.turn(at: at(181_000), waited: at(180_050)) == nil)
    }

    @Test("what has waited says so also when it is not the first thing heard")
    func second() {
        var vigil = Vigil(limit: .milliseconds(900))
        _ = vigil.turn(at: at(0))
        #expect(vigil.turn(at: at(10_000)) == nil)
        _ = vigil.keep(true, at: at(10_000))
        #expect(vigil.isInDoubt)
        #expect(vigil.turn(at: at(10_001), waited: at(9_500)) == nil)
        #expect(vigil.turn(at: at(10_002), waited: at(8_000)) == .seconds(2))
    }

    @Test("with a limit of zero nobody is ever away")
    func never() {
        var vigil = Vigil(limit: .zero)
        _ = vigil.keep(true, at: at(0))
        _ = vigil.turn(at: at(0))
        #expect(vigil.turn(at: at(60_000)) == nil)
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
}
