import Testing
import Trace

@Suite("Flood") struct FloodTests {
    @Test("a flood is noted 64 times, then only at powers of two")
    func rarely() {
        var flood = RepetitionLimit()
        let noted = (1...1_000_000).filter { _ in flood.countOccurrence() }
        #expect(flood.count == 1_000_000)
        #expect(noted == Array(1...64) + (7...19).map { 1 << $0 })
    }
}
