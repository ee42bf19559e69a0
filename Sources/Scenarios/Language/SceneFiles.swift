// SceneFiles.swift: where scenario and scene files are found, and how large one may be.
//
// Input     the path of a scenario; the name of a scene
// Output    text; the path of a scene file
// Knows     folders. No key.

import Basics
import Configuration
import Foundation
import Hosting

/// Longer than any honest scenario or scene; refused before it is read.
let sceneLimit = 4 << 20

func readText(_ path: String) throws(ScenarioError) -> String {
    let place = Place(file: path, line: 1, column: 1)
    let found: [UInt8]
    do throws(FileRefusal) { found = try bytes(ofFile: path, limit: sceneLimit) } catch {
        throw ScenarioError(place, "\(error)")
    }
    guard let text = String(validating: found, as: UTF8.self) else { throw ScenarioError(place, "not UTF-8 text") }
    return text
}

/// `Config/Scenes/NAME.yaml`, looked for upward from the scenario's folder, then from the current one.
///
/// A name with a slash or an ending is a path beside the scenario or below: a file that somebody sent must not have
/// another one read, whose lines errors would then show.
func scenePath(_ name: String, at place: Place) throws(ScenarioError) -> String {
    let files = FileManager.default
    let beside = URL(filePath: place.file).standardizedFileURL.deletingLastPathComponent()
    if name.contains("/") || name.hasSuffix(".yaml") {
        let file = beside.appending(path: name).standardizedFileURL
        let folder = beside.resolvingSymlinksInPath().pathComponents
        guard file.resolvingSymlinksInPath().pathComponents.starts(with: folder) else {
            throw ScenarioError(place, "scene: expected a file in \(beside.path) or below, found \(name)")
        }
        let path = file.path
        guard files.fileExists(atPath: path) else { throw ScenarioError(place, "scene: no file \(path)") }
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
    throw ScenarioError(place, "scene: no Config/Scenes/\(name).yaml above \(beside.path) or the current folder\(hint)")
}
