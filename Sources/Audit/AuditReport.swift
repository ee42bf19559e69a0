// AuditReport.swift: the fate of everything that was injected, and the broken laws.
//
// Input     Audit
// Output    `touchline audit`, the line of a failing seed
//
// Sources   Docs/Spec/Pipeline.md section 3: injected = delivered + coalesced + dropped + cancelled + rejected, in
//           flight = 0 at rest

public import Wire

/// The fate of a frame that asks for a receipt. Each such frame has exactly one.
public enum Fate: UInt8, CaseIterable, Hashable, Sendable {
    /// An app's main loop handled the frame, or the home screen received it.
    case delivered
    /// The frame was merged into a later one of the same fingers.
    case coalesced
    /// No process received the frame; `Receipt.Reason` has the reason.
    case dropped
    /// The process that had the frame, or that waited for its receipt, ended or lost its link.
    case cancelled
    /// The frame was refused: of an older epoch or generation, received before, or too late.
    case rejected
}

/// The cause of a touch's end.
public enum EndCause: UInt8, CaseIterable, Hashable, Sendable {
    /// The finger lifted.
    case lifted
    /// The device cancelled the contact, no longer listed it, or was opened again.
    case deviceCancelled
    /// Input-kit or its link ended.
    case inputKitLost
    /// The server or its link ended.
    case serverLost
    /// The app ended.
    case appDied
    /// An act: the phone was locked or interrupted, or another app came to the front.
    case act
    /// The server found that it had been stopped for too long, and ended.
    case lease
    /// The app missed a frame and cancelled its touches.
    case gap
    /// The app had no room for a frame.
    case inboxFull
    /// The app did not process its frames in time.
    case late
    /// The server disconnected a peer after too many strikes.
    case tooManyStrikes
    /// The app was unresponsive.
    case notResponding
    /// A system gesture took the touch.
    case gesture
    /// A touch monitor took the touch.
    case touchMonitor
    /// Another app came to the front to open a URL.
    case opened
}

/// The result of an audit: counts, fates, causes and violations.
public struct AuditReport: Hashable, Sendable {
    /// The fates of all frames of one kind.
    public struct Balance: Hashable, Sendable {
        public var injected: UInt64 = 0
        /// Counts by `Fate.rawValue`.
        public var fates = [UInt64](repeating: 0, count: Fate.allCases.count)
        /// Counts by `Receipt.Reason.rawValue`; their sum is the count of `dropped`.
        public var drops = [UInt64](repeating: 0, count: Receipt.Reason.allCases.count)
        public var inFlight: UInt64 = 0

        public init() {}

        public subscript(fate: Fate) -> UInt64 { fates[Int(fate.rawValue)] }
        public subscript(reason: Receipt.Reason) -> UInt64 { drops[Int(reason.rawValue)] }

        /// injected = delivered + coalesced + dropped + cancelled + rejected + in flight
        public var isExact: Bool { injected == fates.reduce(0, &+) &+ inFlight }
    }

    /// The load of apps' queues.
    public struct Queues: Hashable, Sendable {
        /// The greatest number of frames that were outstanding to an app at once.
        public var mostOutstanding: UInt64 = 0
        /// The scans that apps received as the history of others.
        public var historySamples: UInt64 = 0
        /// The number of times an app was reported as unresponsive.
        public var stalls: UInt64 = 0
    }

    /// Counts of frames that had no effect.
    public struct LinkCounts: Hashable, Sendable {
        /// Frames that links lost.
        public var lost: UInt64 = 0
        /// Frames that were received before.
        public var duplicates: UInt64 = 0
        /// Frames of an older epoch or generation.
        public var fenced: UInt64 = 0
        public var refused: UInt64 = 0
    }

    /// The scans of input-kit.
    public var scans = Balance()
    /// The scans that the home screen received.
    public var home: UInt64 = 0
    /// The server's frames of touches and inputs to apps.
    public var frames = Balance()

    /// The fingers that landed on devices, and the touches of them that apps received.
    public var fingers: UInt64 = 0
    public var touches: UInt64 = 0
    /// The ended touches by `EndCause.rawValue`.
    public var ends = [UInt64](repeating: 0, count: EndCause.allCases.count)
    public var liveTouches: UInt64 = 0

    public var queues = Queues()

    public var processCount: UInt64 = 0
    public var deaths: UInt64 = 0
    public var steps: UInt64 = 0
    public var links = LinkCounts()

    /// The laws that this run was judged by.
    public var lawsJudged: [Law] = []
    /// The first `AuditOptions.keptViolationLimit` violations, in the order in which they were found.
    public var violations: [Violation] = []
    /// Counts by index in `Law.allCases`.
    public var violationsByLaw = [UInt64](repeating: 0, count: Law.allCases.count)

    public init() {}

    public var violationCount: UInt64 { violationsByLaw.reduce(0, &+) }
    public subscript(cause: EndCause) -> UInt64 { ends[Int(cause.rawValue)] }
    public var isClean: Bool { violationCount == 0 }
}
