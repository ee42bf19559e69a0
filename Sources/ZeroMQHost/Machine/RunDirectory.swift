// RunDirectory.swift: the folder of a group: its lock, and the sockets in it.
//
//    <run-dir>/                  0700, this user's
//      supervisor.pid            the pid of the holder; the lock is on the folder, so removing this frees nothing
//      input.sock  app.sock      0600, bound here, served by the system server
//      control.sock              0600, served here
//      devices/                  0700, virtual touch screens, with device.virtual
//      trace/<peer>.trace        with host.trace=file
//      journal/<peer>/           the inputs of each process, writable by it alone; stays when the group has ended
//      journal.previous/         the same of the previous group
//
// The files of a killed supervisor stay, but its lock ends. So the next supervisor removes them.

import CSystem
import Glibc
public import Wire

/// The paths of a run directory.
public struct RunPaths: Sendable {
    public let folder: String

    public init(_ folder: String) { self.folder = folder }

    public var input: String { "\(folder)/input.sock" }
    public var app: String { "\(folder)/app.sock" }
    public var control: String { "\(folder)/control.sock" }
    public var pid: String { "\(folder)/supervisor.pid" }
    /// The folder of virtual devices, with device.virtual.
    public var devices: String { "\(folder)/devices" }
    public var traces: String { "\(folder)/trace" }
    public var journals: String { "\(folder)/journal" }
    /// The path of a process's trace file.
    public func trace(of peer: Peer) -> String { "\(traces)/\(peer).trace" }
    /// The folder of a process's journals.
    public func journals(of peer: Peer) -> String { "\(journals)/\(peer)" }
    public var previousJournals: String { "\(folder)/journal.previous" }
}

/// A run directory held by this process.
final class RunDirectory {
    /// The size of `sockaddr_un.sun_path` without its final zero.
    static let pathLimit = 107

    let paths: RunPaths
    private let wasMade: Bool
    /// The open folder, locked while this process runs.
    private let lock: Descriptor
    private var sockets: [String] = []
    /// The files that were created here, with their identity.
    private var files: [(path: String, file: FileIdentity)] = []
    /// Reports that something in the folder, or the folder itself, was removed or replaced.
    private let changes: Descriptor
    private var reportedRemovals: Set<String> = []

    /// Creates the folder if necessary and locks it.
    ///
    /// - Throws: `HostError` if another supervisor holds the folder, or if its owner or mode is unsafe.
    init(_ folder: String) throws(HostError) {
        paths = RunPaths(folder)
        try checkSocketPath(paths.control)
        var made = false
        lock = try Self.createAndLock(paths, &made)
        wasMade = made
        changes = try Descriptor(system_inotify_create(), from: "inotify_init", "")
        guard system_inotify_watch_removals(changes.number, folder) >= 0 else {
            throw .system(call: "inotify_add_watch", subject: folder, errno: errno)
        }
        if let file = FileIdentity(at: folder) { files.append((folder, file)) }
        if let file = FileIdentity(at: paths.pid) { files.append((paths.pid, file)) }
        for path in [paths.input, paths.app, paths.control] where unlink(path) != 0 && errno != ENOENT {
            throw .system(call: "remove", subject: path, errno: errno)
        }
    }

    deinit {
        // The folder may have been removed and created again by another group: then nothing in it belongs to this
        // object.
        guard Self.isNamed(lock, paths) else { return }
        for path in sockets { unlink(path) }
        unlink(paths.pid)
        // Journals stay, and the folder with them: they are the only record of the group.
        if wasMade { rmdir(paths.folder) }
    }

    /// Whether this open folder is still the one at the path.
    private static func isNamed(_ lock: borrowing Descriptor, _ paths: RunPaths) -> Bool {
        guard let held = FileIdentity(of: lock) else { return false }
        return held == FileIdentity(at: paths.folder)
    }

    /// A descriptor that is readable when something may have been removed.
    var descriptor: Int32 { changes.number }

    /// The created files that are missing or replaced now; each is reported once.
    func removals() -> [String] {
        system_inotify_clear(changes.number)
        var removed: [String] = []
        for (path, file) in files where FileIdentity(at: path) != file && reportedRemovals.insert(path).inserted {
            removed.append(path)
        }
        // If the folder itself is gone, its content needs no report.
        return removed.first == paths.folder ? [paths.folder] : removed
    }

    private static func createAndLock(_ paths: RunPaths, _ made: inout Bool) throws(HostError) -> Descriptor {
        var attempts = 0
        while true {
            made = mkdir(paths.folder, 0o700) == 0
            if !made && errno != EEXIST { throw .system(call: "mkdir", subject: paths.folder, errno: errno) }
            do throws(HostError) {
                try checkFolder(paths.folder)
                return try lock(paths)
            } catch {
                if made { rmdir(paths.folder) }
                attempts += 1
                // Another group was ending and removed its folder in the meantime.
                if case .system(_, _, ENOENT) = error, attempts < 3 { continue }
                throw error
            }
        }
    }

