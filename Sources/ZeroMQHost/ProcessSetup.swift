// ProcessSetup.swift: the start of a program of the group, under a supervisor or by hand. Each main begins with it.

import Basics
import Glibc
public import Settings
public import Wire

/// A process that has a host and a launch order, and still has to make its core.
public struct ProcessSetup {
    public let host: ZeroMQHost
    public let order: LaunchOrder
    public let settings: Settings

    /// Begins as the child of a supervisor, or, with a run directory, alone.
    ///
    /// It does not return on failure: one line on stderr has the reason. The status is 2 for a wrong command line, 3
    /// for a refusal of the machine.
    ///
    /// - Parameters:
    ///   - program: The name of the process.
    ///   - peer: The peer that it is when it runs alone.
    ///   - command: The command that starts it with a supervisor, for its errors.
    ///   - runDirectory: The directory of a process that runs alone; nil for a child of a supervisor.
    ///   - assignments: `key=value`, for a process that runs alone.
    ///   - prepare: Reads files that the process may not open later.
    public init(
        _ program: String, aloneAs peer: Peer, startedBy command: String = "touchline up", runDirectory: String?,
        settings assignments: [String], preparing prepare: (Settings) -> Void = { _ in }
    ) {
        setUpStandardStreams()
        do throws(HostError) {
            if let runDirectory {
                settings = Self.settings(assignments, of: program)
                prepare(settings)
                (host, order) = try ZeroMQHost.alone(as: peer, runDirectory: runDirectory, settings: settings)
            } else {
                (host, order) = try ZeroMQHost.child(of: program, startedBy: command, preparing: prepare)
                // The host has parsed the same settings successfully.
                settings = try! Settings(order.settings)
            }
        } catch {
            // This error's text names the program itself.
            if case .noLink = error { Self.endProcess(printing: "\(error)", status: 2) }
            Self.exitWithError(program, "\(error)", status: 3)
        }
        verify()
    }

    /// Begins as an app of another machine's server.
    ///
    /// It does not return on failure, as the other initializer.
    public init(
        _ program: String, joining: ZeroMQHost.JoinParameters, settings assignments: [String],
        preparing prepare: (Settings) -> Void = { _ in }
    ) {
        setUpStandardStreams()
        let ownSettings = Self.settings(assignments, of: program)
        do throws(HostError) {
            // The shown file is a setting of this machine.
            prepare(ownSettings)
            (host, order) = try ZeroMQHost.joining(joining, settings: ownSettings)
            // The host has made the same settings successfully.
            settings = try! Settings(order.settings)
        } catch {
            Self.exitWithError(program, "\(error)", status: 3)
        }
        verify()
    }

    private func verify() {
        #if DEBUG
            host.verifyStreams(isFatal: true)
        #endif
    }

    /// Prints one line on stderr and exits.
    public static func exitWithError(_ program: String, _ line: String, status: Int32) -> Never {
        printError("\(program): \(line)")
        exit(status)
    }

    /// Ends a program because of its command line: status 0 prints help on stdout, another status an error on stderr.
    static func endProcess(printing message: String, status: Int32) -> Never {
        if status == 0 { Output.printText(message) } else { Output.printErrorText(commandLineText(message)) }
        exit(status)
    }

    private static func settings(_ assignments: [String], of program: String) -> Settings {
        var settings = Settings()
        for assignment in assignments {
            guard let equals = assignment.firstIndex(of: "=") else {
                exitWithError(program, "--set: expected key=value, found \(assignment)", status: 2)
            }
            do throws(SettingsError) {
                let value = String(assignment[assignment.index(after: equals)...])
                try settings.set(String(assignment[..<equals]), to: value)
            } catch {
                exitWithError(program, "--set: \(error)", status: 2)
            }
        }
        return settings
    }
}

/// The message of the command line's parser, with line breaks inside arguments made visible: a file name, and so an
/// argument, may contain any character.
public func commandLineText(_ message: String) -> String {
    var message = message
    for argument in CommandLine.arguments.dropFirst() where argument.contains("\n") {
        let value = argument.firstIndex(of: "=").map { argument[argument.index(after: $0)...] } ?? ""
        for text in [argument, String(value)] where text.contains("\n") {
            message = replacing(text, with: oneLine(text), in: message)
        }
    }
    return message
}
