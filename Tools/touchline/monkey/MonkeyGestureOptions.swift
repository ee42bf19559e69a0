// MonkeyGestureOptions.swift: the options of `touchline monkey` for drawn gestures.

import ArgumentParser
import Basics
import Configuration
import Foundation
import Hosting
import Synthesis
import Wire

/// The options of the monkey for drawn gestures: not --direct.
struct MonkeyGestureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What to do how often: a file as Config/Profiles/standard.yaml, which is built in.", valueName: "file"))
    var profile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "1 is a hand's own pace, 2 twice as fast, max as fast as it is taken.", valueName: "1|N|max"))
    var speed: PlaySpeed = .times(1)

    @Option(help: ArgumentHelp("With --simulated: the scene the app shows.", valueName: "file"))
    var scene: String?

    @Option(help: ArgumentHelp("With --simulated: the sample app it is.", valueName: "name"))
    var app: String?

    @Option(help: ArgumentHelp("Play this script, - for stdin, instead of inventing one.", valueName: "file"))
    var script: String?

    @Option(help: ArgumentHelp("Write the shortest script that fails there.", valueName: "file"))
    var out: String?

    @OptionGroup var runDirectory: RunDirectory

    /// Whether only a profile was given.
    var isUsual: Bool {
        scene == nil && app == nil && script == nil && out == nil && "\(speed)" == "1" && runDirectory.givenPath == nil
    }

    func readProfile() throws -> MonkeyProfile {
        guard let profile else { return .standard }
        do throws(InvalidConfiguration) {
            return try MonkeyProfile(contentsOf: profile)
        } catch {
            throw Failure.badInput(error)
        }
    }

    /// The settings, as in a scenario's `config`.
    var settings: [Setting] {
        (scene.map { [Setting(key: "app.scene", value: $0)] } ?? [])
            + (app.map { [Setting(key: "app.sample", value: $0)] } ?? [])
    }

    /// The options as words of a command line.
    var words: [String] {
        (scene.map { ["--scene", $0] } ?? []) + (app.map { ["--app", $0] } ?? [])
            + ("\(speed)" == "1" ? [] : ["--speed", "\(speed)"])
    }
}
