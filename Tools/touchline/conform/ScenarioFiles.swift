// ScenarioFiles.swift: the scenario files that an argument names.
//
// Input     a word of `conform`, `trace` or `simulate --scenario`: a file, a folder or an id
// Output    paths of files
// Knows     the folder of the project's scenarios. The module Scenarios reads the files.

import Foundation
import Scenarios

/// The scenario files of an argument.
enum ScenarioFiles {
    /// The folder in which an id is searched.
    static let folder = SharedFiles.path("Tests/Conformance")

    /// - Returns: The path itself if a file or folder exists there, otherwise the path of the scenario with this id.
    static func path(_ argument: String) throws -> String {
        if FileManager.default.fileExists(atPath: argument) { return argument }
        let library = ScenarioLibrary(folder: folder)
        let id = URL(filePath: argument).lastPathComponent
        let isID = id == argument && !id.hasSuffix(".yaml")
        let found: String?
        do throws(ScenarioError) {
            found = try library.path(ofID: isID ? id : String(id.prefix { $0 != "." }))
        } catch { throw Failure.badInput("\(error)") }
        if !isID {
            throw Failure.badInput("\(argument): no such file" + (found.map { "; did you mean \($0)?" } ?? ""))
        }
        if let found { return found }
        let hint = library.suggestion(for: id).map { "; did you mean \($0)?" } ?? ""
        throw Failure.badInput("\(argument): no such file, and no scenario of \(folder) with that id\(hint)")
    }

    /// Returns the files of a folder in the order of their ids, without files with an id of another file.
    ///
    /// - Parameter refuse: Receives an error for each omitted file.
    static func files(in folder: String, refuse: (ScenarioError) -> Void) throws -> [String] {
        let library = ScenarioLibrary(folder: folder)
        if library.entries.isEmpty { throw Failure.badInput("\(folder): expected scenario files, found none") }
        let duplicates = library.duplicates
        for error in duplicates { refuse(error) }
        return library.entries.map(\.path).filter { path in !duplicates.contains { $0.location.file == path } }
    }
}
