// MeasuredGroupOptions.swift: the options of every benchmark that starts a group, and scenes that a benchmark makes.
//
// Sources   invented

import ArgumentParser
import Foundation

/// --scene and --set.
struct MeasuredGroupOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The scene that each app shows (default: an empty window).", valueName: "file"))
    var scene: String?

    @OptionGroup var settings: GroupSettingsOption
}

/// Writes a scene to a temporary file, which is removed after `body`: the apps of a group have read it by then.
///
/// - Parameter name: A word of the benchmark; the file's name has it and this process's number.
func withTemporaryScene<Result>(
    _ name: String, _ text: String, _ body: (_ path: String) throws -> Result
) throws -> Result {
    let path = FileManager.default.temporaryDirectory.path + "/touchline-\(name)-\(getpid()).yaml"
    defer { try? FileManager.default.removeItem(atPath: path) }
    do { try text.write(toFile: path, atomically: true, encoding: .utf8) } catch {
        throw Failure.group("\(path): cannot be written")
    }
    return try body(path)
}
