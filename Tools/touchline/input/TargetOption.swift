// TargetOption.swift: --id, the view at which a gesture begins.
//
// Input     the gestures of `touchline input` that begin at one point
// Output    the start of the gesture and its display
// Knows     options. LiveTrees finds the view.

import ArgumentParser
import Basics
import Synthesis
import Wire

/// The options --id and --app.
struct TargetOption: ParsableArguments {
    @Option(
        name: .customLong("id"),
        help: ArgumentHelp(
            "Begin at the middle of the view with this accessibilityIdentifier, instead of at a point.",
            valueName: "name"))
    var identifier: String?

    @Option(help: ArgumentHelp("With --id: only this app: 1, 2 and so on.", valueName: "number"))
    var app: UInt32?

    func validate() throws {
        if identifier == "" { throw ValidationError("--id: expected an accessibilityIdentifier, found nothing") }
        try expect("--app", app, in: 1...UInt32.max)
        if app != nil, identifier == nil { throw ValidationError("--app: expected --id too, found none") }
    }

    /// Sets the start of the gesture, and the display of the app.
    ///
    /// - Throws: `Failure`; with exit code 2 if no view or several have the identifier, with 1 if no touch reaches the view.
    func resolve(into options: inout GestureOptions, _ input: inout InputOptions) throws {
        guard let identifier else { return }
        guard options.at == nil else { throw Failure.badInput("--id: expected no point too, found one") }
        let trees = try LiveTrees(input.runDirectory.connect())
        let target = try trees.touchPosition(ofView: identifier, app: app.map { AppID($0) })
        (options.at, input.displayOption.display) = (target.position, target.display)
    }
}
