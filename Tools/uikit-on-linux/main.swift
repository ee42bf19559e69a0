// main.swift: the tool of the build-tool plugin UIKitOnLinux.
//
// Input     --output DIR, then the source files of one target
// Output    DIR: the rewritten files, and Shadows.linux.swift
// Sources   invented

import Foundation
import Porting

/// Ends the tool with a line that SwiftPM shows.
func refuse(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: uikit-on-linux: \(message)\n".utf8))
    exit(2)
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 4, arguments.first == "--output", let root = arguments.dropFirst(3).first,
    arguments.dropFirst(2).first == "--root"
else { refuse("expected --output DIR --root DIR FILE…") }
let output = URL(filePath: arguments[arguments.startIndex + 1], directoryHint: .isDirectory)
let paths = arguments.dropFirst(4)

do {
    let files = try paths.map { path in
        PortedFile(path: "\(root)/\(path)", bytes: Array(try Data(contentsOf: URL(filePath: "\(root)/\(path)"))))
    }
    let rewriter = Rewriter(files)
    for (path, file) in zip(paths, rewriter.rewritten()) {
        let target = output.appending(path: path.dropLast(".swift".count) + ".linux.swift")
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: target)
    }
    try Data(rewriter.shadows.utf8).write(to: output.appending(path: "Shadows.linux.swift"))
} catch { refuse("\(error)") }
