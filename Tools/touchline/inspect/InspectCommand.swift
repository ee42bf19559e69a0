// InspectCommand.swift: `touchline inspect`: a local page that touches a group and shows what its processes do.

import ArgumentParser
import Basics
import CSystem
import Explain
import Foundation
import Glibc
import Inspector
import Page
import Scenarios
import Wire
import ZeroMQHost

/// The command `touchline inspect`.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Serve a local page that touches a group with real fingers and shows what its processes do.",
        discussion: """
            Starts a group of two apps, and serves a page on 127.0.0.1. Touches, pens and the mouse of the page are fingers \
            on a virtual touch screen that input-kit reads, so each touch takes the whole way. The page shows the screen, \
            the facts of every process, and latencies, while they happen. Without a scene and --app the apps are the sample app \
            \(standardApp).

            With --run-dir the page touches a group that runs already, if that was started with \
            `touchline up --set device.virtual=true`.

            Prints one line with the address. The address contains a secret of this start, and each page with it can touch the \
            group. Other users of this machine and other sites in a browser do not know it.

            Exits 0 when Ctrl-C or SIGTERM ends it, 2 when the scene, the app or the port cannot be used, 3 when the group \
            cannot be started or joined.

            EXAMPLES
              touchline inspect
              touchline inspect --app photo --port 0
              touchline inspect --scene S24
            """)

    @Option(help: ArgumentHelp("The scene that the apps show: a file, or the id of a scenario.", valueName: "file"))
    var scene: String?

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("The sample app that the apps run, as for `touchline up`.", valueName: "name"))
    var sample: String?

    @Option(help: ArgumentHelp("The port; 0 is any free one.", valueName: "number"))
    var port = 8650

    @OptionGroup var locale: LocaleOption

    /// An app with a table and a button, for a command line without a content.
    private static let standardApp = "phenomena"

    @Flag(help: "Join the group that runs in the default folder.")
    var join = false

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @OptionGroup var runDirectory: RunDirectory

    /// The number of contents that the command line names.
    private var contents: Int { [scene, sample].compactMap { $0 }.count }
    private var joins: Bool { join || runDirectory.givenPath != nil }

    func validate() throws {
        try expect("--port", port, in: 0...65_535)
        guard contents <= 1 else {
            throw ValidationError("expected one of --scene and --app, found \(contents)")
        }
        guard contents == 0 || !joins else {
            throw ValidationError("--run-dir: expected no scene and no --app, as the group runs already")
        }
    }

    func run() throws {
        // A page that has gone must not end this process.
        signal(SIGPIPE, SIG_IGN)
        let interruption: Interruption
        do throws(HostError) { interruption = try Interruption() } catch { throw Failure.group(error) }
        let folder = try TemporaryFolder("inspect")
        let socketPath = "\(folder.path)/http.sock"
        let gate = try Gate(port: UInt16(port), serverPath: socketPath)
        let group = try inspectedGroup()
        defer { group.stop() }
        let hub = try BrowserHub(group, language: locale.language)
        let token = try Self.token()
        let rules = RequestGuard(token: token, port: gate.port, routes: InspectServer.routes)
        let server = InspectServer(hub: hub, port: gate.port)
        let listens = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await server.run(at: socketPath) { listens.signal() } } catch {
                printError("the server has ended: \(error)")
                kill(getpid(), SIGTERM)
            }
        }
        start { GroupThread(hub).run() }
        start { StatusThread(hub: hub).run() }
        start { hub.serveDevices() }
        // The gate connects to it for each request.
        guard listens.wait(timeout: .now() + InspectServer.startLimit) == .success else {
            throw Failure.group("expected the page's server to listen within \(Int(InspectServer.startLimit)) s")
        }
        nonisolated(unsafe) let opened = gate
        start { opened.run(rules) }
        let address = "http://127.0.0.1:\(gate.port)/?token=\(token)"
        if json {
            printLine(
                JSONText.object([
                    ("url", .string(address)), ("runDirectory", .string(group.runDirectory)), ("pid", .int(getpid())),
                ]).text)
        } else {
            printLine("inspect: \(address)")
        }
        while !interruption.wait(for: -1, milliseconds: 60_000) {}
        opened.end()
        for browser in hub.browsers { browser.unplug() }
        withExtendedLifetime(folder) {}
    }

    private func start(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.stackSize = 4 << 20
        thread.start()
    }

    // MARK: The group

    private func inspectedGroup() throws -> InspectedGroup {
        guard joins else { return try InspectedGroup(starting: content()) }
        let path = try runDirectory.path
        let report = try GroupReport(from: .connect(to: path))
        guard report.process(.inputKit)?.text("devices.virtual").isEmpty == false else {
            throw Failure.group(
                "\(path): its input-kit reads no virtual touch screens: start the group with `touchline up --set "
                    + "device.virtual=true`, or let `touchline inspect` start one")
        }
        return InspectedGroup(joining: path)
    }

    private func content() throws -> InspectedGroup.Content {
        var content = InspectedGroup.Content()
        guard let path = try scene.map({ absolute(try ScenarioFiles.path($0)) }) else {
            content.app = sample ?? Self.standardApp
            return content
        }
        let file = URL(filePath: path).lastPathComponent
        content.scene = (file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file, path)
        // `up` reports an error of the scene.
        content.settings = (try? SceneText(contentsOf: path))?.settings ?? []
        return content
    }

    // MARK: The secret

    /// Thirty-two hexadecimal digits of the system's random numbers.
    private static func token() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard system_random(&bytes, bytes.count) == 0 else {
            throw Failure.group("getrandom: \(String(cString: strerror(errno)))")
        }
        return bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
