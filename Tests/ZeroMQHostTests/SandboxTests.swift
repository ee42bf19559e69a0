import Basics
import CSystem
import Foundation
import Hosting
import Settings
import Testing
import Wire

@testable import ZeroMQHost

/// What a compromised process could still do, tried in a process that is confined like those of a group.
@Suite("The limits of a confined process") struct SandboxTests {
    let scratch = Scratch()

    @Test(
        "T7: a confined process dies of fatal calls; needless ones are refused",
        .enabled(if: system_is_sanitized() == 0))
    func confined() {
        func outcome(_ attempt: Int) -> Int32 { system_attempt_confined(Int32(attempt), scratch.folder, 0) }
        for fatal in [system_attempt_program, system_attempt_fork, system_attempt_trace] {
            #expect(outcome(fatal) == 256 + SIGSYS, "\(fatal)")
        }
        for refused in [
            system_attempt_network, system_attempt_code, system_attempt_signal, system_attempt_ioctl,
            system_attempt_folder, system_attempt_move,
        ] {
            #expect(outcome(refused) == EPERM, "\(refused)")
        }
        for allowed in [system_attempt_local, system_attempt_write_inside] {
            #expect(outcome(allowed) == 0, "\(allowed)")
        }
        // Landlock refuses these, if the kernel has it.
        for refused in [system_attempt_write, system_attempt_read] {
            #expect(outcome(refused) == EACCES || system_landlock_version() == 0, "\(refused)")
        }
        unlink("/tmp/touchline-confined")
    }

