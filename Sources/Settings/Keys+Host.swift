// Keys+Host.swift: settings of hosts, journals, links to other machines and the supervisor.
//
// Each setting is a property here and an entry of the list, which has the order of Config/pipeline.yaml.

extension Settings {
    static let hostKeys = table(
        .remoteListen, .remoteKey, .remoteAllow, .remoteHeartbeat, .hostSpin, .hostHeartbeat, .hostPacketRate,
        .hostPacketBurst, .hostRequestRate, .hostRequestBurst, .hostSeccomp, .hostAffinity, .hostSlice, .hostTrace,
        .hostJournal, .hostVerify, .journalSegment, .journalLimit, .journalGroupLimit, .journalRing, .chaosAllowed,
        .supervisorBackoffFirst, .supervisorBackoffLimit, .supervisorRestartLimit, .supervisorRestartWindow,
        .supervisorStopDeadline, .supervisorQuitDeadline, .supervisorStartDeadline)
}

extension Settings.Key {
    public static var remoteListen: Settings.Key<String> {
        .text(
            "remote.listen",
            "where apps of other machines join, a numeric address and a port: 10.0.0.1:7000 or [fd00::1]:7000; "
                + "empty for nowhere", source: "threat T10")
    }

    public static var remoteKey: Settings.Key<String> {
        .text(
            "remote.key",
            "the file of the server's secret key, as `touchline keys new` makes it", source: "threat T10")
    }

    public static var remoteAllow: Settings.Key<String> {
        .text(
            "remote.allow",
            "the folder of the public keys that may join, one a file: app9.pub is app 9's", source: "threat T10")
    }

    public static var remoteHeartbeat: Settings.Key<Duration> {
        .seconds(
            "remote.heartbeat", 1, in: 0.05...3600,
            "of silence after which the other end of a link between machines is gone")
    }

    public static var hostSpin: Settings.Key<Bool> {
        .flag("host.spin", false, "poll instead of sleeping: lower latency, a whole CPU")
    }

    public static var hostHeartbeat: Settings.Key<Duration> {
        .seconds(
            "host.heartbeat", 0.3, in: 0...3600,
            "of silence after which the other end of a data link is gone: stopped, or worse; 0 for never",
            source: "Docs/Spec/Pipeline.md section 1, F12")
    }

    public static var hostPacketRate: Settings.Key<Double> {
        .number(
            "host.packetRate", 50_000, in: 1...1_000_000_000,
            "packets a second that a peer may send unasked, beside answers to touches and scans; a peer that "
                + "sends more is disconnected", source: "threat T6")
    }

    public static var hostPacketBurst: Settings.Key<Double> {
        .number("host.packetBurst", 50_000, in: 1...1_000_000_000, "such packets at once", source: "threat T6")
    }

    public static var hostRequestRate: Settings.Key<Double> {
        .number(
            "host.requestRate", 10_000, in: 1...1_000_000_000,
            "frames a second that a controller (a `touchline` command) may send the supervisor; a controller "
                + "that sends more is disconnected", source: "threat T6")
    }

    public static var hostRequestBurst: Settings.Key<Double> {
        .number("host.requestBurst", 10_000, in: 1...1_000_000_000, "such frames at once", source: "threat T6")
    }

    public static var hostSeccomp: Settings.Key<Bool> {
        .flag(
            "host.seccomp", true,
            "after its start a process may do no more than its work: no programs, no tracing, no new sockets "
                + "but local ones, no files written outside the group's folder", source: "threat T7")
    }

    public static var hostAffinity: Settings.Key<String> {
        .cpus("host.affinity", "CPU the process and its I/O thread are pinned to; empty for any")
    }

    public static var hostSlice: Settings.Key<Duration> {
        .seconds(
            "host.slice", 0.0001, in: 0...0.1,
            "that a thread of the group may keep a CPU from another that has to run, at least 0.0001, where the "
                + "kernel has slices (Linux 6.12) and lets a process set its own; 0 for the kernel's own")
    }

    public static var hostTrace: Settings.Key<FileOutput> {
        .choice("host.trace", .off, of: FileOutput.allCases, "whether facts are written to <run-dir>/trace")
    }

    public static var hostJournal: Settings.Key<FileOutput> {
        .choice(
            "host.journal", .file, of: FileOutput.allCases,
            "whether every input is written to <run-dir>/journal before the core has it")
    }

    public static var hostVerify: Settings.Key<Bool> {
        .flag("host.verify", false, "in release builds too: every stream of frames is checked as it passes")
    }

    public static var journalSegment: Settings.Key<Double> {
        .number("journal.segment", 4, .mebibytes, in: 0.0625...1024, "of one file of a journal")
    }

    public static var journalLimit: Settings.Key<Double> {
        .number(
            "journal.limit", 256, .mebibytes, in: 1...1_048_576,
            "of one process's journals, of all its lives; beyond it the oldest files go, and their life cannot "
                + "be replayed")
    }

    public static var journalGroupLimit: Settings.Key<Double> {
        .number(
            "journal.groupLimit", 2048, .mebibytes, in: 1...1_048_576,
            "of all journals of a group and of the group before (journal.previous); beyond it the oldest files "
                + "of any process go")
    }

    public static var journalRing: Settings.Key<Int> {
        .whole(
            "journal.ring", 4096, in: 1...1_048_576,
            "inputs kept in memory while the disk takes none", source: "fault F11")
    }

    public static var chaosAllowed: Settings.Key<Bool> {
        .flag("chaos.allowed", false, "whether `touchline chaos` may hurt this group", source: "threat T9")
    }

    public static var supervisorBackoffFirst: Settings.Key<Duration> {
        .seconds(
            "supervisor.backoffFirst", 0.05, in: 0...60,
            "before a child that died is restarted", source: "fault F13")
    }

    public static var supervisorBackoffLimit: Settings.Key<Duration> {
        .seconds(
            "supervisor.backoffLimit", 5, in: 0...600,
            "up to which each restart doubles the wait", source: "fault F13")
    }

    public static var supervisorRestartLimit: Settings.Key<Int> {
        .whole(
            "supervisor.restartLimit", 5, in: 0...1000,
            "restarts within the window before quarantine", source: "fault F13")
    }

    public static var supervisorRestartWindow: Settings.Key<Duration> {
        .seconds(
            "supervisor.restartWindow", 10, in: 0.1...3600,
            "in which restarts are counted against supervisor.restartLimit", source: "fault F13")
    }

    public static var supervisorStopDeadline: Settings.Key<Duration> {
        .seconds("supervisor.stopDeadline", 0.7, in: 0.01...60, "a child has to end before it is killed")
    }

    public static var supervisorQuitDeadline: Settings.Key<Duration> {
        .seconds(
            "supervisor.quitDeadline", 6, in: 0.01...60,
            "a terminated app has to end before it is killed", source: "D10")
    }

    public static var supervisorStartDeadline: Settings.Key<Duration> {
        .seconds("supervisor.startDeadline", 10, in: 0.1...60, "a child has to announce readiness")
    }
}
