// Callgrind.swift: the instructions of a piece of work, counted by callgrind, which simulates each one.
//
// The figure is the difference between two runs of this program that differ only in the number of repeats. Start,
// construction of the tree and warm-up are in both and cancel out. Both runs use the same hash seed, so that they visit
// the same buckets. Then the figure is the same every time.
//
// The program that runs is a copy without a section table. valgrind reads debug information, and fails on forms that it
// does not know, Swift's among them. The executed code is the same.
//
// Sources   documented  setpriv(1); PR_SET_PDEATHSIG of prctl(2)

import Foundation
import Glibc

/// Counts instructions with valgrind's callgrind.
struct Callgrind: ~Copyable {
    private let valgrind: String
    private let folder: String
    private var program: String { folder + "/touchline" }
    /// The folder of this program, for libraries beside it.
    private let home: String

    /// - Returns: Nil when no valgrind is in the search path.
    init?() throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let candidates = path.split(separator: ":").map { "\($0)/valgrind" }
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else { return nil }
        valgrind = found
        let ownPath = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        home = ownPath.deletingLastPathComponent().path
        folder = FileManager.default.temporaryDirectory.path + "/touchline-callgrind-\(getpid())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var bytes = try Data(contentsOf: ownPath)
        guard bytes.count > 64, bytes.prefix(5).elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2]) else {
            throw Failure.group("\(ownPath.path): expected a 64 bit ELF program")
        }
        // Clears e_shoff, then e_shentsize, e_shnum and e_shstrndx. (elf(5), Elf64_Ehdr)
        for index in Array(0x28..<0x30) + Array(0x3A..<0x40) { bytes[bytes.startIndex + index] = 0 }
        try bytes.write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// - Parameters:
    ///   - arguments: The arguments with which this program does the work `count` times.
    ///   - meanwhile: Called ten times a second.
    /// - Returns: Instructions for each repeat, from the difference of the runs.
    func instructions(
        between few: Int, and many: Int, _ arguments: (Int) -> [String], meanwhile: () -> Void
    ) throws -> Double {
        let (less, more) = (try total(arguments(few), meanwhile), try total(arguments(many), meanwhile))
        return Double(more - less) / Double(many - few)
    }

    /// Returns the instructions of a whole run.
    private func total(_ arguments: [String], _ meanwhile: () -> Void) throws -> Int64 {
        let file = folder + "/out"
        let run = Process()
        // The kernel ends valgrind with this process; a signal of a terminal does not reach it.
        run.executableURL = URL(filePath: "/usr/bin/setpriv")
        run.arguments =
            ["--pdeathsig", "KILL", valgrind, "--quiet", "--tool=callgrind", "--callgrind-out-file=\(file)", program]
            + arguments
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        environment["LD_LIBRARY_PATH"] = [environment["LD_LIBRARY_PATH"], home].compactMap { $0 }.joined(separator: ":")
        run.environment = environment
        run.standardInput = FileHandle.nullDevice
        run.standardOutput = FileHandle.nullDevice
        run.standardError = FileHandle.nullDevice
        try run.run()
        while run.isRunning {
            meanwhile()
            usleep(100_000)
        }
        guard run.terminationStatus == 0, let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw Failure.group("\(valgrind) exited with \(run.terminationStatus)")
        }
        for line in text.split(separator: "\n") where line.hasPrefix("totals:") || line.hasPrefix("summary:") {
            if let total = line.split(separator: " ").dropFirst().first.flatMap({ Int64($0) }) { return total }
        }
        throw Failure.group("\(valgrind) wrote no total")
    }
}
