// main.swift: an app's process: a core, a host, and what it shows.

import AppCore
import ArgumentParser
import Hosting
import Scenarios
import UIKit
import Wire
import ZeroMQHost

struct App: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Shows a scene or a sample app and delivers the touches the system server sends it.",
        discussion: """
            Started by `touchline up`. By hand, for debugging: `app --run-dir DIR --scene Config/Scenes/T0.yaml` joins \
            the `system-server` that was started with the same folder.
            """)

    @Option(name: .customLong("run-dir"), help: ArgumentHelp("Stand alone, in this folder.", valueName: "folder"))
    var runDirectory: String?

    @Option(help: ArgumentHelp("The scene or scenario to show when standing alone.", valueName: "file"))
    var scene: String?

    @Option(
        name: .customLong("app"), help: ArgumentHelp("The sample app to be when standing alone.", valueName: "name"))
    var sample: String?

    @Option(help: ArgumentHelp("Which app this is when standing alone, from 1.", valueName: "number"))
    var instance: UInt32 = 1

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Change one key of the configuration; may be repeated.", valueName: "key=value"))
    var assignments: [String] = []

    func validate() throws {
        guard (1...128).contains(instance) else {
            throw ValidationError("--instance: expected a number from 1 to 128, found \(instance)")
        }
    }

    func run() throws {
        let process = Beginning(
            "app", aloneAs: .app(instance), runDirectory: runDirectory,
            settings: assignments + (scene.map { ["app.scene=\($0)"] } ?? [])
                + (sample.map { ["app.sample=\($0)"] } ?? []))
        let content: AppContent
        do {
            let chosen = try chosenContent(process.settings)
            content = { application in
                application.hasOwnProcess = true
                chosen(application)
            }
        } catch {
            Beginning.giveUp("app", "\(error)", status: 2)
        }
        var core = AppCore(order: process.order, settings: process.settings, content: content)
        throw ExitCode(process.host.run(&core))
    }
}

do {
    try App.parse().run()
} catch {
    Beginning.end(saying: App.fullMessage(for: error), status: App.exitCode(for: error).rawValue)
}
