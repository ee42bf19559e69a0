// Children.swift: one child process: its start, its link, its end.

import Basics
import CSystem
import Glibc
import Hosting
import Settings
import Wire

/// A running child of a supervisor.
final class Child {
    let peer: Peer
    let pid: Int32
    let channel: PacketChannel
    /// The digest of the child's pass. Only the child has the pass itself.
    let seal: Seal
    private let handle: Descriptor

    private init(_ peer: Peer, pid: Int32, handle: consuming Descriptor, channel: PacketChannel, seal: Seal) {
        (self.peer, self.pid, self.channel, self.seal) = (peer, pid, channel, seal)
        self.handle = handle
    }

    /// A descriptor that is readable once the child has ended.
    var descriptor: Int32 { handle.number }

    /// The longest slice that the kernel accepts, in nanoseconds. Other threads of the group have a shorter one, so
    /// they need not wait while a child loads.
    private static let loadingSlice: Int64 = 100_000_000

    /// Starts a program. Its link already contains the launch order and the pass; its output goes through a pipe.
    ///
    /// - Parameters:
    ///   - descriptors: The descriptors that it inherits, from number 4 on.
    ///   - setsSlice: Whether it sets its own slice (host.timeSlice) once it is loaded. Until then it has the longest.
    static func start(
        _ order: LaunchOrder, program: String, inheriting descriptors: [Int32], setsSlice: Bool
    ) throws(HostError) -> (child: Child, output: ChildOutput) {
        var pipe: [Int32] = [0, 0]
        guard system_output_pipe(&pipe) == 0 else {
            throw .system(call: "pipe", subject: "\(order.peer)", errno: errno)
        }
        let reading = Descriptor(pipe[0])
        let writing = Descriptor(pipe[1])
        var ends: [Int32] = [0, 0]
        guard system_packet_pair(&ends) == 0 else {
            throw .system(call: "socketpair", subject: "\(order.peer)", errno: errno)
        }
        let ours = Descriptor(ends[0])
        let theirs = Descriptor(ends[1])
        var ignored: [Input] = []
        let channel = PacketChannel(ours, to: order.peer, for: .supervisor)
        let frame = Frame(epoch: order.epoch, generation: 0, sequence: .zero, message: .launch(order))
        channel.send(frame.encoded(), into: &ignored)
        let pass = try newPass()
        channel.send(pass.packet, into: &ignored)

        var pid: Int32 = 0
        // A child inherits the slice of the thread that starts it.
        let slice = setsSlice ? system_slice(0) : 0
        if slice > 0 { _ = system_set_slice(loadingSlice) }
        defer { if slice > 0 { _ = system_set_slice(slice) } }
        let failure = withArguments([program]) { arguments in
            withArguments(environment(of: ownEnvironment)) { environment in
                system_spawn(
                    program, arguments, environment, [theirs.number] + descriptors, Int32(1 + descriptors.count),
                    writing.number, &pid)
            }
        }
        guard failure == 0 else { throw .cannotStart(program, errno: failure) }
        let handle = try Descriptor(system_pidfd_open(pid), from: "pidfd_open", "\(order.peer)")
        let name = program.split(separator: "/").last.map(String.init) ?? program
        let output = ChildOutput(reading, of: order.peer, program: name, pid: pid)
        return (Child(order.peer, pid: pid, handle: handle, channel: channel, seal: pass.seal), output)
    }

    private static func newPass() throws(HostError) -> Pass {
        var secret = [UInt8](repeating: 0, count: Pass.secretSize)
        guard system_random(&secret, secret.count) == 0 else {
            throw .system(call: "getrandom", subject: "a pass", errno: errno)
        }
        return Pass(secret: secret)
    }

    func signal(_ signal: ChildSignal) {
        switch signal {
        case .terminate: system_pidfd_signal(handle.number, SIGTERM)
        case .kill: system_pidfd_signal(handle.number, SIGKILL)
        }
    }

    /// The exit status; nil while the child runs.
    func reap() -> ExitStatus? {
        var wasSignalled: Int32 = 0
        var code: Int32 = 0
        guard system_pidfd_reap(handle.number, &wasSignalled, &code) == 1 else { return nil }
        return wasSignalled != 0 ? .signalled(code) : .exited(code)
    }

