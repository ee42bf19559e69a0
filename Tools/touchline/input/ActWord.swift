// ActWord.swift: what happens to the phone rather than to its glass, into the running group.

import ArgumentParser
import Recordings
import Simulator
import Wire

struct ActWord: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act", abstract: "What happens to the phone: home, a call, two apps side by side.",
        discussion: """
            A line of a finger script without its time:

              home                     foreground app2            split app1 app2
              interrupt call           alert                      resume
              lock                     unlock                     display off, display on
              suspend app2             terminate app2             keyboard 216 (points; 0 puts it away)
              overlay app2 (20,100) (320,480), the corner and the size

            Says what is on the screen then, topmost first. Exits 0 when the server has heard it, 2 when it is no such \
            act, 3 when no group is running or it does not answer.
            """)

    @Argument(help: ArgumentHelp("The act.", valueName: "words"))
    var words: [String]

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @OptionGroup var runDirectory: RunDirectory

    func run() throws {
        let line = words.joined(separator: " ")
        let read: FingerScript
        do { read = try FingerScript(parsing: "\(line) @0", file: "act") } catch { throw Failure.badInput("\(error)") }
        guard read.lines.count == 1, let act = read.lines.first?.act,
            case .system(let system)? = GroupSession.Act(act)
        else {
            throw Failure.badInput(
                "act: expected what happens to the phone, as home or split app1 app2, found \"\(line)\"")
        }
        let client = try runDirectory.connect()
        try client.ask(.act(system))
        // One link, in order: who answers this has heard the act.
        let server = try GroupReport(from: client).processes.first { $0.name == "\(Peer.systemServer)" }
        let scenes = server?.rows.first { $0.key == "scenes" }?.value.shown ?? ""
        if json {
            try printJSON(["act": "\(act)", "scenes": scenes.split(separator: " ").map(String.init)])
        } else {
            say("\(act): \(scenes)")
        }
    }
}
