// Roles.swift: the setup of each process of a group, before it has a core.
//
//    supervisor      holds the run directory, binds the three sockets, serves control.sock
//    system-server   descriptor 3 link, 4 and 5 the listening sockets, one ROUTER on each
//    input-kit, app  descriptor 3 link, 4 the file of input.sock or app.sock, a DEALER to that; a confined process has
//                    the working directory /proc/self/fd, where the socket's path is `4`
//    each child      the last descriptor is its folder of journals
//
// With remote.listen, the server has a tcp socket more, as descriptor 6. An app of another machine has a DEALER to that
// socket and inherits no descriptor.
//
// A context is made after exec, on the thread that runs the loop, after that thread has been pinned. Its I/O thread
// inherits the pinning and the signal mask.

import Basics
import CSystem
import Glibc
import Hosting
import Journals
public import Settings
public import Wire

extension ZeroMQHost {
    /// The host of the process that starts the others: it takes the run directory and listens on its sockets.
    ///
    /// - Throws: `HostError.alreadyRunning` if another supervisor holds the folder; other errors for sockets, keys and
    ///   settings.
    public static func supervisor(_ options: SupervisorOptions) throws(HostError) -> ZeroMQHost {
        let settings = options.settings
        Output.dropWithoutWaiting()
        // The signals come before the folder, so that a signal cannot leave the folder behind.
        let signals = try Signals()
        let folder = try RunDirectory(options.runDirectory)
        system_raise_descriptor_limit()
        let programs = if let named = options.executables { named } else { try programFolder() }
        try pin(settings)
        var parts = Parts()
        parts.signals = signals
        parts.programs = programs
        parts.serverSockets = [
            ListeningSocket(try folder.listen(folder.paths.input)),
            ListeningSocket(try folder.listen(folder.paths.app)),
        ]
        if let remoteSocket = try openRemoteSocket(settings) {
            parts.serverSockets.append(ListeningSocket(remoteSocket))
            // Wrong keys and lists are detected here, before any process starts.
            _ = (try SecretKey(contentsOf: settings[.remoteSecretKey]), try AllowList(settings))
        }
        parts.inputSocket = try folder.openSocket(at: folder.paths.input)
        parts.appSocket = try folder.openSocket(at: folder.paths.app)
        let control = try folder.listen(folder.paths.control)
        parts.listeners = [
            try PeerListener(
                "ipc://\(folder.paths.control)", listener: control.release(), admitting: .sameUser(.controller),
                for: .supervisor, user: geteuid(), in: try Context(),
                allowing: TokenBucket.Limits(ofControllers: settings))
        ]
        parts.folder = folder
        parts.apps = options.apps
        // A supervisor that cannot keep a journal ends here, before any process starts.
        try setAsideJournals(in: folder.paths)
        if settings[.hostJournal] == .file { parts.journals = .open(try folder.journals(of: .supervisor)) }
        // Traces of an earlier group would be read as this group's.
        if settings[.hostTrace] == .file { removeTraces(in: folder.paths) }
        return try ZeroMQHost(
            order: firstOrder(.supervisor, options.runDirectory, settings), settings: settings, parts: parts)
    }

