// OutputFile.swift: a file that exists whole or not at all.

import Glibc

/// A file that is written under a temporary name and gets its own name at the end. Without the end it is removed.
final class OutputFile {
    /// The bytes so far.
    private(set) var size = 0

    static let pieceSize = 1 << 18

    private let path: String
    private let replaces: Bool
    private var descriptor: Int32
    /// Nil for stdout, and after the rename.
    private var temporary: String?

    /// - Parameters:
    ///   - path: `-` is stdout.
    ///   - replaces: Whether an existing file is replaced.
    /// - Throws: `Failure` with exit code 2.
    init(_ path: String, replaces: Bool) throws {
        (self.path, self.replaces) = (path, replaces)
        guard path != "-" else {
            descriptor = STDOUT_FILENO
            return
        }
        let name = "\(path).part-\(getpid())"
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path) }
        temporary = name
    }

    deinit {
        guard let temporary else { return }
        close(descriptor)
        unlink(temporary)
    }

    private static func failure(_ path: String) -> Failure {
        .badInput("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }

    /// Writes all bytes.
    func write(_ bytes: inout [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done) }
            if count > 0 { done += count } else if errno != EINTR { throw Self.failure(path) }
        }
        size += bytes.count
        bytes.removeAll(keepingCapacity: true)
    }

    func finish() throws {
        guard let name = temporary else { return }
        // A link fails when another process made the file first; a rename would not.
        guard replaces ? rename(name, path) == 0 : link(name, path) == 0 else {
            if errno == EEXIST {
                throw Failure.badInput("\(path): expected no such file, found one: --force replaces it")
            }
            throw Self.failure(path)
        }
        if !replaces { unlink(name) }
        temporary = nil
        close(descriptor)
    }
}
