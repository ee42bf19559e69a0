// main.swift: the process of an app.
//
// Station   inbox → action
// Input     a launch order from the supervisor, or options of a person
// Output    AppCore with its content, run by ZeroMQHost
//
// Sources   invented

import AppCore
import ArgumentParser
import Foundation
import Scenarios
import Settings
import UIKit
import Wire
import ZeroMQHost

struct App: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Shows a scene or a sample app, and delivers the touches that the system server sends to it.",
        discussion: """
            `touchline up` starts this program. For debugging, `app --run-dir DIR --scene Config/Scenes/T0.yaml` connects \
            to the `system-server` that was started with the same folder.

            On another machine than the server: `app --join 10.0.0.1:7000 --key app9.key --server-key server.pub \
            --scene FILE`, with keys from `touchline keys new`. The server knows the number of the app by its key. The \
            app connects again after the link was lost.

            Exits 0 when its supervisor or a signal ends it, 2 when an option or a file cannot be used, 3 when the server \
            does not accept its key or the machine refuses a resource.
            """)

    @Option(
        name: .customLong("run-dir"),
        help: ArgumentHelp("Run without a supervisor, in this folder.", valueName: "folder"))
    var runDirectory: String?

    @Option(help: ArgumentHelp("The scene or scenario to show without a supervisor.", valueName: "file"))
    var scene: String?

    @Option(
        name: .customLong("app"), help: ArgumentHelp("The sample app to run without a supervisor.", valueName: "name"))
    var sample: String?

    @Option(help: ArgumentHelp("The number of this app without a supervisor, from 1.", valueName: "number"))
    var instance: UInt32 = 1

    @Option(
        help: ArgumentHelp("Join the system server of another machine, at this address.", valueName: "address:port"))
    var join: String?

    @Option(help: ArgumentHelp("With --join: this app's secret key.", valueName: "file"))
    var key: String?

    @Option(
        name: .customLong("server-key"),
        help: ArgumentHelp("With --join: the server's public key.", valueName: "file"))
    var serverKey: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Change one key of the configuration; may be repeated.", valueName: "key=value"))
    var assignments: [String] = []

    func validate() throws {
        guard (1...128).contains(instance) else {
            throw ValidationError("--instance: expected a number from 1 to 128, found \(instance)")
        }
        guard let join else {
            guard key == nil, serverKey == nil else {
                throw ValidationError("--key and --server-key: expected --join too")
            }
            return
        }
        guard TCPAddress(join) != nil else {
            throw ValidationError("--join: expected a numeric address and a port, as 10.0.0.1:7000, found \(join)")
        }
        guard key != nil, serverKey != nil else {
            throw ValidationError("--join: expected --key and --server-key too; `touchline keys new` makes them")
        }
    }

    private var ownSettings: [String] {
        assignments + (scene.map { ["app.scene=\($0)"] } ?? []) + (sample.map { ["app.sample=\($0)"] } ?? [])
    }

    private func begin(preparing prepare: (Settings) -> Void) -> ProcessSetup {
        guard let address = join.flatMap(TCPAddress.init), let key, let serverKey else {
            return ProcessSetup(
                "app", aloneAs: .app(AppID(instance)), runDirectory: runDirectory, settings: ownSettings,
                preparing: prepare)
        }
        return ProcessSetup(
            "app",
            joining: ZeroMQHost.JoinParameters(
                address: address, key: key, serverKey: serverKey, runDirectory: runDirectory ?? ""),
            settings: ownSettings,
            preparing: prepare)
    }

    func run() throws {
        var chosen: AppContent = { _ in }
        let process = begin { settings in
            do { chosen = try chosenContent(settings) } catch {
                ProcessSetup.exitWithError("app", "\(error)", status: 2)
            }
        }
        let content: AppContent = { [chosen] application in
            application.host.hasOwnProcess = true
            application.host.postNotification = { [unowned application] in
                NotificationCenter.default.post(name: $0, object: application)
            }
            chosen(application)
        }
        var core = AppCore(order: process.order, settings: process.settings, content: content)
        throw ExitCode(process.host.run(&core))
    }
}

do {
    try App.parse().run()
} catch {
    ProcessSetup.endProcess(printing: App.fullMessage(for: error), status: App.exitCode(for: error).rawValue)
}
