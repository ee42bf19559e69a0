import Foundation
import Testbed
import Testing

/// Docs/Reference/ReportKeys.md: keys and types are collected from the calls that add them; the meanings are written on
/// the page.
@Suite("Docs/Reference/ReportKeys.md", .timeLimit(Sanitizer.timeLimit))
struct ReportKeysPageTests {
    private static let path = "Docs/Reference/ReportKeys.md"

    @Test("Docs/Reference/ReportKeys.md has every key of Sources with a meaning")
    func page() throws {
        let written = try WrittenCells(of: Self.path)
        for part in ReportPart.all {
            let rows = try part.keys().map { key in
                let cell = written.cell("meaning", of: "`\(key.name)`", below: part.heading)
                return ["`\(key.name)`", key.type, cell]
            }
            let table = markdownTable(["key", "value", "meaning"], rows)
            try expectSection(part.heading, of: Self.path, equals: "\(part.introduction)\n\n\(table)")
        }
    }

    @Test("Docs/Reference/ReportKeys.md has each key of a running group's dump")
    func dumped() throws {
        let written = try WrittenCells(of: Self.path)
        let reports = try Dictionary(
            uniqueKeysWithValues: ReportPart.all.map { ($0.heading, Set(try $0.keys().map { $0.name })) })
        func isListed(_ key: String, below headings: [String]) -> Bool {
            headings.contains { reports[$0]?.contains { ReportPart.matches(key, $0) } == true }
        }
        let group = try LiveGroup()
        _ = try group.run("input", "tap", "100,200")
        let (_, dump) = try group.json("dump")
        #expect(Set(dump.keys.map { "`\($0)`" }) == written.firstCells(below: "## Group"))
        let processes = try #require(dump["processes"] as? [[String: Any]])
        #expect(processes.count == 3)
        for process in processes {
            #expect(Set(process.keys.map { "`\($0)`" }) == written.firstCells(below: "## Process"))
            let name = try #require(process["name"] as? String)
            let heading = name.hasPrefix("app") ? "## Report of an app" : "## Report of \(name)"
            let report = try #require(process["report"] as? [String: Any])
            #expect(report.count > 10, "\(name)")
            for key in report.keys {
                #expect(isListed(key, below: [heading, "## Report of every process"]), "\(name): \(key)")
            }
        }
        let app = try #require((dump["server"] as? [String: Any])?["app1"] as? [String: Any])
        for key in app.keys where !["dropped", "event"].contains(key) {
            #expect(isListed("app1.\(key)", below: ["## Server"]), "server: app1.\(key)")
        }
    }
}

/// One table of the page.
private struct ReportPart {
    var heading: String
    var introduction: String
    /// The files that add the keys, from the root of the repository.
    var files: [String]
    /// What `key + "name"` begins with.
    var prefix = ""

    static let all = [
        ReportPart(
            heading: "## Report of every process", introduction: "Keys in `report` of each process.",
            files: ["Sources/ZeroMQHost/Journal/HostJournal.swift"]),
        ReportPart(
            heading: "## Report of the supervisor",
            introduction: """
                The supervisor's report is the source of the group's fields and of each process's fields; the other programs of `touchline`
                read it. `CHILD` is the name of a process.
                """,
            files: [
                "Sources/SupervisorCore/SupervisorCore.swift", "Sources/SupervisorCore/ChildStatus.swift",
                "Sources/ZeroMQHost/Journal/GroupJournals.swift",
            ], prefix: "CHILD."),
        ReportPart(
            heading: "## Report of input-kit",
            introduction: "Keys in `report` of `input-kit`. `NAME` is the file name of a device node.",
            files: [
                "Sources/InputKitCore/InputKitCore+Report.swift", "Sources/InputKitCore/LiveDevices.swift",
            ], prefix: "device.NAME."),
        ReportPart(
            heading: "## Report of system-server",
            introduction: "Keys in `report` of `system-server`. `PEER` is the name of a process.",
            files: [
                "Sources/SystemServerCore/ServerReport.swift", "Sources/SystemServerCore/StrikeTable.swift",
                "Sources/ZeroMQHost/Remote/RemoteApps.swift", "Sources/ZeroMQHost/Links/PeerListener+Rings.swift",
            ]),
        ReportPart(
            heading: "## Report of an app", introduction: "Keys in `report` of each app.",
            files: ["Sources/AppCore/AppCore+Report.swift"]),
        ReportPart(
            heading: "## Server",
            introduction: """
                Rows of the object `server`, nested by their dots. Rows that end with a number are elements of an array, and their text
                `part=value part=value` is an object. Times are nanoseconds of the server's clock.
                """,
            files: [
                "Sources/SystemServerCore/ServerDetail.swift", "Sources/SystemServerCore/URLOpener.swift",
                "Sources/SystemServerCore/TouchMonitorTable.swift",
            ]),
    ]

    /// What stands on the page for a part of a key that the code computes.
    private static let placeholders = [
        "app": "N", "display": "N", "index": "N", "name": "appN", "whom": "PART", "reason": "REASON",
        "outcome": "OUTCOME", "record.peer": "PEER", "peer": "PEER",
    ]

    /// Whether a key is the one that a name of the page stands for.
    static func matches(_ key: String, _ name: String) -> Bool {
        let pattern = name.replacingOccurrences(of: ".", with: "\\.")
            .replacing(/NAME|PEER|CHILD|REASON|OUTCOME|PART/, with: "[\\w.-]+").replacing("N", with: "[0-9]+")
        return key.range(of: "^\(pattern)$", options: .regularExpression) != nil
    }

    /// The keys in the order of the code, each with the type of its value.
    func keys() throws -> [(name: String, type: String)] {
        var keys: [(name: String, type: String)] = []
        for file in files {
            let text = try String(contentsOf: Repository.root.appending(path: file), encoding: .utf8)
            for key in rowKeys(in: text, of: file) where !keys.contains(where: { $0.name == key.name }) {
                keys.append(key)
            }
        }
        #expect(!keys.isEmpty, "\(heading) has no keys")
        return keys
    }

    /// The keys of `add("key", …)` and of `Report.Row("key", …)`.
    private func rowKeys(in text: String, of file: String) -> [(name: String, type: String)] {
        text.matches(of: /(?:add|Report\.Row)\(\s*([^,{}]*?"[^,{}]*?),\s*(text:|flag:|\.text|\.flag|)/).flatMap {
            call in
            call.1.matches(of: /"([^"]+)"/).map { literal in
                var name = String(literal.1)
                for part in name.matches(of: /\\\(([\w.]+)\)/).reversed() {
                    let placeholder = Self.placeholders[String(part.1)]
                    #expect(placeholder != nil, "\(file): add '\(part.1)' to ReportPart.placeholders")
                    name.replaceSubrange(part.range, with: placeholder ?? "?")
                }
                if call.1.hasPrefix("key + ") { name = prefix + name }
                let type = call.2.hasSuffix("text") || call.2 == "text:" ? "text" : call.2.isEmpty ? "number" : "flag"
                return (name: name, type: type)
            }
        }
    }
}
