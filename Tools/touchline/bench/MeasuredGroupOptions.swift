// MeasuredGroupOptions.swift: the options of every benchmark that starts a group.
//
// Sources   invented

import ArgumentParser

/// --scene and --set.
struct MeasuredGroupOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The scene that each app shows (default: an empty window).", valueName: "file"))
    var scene: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp("Change one key of the group's configuration; may be repeated.", valueName: "key=value"))
    var changes: [String] = []
}
