// OpenCommand.swift: `touchline open`: opens a URL in the app of the running group that has its scheme.

import ArgumentParser
import Basics
import Wire
import ZeroMQHost

/// The command `touchline open`.
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Have the app of a URL's scheme open it, and wait until it has.",
        discussion: """
            Which app opens which scheme its topology says (`schemes: [touchline-demo]` in Config/topology.yaml), or \
            `up --set app.schemes=touchline-demo` for a group of one app. The app comes to front, and is launched if it \
            is down: then it has the URL in its scene's connection options, or its launch options; else its scene's \
            delegate is told before the scene is active.

            An app that ends before it has opened the URL is told once more in its next life, and not in a third. What \
            is not opened within server.openURLTimeout (20 s) never is. A URL has at most 2048 characters, those of RFC 3986.

            Exits 0 when the app has opened it, 1 when it has not: no app has this scheme, the screen is locked, the \
            app died, not in time; 2 when it is no URL; 3 when no group is running or it does not answer.

            EXAMPLES
              touchline open touchline-demo://hello
              touchline open touchline-demo://hello --json
            """)

    @Argument(help: ArgumentHelp("What to open.", valueName: "url"))
    var url: String

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @OptionGroup var runDirectory: RunDirectory

    /// Longer than the server's own limit with any reasonable setting.
    private static let answerLimit = Duration.seconds(3600)
    /// The interval at which an ending group is noticed.
    private static let checkInterval = Duration.seconds(1)

    func run() throws {
        let text: URLText
        do throws(URLFault) { text = try URLText(url) } catch { throw Failure.badInput("open: \(error)") }
        let client = try runDirectory.connect()
        try client.ask(.open(OpenRequest(id: 1, url: text)))
        let answer = try answer(client)
        if json {
            try printJSON([
                "url": text.text, "scheme": text.scheme, "outcome": "\(answer.outcome)",
                "app": Int(answer.app?.rawValue ?? 0),
                "isOpen": answer.outcome == .opened,
            ])
        } else if answer.outcome == .opened {
            printLine("\(name(of: answer)) has opened \(text)")
        }
        guard answer.outcome != .opened else { return }
        throw Failure.negativeResult("open: \(reason(answer, text))")
    }

    private func answer(_ client: ControlClient) throws -> OpenAnswer {
        let deadline = monotonicNow().advanced(by: Self.answerLimit)
        while monotonicNow() < deadline {
            switch try client.next(timeout: Self.checkInterval) {
            case .opened(let answer)? where answer.id == 1: return answer
            case .refused(let why)?: throw Failure.group(why)
            default: continue
            }
        }
        throw Failure.group("the group has not answered within \(Self.answerLimit.seconds) s")
    }

    private func name(of answer: OpenAnswer) -> String { answer.app.map { "\(Peer.app($0))" } ?? "no app" }

    private func reason(_ answer: OpenAnswer, _ url: URLText) -> String {
        switch answer.outcome {
        case .opened: "\(name(of: answer)) has opened it"
        case .noApp: "no app of the group has declared the scheme \(url.scheme)"
        case .locked: "the screen is locked or dark; `touchline input act unlock`, or `display on`, changes that"
        case .tooMany: "as many URLs are under way as there may be"
        case .died: "\(name(of: answer)) ended before it had opened it, or is not started any more"
        case .late: "\(name(of: answer)) has not opened it within server.openURLTimeout"
        case .notInFront: "only the app in front may ask"
        }
    }
}
