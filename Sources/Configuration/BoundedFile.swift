// BoundedFile.swift: a file that somebody or something names, as bytes: a regular one, no longer than is said.
//
// A scene's path can come from a scenario, and from a journal that somebody sent. Whatever is there is asked what it is
// before it is read, and how long before anything is allocated; nothing is waited for, so a FIFO cannot hold us up.
//
// Sources   invented, after threat T8

#if canImport(Glibc)
    import Glibc
#endif

/// A path that is not read. Blame: whoever wrote it.
package enum FileRefusal: Error, Equatable, CustomStringConvertible {
    case missing
    case folder
    /// A device, a FIFO, a socket.
    case special
    /// In bytes.
    case tooLong(Int, limit: Int)
    /// What the system says.
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
/// - Parameter limit: In bytes; a longer file is refused and not cut.
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
    // What is added to it from now on is not of the file that was named.
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
