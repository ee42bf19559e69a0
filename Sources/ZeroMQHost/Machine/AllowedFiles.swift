// AllowedFiles.swift: the files that a process of a group may use.
//
//     every process   writes  journal/<peer>/, which it has open; trace/<peer>.trace
//                     reads   system files that the C library reads: time zones, CPUs
//     app             reads   its scene, for the checksum in its journal; its content was read before. With a program of
//                             its own, the program's resource bundles
//     input-kit       reads   the folders of its live and virtual devices; a recording arrives as an open file (GrantedFile)
//     system-server   reads   its key, the allow-list, /proc (to identify a caller)
//
// So a compromised process can read no other journal, no key and no home folder, and cannot replace a socket. Files
// that are open already, such as its program's libraries, stay open.
//
// Output    Landlock, where the kernel has it
//
// Sources   invented, after threat T7

import Basics
import CSystem
import Glibc
import Settings
import Trace
import Wire

/// The files that a process may open once it is confined.
struct AllowedFiles {
    private(set) var writable: [String] = []
    private(set) var readable = ["/dev/null", "/etc/localtime", "/usr/share/zoneinfo", "/sys/devices/system/cpu"]

    /// Determines the files, and creates the missing ones before the process is confined.
    ///
    /// - Parameter journals: The process's own journal folder; nil without one.
    init(_ order: LaunchOrder, _ settings: Settings, journals: JournalFolder?) {
        let paths = RunPaths(order.runDirectory)
        if let journals { writable.append(journals.heldPath) }
        // The file is created now, because a confined process cannot create one. If this fails, the host reports it
        // when it opens the file.
        let origin = TraceOrigin(.boot, isGroupStart: false)
        if settings[.hostTrace] == .file, (try? TraceWriter(order.peer, in: paths, since: origin)) != nil {
            writable.append(paths.trace(of: order.peer))
        }
        switch order.peer.role {
        case .app:
            allow(settings, .appScene)
            readable += Self.resourceBundles(besides: settings[.appExecutable])
        case .inputKit:
            readable += Self.deviceFolders(settings)
            if settings[.deviceVirtual] {
                // A folder that appears after the confinement could not be read. If this fails, the host reports it
                // when it watches the folder.
                try? makeFolder(paths.devices)
                readable.append(paths.devices)
            }
        case .systemServer:
            readable.append("/proc")
            allow(settings, .remoteSecretKey)
            allow(settings, .remoteAllowedKeys)
        case .supervisor, .controller: break
        }
    }

    /// For an app that joins another machine's group: it does not know its number yet, so it may write to its whole
    /// folder.
    init(joiningFrom folder: String, _ settings: Settings) {
        if !folder.isEmpty { writable.append(folder) }
        allow(settings, .appScene)
        readable += Self.resourceBundles(besides: settings[.appExecutable])
    }

    private mutating func allow(_ settings: Settings, _ key: Settings.Key<String>) {
        let path = settings[key]
        if !path.isEmpty { readable.append(path) }
    }

    /// The folders that SwiftPM makes of a package's resources (`Bundle.module`), beside the program.
    private static func resourceBundles(besides program: String) -> [String] {
        guard let slash = program.lastIndex(of: "/") else { return [] }
        let folder = program[..<slash]
        guard let stream = opendir("\(folder)/") else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".resources") { found.append("\(folder)/\(name)") }
        }
        return found
    }

    /// A device may be unplugged and plugged in again under another node, and its description lies beside the node.
    private static func deviceFolders(_ settings: Settings) -> [String] {
        let (devices, directory) = (settings[.deviceOpen], settings[.deviceDirectory])
        guard devices != "all" else { return directory.isEmpty ? ["/dev"] : [directory] }
        return devices.split(separator: ",").map { path in
            let end = path.lastIndex(of: "/") ?? path.startIndex
            return end == path.startIndex ? "/" : String(path[..<end])
        }
    }

    /// Confines this process: it can open no other files, and no other process can read its memory.
    ///
    /// - Throws: `HostError` if the kernel refuses.
    func confineProcess() throws(HostError) {
        guard system_keep_secrets() == 0 else {
            throw .system(call: "prctl", subject: "PR_SET_DUMPABLE", errno: errno)
        }
        let outcome = withPaths { system_keep_to_files($0, $1, $2, $3) }
        guard outcome >= 0 else { throw .system(call: "landlock", subject: "", errno: errno) }
    }

    typealias Paths = UnsafePointer<UnsafePointer<CChar>?>

    /// Passes the paths to `body` as C strings.
    ///
    /// - Parameter body: Called with the writable paths and their count, then the readable paths and their count.
    func withPaths<Result>(_ body: (Paths, Int, Paths, Int) -> Result) -> Result {
        withArguments(writable) { writable in
            withArguments(readable) { readable in
                let count = (self.writable.count, self.readable.count)
                return writable.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: count.0 + 1) { first in
                    readable.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: count.1 + 1) { second in
                        body(first, count.0, second, count.1)
                    }
                }
            }
        }
    }
}
