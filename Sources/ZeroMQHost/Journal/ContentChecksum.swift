// ContentChecksum.swift: the checksum of the file that an app shows, which its journal contains.
//
// Input     HostJournal, Roles
// Knows     bytes. Not their meaning.
//
// Sources   invented

import Basics
import Glibc
import Journals

/// CRC32C of a file's bytes; 0 if no app can show the file: unreadable, longer than 4 MiB, or not a regular file.
func checksum(ofFile path: String) -> UInt32 {
    guard !path.isEmpty else { return 0 }
    // O_NONBLOCK: a FIFO without a writer must not block the open.
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
