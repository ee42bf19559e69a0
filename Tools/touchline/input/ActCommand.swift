// ActCommand.swift: `touchline input act`: system acts for the running group.

import ArgumentParser
import Basics
import Glibc
import Recordings
import Simulator
import Wire
import ZeroMQHost

/// The command `touchline input act`.
struct ActCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "act", abstract: "Perform a system act: home, a call, an app at the front, two apps side by side.",
        discussion: """
            An act is a line of a finger script without its time:

              home                     foreground app2            split app1 app2
              interrupt call           alert                      resume
              lock                     unlock                     display off, display on
              suspend app2             keyboard 216 (points; 0 hides it)
              terminate app2           launch app2 (starts and shows it)
              overlay app2 (20,100) (320,480)   (corner, size)
              orientation app1 landscapeLeft

            Prints the scenes on the screen after the act, front to back. After launch it waits until the app is on the \
            screen, and fails with the reason if the app is quarantined.

            Exits 0 when the act is performed, 2 when the act or an option cannot be used, 3 when no group is running, the \
            group does not answer, or the app cannot be launched.
            """)

    @Argument(help: ArgumentHelp("The act.", valueName: "act"))
    var words: [String]

    @OptionGroup var result: ResultOptions
    @OptionGroup var runDirectory: RunDirectory

    /// D10.
    private static let launchDeadline = Duration.seconds(20)

    /// Returns the scenes on the screen, the topmost first.
    private func scenes(
        _ client: ControlClient, launching app: UInt32? = nil
    ) throws -> [(display: String, words: String)] {
        let processes = try GroupReport(from: client).processes
        let name = app.map { "\(Peer.app(AppID($0)))" }
        if let dead = processes.first(where: { $0.name == name && $0.state == "quarantined" }) {
            throw Failure.group("\(dead.name) is quarantined, and is not started: \(dead.lastExit) (\(dead.reason))")
        }
        let server = processes.first { $0.name == "\(Peer.systemServer)" }
        return server?.rows.compactMap { row in
            guard row.key == "scenes" || row.key.hasPrefix("scenes.") else { return nil }
            return (String(row.key.dropFirst("scenes.".count)), row.value.shown)
        } ?? []
    }

    /// Nil for a finger's line, and for an act that only a program does to itself.
    private static func system(_ act: FingerScript.Act) -> SystemAct? {
        if case .launch(let app) = act { return .foreground(app: AppID(app)) }
        if case .system(let system)? = GroupSession.Act(act) { return system }
        return nil
    }

    func run() throws {
        let line = words.joined(separator: " ")
        let read: FingerScript
        do { read = try FingerScript(parsing: "\(line) @0", file: "act") } catch { throw Failure.badInput("\(error)") }
        guard read.lines.count == 1, let act = read.lines.first?.act,
            let system = Self.system(act)
        else {
            throw Failure.badInput(
                "act: expected a system act, as home or split app1 app2, found \"\(line)\"")
        }
        let client = try runDirectory.connect()
        try client.ask(.act(system))
        // One link keeps the order: a process that answers has received the act before.
        var launched: UInt32?
        if case .launch(let app) = act { launched = app }
        var scenes = try scenes(client, launching: launched)
        if let app = launched {
            let deadline = monotonicNow().advanced(by: Self.launchDeadline)
            while !scenes.contains(where: { $0.words.split(separator: " ").contains("app\(app)") }) {
                guard monotonicNow() < deadline else {
                    throw Failure.group("app\(app) is not on the screen after \(Self.launchDeadline.seconds) s")
                }
                usleep(10_000)
                scenes = try self.scenes(client, launching: app)
            }
        }
        if result.json {
            func list(_ words: String) -> [String] { words.split(separator: " ").map(String.init) }
            var object: [String: Any] = ["act": "\(act)"]
            for (display, words) in scenes { object[display.isEmpty ? "scenes" : "scenes.\(display)"] = list(words) }
            try printJSON(object)
        } else {
            let sceneTexts = scenes.map { display, words in
                let shown = words.isEmpty ? "nothing" : words
                return display.isEmpty ? shown : "display \(display): \(shown)"
            }
            printLine("\(act): \(sceneTexts.joined(separator: "; "))")
        }
    }
}
