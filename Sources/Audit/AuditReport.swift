// AuditReport.swift: what became of everything that was injected, and which laws were broken.
//
// Sources   Docs/Spec/Pipeline.md section 3: injected = delivered + coalesced + dropped + cancelled + rejected, in flight = 0 at rest

public import Wire

/// What became of one frame that asks for a receipt. Every one has exactly one fate.
public enum Fate: UInt8, CaseIterable, Hashable, Sendable {
    /// An app's main loop handled it, or the home screen took it.
    case delivered
    /// It went with a later one of the same fingers.
    case coalesced
    /// Nobody got it; `Receipt.Reason` says why.
    case dropped
    /// Whoever had it, or waited for its answer, ended or lost its link.
    case cancelled
    /// It was refused: of an older time, heard before, too late.
    case rejected
}

/// Why a touch is over for its app.
public enum EndCause: UInt8, CaseIterable, Hashable, Sendable {
    /// Its finger left the glass.
    case lifted
    /// Its device took it back, stopped listing it, or was opened anew.
    case deviceCancelled
    /// Input-kit ended, or its link.
    case inputKitLost
    /// The server ended, or its link.
    case serverLost
    /// The app ended.
    case appDied
    /// The phone was locked, interrupted, another app came to front.
    case act
    /// The server's lease had run out.
    case lease
    /// Its app missed a frame, and let go of what it held.
    case gap
    /// Its app had no room.
    case inboxFull
    /// Its app had not turned for too long.
    case late
    /// The server hung up on somebody.
    case misconduct
    /// Its app answered nothing for too long.
    case notResponding
    /// It was a swipe of the system's.
    case gesture
    /// A spy from outside took it.
    case spy
    /// Another app came to front to open a URL.
    case opened
}

public struct AuditReport: Hashable, Sendable {
    /// Frames of one kind of question, by what became of them.
    public struct Balance: Hashable, Sendable {
        public var injected: UInt64 = 0
        /// By `Fate.rawValue`.
        public var fates = [UInt64](repeating: 0, count: Fate.allCases.count)
        /// By `Receipt.Reason.rawValue`: adds up to `dropped`.
        public var drops = [UInt64](repeating: 0, count: Receipt.Reason.allCases.count)
        public var inFlight: UInt64 = 0

        public init() {}

        public subscript(fate: Fate) -> UInt64 { fates[Int(fate.rawValue)] }
        public subscript(reason: Receipt.Reason) -> UInt64 { drops[Int(reason.rawValue)] }

        /// injected = delivered + coalesced + dropped + cancelled + rejected + in flight
        public var isExact: Bool { injected == fates.reduce(0, &+) &+ inFlight }
    }

    /// What apps had to take.
    public struct Queues: Hashable, Sendable {
        /// The most frames that an app had not answered at once.
        public var most: UInt64 = 0
        /// Scans told as the history of others.
        public var historySamples: UInt64 = 0
        /// How often an app was said not to answer.
        public var stalls: UInt64 = 0
    }

    /// Frames that are not news.
    public struct LinkCounts: Hashable, Sendable {
        /// Links did not carry them.
        public var lost: UInt64 = 0
        /// They were heard before.
        public var duplicates: UInt64 = 0
        /// They came from before a restart.
        public var fenced: UInt64 = 0
        public var refused: UInt64 = 0
    }

    /// Scans of input-kit.
    public var scans = Balance()
    /// Of those, what the home screen took.
    public var home: UInt64 = 0
    /// The server's frames of touches and inputs to apps.
    public var frames = Balance()

    /// Fingers that landed on the devices, and touches of them that apps were told of.
    public var fingers: UInt64 = 0
    public var touches: UInt64 = 0
    /// Touches that are over, by `EndCause.rawValue`.
    public var ends = [UInt64](repeating: 0, count: EndCause.allCases.count)
    public var liveTouches: UInt64 = 0

    public var queues = Queues()

    public var lives: UInt64 = 0
    public var deaths: UInt64 = 0
    public var steps: UInt64 = 0
    public var links = LinkCounts()

    /// Which laws this run was held to.
    public var lawsJudged: [Law] = []
    /// The first `AuditOptions.kept`, in the order they were seen.
    public var violations: [Violation] = []
    /// By place in `Law.allCases`.
    public var violationsByLaw = [UInt64](repeating: 0, count: Law.allCases.count)

    public init() {}

    public var violationCount: UInt64 { violationsByLaw.reduce(0, &+) }
    public subscript(cause: EndCause) -> UInt64 { ends[Int(cause.rawValue)] }
    public var isClean: Bool { violationCount == 0 }
}
