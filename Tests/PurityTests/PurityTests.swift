import Foundation
import Testbed
import Testing

/// A core is a function of its inputs, so its sources name no clock, file, socket, thread or chance.
@Suite("Purity")
struct PurityTests {

    @Test(
        "sources of cores name no clock, socket, file, thread or Foundation",
        arguments: [
            "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "Faults", "Journals", "Recordings",
            "Synthesis", "RunLoops",
            "Gestures", "InputKitCore",
            "SystemServerCore", "SupervisorCore", "Audit", "Explain", "Exports", "Simulator", "ViewTrees", "Inspection",
            "Page", "Campaigns",
        ])
    func pure(target: String) throws {
        try expect(target, toNameNoneOf: worldly + ["import Foundation"])
    }

    @Test(
        "UIKit, AppCore and Monkey use Foundation for geometry only",
        arguments: ["UIKit", "AppCore", "Monkey"])
    func geometryOnly(target: String) throws {
        // UIKit declares these names itself. ObjectPurityTests checks that it does not call Foundation's.
        let own: Set = ["DispatchQueue", "RunLoop.main", "RunLoop.current", " Timer(", "Timer.scheduled"]
        let names = target == "UIKit" ? foundations.filter { !own.contains($0) } : foundations
        try expect(target, toNameNoneOf: worldly + names)
    }

    @Test(
        "cores import no host, no configuration and no package",
        arguments: [
            "InputKitCore", "SystemServerCore", "AppCore", "SupervisorCore", "UIKit", "Gestures", "RunLoops",
            "Recordings",
        ])
    func imports(target: String) throws {
        let below: Set = [
            "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "Faults", "Recordings", "RunLoops",
            "Gestures", "UIKit", "Foundation", "ViewTrees",
            // Of UIKit alone: what a process has once, such as its notification centers.
            "ProcessServices",
            // Real time for code outside of applications (Docs/Decisions/OneClock.md).
            "SystemClock", "CConcurrency",
        ]
        var count = 0
        for file in swiftFiles(in: "Sources/\(target)") {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /(?m)^(?:@\w+ )?(?:(?:public|package|internal) )?import (?:[a-z]+ )?(\w+)/)
            {
                count += 1
                let module = String(match.1)
                #expect(below.contains(module), "\(target)/\(file.lastPathComponent) imports \(module)")
            }
        }
        #expect(count > 0, "\(target) imports nothing")
    }

    @Test(
        "cores switch over messages without a default",
        arguments: ["InputKitCore", "SystemServerCore", "AppCore", "SupervisorCore"])
    func messages(target: String) throws {
        var count = 0
        for file in swiftFiles(in: "Sources/\(target)") {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (start, line) in lines.enumerated() where line.contains(/switch .*[mM]essage.* \{$/) {
                count += 1
                let indent = line.prefix { $0 == " " }
                let cases = lines[(start + 1)...].prefix { $0 != indent + "}" }
                #expect(
                    !cases.contains { $0.hasPrefix(indent + "default:") },
                    "\(target)/\(file.lastPathComponent):\(start + 1) does not decide about every message")
            }
        }
        #expect(count > 0)
    }

    @Test(
        "readers of UIKit's events switch without a default",
        arguments: [
            "UIKit/Engine/Observation/UIKitFacts.swift", "UIKit/Engine/Observation/UIKitFacts+Gestures.swift",
            "Scenarios/Scene/SceneLines.swift", "Scenarios/Scene/Probe.swift", "Scenarios/Scene/RecognizerLines.swift",
            "Scenarios/Scene/Delegations.swift", "Monkey/MonkeyRun+Events.swift",
        ])
    func events(file: String) throws {
        let source = try String(contentsOf: Repository.root.appending(path: "Sources/\(file)"), encoding: .utf8)
        #expect(source.contains("switch "))
        #expect(
            source.firstMatch(of: /(?m)^ *(@unknown )?default:/) == nil, "\(file) does not decide about every event")
    }

    @Test("every declared setting is in its file's table")
    func listedSettings() throws {
        var count = 0
        for file in swiftFiles(in: "Sources/Settings") where file.lastPathComponent.hasPrefix("Keys+") {
            let source = try String(contentsOf: file, encoding: .utf8)
            let declared = source.matches(of: /static var (\w+): Settings\.Key</).map { String($0.1) }
            count += declared.count
            let table = source.firstMatch(of: /= table\(([^)]*)\)/)?.1 ?? ""
            #expect(declared == table.matches(of: /\.(\w+)/).map { String($0.1) }, "\(file.lastPathComponent)")
        }
        #expect(count > 100)
    }

    private func expect(_ target: String, toNameNoneOf words: [String]) throws {
        let files = swiftFiles(in: "Sources/\(target)")
        #expect(!files.isEmpty, "\(target) has no sources here")
        for file in files {
            let source = try String(contentsOf: file, encoding: .utf8)
            for line in source.split(separator: "\n") {
                let code = line.prefix { $0 != "/" }
                for word in words where code.contains(word) {
                    Issue.record("\(target)/\(file.lastPathComponent) names \(word): \(line)")
                }
            }
        }
    }

    @Test("Docs/Internals/Sandbox.md argues exactly the system calls that children may make")
    func argued() throws {
        let source = try String(
            contentsOf: Repository.root.appending(path: "Sources/CSystem/confine.c"), encoding: .utf8)
        func calls(_ text: Substring) -> Set<String> {
            Set(text.matches(of: /SYS_([a-z0-9_]+)/).map { String($0.1) })
        }
        let list = try #require(source.firstRange(of: "allowed[] = {"))
        let end = try #require(source[list.upperBound...].firstRange(of: "};"))
        var allowed = calls(source[list.upperBound..<end.lowerBound])
        let filter = try #require(source.firstRange(of: "int system_confine_calls(int may, int address_length) {"))
        for line in source[filter.upperBound...].split(separator: "\n") {
            if line == "#else" { break }
            // These calls are allowed with some arguments.
            if line.contains("only(") || line.contains("among(") || line.contains("SYS_prlimit64") {
                allowed.formUnion(calls(line))
            }
        }
        allowed.insert("socket")
        let page = try String(contentsOf: Repository.root.appending(path: "Docs/Internals/Sandbox.md"), encoding: .utf8)
        var argued: Set<String> = []
        let table = try #require(page.firstRange(of: "| calls | what for |"))
        for line in page[table.lowerBound...].split(separator: "\n").dropFirst(2) {
            guard line.hasPrefix("|"), let cell = line.split(separator: "|").first else { break }
            argued.formUnion(cell.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        }
        #expect(argued == allowed, "\(argued.symmetricDifference(allowed).sorted())")
    }

    private let worldly = [
        "import Glibc", "import Dispatch", "import Synchronization", "import CZeroMQ", "import CSystem",
        "ContinuousClock", "SuspendingClock", ".random()", "randomElement()", "shuffled()", "Task {", "Task.sleep",
        "async ", "await ", "SystemRandomNumberGenerator",
    ]

    private let foundations = [
        "Date()", "Date.now", "FileManager", "ProcessInfo", "Thread.", "DispatchQueue", "UUID()", "NSLock",
        "URLSession",
        "RunLoop.main", "RunLoop.current", " Timer(", "Timer.scheduled", "NotificationCenter.default",
    ]

    private func swiftFiles(in folder: String) -> [URL] {
        let found = FileManager.default.enumerator(
            at: Repository.root.appending(path: folder), includingPropertiesForKeys: nil)
        return (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
    }
}
