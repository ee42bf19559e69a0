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

    @Test("velocity is zero with one sample or two within a millisecond")
    func tooFew() {
        #expect(velocity() == 0)
        #expect(velocity((0, 10)) == 0)
        #expect(velocity((0, 10), (0.5, 20)) == 0)
        #expect(velocity((0, 10), (1, 20)) == 10_000)
    }

    @Test("velocity uses only the samples of the last 50 ms")
    func window() {
        #expect(velocity((0, 0), (10, 5), (20, 20)) == 1000)
        #expect(velocity((0, 0), (100, 500), (125, 505), (150, 510)) == 200)
        // The sample exactly 50 ms old counts.
        #expect(velocity((0, 0), (50, 100)) == 2000)
    }

    @Test("B9.9: samples of a resting finger do not lower its velocity")
    func rest() {
        #expect(velocity((0, 0), (10, 100), (20, 200), (100, 200)) == 10_000)
        // The first move after a rest of more than 50 ms has no earlier sample in its window.
        #expect(velocity((0, 0), (10, 100), (100, 100), (110, 110)) == 0)
    }

    @Test("velocity uses a moment's last sample and restarts when time reverses")
    func oddClocks() {
        #expect(velocity((0, 0), (10, 50), (10, 100)) == 10_000)
        #expect(velocity((100, 0), (110, 100), (50, 7)) == 0)
        #expect(velocity((100, 0), (110, 100), (50, 7), (60, 17)) == 1000)
    }

    @Test("velocity of a long movement counts the last 50 ms after every sample")
    func longMovement() {
        var velocity = Velocity()
        for millisecond in 0...2000 {
            let x = Double(millisecond * millisecond)
            velocity.add(Travel(x, -x), at: Instant(nanoseconds: Int64(millisecond) * 1_000_000))
            let first = Double(max(0, millisecond - 50))
            let expected = millisecond == 0 ? 0 : (x - first * first) / ((Double(millisecond) - first) / 1000)
            #expect((velocity.perSecond.dx - expected).magnitude < 0.001, "at \(millisecond) ms")
        }
    }
}
