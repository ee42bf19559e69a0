// AllowList.swift: which keys may join, and which app each of them is.
//
//     <folder>/app9.pub   public <key>        whoever holds the secret of this key is app 9
//
// The folder is the list: a file put there lets somebody in within a moment, one taken away keeps them out from their next
// connection on. Whoever may write there, or into one of its files, may let anybody in, so all of them must be this user's
// alone to write.
//
// Sources   invented, after threat T10

import Basics
import CSystem
import Glibc
import Settings
import Wire

struct AllowList: Equatable, Sendable {
    /// By number, ascending.
    private(set) var entries: [(app: AppID, key: PublicKey)] = []

    static let limit = 128
    private static let suffix = ".pub"

    static func == (a: AllowList, b: AllowList) -> Bool {
        a.entries.elementsEqual(b.entries) { $0.app == $1.app && $0.key == $1.key }
    }

    init() {}

    /// Reads the folder.
    ///
    /// - Throws: When it cannot be read or trusted, or when what it says cannot be: a file that holds no key, a key that
    ///   is two apps'.
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

    /// When something was put into the folder or taken out; nil where there is none.
    static func changed(_ folder: String) -> Instant? {
        let nanoseconds = system_modified(folder)
        return nanoseconds < 0 ? nil : Instant(nanoseconds: nanoseconds)
    }

    init(_ settings: Settings) throws(HostError) { try self.init(folder: settings[.remoteAllow]) }

    /// `app9.pub` and nothing like it: `app09.pub` would be the same app twice.
    static func app(named name: String) -> AppID? {
        guard name.hasSuffix(suffix), let peer = Peer(name.dropLast(suffix.count)), let app = peer.app,
            "\(peer)\(suffix)" == name, (1...UInt32(limit)).contains(app.rawValue)
        else { return nil }
        return app
    }

    func app(holding key: PublicKey) -> AppID? { entries.first { $0.key == key }?.app }
}
