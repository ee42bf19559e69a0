import Basics
import CSystem
import Foundation
import Hosting
import Testing
import Wire

@testable import ZeroMQHost

@Suite("Keys of apps on other machines") struct RemoteKeyTests {
    let scratch = Scratch()

    init() throws { try scratch.makeAllowList() }

    @Test("a key pair is written once, private, and never replaced")
    func files() throws {
        let key = try SecretKey.new()
        let paths = try key.write(to: scratch.folder, as: "a")
        var status = stat()
        #expect(stat(paths.secret, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try SecretKey(contentsOf: paths.secret).publicKey == key.publicKey)
        #expect(try PublicKey(contentsOf: paths.public) == key.publicKey)
        #expect(PublicKey("\(key.publicKey)") == key.publicKey)
        for taken in [paths.secret, paths.public] {
            let other = taken == paths.secret ? paths.public : paths.secret
            let before = try Data(contentsOf: URL(filePath: taken))
            unlink(other)
            #expect(
                throws: HostError.badKey(path: taken, why: "is there already: a key that is in use is not replaced")
            ) {
                try SecretKey.new().write(to: scratch.folder, as: "a")
            }
            #expect(try Data(contentsOf: URL(filePath: taken)) == before && access(other, F_OK) != 0)
            try before.write(to: URL(filePath: other))
        }
        #expect("\(key)" == "a secret key" && String(reflecting: key).contains("a secret key"))
    }

    @Test("a key file that is readable by others or malformed is refused")
    func badFiles() throws {
        let paths = try SecretKey.new().write(to: scratch.folder, as: "a")
        chmod(paths.secret, 0o640)
        #expect(throws: HostError.self) { try SecretKey(contentsOf: paths.secret) }
        chmod(paths.secret, 0o600)
        #expect(throws: HostError.self) { try PublicKey(contentsOf: paths.secret) }
        chmod(paths.public, 0o600)
        #expect(throws: HostError.self) { try SecretKey(contentsOf: paths.public) }
        #expect(throws: HostError.self) { try SecretKey(contentsOf: scratch.folder) }
        #expect(throws: HostError.self) { try SecretKey(contentsOf: "\(scratch.folder)/none") }
        let link = "\(scratch.folder)/link"
        symlink(paths.secret, link)
        #expect(throws: HostError.self) { try SecretKey(contentsOf: link) }
        for text in [
            "", "secret", "secret x", "secret \(String(repeating: "~", count: 40))",
            "secret " + String(repeating: "#", count: 40),
        ] {
            try text.write(toFile: paths.secret, atomically: false, encoding: .utf8)
            #expect(throws: HostError.self, "\(text)") { try SecretKey(contentsOf: paths.secret) }
        }
    }

    @Test("an allow-list reads appN.pub files and refuses writable or duplicate ones")
    func lists() throws {
        let folder = "\(scratch.folder)/allow"
        let (nine, two) = (try scratch.allowedKey(of: 9).publicKey, try scratch.allowedKey(of: 2).publicKey)
        for other in ["app09.pub", "app0.pub", "app129.pub", "app3.pub~", "README", "input-kit.pub", "app.pub"] {
            try "nothing".write(toFile: "\(folder)/\(other)", atomically: false, encoding: .utf8)
        }
        let list = try AllowList(folder: folder)
        #expect(list.entries.map(\.app) == [2, 9])
        #expect(list.app(holding: nine) == 9 && list.app(holding: two) == 2)
        #expect(list.app(holding: try SecretKey.new().publicKey) == nil)
        chmod(folder, 0o777)
        #expect(throws: HostError.self) { try AllowList(folder: folder) }
        chmod(folder, 0o700)
        // If others may write one file of the list, they can admit any key.
        let file = "\(folder)/app9.pub"
        for mode: mode_t in [0o664, 0o646, 0o666] {
            chmod(file, mode)
            #expect(
                throws: HostError.badKey(path: file, why: "can be written by other users: `chmod go-w` it")
            ) { try AllowList(folder: folder) }
        }
        chmod(file, 0o644)
        if geteuid() == 0 {
            chown(file, 65_534, 65_534)
            #expect(throws: HostError.badKey(path: file, why: "belongs to user 65534")) {
                try AllowList(folder: folder)
            }
            chown(file, 0, 0)
        }
        #expect(try AllowList(folder: folder) == list)
        try "public \(nine)\n".write(toFile: "\(folder)/app5.pub", atomically: false, encoding: .utf8)
        #expect(throws: HostError.self) { try AllowList(folder: folder) }
    }

    @Test("a TCP address has a numeric host and a port")
    func addresses() {
        #expect(TCPAddress("10.0.0.1:7000")?.endpoint == "tcp://10.0.0.1:7000")
        #expect(TCPAddress("[fd00::1]:7000")?.endpoint == "tcp://[fd00::1]:7000")
        for text in [
            "", ":", "localhost:7000", "10.0.0.1", "10.0.0.1:", "10.0.0.1:0", "10.0.0.1:70000", "10.0.0.1:07",
            "fd00::1:7000", "[10.0.0.1]:7000", "[fd00::1]7000", "*:7000", "10.0.0.1:+7", "tcp://10.0.0.1:7000",
        ] {
            #expect(TCPAddress(text) == nil, "\(text)")
        }
    }

    @Test(
        "T7: an app of another machine may open only TCP sockets",
        .enabled(if: system_is_sanitized() == 0))
    func confined() {
        func outcome(_ attempt: Int, _ may: Int) -> Int32 {
            system_attempt_confined(Int32(attempt), scratch.folder, Int32(may))
        }
        #expect(outcome(system_attempt_network, system_may_call_tcp) == 0)
        for refused in [
            system_attempt_local, system_attempt_datagram, system_attempt_raw, system_attempt_signal,
            system_attempt_code,
        ] {
            #expect(outcome(refused, system_may_call_tcp) == EPERM, "\(refused)")
        }
        #expect(outcome(system_attempt_network, 0) == EPERM)
        #expect(outcome(system_attempt_program, system_may_call_tcp) == 256 + SIGSYS)
    }
}

extension Scratch {
    /// Makes the folder of allowed keys.
    func makeAllowList() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/allow", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// Makes a key that is allowed for this app.
    func allowedKey(of app: UInt32) throws -> SecretKey {
        let key = try SecretKey.new()
        try "public \(key.publicKey)\n".write(
            toFile: "\(folder)/allow/app\(app).pub", atomically: true, encoding: .utf8)
        return key
    }
}
