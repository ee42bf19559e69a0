// MeasuredGroupOptions.swift: the options of every benchmark that starts a group.
//
// Sources   invented

import ArgumentParser

/// --scene and --set.
struct MeasuredGroupOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The scene that each app shows (default: an empty window).", valueName: "file"))
    var scene: String?

    @OptionGroup var settings: GroupSettingsOption
}
