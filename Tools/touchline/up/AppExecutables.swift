// AppExecutables.swift: the programs of users that are apps of a group (`app.executable`).
//
// Input     `touchline up`, before the start and when an app cannot be started
// Output    one line with the path and the way out
//
// Sources   invented

import Configuration
import Glibc
import Settings
import Wire

/// The programs of a group's apps.
struct AppExecutables {
    private let settings: Settings
    private let topology: Topology?

    init(_ configuration: Configuration) {
        settings = configuration.settings
        topology = try? Topology(text: settings[.groupTopology])
    }

    /// The absolute path of a child's program; nil for a program of this project.
    func path(of peer: Peer) -> String? {
        guard peer.role == .app else { return nil }
        let path = (topology?.settings(of: AppID(peer.instance), in: settings) ?? settings)[.appExecutable]
        return path.isEmpty ? nil : path
    }

    /// The line about a child that cannot be started.
    ///
    /// - Parameter reason: The system's error, or how the child ended before it was ready.
    func startFailure(of peer: Peer, because reason: String) -> String {
        let line = "\(peer) cannot be started: \(reason)"
        guard let path = path(of: peer) else { return line }
        let named = reason.contains(path) ? line : "\(line): \(path)"
        return "\(named); expected a program that is made with TouchlineApp and keeps running (Docs/HowTo/RunMyApp.md)"
    }

    /// Checks that an app's program is an executable file.
    ///
    /// - Parameter settings: The settings of one app; the path is absolute.
    /// - Throws: `Complaint`
    static func check(_ settings: Settings) throws(Complaint) {
        let path = settings[.appExecutable]
        guard !path.isEmpty else { return }
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Complaint(
                path: path, found: String(cString: strerror(errno)),
                advice: "build it with `swift build`; `swift build --show-bin-path` prints its folder")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Complaint(
                path: path, found: status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no regular file",
                advice: "give the path of the program, such as .build/debug/MyApp")
        }
        guard access(path, X_OK) == 0 else {
            throw Complaint(
                path: path, found: "a file that this user may not execute",
                advice: "give the path of the program, such as .build/debug/MyApp")
        }
    }

    /// A path that names no program. At fault: the person who gave it.
    struct Complaint: Error, CustomStringConvertible {
        let path, found, advice: String

        var description: String { "app.executable: expected a program, found \(found): \(path); \(advice)" }
    }
}
