// OpenCommand.swift: `touchline open`: opens a URL in the app of the running group that has its scheme.

import ArgumentParser
import Basics
import Wire
import ZeroMQHost

/// The command `touchline open`.
struct OpenCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a URL in the app that has its scheme, and wait until the app has opened it.",
        discussion: """
            The topology gives each app its schemes (`schemes: [touchline-demo]` in Config/topology.yaml). In a group of \
            one app, `up --set app.schemes=touchline-demo` does. The app comes to the front. If the app is down, the \
            supervisor launches it, and the app finds the URL in its scene's connection options or its launch options. \
            Otherwise the scene's delegate receives the URL before the scene is active.

            An app that ends before it has opened the URL receives it once more after its restart, and not a third time. \
            A URL that no app has opened within server.openURLTimeout (20 s) is discarded. A URL has at most 2048 characters \
            of RFC 3986.

            Exits 0 when the app has opened the URL, 1 when it has not (no app has this scheme, the screen is locked, the \
            app ended, the time is over), 2 when it is not a URL, 3 when no group is running or the group does not answer.

            EXAMPLES
              touchline open touchline-demo://hello
              touchline open touchline-demo://hello --json
            """)

    @Argument(help: ArgumentHelp("The URL.", valueName: "url"))
    var url: String

    @OptionGroup var result: ResultOptions
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
        if result.json {
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
        case .opened: "\(name(of: answer)) has opened the URL"
        case .noApp: "no app of the group has declared the scheme \(url.scheme)"
        case .locked: "the screen is locked or dark; `touchline input act unlock`, or `display on`, changes that"
        case .tooMany: "the group opens as many URLs at once as it can"
        case .died: "\(name(of: answer)) ended before it had opened the URL, or is not restarted any more"
        case .late: "\(name(of: answer)) has not opened the URL within server.openURLTimeout"
        case .notInFront: "only the app at the front may open a URL"
        }
    }
}