    /// The host of a process that a supervisor started: its link is descriptor 3, with the launch order as first frame.
    ///
    /// - Parameters:
    ///   - program: The name of the process, for its errors.
    ///   - command: The command that starts such a process, for its errors.
    ///   - prepare: Called while the process may still open any file.
    /// - Throws: `HostError.noLink` if no supervisor started this process.
    public static func child(
        of program: String, startedBy command: String = "touchline up", preparing prepare: (Settings) -> Void = { _ in }
    ) throws(HostError) -> (host: ZeroMQHost, order: LaunchOrder) {
        guard system_is_packet_socket(3) == 1 else { throw .noLink(program: program, command: command) }
        // This call is first: from here on this process ends with its supervisor.
        system_die_with_parent()
        Output.dropWithoutWaiting()
        let link = Descriptor(3)
        var parent = Credentials(pid: 0, uid: 0)
        guard system_peer(link.number, &parent.pid, &parent.uid) == 0, parent.pid == getppid() else {
            throw .badLaunch("the supervisor is gone")
        }
        system_close_on_exec(link.number)
        system_no_new_privileges()
        system_raise_descriptor_limit()
        let order = try PacketChannel.launchOrder(on: link)
        let settings = try checked(order)
        // Confinement comes before there is a secret to keep, and before there is a second thread.
        prepare(settings)
        let journals = inheritedJournals(order, settings)
        limitFiles(settings)
        // A confined process cannot read the limits of its control group.
        let isRationed = awake_is_rationed() == 1
        if isConfined(settings) { try AllowedFiles(order, settings, journals: journals).confineProcess() }
        let pass = try PacketChannel.pass(on: link)
        try pin(settings)

        var parts = Parts()
        parts.signals = try Signals()
        parts.holdsCPU = prepareHold(settings, of: order.peer, isRationed: isRationed)
        parts.journals = journals.map { .open($0) } ?? .none
        let paths = RunPaths(order.runDirectory)
        let (role, context) = (order.peer.role, try Context())
        let heartbeat = settings[.hostHeartbeatTimeout]
        parts.supervisor = PacketChannel(link, to: .supervisor, for: role)
        switch role {
        case .systemServer:
            let (limits, transport) = (TokenBucket.Limits(settings), settings[.hostTransport])
            parts.listeners = [
                try PeerListener(
                    "ipc://\(paths.input)", listener: 4, admitting: .roster(.inputKit), for: role, user: geteuid(),
                    in: context, heartbeat: heartbeat, allowing: limits, over: transport),
                try PeerListener(
                    "ipc://\(paths.app)", listener: 5, admitting: .roster(.app), for: role, user: geteuid(),
                    in: context, heartbeat: heartbeat, allowing: limits, over: transport),
            ]
            if !settings[.remoteListen].isEmpty {
                parts.listeners.insert(try remoteListener(6, order, settings), at: 0)
            }
        case .inputKit, .app:
            guard system_is_place(Int32(system_door_descriptor)) == 1 else {
                throw .badLaunch("the socket of its server did not come with it")
            }
            // The file is read by its path, which may be relative, before the working directory changes.
            if role == .app { parts.content = checksum(ofFile: settings[.appScene]) }
            let path = try serverSocketPath(for: role, settings)
            let link = try ServerLink(
                "ipc://\(path)", to: .systemServer, trusting: .listener(parent),
                showing: pass, for: role, in: context, heartbeat: heartbeat)
            try parts.attach(link, settings: settings, role: role)
            parts.setAddressLength(for: path, settings, role)
        case .supervisor, .controller: throw .badLaunch("a \(order.peer) is started by a person")
        }
        return (try ZeroMQHost(order: order, settings: settings, parts: parts), order)
    }

    /// A child's own journal folder, the last descriptor that it inherits.
    private static func inheritedJournals(_ order: LaunchOrder, _ settings: Settings) -> JournalFolder? {
        guard settings[.hostJournal] == .file else { return nil }
        let isServer = order.peer.role == .systemServer
        let number: Int32 = isServer ? (settings[.remoteListen].isEmpty ? 6 : 7) : 5
        return JournalFolder(inherited: number, path: RunPaths(order.runDirectory).journals(of: order.peer))
    }

    /// Limits the size of files.
    ///
    /// A compromised process then fills its folder no faster than the group's limit of journals is checked. A trace
    /// file has no limit, so with traces the call does nothing.
    private static func limitFiles(_ settings: Settings) {
        guard isConfined(settings), settings[.hostTrace] != .file else { return }
        let mebibytes = max(settings[.journalProcessLimit], settings[.journalSegmentSize]).rounded(.up)
        // A record that is longer than a segment has a file of its own.
        system_limit_file_size(UInt64(mebibytes) << 20 + UInt64(2 * Journal.recordLimit))
    }

    /// The path that a child connects to, valid even if the socket's path is removed.
    ///
    /// A process that will be confined changes its working directory so that the path has one character: its filter
    /// then allows no other length. A process with live devices connects to sockets at any path, so it keeps the long
    /// path.
    private static func serverSocketPath(for role: Role, _ settings: Settings) throws(HostError) -> String {
        guard isConfined(settings), !readsDevices(role, settings) else {
            return "/proc/self/fd/\(system_door_descriptor)"
        }
        guard system_stand_at_door() == 0 else {
            throw .system(call: "chdir", subject: "/proc/self/fd", errno: errno)
        }
        return "\(system_door_descriptor)"
    }

