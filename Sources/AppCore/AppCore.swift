// AppCore.swift: one app process: its links, its two loops, its application.
//
// Station   inbox … action
// Input     a host: frames of the system server and the supervisor, timers
// Output    receipts to the server, readiness and reports to the supervisor, timers
// Knows     UIKit's application from outside. Its views come from the content that it is given.
//
//     frame ─▶ ServerConnection ─▶ InputDelivery ─▶ EventFetcher ─▶ EventQueue ─▶ MainLoop ─▶ UIApplication ─▶ receipt
//
// ProcessState is the state of the process. OpenURLs and WindowDeclaration have the other messages to the server.
//
// Sources   Docs/Spec/Semantics.md C2, D6, D7; Docs/Spec/Pipeline.md section 2, I1, I7

public import Basics
import Foundation
public import Hosting
import Links
public import Settings
import Trace
public import UIKit
import ViewTrees
public import Wire

/// The core of one app process.
public struct AppCore: ProcessCore {
    /// The timer of the earliest wake-up of the app's loops.
    public static let loopTimer = TimerID(1)
    /// The timer of the next hello, while the server has not answered one.
    public static let helloTimer = TimerID(2)
    /// The timer of the answer to the app's requests to open URLs.
    static let openTimer = TimerID(4)
    /// The timer of the server's acknowledgement of the window declaration.
    static let windowsTimer = TimerID(3)

    let order: LaunchOrder
    private(set) var process: ProcessState
    package let application: UIApplication
    package let mainLoop: MainLoop
    let fetcher: EventFetcher

    private(set) var server: ServerConnection
    private var supervisor: LinkNumbers
    private(set) var delivery: InputDelivery
    /// Nil if the app does not declare its windows, so that the server sends every touch that lands in the scene.
    private var windows: WindowDeclaration?
    private var urls = OpenURLs()
    private var trees = TreeRequests()
    /// Whether the server of this link has sent the scene's frame.
    private var hasSceneState = false
    private var armed = Instant.never
    /// Whether facts may name pressed keys: `trace.keys`.
    private let tracesKeys: Bool
    /// What the app shows, for a person.
    let contentText: String
    /// Frames that an app does not accept, or that the host refused.
    private(set) var refusals = RepetitionLimit()

    /// - Parameters:
    ///   - order: The first message of the supervisor, with the identity of the process.
    ///   - settings: The settings of the group, with the app's own.
    ///   - content: Makes the app's content once, when it starts: a delegate, windows, or both.
    public init(order: LaunchOrder, settings: Settings, content: @escaping (UIApplication) -> Void) {
        self.order = order
        process = .created(ProcessState.Content(make: content), isDismissed: false)
        application = UIApplication(settings: UIKitSettings(settings))
        mainLoop = MainLoop(
            application: application, isFrameAligned: settings[.appDelivery] == .frameAligned,
            deliversLandingsAtOnce: settings[.appLowLatencyBegan])
        application.mainLoop = mainLoop
        fetcher = EventFetcher(settings[.appEventFetch], capacity: settings[.appInboxCapacity], main: mainLoop)
        tracesKeys = settings[.traceKeys]
        contentText = settings.contentText
        if settings[.appDeclaresWindows] { windows = WindowDeclaration() }
        server = ServerConnection(generation: order.generation, fetcher: fetcher)
        supervisor = LinkNumbers(epoch: order.epoch, generation: order.generation)
        delivery = InputDelivery(limit: settings[.appTurnTimeout], fetcher: fetcher, mainLoop: mainLoop)
        let schemes = (try? Schemes(text: settings[.groupSchemes])) ?? Schemes()
        application.setDeclaredSchemes(schemes.entries.map(\.scheme))
    }

    /// Whether nothing waits in the app, and nothing but repeating timers will happen.
    package var isQuiet: Bool { mainLoop.isQuiet && fetcher.depth == 0 && delivery.pendingCancels.isEmpty }

