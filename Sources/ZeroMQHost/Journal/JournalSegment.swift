// JournalSegment.swift: one file of a journal, mapped to memory: a copied record survives the end of this process.
//
//      |preamble|records … |         |  ···  |
//      0                   used      reserved capacity
//
// Room is reserved on disk before it is written, so that a full disk is an error here and not a signal. A killed
// process leaves the reserved room as zeros; an orderly end truncates the file. If another process truncates the file,
// its content is lost, but its writer continues: see mapping.h.
//
// Sources   documented  posix_fallocate(3), mmap(2) on MAP_SHARED beyond a file's end, madvise(2)

import CSystem
import Glibc

/// The disk refuses a write. At fault: the machine.
struct DiskRefusal: Error {
    var path: String
    var errno: Int32
}

/// An open journal file.
struct JournalSegment: ~Copyable {
    /// Room is reserved in pieces, because a group of many processes must not take a megabyte for each.
    private static let reservationSize = 128 << 10

    let name: String
    private let folder: JournalFolder
    private let file: Descriptor
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    private let mapping: Int32
    private(set) var used = 0
    private var reserved = 0
    /// The pages before this offset have left this process's memory.
    private var released = 0

    /// Creates the file, which must not exist.
    ///
    /// - Parameter capacity: The bytes that it may grow to.
    init(_ name: String, in folder: JournalFolder, capacity: Int, preamble: [UInt8]) throws(DiskRefusal) {
        let path = "\(folder.path)/\(name)"
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let number = openat(folder.descriptor, name, flags, 0o600)
        guard number >= 0 else { throw DiskRefusal(path: path, errno: errno) }
        let file = Descriptor(number)
        let size = Self.pages(max(capacity, preamble.count))
        let failure = Self.reserve(file, from: 0, least: preamble.count, limit: size)
        guard failure.errno == 0 else {
            folder.remove(name)
            throw DiskRefusal(path: path, errno: failure.errno)
        }
        guard pwrite(file.number, preamble, preamble.count, 0) == preamble.count,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0),
            memory != UnsafeMutableRawPointer(bitPattern: -1)
        else {
            let number = errno
            folder.remove(name)
            throw DiskRefusal(path: path, errno: number)
        }
        let mapping = system_mapping_guard(memory, size)
        guard mapping >= 0 else {
            let number = errno
            munmap(memory, size)
            folder.remove(name)
            throw DiskRefusal(path: path, errno: number)
        }
        (self.name, self.folder) = (name, folder)
        (self.memory, self.capacity, self.mapping) = (memory, size, mapping)
        (used, reserved) = (preamble.count, failure.reserved)
        self.file = file
        populate(from: used)
    }

    deinit {
        system_mapping_release(mapping)
        munmap(memory, capacity)
    }

    var path: String { "\(folder.path)/\(name)" }

    /// Whether another process has truncated the file: no later record reaches it.
    var isTruncated: Bool { system_mapping_is_cut(mapping) != 0 }

    /// Whether the file can hold `count` more bytes.
    func hasRoom(for count: Int) -> Bool { capacity - used >= count }

    /// Adds whole records, all of them or none. It makes a system call only to reserve room.
    ///
    /// - Returns: 0, or the errno.
    mutating func append(_ records: UnsafeRawBufferPointer) -> Int32 {
        precondition(records.count % 4 == 0 && hasRoom(for: records.count), "\(records.count) bytes into \(path)")
        if reserved - used < records.count {
            let more = Self.reserve(file, from: reserved, least: used + records.count, limit: capacity)
            guard more.errno == 0 else { return more.errno }
            reserved = more.reserved
        }
        system_publish_record(memory + used, records.baseAddress, records.count)
        // The check comes after the write, because only the write detects a cut.
        guard !isTruncated else { return ESTALE }
        used += records.count
        return 0
    }

    /// Does in advance what would otherwise delay a touch: it reserves room and populates its pages.
    ///
    /// - Returns: False if the disk has no room now.
    @discardableResult
    mutating func prepare() -> Bool {
        guard reserved - used < Self.reservationSize / 2, reserved < capacity else { return true }
        let more = Self.reserve(
            file, from: reserved, least: min(reserved + Self.reservationSize, capacity), limit: capacity)
        // `append` requests the room again when it needs it.
        guard more.errno == 0 else { return false }
        let start = reserved
        reserved = more.reserved
        populate(from: start)
        // Written pages belong to the page cache; a journal must not count as this process's memory.
        let written = used / Self.pageSize * Self.pageSize
        madvise(memory + released, written - released, MADV_DONTNEED)
        released = written
        return true
    }

    /// Brings the memory of the next records into this CPU's caches.
    func prefetch() { system_prefetch_for_writing(memory + used, Self.prefetchSize) }

    /// The bytes of the records of a scan and its receipt.
    private static let prefetchSize = 512

    /// Gives the reserved pages from an offset on to this process. Otherwise each costs its first record a page fault, some
    /// 20 to 30 µs.
    ///
    /// The zeros of the pages are written first, because the kernel makes many pages of the page cache in one write and one
    /// page for each fault: 0.8 and 4 µs a page on ext4 of Linux 6.18.
    private func populate(from start: Int) {
        let populateForWriting: Int32 = 23
        var offset = start
        while let zeros = Self.zeros, offset < reserved {
            let count = pwrite(file.number, zeros, min(Self.reservationSize, reserved - offset), off_t(offset))
            guard count > 0 else { break }
            offset += count
        }
        let firstPage = start / Self.pageSize * Self.pageSize
        madvise(memory + firstPage, reserved - firstPage, populateForWriting)
    }

    /// `reservationSize` bytes of zeros, which take no memory: all are one page of the kernel. Nil if no address range is
    /// left. Nothing can write to them, so threads may share them.
    nonisolated(unsafe) private static let zeros: UnsafeRawPointer? = {
        let range = mmap(nil, reservationSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return range == UnsafeMutableRawPointer(bitPattern: -1) ? nil : range.map { UnsafeRawPointer($0) }
    }()

    /// Truncates the reserved room that is not used.
    consuming func close() { _ = ftruncate(file.number, used) }

    /// Removes the file, which holds no record.
    consuming func remove() { folder.remove(name) }

    private static func reserve(
        _ file: borrowing Descriptor, from start: Int, least: Int, limit: Int
    ) -> (errno: Int32, reserved: Int) {
        // A nearly full disk may still have a smaller piece.
        var failure: Int32 = 0
        for end in [min(limit, pages(max(least, start + reservationSize))), min(limit, pages(least))] {
            repeat { failure = posix_fallocate(file.number, start, end - start) } while failure == EINTR
            if failure == 0 { return (0, end) }
        }
        return (failure, start)
    }

    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    private static func pages(_ count: Int) -> Int { (count + pageSize - 1) / pageSize * pageSize }
}
