// SceneFiles.swift: the search for scenario and scene files, and their greatest size.
//
// Input     the path of a scenario; the name of a scene
// Output    text; the path of a scene file
// Knows     folders. No key.

import Basics
import Configuration
import Foundation
import Hosting

/// The greatest size of a scenario or scene in bytes. A larger file is refused before it is read.
let sceneLimit = 4 << 20

/// Reads a UTF-8 file.
func readText(_ path: String) throws(ScenarioError) -> String {
    let location = FileLocation(file: path, line: 1, column: 1)
    let found: [UInt8]
    do throws(FileRefusal) { found = try bytes(ofFile: path, limit: sceneLimit) } catch {
        throw ScenarioError(location, "\(error)")
    }
    guard let text = String(validating: found, as: UTF8.self) else { throw ScenarioError(location, "not UTF-8 text") }
    return text
}

/// Returns `Config/Scenes/NAME.yaml`, searched upwards from the scenario's folder and then from the current one.
///
/// A name with a slash or an ending is a path in the scenario's folder or below. Otherwise a file from a stranger could
/// make the program read another file, and errors would show its lines.
func scenePath(_ name: String, at location: FileLocation) throws(ScenarioError) -> String {
    let files = FileManager.default
    let beside = URL(filePath: location.file).standardizedFileURL.deletingLastPathComponent()
    if name.contains("/") || name.hasSuffix(".yaml") {
        let file = beside.appending(path: name).standardizedFileURL
        let folder = beside.resolvingSymlinksInPath().pathComponents
        guard file.resolvingSymlinksInPath().pathComponents.starts(with: folder) else {
            throw ScenarioError(location, "scene: expected a file in \(beside.path) or below, found \(name)")
        }
        let path = file.path
        guard files.fileExists(atPath: path) else { throw ScenarioError(location, "scene: no file \(path)") }
        return path
    }
    var known: [String] = []
    for start in [beside, URL(filePath: files.currentDirectoryPath)] {
        var folder = start
        while true {
            let path = folder.appending(path: "Config/Scenes/\(name).yaml").path
            if files.fileExists(atPath: path) { return path }
            let scenes = folder.appending(path: "Config/Scenes").path
            known += ((try? files.contentsOfDirectory(atPath: scenes)) ?? []).sorted()
                .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
            let parent = folder.deletingLastPathComponent()
            if parent.path == folder.path { break }
            folder = parent
        }
    }
    let hint = suggestion(for: name, among: known)
    throw ScenarioError(
        location, "scene: no Config/Scenes/\(name).yaml above \(beside.path) or the current folder\(hint)")
}