    /// Kills the child and waits for its end.
    func end() {
        signal(.kill)
        var item = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
        while reap() == nil { poll(&item, 1, 100) }
    }

    /// The path of the program that an order starts: one in the folder of programs, or the app's own
    /// (`app.executable`).
    static func program(for order: LaunchOrder, in folder: String) -> String {
        switch order.peer.role {
        case .inputKit: return "\(folder)/input-kit"
        case .systemServer: return "\(folder)/system-server"
        case .app:
            let own = order.settings.last { $0.key == Settings.name(of: .appExecutable) }?.value ?? ""
            return own.isEmpty ? "\(folder)/app" : own
        case .supervisor, .controller: preconditionFailure("no process starts a \(order.peer)")
        }
    }

    /// The environment of this process as `NAME=value`, in its order.
    private static var ownEnvironment: [String] {
        var variables: [String] = []
        var entry = environ
        while let text = entry.pointee {
            variables.append(String(cString: text))
            entry += 1
        }
        return variables
    }

    /// The environment of a child: its parent's, without Swift's crash handler, which would keep a child from ending when it
    /// blocks on output.
    ///
    /// glibc keeps the freed pieces of two full shared frames at hand, unless the user has set how many of one size it
    /// keeps. By default these are 7, and the others are searched in all memory.
    static func environment(of parent: [String]) -> [String] {
        var variables = parent.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
        let (name, tunable) = ("GLIBC_TUNABLES=", "glibc.malloc.tcache_count=")
        let kept = "\(tunable)\(2 * Message.scansPerFrame)"
        if let index = variables.firstIndex(where: { $0.hasPrefix(name) }) {
            let given = variables[index].dropFirst(name.count).split { $0 == ":" }
            if !given.contains(where: { $0.hasPrefix(tunable) }) { variables[index] += ":\(kept)" }
        } else {
            variables.append(name + kept)
        }
        return variables + ["SWIFT_BACKTRACE=enable=no"]
    }
}

/// The program files that were started last, to notice when one is replaced.
struct StartedPrograms {
    private struct Identity: Equatable {
        var device, number: UInt
        var size: Int
        /// The modification time, in nanoseconds of the wall clock.
        var changed: Int64

        init?(at path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, number, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
            changed = path.withCString { system_modified($0) }
        }
    }

    private var programs: [(peer: Peer, path: String, identity: Identity)] = []

    /// Notes a program. Called before its start, so that a replacement in between is noticed.
    mutating func noteStart(of peer: Peer, at path: String) {
        programs.removeAll { $0.peer == peer }
        if let identity = Identity(at: path) { programs.append((peer, path, identity)) }
    }

    /// The peers for which the program file has been replaced, once for each replacement.
    mutating func removeReplaced() -> [Peer] {
        var peers: [Peer] = []
        for index in programs.indices {
            guard let now = Identity(at: programs[index].path), now != programs[index].identity else { continue }
            programs[index].identity = now
            peers.append(programs[index].peer)
        }
        return peers
    }
}

/// Ended children, which control.sock still refuses.
///
/// A child may have connected just before its end, and be accepted after it. After a moment a controller may have the
/// same pid.
struct EndedProcesses {
    private static let refusalDuration = Duration.seconds(1)
    private var ended: [(pid: Int32, until: Instant)] = []

    var pids: [Int32] { ended.map(\.pid) }
    var deadline: Instant? { ended.first?.until }

    mutating func add(_ pid: Int32, at now: Instant) { ended.append((pid, now.advanced(by: Self.refusalDuration))) }

    /// - Returns: Whether an entry was removed.
    mutating func expire(at now: Instant) -> Bool {
        let before = ended.count
        ended.removeAll { $0.until <= now }
        return ended.count < before
    }
}

/// The folder of this program.
func programFolder() throws(HostError) -> String {
    var path = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    guard count > 0, let slash = path[..<count].lastIndex(of: UInt8(ascii: "/")) else {
        throw .system(call: "readlink", subject: "/proc/self/exe", errno: errno)
    }
    return String(decoding: path[..<slash], as: UTF8.self)
}

func withArguments<Result>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = texts.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
