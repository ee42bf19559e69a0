// DeviceFolders.swift: devices that are plugged in and out, as names that appear and vanish in folders.
//
// One inotify instance watches all folders. A folder that does not exist yet (/dev/input before the first device) is
// awaited in its parent. A change of permissions is reported too: udev gives a node to its group after the kernel made
// it. When the kernel reports lost events, all folders are read again.
//
// Sources   documented  inotify(7)

import CSystem
import Glibc
import Hosting

/// The folders in which devices appear.
struct DeviceFolders: ~Copyable {
    private struct Folder {
        var path: String
        /// The awaited names; empty for every name of a device.
        var names: [String]
        /// The folder's own watch; nil while the folder does not exist.
        var watch: Int32?
        /// The watch of the parent until then, and the folder's name in it.
        var awaited: (watch: Int32, name: String)?
        /// The names that are present, as last reported.
        var present: [String] = []

        func isWatched(_ name: String) -> Bool { names.isEmpty ? isDeviceName(name) : names.contains(name) }
    }

    private let inotify: Descriptor
    private var folders: [Folder] = []
    private let changes: UnsafeMutablePointer<system_change>
    /// The most names reported for one folder: a folder of arbitrary files is not a folder of devices.
    private static let limit = 256
    private static let capacity = 32

    var descriptor: Int32 { inotify.number }

    init() throws(HostError) {
        inotify = try Descriptor(system_inotify_create(), from: "inotify_init", "")
        changes = .allocate(capacity: Self.capacity)
    }

    deinit { changes.deallocate() }

    /// Watches a folder.
    ///
    /// - Parameter news: Receives the devices that are there already.
    mutating func watch(_ path: String, names: [String], into news: inout [DeviceNotice]) {
        // `devices/` is the same as `devices`: an event of the parent has no slash.
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        folders.append(Folder(path: path, names: names))
        beginWatch(of: folders.count - 1, into: &news)
    }

    private mutating func beginWatch(of index: Int, into news: inout [DeviceNotice]) {
        let path = folders[index].path
        let watch = system_inotify_watch_folder(inotify.number, path)
        if watch >= 0 {
            (folders[index].watch, folders[index].awaited) = (watch, nil)
            return reportDifferences(of: index, into: &news)
        }
        let failure = errno
        folders[index].watch = nil
        let cut = path.lastIndex(of: "/")
        let above = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = cut.map { String(path[path.index(after: $0)...]) } ?? path
        if failure == ENOENT, folders[index].awaited == nil {
            let watch = system_inotify_await(inotify.number, above)
            if watch >= 0 {
                folders[index].awaited = (watch, name)
                // The folder may have appeared between the two calls.
                let late = system_inotify_watch_folder(inotify.number, path)
                if late >= 0 {
                    (folders[index].watch, folders[index].awaited) = (late, nil)
                    reportDifferences(of: index, into: &news)
                }
                return
            }
        }
        if folders[index].awaited == nil {
            news.append(.unwatched(folder: path, reason: "\(path): \(systemText(failure))"))
        }
    }

    /// Compares the folder with the reported names.
    private mutating func reportDifferences(of index: Int, into news: inout [DeviceNotice]) {
        let found = names(in: folders[index].path).filter { folders[index].isWatched($0) }.prefix(Self.limit)
        for name in folders[index].present where !found.contains(name) {
            news.append(.vanished(path: "\(folders[index].path)/\(name)"))
        }
        for name in found where !folders[index].present.contains(name) {
            news.append(.appeared(path: "\(folders[index].path)/\(name)"))
        }
        folders[index].present = Array(found)
    }

    /// Reads the changes.
    ///
    /// - Returns: Whether there may be more; the loop serves other descriptors first.
    mutating func readChanges(into news: inout [DeviceNotice]) -> Bool {
        for _ in 0..<Self.readsAtOnce {
            let count = system_inotify_next(inotify.number, changes, Int32(Self.capacity))
            guard count > 0 else { return false }
            for place in 0..<Int(count) { handle(changes[place], into: &news) }
        }
        return true
    }

    private static let readsAtOnce = 4

    private mutating func handle(_ change: system_change, into news: inout [DeviceNotice]) {
        var change = change
        let name = withUnsafeBytes(of: &change.name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let eventMask = Int(change.what)
        for index in folders.indices {
            if eventMask & Int(system_overflowed) != 0 {
                if folders[index].watch != nil {
                    reportDifferences(of: index, into: &news)
                } else {
                    beginWatch(of: index, into: &news)
                }
                continue
            }
            if folders[index].awaited?.watch == change.watch {
                if eventMask & Int(system_came) != 0, folders[index].awaited?.name == name {
                    beginWatch(of: index, into: &news)
                }
                continue
            }
            guard folders[index].watch == change.watch else { continue }
            if eventMask & Int(system_ended) != 0 {
                folderWasRemoved(index, into: &news)
            } else {
                handle(eventMask, name: name, folder: index, into: &news)
            }
        }
    }

    private mutating func handle(_ what: Int, name: String, folder index: Int, into news: inout [DeviceNotice]) {
        guard folders[index].isWatched(name) else { return }
        let path = "\(folders[index].path)/\(name)"
        let isKnown = folders[index].present.contains(name)
        if what & Int(system_went) != 0 {
            guard isKnown else { return }
            folders[index].present.removeAll { $0 == name }
            news.append(.vanished(path: path))
        } else {
            guard isKnown || folders[index].present.count < Self.limit else { return }
            if !isKnown { folders[index].present.append(name) }
            news.append(.appeared(path: path))
        }
    }

    /// Handles the removal of a folder and all its devices; it may appear again.
    private mutating func folderWasRemoved(_ index: Int, into news: inout [DeviceNotice]) {
        if let watch = folders[index].watch { system_inotify_forget(inotify.number, watch) }
        for name in folders[index].present { news.append(.vanished(path: "\(folders[index].path)/\(name)")) }
        (folders[index].watch, folders[index].present) = (nil, [])
        beginWatch(of: index, into: &news)
    }
}

/// Whether a name is a device's, such as `event3` or `hidraw0`.
func isDeviceName(_ name: String) -> Bool {
    for prefix in ["event", "hidraw"] where name.hasPrefix(prefix) {
        let digits = name.utf8.dropFirst(prefix.utf8.count)
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
    return false
}

/// The names in a folder. Shorter names come first, so that devices are in the order of their numbers.
func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
}