    fileprivate static func checkFolder(_ folder: String) throws(HostError) {
        var status = stat()
        // `lstat` follows a symbolic link that ends with a slash.
        var name = folder[...]
        while name.count > 1, name.hasSuffix("/") || name.hasSuffix("/.") { name.removeLast() }
        guard lstat(String(name), &status) == 0 else { throw .system(call: "stat", subject: folder, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory(folder) }
        guard status.st_uid == geteuid() else {
            throw .unsafeRunDirectory(folder, why: "belongs to user \(status.st_uid)")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw .unsafeRunDirectory(folder, why: "is open to other users (mode \(mode))")
        }
    }

    /// Milliseconds to wait for the holder of the lock.
    ///
    /// `ended` applies to a holder that has ended, until its last thread is gone; `other` if its end cannot be seen
    /// yet.
    private static let lockWaitLimits = (ended: 1000, other: 100)

    private static func lock(_ paths: RunPaths) throws(HostError) -> Descriptor {
        var waits = 0
        while true {
            let folder = try Descriptor(
                open(paths.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW), from: "open", paths.folder)
            if flock(folder.number, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK else { throw .system(call: "flock", subject: paths.folder, errno: errno) }
                let holder = holder(of: paths)
                // The lock of a killed supervisor ends with the last of its threads.
                guard waits < (holder > 0 && isEnded(holder) ? lockWaitLimits.ended : lockWaitLimits.other) else {
                    throw .alreadyRunning(pid: holder, runDirectory: paths.folder)
                }
                waits += 1
                usleep(1000)
                continue
            }
            // The last holder may have removed the folder between the open and the lock.
            guard isNamed(folder, paths) else { continue }
            let file = try Descriptor(
                open(paths.pid, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600), from: "open", paths.pid)
            let text = Array("\(getpid())\n".utf8)
            guard ftruncate(file.number, 0) == 0, pwrite(file.number, text, text.count, 0) == text.count else {
                let failure = errno
                unlink(paths.pid)
                throw .system(call: "write", subject: paths.pid, errno: failure)
            }
            return folder
        }
    }

    /// The process that holds the folder: from its pid file, or, if that was removed, from its socket.
    private static func holder(of paths: RunPaths) -> Int32 {
        // The holder writes its pid a moment after it has locked the folder.
        for _ in 0..<50 {
            let number = open(paths.pid, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard number >= 0 else { break }
            let holder = pid(in: Descriptor(number))
            if holder != 0 { return holder }
            usleep(1000)
        }
        return listener(at: paths.control)?.pid ?? 0
    }

    private static func pid(in file: borrowing Descriptor) -> Int32 {
        var text = [UInt8](repeating: 0, count: 16)
        let count = pread(file.number, &text, text.count, 0)
        let digits = text.prefix(max(0, count)).prefix { (48...57).contains($0) }
        return Int32(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    /// The paths of the folder as this process holds it, even if it is moved.
    var heldPaths: RunPaths { RunPaths("/proc/self/fd/\(lock.number)") }

    /// Opens the folder for a process's journals, and creates it if necessary, even if the run directory has moved.
    func journals(of peer: Peer) throws(HostError) -> JournalFolder {
        try JournalFolder(of: peer, in: paths, held: lock.number)
    }

    /// Binds a socket, which is removed together with this object.
    func listen(_ path: String) throws(HostError) -> Descriptor {
        let socket = try listening(at: path)
        sockets.append(path)
        if let file = FileIdentity(at: path) { files.append((path, file)) }
        return socket
    }

    /// Opens a descriptor of a bound socket, by which a process can connect even after its path was moved or removed.
    func openSocket(at path: String) throws(HostError) -> BoundSocket {
        BoundSocket(try Descriptor(system_open_place(path), from: "open", path))
    }
}

/// The identity of a file independent of its path: see `system_file`.
private struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64
    private let changed: Int64

    private init(_ file: system_file) { (device, number, changed) = (file.device, file.number, file.changed) }

    init?(at path: String) {
        var file = system_file()
        guard system_file_at(path, &file) == 0 else { return nil }
        self.init(file)
    }

    init?(of descriptor: borrowing Descriptor) {
        var file = system_file()
        guard system_file_of(descriptor.number, &file) == 0 else { return nil }
        self.init(file)
    }
}

/// Creates a folder that only this user can use, unless it exists.
func makeFolder(_ path: String) throws(HostError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(call: "mkdir", subject: path, errno: errno) }
}

/// Checks that a folder belongs to this user and that no other user can read it.
func checkFolder(_ folder: String) throws(HostError) { try RunDirectory.checkFolder(folder) }

func checkSocketPath(_ path: String) throws(HostError) {
    let length = path.utf8.count
    guard length <= RunDirectory.pathLimit else {
        throw .pathTooLong(path: path, length: length, limit: RunDirectory.pathLimit)
    }
}

/// The process that has called listen on this path, as the kernel reports it.
///
/// - Returns: Nil if the connection fails; errno has the reason, EAGAIN for a full queue.
func listener(at path: String) -> Credentials? {
    let number = system_unix_connect(path)
    guard number >= 0 else { return nil }
    let call = Descriptor(number)
    var found = Credentials(pid: 0, uid: 0)
    return system_peer(call.number, &found.pid, &found.uid) == 0 ? found : nil
}

private func listening(at path: String) throws(HostError) -> Descriptor {
    try checkSocketPath(path)
    // A group of a hundred apps may connect at once while the server restarts.
    return try Descriptor(system_unix_listen(path, 512), from: "bind", path)
}
