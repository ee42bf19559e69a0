import Foundation
import Testing

/// `--rehearse` makes seeds fail that pass by themselves: those that have a finger and a crash.
@Suite("`touchline simulate`")
struct SimulateCommandTests {
    /// With this profile every seed has crashes and delays, about one every half second.
    private static let profile = """
        kill: { targets: [apps], every: [0.3, 0.6] }
        delay: { targets: [input-kit], every: [0.3, 0.6], amount: [1, 5], length: [0.05, 0.1] }

        """

    private let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)")
    private var faults: String { folder.appending(path: "crashes.yaml").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.profile.utf8).write(to: URL(filePath: faults))
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, out: String, err: String) {
        let program = try Program(["simulate"] + arguments)
        let status = try program.wait(seconds: 300)
        return (status, program.out, program.err)
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    /// Splits a command as a shell would; no word of it needs quotes.
    private func words(_ command: String) -> [String] {
        command.split(separator: " ").map(String.init).filter { $0 != "touchline" && $0 != "simulate" }
    }

    /// A seed with a finger and a crash, which `--rehearse` makes fail. The test searches for one, because the draws of
    /// a seed change with the simulation.
    private func failingSeed() throws -> Int {
        let result = try run([
            "--seed", "1..20", "--faults", faults, "--minutes", "0.05", "--jobs", "1", "--rehearse", "law", "--first",
        ])
        let line = try #require(lines(result.out).first { $0.hasPrefix("seed ") })
        return try #require(Int(line.dropFirst(5).prefix { $0.isNumber }))
    }

    @Test("simulated seeds without faults pass and account for every scan")
    func holding() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try run(["--seed", "1..3", "--faults", "none", "--minutes", "0.05", "--jobs", "2"])
        #expect(result.status == 0, "\(result.out)")
        let lines = lines(result.out)
        #expect(lines.count == 2)
        #expect(lines.last?.hasPrefix("3 seeds, ") == true)
        #expect(lines.last?.hasSuffix(": all laws hold") == true)
        #expect(lines.last?.contains(" M core events/s") == true)
        let numbers = lines[0].split { !$0.isNumber }.compactMap { Int($0) }
        #expect(numbers.count == 7)
        #expect(numbers[0] > 0)
        #expect(numbers[0] == numbers[1...].reduce(0, +))
        #expect(numbers.last == 0)
    }

    @Test(
        "a failing simulated seed is one line with a repeating command",
        arguments: ["law", "trap"])
    func failing(kind: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let seed = try failingSeed()
        let result = try run([
            "--seed", "\(seed)..\(seed + 9)", "--faults", faults, "--minutes", "0.05", "--jobs", "1", "--rehearse",
            kind,
        ])
        #expect(result.status == 1)
        let failed = lines(result.out).filter { $0.hasPrefix("seed ") }
        #expect(failed.count > 1)
        #expect(failed.allSatisfy { $0.contains("a rehearsal") })
        #expect(failed.contains { $0.hasPrefix(kind == "law" ? "seed \(seed): rehearsal" : "seed \(seed): trap") })
        let again = try #require(failed.first?.components(separatedBy: "; again: ").last)
        let repeated = try run(words(again).filter { $0 != "--trace" })
        #expect(repeated.status == 1)
        #expect(lines(repeated.out).first == failed.first)
    }

    @Test("a simulated failure is shrunk to one fault and one finger")
    func shrinking() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let seed = try failingSeed()
        let result = try run([
            "--seed", "\(seed)", "--faults", faults, "--minutes", "0.05", "--rehearse", "law", "--shrink",
        ])
        #expect(result.status == 1)
        let lines = lines(result.out)
        let heading = try #require(lines.firstIndex { $0.contains(" still fail, found in ") })
        #expect(lines[heading].hasPrefix("1 fault and 2 lines "))
        let smallest = lines[(heading + 1)...(heading + 3)]
        #expect(smallest.first?.contains("ms kill app") == true)
        #expect(smallest.dropFirst().first?.hasPrefix("down ") == true)
        let file = folder.appending(path: "smallest.txt")
        try Data(smallest.joined(separator: "\n").utf8).write(to: file)
        let again = try run(["--seed", "\(seed)", "--minutes", "0.05", "--rehearse", "law", "--from", file.path])
        #expect(again.status == 1)
    }

    @Test("the same seeds have the same digests in every process")
    func digests() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // The test does not set SWIFT_DETERMINISTIC_HASHING, so each worker has hash seeds of its own.
        let arguments = ["--faults", faults, "--minutes", "0.05", "--digest"]
        let one = try run(arguments + ["--seed", "11..16", "--jobs", "1"])
        let two = try run(arguments + ["--seed", "11...16", "--jobs", "3"])
        let digests = lines(one.out).filter { !$0.hasPrefix("seed ") }
        #expect(digests.map { $0.prefix { $0 != " " } } == ["11", "12", "13", "14", "15", "16"])
        #expect(Set(digests.map { $0.split(separator: " ")[1] }).count == 6)
        #expect(digests == lines(two.out).filter { !$0.hasPrefix("seed ") })
    }

    @Test("a seed's trace contains its faults and every process's facts")
    func trace() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try run(["--seed", "5", "--faults", faults, "--minutes", "0.02", "--trace"])
        let lines = lines(result.out)
        #expect(lines.first?.contains("ms ") == true)
        for process in ["supervisor", "input-kit", "system-server", "app1", "app2"] {
            #expect(lines.contains { $0.hasPrefix("\(process) ") }, "\(process)")
        }
    }

    @Test("simulate --json prints failures with their repeating command")
    func json() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let seed = try failingSeed()
        let result = try run([
            "--seed", "\(seed)", "--faults", faults, "--minutes", "0.05", "--rehearse", "law", "--json",
        ])
        #expect(result.status == 1)
        let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
        #expect(object?["seeds"] as? Int == 1)
        #expect(object?["coreEvents"] as? Int ?? 0 > 0)
        let failures = object?["failures"] as? [[String: Any]]
        #expect(failures?.first?["seed"] as? Int == seed)
        #expect((failures?.first?["again"] as? String)?.hasPrefix("touchline simulate --seed \(seed) ") == true)
    }

    @Test(
        "unusable simulate options are refused with exit code 2",
        arguments: [
            ([], "--seed"),
            (["--seed", "1..x"], "1..x"),
            (["--seed", "3..1"], "3..1"),
            (["--seed", "1....3"], "1....3"),
            (["--seed", "1..2..3"], "1..2..3"),
            (["--seed", "1..3", "--trace"], "--trace: expected one seed, found 1..3"),
            (["--seed", "1", "--trace", "--digest"], "expected one of --trace, --shrink and --digest"),
            (["--seed", "1", "--minutes", "0"], "--minutes: expected 0.001 to 1440, found 0"),
            (["--seed", "1", "--timeout", "0"], "--timeout: expected 0.1 to 86400 seconds, found 0"),
            (["--seed", "1", "--json", "--trace"], "--json: expected without --trace and --digest"),
            (["--seed", "1", "--patience", "5"], "nknown option '--patience'"),
            (["--seed", "1", "--jobs", "0"], "--jobs: expected 1 to 256, found 0"),
            (["--seed", "1", "--apps", "0"], "--apps: expected 1 to 128, found 0"),
            (["--seed", "1", "--app", "phot"], "did you mean photo?"),
            (["--seed", "1", "--scenario", "/nowhere.yaml"], "/nowhere.yaml: no such file"),
            (["--seed", "1", "--faults", "/nowhere.yaml"], "/nowhere.yaml: no such file"),
            (["--seed", "1", "--from", "/nowhere.txt"], "/nowhere.txt: cannot be read: "),
        ])
    func badInput(arguments: [String], complaint: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try run(arguments)
        #expect(result.status == 2)
        #expect(result.err.contains(complaint), "\(result.err)")
    }

    @Test("a wrong line of a --from file is named by its number")
    func badText() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "bad.txt")
        try Data("10ms kill app1\ndown f1 (10,10) @0\nup f1 @0.1\n20ms kil app1\n".utf8).write(to: file)
        let fault = try run(["--seed", "1", "--from", file.path])
        #expect(fault.status == 2)
        let complaint = "bad.txt:4: expected a fault word, found \"kil\", did you mean kill?"
        #expect(fault.err.contains(complaint), "\(fault.err)")
        try Data("10ms kill app1\nup f1 @0.1\n".utf8).write(to: file)
        let script = try run(["--seed", "1", "--from", file.path])
        #expect(script.status == 2)
        #expect(script.err.contains("bad.txt:2: "), "\(script.err)")
    }
}