    /// Whether the process may connect to simulated devices, which are sockets at any path.
    static func readsDevices(_ role: Role, _ settings: Settings) -> Bool {
        role == .inputKit && (!settings[.deviceOpen].isEmpty || settings[.deviceVirtual])
    }

    /// The host of a process that was started by hand: without supervisor or roster, it trusts all processes of its
    /// user.
    ///
    /// - Throws: `HostError` if the run directory or a socket cannot be used.
    public static func alone(as peer: Peer, runDirectory: String, settings: Settings) throws(HostError)
        -> (host: ZeroMQHost, order: LaunchOrder)
    {
        var order = firstOrder(peer, runDirectory, settings)
        try pin(settings)
        var parts = Parts()
        parts.signals = try Signals()
        switch peer.role {
        case .systemServer:
            let folder = try RunDirectory(runDirectory)
            try setAsideJournals(in: folder.paths)
            let context = try Context()
            for (path, role) in [(folder.paths.input, Role.inputKit), (folder.paths.app, .app)] {
                let socket = try folder.listen(path)
                parts.listeners.append(
                    try PeerListener(
                        "ipc://\(path)", listener: socket.release(), admitting: .sameUser(role), for: .systemServer,
                        user: geteuid(), in: context, allowing: TokenBucket.Limits(settings)))
            }
            if let remoteSocket = try openRemoteSocket(settings) {
                parts.listeners.insert(try remoteListener(remoteSocket.release(), order, settings), at: 0)
            }
            parts.folder = folder
        case .inputKit, .app:
            let paths = RunPaths(runDirectory)
            // A process that runs alone counts its generations by its journals only.
            order.generation = firstFreeGeneration(of: peer, in: paths)
            let path = peer.role == .app ? paths.app : paths.input
            try checkSocketPath(path)
            do throws(HostError) { try checkFolder(runDirectory) } catch {
                // The server may create it later.
                if case .system(_, _, ENOENT) = error {} else { throw error }
            }
            if listener(at: path) == nil {
                printError(
                    "\(peer): no process listens on \(path) yet: `system-server --run-dir \(runDirectory)` would")
            }
            let link = try ServerLink(
                "ipc://\(path)", to: .systemServer, trusting: .sameUser(geteuid()), for: peer.role, in: try Context())
            try parts.attach(link, settings: settings, role: peer.role)
            parts.setAddressLength(for: path, settings, peer.role)
        case .supervisor, .controller: preconditionFailure("a \(peer) does not stand alone")
        }
        return (try ZeroMQHost(order: order, settings: settings, parts: parts), order)
    }

    /// The parameters with which an app of another machine joins a server.
    public struct JoinParameters {
        public var address: ServerAddress
        /// The paths of its secret key and of the server's public key.
        public var key: String
        public var serverKey: String
        /// The folder for its journals and traces; empty for none.
        public var runDirectory: String

        public init(address: ServerAddress, key: String, serverKey: String, runDirectory: String) {
            (self.address, self.key, self.serverKey) = (address, key, serverKey)
            self.runDirectory = runDirectory
        }
    }

