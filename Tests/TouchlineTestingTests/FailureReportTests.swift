import Foundation
import Testing
import TouchlineTesting
import UIKit

/// Expects that a test records one issue, whose comments have these texts. The issue itself does not count.
private struct Expecting: TestTrait, TestScoping {
    let texts: [String]

    private final class Found: @unchecked Sendable {
        let lock = NSLock()
        var comments: [String] = []
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let found = Found()
        let catching = IssueHandlingTrait.compactMapIssues { issue in
            found.lock.withLock { found.comments += issue.comments.map(\.rawValue) }
            return nil
        }
        try await catching.provideScope(for: test, testCase: testCase) {
            do { try await function() } catch { found.lock.withLock { found.comments.append("\(error)") } }
        }
        let comments = found.lock.withLock { found.comments }
        for text in texts { #expect(comments.contains { $0.contains(text) }, "\(comments)") }
    }
}

@Suite("TestPhone: reports of failures")
struct FailureReportTests {
    private static let receipt = "  so: tap (2 taps) on UIView \"card\""

    @Test(
        "a failed expectation has the receipt and the trace of the last gesture",
        Expecting(texts: ["The last gesture:\nfinger 1 at 187.5,300.0", receipt, "contact 1 down", "gesture  "]),
        .phoneReports)
    func expectation() throws {
        let phone = TestPhone { CardViewController() }
        try phone.doubleTap("card")
        #expect(phone.screen.events == [])
    }

    @Test(
        "an error that leaves the test has them too",
        Expecting(texts: ["The last gesture:\n", receipt]), .phoneReports)
    func thrownError() throws {
        let phone = TestPhone { CardViewController() }
        try phone.doubleTap("card")
        phone.patience = .zero
        try phone.tap("cart")
    }

    @Test(
        "an issue of the app's own code says nothing about the phone that runs it",
        Expecting(texts: ["in the app"]), .phoneReports)
    func insideTheApp() {
        let phone = TestPhone { CardViewController() }
        phone.run { Issue.record("in the app") }
    }
}
