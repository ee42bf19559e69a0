// HostError.swift: the failures of the operating system or libzmq, in one line, with the remedy.

/// A process cannot run as requested. At fault: the machine, or the given folder, socket or program.
///
/// No case is a peer's fault: peers' errors are `Refusal`s, which the core handles.
public enum HostError: Error, Hashable, Sendable {
    /// A call of libzmq failed. `errno` is libzmq's, which extends the system's.
    case zeroMQ(call: String, endpoint: String, errno: Int32)
    /// A call of the operating system failed on this path, peer or descriptor.
    case system(call: String, subject: String, errno: Int32)
    /// The path of a unix socket has no room in `sockaddr_un`; lengths in bytes.
    case pathTooLong(path: String, length: Int, limit: Int)
    /// Another supervisor holds the run directory.
    case alreadyRunning(pid: Int32, runDirectory: String)
    /// The folder belongs to another user, or is open to others.
    case unsafeRunDirectory(String, why: String)
    case notADirectory(String)
    /// A program of the group is missing or cannot be run.
    case cannotStart(String, errno: Int32)
    /// A process of another user listens on this socket.
    case foreignListener(path: String, user: UInt32)
    /// The supervisor has its limit of controllers; its pid, if it could be asked.
    case tooManyControllers(runDirectory: String, pid: Int32?)
    /// No process serves this run directory's sockets.
    case noGroup(runDirectory: String)
    /// A process listens but sent nothing for this many milliseconds; its pid, if it holds the folder.
    case noAnswer(runDirectory: String, pid: Int32?, milliseconds: Int)
    /// The group ended during the conversation.
    case groupEnded(runDirectory: String)
    /// The process was started neither by a supervisor nor with a run directory. The command starts it with a supervisor.
    case noLink(program: String, command: String)
    /// The supervisor's first frame was not a launch order.
    case badLaunch(String)
    case badAffinity(String)
    /// A key file that cannot be used or trusted.
    case badKey(path: String, why: String)
    /// The server of another machine refuses this app.
    case joinRefused(address: String, why: String)
    /// The name of another machine's server does not exist.
    case unknownName(address: String, why: String)
}

extension HostError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .zeroMQ(let call, let endpoint, let errno):
            "\(call) on \(endpoint): \(zeroMQText(errno))\(hint(errno, about: endpoint))"
        case .system(let call, let subject, let errno):
            "\(call) \(subject): \(systemText(errno))\(hint(errno, about: subject))"
        case .pathTooLong(let path, let length, let limit):
            "\(path) is \(length) bytes long and a unix socket's path at most \(limit): choose a shorter --run-dir"
        case .alreadyRunning(0, let directory):
            "a group is already running on \(directory): stop it, or choose another --run-dir"
        case .alreadyRunning(let pid, let directory):
            "a group is already running on \(directory) (pid \(pid)): stop it, or choose another --run-dir"
        case .unsafeRunDirectory(let directory, let why):
            "\(directory) \(why): choose another --run-dir, such as one that does not exist yet"
        case .notADirectory(let path): "\(path) is no folder: choose another --run-dir"
        case .foreignListener(let path, let user):
            "a process of user \(user) listens on \(path): choose another --run-dir"
        case .tooManyControllers(let directory, let pid):
            "the supervisor on \(directory)\(pid.map { ", pid \($0)," } ?? "") lets no more commands in: "
                + "it has as many connections as it may have; end other commands, and try again"
        case .noGroup(let directory): "no group is running on \(directory): start one with `touchline up`"
        // The path is last, because a narrow terminal cuts the end.
        case .cannotStart(let path, let errno): "\(systemText(errno)): \(path)"
        case .noAnswer(let directory, let pid?, let milliseconds):
            "the supervisor on \(directory), pid \(pid), has not answered for \(milliseconds) ms: "
                + "`kill -9 \(pid)` ends it and everything it started"
        case .noAnswer(let directory, nil, let milliseconds):
            "the process that listens on \(directory) has not answered for \(milliseconds) ms: choose another --run-dir"
        case .groupEnded(let directory): "the group on \(directory) has ended"
        case .noLink(let program, let command):
            "\(program) is started by `\(command)`; give --run-dir to start it alone"
        case .badLaunch(let why): "the supervisor's launch order cannot be used: \(why)"
        case .badAffinity(let text):
            "host.affinity: expected CPUs this process may use, such as 0 or 0,1, found \(text)"
        case .badKey(let path, let why): "\(path) \(why)"
        case .joinRefused(let address, let why): "the server at \(address): \(why)"
        case .unknownName(let address, let why):
            "--join: \(address) does not resolve: \(why); `getent ahosts NAME` shows what this machine knows"
        }
    }
}
