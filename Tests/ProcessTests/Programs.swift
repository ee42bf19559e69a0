// Programs.swift: the real executables, started as a person would start them.
//
// No program outlives the tests: it dies with the thread that started it, and that thread lives as long as the test
// process.

import CSystem
import Foundation
import Glibc
import Testbed

/// The folder in which `swift build` put the programs: beside the test bundle.
enum Programs {
    /// The time to wait for an expected event, in seconds. A sanitizer makes programs many times slower.
    static let waitLimit: Double = Sanitizer.kind == nil ? 120 : 480

    static let folder: URL = {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let bundle = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["TOUCHLINE_PROGRAMS"].map { URL(filePath: $0) }
        let folders = [named, bundle, own].compactMap { $0 }
        return folders.first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "touchline").path) }
            ?? own
    }()

    static func path(of name: String) -> String { folder.appending(path: name).path }
}

/// A running `touchline`, whose output is collected as it arrives.
final class Program: @unchecked Sendable {
    let pid: Int32
    private let handle: Int32
    private let output = Output()
    private let errors = Output()
    private let lock = NSLock()
    private var status: Int32?

    /// - Parameters:
    ///   - arguments: The words after the program's name.
    ///   - folder: A folder other than the one the program was built in.
    ///   - openFiles: The number of files it may have open, as `ulimit -n` and `ulimit -Hn` set it.
    ///   - fileSize: The number of bytes a file it writes may have, until the limit is raised (prlimit).
    ///   - prefix: A command that starts the program, for example in another network or with another clock.
    init(
        _ arguments: [String], of name: String = "touchline", in folder: URL = Programs.folder, openFiles: Int? = nil,
        fileSize: Int? = nil, behind prefix: [String] = []
    ) throws {
        // Not Foundation.Process: it starts children with SIGTERM blocked when a thread of the concurrency pool calls
        // it. Not without setpriv: a test run that is killed must leave no process behind.
        let limited =
            (openFiles.map { ["--nofile=\($0):\($0)"] } ?? []) + (fileSize.map { ["--fsize=\($0):"] } ?? [])
        let limits = limited.isEmpty ? [] : ["/usr/bin/prlimit"] + limited
        // ThreadSanitizer starts by writing a file of several megabytes to TMPDIR, and works without it where it
        // cannot.
        let environmentArguments =
            fileSize != nil && Sanitizer.kind == "thread" ? ["/usr/bin/env", "TMPDIR=/dev/null"] : []
        let commandLine =
            environmentArguments + limits + ["/usr/bin/setpriv", "--pdeathsig", "KILL"] + prefix
            + [folder.appending(path: name).path] + arguments
        let started = try Spawner.shared.spawn(commandLine)
        pid = started.pid
        handle = system_pidfd_open(pid)
        output.collect(started.out)
        errors.collect(started.err)
    }

