// ObjectPurityTests.swift: the symbols that the compiled cores use, by `nm -u` (Docs/Spec/Pipeline.md section 6.1).
//
// Source text can name a function in more ways than a search finds. An object file lists each function that it calls
// elsewhere as an undefined symbol. The objects are those of the build that the test belongs to.

import Foundation
import Testbed
import Testing

@Suite("Purity of objects")
struct ObjectPurityTests {

    @Test(
        "objects of cores use no clock, chance, file, socket or thread",
        arguments: [
            "Basics", "Trace", "HID", "Wire", "Links", "Hosting", "Faults", "Journals", "Recordings", "Synthesis",
            "RunLoops",
            "Gestures", "UIKit", "SampleApps", "InputKitCore", "SystemServerCore", "AppCore", "SupervisorCore",
            "Audit", "Explain", "Exports", "Campaigns", "Monkey", "Simulator",
        ])
    func worldly(module: String) throws {
        let symbols = try undefinedSymbols(of: module)
        for symbol in symbols where Gate.isWorldly(symbol.name) {
            Issue.record("\(module)/\(symbol.object) refers to \(symbol.name)")
        }
    }

    @Test(
        "objects of cores iterate over no set and no dictionary",
        arguments: [
            "Basics", "Trace", "HID", "Wire", "Links", "Hosting", "Faults", "Journals", "Recordings", "Synthesis",
            "RunLoops",
            "Gestures", "InputKitCore", "SystemServerCore", "AppCore", "SupervisorCore", "Audit", "Explain", "Exports",
            "Campaigns", "Simulator",
        ])
    func walks(module: String) throws {
        for symbol in try undefinedSymbols(of: module) where Gate.isWalk(symbol.name) {
            Issue.record("\(module)/\(symbol.object) refers to \(symbol.name)")
        }
    }

    /// These libraries cost the start of each process more than its own work (Docs/Decisions/StartAndMemory.md).
    @Test(
        "objects of input-kit and system-server call neither Foundation nor _StringProcessing",
        arguments: [
            "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "Faults", "Journals", "Recordings",
            "RunLoops", "InputKitCore", "SystemServerCore", "ZeroMQHost",
        ])
    func large(module: String) throws {
        for symbol in try undefinedSymbols(of: module) where Gate.isOfLargeLibrary(symbol.name) {
            Issue.record("\(module)/\(symbol.object) refers to \(symbol.name)")
        }
    }