    /// The host of an app of another machine's server, which identifies the app by its key.
    ///
    /// It waits for the server without a limit, and reports the wait once. A name that cannot be looked up now is
    /// waited for in the same way.
    ///
    /// - Parameters:
    ///   - joining: The server's address, and the keys.
    ///   - own: The settings of this machine, which override the server's.
    /// - Throws: `HostError.joinRefused` if the server does not know the key, `HostError.unknownName` if the server's
    ///   name does not exist.
    public static func joining(_ joining: JoinParameters, settings own: Settings) throws(HostError)
        -> (host: ZeroMQHost, order: LaunchOrder)
    {
        // The readers of its lines must not delay it.
        Output.dropWithoutWaiting()
        let resolver: Resolver?
        switch joining.address {
        case .numeric: resolver = nil
        // Its process must not have the secret, nor the confinement.
        case .named(let name, let port): resolver = try Resolver(name, port: port)
        }
        // From here on the process holds a secret.
        let isConfined = isConfined(own)
        if isConfined { system_keep_secrets() }
        let key = try SecretKey(contentsOf: joining.key)
        let serverKey = try PublicKey(contentsOf: joining.serverKey)
        system_no_new_privileges()
        system_raise_descriptor_limit()
        limitFiles(own)
        if !joining.runDirectory.isEmpty { try createOwnFolder(joining.runDirectory) }
        if isConfined { try AllowedFiles(joiningFrom: joining.runDirectory, own).confineProcess() }
        try pin(own)
        let link = try ServerLink(
            to: try firstAddresses(of: joining.address, resolver), lookingUpWith: resolver, key: key, server: serverKey,
            latestGeneration: min(
                latestGeneration(in: RunPaths(joining.runDirectory)), RemoteHello.generationLimit - 1),
            in: try Context(),
            heartbeat: own[.remoteHeartbeatTimeout])
        var (hasReported, receivedOrder) = (false, LaunchOrder?.none)
        while receivedOrder == nil {
            receivedOrder = try link.join(within: .seconds(2))
            guard receivedOrder == nil, !hasReported else { continue }
            hasReported = true
            printError(
                "app: no server answers at \(joining.address) yet, or it holds another key than \(joining.serverKey)")
        }
        guard var order = receivedOrder else { preconditionFailure("nothing ends that loop without an order") }
        order.runDirectory = joining.runDirectory
        var settings = try checked(order)
        for setting in own.changed {
            do throws(SettingsError) { try settings.set(setting.key, to: setting.value) } catch {
                throw .badLaunch("\(error)")
            }
        }
        order.settings = settings.changed
        var parts = Parts()
        parts.signals = try Signals()
        parts.server = link
        link.report = JoinReport(order.peer, at: joining.address, showing: settings.contentText)
        return (try ZeroMQHost(order: order, settings: settings, parts: parts), order)
    }

    /// Returns the addresses to try, after a lookup of a name.
    private static func firstAddresses(
        of address: ServerAddress, _ resolver: Resolver?
    ) throws(HostError) -> [TCPAddress] {
        guard let resolver else {
            guard case .numeric(let address) = address else { preconditionFailure("a name has a resolver") }
            return [address]
        }
        var hasReported = false
        while true {
            resolver.ask()
            while !resolver.wait(milliseconds: 1000) {}
            switch resolver.takeAnswer() {
            case .found(let found, of: let count):
                if count > found.count {
                    printError(
                        "app: \(address) has \(count) addresses, limit \(Resolver.limit): tries the first \(found.count)"
                    )
                }
                return found
            case .failed(let reason, isFinal: true): throw .unknownName(address: "\(address)", why: reason)
            case .failed(let reason, isFinal: false):
                if !hasReported {
                    printError("app: \(address) does not resolve yet: \(reason); it is looked up again each second")
                }
                hasReported = true
                usleep(1_000_000)
            case .ended: throw .unknownName(address: "\(address)", why: "the process that looks it up has ended")
            case nil: continue
            }
        }
    }

