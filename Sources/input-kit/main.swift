// main.swift: the process of input-kit.
//
// Station   device → frame
// Input     a launch order from the supervisor, or options of a person
// Output    InputKitCore, run by ZeroMQHost
//
// Sources   invented

import Glibc
import Hosting
import InputKitCore
import Wire
import ZeroMQHost

extension ProgramOptions {
    static let inputKit = ProgramOptions(
        "input-kit", abstract: "Reads touch devices and recordings, and makes HID events.",
        discussion: """
            `touchline up` starts this program, and `touchline replay FILE` plays into it. For debugging, `input-kit \
            --run-dir DIR --play FILE` connects to the `system-server` that was started with the same folder, plays the \
            recording or finger script, prints the result and ends.
            """,
        [
            .runDirectory, ProgramOption("play", "file", "A recording or finger script to play without a supervisor."),
            .setting,
        ])
}

/// - Returns: The exit status.
func runInputKit() -> Int32 {
    let values = ProgramOptions.inputKit.parseCommandLine()
    let process = ProcessSetup(
        "input-kit", aloneAs: .inputKit, runDirectory: values["run-dir"], settings: values.all("set"))
    if let play = values["play"], values["run-dir"] != nil {
        let order = PlayOrder(id: 1, source: .file(play), pace: .times(1000))
        process.host.replaceSupervisor(with: [.play(order)], answer: { exitStatus(for: $0) })
    }
    var core = InputKitCore(settings: process.settings, order: process.order)
    return process.host.run(&core)
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

exit(runInputKit())
