// SharedFiles.swift: the scenes, recordings and scenarios that come with the programs.
//
//     current folder ─▶ PREFIX/share/touchline, for PREFIX/lib/touchline/touchline ─▶ the folders above a build in its clone
//
// Input     commands with a default file
// Output    a path that exists, or the name itself, for the error of the command that opens it
// Knows     folders. No file's content.

import Foundation

/// The files of the project that commands use by default. `Tools/install` copies them to PREFIX/share/touchline.
enum SharedFiles {
    /// Returns the file or folder with this name, such as `Config/Scenes/Demo.yaml`, where it is found first.
    ///
    /// - Parameters:
    ///   - name: Relative to the project's folder. An absolute path is returned as it is.
    ///   - program: The file of the program, without symbolic links.
    static func path(_ name: String, program: URL = thisProgram) -> String {
        candidates(for: name, program: program).first { FileManager.default.fileExists(atPath: $0) } ?? name
    }

    /// Returns the paths that a name may have, nearest first. The first is the name itself, in the current folder.
    static func candidates(for name: String, program: URL) -> [String] {
        guard !name.hasPrefix("/") else { return [name] }
        return [name] + roots(of: program).map { $0.appending(path: name).path }
    }

    /// The folders in which names are searched, after the current folder.
    private static func roots(of program: URL) -> [URL] {
        var folder = program.deletingLastPathComponent()
        // A build is in a hidden folder of the clone. Other folders above a program are not the project's.
        if folder.pathComponents.contains(where: { $0.hasPrefix(".build") }) {
            var roots: [URL] = []
            while folder.path != "/" {
                folder.deleteLastPathComponent()
                roots.append(folder)
            }
            return roots
        }
        guard folder.pathComponents.suffix(2) == ["lib", "touchline"] else { return [] }
        return [folder.deletingLastPathComponent().deletingLastPathComponent().appending(path: "share/touchline")]
    }
}
