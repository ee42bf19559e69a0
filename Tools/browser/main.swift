// main.swift: `Tools/try-in-browser`: recordings played in a real browser, compared with the touches of its page.
//
//     recording ─▶ touchline convert ─▶ actions ─▶ Browser ─▶ touches ─┐
//         └─────▶ RecordingReader ─▶ expected touches ─────────────────┴─▶ differences
//
// Exit codes: 0 when every page received the recording's touches, 1 when one did not, 2 when a file or the browser cannot
// be used. It is run by hand, because it needs Debian's chromium and chromium-driver.

import Foundation
import Glibc
import HID
import Recordings

/// A failure: one line for a person.
struct BrowserTestError: Error {
    let line: String
    init(_ line: String) { self.line = line }
}

/// The contacts of a recording.
struct Recording {
    private(set) var frames: [ContactFrame] = []
    let ranges: AxisRanges

    /// - Throws: `BrowserTestError` for a file that cannot be read to its end.
    init(_ path: String, on screen: ScreenGeometry) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw BrowserTestError("\(path): cannot be read")
        }
        var reader = RecordingReader(name: path, screen: screen)
        do throws(RecordingError) {
            try reader.read([UInt8](data), into: &frames)
            _ = try reader.finish(into: &frames)
        } catch { throw BrowserTestError("\(error)") }
        ranges = reader.ranges
    }
}

/// Returns the recording as WebDriver actions, which the `touchline` beside this program writes.
func actions(of path: String, on screen: ScreenGeometry) throws -> [UInt8] {
    let convert = Process()
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    convert.executableURL = folder.appending(path: "touchline")
    let size = "\(Int(screen.width))x\(Int(screen.height))"
    convert.arguments = ["convert", "--to", "webdriver-actions", "--screen", size, path, "-"]
    let output = Pipe()
    convert.standardOutput = output
    try convert.run()
    let body = try output.fileHandleForReading.readToEnd() ?? Data()
    convert.waitUntilExit()
    guard convert.terminationStatus == 0 else { throw BrowserTestError("\(path): touchline convert failed") }
    return [UInt8](body)
}

/// Plays the recordings and prints one line for each, with its differences below.
///
/// - Returns: Whether all pages received the recordings' touches.
func play(_ files: [String]) throws -> Bool {
    let screen = ScreenGeometry(width: 375, height: 667, rotation: 0)
    let browser = try Browser(width: 375, height: 667)
    defer { browser.end() }
    var isSame = true
    for file in files {
        let expected = PageTouch.expected(of: try Recording(file, on: screen), on: screen)
        let found = try browser.play(actions(of: file, on: screen))
        let differences = PageTouch.differences(found, expected)
        isSame = isSame && differences.isEmpty
        let (moves, ended) = (found.reduce(0) { $0 + $1.moves.count }, found.count { $0.terminal == "touchend" })
        print(
            "\(file): \(expected.count) contacts, \(found.count) touches: \(moves) moves, \(ended) ended, "
                + "\(found.count { $0.terminal == "touchcancel" }) cancelled, "
                + "\(found.count { $0.terminal == nil }) still down: \(differences.isEmpty ? "the same" : "different")")
        for line in differences.prefix(5) { print("  \(line)") }
    }
    return isSame
}

func end(_ line: String) -> Never {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
    exit(2)
}

let files = CommandLine.arguments.dropFirst()
guard !files.isEmpty, !files.contains(where: { $0.hasPrefix("-") }) else { end("usage: Tools/try-in-browser FILE...") }
do {
    exit(try play(Array(files)) ? 0 : 1)
} catch let error as BrowserTestError {
    end(error.line)
} catch {
    end("\(error)")
}
