// ChaosRow.swift: the faults of Docs/Spec/Pipeline.md section 4 that apply to a running group: names, demands, counts.

/// A fault of Docs/Spec/Pipeline.md section 4.
enum ChaosRow: String, CaseIterable {
    case appKilled = "app-killed"
    case serverKilled = "server-killed"
    case inputKitKilled = "input-kit-killed"
    case stuckApp = "stuck-app"
    case slowApp = "slow-app"
    case lossyLinks = "lossy-links"
    case malformedFrames = "malformed-frames"
    case intruders
    case clockJumps = "clock-jumps"
    case crowd
    case diskFull = "disk-full"
    case stopped
    case crashLoop = "crash-loop"
    case supervisorKilled = "supervisor-killed"
    case hundredApps = "hundred-apps"
    case twoFingers = "two-fingers"
    case takenAway = "taken-away"
    case badHandlers = "bad-handlers"
    case secondGroup = "second-group"
    case deviceStorm = "device-storm"
    case otherVersions = "other-versions"

    /// The number in Docs/Spec/Pipeline.md.
    var id: String {
        switch self {
        case .appKilled: "F1"
        case .serverKilled: "F2"
        case .inputKitKilled: "F3"
        case .stuckApp: "F4"
        case .slowApp: "F5"
        case .lossyLinks: "F6"
        case .malformedFrames: "F7"
        case .intruders: "F8"
        case .clockJumps: "F9"
        case .crowd: "F10"
        case .diskFull: "F11"
        case .stopped: "F12"
        case .crashLoop: "F13"
        case .supervisorKilled: "F14"
        case .hundredApps: "F16"
        case .twoFingers: "F17"
        case .takenAway: "F18"
        case .badHandlers: "F19"
        case .secondGroup: "F20"
        case .deviceStorm: "F21"
        case .otherVersions: "F22"
        }
    }

    /// Finds a row by id or by name.
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
        case .stuckApp: "an app's main thread is blocked for 1, 5 and 30 s while it is touched"
        case .slowApp: "an app takes 20 ms for each frame, and is touched at 1 kHz"
        case .lossyLinks: "5 % of the frames between the processes are lost, duplicated, reordered"
        case .malformedFrames: "an app sends malformed packets"
        case .intruders: "another user, an unknown process and an app act as input-kit"
        case .clockJumps: "the wall clock jumps an hour, a device's time goes back, all processes stop"
        case .crowd: "a process makes more connections than the server can hold"
        case .diskFull: "no journal can be written"
        case .stopped: "each process is stopped for 0.1, 1 and 10 s"
        case .crashLoop: "an app exits 10 ms after each start"
        case .supervisorKilled: "the supervisor is killed"
        case .hundredApps: "a hundred apps are touched at 1 kHz, and ten are killed each second"
        case .twoFingers: "two apps have a finger each, and one of them is killed"
        case .takenAway: "views, windows and apps are removed under fingers"
        case .badHandlers: "one action traps, and one never returns"
        case .secondGroup: "a second group is started on the same folder"
        case .deviceStorm: "a device reports sixteen contacts 8,000 times a second beside a slow device"
        case .otherVersions: "a peer uses the previous or the next version of the protocol"
        }
    }

    /// The unit of its count.
    var unit: String {
        switch self {
        case .appKilled, .serverKilled, .inputKitKilled, .supervisorKilled, .twoFingers: "kills"
        case .hundredApps: "seconds"
        case .takenAway: "changes of the view tree"
        case .deviceStorm: "scans"
        case .lossyLinks: "gestures"
        case .slowApp: "strokes"
        case .stuckApp: "rounds of three hangs"
        case .malformedFrames: "packets"
        case .intruders: "frames"
        case .crowd: "connections"
        case .secondGroup: "starts"
        case .otherVersions: "hellos of each version"
        case .clockJumps, .crashLoop, .diskFull, .badHandlers: "rounds"
        case .stopped: "rounds of every process"
        }
    }

    /// The standard count. Docs/Spec/Pipeline.md gives it for F1, F2, F3, F7, F8, F10, F16, F17, F18 and F21; the others are
    /// invented. The 10,000 seeds of F6 are run by `touchline simulate --faults Config/Faults/links.yaml`.
    var standardTimes: Int {
        switch self {
        case .appKilled, .twoFingers: 200
        case .hundredApps: 60
        case .takenAway: 10_000
        case .deviceStorm: 1_000_000
        case .badHandlers: 3
        case .serverKilled, .inputKitKilled: 100
        case .stuckApp: 1
        case .slowApp: 20
        case .lossyLinks: 300
        case .malformedFrames: 100_000
        case .intruders: 10_000
        case .crowd: 2_000
        case .secondGroup, .otherVersions: 20
        case .clockJumps: 3
        case .diskFull: 3
        case .stopped: 1
        case .crashLoop: 1
        case .supervisorKilled: 20
        }
    }

    /// The settings of the row's own groups, one after another. They keep other cures from hiding the fault.
    var settings: [[String]] {
        switch self {
        // Successive kills are the fault here, not a crash loop.
        case .appKilled, .serverKilled, .inputKitKilled, .stopped, .twoFingers:
            [["supervisor.restartLimit=1000", "supervisor.backoffLimit=0.05"]]
        // First the whole barrage, then the server's reaction to it.
        case .malformedFrames: [["server.strikeLimit=1000000"], []]
        // All frames are counted here. The row F7 shows that three are enough.
        case .intruders: [["server.strikeLimit=1000000"]]
        case .stuckApp, .slowApp, .lossyLinks, .clockJumps, .crowd, .diskFull, .crashLoop, .supervisorKilled,
            .hundredApps, .takenAway, .badHandlers, .secondGroup,
            .deviceStorm, .otherVersions:
            [[]]
        }
    }

    /// The limit of open files of each process in a group of its own; nil for the machine's limit.
    var openFiles: Int? { self == .crowd ? 64 : nil }
}
