import Basics
import Testing
import ZeroMQHost

/// Two machines in virtual time. The tests compare one machine's estimate of the other clock with that clock's real
/// time.
private struct Machines {
    /// The other clock's time at this machine's zero, and the millionths by which it runs faster.
    var start: Int64
    var drift: Int64
    var now: Int64 = 5_000_000_000

    func theirs(at ours: Int64) -> Int64 { start + ours + ours / 1_000_000 * drift }
    var truth: Int64 { theirs(at: now) - now }

    /// One exchange with these delays: to the other machine, on it, and back.
    mutating func exchange(_ clock: inout PeerClock, out: Int64, there: Int64, back: Int64) {
        let sent = now
        let received = theirs(at: sent + out)
        let answered = theirs(at: sent + out + there)
        now = sent + out + there + back
        clock.add(
            sent: Instant(nanoseconds: sent), received: Instant(nanoseconds: received),
            answered: Instant(nanoseconds: answered), returned: Instant(nanoseconds: now))
    }

    var moment: Instant { Instant(nanoseconds: now) }
}

@Suite("The estimate of another machine's clock") struct PeerClockTests {
    @Test("with symmetric delays the clock offset is exact")
    func symmetric() throws {
        var (machines, clock) = (Machines(start: -3_600_000_000_000, drift: 0), PeerClock())
        #expect(clock.estimate(at: machines.moment) == nil && !clock.isKnown)
        machines.exchange(&clock, out: 200_000, there: 50_000, back: 200_000)
        let known = try #require(clock.estimate(at: machines.moment))
        #expect((known.offset, known.error, known.roundTrip) == (machines.truth, 200_001, 400_000))
        #expect(clock.offset == machines.truth)
    }

    @Test("with asymmetric delays the clock offset stays within its error bound")
    func asymmetric() throws {
        for (out, back) in [(1_000_000, 0), (0, 1_000_000), (700_000, 300_000)] as [(Int64, Int64)] {
            var (machines, clock) = (Machines(start: 77_000_000_000, drift: 0), PeerClock())
            machines.exchange(&clock, out: out, there: 1000, back: back)
            let known = try #require(clock.estimate(at: machines.moment))
            #expect(known.offset - machines.truth == (out - back) / 2)
            #expect(abs(known.offset - machines.truth) <= known.error)
        }
    }

    @Test("the quickest recent exchange determines the clock offset")
    func quickest() throws {
        var (machines, clock) = (Machines(start: 0, drift: 0), PeerClock())
        machines.exchange(&clock, out: 50_000, there: 0, back: 50_000)
        machines.exchange(&clock, out: 3_000_000, there: 0, back: 100_000)
        #expect(try #require(clock.estimate(at: machines.moment)).roundTrip == 100_000)
        // By then the quick estimate may be wrong by more than the slow one.
        machines.now += 60_000_000_000
        machines.exchange(&clock, out: 400_000, there: 0, back: 500_000)
        #expect(try #require(clock.estimate(at: machines.moment)).roundTrip == 900_000)
    }

    @Test(
        "the clock offset stays within its bound under any delays and drift",
        arguments: 1...200)
    func bound(seed: Int) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        let drift = Int64(chance.next() % 201) - 100
        var (machines, clock) = (
            Machines(start: Int64(chance.next() % (1 << 50)) - (1 << 49), drift: drift), PeerClock()
        )
        // One direction is slower than the other by a constant. Both vary, and sometimes by a lot.
        let (slowOut, slowBack) = (Int64(chance.next() % 2_000_000), Int64(chance.next() % 2_000_000))
        func jitter() -> Int64 {
            let base = Int64(chance.next() % 500_000)
            return chance.next() % 20 == 0 ? base * 40 : base
        }
        for _ in 0..<500 {
            machines.exchange(&clock, out: slowOut + jitter(), there: jitter(), back: slowBack + jitter())
            for _ in 0..<3 {
                clock.adjustOffset(at: machines.moment)
                let best = try #require(clock.estimate(at: machines.moment))
                #expect(abs(best.offset - machines.truth) <= best.error)
                let inForce = try #require(clock.offsetInForce(at: machines.moment))
                #expect(abs(inForce.offset - machines.truth) <= inForce.error)
                machines.now += Int64(chance.next() % 700_000_000)
                _ = clock.localTime(of: Instant(nanoseconds: machines.theirs(at: machines.now)))
            }
        }
        // With an exchange each second, the estimate is as good as the quickest of the last exchanges, apart from the
        // drift.
        let last = try #require(clock.offsetInForce(at: machines.moment))
        #expect(last.error < 6_000_000)
    }

    @Test("converted moments of another clock keep their order", arguments: 1...100)
    func order(seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed))
        var (machines, clock) = (Machines(start: 1 << 40, drift: Int64(chance.next() % 401) - 200), PeerClock())
        var (theirs, last) = (Int64.min, Instant(nanoseconds: .min))
        machines.exchange(&clock, out: 9_000_000, there: 0, back: 0)
        for _ in 0..<2000 {
            if chance.next() % 8 == 0 {
                machines.exchange(
                    &clock, out: Int64(chance.next() % 9_000_000), there: 0, back: Int64(chance.next() % 9_000_000))
            }
            machines.now += Int64(chance.next() % 3_000_000)
            clock.adjustOffset(at: machines.moment)
            theirs = max(theirs, machines.theirs(at: machines.now - Int64(chance.next() % 20_000_000)))
            let ours = clock.localTimeInOrder(of: Instant(nanoseconds: theirs))
            #expect(ours >= last)
            last = ours
        }
    }

    @Test("a used clock estimate changes slowly, and at once after a renewal")
    func slewed() throws {
        var (machines, clock) = (Machines(start: 0, drift: 0), PeerClock())
        machines.exchange(&clock, out: 10_000_000, there: 0, back: 0)
        #expect(clock.offset == 5_000_000)
        _ = clock.localTime(of: machines.moment)
        machines.now += 1_000_000_000
        machines.exchange(&clock, out: 0, there: 0, back: 0)
        // The change is 500 millionths of a second in one second.
        #expect(try #require(clock.offset) == 4_500_000)
        #expect(try #require(clock.offsetInForce(at: machines.moment)).error >= 4_500_000)
        clock.reset()
        #expect(!clock.isKnown)
        machines.exchange(&clock, out: 0, there: 0, back: 0)
        #expect(clock.offset == 0)
    }

    @Test("absurd moments neither change the clock estimate nor trap")
    func absurd() {
        let moments = [Int64.min, -1, 0, 1, 1 << 59, 1 << 60, .max].map(Instant.init(nanoseconds:))
        for sent in moments {
            for received in moments {
                for answered in moments {
                    for heard in moments {
                        var clock = PeerClock()
                        let isTaken = clock.add(sent: sent, received: received, answered: answered, returned: heard)
                        #expect(isTaken == clock.isKnown)
                        if isTaken { #expect(heard >= sent && answered >= received) }
                        _ = clock.localTimeInOrder(of: sent)
                        _ = clock.offsetInForce(at: heard)
                        clock.adjustOffset(at: .never)
                    }
                }
            }
        }
    }
}
