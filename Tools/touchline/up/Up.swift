// Up.swift: `touchline up`: starts a group and stays with it; this process is the supervisor.

import ArgumentParser
import Basics
import Configuration
import Foundation
import Glibc
import SampleApps
import Scenarios
import Settings
import SupervisorCore
import Synchronization
import Wire
import ZeroMQHost

/// The command `touchline up`.
struct Up: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start a group and run it until Ctrl-C, SIGTERM or `touchline down`.",
        discussion: """
            Starts input-kit, system-server and the apps as children of this process. Prints one line on stdout when all \
            processes are ready, and one line on stderr for each death. The supervisor restarts a child that dies, after \
            a longer pause each time, and quarantines it after too many deaths (`supervisor.*` in Config/pipeline.yaml). \
            It retries a program that cannot be started every `supervisor.backoffLimit` seconds. `touchline input act \
            launch` retries it at once, and restarts an app whose program has been replaced.

            With --topology each app has a scene, a sample app and settings of its own (Config/topology.yaml). Settings \
            that it omits are those of the group.

            With --app-executable the app is a program of your own, made with the library TouchlineApp \
            (Docs/HowTo/RunMyApp.md). With several, the group has one app for each.

            With --app the apps are one of these sample apps, each plain UIKit, instead of showing a scene:
            \(appList.map { "  " + $0 }.joined(separator: "\n"))

            A group that has not stopped `supervisor.stopDeadline` after the first signal ends at once at the next signal, \
            with exit code 1.

            Exits 0 when a signal or `touchline down` stops the group, 1 when a process dies too often before the group is \
            ready or system-server does at any time, 2 when the configuration or a scene cannot be read, 3 when a group \
            already runs on the folder or the machine refuses a resource.
            """)

    /// The default configuration file, in the current folder.
    private static let defaultConfig = "Config/pipeline.yaml"

    @Option(help: ArgumentHelp("A configuration file (default: \(defaultConfig), if it exists).", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The scene that the apps show.", valueName: "file"))
    var scene: String?

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("The sample app that the apps run; `list` prints all names.", valueName: "name"))
    var sample: String?

    @Option(
        name: .customLong("app-executable"), parsing: .singleValue,
        help: ArgumentHelp(
            "A program of your own that is the app (Docs/HowTo/RunMyApp.md); may be repeated.", valueName: "file"))
    var executables: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of apps (default: the setting group.apps, which is 1).", valueName: "count"))
    var apps: Int?

    @Option(
        help: ArgumentHelp(
            "A file with the apps of the group and the scene of each, as Config/topology.yaml.", valueName: "file"))
    var topology: String?

    @Option(
        name: .customLong("device"), parsing: .singleValue,
        help: ArgumentHelp(
            "A live device to read, or `all` for every touch screen, also those plugged in later; may be repeated.",
            valueName: "file"))
    var devices: [String] = []

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Change one key of the configuration; may be repeated.", valueName: "key=value"))
    var assignments: [String] = []

    @Flag(help: "Write every process's trace to <run-dir>/trace, as host.trace=file does.")
    var trace = false

    @Flag(
        help:
            "Allow `touchline chaos` to inject faults into this group, as chaos.allowed=true does."
    )
    var allowChaos = false

    @Flag(
        help: ArgumentHelp("Stop when stdin ends, as it does when the parent process has ended.", visibility: .hidden))
    var whileStdinLasts = false

    @OptionGroup var runDirectory: RunDirectory

    /// The names and summaries of the sample apps.
    private static let appList = aligned(SampleApp.all.map { [$0.name, $0.summary] })

    func run() throws {
        if sample == "list" { return printText(Self.appList.joined(separator: "\n")) }
        let begun = monotonicNow()
        let configuration = try self.configured()
        // A closed reader of stdout must not end the group.
        signal(SIGPIPE, SIG_IGN)

        let readiness = ReadinessReport()
        let path = try runDirectory.path
        let status: Int32
        let startFailure: Failure?
        do throws(HostError) {
            let host = try ZeroMQHost.supervisor(
                SupervisorOptions(
                    runDirectory: path, settings: configuration.settings, apps: configuration.apps))
            // The host has blocked its signals, so a thread that starts here blocks them as well.
            let starter = StdinWatch()
            if whileStdinLasts { starter.stopWhenStdinEnds() }
            let core = SupervisorCore(
                settings: configuration.settings, order: host.order, apps: configuration.apps, pid: getpid(),
                uid: geteuid())
            var narrated = SupervisorPrinter(
                core, begun: begun, runDirectory: path, executables: AppExecutables(configuration),
                readiness: readiness)
            status = host.run(&narrated)
            // No process is left to read the folder or to remove it.
            if starter.hasEnded { try? FileManager.default.removeItem(atPath: path) }
            startFailure = narrated.startFailure
        } catch {
            throw Failure.group(error)
        }
        if let startFailure { throw startFailure }
        throw ExitCode(status)
    }

    /// Returns the value of device.open.
    private func named(_ devices: [String]) throws -> String {
        if devices.contains("all") {
            guard devices.count == 1 else {
                throw Failure.badInput("--device all: expected no other --device, found one")
            }
            return "all"
        }
        for path in devices where path.isEmpty || path.contains(",") {
            throw Failure.badInput("--device \(path): expected a path without commas, or all")
        }
        let paths = devices.map { absolute($0) }
        // A device may be plugged in or permitted later. So the error is printed, and the group starts.
        for path in paths { if case .failure(let error) = ListedDevice.describe(path).facts { printError("\(error)") } }
        return paths.joined(separator: ",")
    }

    /// Applies a topology. Every app's scene or sample is checked before the start.
    private func applyTopology(_ file: String, into configuration: inout Configuration) throws {
        guard apps == nil else {
            throw Failure.badInput(
                "--topology \(file): expected no --apps, as the topology has the number of apps, found --apps")
        }
        var topology: Topology
        do throws(InvalidConfiguration) { topology = try Topology(contentsOf: file) } catch {
            throw Failure.badInput(error)
        }
        for app in topology.apps.indices {
            let paths = [Settings.name(of: .appScene), Settings.name(of: .appExecutable)]
            for index in topology.apps[app].indices where paths.contains(topology.apps[app][index].key) {
                let path = topology.apps[app][index].value
                if !path.isEmpty { topology.apps[app][index].value = absolute(path) }
            }
            let settings = topology.settings(of: AppID(index: app), in: configuration.settings)
            do {
                try checkContent(settings)
                try AppExecutables.check(settings)
            } catch { throw Failure.badInput("\(file): app \(app + 1): \(error)") }
        }
        do throws(SettingsError) {
            try configuration.set("group.topology", to: topology.text)
            try configuration.set("group.apps", to: "\(topology.apps.count)")
            if !topology.others.isEmpty { try configuration.set("screen.others", to: topology.others) }
        } catch {
            throw Failure.badInput("\(error)")
        }
    }

    /// Checks that the display of each app exists.
    private func checkDisplays(of configuration: Configuration) throws {
        let count = Displays(configuration.settings).all.count
        let topology = try? Topology(text: configuration.settings[.groupTopology])
        for app in 0...UInt32(topology?.apps.count ?? 0) {
            let settings = topology?.settings(of: AppID(app), in: configuration.settings) ?? configuration.settings
            guard settings[.appDisplay] > count else { continue }
            let owner = app == 0 ? "" : "app \(app): "
            throw Failure.badInput(
                "\(self.topology.map { "\($0): " } ?? "")\(owner)app.display: expected 1\(count > 1 ? " to \(count)" : ""), "
                    + "as the group has \(count) display\(count > 1 ? "s" : ""), found "
                    + settings.text(of: .appDisplay))
        }
    }

    /// Checks that each scheme belongs to one app. Without a topology the apps are alike and have none.
    private func checkSchemes(of configuration: Configuration) throws {
        do throws(SettingsError) {
            let topology = try Topology(text: configuration.settings[.groupTopology])
            _ = try Schemes(configuration.settings, topology, apps: configuration.apps)
        } catch {
            throw Failure.badInput("\(topology.map { "\($0): " } ?? "")\(error)")
        }
    }

    /// Applies the address at which apps of other machines join.
    private func applyRemoteAddress(into configuration: inout Configuration) throws {
        let text = configuration.settings[.remoteListen]
        guard !text.isEmpty else { return }
        guard TCPAddress(text) != nil else {
            throw Failure.badInput(
                "remote.listen: expected a numeric address and a port, such as 10.0.0.1:7000, found \(text)")
        }
        for key: Settings.Key<String> in [.remoteSecretKey, .remoteAllowedKeys] {
            let path = configuration.settings[key]
            guard !path.isEmpty else {
                throw Failure.badInput("remote.listen: expected \(key.name) too, found none: apps join with keys only")
            }
            do throws(SettingsError) { try configuration.set(key.name, to: absolute(path)) } catch {
                throw Failure.badInput("\(error)")
            }
        }
    }

    /// Reads the configuration: defaults, then the file, then the options, then each `--set`. Later ones win.
    private func configured() throws -> Configuration {
        var configuration: Configuration
        let file = config ?? (FileManager.default.fileExists(atPath: Self.defaultConfig) ? Self.defaultConfig : nil)
        do throws(InvalidConfiguration) {
            configuration =
                try file.map { path throws(InvalidConfiguration) in
                    try Configuration(contentsOf: path)
                } ?? Configuration()
        } catch {
            throw Failure.badInput(error)
        }
        let live = try named(devices)
        do throws(SettingsError) {
            if let apps { try configuration.set("group.apps", to: "\(apps)") }
            // What the command line names replaces what the file names. Two of them on the command line are an error.
            if sample != nil || scene != nil || !executables.isEmpty {
                for key in Topology.contentKeys { try configuration.set(key, to: "") }
            }
            if let scene { try configuration.set("app.scene", to: scene) }
            if let sample { try configuration.set("app.sample", to: sample) }
            if let executable = executables.first { try configuration.set("app.executable", to: executable) }
            if !devices.isEmpty { try configuration.set("device.open", to: live) }
            if trace { try configuration.set("host.trace", to: "file") }
            if allowChaos { try configuration.set("chaos.allowed", to: "true") }
            for assignment in assignments { try configuration.set(assignment: assignment) }
        } catch {
            throw Failure.badInput("\(error)")
        }
        try applyRemoteAddress(into: &configuration)
        if executables.count > 1 { try applyExecutables(into: &configuration) }
        try makeExecutableAbsolute(in: &configuration)
        if let topology { try applyTopology(topology, into: &configuration) }
        try checkSchemes(of: configuration)
        try checkDisplays(of: configuration)
        try checkShown(in: &configuration)
        return configuration
    }

    /// Checks what the apps without a topology show, and makes its path absolute.
    ///
    /// An app that cannot show it could only exit, and every app would report the error. Here it is one line, and
    /// nothing has been started.
    private func checkShown(in configuration: inout Configuration) throws {
        let scene = configuration.settings[.appScene]
        do {
            if !scene.isEmpty, configuration.settings[.appSample].isEmpty { _ = try Scene(contentsOf: scene) }
            try checkContent(configuration.settings)
            try AppExecutables.check(configuration.settings)
            if !scene.isEmpty { try configuration.set("app.scene", to: absolute(scene)) }
        } catch { throw Failure.badInput("\(error)") }
    }

    private func makeExecutableAbsolute(in configuration: inout Configuration) throws {
        let path = configuration.settings[.appExecutable]
        guard !path.isEmpty else { return }
        do throws(SettingsError) { try configuration.set("app.executable", to: absolute(path)) } catch {
            throw Failure.badInput("\(error)")
        }
    }

    /// Makes one app of each program, for several of them. The number of apps, if it is given, must be theirs.
    private func applyExecutables(into configuration: inout Configuration) throws {
        let option = "--app-executable: \(executables.count) programs"
        guard topology == nil else {
            throw Failure.badInput("\(option): expected no --topology, which has a program for each app, found one")
        }
        guard apps == nil || apps == executables.count else {
            throw Failure.badInput(
                "\(option): expected --apps \(executables.count) or no --apps, found --apps \(apps ?? 0)")
        }
        let topology = Topology(
            executables.map { [Setting(key: Settings.name(of: .appExecutable), value: absolute($0))] })
        for (index, app) in topology.apps.enumerated() {
            for setting in app {
                if let complaint = Topology.complaint(about: setting) { throw Failure.badInput("\(complaint)") }
            }
            do {
                try AppExecutables.check(topology.settings(of: AppID(index: index), in: configuration.settings))
            } catch { throw Failure.badInput("\(error)") }
        }
        do throws(SettingsError) {
            try configuration.set("group.topology", to: topology.text)
            try configuration.set("group.apps", to: "\(executables.count)")
        } catch { throw Failure.badInput("\(error)") }
    }
}

/// The process at the other end of stdin.
private final class StdinWatch: Sendable {
    private let state = Mutex(false)

    var hasEnded: Bool { state.withLock { $0 } }

    /// Sends SIGTERM to this process when stdin ends.
    func stopWhenStdinEnds() {
        let thread = Thread { [self] in
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                if count == 0 || (count < 0 && errno != EINTR) { break }
            }
            state.withLock { $0 = true }
            kill(getpid(), SIGTERM)
        }
        thread.start()
    }
}
