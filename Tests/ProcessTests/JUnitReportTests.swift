// JUnitReportTests.swift: the XML of `touchline conform --junit`, read by a parser.

import Foundation
import FoundationXML
import Testbed
import Testing

@testable import touchline

@Suite("JUnit XML of `touchline conform`", .timeLimit(Sanitizer.timeLimit))
struct JUnitReportTests {
    /// One element with its attributes, its text and the number of elements around it.
    private struct Element: Equatable {
        var name: String
        var depth: Int
        var attributes: [String: String]
        var text = ""
    }

    private func read(_ xml: String) throws -> [Element] {
        final class Reader: NSObject, XMLParserDelegate {
            var elements: [Element] = []
            private var open: [Int] = []

            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
                attributes: [String: String]
            ) {
                open.append(elements.count)
                elements.append(Element(name: name, depth: open.count - 1, attributes: attributes))
            }

            func parser(_ parser: XMLParser, foundCharacters text: String) { elements[open.last!].text += text }
            func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
                open.removeLast()
            }
        }
        let reader = Reader()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? ""): \(xml)")
        return reader.elements
    }

    @Test("counts, hostile texts and the order of cases")
    func text() throws {
        func one(_ suite: String, _ name: String, _ outcome: JUnitReport.Case.Outcome) -> JUnitReport.Case {
            JUnitReport.Case(
                suite: suite, className: "a.b", name: name, file: "a/b/\(name).yaml", duration: .milliseconds(1500),
                outcome: outcome)
        }
        var failed = one(
            "direct", "]]> & <b>\"'\u{7}", .failed(summary: "- a < b", lines: ["- a < b", "+ \u{0}x & y"]))
        failed.properties = [("page", "pages/x.html")]
        var report = JUnitReport()
        report.cases = [
            one("direct", "S1", .passed), failed, one("simulated", "S1", .skipped("needs a <server>")),
        ]
        report.unreadable = [JUnitReport.Unreadable(file: "c.yaml", reason: "c.yaml:1:1: unknown key")]
        let elements = try read(report.text)

        #expect(
            elements[0].attributes == [
                "name": "touchline conform", "tests": "4", "failures": "1", "errors": "1", "skipped": "1",
                "time": "4.500",
            ])
        let suites = elements.filter { $0.name == "testsuite" }
        #expect(suites.map { $0.attributes["name"] } == ["direct", "simulated", "files"])
        #expect(suites.map { $0.attributes["tests"] } == ["2", "1", "1"])
        let cases = elements.filter { $0.name == "testcase" }
        #expect(cases.map { $0.attributes["name"] } == ["S1", "]]> & <b>\"' ", "S1", "c.yaml"])
        #expect(cases.allSatisfy { $0.depth == 2 } && cases[0].attributes["time"] == "1.500")
        let failure = try #require(elements.first { $0.name == "failure" })
        #expect(failure.attributes == ["message": "- a < b", "type": "difference"])
        #expect(failure.text.contains("- a < b\n+  x & y\n"))
        #expect(elements.first { $0.name == "property" }?.attributes["value"] == "pages/x.html")
        #expect(elements.first { $0.name == "skipped" }?.attributes["message"] == "needs a <server>")
        #expect(elements.first { $0.name == "error" }?.attributes["message"] == "c.yaml:1:1: unknown key")
    }

    @Test("a failed scenario has its difference, the explanation and a page; the exit code stays")
    func command() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "junit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scenario = """
            id: S14a
            title: a tap on a view that another expects
            windows:
              - name: window
                view: { name: root, frame: [0, 0, 375, 667], probe: [touchesBegan] }
            script: |
              tap f1 (150,200) @0.000
            expect: |
              touchesCancelled root
            """
        let file = folder.appending(path: "broken.yaml")
        try scenario.write(to: file, atomically: true, encoding: .utf8)
        let xml = folder.appending(path: "results.xml")
        let result = try Program.run([
            "conform", "--mode", "direct", "--junit", xml.path, "--pages", folder.appending(path: "pages").path,
            file.path,
        ])
        #expect(result.status == 1, "\(result.out)\(result.err)")
        let elements = try read(try String(contentsOf: xml, encoding: .utf8))
        let failure = try #require(elements.first { $0.name == "failure" })
        #expect(failure.text.contains("What became of each interaction:"), "\(failure.text)")
        let page = try #require(elements.first { $0.name == "property" }?.attributes["value"])
        #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    }
}
