// MessagePermissions.swift: which role may send which kind of message to which other role.
//
// Input     hosts and verifiers: a received message and both ends of its link
// Output    whether the message may go this way
//
// The enums of directions (DataMessages.swift, ControlMessages.swift) decide. Each is asked once for a message of each kind,
// because a host checks every frame, and a conversion copies the payload.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2, threat T3

import Basics
import HID

extension Message {
    /// Whether one role may send this message to another one. A host refuses any other frame before a state changes
    /// (threat T3).
    public func isAllowed(from sender: Role, to receiver: Role) -> Bool { kind.isAllowed(from: sender, to: receiver) }
}

extension MessageKind {
    /// Whether one role may send messages of this kind to another one.
    public func isAllowed(from sender: Role, to receiver: Role) -> Bool {
        Self.allowed[Self.way(from: sender, to: receiver)] & bit != 0
    }

    private var bit: UInt64 { 1 << UInt64(rawValue) }

    private static func way(from sender: Role, to receiver: Role) -> Int {
        Int(sender.rawValue) * Role.allCases.count + Int(receiver.rawValue)
    }

    /// For each way, the bits of the kinds that may go it.
    private static let allowed: [UInt64] = {
        var allowed = [UInt64](repeating: 0, count: Role.allCases.count * Role.allCases.count)
        for kind in allCases {
            precondition(kind.rawValue < UInt64.bitWidth, "\(kind) has no bit")
            for sender in Role.allCases {
                for receiver in Role.allCases where kind.example.hasDirection(from: sender, to: receiver) {
                    allowed[way(from: sender, to: receiver)] |= kind.bit
                }
            }
        }
        return allowed
    }()

    /// A message of this kind with the least content.
    private var example: Message {
        let none = Instant(nanoseconds: 0)
        let app = AppID(1)
        switch self {
        case .hello: return .hello
        case .link: return .link(.received(oldest: 0, missed: 0))
        case .digitizer:
            let hand = DigitizerEvent(transducer: .hand, index: 0, identity: 0, mask: [], options: [], at: Point(0, 0))
            return .digitizer(
                HIDEvent(timeStamp: none, senderID: 0, generationCount: 0, hand: hand, fingers: []))
        case .scans: return .scans(ScanList())
        case .device:
            return .device(
                DeviceEvent(timeStamp: none, input: DeviceInput(.changed, .scroll(Point(0, 0), dx: .zero, dy: .zero))))
        case .input:
            return .input(
                DeviceEvent(timeStamp: none, input: DeviceInput(.changed, .scroll(Point(0, 0), dx: .zero, dy: .zero))))
        case .touches: return .touches(TouchFrame(timeStamp: none, contacts: []))
        case .severalTouches: return .severalTouches(TouchList())
        case .lifeCycle: return .lifeCycle(.willResignActive)
        case .scene:
            return .scene(
                SceneState(
                    frame: Rect(x: 0, y: 0, width: 1, height: 1), scale: Fixed(1), orientation: .portrait,
                    acknowledgedDeclaration: 0))
        case .windows: return .windows(WindowsDiff(number: 0, isWhole: true, changes: []))
        case .handled: return .handled(Receipt(frame: 0, outcome: .delivered))
        case .screenshot: return .screenshot
        case .launch:
            return .launch(LaunchOrder(peer: .app(app), epoch: 0, generation: 0, runDirectory: "", settings: []))
        case .roster: return .roster([])
        case .ready: return .ready
        case .act: return .act(.foreground(app: app))
        case .shutdown: return .shutdown
        case .reportRequest: return .reportRequest
        case .report: return .report(Report(peer: .supervisor))
        case .refused: return .refused("")
        case .tooManyStrikes:
            return .tooManyStrikes(StrikeReport(peer: .app(app), generation: 0, strikes: 0, reason: ""))
        case .stalled:
            return .stalled(
                Stall(
                    app: app, generation: 0, episode: 0, hop: .mainLoop, frame: 0, since: none, unanswered: 0,
                    waiting: 0, touches: 0, lasted: .zero))
        case .overran:
            return .overran(Overrun(app: app, generation: 0, change: .didEnterBackground, limit: .zero))
        case .chaos: return .chaos("")
        case .play: return .play(PlayOrder(id: 0, source: .script(""), pace: .times(1), repeats: 1))
        case .stopPlay: return .stopPlay(0)
        case .played: return .played(PlayReport(id: 0))
        case .measured: return .measured([])
        case .observe: return .observe(Observation(id: 0, kind: .page))
        case .facts: return .facts(FactPage(answering: Observation(id: 0, kind: .page), from: .supervisor))
        case .detailRequest: return .detailRequest(DetailRequest(id: 0))
        case .detail: return .detail(DetailPage(id: 0))
        case .monitor: return .monitor(TouchMonitorRequest(id: 0, .begin(TouchMonitorInterest())))
        case .monitorPage:
            return .monitorPage(
                TouchMonitorPage(id: 0, number: 0, .scan(MonitoredScan(timeStamp: none, device: 0, contacts: []))))
        case .open: return .open(OpenRequest(id: 0, url: Self.url))
        case .opened: return .opened(OpenAnswer(id: 0, outcome: .opened))
        case .launchRequest:
            return .launchRequest(
                LaunchRequest(
                    app: app, comesToFront: false, deliveredGenerations: 0,
                    openRequest: OpenRequest(id: 0, url: Self.url)))
        }
    }

    private static let url: URLText = {
        guard let url = try? URLText("a://b") else { preconditionFailure("a URL that cannot be one") }
        return url
    }()
}

extension Message {
    fileprivate func hasDirection(from sender: Role, to receiver: Role) -> Bool {
        switch (sender, receiver) {
        case (.inputKit, .systemServer): InputKitToServer(self) != nil
        case (.systemServer, .inputKit): ServerToInputKit(self) != nil
        case (.systemServer, .app): ServerToApp(self) != nil
        case (.app, .systemServer): AppToServer(self) != nil
        case (.supervisor, .inputKit): SupervisorToInputKit(self) != nil
        case (.supervisor, .systemServer): SupervisorToServer(self) != nil
        case (.supervisor, .app): SupervisorToChild(self) != nil
        case (.inputKit, .supervisor): InputKitToSupervisor(self) != nil
        case (.systemServer, .supervisor): ServerToSupervisor(self) != nil
        case (.app, .supervisor): ChildToSupervisor(self) != nil
        case (.controller, .supervisor): ControllerToSupervisor(self) != nil
        case (.supervisor, .controller): SupervisorToController(self) != nil
        // These roles have no link to each other.
        case (.inputKit, .inputKit), (.inputKit, .app), (.inputKit, .controller), (.systemServer, .systemServer),
            (.systemServer, .controller), (.app, .inputKit), (.app, .app), (.app, .controller),
            (.controller, .inputKit), (.controller, .systemServer), (.controller, .app), (.controller, .controller),
            (.supervisor, .supervisor):
            kind == .refused
        }
    }
}