    deinit {
        if status == nil {
            kill(pid, SIGKILL)
            _ = try? wait()
        }
        close(handle)
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: The exit code, or 128 and the signal, as a shell counts.
    @discardableResult
    func wait(seconds: Double = Programs.waitLimit) throws -> Int32 {
        lock.lock()
        defer { lock.unlock() }
        if let status { return status }
        var item = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        guard poll(&item, 1, Int32(seconds * 1000)) == 1 else { throw TestFailure("\(pid) still runs: \(errors.text)") }
        var raw: Int32 = 0
        waitpid(pid, &raw, 0)
        let signal = raw & 0x7f
        status = signal == 0 ? (raw >> 8) & 0xff : 128 + signal
        output.finish()
        errors.finish()
        return status!
    }

    func signal(_ number: Int32) { kill(pid, number) }

    /// The output so far; complete after the program's end.
    var out: String { output.text }
    var err: String { errors.text }

    /// The first line on stdout that begins with this prefix.
    func line(beginning prefix: String, seconds: Double = Programs.waitLimit) throws -> String {
        guard let line = output.line(beginning: prefix, seconds: seconds) else {
            throw TestFailure("no line \"\(prefix)…\" within \(seconds) s; printed: \(out) \(err)")
        }
        return line
    }

    /// The first line on stderr that begins with this prefix.
    func line(inErrors prefix: String, seconds: Double = Programs.waitLimit) -> String? {
        errors.line(beginning: prefix, seconds: seconds)
    }

    /// Runs a program to its end.
    static func run(
        _ arguments: [String], of name: String = "touchline", in folder: URL = Programs.folder
    ) throws -> (status: Int32, out: String, err: String) {
        let program = try Program(arguments, of: name, in: folder)
        let status = try program.wait()
        return (status, program.out, program.err)
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Waits for the end of any process, also one that the test did not start.
func waitForEnd(of pid: Int32, seconds: Double = Programs.waitLimit) throws {
    let handle = system_pidfd_open(pid)
    // The process is gone already.
    guard handle >= 0 else { return }
    defer { close(handle) }
    var item = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    guard poll(&item, 1, Int32(seconds * 1000)) == 1 else { throw TestFailure("pid \(pid) still lives") }
}

/// The processes that a process has started, and those that these have started.
func descendants(of root: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let children = names.compactMap(Int32.init).filter { pid in
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        return status.contains("\nPPid:\t\(root)\n")
    }
    return children + children.flatMap(descendants)
}

/// Looks for something that other processes make until it is there.
@discardableResult
func waitFor<T>(_ complaint: String, seconds: Double = Programs.waitLimit, _ look: () -> T?) throws -> T {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline {
        if let found = look() { return found }
        sched_yield()
    }
    throw TestFailure(complaint)
}

/// One output stream of a program, read line by line.
private final class Output: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var isAtEnd = false

    func collect(_ file: FileHandle) {
        let thread = Thread { [self] in
            // `FileHandle.read` is not used, because it waits for the end of the stream.
            var chunk = [UInt8](repeating: 0, count: 4096)
            while case let count = read(file.fileDescriptor, &chunk, chunk.count), count > 0 {
                condition.lock()
                bytes += chunk[..<count]
                condition.broadcast()
                condition.unlock()
            }
            condition.lock()
            isAtEnd = true
            condition.broadcast()
            condition.unlock()
        }
        thread.start()
    }

    var text: String {
        condition.lock()
        defer { condition.unlock() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits until the writer has ended. A grandchild may keep the stream open, so the wait has a limit.
    func finish() {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: 5)
        while !isAtEnd { guard condition.wait(until: deadline) else { return } }
    }

    func line(beginning prefix: String, seconds: Double) -> String? {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            for line in lines.map({ String(decoding: $0, as: UTF8.self) }) where line.hasPrefix(prefix) { return line }
            if isAtEnd { return nil }
            guard condition.wait(until: deadline) else { return nil }
        }
    }
}

/// The single thread that starts programs. A program with a parent-death signal dies with the thread that started it.
private final class Spawner: @unchecked Sendable {
    static let shared = Spawner()

    private let condition = NSCondition()
    private var work: [() -> Void] = []

    private init() {
        let thread = Thread { [self] in
            while true {
                condition.lock()
                while work.isEmpty { condition.wait() }
                let next = work.removeFirst()
                condition.unlock()
                next()
            }
        }
        thread.start()
    }

    func spawn(_ words: [String]) throws -> (pid: Int32, out: FileHandle, err: FileHandle) {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: (failure: Int32, pid: Int32, out: Int32, err: Int32) = (0, 0, 0, 0)
        condition.lock()
        work.append {
            result = Self.start(words)
            done.signal()
        }
        condition.signal()
        condition.unlock()
        done.wait()
        guard result.failure == 0 else {
            throw TestFailure("\(words[0]): \(String(cString: strerror(result.failure)))")
        }
        return (
            result.pid, FileHandle(fileDescriptor: result.out, closeOnDealloc: true),
            FileHandle(fileDescriptor: result.err, closeOnDealloc: true)
        )
    }

    /// - Returns: The descriptors to read from. Only the program has the other ends, so they close when it ends.
    private static func start(_ words: [String]) -> (failure: Int32, pid: Int32, out: Int32, err: Int32) {
        var (out, err): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&out) == 0, pipe(&err) == 0 else { return (errno, 0, 0, 0) }
        for end in out + err { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { for end in [out[1], err[1]] { close(end) } }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, out[1], 1)
        posix_spawn_file_actions_adddup2(&actions, err[1], 2)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, words[0], &actions, &attributes, &pointers, environ)
        return (failure, pid, out[0], err[0])
    }
}