    @Test(
        "T7: a confined process opens its own files and no others",
        .enabled(if: system_is_sanitized() == 0 && system_landlock_version() > 0, "this kernel has no Landlock"))
    func ownFiles() throws {
        let (paths, files) = (scratch.paths, try GroupFiles(in: scratch))
        let peers = GroupFiles.peers
        for peer in peers {
            let order = LaunchOrder(
                peer: peer, epoch: 1, generation: 1, runDirectory: scratch.folder, settings: files.settings.changed)
            let journals = try JournalFolder(of: peer, in: paths)
            let own = AllowedFiles(order, files.settings, journals: journals)
            func outcome(_ attempt: Int, _ path: String) -> Int32 {
                own.withPaths { system_attempt_with(Int32(attempt), path, $0, $1, $2, $3) }
            }
            // Landlock refuses, or the filter does for calls that no process of the group makes.
            func isRefused(_ attempt: Int, _ path: String) -> Bool { [EACCES, EPERM].contains(outcome(attempt, path)) }
            let reading = [system_attempt_open]
            let changing = [
                system_attempt_change, system_attempt_cut, system_attempt_remove, system_attempt_rename,
            ]
            // The process may do anything to its own files but rename them.
            let folder = paths.journals(of: peer)
            #expect(outcome(system_attempt_list, folder) == 0)
            #expect(outcome(system_attempt_make, "\(folder)/\(peer).1.1.journal") == 0)
            for attempt in [system_attempt_open, system_attempt_change, system_attempt_cut, system_attempt_remove] {
                #expect(outcome(attempt, "\(folder)/\(peer).1.1.journal") == 0, "\(peer) \(attempt)")
            }
            #expect(outcome(system_attempt_change, paths.trace(of: peer)) == 0)
            // Files of other processes.
            for other in peers where other != peer {
                let journal = "\(paths.journals(of: other))/\(other).1.0.journal"
                for attempt in reading + changing { #expect(isRefused(attempt, journal), "\(peer) \(attempt)") }
                #expect(outcome(system_attempt_list, paths.journals(of: other)) == EACCES)
                #expect(outcome(system_attempt_make, "\(paths.journals(of: other))/x") == EACCES)
            }
            // Sockets of the group.
            for attempt in changing { #expect(isRefused(attempt, paths.control), "\(peer) \(attempt)") }
            #expect(outcome(system_attempt_make, "\(scratch.folder)/supervisor.pid") == EACCES, "\(peer)")
            // The filter refuses: no process of the group makes links.
            #expect(outcome(system_attempt_link, "\(folder)/link") == EPERM, "\(peer)")
            // Sockets of other programs: an absolute path is too long, and no socket can be bound to a path.
            let bus = "\(scratch.folder)/bus"
            #expect(outcome(system_attempt_connect, bus) == EPERM, "\(peer)")
            #expect(outcome(system_attempt_place, bus) == EPERM, "\(peer)")
            #expect(outcome(system_attempt_connect, "/proc/self/fd/4") == EPERM, "\(peer)")
            // Files of this user.
            for path in [files.neighbour, "/etc/passwd", "/proc/self/environ", "/proc/\(getppid())/cmdline"] {
                let isAllowed = path.hasPrefix("/proc") && peer == .systemServer
                #expect((outcome(system_attempt_open, path) == 0) == isAllowed, "\(peer) \(path)")
            }
            for (path, reader) in files.readers {
                #expect(outcome(system_attempt_open, path) == (peer.role == reader ? 0 : EACCES), "\(peer) \(path)")
                for attempt in changing { #expect(isRefused(attempt, path), "\(peer) \(path)") }
            }
        }
    }

    @Test(
        "T7: a confined process connects to its server's socket only",
        .enabled(if: system_is_sanitized() == 0))
    func onlyItsServer() throws {
        let paths = scratch.paths
        mkdir("\(scratch.folder)/systemd", 0o700)
        let others = ["\(scratch.folder)/systemd/private", "\(scratch.folder)/bus", paths.control, paths.input]
        var listeners = try others.map { try scratch.listen($0) }
        // A name as short as the door's, in a folder of its own.
        listeners.append(try scratch.listen("\(scratch.folder)/s"))
        listeners.append(try scratch.listen(paths.app))
        defer { for listener in listeners { close(listener) } }
        func outcome(_ path: String, _ length: Int, may: Int = 0) -> Int32 {
            system_attempt_connection(paths.app, path, Int32(length), Int32(may))
        }
        let address = Int(system_door_length)
        #expect(outcome("4", address) == 0)
        // Each of these is a listening socket with zeros behind its path, or could be one.
        let climb = "../../../.."
        var attacks = others + ["systemd/private", "bus", "run/docker.sock", "/proc/self/fd/4", "s", "4"]
        attacks += others.map { climb + $0 }
        for path in attacks {
            for length in [address + 1, 16, 17, 28, 2 + path.utf8.count, 110] where length != address {
                #expect(outcome(path, length) == EPERM, "\(path) \(length)")
            }
        }
        // Of all names of one character, only the door is a socket.
        for name in ["s", "/", ".", "", "0", "1", "2", "3", "5", "6", "7", "8", "9"] {
            #expect(outcome(name, address) != 0, "\(name)")
        }
        // A joined app's path may belong to another socket by now, so every address of this form is refused for it.
        let joined = Int(system_may_call_tcp)
        for length in [address, 16, 17, 28] { #expect(outcome("4", length, may: joined) == EPERM, "\(length)") }
        #expect(system_attempt_confined(Int32(system_attempt_local), scratch.folder, Int32(joined)) == EPERM)
        #expect(system_attempt_confined(Int32(system_attempt_network), scratch.folder, Int32(joined)) == 0)
        #expect(system_attempt_confined(Int32(system_attempt_move), scratch.folder, 0) == EPERM)
    }

    @Test(
        "T7: a confined process starts threads, but not with new namespaces",
        .enabled(if: system_is_sanitized() == 0))
    func threads() {
        func outcome(_ attempt: Int) -> Int32 { system_attempt_confined(Int32(attempt), scratch.folder, 0) }
        #expect(outcome(system_attempt_thread) == 0)
        for fatal in [system_attempt_thread_namespace, system_attempt_thread_user, system_attempt_fork] {
            #expect(outcome(fatal) == 256 + SIGSYS, "\(fatal)")
        }
    }

    @Test(
        "T7: a confined process signals no process and schedules only itself",
        .enabled(if: system_is_sanitized() == 0))
    func signalling() {
        for may in [0, Int32(system_may_ask_devices)] {
            func outcome(_ attempt: Int) -> Int32 { system_attempt_confined(Int32(attempt), scratch.folder, may) }
            for refused in [
                system_attempt_owner, system_attempt_owner_ex, system_attempt_owner_signal, system_attempt_lease,
                system_attempt_device_owner, system_attempt_affinity, system_attempt_scheduler, system_attempt_priority,
                system_attempt_limits, system_attempt_thread_signal, system_attempt_queue_signal,
                system_attempt_timer_signal, system_attempt_pidfd,
            ] {
                #expect(outcome(refused) == EPERM, "\(refused)")
            }
            for allowed in [system_attempt_flags, system_attempt_own_affinity, system_attempt_own_limits] {
                #expect(outcome(allowed) == 0, "\(allowed)")
            }
        }
    }
}

/// The files around a group: each process's journal, the files that settings name, and one that no setting names.
private struct GroupFiles {
    static let peers: [Peer] = [.app(1), .app(2), .inputKit, .systemServer]

    /// The files that settings name, and the role that may read each.
    let readers: [(path: String, reader: Role)]
    let neighbour: String
    let settings: Settings

    init(in scratch: Scratch) throws {
        func file(_ path: String) throws -> String {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: URL(filePath: path))
            return path
        }
        let scene = try file("\(scratch.folder)/home/scene.yaml")
        let key = try file("\(scratch.folder)/keys/server.key")
        let list = try file("\(scratch.folder)/keys/allowed/app9.pub")
        let device = try file("\(scratch.folder)/dev/event3")
        neighbour = try file("\(scratch.folder)/home/diary.txt")
        let program = try file("\(scratch.folder)/app/MyApp")
        let picture = try file("\(scratch.folder)/app/Cards_MyApp.resources/card.png")
        readers = [
            (scene, .app), (picture, .app), (key, .systemServer), (list, .systemServer), (device, .inputKit),
        ]
        _ = try file(scratch.paths.control)
        for peer in Self.peers { _ = try file("\(scratch.paths.journals(of: peer))/\(peer).1.0.journal") }
        settings = try Settings([
            Setting(key: "app.scene", value: scene), Setting(key: "app.executable", value: program),
            Setting(key: "remote.secretKey", value: key),
            Setting(key: "remote.allowedKeys", value: "\(scratch.folder)/keys/allowed"),
            Setting(key: "device.open", value: device), Setting(key: "host.trace", value: "file"),
        ])
    }
}