    public mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        guard !process.hasEnded else { return }
        outbox.trace.namesKeys = tracesKeys
        application.exchangeTrace(with: &outbox.trace, at: now)
        let away = delivery.turn(for: input, at: now)
        UIApplication.runTurn(of: application) { handle(input, late: away, at: now, into: &outbox) }
        application.exchangeTrace(with: &outbox.trace, at: now)
    }

    /// - Parameter away: The time for which this app did not turn while the input waited for it, if that was too long.
    private mutating func handle(_ input: Input, late away: Duration?, at now: Instant, into outbox: inout Outbox) {
        switch input {
        case .started: advance(.started, at: now, into: &outbox)
        case .connected(.systemServer): connect(at: now, into: &outbox)
        case .peerLost(.systemServer):
            if server.lose(into: &outbox) { delivery.cancelAll("server lost", at: now) }
        case .connected, .peerLost: break
        case .frame(let frame, let peer):
            switch peer.role {
            case .systemServer: receive(fromServer: frame, late: away, at: now, into: &outbox)
            case .supervisor: receive(fromSupervisor: frame, at: now, into: &outbox)
            case .inputKit, .app, .controller: refuse(frame, from: peer)
            }
        case .refused(let refusal):
            if refusals.countOccurrence() {
                application.note(
                    .process, "refused, {b} so far: {a:n}", application.trace.intern("\(refusal)"),
                    Int64(clamping: refusals.count))
            }
        case .timerFired(Self.windowsTimer): declareWindows(isOverdue: true, at: now, into: &outbox)
        case .timerFired(Self.openTimer): application.answerURLRequest(nil, isOpen: false)
        case .timerFired(Self.helloTimer): server.sendHello(at: now, into: &outbox)
        case .timerFired(let timer): if timer == Self.loopTimer { armed = .never }
        case .stopRequested: advance(.stopRequested, at: now, into: &outbox)
        // An app orders none of these.
        case .fileBytes, .fileFailed, .device, .childStarted, .childFailed, .childExited,
            .programReplaced:
            return
        }
        guard process.isRunning else { return }
        turn(at: now, into: &outbox)
        declareWindows(isOverdue: false, at: now, into: &outbox)
        advance(.turned, at: now, into: &outbox)
    }

    // MARK: The process

    private mutating func advance(_ input: ProcessState.Input, at now: Instant, into outbox: inout Outbox) {
        switch process.handle(input) {
        case .launch(let content):
            content.make(application)
            application.launch(opening: order.openRequest?.url.text)
            urls.launched(order)
            fetcher.start(at: now)
            mainLoop.start(at: now)
            application.note(.app, "launched")
        case .announce:
            sendToSupervisor(.ready, into: &outbox)
            application.note(.process, "ready")
        case .terminate:
            application.changeLifeCycle(.willTerminate)
            exit(into: &outbox)
        case .exit: exit(into: &outbox)
        case .nothing: break
        }
    }

    private mutating func exit(into outbox: inout Outbox) {
        application.note(.app, "terminated")
        if armed != .never { outbox.append(.disarm(Self.loopTimer)) }
        sendReceipts(into: &outbox)
        outbox.append(.exit(status: 0))
    }

    // MARK: The server

    private mutating func connect(at now: Instant, into outbox: inout Outbox) {
        server.forgetOutstanding()
        delivery.cancelAll("server link renewed", at: now)
        server.connect(at: now, into: &outbox)
    }

    private mutating func receive(
        fromServer frame: Frame, late away: Duration?, at now: Instant, into outbox: inout Outbox
    ) {
        switch server.receive(frame, at: now, into: &outbox) {
        case .opened:
            windows?.begin()
            forgetScene()
            return advance(.linkOpened, at: now, into: &outbox)
        case .arrived(missing: 0): break
        case .arrived(let missing):
            application.note(
                .inbox, "{a} frames missing before {b}", Int64(clamping: missing), Int64(frame.sequence))
            // The lost frames' changes of touches are unknown: the touches end here until they land again.
            delivery.cancelAll("frames missing", at: now)
            server.answerMissing(missing, before: frame, into: &outbox)
        case .refused(let refusal): return note(refusal, of: frame)
        case .helloRepeated: preconditionFailure("a client's hello is not repeated to it")
        }
        if let away { return delivery.refuse(late: frame, away, at: now, to: &server, into: &outbox) }
        switch ServerToApp(frame.message) {
        case .touches(let touches): delivery.post(touches, of: frame, at: now, to: &server, into: &outbox)
        case .severalTouches(let frames): delivery.post(frames, of: frame, at: now, to: &server, into: &outbox)
        case .input(let event): delivery.post(event, of: frame, at: now, to: &server, into: &outbox)
        case .lifeCycle(.willTerminate): advance(.dismissed, at: now, into: &outbox)
        case .lifeCycle(let change):
            // The credit does not count changes of the life cycle, so they may use the reserve.
            if post(.lifeCycle(change), of: frame, orNote: "full: a life-cycle change dropped") {
                server.expectAnswer(to: frame)
            }
        case .scene(let state):
            windows?.acknowledge(state.acknowledgedDeclaration)
            hasSceneState = true
            post(.scene(state), orNote: "full: a scene change dropped")
        case .screenshot: post(.screenshot, orNote: "full: a screenshot dropped")
        case .open(let request):
            switch urls.receive(request, epoch: frame.epoch) {
            case .wait: return
            case .answer: urls.answer(request.id, to: &server, into: &outbox)
            case .queue: if !post(.open(request), orNote: "full: a URL dropped") { urls.dropped() }
            }
        case .opened(let answer): application.answerURLRequest(answer.id, isOpen: answer.outcome == .opened)
        // This is for a supervisor on another machine. The host adds the facts.
        case .observe(let observation):
            if let page = answer(to: observation) { server.send(.facts(page), into: &outbox) }
        case .link(.probe): server.answerProbe(into: &outbox)
        // The answer to the hello, repeated.
        case .hello, .link(.received): return
        case .refused, nil: refuse(frame, from: .systemServer)
        }
    }

    /// Posts an event that no credit counts and no receipt answers. It may use the reserve.
    ///
    /// - Parameters:
    ///   - content: The event.
    ///   - frame: The frame of a life-cycle change, which stays outstanding until the change is done.
    ///   - complaint: The fact to note if there is no room.
    @discardableResult
    private func post(
        _ content: QueuedEvent.Content, of frame: Frame? = nil, orNote complaint: StaticString
    ) -> Bool {
        let isPosted = fetcher.postUsingReserve(QueuedEvent(content: content, receipt: nil, frame: frame?.sequence))
        if !isPosted { application.note(.inbox, complaint) }
        return isPosted
    }

    /// Returns the scene to the whole screen and its first orientation, because a new server has not placed it yet.
    private mutating func forgetScene() {
        guard hasSceneState else { return }
        hasSceneState = false
        let screen = application.screen
        let whole = SceneState(
            frame: Rect(
                x: .zero, y: .zero, width: Fixed(Double(screen.size.width)),
                height: Fixed(Double(screen.size.height))),
            scale: Fixed(Double(screen.scale)), orientation: application.settings.display.orientation,
            acknowledgedDeclaration: 0)
        post(.scene(whole), orNote: "full: a scene change dropped")
    }

    /// Declares the windows to the server if they have changed, and repeats this until the server has acknowledged it.
    private mutating func declareWindows(isOverdue: Bool, at now: Instant, into outbox: inout Outbox) {
        guard windows != nil, process.isRunning, server.isOpen else { return }
        for diff in windows!.changes(to: application.sceneWindows, isOverdue: isOverdue) {
            server.send(.windows(diff), into: &outbox)
            outbox.append(.arm(Self.windowsTimer, at: now.advanced(by: WindowDeclaration.acknowledgementWaitLimit)))
        }
    }

    private func note(_ refusal: Link.Refusal, of frame: Frame) {
        switch refusal {
        case .beforeHello, .oldHello:
            application.note(.inbox, "frame {a} of a link without hello dropped", Int64(frame.sequence))
        case .duplicate(let sequence, let last):
            application.note(.inbox, "frame {a} received again after {b}, dropped", Int64(sequence), Int64(last))
        case .fenced(let epoch, let generation):
            application.note(.inbox, "frame of epoch {a}, generation {b} fenced", Int64(epoch), Int64(generation))
        }
    }

    // MARK: The supervisor

    private mutating func receive(fromSupervisor frame: Frame, at now: Instant, into outbox: inout Outbox) {
        // The link is inherited, so no other process sends on it, and it outlives the server's epochs.
        if frame.epoch == supervisor.epoch {
            _ = supervisor.accept(frame)
        } else {
            supervisor.adopt(hello: frame, epoch: frame.epoch)
        }
        switch SupervisorToChild(frame.message) {
        case .reportRequest: sendToSupervisor(.report(report), into: &outbox)
        case .observe(let observation):
            if let page = answer(to: observation) { sendToSupervisor(.facts(page), into: &outbox) }
        case .shutdown: advance(.stopRequested, at: now, into: &outbox)
        // The host handles these: it reads the order, checks peers against the roster, and carries out faults.
        case .launch, .roster, .chaos: return
        case .refused, nil: refuse(frame, from: .supervisor)
        }
    }

    /// Returns the page of lines or, for the host to fill, of facts; nil at the end of an observation.
    private mutating func answer(to observation: Observation) -> FactPage? {
        switch observation.kind {
        case .begin, .page: return FactPage(answering: observation, from: order.peer)
        case .tree, .touchTargets:
            return trees.page(for: observation, from: order.peer) { [application] in
                application.viewTree(touchTargets: observation.kind == .touchTargets).lines
            }
        case .report:
            let lines = remoteReport.lines
            return trees.page(for: observation, from: order.peer) { lines }
        case .end:
            trees.forget(observation.id)
            return nil
        }
    }

    private mutating func sendToSupervisor(_ message: ChildToSupervisor, into outbox: inout Outbox) {
        outbox.append(.send(supervisor.frame(message.message), to: .supervisor))
    }

    private mutating func refuse(_ frame: Frame, from peer: Peer) {
        guard refusals.countOccurrence() else { return }
        application.note(
            .process, "{a:n} from {b:n} refused: not a message for an app",
            application.trace.intern("\(frame.message.kind)"), application.trace.intern("\(peer)"))
    }

    // MARK: Turning

    private mutating func turn(at now: Instant, into outbox: inout Outbox) {
        if let since = mainLoop.endBlocking(at: now) {
            delivery.refuseQueued(since: since, at: now, to: &server, into: &outbox)
        }
        delivery.postPendingCancels()
        // Without a server, the app's requests to open URLs fail.
        if !server.isOpen, application.awaitsURLAnswers { application.answerURLRequest(nil, isOpen: false) }
        let fetches = fetcher.turn(at: now)
        var wakes = min(fetches, mainLoop.turn(at: now))
        sendReceipts(into: &outbox)
        if urls.exchange(with: mainLoop, at: now, to: &server, into: &outbox) {
            wakes = min(wakes, now.advanced(by: .milliseconds(1)))
        }
        guard wakes != armed else { return }
        armed = wakes
        outbox.append(wakes == .never ? .disarm(Self.loopTimer) : .arm(Self.loopTimer, at: wakes))
    }

    /// Sends one receipt for each frame that the main loop has finished.
    private mutating func sendReceipts(into outbox: inout Outbox) {
        for frame in mainLoop.finished.lifeCycleChanges { server.removeOutstanding(frame) }
        mainLoop.finished.lifeCycleChanges.removeAll(keepingCapacity: true)
        guard !mainLoop.finished.answers.isEmpty else { return }
        for answer in mainLoop.finished.answers { server.answer(answer, into: &outbox) }
        mainLoop.finished.answers.removeAll(keepingCapacity: true)
    }
}
