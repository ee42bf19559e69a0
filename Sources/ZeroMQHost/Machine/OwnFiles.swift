// OwnFiles.swift: the files that a process of a group has business with, and no others.
//
//     every process   writes  journal/<peer>/, which it has open; trace/<peer>.trace
//                     reads   what the C library reads of the system: time zones, CPUs
//     app             reads   its scene, for the checksum in its journal; what it shows was read before
//     input-kit       reads   the folders of its live devices; a recording is handed to it, open (GrantedFile)
//     system-server   reads   its key, the list of those who may join, /proc (who a caller is)
//
// So a process that was taken over reads no other's journal, no key and nothing of a home folder, and takes no socket's place. What is
// open already, its program's libraries for one, stays so.
//
// Feeds     Landlock, where the kernel has it
//
// Sources   invented, after threat T7

import CSystem
import Glibc
import Settings
import Wire

struct OwnFiles {
    private(set) var writable: [String] = []
    private(set) var readable = ["/dev/null", "/etc/localtime", "/usr/share/zoneinfo", "/sys/devices/system/cpu"]

    /// Makes what of it is to be there before the process is confined.
    ///
    /// - Parameter journals: Its own folder of them; nil for none.
    init(_ order: LaunchOrder, _ settings: Settings, journals: JournalFolder?) {
        let paths = RunPaths(order.runDirectory)
        if let journals { writable.append(journals.heldPath) }
        // Made now: afterwards nothing is made there. Where it cannot be, the host says so when it opens it.
        if settings[.hostTrace] == .file, (try? TraceWriter(order.peer, in: paths)) != nil {
            writable.append(paths.trace(of: order.peer))
        }
        switch order.peer.role {
        case .app: allow(settings, .appScene)
        case .inputKit: readable += Self.deviceFolders(settings)
        case .systemServer:
            readable.append("/proc")
            allow(settings, .remoteKey)
            allow(settings, .remoteAllow)
        case .supervisor, .controller: break
        }
    }

    /// Of an app that has joined another machine's group, whose number it does not know yet: its folder is its own.
    init(joiningFrom folder: String, _ settings: Settings) {
        if !folder.isEmpty { writable.append(folder) }
        allow(settings, .appScene)
    }

    private mutating func allow(_ settings: Settings, _ key: Settings.Key<String>) {
        let path = settings[key]
        if !path.isEmpty { readable.append(path) }
    }

    /// A device may come and go: its node is another each time, and what describes it lies beside it.
    private static func deviceFolders(_ settings: Settings) -> [String] {
        let (devices, directory) = (settings[.deviceOpen], settings[.deviceDirectory])
        guard devices != "all" else { return directory.isEmpty ? ["/dev"] : [directory] }
        return devices.split(separator: ",").map { path in
            let end = path.lastIndex(of: "/") ?? path.startIndex
            return end == path.startIndex ? "/" : String(path[..<end])
        }
    }

    /// From here on this process opens nothing else, and its memory is nobody's to read.
    func keepTo() throws(HostError) {
        guard system_keep_secrets() == 0 else {
            throw .system(call: "prctl", subject: "PR_SET_DUMPABLE", errno: errno)
        }
        let outcome = withPaths { system_keep_to_files($0, $1, $2, $3) }
        guard outcome >= 0 else { throw .system(call: "landlock", subject: "", errno: errno) }
    }

    typealias Paths = UnsafePointer<UnsafePointer<CChar>?>

    /// - Parameter body: Called with what may be written and how many paths that is, and the same of what may be read.
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
