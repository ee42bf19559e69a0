// BenchChild.swift: a run of a benchmark's command in a process of its own, and its figures.
//
// Input     BenchAll: the words of a command line
// Output    figures, and the reasons for missing ones
//
// Sources   documented  setpriv(1); PR_SET_PDEATHSIG of prctl(2)

import Foundation
import Glibc

/// A run of a benchmark's command in a process of its own.
struct BenchChild {
    /// What every benchmark's JSON may have, besides its own keys.
    struct Output: Decodable {
        struct Tuned: Decodable { var missing: [String]? }

        var figures: [BenchFigure]
        var whyNoInstructions: String?
        var whyNoSystemCalls: String?
        /// What a reader should know of the run, one line each.
        var notes: [String]?
        var tuned: Tuned?

        var remarks: [String] {
            [
                whyNoInstructions.map { "Instructions are not measured: \($0)." },
                whyNoSystemCalls.map { "System calls are not measured: \($0)." },
            ].compactMap(\.self) + (notes ?? []) + (tuned?.missing ?? []).map { "\(Self.lack): \($0)." }
        }

        /// How a remark about a missing condition of `--tuned` begins.
        static let lack = "Tuning lacks"

        /// The figures that a budget may judge: without those whose conditions were missing.
        var judged: [BenchFigure] {
            let isComplete = tuned?.missing?.isEmpty ?? true
            return figures.finite.filter { isComplete || !$0.name.hasSuffix("-tuned") }
        }
    }

    var arguments: [String]
    var folder: ReportFolder

    init(arguments: [String], in folder: ReportFolder) { (self.arguments, self.folder) = (arguments, folder) }

    /// - Parameter meanwhile: Called ten times a second.
    /// - Throws: `Failure` with the last line of the process's stderr.
    func run(meanwhile: () -> Void) throws -> Output {
        let base = FileManager.default.temporaryDirectory.path + "/touchline-bench-\(getpid())-\(UUID().uuidString)"
        let (result, errors) = ("\(base).json", "\(base).err")
        defer { for file in [result, errors] { try? FileManager.default.removeItem(atPath: file) } }
        guard FileManager.default.createFile(atPath: errors, contents: nil),
            let handle = FileHandle(forWritingAtPath: errors)
        else { throw Failure.group("\(errors): cannot be written") }
        let process = Process()
        // A process that Foundation starts has a process group of its own, so that Ctrl-C reaches this process only. The
        // kernel ends the benchmark with it, and the benchmark its group and its relays.
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments =
            ["--pdeathsig", "TERM", thisProgram.path] + arguments + folder.histogramWords(for: arguments)
            + ["--json", "--output", result]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = handle
        try process.run()
        while process.isRunning {
            meanwhile()
            usleep(100_000)
        }
        let lines = ((try? String(contentsOfFile: errors, encoding: .utf8)) ?? "").split(separator: "\n")
        if let end = Self.failure(process.terminationReason, process.terminationStatus, lastLine: lines.last) {
            throw Failure.group(end)
        }
        guard let data = try? Data(contentsOf: URL(filePath: result)),
            let output = try? JSONDecoder().decode(Output.self, from: data)
        else { throw Failure.group("wrote no figures") }
        return output
    }

    /// Describes how a process failed.
    ///
    /// - Parameters:
    ///   - status: The exit code or the signal.
    ///   - lastLine: The last line of its stderr: the error of a process that exits, or the progress of one that a signal
    ///     ends.
    /// - Returns: Nil for a process that exited with 0.
    static func failure(_ reason: Process.TerminationReason, _ status: Int32, lastLine: Substring?) -> String? {
        if reason == .uncaughtSignal {
            return "ended by signal \(status)" + (lastLine.map { " (last line: \($0))" } ?? "")
        }
        return status == 0 ? nil : lastLine.map(String.init) ?? "ended with status \(status)"
    }
}
