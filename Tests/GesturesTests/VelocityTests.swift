import Basics
import Testing

@testable import Gestures

@Suite("Velocity")
struct VelocityTests {
    private func velocity(_ samples: (Double, Double)...) -> Double {
        var velocity = Velocity()
        for (milliseconds, x) in samples { velocity.add(Travel(x, -x), at: Instant(seconds: milliseconds / 1000)) }
        #expect(velocity.perSecond.dy == -velocity.perSecond.dx)
        return velocity.perSecond.dx
    }

    @Test("one sample has no speed, and nor have two within a millisecond")
    func tooFew() {
        #expect(velocity() == 0)
        #expect(velocity((0, 10)) == 0)
        #expect(velocity((0, 10), (0.5, 20)) == 0)
        #expect(velocity((0, 10), (1, 20)) == 10_000)
    }

    @Test("it is the way of the last 50 ms by their time, whatever went before")
    func window() {
        #expect(velocity((0, 0), (10, 5), (20, 20)) == 1000)
        #expect(velocity((0, 0), (100, 500), (125, 505), (150, 510)) == 200)
        // The sample exactly 50 ms old counts.
        #expect(velocity((0, 0), (50, 100)) == 2000)
    }

    @Test("samples of a finger that rests take nothing from its velocity (B9.9)")
    func rest() {
        #expect(velocity((0, 0), (10, 100), (20, 200), (100, 200)) == 10_000)
        // From where it rests it begins again.
        #expect(velocity((0, 0), (10, 100), (100, 100), (110, 110)) == 0)
    }

    @Test("of one moment the last word counts, and a clock that runs backwards starts anew")
    func oddClocks() {
        #expect(velocity((0, 0), (10, 50), (10, 100)) == 10_000)
        #expect(velocity((100, 0), (110, 100), (50, 7)) == 0)
        #expect(velocity((100, 0), (110, 100), (50, 7), (60, 17)) == 1000)
    }
}