    /// This test shows that the gate finds violations: a gate that passes everything would look the same.
    @Test("the purity gate finds impure symbols in the host")
    func planted() throws {
        let host = try undefinedSymbols(of: "ZeroMQHost").map(\.name)
        for name in ["getenv", "pthread_create", "read", "write", "system_clock", "zmq_send"] {
            #expect(host.contains(name), "ZeroMQHost no longer calls \(name): plant another")
            #expect(Gate.isWorldly(name))
        }
        let clock = try undefinedSymbols(of: "CSystem").map(\.name)
        #expect(clock.contains("clock_gettime") && Gate.isWorldly("clock_gettime"))
        // This file uses every word below. The Swift symbols are written as the compiler writes them.
        let own = try undefinedSymbols(of: "PurityTests").map(\.name)
        #expect(own.contains { $0.contains("11FileManagerC") && Gate.isWorldly($0) })
        for name in [
            "$ss15ContinuousClockV3nowAB7InstantVvg", "$ss27SystemRandomNumberGeneratorVABycfC", "swift_task_create",
            "$s20FoundationEssentials4DateVACycfC", "$s10Foundation11ProcessInfoC11processInfoACvgZ",
            "$s8Dispatch0A5QueueC4mainACvgZ", "$ss5print_9separator10terminatoryypd_S2StF", "dispatch_async",
        ] {
            #expect(Gate.isWorldly(name), "\(name)")
        }
        // What every core needs of the runtime, and a mode's name, are pure.
        for name in [
            "swift_retain", "swift_once", "memcpy", "sqrt", "malloc", "$s10Foundation7RunLoopC4ModeV6commonAEvau",
            "$ss6HasherV5_hash4seed_S2i_s6UInt64VtFZ", "$s10Foundation7CGFloatVN", "open", "opendir",
        ] {
            #expect(Gate.isWorldly(name) == name.hasPrefix("open"), "\(name)")
        }
        #expect(own.contains { Gate.isOfLargeLibrary($0) })
        if !isOptimised { #expect(try undefinedSymbols(of: "UIKit").contains { Gate.isWalk($0.name) }) }
    }

    /// In an optimized build the standard library's loops are inlined, and no symbol shows them.
    private var isOptimised: Bool {
        var isDebug = false
        assert(
            {
                isDebug = true
                return true
            }())
        return !isDebug
    }

    private struct Symbol {
        let object: String
        let name: String
    }

    /// The undefined symbols of a module's objects; only of objects that still have a source here.
    private func undefinedSymbols(of module: String) throws -> [Symbol] {
        let objects = try objects(of: module)
        try #require(!objects.isEmpty, "\(module) has no objects in \(Self.build.path)")
        let nm = Process()
        nm.executableURL = URL(filePath: "/usr/bin/env")
        nm.arguments = ["nm", "-u", "-P", "-A"] + objects.map(\.path)
        let output = Pipe()
        nm.standardOutput = output
        try nm.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        nm.waitUntilExit()
        try #require(nm.terminationStatus == 0, "nm, of binutils, does not read \(objects[0].path)")
        // `path/to/Frame.swift.o: clock_gettime U`
        let symbols = text.split(separator: "\n").compactMap { line -> Symbol? in
            guard let colon = line.firstRange(of: ".o: ") else { return nil }
            let object = line[..<colon.lowerBound].split(separator: "/").last ?? ""
            let name = line[colon.upperBound...].prefix { $0 != " " }
            return Symbol(object: String(object), name: String(name.prefix { $0 != "@" }))
        }
        try #require(!symbols.isEmpty, "\(module)'s objects call no function, which cannot be true")
        return symbols
    }

    private func objects(of module: String) throws -> [URL] {
        let folder = Self.build.appending(path: "\(module).build")
        let sources = ["Sources", "Tests"].map { Repository.root.appending(path: "\($0)/\(module)") }
        let names = sources.flatMap { source in
            FileManager.default.enumerator(at: source, includingPropertiesForKeys: nil)?
                .compactMap { ($0 as? URL)?.lastPathComponent } ?? []
        }
        let found = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "o" }
            .sorted { $0.path < $1.path }
        // A module has one object, or one for each source. An object whose source is gone comes from an earlier build.
        return found.filter { object in
            let source = object.deletingPathExtension().lastPathComponent
            return source == module || names.contains(source)
        }
    }

    /// The folder in which `swift build` put the objects: beside the test bundle.
    private static let build: URL = {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let bundle = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        return [bundle, own].first {
            FileManager.default.fileExists(atPath: $0.appending(path: "Basics.build").path)
        } ?? bundle
    }()
}

/// The symbols that a core may not use.
private enum Gate {
    static func isWorldly(_ symbol: String) -> Bool {
        if symbol.hasPrefix("$s") {
            return swiftWords.contains { symbol.hasPrefix($0) }
                || foundationWords.contains { isFoundations($0, symbol) }
        }
        return calls.contains(symbol) || families.contains { symbol.hasPrefix($0) }
    }

    static func isOfLargeLibrary(_ symbol: String) -> Bool {
        symbol.hasPrefix("$s")
            && ["10Foundation", "20FoundationEssentials", "17_StringProcessing", "12_RegexParser"].contains {
                symbol.contains($0)
            }
    }

    static func isWalk(_ symbol: String) -> Bool {
        walkWords.contains { symbol.hasPrefix($0) }
    }

