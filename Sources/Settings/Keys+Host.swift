// Keys+Host.swift: settings of hosts, journals, links to other machines and the supervisor.
//
// Each setting is a property here and an entry of the list, which has the order of Config/pipeline.yaml.

extension Settings {
    static let hostKeys = table(
        .remoteListen, .remoteSecretKey, .remoteAllowedKeys, .remoteHeartbeatTimeout, .hostTransport,
        .hostIOThread, .hostSpin, .hostAwake, .hostHeartbeatTimeout, .hostPacketRate, .hostPacketBurst,
        .hostRequestRate, .hostRequestBurst,
        .hostSeccomp, .hostAffinity, .hostTimeSlice, .hostTrace,
        .hostJournal, .hostVerify, .journalSegmentSize, .journalProcessLimit, .journalGroupLimit, .journalRingCapacity,
        .chaosAllowed,
        .supervisorBackoffFirst, .supervisorBackoffLimit, .supervisorRestartLimit, .supervisorRestartWindow,
        .supervisorStopDeadline, .supervisorQuitDeadline, .supervisorStartDeadline)
}

extension Settings.Key {
    public static var remoteListen: Settings.Key<String> {
        .text(
            "remote.listen",
            "the address and port at which apps of other machines join, as 10.0.0.1:7000 or [fd00::1]:7000; "
                + "empty to refuse them", source: "threat T10")
    }

    public static var remoteSecretKey: Settings.Key<String> {
        .text(
            "remote.secretKey",
            "the file of the server's secret key, as `touchline keys new` makes it", source: "threat T10")
    }

    public static var remoteAllowedKeys: Settings.Key<String> {
        .text(
            "remote.allowedKeys",
            "the folder of the public keys that may join, one in each file: app9.pub is the key of app 9",
            source: "threat T10")
    }

    public static var remoteHeartbeatTimeout: Settings.Key<Duration> {
        .seconds(
            "remote.heartbeatTimeout", 1, in: 0.05...3600,
            "of silence after which the other end of a link between machines counts as gone")
    }

    public static var hostTransport: Settings.Key<Transport> {
        .choice(
            "host.transport", .zeromq, of: Transport.allCases,
            "what carries frames between input-kit, the server and its apps: ZeroMQ, or rings in shared memory that "
                + "ZeroMQ hands over")
    }

    public static var hostIOThread: Settings.Key<IOThread> {
        .choice(
            "host.ioThread", .lent, of: IOThread.allCases,
            "what receives and sends for libzmq in input-kit, the server and apps: the process's own thread while that is "
                + "not busy (lent), so that a frame wakes one thread of a process and not two, or libzmq's thread (own)"
        )
    }

    public static var hostSpin: Settings.Key<Bool> {
        .flag("host.spin", false, "whether hosts poll instead of sleeping: lower latency, one whole CPU each")
    }

    public static var hostAwake: Settings.Key<TouchedCPU> {
        .choice(
            "host.awake", .never, of: TouchedCPU.allCases,
            "while a finger is down, the processes that its touch passes run where the kernel decides (never), share one "
                + "CPU (shared), or share one that does not sleep (whileTouched), which costs its time; 50 ms after the "
                + "last lift it is given back")
    }

    public static var hostHeartbeatTimeout: Settings.Key<Duration> {
        .seconds(
            "host.heartbeatTimeout", 0.3, in: 0...3600,
            "of silence after which the other end of a data link counts as gone or stopped; 0 for no limit",
            source: "Docs/Spec/Pipeline.md section 1, F12")
    }

    public static var hostPacketRate: Settings.Key<Double> {
        .number(
            "host.packetRate", 50_000, in: 1...1_000_000_000,
            "frames a second that a peer may send in addition to its answers to touches and scans; a peer that "
                + "sends more is disconnected", source: "threat T6")
    }

    public static var hostPacketBurst: Settings.Key<Double> {
        .number(
            "host.packetBurst", 50_000, in: 1...1_000_000_000,
            "such frames that a peer may send at once after a pause, before host.packetRate "
                + "limits it", source: "threat T6")
    }

    public static var hostRequestRate: Settings.Key<Double> {
        .number(
            "host.requestRate", 10_000, in: 1...1_000_000_000,
            "frames a second that a controller (a `touchline` command) may send the supervisor; a controller "
                + "that sends more is disconnected", source: "threat T6")
    }

