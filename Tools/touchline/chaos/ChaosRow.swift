// ChaosRow.swift: the faults of PIPELINE.md 4 that can be done to a running group: names, demands, how often.

enum ChaosRow: String, CaseIterable {
    case appKilled = "app-killed"
    case serverKilled = "server-killed"
    case inputKitKilled = "input-kit-killed"
    case lossyLinks = "lossy-links"
    case malformedFrames = "malformed-frames"
    case clockJumps = "clock-jumps"
    case diskFull = "disk-full"
    case stopped
    case crashLoop = "crash-loop"
    case supervisorKilled = "supervisor-killed"

    /// As PIPELINE.md counts them.
    var id: String {
        switch self {
        case .appKilled: "F1"
        case .serverKilled: "F2"
        case .inputKitKilled: "F3"
        case .lossyLinks: "F6"
        case .malformedFrames: "F7"
        case .clockJumps: "F9"
        case .diskFull: "F11"
        case .stopped: "F12"
        case .crashLoop: "F13"
        case .supervisorKilled: "F14"
        }
    }

    /// By id or by name.
    init?(named text: String) {
        guard let row = Self.allCases.first(where: { $0.id == text.uppercased() || $0.rawValue == text }) else {
            return nil
        }
        self = row
    }

    var summary: String {
        switch self {
        case .appKilled: "the app in front is killed while it is touched"
        case .serverKilled: "the system server is killed while fingers are down"
        case .inputKitKilled: "input-kit is killed while fingers are down"
        case .lossyLinks: "5 % of the frames between the processes are lost, doubled, overtaken"
        case .malformedFrames: "an app sends packets that are no frames"
        case .clockJumps: "the wall clock jumps an hour, a device's time goes back, all processes sleep"
        case .diskFull: "no journal can be written"
        case .stopped: "each process is stopped for 0.1, 1 and 10 s"
        case .crashLoop: "an app exits 10 ms after each start"
        case .supervisorKilled: "the supervisor is killed"
        }
    }

    /// What one time of it is.
    var unit: String {
        switch self {
        case .appKilled, .serverKilled, .inputKitKilled, .supervisorKilled: "kills"
        case .lossyLinks: "gestures"
        case .malformedFrames: "packets"
        case .clockJumps, .crashLoop, .diskFull: "rounds"
        case .stopped: "rounds of every process"
        }
    }

    /// PIPELINE.md's count where it names one: F1, F2, F3, F7. The others are ours; what it demands of F6, 10,000 seeds, is
    /// `touchline simulate --faults Config/Faults/links.yaml`.
    var standardTimes: Int {
        switch self {
        case .appKilled: 200
        case .serverKilled, .inputKitKilled: 100
        case .lossyLinks: 300
        case .malformedFrames: 100_000
        case .clockJumps: 3
        case .diskFull: 3
        case .stopped: 1
        case .crashLoop: 1
        case .supervisorKilled: 20
        }
    }

    /// Of this row a group does not recover: it loses an app for good, or all of itself.
    var isFatal: Bool {
        switch self {
        case .malformedFrames, .crashLoop, .supervisorKilled: true
        case .appKilled, .serverKilled, .inputKitKilled, .lossyLinks, .clockJumps, .diskFull, .stopped: false
        }
    }

    /// What groups of one's own are started with, one after the other, so that the row shows the fault and not the
    /// cure for others.
    var settings: [[String]] {
        switch self {
        // Kills in a row are the point, and not a crash loop.
        case .appKilled, .serverKilled, .inputKitKilled, .stopped:
            [["supervisor.restartLimit=1000", "supervisor.backoffLimit=0.05"]]
        // All of the barrage, and then what is done about it.
        case .malformedFrames: [["server.strikes=1000000"], []]
        case .lossyLinks, .clockJumps, .diskFull, .crashLoop, .supervisorKilled: [[]]
        }
    }
}
