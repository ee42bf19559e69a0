// FailureReports.swift: the receipt and the trace of the last gesture, with the failure of a test.
//
//     Swift Testing   @Suite(.phoneReports) ─▶ a comment of each issue
//     XCTest          every failure of a test that has made a phone ─▶ standard error
//     both            with TOUCHLINE_PAGES: a page of the run, after the failed test (FailurePages)
//
// Sources   documented  IssueHandlingTrait, XCTestObservation; invented: the text

import Foundation
public import Testing
import XCTest

extension TestPhone {
    /// The receipt of the last gesture and the trace since it began; nil while the app's own code runs.
    var failureReport: String? {
        guard !isTurning else { return nil }
        guard let gesture = lastGesture else { return "no gesture was played" }
        return "The last gesture:\n\(receipt(of: gesture))\n\nSince then:\n"
            + trace(since: gesture).joined(separator: "\n")
    }
}

/// Adds the receipt and the trace of the last gesture to each issue of a test, and to a `PhoneError` that leaves it.
///
/// If the environment variable TOUCHLINE_PAGES names a folder, a failed test writes a page of the phone's run there.
///
/// The phone that a test has used last lives until the test ends. With XCTest this is so for every test.
///
///     @Suite(.phoneReports) struct CardTests { … }
public struct PhoneReports: TestTrait, SuiteTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> PhoneReports? {
        testCase == nil ? nil : self
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let latest = LatestPhone()
        let reports = IssueHandlingTrait.compactMapIssues { issue in
            var issue = issue
            let page = latest.noteFailure(file: test.sourceLocation.fileID, function: test.name)
            for text in [latest.report, page].compactMap({ $0 }) { issue.comments.append(Comment(rawValue: text)) }
            return issue
        }
        try await LatestPhone.$ofTest.withValue(latest) {
            try await reports.provideScope(for: test, testCase: testCase) {
                defer { latest.writePage() }
                // Testing makes an issue of a thrown error outside of every trait.
                do { try await function() } catch let error as PhoneError {
                    let page = latest.noteFailure(file: test.sourceLocation.fileID, function: test.name)
                    let report = [latest.report, page].compactMap { $0 }.joined(separator: "\n")
                    throw ReportedError(error: error, report: report)
                } catch {
                    _ = latest.noteFailure(file: test.sourceLocation.fileID, function: test.name)
                    throw error
                }
            }
        }
    }
}

/// A phone's error that left a test, with the report.
private struct ReportedError: Error, CustomStringConvertible {
    let error: PhoneError
    let report: String
    var description: String { "\(error)" + (report.isEmpty ? "" : "\n\(report)") }
}

extension Trait where Self == PhoneReports {
    /// Adds the receipt and the trace of a phone's last gesture to each issue of the test.
    public static var phoneReports: PhoneReports { PhoneReports() }
}

/// The phone that a test has used last. It is retained, because an error may leave the test before it is reported.
final class LatestPhone: @unchecked Sendable {
    /// Of the test that runs, with the trait `phoneReports`.
    @TaskLocal static var ofTest: LatestPhone?
    /// Of the XCTestCase that runs.
    private static let ofCase: LatestPhone = {
        XCTestObservationCenter.shared.addTestObserver(CaseObserver())
        return LatestPhone()
    }()

    private let lock = NSLock()
    private var phone: TestPhone?

    /// Notes that the running test uses this phone.
    static func note(_ phone: TestPhone) {
        if let ofTest { return ofTest.set(phone) }
        // Tests of Swift Testing run in parallel, and without the trait there is no one to report to.
        if Test.current == nil { ofCase.set(phone) }
    }

    private func set(_ phone: TestPhone?) {
        // The phone before it is released after the lock: code of its app may run then.
        let earlier = lock.withLock {
            let earlier = self.phone
            self.phone = phone
            return earlier
        }
        withExtendedLifetime(earlier) {}
    }

    var report: String? { lock.withLock { phone }?.failureReport }

    // MARK: The page

    private var page: (path: String, name: String)?

    /// Notes that the test has failed. Its page is written after it.
    ///
    /// - Returns: A line with the page's path; nil if none is written.
    func noteFailure(file: String, function: String) -> String? {
        lock.withLock {
            guard phone != nil else { return nil }
            if page == nil, let path = FailurePages.path(file: file, function: function) { page = (path, function) }
            return page.map { "The page of the run: \($0.path)" }
        }
    }

    /// Writes the page of a test that has failed.
    func writePage() {
        lock.lock()
        let (phone, page) = (phone, page)
        self.page = nil
        lock.unlock()
        guard let page, let run = phone?.recordedRun else { return }
        guard let complaint = FailurePages.write(run, named: page.name, to: page.path) else { return }
        FileHandle.standardError.write(Data("\(complaint)\n".utf8))
    }

    private final class CaseObserver: NSObject, XCTestObservation {
        func testCase(
            _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
            atLine lineNumber: Int
        ) {
            guard let report = ofCase.report else { return }
            // The name of a case is Suite.function.
            let words = testCase.name.split(separator: ".", maxSplits: 1).map(String.init)
            let page = ofCase.noteFailure(file: words[0], function: words.last ?? "")
            let text = [report, page].compactMap { $0 }.joined(separator: "\n")
            FileHandle.standardError.write(Data("\(testCase.name): \(text)\n".utf8))
        }

        func testCaseDidFinish(_ testCase: XCTestCase) {
            ofCase.writePage()
            ofCase.set(nil)
        }
    }
}
