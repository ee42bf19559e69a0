import Foundation
import Testing
import UIKit

@testable import TouchlineTesting

/// Runs a test with a folder for pages, counts its issues instead of recording them, and expects the pages of the folder.
private struct Paging: TestTrait, TestScoping {
    let names: [String]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let folder = "\(FileManager.default.temporaryDirectory.path)/tl-pages-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let comments = Comments()
        let catching = IssueHandlingTrait.compactMapIssues { issue in
            comments.add(issue.comments.map(\.rawValue))
            return nil
        }
        try await FailurePages.$folder.withValue(folder) {
            try await catching.provideScope(for: test, testCase: testCase) {
                do { try await function() } catch { comments.add(["\(error)"]) }
            }
        }
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        #expect(found.sorted() == names)
        for name in names {
            #expect(comments.all.contains { $0.contains("The page of the run: \(folder)/\(name)") }, "\(comments.all)")
            let page = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            // The run of the test: its view, and a tap that did not count.
            #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains(#""card""#), "\(name)")
            #expect(page.contains("tap (2 taps) on UIView \\\"card\\\""), "\(name)")
        }
    }

    private final class Comments: @unchecked Sendable {
        private let lock = NSLock()
        private var texts: [String] = []
        func add(_ new: [String]) { lock.withLock { texts += new } }
        var all: [String] { lock.withLock { texts } }
    }
}

@Suite("TestPhone: pages of failed tests")
struct FailurePageTests {
    @Test(
        "a failed test writes one page, which has the whole run", Paging(names: ["FailurePageTests.issues.html"]),
        .phoneReports)
    func issues() throws {
        let phone = TestPhone { CardViewController() }
        #expect(phone.screen.events == ["a first failure"])
        try phone.doubleTap("card")
        #expect(phone.screen.events == [])
    }

    @Test(
        "a test that an error ends writes its page", Paging(names: ["FailurePageTests.thrownError.html"]),
        .phoneReports)
    func thrownError() throws {
        let phone = TestPhone { CardViewController() }
        try phone.doubleTap("card")
        phone.patience = .zero
        try phone.tap("cart")
    }

    @Test("a test that passes writes no page", Paging(names: []), .phoneReports)
    func passing() throws {
        let phone = TestPhone { CardViewController() }
        try phone.doubleTap("card")
        #expect(!phone.screen.events.isEmpty)
    }

    @Test("a recorded phone behaves as one without a folder for pages")
    func sameTrace() throws {
        func trace() throws -> [String] {
            let phone = TestPhone { CardViewController() }
            try phone.doubleTap("card")
            phone.advance(by: .seconds(1))
            return phone.trace
        }
        let plain = try FailurePages.$folder.withValue(nil) { try trace() }
        let recorded = try FailurePages.$folder.withValue("/nowhere") { try trace() }
        #expect(plain == recorded && !plain.isEmpty)
    }

    @Test("pages of one name in one folder have numbers, and a name has no other characters than those of a file")
    func names() {
        FailurePages.$folder.withValue("/pages") {
            let paths = (0..<2).map { _ in FailurePages.path(file: "Cards/CardTests.swift", function: "a b/c()") }
            #expect(paths == ["/pages/CardTests.a-b-c.html", "/pages/CardTests.a-b-c-2.html"])
        }
        #expect(FailurePages.$folder.withValue(nil) { FailurePages.path(file: "A.swift", function: "b") } == nil)
    }
}
