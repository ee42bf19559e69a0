// Beginning.swift: how a program of the group begins: under a supervisor, or by hand. The first lines of each main.

import Basics
import Glibc
public import Settings
public import Wire

/// A process that has a host and knows who it is, and has yet to make its core.
public struct Beginning {
    public let host: ZeroMQHost
    public let order: LaunchOrder
    public let settings: Settings

    /// Begins as the child of a supervisor, or, with a run directory, alone.
    ///
    /// Does not return when it cannot: one line on stderr says why, and the status is 2 for what was typed, 3 for
    /// what the machine refused.
    ///
    /// - Parameters:
    ///   - program: What the process is called.
    ///   - peer: Who it is when it stands alone.
    ///   - assignments: `key=value`, for one that stands alone.
    ///   - prepare: Opens what the process needs of files that it may not open later.
    public init(
        _ program: String, aloneAs peer: Peer, runDirectory: String?, settings assignments: [String],
        preparing prepare: (Settings) -> Void = { _ in }
    ) {
        beginWithManners()
        do throws(HostError) {
            if let runDirectory {
                settings = Self.settings(assignments, of: program)
                prepare(settings)
                (host, order) = try ZeroMQHost.alone(as: peer, runDirectory: runDirectory, settings: settings)
            } else {
                (host, order) = try ZeroMQHost.child(of: program, preparing: prepare)
                // The host has read them before.
                settings = try! Settings(order.settings)
            }
        } catch {
            // Says itself who it is about.
            if case .noLink = error { Self.end(saying: "\(error)", status: 2) }
            Self.giveUp(program, "\(error)", status: 3)
        }
        verify()
    }

    /// Begins as an app whose server is another machine's.
    ///
    /// Does not return when it cannot, as the other.
    public init(
        _ program: String, joining: ZeroMQHost.Joining, settings assignments: [String],
        preparing prepare: (Settings) -> Void = { _ in }
    ) {
        beginWithManners()
        let own = Self.settings(assignments, of: program)
        do throws(HostError) {
            // What it shows is this machine's own word.
            prepare(own)
            (host, order) = try ZeroMQHost.joining(joining, settings: own)
            // The host has made them before.
            settings = try! Settings(order.settings)
        } catch {
            Self.giveUp(program, "\(error)", status: 3)
        }
        verify()
    }

    private func verify() {
        #if DEBUG
            host.verifyStreams(isFatal: true)
        #endif
    }

    /// One line on stderr, and the end.
    public static func giveUp(_ program: String, _ line: String, status: Int32) -> Never {
        complain("\(program): \(line)")
        exit(status)
    }

    /// The end of a program as its command line's parser wants it: help on stdout, complaints on stderr, and 2 for a
    /// command line that is none.
    public static func end(saying message: String, status: Int32) -> Never {
        if !message.isEmpty {
            if status == 0 { Output.sayText(message) } else { Output.complainText(commandLineText(message)) }
        }
        exit(status == EX_USAGE ? 2 : status)
    }

    private static func settings(_ assignments: [String], of program: String) -> Settings {
        var settings = Settings()
        for assignment in assignments {
            guard let equals = assignment.firstIndex(of: "=") else {
                giveUp(program, "--set: expected key=value, found \(assignment)", status: 2)
            }
            do throws(SettingsError) {
                let value = String(assignment[assignment.index(after: equals)...])
                try settings.set(String(assignment[..<equals]), to: value)
            } catch {
                giveUp(program, "--set: \(error)", status: 2)
            }
        }
        return settings
    }
}

/// What the parser of the command line says, with the ends of lines inside arguments made visible: a file may be called
/// anything, and so may an argument be that a shell has made of its name.
public func commandLineText(_ message: String) -> String {
    var message = message
    for argument in CommandLine.arguments.dropFirst() where argument.contains("\n") {
        let value = argument.firstIndex(of: "=").map { argument[argument.index(after: $0)...] } ?? ""
        for text in [argument, String(value)] where text.contains("\n") {
            message = message.split(separator: text, omittingEmptySubsequences: false).joined(separator: oneLine(text))
        }
    }
    return message
}
