// Message.swift: the messages that the processes of a group send to each other: cases, numbers and payloads.
//
// Input     cores, through the enums of one direction (DataMessages.swift, ControlMessages.swift)
// Output    FrameCodec
// Knows     the description of each payload
//
// All messages share one version (`Frame.version`) and one drawing (Docs/Reference/Wire.md, kept equal to the code by a test).
// Payloads without a file of their own are in `MessagePayloads.swift`.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2

public import Basics
public import HID

/// The content of one frame. Large payloads are boxed, because a message is moved often and most messages are small.
public enum Message: Hashable, Sendable {
    // MARK: Links of touches

    /// One scan of a panel.
    case digitizer(Boxed<HIDEvent>)
    /// Scans that were due at the same time, oldest first: 2 to `scansPerFrame`, in which no finger lands or lifts. One
    /// receipt answers all of them.
    case scans(ScanList)
    /// A key or pointer event; positions are in the panel's units.
    indirect case device(DeviceEvent<DigitizerSpace>)
    case touches(TouchFrame)
    /// Touches of scans that shared a frame, oldest first: 2 to `scansPerFrame`, in which no touch begins or ends. The app
    /// handles each as an event of its own. One receipt answers all of them.
    case severalTouches(TouchList)
    /// A key or pointer event; positions are points on the screen.
    indirect case input(DeviceEvent<SceneSpace>)
    case lifeCycle(LifeCycleChange)
    /// The frame of the app's scene, and the last declaration of windows that the server received.
    indirect case scene(SceneState)
    /// The changes of the app's windows.
    case windows(WindowsDiff)
    /// The receipt for the frame that it names.
    case handled(Receipt)
    /// The first message of either end of a link. The other end may answer from then on.
    case hello
    /// A message about the link itself: how far each end has received.
    case link(LinkMessage)
    /// A screenshot was taken of the app's screen.
    case screenshot

    // MARK: Processes of a group

    indirect case launch(LaunchOrder)
    case roster([RosterEntry])
    case ready
    case act(SystemAct)
    case shutdown
    case reportRequest
    case report(Report)
    /// The reason why a request or a frame was refused.
    case refused(String)
    indirect case tooManyStrikes(StrikeReport)
    /// An app stopped answering, or answers again.
    indirect case stalled(Stall)
    /// An app has not carried out a change of its life cycle in time; the supervisor ends its process.
    indirect case overran(Overrun)
    /// A fault to inject, as one line of `Faults/Fault.swift`, in a group that was started with `chaos.allowed`.
    case chaos(String)

    // MARK: Plays

    indirect case play(PlayOrder)
    /// Ends the play of this id if it is running, because the process that ordered it has ended.
    case stopPlay(UInt32)
    indirect case played(PlayReport)
    case measured([Ledger])

    // MARK: Observation

    /// Begins, continues or ends the observation of a process.
    case observe(Observation)
    /// Facts that an observed process has noted.
    indirect case facts(FactPage)
    case detailRequest(DetailRequest)
    /// One page of the whole state of the server.
    indirect case detail(DetailPage)
    /// The request of a touch monitor.
    indirect case monitor(TouchMonitorRequest)
    indirect case monitorPage(TouchMonitorPage)

    // MARK: URLs

    /// A URL to open (OpenURL.swift).
    indirect case open(OpenRequest)
    case opened(OpenAnswer)
    /// The server requests that an app be launched for a URL.
    indirect case launchRequest(LaunchRequest)
}

// MARK: Numbers

/// The byte that identifies a message's case.
public enum MessageKind: UInt8, CaseIterable, Sendable {
    case hello = 1
    case digitizer = 2
    case touches = 3
    case lifeCycle = 4
    case handled = 5
    case device = 6
    case input = 7
    case link = 8
    case windows = 9
    case scene = 10
    case scans = 11
    case severalTouches = 12

    case launch = 16
    case roster = 17
    case act = 18
    case shutdown = 19
    case ready = 20