    /// Creates the machine's own folder for journals and checks that no other user can read it.
    private static func createOwnFolder(_ folder: String) throws(HostError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system(call: "mkdir", subject: folder, errno: errno)
        }
        try checkFolder(folder)
    }

    /// Opens the listening socket for other machines; nil without remote.listen.
    private static func openRemoteSocket(_ settings: Settings) throws(HostError) -> Descriptor? {
        let text = settings[.remoteListen]
        guard !text.isEmpty else { return nil }
        guard let address = TCPAddress(text) else {
            throw .badKey(
                path: "remote.listen=\(text)", why: "is no numeric address and port, such as 10.0.0.1:7000")
        }
        for key: Settings.Key<String> in [.remoteSecretKey, .remoteAllowedKeys] where settings[key].isEmpty {
            throw .badKey(path: "remote.listen=\(text)", why: "needs \(key.name) too: no app joins without keys")
        }
        return try Descriptor(system_tcp_listen(address.host, address.port, 64), from: "listen", "\(address)")
    }

    private static func remoteListener(
        _ listener: Int32, _ order: LaunchOrder, _ settings: Settings
    ) throws(HostError) -> PeerListener {
        guard let address = TCPAddress(settings[.remoteListen]) else {
            throw .badLaunch("remote.listen is no address")
        }
        // Each such listener needs its own context, because libzmq has one authentication endpoint in each.
        return try PeerListener(
            at: address.endpoint, listener: listener, key: try SecretKey(contentsOf: settings[.remoteSecretKey]),
            allowing: settings[.remoteAllowedKeys], order: order, settings: settings.remoteSettings(for:),
            in: try Context(),
            heartbeat: settings[.remoteHeartbeatTimeout], limits: TokenBucket.Limits(settings))
    }

    /// The launch order of a process that has received none.
    private static func firstOrder(_ peer: Peer, _ runDirectory: String, _ settings: Settings) -> LaunchOrder {
        LaunchOrder(peer: peer, epoch: 1, generation: 1, runDirectory: runDirectory, settings: settings.changed)
    }

    private static func checked(_ order: LaunchOrder) throws(HostError) -> Settings {
        do throws(SettingsError) { return try Settings(order.settings) } catch { throw .badLaunch("\(error)") }
    }

    /// Whether to confine this process. A sanitized build is not confined, because its runtime traces itself.
    static func isConfined(_ settings: Settings) -> Bool {
        settings[.hostSeccomp] && system_is_sanitized() == 0
    }

    private static func pin(_ settings: Settings) throws(HostError) {
        try pinThread(to: settings[.hostAffinity])
        let slice = settings[.hostTimeSlice]
        // If a container forbids the call, the kernel's default slices apply.
        if slice > .zero { _ = system_set_slice(slice.nanoseconds) }
    }

    /// Chooses the CPU that this process holds while a finger is down, after its threads were pinned. input-kit, which
    /// knows of a touch first, keeps the CPU awake, unless the CPU time of its control group is limited.
    ///
    /// - Returns: Whether it will hold one.
    private static func prepareHold(_ settings: Settings, of peer: Peer, isRationed: Bool) -> Bool {
        let awake = settings[.hostAwake]
        guard awake != .never else { return false }
        let spins = awake == .whileTouched && peer == .inputKit && !isRationed
        return awake_prepare(spins ? 1 : 0) == 0
    }

    private static func removeTraces(in paths: RunPaths) {
        guard let folder = opendir(paths.traces) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".trace") { unlink("\(paths.traces)/\(name)") }
        }
    }
}

extension ZeroMQHost.Parts {
    fileprivate mutating func setAddressLength(for path: String, _ settings: Settings, _ role: Role) {
        addressLength = ZeroMQHost.readsDevices(role, settings) ? -1 : Int32(2 + path.utf8.count)
    }

    fileprivate mutating func attach(_ link: ServerLink, settings: Settings, role: Role) throws(HostError) {
        if role == .app, settings[.appEventFetch] == .thread {
            fetch = try FetchThread(link, spins: settings[.hostSpin])
        } else {
            server = link
        }
    }
}

/// The file of a bound socket, for children to connect to.
final class BoundSocket {
    private let file: Descriptor

    init(_ file: consuming Descriptor) { self.file = file }

    var descriptor: Int32 { file.number }
}

/// A listening socket that a supervisor keeps for its servers.
final class ListeningSocket {
    private let socket: Descriptor

    init(_ socket: consuming Descriptor) { self.socket = socket }

    var descriptor: Int32 { socket.number }
}

/// Pins this thread, and the threads it starts, to CPUs.
///
/// - Parameter text: The CPUs, such as `0` or `0,1`; empty for any.
/// - Throws: `HostError.badAffinity` for a wrong text or a CPU that this process may not use.
public func pinThread(to text: String) throws(HostError) {
    guard !text.isEmpty else { return }
    var cpus: [Int32] = []
    for word in text.split(separator: ",") {
        guard let cpu = Int32(word), (0..<1024).contains(cpu) else { throw .badAffinity(text) }
        cpus.append(cpu)
    }
    guard !cpus.isEmpty else { throw .badAffinity(text) }
    guard system_pin(cpus, cpus.count) == 0 else {
        if errno == EINVAL { throw .badAffinity(text) }
        throw .system(call: "sched_setaffinity", subject: "CPU \(text)", errno: errno)
    }
}
