// GroupSession.swift: a group of one's own, started for the length of one command and gone with it.
//
// Used by    demo, bench, conform --mode processes
// Does       what a person would: `touchline up` in a fresh run directory, orders over the control socket,
//            SIGTERM, and the traces read from the run directory before it is removed.

import Basics
import Foundation
import Recordings
import Simulator
import Trace
import Wire
import ZeroMQHost

final class GroupSession {
    let runDirectory: String
    private let supervisor = Process()
    /// Never written to: its end tells the supervisor that this process is gone, however it went.
    private let leash = Pipe()
    private var client: ControlClient?
    private var orders: UInt32 = 0
    /// URLs that the group has not answered.
    private var openings: [UInt32] = []

    /// Starts a group and waits until every process is ready.
    ///
    /// - Parameters:
    ///   - scene: A scene or scenario file; nil for what `up` shows by itself.
    ///   - settings: `key=value`, as `--set` takes them.
    ///   - traces: Whether every process writes its facts.
    init(scene: String? = nil, apps: Int = 1, settings: [String] = [], traces: Bool = false) throws {
        let base = FileManager.default.temporaryDirectory.path
        runDirectory = "\(base)/touchline-\(getpid())-\(UUID().uuidString.prefix(8))"
        var arguments = ["up", "--run-dir", runDirectory, "--apps", "\(apps)", "--while-stdin-lasts"]
        if let scene { arguments += ["--scene", scene] }
        for setting in settings { arguments += ["--set", setting] }
        if traces { arguments.append("--trace") }

        let (out, err) = (Pipe(), Pipe())
        supervisor.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        supervisor.arguments = arguments
        supervisor.standardInput = leash
        supervisor.standardOutput = out
        supervisor.standardError = err
        try supervisor.run()
        // `up` prints one line when all are ready, and ends with a reason on stderr when that cannot be.
        guard let line = out.fileHandleForReading.firstLine(), line.hasPrefix("ready") else {
            supervisor.waitUntilExit()
            let reason = String(decoding: err.fileHandleForReading.availableData, as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            try? FileManager.default.removeItem(atPath: runDirectory)
            // `up` exits as every verb does: 2 is a scene or setting that cannot be used.
            throw Failure(
                code: supervisor.terminationStatus == 2 ? 2 : 3,
                line: reason.isEmpty ? "the group ended before it was ready" : reason)
        }
        client = try ControlClient(runDirectory: runDirectory)
    }

    deinit {
        if supervisor.isRunning {
            supervisor.terminate()
            supervisor.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: runDirectory)
    }

    /// Plays one order to its end.
    ///
    /// - Parameter patience: How long to wait for news of it; a play longer than this must not be asked for.
    /// - Returns: What came of it, and the ledgers of its frames where the order wanted them.
    func play(_ order: PlayOrder, patience: Duration) throws -> (report: PlayReport, ledgers: [Ledger]) {
        guard let client else { throw Failure.group("the group has been stopped") }
        var order = order
        orders += 1
        order.id = orders
        try client.send(.play(order))
        var ledgers: [Ledger] = []
        while let message = try client.receive(timeout: patience) {
            switch message {
            case .measured(let some): ledgers += some
            case .played(let report) where report.id == order.id: return (report, ledgers)
            case .refused(let why): throw Failure.group(why)
            default: break
            }
        }
        throw Failure.group("no report of the play within \(patience.seconds) s")
    }

    /// Tells the phone something: a call, the home button.
    func act(_ act: SystemAct) throws { try client?.send(.act(act)) }

    /// What happens beside a play, by script line.
    enum Act {
        case system(SystemAct)
        /// SIGKILL.
        case crash(UInt32)
        case open(URLText)
    }

    struct TimedAct {
        /// Since the play's begin.
        var at: Duration
        var act: Act
    }

    /// Plays, if there is an order, and does the acts at their times; done when the play's report is in and the
    /// last act is past, and every URL is answered.
    ///
    /// - Parameter acts: By time.
    func perform(_ order: PlayOrder?, acts: [TimedAct], patience: Duration) throws -> PlayReport? {
        guard let client else { throw Failure.group("the group has been stopped") }
        let clock = ContinuousClock()
        let begin = clock.now
        // An act of the very beginning comes before the first finger.
        var waiting = acts[...]
        while let first = waiting.first, first.at == .zero { try carryOut(waiting.removeFirst().act, first.at) }
        // The play begins when input-kit has heard of it, and acts count from there: late by a little, never early.
        let lead = order == nil ? Duration.zero : .milliseconds(10)
        var awaited: UInt32?
        if var order {
            orders += 1
            order.id = orders
            awaited = order.id
            try client.send(.play(order))
        }
        var report: PlayReport?
        while awaited != nil || !waiting.isEmpty || !openings.isEmpty {
            if let first = waiting.first, clock.now - begin >= first.at + lead {
                try carryOut(waiting.removeFirst().act, first.at)
                continue
            }
            let limit = waiting.first.map { $0.at + lead - (clock.now - begin) } ?? (patience - (clock.now - begin))
            switch try client.receive(timeout: max(limit, .milliseconds(1))) {
            case .played(let some)? where some.id == awaited: (report, awaited) = (some, nil)
            case .opened(let answer)?: openings.removeAll { $0 == answer.id }
            case .refused(let why)?: throw Failure.group(why)
            case .some: continue
            case nil where clock.now - begin > patience:
                throw Failure.group("no report of the play within \(patience.seconds) s")
            case nil: continue
            }
        }
        return report
    }

    private func carryOut(_ act: Act, _ time: Duration) throws {
        switch act {
        case .system(let act): try self.act(act)
        case .crash(let app):
            guard case .number(let pid)? = try reports().first?["app\(app).pid"], pid > 1 else {
                throw Failure.group("app\(app) is not there to be killed")
            }
            kill(pid_t(pid), SIGKILL)
        case .open(let url):
            orders += 1
            openings.append(orders)
            try client?.send(.open(OpenRequest(id: orders, url: url)))
        }
    }

    /// Every process about itself, the supervisor first.
    func reports() throws -> [Report] {
        guard let client else { return [] }
        try client.send(.reportRequest)
        guard case .report(let first)? = try client.receive(timeout: .seconds(2)) else {
            throw Failure.group("the supervisor did not answer within 2 s")
        }
        var all = [first]
        guard case .number(let following)? = first["reports"] else { return all }
        while all.count <= following, case .report(let next)? = try client.receive(timeout: .seconds(2)) {
            all.append(next)
        }
        return all
    }

    /// Waits until every process that knows says it is quiet: nothing queued, nothing in flight, no timer to come;
    /// and until each app has heard the last thing the server said to it, which may be on its way.
    ///
    /// - Parameter fingersMayStay: Whether a finger that is still down counts as quiet.
    func waitUntilQuiet(limit: Duration, fingersMayStay: Bool = false) throws {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        func isQuiet(_ report: Report) -> Bool {
            if report["quiet"] != .flag(false) { return true }
            return fingersMayStay && report.peer == .systemServer && report["inFlight"] == .number(0)
        }
        func isSettled(_ reports: [Report]) -> Bool {
            let server = reports.first { $0.peer == .systemServer }
            return reports.allSatisfy { report in
                guard isQuiet(report) else { return false }
                guard report.peer.role == .app, let sent = server?["\(report.peer).sent"] else { return true }
                return report["frames.heard"] == sent
            }
        }
        while try !isSettled(reports()) {
            guard clock.now < deadline else { throw Failure.group("not quiet after \(limit.seconds) s") }
            usleep(5000)
        }
    }

    /// Stops the group, and reads what it traced.
    ///
    /// - Returns: The facts of all processes as one trace, by time.
    func stop() throws -> [TraceLine] {
        client = nil
        supervisor.terminate()
        supervisor.waitUntilExit()
        let folder = URL(filePath: runDirectory).appending(path: "trace")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        // The order of an event's way breaks ties of one moment.
        let traces = names.compactMap { name in Peer(name.replacing(".trace", with: "")).map { ($0, name) } }
            .sorted { $0.0 < $1.0 }
            .map { _, name in
                let text = (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
                return text.split(separator: "\n").compactMap { TraceLine(fileText: $0) }
            }
        try? FileManager.default.removeItem(atPath: runDirectory)
        return merged(traces)
    }
}

extension FileHandle {
    /// Text up to the first line break, or to the end where there is none.
    fileprivate func firstLine() -> String? {
        var line: [UInt8] = []
        while let byte = try? read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}

extension GroupSession.Act {
    /// Nil for a finger's line, and for what the program does to itself.
    init?(_ act: FingerScript.Act) {
        switch act {
        case .interrupt: self = .system(.interrupt)
        case .resume: self = .system(.resume)
        case .home: self = .system(.home)
        case .foreground(let app): self = .system(.foreground(app: app))
        case .lock: self = .system(.lock)
        case .unlock: self = .system(.unlock)
        case .crash(let app): self = .crash(app)
        case .screen(let act): self = .system(SystemAct(act))
        case .open(let text):
            guard let url = try? URLText(text) else { return nil }
            self = .open(url)
        // Every app a script names is there from the start.
        case .launch, .down, .move, .up, .cancel, .scan, .set, .remove, .disable, .device: return nil
        }
    }
}
