import Basics
import Testing

@Suite("Suspension detector")
struct SuspensionDetectorTests {

    @Test("a watching suspension detector reports a turn later than its limit")
    func watching() {
        var detector = SuspensionDetector(limit: .milliseconds(900))
        #expect(detector.recordTurn(at: at(0)) == nil)
        #expect(detector.watch(true, at: at(0)) == at(100))
        #expect(detector.watch(true, at: at(50)) == nil)
        #expect(detector.recordTurn(at: at(900)) == nil)
        #expect(detector.recordTurn(at: at(1801)) == .milliseconds(901))
    }

    @Test("an idle suspension detector reports only an input that has waited")
    func idle() {
        var detector = SuspensionDetector(limit: .milliseconds(900))
        _ = detector.recordTurn(at: at(0))
        #expect(detector.recordTurn(at: at(60_000)) == nil)
        #expect(detector.recordTurn(at: at(120_000), waited: at(119_990)) == nil)
        #expect(detector.recordTurn(at: at(180_000), waited: at(170_000)) == .seconds(10))
        // The process turned in between, so the link was late.
        #expect(detector.recordTurn(at: at(180_500)) == nil)
        #expect(detector.recordTurn(at: at(181_000), waited: at(180_050)) == nil)
    }

    @Test("an input that has waited reports a suspension behind other inputs")
    func second() {
        var detector = SuspensionDetector(limit: .milliseconds(900))
        _ = detector.recordTurn(at: at(0))
        #expect(detector.recordTurn(at: at(10_000)) == nil)
        _ = detector.watch(true, at: at(10_000))
        #expect(detector.needsInputTime)
        #expect(detector.recordTurn(at: at(10_001), waited: at(9_500)) == nil)
        #expect(detector.recordTurn(at: at(10_002), waited: at(8_000)) == .seconds(2))
    }

    @Test("a suspension detector with limit zero reports nothing")
    func never() {
        var detector = SuspensionDetector(limit: .zero)
        _ = detector.watch(true, at: at(0))
        _ = detector.recordTurn(at: at(0))
        #expect(detector.recordTurn(at: at(60_000)) == nil)
    }

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
}
