// Keys.swift: `touchline keys`: keys for apps on other machines.

import ArgumentParser
import Glibc
import ZeroMQHost

/// The command `touchline keys`.
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Make the keys that machines know each other by.",
        discussion: """
            Nothing listens to other machines unless remote.listen is set; nobody joins without a key on its list. \
            Docs/HowTo/AddARemoteApp.md goes through it, Docs/Decisions/RemoteApps.md says why.
            """,
        subcommands: [New.self])

    /// The command `touchline keys new`.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Make a pair of keys.",
            discussion: """
                Writes NAME.key, which is secret and this user's alone to read (0600), and NAME.pub, which is for anybody; \
                prints the public key. The server has a pair (remote.secretKey is its NAME.key), and each app of another machine \
                one: its NAME.pub, called app9.pub, goes into the server's remote.allowedKeys, and makes it app 9.

                What is there is never replaced.

                Exits 0 when both are written, 2 when one of them is there already or the folder is none, 3 when the \
                machine refuses.
                """)

        @Option(help: ArgumentHelp("Where to write them (default: here).", valueName: "folder"))
        var out = "."

        @Option(help: ArgumentHelp("What to call them.", valueName: "name"))
        var name = "touchline"

        @Flag(help: "Print one JSON object instead of the key.")
        var json = false

        func validate() throws {
            guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), name.utf8.count <= 100 else {
                throw ValidationError("--name: expected a file's name of up to 100 bytes, found \"\(name)\"")
            }
        }

        func run() throws {
            var about = stat()
            guard stat(out, &about) == 0 else {
                throw Failure.badInput("--out \(out): \(String(cString: strerror(errno)))")
            }
            guard about.st_mode & S_IFMT == S_IFDIR else {
                throw Failure.badInput("--out \(out): expected a folder, found a file")
            }
            let key: SecretKey
            let paths: (secret: String, public: String)
            do throws(HostError) {
                key = try SecretKey.new()
                paths = try key.write(to: absolute(out), as: name)
            } catch {
                if case .badKey = error { throw Failure.badInput("\(error)") }
                throw Failure.group(error)
            }
            if json {
                try printJSON(["public": "\(key.publicKey)", "publicFile": paths.public, "secretFile": paths.secret])
            } else {
                printLine("\(key.publicKey)")
                printError("secret, to be kept: \(paths.secret); public: \(paths.public)")
            }
        }
    }
}