    case play = 32
    case played = 33
    case measured = 34
    case reportRequest = 35
    case report = 36
    case refused = 37
    case stopPlay = 38
    case chaos = 39
    case tooManyStrikes = 40
    case observe = 41
    case facts = 42
    case detailRequest = 43
    case detail = 44
    case stalled = 45
    case overran = 46
    case open = 50
    case opened = 51
    case launchRequest = 52
    case screenshot = 53
    case monitor = 56
    case monitorPage = 57
}

extension Message {
    public var kind: MessageKind {
        switch self {
        case .hello: .hello
        case .link: .link
        case .digitizer: .digitizer
        case .scans: .scans
        case .device: .device
        case .touches: .touches
        case .severalTouches: .severalTouches
        case .input: .input
        case .lifeCycle: .lifeCycle
        case .scene: .scene
        case .windows: .windows
        case .handled: .handled
        case .launch: .launch
        case .roster: .roster
        case .act: .act
        case .shutdown: .shutdown
        case .ready: .ready
        case .play: .play
        case .stopPlay: .stopPlay
        case .played: .played
        case .measured: .measured
        case .reportRequest: .reportRequest
        case .report: .report
        case .refused: .refused
        case .tooManyStrikes: .tooManyStrikes
        case .stalled: .stalled
        case .overran: .overran
        case .chaos: .chaos
        case .observe: .observe
        case .facts: .facts
        case .detailRequest: .detailRequest
        case .detail: .detail
        case .monitor: .monitor
        case .monitorPage: .monitorPage
        case .open: .open
        case .opened: .opened
        case .launchRequest: .launchRequest
        case .screenshot: .screenshot
        }
    }
}

extension Message {
    public static func digitizer(_ event: HIDEvent) -> Message { .digitizer(Boxed(event)) }

    /// The number of scans in this message; 1 for a message without scans. An app's credit window counts them.
    public var scanCount: Int {
        switch self {
        case .scans(let events): events.count
        case .severalTouches(let frames): frames.count
        default: 1
        }
    }
}

// MARK: Bytes

extension Message {
    /// Passes the fields of the payload to a coder that receives values.
    func encode<Coder: FieldCoder>(with coder: inout Coder) where Coder.Failure == Never {
        switch self {
        case .hello, .shutdown, .ready, .reportRequest, .screenshot: break
        case .link(let word): _ = coder.field(word)
        case .digitizer(let event): _ = coder.field(event.value)
        case .scans(let events): _ = coder.scans(events)
        case .device(let event): _ = DeviceEvent(coding: event, position: Self.onPanel, with: &coder)
        case .touches(let frame): _ = coder.field(frame)
        case .severalTouches(let frames): _ = coder.severalTouches(frames)
        case .input(let event): _ = DeviceEvent(coding: event, position: Self.onScreen, with: &coder)
        case .lifeCycle(let moment): _ = coder.moment(moment)
        case .scene(let state): _ = coder.field(state)
        case .windows(let diff): _ = coder.field(diff)
        case .handled(let receipt): _ = coder.field(receipt)
        case .launch(let order): _ = coder.field(order)
        case .roster(let entries): _ = coder.roster(entries)
        case .act(let act): _ = coder.field(act)
        case .play(let order): _ = coder.field(order)
        case .stopPlay(let id): _ = coder.play(id)
        case .played(let report): _ = coder.field(report)
        case .measured(let ledgers): _ = coder.ledgers(ledgers)
        case .report(let report): _ = coder.field(report)
        case .refused(let reason): _ = coder.field(reason, "reason", as: "reason")
        case .tooManyStrikes(let report): _ = coder.field(report)
        case .stalled(let stall): _ = coder.field(stall)
        case .overran(let overrun): _ = coder.field(overrun)
        case .chaos(let fault): _ = coder.field(fault, "fault", as: "fault")
        case .observe(let observation): _ = coder.field(observation)
        case .facts(let page): _ = coder.field(page)
        case .detailRequest(let request): _ = coder.field(request)
        case .detail(let page): _ = coder.field(page)
        case .monitor(let request): _ = coder.field(request)
        case .monitorPage(let page): _ = coder.field(page)
        case .open(let request): _ = coder.field(request)
        case .opened(let answer): _ = coder.field(answer)
        case .launchRequest(let wish): _ = coder.field(wish)
        }
    }

