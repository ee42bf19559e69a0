// BoundedFile.swift: reads a regular file up to a size limit.
//
// A scene's path may come from a scenario, or from a foreign journal. The type of the file is checked before it is
// read, and its size before memory is allocated. The open does not block, so a FIFO cannot stop the process.
//
// Sources   invented, after threat T8

#if canImport(Glibc)
    import Glibc
#endif

/// A file that is not read. At fault: the writer of its path.
package enum FileRefusal: Error, Equatable, CustomStringConvertible {
    case missing
    case folder
    /// A device, a FIFO, a socket.
    case special
    /// In bytes.
    case tooLong(Int, limit: Int)
    /// The system's error text.
    case unreadable(String)

    package var description: String {
        switch self {
        case .missing: "no such file"
        case .folder: "expected a file, found a folder"
        case .special: "expected a file, found something else"
        case .tooLong(let count, let limit):
            limit >= 1 << 20 && limit % (1 << 20) == 0
                ? "expected at most \(limit >> 20) MiB, found \(count) bytes"
                : "expected at most \(limit) bytes, found \(count)"
        case .unreadable(let reason): "cannot be read: \(reason)"
        }
    }
}

/// The bytes of a regular file.
///
/// - Parameters:
///   - path: The path of the file.
///   - limit: In bytes; a longer file is refused, not truncated.
/// - Throws: `FileRefusal`.
package func bytes(ofFile path: String, limit: Int) throws(FileRefusal) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else {
        switch errno {
        case ENOENT, ENOTDIR: throw .missing
        // A socket cannot be opened at all.
        case ENXIO: throw .special
        default: throw .unreadable(String(cString: strerror(errno)))
        }
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw .unreadable(String(cString: strerror(errno))) }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .folder
    default: throw .special
    }
    let size = Int(facts.st_size)
    guard size <= limit else { throw .tooLong(size, limit: limit) }
    var failure: Int32 = 0
    // Bytes that are appended from now on are not read.
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
            let got = read(file, buffer.baseAddress! + count, size - count)
            if got < 0 && errno == EINTR { continue }
            if got < 0 { failure = errno }
            guard got > 0 else { return }
            count += got
        }
    }
    guard failure == 0 else { throw .unreadable(String(cString: strerror(failure))) }
    return bytes
}