    /// Functions of the C library, by name.
    private static let calls: Set = [
        // Clocks.
        "clock", "clock_getres", "clock_gettime", "clock_nanosleep", "gettimeofday", "time", "times", "localtime",
        "localtime_r", "gmtime", "gmtime_r", "mktime", "strftime", "nanosleep", "usleep", "sleep", "alarm",
        "timer_create", "setitimer",
        // Chance.
        "rand", "rand_r", "srand", "random", "random_r", "srandom", "getrandom", "getentropy",
        "swift_stdlib_random",
        // The environment, and the identity of the process.
        "getenv", "secure_getenv", "setenv", "unsetenv", "putenv", "environ", "getpid", "getppid", "gettid", "getuid",
        "geteuid", "gethostname", "uname", "sysconf", "getrusage", "isatty",
        // Files.
        "open", "open64", "openat", "creat", "close", "read", "readv", "pread", "pread64", "write", "writev", "pwrite",
        "pwrite64", "lseek", "lseek64", "fsync", "ftruncate", "ftruncate64", "truncate", "stat", "fstat", "lstat",
        "stat64", "fstat64", "lstat64", "access", "unlink", "rename", "mkdir", "rmdir", "readlink", "symlink", "link",
        "chdir", "getcwd", "realpath", "opendir", "readdir", "readdir64", "closedir", "flock", "fcntl", "ioctl", "dup",
        "dup2", "pipe", "pipe2", "mmap", "mmap64", "munmap", "fopen", "fopen64", "fdopen", "fclose", "fread", "fwrite",
        "fgets", "fputs", "fputc", "fflush", "printf", "fprintf", "puts", "putchar", "perror", "getline", "stdin",
        "stdout", "stderr", "mkstemp", "tmpfile", "syslog",
        // Sockets, and waiting.
        "socket", "socketpair", "bind", "listen", "accept", "accept4", "connect", "send", "sendto", "sendmsg", "recv",
        "recvfrom", "recvmsg", "getsockopt", "setsockopt", "poll", "ppoll", "select", "pselect", "eventfd",
        "getaddrinfo",
        // Processes and signals.
        "fork", "vfork", "execve", "execv", "execvp", "posix_spawn", "posix_spawnp", "system", "waitpid", "wait",
        "kill", "killpg", "raise", "signal", "sigaction", "sigprocmask", "exit", "_exit", "syscall", "prctl",
        "sched_yield", "sched_setaffinity", "dlopen", "dlsym",
    ]

    private static let families = [
        "pthread_", "thrd_", "sem_", "epoll_", "inotify_", "timerfd_", "signalfd", "arc4random", "drand48", "lrand48",
        "dispatch_", "_dispatch_", "swift_task_create", "swift_task_switch", "swift_task_sleep", "swift_job_",
        "swift_asyncLet", "swift_taskGroup", "system_", "zmq_", "inflate", "deflate", "CF",
    ]

    /// Symbols of the standard library: clocks, chance, output, arguments, concurrency.
    private static let swiftWords = [
        "$ss15ContinuousClock", "$ss15SuspendingClock", "$ss27SystemRandomNumberGenerator", "$ss5print_",
        "$ss8readLine",
        "$ss9debugPrint", "$ss4dump", "$ss11CommandLine", "$s8Dispatch", "$s15Synchronization", "$sScT", "$sScA",
        "$sScM",
        "$s12_Concurrency",
    ]

    /// Foundation's impure types, as they are written behind their module.
    private static let foundationWords = [
        "4DateV", "8CalendarV", "8TimeZoneV", "6LocaleV", "11ProcessInfoC", "11FileManagerC", "10FileHandleC",
        "6BundleC", "12UserDefaultsC", "4UUIDV", "6ThreadC", "6NSLockC", "15NSRecursiveLockC", "11NSConditionC",
        "5TimerC", "7RunLoopC4main", "7RunLoopC7current", "7RunLoopC3run", "12URLSession", "7ProcessC", "4PipeC",
        "18NotificationCenterC", "13OperationQueueC", "4HostC", "15NSHomeDirectory", "20NSTemporaryDirectory", "5NSLog",
    ]

    private static func isFoundations(_ word: String, _ symbol: String) -> Bool {
        ["$s10Foundation", "$s20FoundationEssentials", "$s28FoundationInternationalization"].contains {
            symbol.hasPrefix($0 + word)
        }
    }

    /// A set or a dictionary as a sequence, its iterator, its keys and values.
    private static let walkWords = [
        "$sShyxGSTsMc", "$sShyxGSlsMc", "$sSh12makeIterator", "$sSDyxq_GSTsMc", "$sSDyxq_GSlsMc", "$sSD12makeIterator",
        "$sSD4keys", "$sSD6values",
    ]
}
