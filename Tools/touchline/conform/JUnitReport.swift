// JUnitReport.swift: the results of conform as JUnit XML, which CI systems show.
//
//     testsuites ─▶ testsuite, one for each mode ─▶ testcase, one for each scenario ─▶ failure or skipped
//
// Input     conform: results, their times, explanations of failed scenarios
// Output    a text
// Knows     XML. No scenario.
//
// Sources   documented  the fields that Jenkins, GitLab and GitHub's reporters read (llg.cubic.org/docs/junit); invented: the texts

import Basics

/// Results as JUnit XML.
struct JUnitReport {
    /// One scenario in one mode.
    struct Case {
        enum Outcome {
            case passed
            /// A line for lists, and the whole text.
            case failed(summary: String, lines: [String])
            case skipped(String)
        }

        var suite: String
        /// The folder of the scenario, with dots.
        var className: String
        var name: String
        var file: String
        var duration: Duration
        var outcome: Outcome
        /// Name and value, such as the page of the run.
        var properties: [(name: String, value: String)] = []
    }

    /// A file that could not be read as a scenario; it counts as an error.
    struct Unreadable {
        var file: String
        var reason: String
    }

    var cases: [Case] = []
    var unreadable: [Unreadable] = []

    /// The file. Suites and cases are in their order.
    var text: String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append(
            "<testsuites name=\"touchline conform\"\(counts(of: cases, errors: unreadable.count))>")
        var names: [String] = []
        for one in cases where !names.contains(one.suite) { names.append(one.suite) }
        for name in names {
            let own = cases.filter { $0.suite == name }
            lines.append("  <testsuite name=\"\(Markup.text(name))\"\(counts(of: own, errors: 0))>")
            for one in own { lines += self.lines(of: one) }
            lines.append("  </testsuite>")
        }
        if !unreadable.isEmpty {
            lines.append("  <testsuite name=\"files\"\(counts(of: [], errors: unreadable.count))>")
            for one in unreadable {
                let file = Markup.text(one.file)
                lines.append("    <testcase classname=\"files\" name=\"\(file)\" file=\"\(file)\" time=\"0.000\">")
                lines.append("      <error message=\"\(Markup.text(one.reason))\" type=\"file\"/>")
                lines.append("    </testcase>")
            }
            lines.append("  </testsuite>")
        }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private func counts(of cases: [Case], errors: Int) -> String {
        var (failures, skipped, duration) = (0, 0, Duration.zero)
        for one in cases {
            switch one.outcome {
            case .passed: break
            case .failed: failures += 1
            case .skipped: skipped += 1
            }
            duration += one.duration
        }
        return " tests=\"\(cases.count + errors)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
            + " time=\"\(fixedText(duration.seconds, digits: 3))\""
    }

    private func lines(of one: Case) -> [String] {
        let head =
            "    <testcase classname=\"\(Markup.text(one.className))\" name=\"\(Markup.text(one.name))\""
            + " file=\"\(Markup.text(one.file))\" time=\"\(fixedText(one.duration.seconds, digits: 3))\""
        var inner: [String] = []
        if !one.properties.isEmpty {
            inner.append("      <properties>")
            for property in one.properties {
                inner.append(
                    "        <property name=\"\(Markup.text(property.name))\" value=\"\(Markup.text(property.value))\"/>"
                )
            }
            inner.append("      </properties>")
        }
        switch one.outcome {
        case .passed: break
        case .failed(let summary, let text):
            inner.append("      <failure message=\"\(Markup.text(summary))\" type=\"difference\">")
            inner += text.map { Markup.text($0) }
            inner.append("      </failure>")
        case .skipped(let reason): inner.append("      <skipped message=\"\(Markup.text(reason))\"/>")
        }
        return inner.isEmpty ? [head + "/>"] : [head + ">"] + inner + ["    </testcase>"]
    }
}
