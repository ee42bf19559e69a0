// Keys.swift: `touchline keys`: keys for apps on other machines.

import ArgumentParser
import Glibc
import ZeroMQHost

/// The command `touchline keys`.
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Make the keys by which machines identify each other.",
        discussion: """
            A server listens to other machines only if remote.listen is set. An app joins only with a key on the server's \
            list. Docs/HowTo/AddARemoteApp.md has the steps, Docs/Decisions/RemoteApps.md the reasons.

            Exits 0 when the keys are made, 2 when an option cannot be used, 3 when the machine refuses a resource.
            """,
        subcommands: [New.self])

    /// The command `touchline keys new`.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Make a pair of keys.",
            discussion: """
                Writes NAME.key, the secret key, which only this user can read (0600), and NAME.pub, the public key. Prints \
                the public key. The server has one pair: remote.secretKey is its NAME.key. Each app of another machine has one \
                pair too: its NAME.pub goes into the server's folder remote.allowedKeys as app9.pub, for app 9.

                The command never replaces a file.

                Exits 0 when both files are written, 2 when one exists already or an option cannot be used, 3 when the \
                machine refuses a resource.
                """)

        @Option(
            name: .customLong("output"),
            help: ArgumentHelp("Write both files to this folder (default: the current one).", valueName: "folder"))
        var folder: String?

        @Option(help: ArgumentHelp("The name of both files, without the ending.", valueName: "name"))
        var name = "touchline"

        @Flag(help: "Print JSON instead of text.")
        var json = false

        func validate() throws {
            guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), name.utf8.count <= 100 else {
                throw ValidationError("--name: expected a file's name of up to 100 bytes, found \"\(name)\"")
            }
        }

        func run() throws {
            let folder = folder ?? "."
            var about = stat()
            guard stat(folder, &about) == 0 else {
                throw Failure.badInput("--output \(folder): \(String(cString: strerror(errno)))")
            }
            guard about.st_mode & S_IFMT == S_IFDIR else {
                throw Failure.badInput("--output \(folder): expected a folder, found a file")
            }
            let key: SecretKey
            let paths: (secret: String, public: String)
            do throws(HostError) {
                key = try SecretKey.new()
                paths = try key.write(to: absolute(folder), as: name)
            } catch {
                if case .badKey = error { throw Failure.badInput("\(error)") }
                throw Failure.group(error)
            }
            if json {
                try printJSON(["public": "\(key.publicKey)", "publicFile": paths.public, "secretFile": paths.secret])
            } else {
                printLine("\(key.publicKey)")
                printError("secret key: \(paths.secret); public key: \(paths.public)")
            }
        }
    }
}
