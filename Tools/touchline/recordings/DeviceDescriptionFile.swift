// DeviceDescriptionFile.swift: the file that describes a device's axes, when its recording does not.

import Foundation
import HID
import Recordings

/// Description files of devices.
enum DeviceDescriptionFile {
    /// Reads the ranges of a device's axes from a file that describes it.
    ///
    /// - Throws: `Failure` with exit code 2, also for a file without ranges.
    static func axes(in path: String) throws -> AxisRanges {
        let file = try RecordingFile(path) { _ in }
        if let fault = file.fault { throw Failure.badInput(fault) }
        guard let ranges = file.reader.device.ranges, file.reader.format == .evemu else {
            throw Failure.badInput("\(path): expected a device's description with A: lines of x and y, found none")
        }
        return ranges
    }

    private static let endings = ["desc", "prop"]

    /// Returns the description beside a recording without one: `Panel.desc` or `Panel.prop` beside `Panel.events` and
    /// `Panel.two-fingers.events`. Of several matches the longest name counts.
    ///
    /// - Returns: Nil without a match, or with two of one length.
    static func sibling(of path: String) -> String? {
        guard path != "-" else { return nil }
        let file = URL(filePath: path)
        var name = file.lastPathComponent[...]
        while let dot = name.lastIndex(of: ".") {
            name = name[..<dot]
            let found = endings.map { file.deletingLastPathComponent().appending(path: "\(name).\($0)") }.filter {
                $0.lastPathComponent != file.lastPathComponent && FileManager.default.fileExists(atPath: $0.path)
            }
            if let only = found.first { return found.count == 1 ? only.relativePath : nil }
        }
        return nil
    }
}
