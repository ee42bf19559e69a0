// ContentChecksum.swift: the checksum of the file that an app shows, which its journal names.
//
// Fed by    HostJournal, Roles
// Knows     bytes. Not what they say.
//
// Sources   invented

import Basics
import Glibc
import Journals

/// CRC32C of a file's bytes; 0 when it is none that an app could show: unreadable, too long, or no regular file.
func checksum(ofFile path: String) -> UInt32 {
    guard !path.isEmpty else { return 0 }
    // Without waiting: a FIFO has no writer at its other end.
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard number >= 0 else { return 0 }
    let file = Descriptor(number)
    var facts = stat()
    guard fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= 4 << 20 else { return 0 }
    var crc = CRC32C()
    return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
        while true {
            let count = read(file.number, buffer.baseAddress, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? crc.value : 0 }
            crc.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
