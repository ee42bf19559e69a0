import Basics
import Testing

@Suite("Frame clock")
struct FrameClockTests {
    @Test("a frame clock finds the frames before and after a moment")
    func start() {
        let clock = FrameClock(rate: 60, from: Instant(nanoseconds: 1_000))
        #expect(clock.time(of: 0) == Instant(nanoseconds: 1_000))
        #expect(clock.next(after: Instant(nanoseconds: 1_000)) == Instant(nanoseconds: 16_667_666))
        #expect(clock.next(after: Instant(nanoseconds: 16_667_665)) == Instant(nanoseconds: 16_667_666))
        #expect(clock.next(after: Instant(nanoseconds: 16_667_666)) == Instant(nanoseconds: 33_334_333))
        #expect(clock.last(until: Instant(nanoseconds: 16_667_665)) == Instant(nanoseconds: 1_000))
        #expect(clock.last(until: Instant(nanoseconds: 16_667_666)) == Instant(nanoseconds: 16_667_666))
        #expect(clock.last(until: .boot) == Instant(nanoseconds: 1_000))
    }

    @Test("a frame clock ends at the end of time")
    func end() {
        let clock = FrameClock(rate: 1000, from: Instant(nanoseconds: 5))
        #expect(clock.next(after: .never) == .never)
        #expect(clock.last(until: .never) <= .never)
    }
}
