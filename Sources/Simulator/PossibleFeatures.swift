// PossibleFeatures.swift: what simulated runs can reach, and from it what none of them has reached.
//
//     permissions of messages, tables of machines, rules of faults ─▶ names ─ without those reached ─▶ UnreachedKind
//
// Facts are not listed: a template is known when a core notes it. A machine's row that keeps the state is not listed, as a
// reader sees no input.
//
// Input     SimulationOptions, the features that runs have reached (RunCoverage)
// Output    the report of a campaign
// Knows     names. No run.
//
// Sources   invented

import AppCore
import Basics
import Faults
import HID
import Hosting
import InputKitCore
import SupervisorCore
import SystemServerCore
import Wire

/// What runs with some options can reach.
public struct PossibleFeatures: Sendable {
    /// The features of one kind.
    public struct UnreachedKind: Hashable, Sendable {
        /// The first word of their names.
        public let kind: String
        /// How many features of this kind there are.
        public let possible: Int
        /// The names of those that no run has reached, without the kind, in the order of their tables.
        public let names: [String]
    }

    /// In the order of their tables.
    private let messages: [String]
    private let faults: [String]
    private let machines: [MachineSteps]

    public init(_ options: SimulationOptions) {
        messages = Self.messages()
        machines =
            SupervisorCore.machineSteps + InputKitCore.machineSteps + SystemServerCore.machineSteps
            + AppCore.machineSteps
        faults =
            switch options.faults {
            case .plan(let plan): FeatureName.faults(plan.faults.map { ($0.kind, $0.target.role) })
            case .profile(let profile):
                FeatureName.faults(
                    profile.rules.filter { $0.chance > 0 }.flatMap { rule in
                        rule.targets.map { target in
                            switch target {
                            case .peer(let peer): (rule.kind, peer.role)
                            case .apps: (rule.kind, Role.app)
                            }
                        }
                    })
            }
    }

    /// Returns what is missing in the features that runs have reached.
    ///
    /// - Parameter reached: In any order.
    /// - Returns: Each kind that has features, also if all are reached.
    public func unreached(by reached: [String]) -> [UnreachedKind] {
        let names = Set(reached)
        func kind(_ word: String, _ all: [String]) -> UnreachedKind? {
            let own = all.filter { $0.hasPrefix("\(word) ") }
            guard !own.isEmpty else { return nil }
            let missing = own.filter { !names.contains($0) }.map { String($0.dropFirst(word.count + 1)) }
            return UnreachedKind(kind: word, possible: own.count, names: missing)
        }
        return [unreachedSteps(reached), kind("message", messages), kind("fault", faults), kind("faults", faults)]
            .compactMap { $0 }
    }

    private func unreachedSteps(_ reached: [String]) -> UnreachedKind? {
        let seen = reached.compactMap(FeatureName.step(in:))
        var (possible, names) = (0, [String]())
        for machine in machines {
            let taken = machine.taken(by: seen.filter { $0.machine == machine.machine }.map(\.step))
            possible += machine.visible.count
            for step in machine.visible where !taken.contains(step) {
                names.append("\(machine.machine) \(step.from)>\(step.to)")
            }
        }
        return UnreachedKind(kind: "machine", possible: possible, names: names)
    }

    /// The messages that a simulated core may receive. A controller has no core, and roles that may only refuse each
    /// other's messages have no link.
    private static func messages() -> [String] {
        var names: [String] = []
        for sender in Role.allCases {
            for receiver in Role.allCases where receiver != .controller {
                let kinds = MessageKind.allCases.filter { example($0).isAllowed(from: sender, to: receiver) }
                guard kinds != [.refused] else { continue }
                names += kinds.map { FeatureName.message($0, from: sender, to: receiver) }
            }
        }
        return names
    }

    /// A message of a kind. Permissions depend on the kind alone.
    private static func example(_ kind: MessageKind) -> Message {
        let none = Instant(nanoseconds: 0)
        let app = AppID(1)
        switch kind {
        case .hello: return .hello
        case .link: return .link(.received(oldest: 0, missed: 0))
        case .digitizer:
            let hand = DigitizerEvent(transducer: .hand, index: 0, identity: 0, mask: [], options: [], at: Point(0, 0))
            return .digitizer(
                HIDEvent(timeStamp: none, senderID: 0, generationCount: 0, hand: hand, fingers: []))
        case .device:
            return .device(
                DeviceEvent(timeStamp: none, input: DeviceInput(.changed, .scroll(Point(0, 0), dx: .zero, dy: .zero))))
        case .input:
            return .input(
                DeviceEvent(timeStamp: none, input: DeviceInput(.changed, .scroll(Point(0, 0), dx: .zero, dy: .zero))))
        case .touches: return .touches(TouchFrame(timeStamp: none, contacts: []))
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
        case .open: return .open(OpenRequest(id: 0, url: link))
        case .opened: return .opened(OpenAnswer(id: 0, outcome: .opened))
        case .launchRequest:
            return .launchRequest(
                LaunchRequest(
                    app: app, comesToFront: false, deliveredGenerations: 0, openRequest: OpenRequest(id: 0, url: link)))
        }
    }

    private static let link: URLText = {
        guard let link = try? URLText("a://b") else { preconditionFailure("a URL that cannot be one") }
        return link
    }()
}
