// AllowList.swift: the keys that may join, and the app of each key.
//
//     <folder>/app9.pub   public <key>        the holder of this key's secret is app 9
//
// The folder is the list. A new file admits its key within a moment; without its file, a key is refused from its next
// connection on. A process that may write to the folder or its files can admit any key. So only this user may have
// write permission.
//
// Sources   invented, after threat T10

import Basics
import CSystem
import Glibc
import Settings
import Wire

/// The public keys of a `remote.allowedKeys` folder, each with its app.
struct AllowList: Equatable, Sendable {
    /// The entries, by app number, ascending.
    private(set) var entries: [(app: AppID, key: PublicKey)] = []

    static let limit = 128
    private static let suffix = ".pub"

    static func == (a: AllowList, b: AllowList) -> Bool {
        a.entries.elementsEqual(b.entries) { $0.app == $1.app && $0.key == $1.key }
    }

    init() {}

    /// Reads the folder.
    ///
    /// - Throws: `HostError` if the folder cannot be read or has unsafe permissions, if a file holds no key, or if two
    ///   apps have one key.
    init(folder: String) throws(HostError) {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .system(call: "stat", subject: folder, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .badKey(path: folder, why: "is no folder") }
        try checkOwner(of: folder, status, isSecret: false)
        guard let entry = opendir(folder) else { throw .system(call: "open", subject: folder, errno: errno) }
        defer { closedir(entry) }
        while let found = readdir(entry) {
            let name = withUnsafePointer(to: &found.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let app = Self.app(named: name) else { continue }
            let path = "\(folder)/\(name)"
            let key = try PublicKey(contentsOf: path)
            if let other = entries.first(where: { $0.key == key }) {
                throw .badKey(path: path, why: "is app \(other.app)'s key too: a key is one app")
            }
            entries.append((app, key))
        }
        entries.sort { $0.app < $1.app }
    }

    /// The modification time of the folder; nil if there is no folder.
    static func modificationTime(of folder: String) -> Instant? {
        let nanoseconds = system_modified(folder)
        return nanoseconds < 0 ? nil : Instant(nanoseconds: nanoseconds)
    }

    init(_ settings: Settings) throws(HostError) { try self.init(folder: settings[.remoteAllowedKeys]) }

    /// Parses `app9.pub`. `app09.pub` is refused, because it would name the same app twice.
    static func app(named name: String) -> AppID? {
        guard name.hasSuffix(suffix), let peer = Peer(name.dropLast(suffix.count)), let app = peer.app,
            "\(peer)\(suffix)" == name, (1...UInt32(limit)).contains(app.rawValue)
        else { return nil }
        return app
    }

    func app(holding key: PublicKey) -> AppID? { entries.first { $0.key == key }?.app }
}
