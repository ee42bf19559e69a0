// TemporaryFolder.swift: a folder that is removed with its object.

import Foundation
import Glibc

/// A folder of this user alone (mode 0700), below the folder for temporary files.
final class TemporaryFolder: Sendable {
    let path: String

    /// - Parameter purpose: The word after `touchline-` in its name.
    /// - Throws: `Failure` with exit code 3.
    init(_ purpose: String) throws {
        let pattern = "\(FileManager.default.temporaryDirectory.path)/touchline-\(purpose)-XXXXXX"
        var template = Array(pattern.utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.group("mkdtemp: \(String(cString: strerror(errno)))") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
