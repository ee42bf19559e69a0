import Basics
import Foundation
import Glibc
import Testbed
import Testing
import Wire
import ZeroMQHost

@testable import touchline

@Suite("The figures of `touchline top`")
struct TopTableTests {
    /// A group with input-kit, a server and one app, and the counters of a moment.
    private func sample(
        at seconds: Double, scans: Int64 = 0, events: Int64 = 0, coalesced: Int64 = 0, generation: Int64 = 1,
        appPID: Int64 = 103, state: String = "ready", isResponding: Bool = true,
        answers: [(at: Double, after: Double)] = [],
        cpu: UInt64? = nil
    ) -> TopSample {
        let now = Instant(seconds: seconds)
        let names = ["input-kit", "system-server", "app1"]
        var own: [Report.Row] = [
            Report.Row("reports", .number(3)), Report.Row("pid", .number(100)), Report.Row("epoch", .number(1)),
            Report.Row("since", .number(0)), Report.Row("ready", .flag(true)),
        ]
        for (index, name) in names.enumerated() {
            let isApp = name == "app1"
            own += [
                Report.Row("\(name).pid", .number(isApp ? appPID : Int64(101 + index))),
                Report.Row("\(name).state", .text(isApp ? state : "ready")),
                Report.Row("\(name).generation", .number(isApp ? generation : 1)),
                Report.Row("\(name).restarts", .number(isApp ? generation - 1 : 0)),
            ]
        }
        let reports = [
            Report(peer: .supervisor, rows: own),
            Report(
                peer: .inputKit,
                rows: [
                    Report.Row("frames.sent", .number(scans)), Report.Row("unanswered", .number(1)),
                    Report.Row("play.unanswered", .number(2)), Report.Row("credit", .number(253)),
                    Report.Row("device.event0.waiting", .number(4)), Report.Row("device.event1.waiting", .number(5)),
                ]),
            Report(
                peer: .systemServer,
                rows: [
                    Report.Row("scans", .number(scans)), Report.Row("inFlight", .number(3)),
                    Report.Row("app1.coalesced", .number(coalesced)), Report.Row("app1.unanswered", .number(2)),
                ]),
            Report(
                peer: .app(1),
                rows: isResponding
                    ? [
                        Report.Row("events", .number(events)), Report.Row("inbox.depth", .number(7)),
                        Report.Row("queue.depth", .number(8)), Report.Row("applicationState", .text("active")),
                    ] : [Report.Row("responding", .flag(false))]),
        ]
        let rows = answers.enumerated().map { index, answer in
            let sent = Instant(seconds: answer.at - answer.after).nanoseconds
            return Report.Row(
                "app1.event.\(index)",
                .text("frame=\(index) at=\(sent) what=touches fate=delivered after=\(Int64(answer.after * 1e9))"))
        }
        var sample = TopSample(
            time: now, group: GroupReport(reports, at: now),
            server: ServerRows([Report.Row("app1.dropped.ownerDied", .number(1))] + rows))
        if let cpu { sample.machineUse["app1"] = TopSample.MachineUse(cpu: cpu, residentKiB: 2048) }
        return sample
    }

    private func row(_ name: String, _ table: TopTable) throws -> TopTable.Row {
        try #require(table.rows.first { $0.name == name })
    }

    @Test("rates are differences of counters by the time between the samples")
    func rates() throws {
        let first = sample(at: 10, scans: 100, events: 90, cpu: 1_000_000_000)
        let table = TopTable(
            sample(at: 12, scans: 340, events: 290, coalesced: 5, cpu: 1_500_000_000), since: first, continuing: nil)
        #expect(table.interval == .seconds(2))
        #expect(try row("input-kit", table).rate == 120)
        #expect(try row("system-server", table).rate == 120)
        let app = try row("app1", table)
        #expect(app.rate == 100 && app.cpu == 0.25 && app.residentKiB == 2048)
        #expect(app.inbox == 7 && app.queue == 8 && app.inFlight == 2 && app.merged == 5 && app.dropped == 1)
        #expect(app.isLosing && app.state == "active")
        let inputKit = try row("input-kit", table)
        #expect(inputKit.waiting == 9 && inputKit.inFlight == 3 && inputKit.credit == 253)
    }