    public static var hostRequestBurst: Settings.Key<Double> {
        .number(
            "host.requestBurst", 10_000, in: 1...1_000_000_000,
            "frames that a controller may send at once after a pause, before "
                + "host.requestRate limits it", source: "threat T6")
    }

    public static var hostSeccomp: Settings.Key<Bool> {
        .flag(
            "host.seccomp", true,
            "whether system calls are limited after a process's start: no programs, no tracing, only local sockets, "
                + "no writing outside the group's folder", source: "threat T7")
    }

    public static var hostAffinity: Settings.Key<String> {
        .cpus("host.affinity", "the CPUs of each process and of its I/O thread; empty for any")
    }

    public static var hostTimeSlice: Settings.Key<Duration> {
        .seconds(
            "host.timeSlice", 0.0001, in: 0...0.1,
            "for which a thread of the group may keep a CPU while another thread waits, at least 0.0001, if the kernel "
                + "allows a process to set its own slice (Linux 6.12); 0 for the kernel's slice")
    }

    public static var hostTrace: Settings.Key<FileOutput> {
        .choice(
            "host.trace", .off, of: FileOutput.allCases,
            "whether facts are written to `<run-dir>/trace`, with the time since the group's start")
    }

    public static var hostJournal: Settings.Key<FileOutput> {
        .choice(
            "host.journal", .file, of: FileOutput.allCases,
            "whether every input is written to `<run-dir>/journal` before the core receives it")
    }

    public static var hostVerify: Settings.Key<Bool> {
        .flag("host.verify", false, "whether release builds also check every stream of frames (debug builds always do)")
    }

    public static var journalSegmentSize: Settings.Key<Double> {
        .number("journal.segmentSize", 4, .mebibytes, in: 0.0625...1024, "of one file of a journal")
    }

    public static var journalProcessLimit: Settings.Key<Double> {
        .number(
            "journal.processLimit", 256, .mebibytes, in: 1...1_048_576,
            "of the journals of one process, all its generations together; then the oldest files are removed, and their "
                + "generation cannot be replayed")
    }

    public static var journalGroupLimit: Settings.Key<Double> {
        .number(
            "journal.groupLimit", 2048, .mebibytes, in: 1...1_048_576,
            "of all journals of a group and of the previous group (journal.previous); then the oldest files of any "
                + "process are removed")
    }

    public static var journalRingCapacity: Settings.Key<Int> {
        .whole(
            "journal.ringCapacity", 4096, in: 1...1_048_576,
            "inputs kept in memory while the disk refuses records", source: "fault F11")
    }

    public static var chaosAllowed: Settings.Key<Bool> {
        .flag("chaos.allowed", false, "whether `touchline chaos` may disturb this group", source: "threat T9")
    }

    public static var supervisorBackoffFirst: Settings.Key<Duration> {
        .seconds(
            "supervisor.backoffFirst", 0.05, in: 0...60,
            "before the first restart of a child that died", source: "fault F13")
    }

    public static var supervisorBackoffLimit: Settings.Key<Duration> {
        .seconds(
            "supervisor.backoffLimit", 5, in: 0...600,
            "at most between two restarts; each restart doubles the wait up to this limit", source: "fault F13")
    }

    public static var supervisorRestartLimit: Settings.Key<Int> {
        .whole(
            "supervisor.restartLimit", 5, in: 0...1000,
            "restarts within supervisor.restartWindow before quarantine", source: "fault F13")
    }

    public static var supervisorRestartWindow: Settings.Key<Duration> {
        .seconds(
            "supervisor.restartWindow", 10, in: 0.1...3600,
            "in which supervisor.restartLimit restarts are allowed", source: "fault F13")
    }

    public static var supervisorStopDeadline: Settings.Key<Duration> {
        .seconds("supervisor.stopDeadline", 0.7, in: 0.01...60, "for which a child may take to end before it is killed")
    }

    public static var supervisorQuitDeadline: Settings.Key<Duration> {
        .seconds(
            "supervisor.quitDeadline", 6, in: 0.01...60,
            "for which a terminated app may take to end before it is killed", source: "D10")
    }

    public static var supervisorStartDeadline: Settings.Key<Duration> {
        .seconds("supervisor.startDeadline", 10, in: 0.1...60, "for which a child may take to announce readiness")
    }
}
