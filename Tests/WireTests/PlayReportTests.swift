import Testing
import Wire

@Suite("A play's report")
struct PlayReportTests {
    /// The report of one finger that landed, moved ten times and lifted.
    private static let sent: PlayReport = {
        var report = PlayReport(id: 1)
        (report.sent, report.sentTouches.began, report.sentTouches.moved, report.sentTouches.ended) = (12, 1, 10, 1)
        (report.answered, report.arrivedTouches.began) = (12, 1)
        return report
    }()

    @Test("missing moves and lifts make a play report incomplete unless taken")
    func taken() {
        var report = Self.sent
        report.arrivedTouches.moved = 4
        #expect(!report.isWhole)
        report.takenByMonitor = 6
        #expect(!report.isWhole, "the lift is missing")
        report.takenBySystem = 1
        #expect(report.isWhole)
        report.arrivedTouches.moved = 3
        #expect(!report.isWhole)
        report.coalesced = 1
        #expect(report.isWhole)
    }

    @Test("a touch without an end is unpaired unless it was taken")
    func paired() {
        var report = Self.sent
        #expect(!report.isPaired)
        report.takenByMonitor = 1
        #expect(report.isPaired)
        report.arrivedTouches.ended = 1
        #expect(report.isPaired)
        report.arrivedTouches.cancelled = 1
        #expect(!report.isPaired, "more ends than touches")
    }

    @Test("a play report with missing landings or extra touches is incomplete")
    func limits() {
        var report = Self.sent
        (report.arrivedTouches.moved, report.arrivedTouches.ended) = (10, 1)
        #expect(report.isWhole)
        report.arrivedTouches.began = 0
        report.takenByMonitor = 5
        #expect(!report.isWhole)
        (report.arrivedTouches.began, report.arrivedTouches.ended) = (1, 2)
        #expect(!report.isWhole)
    }
}
