// main.swift: the process of input-kit.
//
// Station   device → frame
// Input     a launch order from the supervisor, or options of a person
// Output    InputKitCore, run by ZeroMQHost
//
// Sources   invented

import ArgumentParser
import Hosting
import InputKitCore
import Wire
import ZeroMQHost

struct InputKit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "input-kit",
        abstract: "Reads touch devices and recordings, and makes HID events.",
        discussion: """
            `touchline up` starts this program, and `touchline replay FILE` plays into it. For debugging, `input-kit \
            --run-dir DIR --play FILE` connects to the `system-server` that was started with the same folder, plays the \
            recording or finger script, prints the result and ends.
            """)

    @Option(
        name: .customLong("run-dir"),
        help: ArgumentHelp("Run without a supervisor, in this folder.", valueName: "folder"))
    var runDirectory: String?

    @Option(help: ArgumentHelp("A recording or finger script to play without a supervisor.", valueName: "file"))
    var play: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Change one key of the configuration; may be repeated.", valueName: "key=value"))
    var assignments: [String] = []

    func run() throws {
        let process = ProcessSetup(
            "input-kit", aloneAs: .inputKit, runDirectory: runDirectory, settings: assignments)
        if let play, runDirectory != nil {
            let order = PlayOrder(id: 1, source: .file(play), pace: .times(1000))
            process.host.replaceSupervisor(with: [.play(order)], answer: { exitStatus(for: $0) })
        }
        var core = InputKitCore(settings: process.settings, order: process.order)
        throw ExitCode(process.host.run(&core))
    }
}

/// Prints one line about a play that has ended, and returns the exit status.
func exitStatus(for message: Message) -> Int32? {
    guard case .played(let report) = message else { return nil }
    if !report.failure.isEmpty { ProcessSetup.exitWithError("input-kit", report.failure, status: 2) }
    Output.printLine(
        "\(report.sent) frames sent, \(report.answered) answered: \(report.delivered) by apps, \(report.home) by the "
            + "home screen, \(report.takenFrames) taken, \(report.dropped) dropped; \(report.arrivedTouches.began) touches "
            + "began, \(report.arrivedTouches.ended) ended")
    return 0
}

do {
    try InputKit.parse().run()
} catch {
    ProcessSetup.endProcess(printing: InputKit.fullMessage(for: error), status: InputKit.exitCode(for: error).rawValue)
}