    @Test("the first sample and a second one of the same moment have no rates")
    func noInterval() throws {
        let first = sample(at: 10, scans: 100, cpu: 1)
        for table in [
            TopTable(first, since: nil, continuing: nil), TopTable(first, since: first, continuing: nil),
        ] {
            #expect(table.interval == nil)
            #expect(try row("input-kit", table).rate == nil && row("app1", table).cpu == nil)
            #expect(table.json["intervalSeconds"] == nil)
        }
    }

    @Test("after a restart a counter counts from zero, also if it is larger than before")
    func restart() throws {
        let first = sample(at: 10, events: 90, cpu: 5_000_000_000)
        let restarted = sample(at: 12, events: 100, generation: 2, appPID: 104, cpu: 9_000_000_000)
        let app = try row("app1", TopTable(restarted, since: first, continuing: nil))
        #expect(app.rate == 50 && app.cpu == nil && app.restarts == 1)
        // A counter that went back without a new generation.
        #expect(try row("app1", TopTable(sample(at: 12, events: 10), since: first, continuing: nil)).rate == 5)
    }

    @Test("a process without a report has a state and no figures")
    func silent() throws {
        let first = sample(at: 10, events: 90)
        let silent = try row("app1", TopTable(sample(at: 11, isResponding: false), since: first, continuing: nil))
        #expect(silent.state == "not responding" && silent.condition == .bad)
        #expect(silent.rate == nil && silent.inbox == nil)
        let gone = try row("app1", TopTable(sample(at: 11, state: "quarantined"), since: first, continuing: nil))
        #expect(gone.state == "quarantined" && gone.condition == .bad)
    }

    @Test("latencies are those of the interval, and earlier ones stay in the history")
    func latencies() throws {
        let first = sample(at: 10)
        let durations = (1...99).map { (at: 11.0, after: Double($0) / 1000) }
        let second = sample(at: 11, answers: [(at: 9.9, after: 5)] + durations)
        let table = TopTable(second, since: first, continuing: TopTable(first, since: nil, continuing: nil))
        let latency = try #require(try row("app1", table).latency)
        #expect(latency.count == 99 && latency.p50 == .milliseconds(50) && latency.p99 == .milliseconds(99))
        #expect(try row("app1", table).latencies == [nil, .milliseconds(99)])
        let third = TopTable(sample(at: 12, answers: durations), since: second, continuing: table)
        #expect(try row("app1", third).latency == nil)
        #expect(try row("app1", third).latencies == [nil, .milliseconds(99), nil])
        var long = third
        for second in 13...100 {
            long = TopTable(sample(at: Double(second)), since: sample(at: Double(second - 1)), continuing: long)
        }
        #expect(try row("app1", long).latencies.count == TopTable.historyLength)
    }

    @Test("a sparkline shows each value relative to the largest, and a space for none")
    func sparkline() {
        let values: [Duration?] = [.milliseconds(1), nil, .milliseconds(8), .milliseconds(4), .zero]
        #expect(TopLayout.sparkline(values, width: 10) == "▂ █▅▁")
        #expect(TopLayout.sparkline(values, width: 2) == "█▁")
        #expect(TopLayout.sparkline(values, width: 0) == "")
        #expect(TopLayout.sparkline([], width: 5) == "")
        #expect(TopLayout.sparkline([.zero, .zero], width: 5) == "▁▁")
    }

