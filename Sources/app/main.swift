// main.swift: the process of an app.
//
// Station   inbox → action
// Input     a launch order from the supervisor, or options of a person
// Output    AppCore with its content, run by ZeroMQHost
//
// Sources   invented

import AppCore
import Foundation
import Scenarios
import Settings
import UIKit
import Wire
import ZeroMQHost

extension ProgramOptions {
    static let app = ProgramOptions(
        "app", abstract: "Shows a scene or a sample app, and delivers the touches that the system server sends to it.",
        discussion: """
            `touchline up` starts this program. For debugging, `app --run-dir DIR --scene Config/Scenes/T0.yaml` connects \
            to the `system-server` that was started with the same folder.

            On another machine than the server: `app --join 10.0.0.1:7000 --key app9.key --server-key server.pub \
            --scene FILE`, with keys from `touchline keys new`. The server knows the number of the app by its key. The \
            app connects again after the link was lost.

            Exits 0 when its supervisor or a signal ends it, 2 when an option or a file cannot be used, 3 when the server \
            does not accept its key or the machine refuses a resource.
            """,
        [
            .runDirectory,
            ProgramOption("scene", "file", "The scene or scenario to show without a supervisor."),
            ProgramOption("app", "name", "The sample app to run without a supervisor."),
            ProgramOption(
                "instance", "number", "The number of this app without a supervisor, from 1. (default: 1)"),
            ProgramOption("join", "address:port", "Join the system server of another machine, at this address."),
            ProgramOption("key", "file", "With --join: this app's secret key."),
            ProgramOption("server-key", "file", "With --join: the server's public key."),
            .setting,
        ])
}

/// The options of a person, checked.
struct AppOptions {
    var runDirectory: String?
    var instance: UInt32
    var joining: ZeroMQHost.JoinParameters?
    var settings: [String]

    /// Ends the process if a value cannot be used.
    init(_ values: ProgramOptions.Values) {
        runDirectory = values["run-dir"]
        instance = 1
        if let number = values["instance"] {
            guard let given = UInt32(number), (1...128).contains(given) else {
                ProgramOptions.app.refuse("--instance: expected a number from 1 to 128, found \(number)")
            }
            instance = given
        }
        settings =
            values.all("set") + (values["scene"].map { ["app.scene=\($0)"] } ?? [])
            + (values["app"].map { ["app.sample=\($0)"] } ?? [])
        let (key, serverKey) = (values["key"], values["server-key"])
        guard let join = values["join"] else {
            guard key == nil, serverKey == nil else {
                ProgramOptions.app.refuse("--key and --server-key: expected --join too")
            }
            return
        }
        guard let address = TCPAddress(join) else {
            ProgramOptions.app.refuse("--join: expected a numeric address and a port, as 10.0.0.1:7000, found \(join)")
        }
        guard let key, let serverKey else {
            ProgramOptions.app.refuse("--join: expected --key and --server-key too; `touchline keys new` makes them")
        }
        joining = ZeroMQHost.JoinParameters(
            address: address, key: key, serverKey: serverKey, runDirectory: runDirectory ?? "")
    }

    /// Begins the process: under a supervisor, alone, or as an app of another machine's server.
    func begin(preparing prepare: (Settings) -> Void) -> ProcessSetup {
        guard let joining else {
            return ProcessSetup(
                "app", aloneAs: .app(AppID(instance)), runDirectory: runDirectory, settings: settings,
                preparing: prepare)
        }
        return ProcessSetup("app", joining: joining, settings: settings, preparing: prepare)
    }
}

/// - Returns: The exit status.
func runApp() -> Int32 {
    var chosen: AppContent = { _ in }
    let process = AppOptions(ProgramOptions.app.parseCommandLine()).begin { settings in
        do { chosen = try chosenContent(settings) } catch {
            ProcessSetup.exitWithError("app", "\(error)", status: 2)
        }
    }
    let wake: @Sendable () -> Void
    do { wake = try process.host.makeWake(firing: AppCore.loopTimer) } catch {
        ProcessSetup.exitWithError("app", "\(error)", status: 3)
    }
    let content: AppContent = { [chosen] application in
        application.claimProcess(wake: wake)
        application.host.postNotification = { [unowned application] in
            NotificationCenter.default.post(name: $0, object: application)
        }
        chosen(application)
    }
    var core = AppCore(order: process.order, settings: process.settings, content: content)
    return process.host.run(&core)
}

exit(runApp())
