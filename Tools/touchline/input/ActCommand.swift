// ActCommand.swift: `touchline input act`: system acts for the running group.

import ArgumentParser
import Basics
import Glibc
import Recordings
import Simulator
import Wire
import ZeroMQHost

/// The command `touchline input act`.
struct ActCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act", abstract: "What happens to the phone: home, a call, two apps side by side.",
        discussion: """
            A line of a finger script without its time:

              home                     foreground app2            split app1 app2
              interrupt call           alert                      resume
              lock                     unlock                     display off, display on
              suspend app2             keyboard 216 (points; 0 puts it away)
              terminate app2           launch app2: it is started if it is down, and comes to front
              overlay app2 (20,100) (320,480), the corner and the size

            Says what is on the screen then, topmost first; after launch, when the app is, or why it is quarantined. Exits 0 when the server has heard it, 2 when it is no such \
            act, 3 when no group is running or it does not answer.
            """)

    @Argument(help: ArgumentHelp("The act.", valueName: "words"))
    var words: [String]

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

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
                "act: expected what happens to the phone, as home or split app1 app2, found \"\(line)\"")
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
        if json {
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
