// PortReportCommand.swift: `touchline port-report`: what in sources for Apple's UIKit will not work on Linux.

import ArgumentParser
import Foundation
import Porting
import ZeroMQHost

/// The command `touchline port-report`.
struct PortReportCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "port-report",
        abstract: "List what in sources for Apple's UIKit will not work on Linux, and why.",
        discussion: """
            The build-tool plugin UIKitOnLinux compiles such sources as they are. This command reads them without a build, and \
            lists the modules and names that Linux does not have, and the uses of Objective-C's runtime. A missing member of a \
            type that exists is not listed: the compiler finds it.

            Give the files of one target, or its folder.

            Exits 0 when nothing is found, 1 when something is, 2 when a file cannot be read.
            """)

    @Argument(help: ArgumentHelp("Swift files, or folders with Swift files.", valueName: "sources"))
    var sources: [String]

    @OptionGroup var result: ResultOptions

    func run() throws {
        let files = try sources.flatMap(files(at:))
        guard !files.isEmpty else {
            throw Failure.badInput("\(sources.joined(separator: ", ")): expected Swift files, found none")
        }
        let findings = Rewriter(files).findings
        let lines = files.reduce(0) { $0 + $1.bytes.count { $0 == UInt8(ascii: "\n") } }
        if result.json {
            try printJSON(object(findings, files.count, lines))
        } else {
            printTable(findings, files.count, lines)
        }
        guard findings.isEmpty else {
            throw Failure.negativeResult("\(findings.count) \(findings.count == 1 ? "name" : "names") will not work")
        }
    }

    private func files(at path: String) throws -> [PortedFile] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Failure.badInput("\(path): no such file or folder")
        }
        let paths =
            isFolder.boolValue
            ? (FileManager.default.subpaths(atPath: path) ?? []).filter { $0.hasSuffix(".swift") }.sorted().map {
                "\(path)/\($0)"
            }
            : [path]
        return try paths.map { path in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Failure.badInput("\(path): cannot be read")
            }
            return PortedFile(path: path, bytes: Array(data))
        }
    }

    private func printTable(_ findings: [PortFinding], _ files: Int, _ lines: Int) {
        printLine("\(lines) lines in \(files) \(files == 1 ? "file" : "files"), \(findings.count) findings")
        for kind in PortFinding.Kind.allCases {
            let found = findings.filter { $0.kind == kind }
            guard !found.isEmpty else { continue }
            printLine("")
            let rows = found.map { finding in
                [
                    "\(finding.uses.count)", finding.name, "\(finding.uses[0].path):\(finding.uses[0].line)",
                    finding.reason,
                ]
            }
            for line in aligned([["uses", title(kind), "first", "why"]] + rows) { printLine(line) }
        }
    }

    private func title(_ kind: PortFinding.Kind) -> String {
        switch kind {
        case .module: "modules"
        case .name: "names"
        case .runtime: "Objective-C"
        }
    }

    private func object(_ findings: [PortFinding], _ files: Int, _ lines: Int) -> [String: Any] {
        [
            "files": files, "lines": lines,
            "findings": findings.map { finding -> [String: Any] in
                [
                    "kind": finding.kind.rawValue, "name": finding.name, "reason": finding.reason,
                    "uses": finding.uses.map { ["path": $0.path, "line": $0.line] as [String: Any] },
                ]
            },
        ]
    }
}
