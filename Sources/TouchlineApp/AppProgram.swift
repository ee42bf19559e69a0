// AppProgram.swift: the process of an app, from its command line to its end.
//
//     a launch order, or options of a person ─▶ ProcessSetup ─▶ AppCore with its content, run by ZeroMQHost
//
// Station   inbox → action
// Input     Sources/app (scenes and sample apps); TouchlineApp and `@main` of a delegate (executables of users)
// Output    the exit status
// Knows     the options that all programs of apps have. Not what an app shows.
//
// Sources   invented

import AppCore
import CSystem
import Foundation
package import Settings
package import UIKit
import Wire
package import ZeroMQHost

/// The program of an app: its options, and its process.
package struct AppProgram {
    /// Makes the content of an app once, when it starts.
    package typealias Content = (UIApplication) -> Void

    private let name: String
    /// The command that starts the program in a group.
    private let command: String
    /// Options that each set one setting.
    private let contentOptions: [(option: ProgramOption, key: String)]
    /// The absolute path of a program whose code is what it shows; empty for another program.
    private var executable = ""
    private let options: ProgramOptions

    /// - Parameters:
    ///   - name: The name that the program prints in its errors.
    ///   - command: The command that starts the program in a group.
    ///   - contentOptions: Options that choose what the app shows, each with the setting that it sets.
    package init(
        _ name: String, startedBy command: String = "touchline up", abstract: String, discussion: String,
        contentOptions: [(option: ProgramOption, key: String)] = []
    ) {
        (self.name, self.command, self.contentOptions) = (name, command, contentOptions)
        options = ProgramOptions(
            name, abstract: abstract, discussion: discussion,
            [.runDirectory] + contentOptions.map(\.option) + [
                ProgramOption(
                    "instance", "number", "The number of this app without a supervisor, from 1. (default: 1)"),
                ProgramOption(
                    "join", "host:port",
                    "Join the system server of another machine: house.lan:7000, 10.0.0.1:7000 or [fd00::1]:7000."),
                ProgramOption("key", "file", "With --join: this app's secret key."),
                ProgramOption("server-key", "file", "With --join: the server's public key."),
                .setting,
            ])
    }

    /// Runs the app of a user's executable. The process ends with it.
    package static func runOwn(showing content: @escaping Content) -> Never {
        let path = CommandLine.arguments.first ?? "app"
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == ReplayService.option {
            ReplayService.run(
                name, isTraced: arguments.dropFirst().first == ReplayService.tracedOption,
                showing: inOwnProcess(content, wake: {}))
        }
        var program = Self(
            name, startedBy: "touchline up --app-executable \(path)",
            abstract: "An app of a Touchline group.",
            discussion: """
                `touchline up --app-executable \(path)` starts this program. For debugging, `\(name) --run-dir DIR` \
                connects to the `system-server` that was started with the same folder.

                On another machine than the server: `\(name) --join house.lan:7000 --key app9.key --server-key server.pub`, \
                with keys from `touchline keys new`. The server knows the number of the app by its key. The app connects \
                again after the link was lost, and looks up the name again.

                `touchline replay` and `touchline audit` start this program with --replay-journal.

                Exits 0 when its supervisor or a signal ends it, 2 when an option cannot be used, 3 when the server does \
                not accept its key or the machine refuses a resource.
                """)
        program.executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        // The supervisor reads stdout through a pipe. A line of `print` must not wait there until the buffer is full.
        system_buffer_lines()
        exit(program.run { _ in content })
    }

    /// Runs the app until its supervisor or a signal ends it.
    ///
    /// - Parameter choose: Returns the content for the settings of the app. It may read files. If it throws, the process
    ///   ends with status 2 and the error as its line.
    /// - Returns: The exit status.
    package func run(showing choose: (Settings) throws -> Content) -> Int32 {
        var chosen: Content = { _ in }
        let process = begin(options.parseCommandLine()) { settings in
            do { chosen = try choose(settings) } catch {
                ProcessSetup.exitWithError(name, "\(error)", status: 2)
            }
        }
        let wake: @Sendable () -> Void
        do { wake = try process.host.makeWake(firing: AppCore.loopTimer) } catch {
            ProcessSetup.exitWithError(name, "\(error)", status: 3)
        }
        var core = AppCore(
            order: process.order, settings: process.settings, content: Self.inOwnProcess(chosen, wake: wake))
        return process.host.run(&core)
    }

    /// Returns content that also gives the application what a process of its own has.
    ///
    /// - Parameter wake: Makes the host run the loop. Other threads call it.
    private static func inOwnProcess(_ content: @escaping Content, wake: @escaping @Sendable () -> Void) -> Content {
        { application in
            application.claimProcess(wake: wake)
            application.host.postNotification = { [unowned application] in
                NotificationCenter.default.post(name: $0, object: application)
            }
            content(application)
        }
    }

    /// Begins the process: under a supervisor, alone, or as an app of another machine's server. Ends it if a value of an
    /// option cannot be used.
    private func begin(_ values: ProgramOptions.Values, preparing prepare: (Settings) -> Void) -> ProcessSetup {
        let instance = instance(values)
        let settings =
            values.all("set") + contentOptions.compactMap { entry in values[entry.option].map { "\(entry.key)=\($0)" } }
        guard let joining = joining(values) else {
            return ProcessSetup(
                name, aloneAs: .app(AppID(instance)), startedBy: command, runDirectory: values["run-dir"],
                settings: settings, preparing: prepare)
        }
        // No supervisor here names the program. A replay of the app's journal has to find it and its scene from any
        // folder, and the app its resources.
        let own = executable.isEmpty ? [] : ["\(Settings.name(of: .appExecutable))=\(executable)"]
        let scene = "\(Settings.name(of: .appScene))="
        let absolute = settings.map { setting in
            guard setting.hasPrefix(scene), setting.utf8.count > scene.utf8.count else { return setting }
            return scene + URL(filePath: String(setting.dropFirst(scene.count))).path
        }
        return ProcessSetup(name, joining: joining, settings: absolute + own, preparing: prepare)
    }

    private func instance(_ values: ProgramOptions.Values) -> UInt32 {
        guard let number = values["instance"] else { return 1 }
        guard let instance = UInt32(number), (1...128).contains(instance) else {
            options.refuse("--instance: expected a number from 1 to 128, found \(number)")
        }
        return instance
    }

    private func joining(_ values: ProgramOptions.Values) -> ZeroMQHost.JoinParameters? {
        let (key, serverKey) = (values["key"], values["server-key"])
        guard let join = values["join"] else {
            guard key == nil, serverKey == nil else {
                options.refuse("--key and --server-key: expected --join too")
            }
            return nil
        }
        let address: ServerAddress
        do throws(ServerAddress.Invalid) { address = try ServerAddress(join) } catch {
            options.refuse(
                "--join: expected a host and a port, as house.lan:7000, 10.0.0.1:7000 or [fd00::1]:7000, "
                    + "found \(join): \(error)")
        }
        guard let key, let serverKey else {
            options.refuse("--join: expected --key and --server-key too; `touchline keys new` makes them")
        }
        return ZeroMQHost.JoinParameters(
            address: address, key: key, serverKey: serverKey, runDirectory: values["run-dir"] ?? "")
    }
}
