import Testing
import Trace

@Suite("A flood") struct FloodTests {
    @Test("is noted at its beginning and then ever more rarely, and all of it is counted")
    func rarely() {
        var flood = Flood()
        let noted = (1...1_000_000).filter { _ in flood.rises() }
        #expect(flood.count == 1_000_000)
        #expect(noted == Array(1...64) + (7...19).map { 1 << $0 })
    }
}
