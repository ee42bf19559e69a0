// MonkeyGestureOptions.swift: the options of `touchline monkey gestures` that its stages and its worker need.

import ArgumentParser
import Basics
import Wire

/// The group that gestures are played into, its content, and the script.
struct MonkeyGestureOptions: ParsableArguments {
    @Flag(
        name: .customLong("simulated"),
        help: "Play into a simulated group in virtual time, instead of the running group.")
    var isSimulated = false

    @Option(help: ArgumentHelp("With --simulated: scene that the app shows.", valueName: "file"))
    var scene: String?

    @Option(help: ArgumentHelp("With --simulated: sample app that runs.", valueName: "name"))
    var app: String?

    @OptionGroup var runDirectory: RunDirectory

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Multiple of a hand's speed; `max` plays as fast as the group accepts events.", valueName: "number|max"))
    var speed: PlaySpeed = .times(1)

    @Option(help: ArgumentHelp("Play this script instead of drawn gestures; - is stdin.", valueName: "file"))
    var script: String?

    @Option(help: ArgumentHelp("Write the shortest failing script to this file.", valueName: "file"))
    var scriptOutput: String?

    /// The settings, as in a scenario's `config`.
    var settings: [Setting] {
        (scene.map { [Setting(key: "app.scene", value: $0)] } ?? [])
            + (app.map { [Setting(key: "app.sample", value: $0)] } ?? [])
    }

    /// The options as words of a command line, without the script and its file.
    var words: [String] {
        (isSimulated ? ["--simulated"] : []) + (scene.map { ["--scene", $0] } ?? [])
            + (app.map { ["--app", $0] } ?? []) + ("\(speed)" == "1" ? [] : ["--speed", "\(speed)"])
    }
}
