// InspectLibrary.swift: the scenes, sample apps and recordings that a page can choose, by their names.
//
//     Config/Scenes/*.yaml ─▶ name, title        Config/Recordings, Tests/Recordings ─▶ name, title, seconds
//
// A page names an entry of these lists, never a path.
//
// Input     folders of the project or of its installation (SharedFiles)
// Output    jobs
// Knows     folders. SceneText and Playable read the files.

import Basics
import Foundation
import Page
import SampleApps
import Scenarios
import Synchronization

/// The choices of a page.
final class InspectLibrary: Sendable {
    struct Entry {
        var name: String
        var path: String
    }

    private static let sceneFolder = "Config/Scenes"
    private static let recordingFolders = ["Config/Recordings", "Tests/Recordings"]
    private static let recordingEndings = [".evemu", ".touch", ".hid", ".json"]
    /// A folder with more files is listed up to here.
    private static let limit = 200

    /// Descriptions of recordings by path: a recording is read once.
    private let described = Mutex<[String: (title: String, seconds: Double)?]>([:])

    private static func entries(_ folder: String, _ endings: [String]) -> [Entry] {
        let folder = SharedFiles.path(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            guard let ending = endings.first(where: name.hasSuffix) else { return nil }
            return Entry(name: String(name.dropLast(ending.count)), path: absolute("\(folder)/\(name)"))
        }
    }

    var scenes: [Entry] { Array(Self.entries(Self.sceneFolder, [".yaml"]).prefix(Self.limit)) }
    var recordings: [Entry] {
        var entries: [Entry] = []
        for entry in Self.recordingFolders.flatMap({ Self.entries($0, Self.recordingEndings) })
        where !entries.contains(where: { $0.name == entry.name }) && isPlayable(entry) {
            entries.append(entry)
        }
        return Array(entries.prefix(Self.limit))
    }

    func scene(_ name: String) throws -> Entry { try Self.entry(name, in: scenes, "scene") }
    func recording(_ name: String) throws -> Entry { try Self.entry(name, in: recordings, "recording") }

    private static func entry(_ name: String, in entries: [Entry], _ what: String) throws -> Entry {
        if let entry = entries.first(where: { $0.name == name }) { return entry }
        let hint = nearestName(to: name, among: entries.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        throw InspectError(404, "no \(what) is called \(quoted(name))\(hint)")
    }

    /// The title and length of a recording; nil for a file that cannot be played.
    private func description(of entry: Entry) -> (title: String, seconds: Double)? {
        if let known = described.withLock({ $0[entry.path] }) { return known }
        let found = (try? Playable(contentsOf: entry.path)).map { ($0.summary, $0.duration.seconds) }
        described.withLock { $0[entry.path] = .some(found) }
        return found
    }

    private func isPlayable(_ entry: Entry) -> Bool { description(of: entry) != nil }

    func seconds(of entry: Entry) -> Double { description(of: entry)?.seconds ?? 0 }

    // MARK: JSON

    var scenesJSON: JSONText {
        .array(
            scenes.map { scene in
                // A file with an error is listed, and choosing it tells the error.
                let title = (try? SceneText(contentsOf: scene.path))?.title ?? ""
                return .object([("name", .string(scene.name)), ("title", .string(title))])
            })
    }

    var recordingsJSON: JSONText {
        .array(
            recordings.map { entry in
                let (title, seconds) = description(of: entry) ?? ("", 0)
                return .object([
                    ("name", .string(entry.name)), ("title", .string("\(entry.name): \(title)")),
                    ("seconds", .decimal(seconds)),
                ])
            })
    }

    static var appsJSON: JSONText { .strings(SampleApp.names) }
}