    @Test("no line is wider than the terminal, and process and state are left out last", arguments: 0...160)
    func widths(width: Int) {
        let first = sample(at: 10)
        let table = TopTable(
            sample(at: 11, scans: 240, events: 200, answers: [(at: 10.5, after: 0.002)]), since: first, continuing: nil)
        var layout = TopLayout()
        layout.width = width
        let lines = layout.lines(table).map(\.text)
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        #expect(lines.count == 6)
        if width >= 21 { #expect(lines[5].hasPrefix("app1           active"), "\(lines)") }
        if width == 160 {
            #expect(lines[2].contains("per s") && lines[2].contains("p99 ms") && lines[5].contains("2.000"), "\(lines)")
        }
    }

    @Test("a terminal with few rows names how many lines are missing", arguments: 0...7)
    func heights(height: Int) {
        var layout = TopLayout()
        layout.height = height
        let lines = layout.lines(TopTable(sample(at: 10), since: nil, continuing: nil)).map(\.text)
        #expect(lines.count <= max(1, height))
        if height == 4 { #expect(lines.last == "3 more lines") }
        if height == 6 { #expect(lines.last?.hasPrefix("app1") == true) }
    }

    @Test("a group without processes has a head and no figures")
    func empty() {
        let report = Report(peer: .supervisor, rows: [Report.Row("pid", .number(7))])
        let group = GroupReport([report], at: Instant(seconds: 1))
        let sample = TopSample(time: Instant(seconds: 1), group: group, server: ServerRows([]))
        let table = TopTable(sample, since: sample, continuing: nil)
        #expect(table.rows.isEmpty)
        let lines = TopLayout().lines(table).map(\.text)
        #expect(lines.first == "group: not ready, up 1.0 s, pid 7, epoch 0" && lines.last == "no process", "\(lines)")
    }

    @Test("the order of rows is by a figure, and equal rows stay in the group's order")
    func order() {
        let first = sample(at: 10)
        let table = TopTable(sample(at: 11, scans: 10, events: 50), since: first, continuing: nil)
        func names(_ order: TopLayout.Order) -> [Substring] {
            TopLayout(order: order).lines(table).dropFirst(3).map { $0.text.prefix { $0 != " " } }
        }
        #expect(names(.group) == ["input-kit", "system-server", "app1"])
        #expect(names(.rate) == ["app1", "input-kit", "system-server"])
        #expect(names(.latency) == ["input-kit", "system-server", "app1"])
        for order in TopLayout.Order.allCases { #expect(order.next.previous == order) }
    }

    @Test(
        "keys of a terminal, with escape sequences",
        arguments: [
            ("q", [.quit]), ("xp Q", [.pause, .pause, .quit]), ("\u{1B}[C\u{1B}OD", [.nextOrder, .previousOrder]),
            ("\u{1B}[1;5As", [.previousOrder, .nextOrder]), ("\u{1B}", []), ("\u{1B}[", []), ("\u{1B}[3~q", [.quit]),
        ] as [(String, [TopKey])])
    func keys(text: String, expected: [TopKey]) {
        #expect(TopKey.keys(in: text.utf8) == expected)
    }
}

@Suite("`touchline top` on a group", .timeLimit(Sanitizer.timeLimit))
struct TopProcessTests {
    @Test("a pipe receives plain blocks, and --json one object for each interval")
    func plain() throws {
        let group = try LiveGroup()
        let result = try group.run("top", "--interval", "0.1", "--count", "2")
        #expect(result.status == 0 && !result.out.contains("\u{1B}"), "\(result)")
        let blocks = result.out.components(separatedBy: "\n\n")
        #expect(blocks.count == 4 && blocks[0].hasPrefix("group: ready, up "), "\(result.out)")
        #expect(blocks[3].contains("\napp1           active"), "\(result.out)")
        #expect(try group.run("input", "tap", "100,200").status == 0)
        let json = try group.run("top", "--interval", "0.1", "--count", "2", "--json")
        let objects = try json.out.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(json.status == 0 && objects.count == 2)
        let processes = try #require(objects.last?["processes"] as? [[String: Any]])
        #expect(processes.map { $0["name"] as? String } == ["input-kit", "system-server", "app1"])
        #expect(processes.allSatisfy { ($0["residentKiB"] as? Int ?? 0) > 0 && $0["cpu"] is Double }, "\(processes)")
        #expect(processes[0]["perSecond"] is Double && processes[2]["restarts"] as? Int == 0)
    }

    @Test("bad options are refused, and a missing group is named")
    func refused() throws {
        for arguments in [["--interval", "0"], ["--interval", "4000"], ["--count", "0"]] {
            #expect(try Program.run(["top"] + arguments).status == 2, "\(arguments)")
        }
        let missing = try Program.run(["top", "--run-dir", "/tmp/tl-none"])
        #expect(missing.status == 3 && missing.err.hasPrefix("no group is running on /tmp/tl-none"))
    }

    @Test("on a terminal, q ends it and the terminal is as before")
    func quit() throws {
        let group = try LiveGroup()
        let terminal = try PseudoTerminal(columns: 60, rows: 10)
        let before = terminal.settings
        let program = try terminal.start(["top", "--run-dir", group.runDirectory, "--interval", "0.1"])
        try terminal.wait { $0.contains("\u{1B}[?1049h") && $0.contains("app1") && $0.contains("\u{1B}[1m") }
        #expect(terminal.settings.c_lflag & tcflag_t(ICANON | ECHO) == 0)
        // Another width is another number of columns.
        terminal.output = []
        terminal.resize(columns: 200, rows: 10)
        try terminal.wait { $0.contains("RSS MiB") }
        terminal.type("s")
        try terminal.wait { $0.contains("sorted by rate") }
        terminal.type("p")
        try terminal.wait { $0.contains("paused") }
        terminal.type("q")
        #expect(try program.wait() == 0)
        try terminal.expectRestored(before)
    }

    @Test(
        "on a terminal, each signal that ends it restores the terminal", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signals(number: Int32) throws {
        let group = try LiveGroup()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let before = terminal.settings
        let program = try terminal.start(["top", "--run-dir", group.runDirectory], environment: ["NO_COLOR=1"])
        try terminal.wait { $0.contains("\u{1B}[?1049h") && $0.contains("app1") }
        #expect(!terminal.text.contains("\u{1B}[1m"))
        if number == SIGINT { terminal.type("\u{3}") } else { program.signal(number) }
        #expect(try program.wait() == 0)
        try terminal.expectRestored(before)
    }

    @Test("the end of the group restores the terminal and is an error")
    func groupEnds() throws {
        let group = try LiveGroup()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let before = terminal.settings
        let program = try terminal.start(["top", "--run-dir", group.runDirectory, "--interval", "0.1"])
        try terminal.wait { $0.contains("\u{1B}[?1049h") && $0.contains("app1") }
        group.isAudited = false
        group.program.signal(SIGKILL)
        #expect(try program.wait() == 3)
        #expect(program.err.contains(group.runDirectory), "\(program.err)")
        try terminal.expectRestored(before)
    }

    @Test("a terminal without cursor control receives plain blocks")
    func dumb() throws {
        let group = try LiveGroup()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let words = ["top", "--run-dir", group.runDirectory, "--interval", "0.1", "--count", "1"]
        let program = try terminal.start(words, environment: ["TERM=dumb"])
        #expect(try program.wait() == 0)
        try terminal.wait { $0.contains("app1") }
        #expect(!terminal.text.contains("\u{1B}"))
    }
}

/// A pseudo terminal, which is the controlling terminal of the program that the test starts.
private final class PseudoTerminal {
    private let master: Int32
    private let slave: Int32
    private let path: String
    var output: [UInt8] = []

    init(columns: UInt16, rows: UInt16) throws {
        // What posix_openpt, unlockpt and ptsname do, which Glibc's module does not have (tty_ioctl(4)).
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (locked, number): (Int32, UInt32) = (0, 0)
        guard master >= 0, ioctl(master, 0x4004_5431 /* TIOCSPTLCK */, &locked) == 0,
            ioctl(master, 0x8004_5430 /* TIOCGPTN */, &number) == 0
        else { throw TestFailure("no pseudo terminal: \(String(cString: strerror(errno)))") }
        path = "/dev/pts/\(number)"
        // An open end keeps the terminal after the program has closed its own.
        slave = open(path, O_RDWR | O_NOCTTY)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        resize(columns: columns, rows: rows)
    }

    deinit {
        close(slave)
        close(master)
    }

    func start(_ words: [String], environment: [String] = ["TERM=xterm"]) throws -> Program {
        let variables = environment.contains { $0.hasPrefix("TERM=") } ? environment : environment + ["TERM=xterm"]
        let shell = "exec /usr/bin/setsid --ctty \"$@\" <\(path) >\(path)"
        return try Program(
            words, behind: ["/usr/bin/env", "-u", "NO_COLOR"] + variables + ["/bin/sh", "-c", shell, "sh"])
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func type(_ text: String) { _ = write(master, text, text.utf8.count) }

    var settings: termios {
        var settings = termios()
        tcgetattr(slave, &settings)
        return settings
    }

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Reads until the output satisfies the predicate.
    func wait(until isSo: (String) -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: Programs.waitLimit)
        while true {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(master, &bytes, bytes.count), count > 0 { output += bytes[..<count] }
            if isSo(text) { return }
            guard Date() < deadline else { throw TestFailure("the terminal shows \(text.debugDescription)") }
            var item = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 100)
        }
    }

    /// Expects the former screen, a cursor, and the settings of before.
    func expectRestored(_ before: termios) throws {
        try wait { $0.hasSuffix("\u{1B}[?25h\u{1B}[?1049l") }
        #expect(settings.c_lflag == before.c_lflag && settings.c_iflag == before.c_iflag)
        #expect(text.components(separatedBy: "\u{1B}[?1049l").count == 2)
    }
}
