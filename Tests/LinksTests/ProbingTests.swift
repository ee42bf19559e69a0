import Basics
import Links
import Testing

@Suite("Probing")
struct ProbingTests {

    @Test("a probe is due after silence and at once after a gap")
    func due() {
        func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
        var probing = Probing()
        probing.noteReceived(at: at(1000), missing: false)
        #expect(probing.isDue(at: at(1099)) == false)
        let asked = stride(from: Int64(1100), through: 10_000, by: 100).filter { probing.isDue(at: at($0)) }
        #expect(asked == [1100, 1300, 1700, 2500, 4100, 5700, 7300, 8900])
        probing.noteReceived(at: at(10_000), missing: true)
        #expect(probing.isDue(at: at(10_001)) == true)
        #expect(probing.isDue(at: at(10_002)) == false)
        probing.noteReceived(at: at(10_100), missing: false, isAnswer: false)
        #expect(probing.isDue(at: at(10_201)) == true)
    }
}
