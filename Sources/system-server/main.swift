// main.swift: the process of the system server.
//
// Station   router
// Input     a launch order from the supervisor, or options of a person
// Output    SystemServerCore, run by ZeroMQHost
//
// Sources   invented

import ArgumentParser
import Hosting
import SystemServerCore
import Wire
import ZeroMQHost

struct SystemServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "system-server",
        abstract: "Decides at its landing which app receives a touch until it lifts.",
        discussion: """
            `touchline up` starts this program. For debugging, `system-server --run-dir DIR` makes the folder, listens on \
            DIR/input.sock and DIR/app.sock, and accepts every process of the same user. Then start `app --run-dir DIR` \
            and `input-kit --run-dir DIR --play FILE`.
            """)

    @Option(
        name: .customLong("run-dir"),
        help: ArgumentHelp("Run without a supervisor, in this folder.", valueName: "folder"))
    var runDirectory: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Change one key of the configuration; may be repeated.", valueName: "key=value"))
    var assignments: [String] = []

    func run() throws {
        let process = ProcessSetup(
            "system-server", aloneAs: .systemServer, runDirectory: runDirectory, settings: assignments)
        var core = SystemServerCore(settings: process.settings, order: process.order)
        throw ExitCode(process.host.run(&core))
    }
}

do {
    try SystemServer.parse().run()
} catch {
    ProcessSetup.endProcess(
        printing: SystemServer.fullMessage(for: error), status: SystemServer.exitCode(for: error).rawValue)
}