    init(kind: MessageKind, from reader: inout ByteReader) throws(WireError) {
        switch kind {
        case .hello: self = .hello
        case .shutdown: self = .shutdown
        case .ready: self = .ready
        case .reportRequest: self = .reportRequest
        case .screenshot: self = .screenshot
        case .link: self = .link(try reader.read())
        case .digitizer:
            let event: HIDEvent = try reader.read()
            self = .digitizer(reader.memory?.box(event) ?? Boxed(event))
        case .scans: self = .scans(try reader.scans(nil))
        case .device: self = .device(try DeviceEvent(coding: nil, position: Self.onPanel, with: &reader))
        case .touches: self = .touches(try reader.read())
        case .severalTouches: self = .severalTouches(try reader.severalTouches(nil))
        case .input: self = .input(try DeviceEvent(coding: nil, position: Self.onScreen, with: &reader))
        case .lifeCycle: self = .lifeCycle(try reader.moment(nil))
        case .scene: self = .scene(try reader.read())
        case .windows: self = .windows(try reader.read())
        case .handled: self = .handled(try reader.read())
        case .launch: self = .launch(try reader.read())
        case .roster: self = .roster(try reader.roster(nil))
        case .act: self = .act(try reader.read())
        case .play: self = .play(try reader.read())
        case .stopPlay: self = .stopPlay(try reader.play(nil))
        case .played: self = .played(try reader.read())
        case .measured: self = .measured(try reader.ledgers(nil))
        case .report: self = .report(try reader.read())
        case .refused: self = .refused(try reader.field(nil, "reason", as: "reason"))
        case .tooManyStrikes: self = .tooManyStrikes(try reader.read())
        case .stalled: self = .stalled(try reader.read())
        case .overran: self = .overran(try reader.read())
        case .chaos: self = .chaos(try reader.field(nil, "fault", as: "fault"))
        case .observe: self = .observe(try reader.read())
        case .facts: self = .facts(try reader.read())
        case .detailRequest: self = .detailRequest(try reader.read())
        case .detail: self = .detail(try reader.read())
        case .monitor: self = .monitor(try reader.read())
        case .monitorPage: self = .monitorPage(try reader.read())
        case .open: self = .open(try reader.read())
        case .opened: self = .opened(try reader.read())
        case .launchRequest: self = .launchRequest(try reader.read())
        }
    }

    private static let onPanel: StaticString = "position, 16.16 of the panel: x"
    private static let onScreen: StaticString = "position, 16.16 points: x"

    /// The greatest number of scans in one `scans` or `severalTouches`, and of their contacts together. So many fit into
    /// a packet.
    public static let scansPerFrame = 128
    public static let contactsPerFrame = 256

    /// The greatest number of ledgers in one `measured`, which fill a packet.
    public static let ledgersPerFrame = 1200
}

// MARK: Payloads without a type of their own

extension FieldCoder {
    fileprivate mutating func moment(_ moment: LifeCycleChange?) throws(Failure) -> LifeCycleChange {
        try field(moment, "moment", as: "life cycle")
    }

    fileprivate mutating func play(_ id: UInt32?) throws(Failure) -> UInt32 { try field(id, "play") }

    fileprivate mutating func roster(_ entries: [RosterEntry]?) throws(Failure) -> [RosterEntry] {
        try list(entries, "entries", of: "roster entries", size: RosterEntry.size, limit: 1024)
    }

    fileprivate mutating func ledgers(_ ledgers: [Ledger]?) throws(Failure) -> [Ledger] {
        try list(ledgers, "ledgers", of: "ledgers", size: 52, limit: Message.ledgersPerFrame) {
            (ledger, coder) throws(Failure) in try Ledger(coding: ledger, stamps: "each: stamps", with: &coder)
        }
    }
}
