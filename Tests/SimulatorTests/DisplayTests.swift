import Audit
import Basics
import Faults
import HID
import Hosting
import Links
import Recordings
import Settings
import Simulator
import SystemServerCore
import Testbed
import Testing
import Trace
import UIKit
import Wire

/// `server.displayRate` and `server.resample` in a whole simulated group: S95 with the server's frames.
@Suite("Display frames, simulated")
struct DisplayTests {

    private final class Seen {
        struct Sample: Hashable {
            var time: Double
            var x: Double
            var y: Double
        }
        var phases: [UITouch.Phase] = []
        /// For each move: its coalesced samples with the touch itself last, and the number of predicted touches.
        var moves: [[Sample]] = []
        var guesses: [Int] = []
        var guessesOfEnds = 0
        var isLastDelivered = true
    }

    private func run(_ more: (String, String)...) throws -> (SimulationResult, Seen) {
        let seen = Seen()
        var options = SimulationOptions()
        (options.length, options.apps) = (.seconds(2), 1)
        options.settings = try Settings(more.map { Setting(key: $0.0, value: $0.1) })
        let script = "stroke f1 (20,100) (350,600) @0.1 1.1 step 1/240"
        options.script = try FingerScript(parsing: script).lines
        options.faults = .plan(FaultPlan([]))
        options.content = { _ in { $0.keptDelegate = Watcher(seen) } }
        var run = SimulatedRun(seed: 5, options: options)
        let result = run.run()
        #expect(result.violations.map(\.text) == [])
        return (result, seen)
    }

    @Test("240 samples in a second arrive at display rate with coalesced touches", arguments: ["60", "120"])
    func coalesced(rate: String) throws {
        let (_, plain) = try run()
        let (result, seen) = try run(("server.displayRate", rate))
        let frames = try #require(Int(rate))
        #expect((frames - 2...frames + 2).contains(seen.moves.count), "\(seen.moves.count)")
        #expect(plain.moves.count > 200 && seen.moves.flatMap { $0 } == plain.moves.flatMap { $0 })
        #expect(seen.phases == plain.phases)
        #expect(seen.isLastDelivered)
        #expect(seen.guesses.dropFirst(2).allSatisfy { $0 > 0 } && seen.guessesOfEnds == 0)
        #expect(result.audit.scans[.dropped] == 0)
        #expect(result.audit.scans.injected == result.audit.scans[.delivered] + result.audit.scans[.coalesced])
    }

    @Test("a resampled position comes last, and real samples stay unchanged")
    func resampled() throws {
        let (_, plain) = try run()
        let (_, seen) = try run(("server.displayRate", "60"), ("server.resample", "true"))
        let real = plain.moves.flatMap { $0 }
        var told: [Seen.Sample] = []
        var resampled = 0
        for move in seen.moves {
            for sample in move {
                if real.contains(sample) { told.append(sample) } else { resampled += 1 }
                #expect(real.contains(sample) || sample == move.last)
            }
        }
        #expect(told == real)
        #expect(resampled > 40 && seen.isLastDelivered)
        let times = seen.moves.flatMap { $0.map(\.time) }
        #expect(times == times.sorted())
        // The contact moves at an even speed, so the resampled positions do too.
        let steps = zip(seen.moves.dropFirst(2), seen.moves.dropFirst(3)).map { $1.last!.y - $0.last!.y }
        let middle = steps.dropLast(3).sorted()
        #expect(middle.first! > 0 && middle.last! - middle.first! < middle.last! / 2)
    }

    @Test("display frames break no law under faults in 40 seeds")
    func swarm() {
        var coalesced: UInt64 = 0
        for seed in 1...Sanitizer.seeds(40) {
            var options = SimulationOptions()
            (options.length, options.faults, options.drawsSettings) = (.seconds(5), .profile(.standard), true)
            do {
                try options.settings.set("server.displayRate", to: ["60", "120", "24", "1000"][Int(seed % 4)])
                try options.settings.set("server.resample", to: seed % 8 < 4 ? "true" : "false")
            } catch { Issue.record(error) }
            var run = SimulatedRun(seed: seed, options: options)
            let result = run.run()
            coalesced += result.audit.scans[.coalesced]
            #expect(
                result.violations.isEmpty,
                "seed \(seed): \(result.violations.prefix(3).map { "\($0.law.rawValue) \($0.text)" })")
        }
        #expect(coalesced > Sanitizer.seeds(100))
    }

    @Test("every order of five touch and frame events breaks no law")
    func orders() {
        let words = Word.allCases
        var runs = 0
        for (window, resamples) in [(1, false), (32, true)] as [(UInt32, Bool)] {
            var order = [Int](repeating: 0, count: 5)
            while true {
                let report = FrameOrder(window: window, resamples: resamples).play(order.map { words[$0] })
                runs += 1
                #expect(
                    report.violations.isEmpty && report.scans.isExact && report.scans.inFlight == 0,
                    "\(order.map { "\(words[$0])" }), window \(window): \(report.violations.first?.text ?? "not exact")"
                )
                guard let place = order.firstIndex(where: { $0 + 1 < words.count }) else { break }
                order[place] += 1
                for lower in 0..<place { order[lower] = 0 }
            }
        }
        #expect(runs == 2 * 3125)
    }

    private final class Watcher: UIResponder, UIApplicationDelegate {
        let window: UIWindow

        init(_ seen: Seen) {
            window = UIWindow(frame: UIScreen.main.bounds)
            super.init()
            let view = Canvas(frame: window.bounds)
            view.seen = seen
            window.addSubview(view)
            window.makeKeyAndVisible()
        }
    }

    private final class Canvas: UIView {
        var seen: Seen?

        private func take(_ touches: Set<UITouch>, _ event: UIEvent?) {
            guard let seen, let touch = touches.first else { return }
            // A run ends with a tap of its own; later touches are skipped.
            guard touch.timestamp < 1_000_000 else { return }
            if seen.phases.last != touch.phase { seen.phases.append(touch.phase) }
            let samples = (event?.coalescedTouches(for: touch) ?? []).map { sample in
                let place = sample.location(in: self)
                return Seen.Sample(time: sample.timestamp, x: Double(place.x), y: Double(place.y))
            }
            let place = touch.location(in: self)
            let itself = Seen.Sample(time: touch.timestamp, x: Double(place.x), y: Double(place.y))
            seen.isLastDelivered = seen.isLastDelivered && samples.last == itself
            let guesses = event?.predictedTouches(for: touch)?.count ?? 0
            if touch.phase == .moved {
                seen.moves.append(samples)
                seen.guesses.append(guesses)
            } else {
                seen.guessesOfEnds += guesses
            }
        }

        override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event) }
        override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event) }
        override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event) }
        override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event) }
    }
}

/// An audit of one process generation each of input-kit, the server and an app.
private struct AuditWitness {
    private var audit: Audit
    private let lives = [Peer.inputKit, .systemServer, .app(1)].map { ProcessInstance($0, epoch: 1, generation: 1) }
    /// The number of steps that each process has taken.
    private var steps: [UInt64] = [0, 0, 0]

    init(_ options: AuditOptions, at moment: Instant) {
        audit = Audit(options)
        for life in [lives[1], lives[0], lives[2]] { audit.add(.began(life, at: moment)) }
    }

    mutating func note(_ peer: Peer, _ input: Input, _ effects: [Effect], at moment: Instant) {
        let place = peer == .inputKit ? 0 : peer == .systemServer ? 1 : 2
        audit.add(
            .step(Step(process: lives[place], index: steps[place], at: moment, input: input, effects: effects)))
        steps[place] += 1
    }

    mutating func finish(at moment: Instant) -> AuditReport { audit.finish(at: moment) }
}

private enum Word: CaseIterable { case touch, move, frame, answer, act }

/// The production server between a scripted input-kit and a scripted app, with an audit of all three.
private final class FrameOrder {
    private var witness: AuditWitness
    private var core: SystemServerCore
    private var outbox = Outbox()
    private var now = Instant(nanoseconds: 1_000_000_000)

    private var fromInputKit = LinkNumbers(epoch: 0, generation: 1)
    private var fromApp = LinkNumbers(epoch: 0, generation: 1)
    private var fromSupervisor = LinkNumbers(epoch: 1, generation: 0)
    private let window: UInt32

    private var timers: [(TimerID, Instant)] = []
    private var unread: [Frame] = []
    private var isDown = false
    private var x = 0.1
    private var isCalling = false

    init(window: UInt32, resamples: Bool) {
        self.window = window
        var options = AuditOptions.simulated(linkDelay: .milliseconds(5))
        (options.group.display, options.group.resamples, options.judgesPromptness) = (100, resamples, true)
        options.terminalBound = .seconds(100)
        options.screen = ScreenGeometry(width: 375, height: 667, rotation: 0)
        witness = AuditWitness(options, at: now)
        let settings = try? Settings([
            Setting(key: "server.displayRate", value: "100"),
            Setting(key: "server.resample", value: resamples ? "true" : "false"),
        ])
        let order = LaunchOrder(peer: .systemServer, epoch: 1, generation: 1, runDirectory: "/run", settings: [])
        core = SystemServerCore(settings: settings ?? Settings(), order: order)
        give(.started)
        let hello = fromInputKit.hello()
        witness.note(.inputKit, .connected(.systemServer), [.send(hello, to: .systemServer)], at: now)
        give(.frame(hello, from: .inputKit))
        let greeting = fromApp.hello(credit: window)
        witness.note(.app(1), .connected(.systemServer), [.send(greeting, to: .systemServer)], at: now)
        give(.frame(greeting, from: .app(1)))
    }

    func play(_ words: [Word]) -> AuditReport {
        for word in words { play(word) }
        // These steps bring the group to rest.
        if isCalling { play(.act) }
        if isDown { play(.touch) }
        for _ in 0..<20 { play(.answer) }
        play(.frame)
        for _ in 0..<20 { play(.answer) }
        return witness.finish(at: now)
    }

    private func play(_ word: Word) {
        switch word {
        case .touch:
            isDown.toggle()
            scan([.range, .touch, .position], isDown ? [.range, .touch] : [])
        case .move:
            guard isDown else { return }
            x += 0.01
            scan([.position], [.range, .touch])
        case .frame:
            guard let timer = timers.firstIndex(where: { $0.0 == TimerID(3) }) else { return }
            let (id, due) = timers.remove(at: timer)
            give(.timerFired(id), at: max(due, now))
        case .answer: answer()
        case .act:
            isCalling.toggle()
            give(.frame(fromSupervisor.frame(.act(isCalling ? .interrupt : .resume)), from: .supervisor))
        }
    }

    private func scan(_ mask: DigitizerEventMask, _ options: DigitizerOptions) {
        now = now.advanced(by: .milliseconds(3))
        let event = Testbed.scan([record(1, mask, options, x)], at: now)
        var ledger = Ledger(device: now)
        let frame = fromInputKit.frame(.digitizer(event), ledger: ledger)
        witness.note(.inputKit, .timerFired(TimerID(2)), [.send(frame, to: .systemServer)], at: now)
        ledger.append(now)
        var arrived = frame
        arrived.ledger = ledger
        give(.frame(arrived, from: .inputKit))
    }

    /// The app receives its next frame of touches, and all frames before it.
    private func answer() {
        while !unread.isEmpty {
            var frame = unread.removeFirst()
            now = now.advanced(by: .microseconds(100))
            if frame.ledger.count > 0 { frame.ledger.append(now) }
            _ = fromApp.accept(frame)
            if case .touches(let touches) = frame.message { return answer(frame, touches) }
            witness.note(.app(1), .frame(frame, from: .systemServer), [], at: now)
        }
    }

    private func answer(_ frame: Frame, _ touches: TouchFrame) {
        var receipt = Receipt(frame: frame.sequence, outcome: .delivered)
        for contact in touches.contacts {
            switch contact.phase {
            case .began: receipt.began += 1
            case .moved: receipt.moved += 1
            case .stationary: receipt.stationary += 1
            case .ended: receipt.ended += 1
            case .cancelled: receipt.cancelled += 1
            }
        }
        var ledger = frame.ledger
        if ledger.count > 0 { ledger.append(now) }
        let answer = fromApp.frame(.handled(receipt), ledger: ledger, credit: window)
        witness.note(.app(1), .frame(frame, from: .systemServer), [.send(answer, to: .systemServer)], at: now)
        var arrived = answer
        if arrived.ledger.count > 0 { arrived.ledger.append(now) }
        give(.frame(arrived, from: .app(1)))
    }

    private func give(_ input: Input, at moment: Instant? = nil) {
        now = moment ?? now.advanced(by: .microseconds(100))
        core.handle(input, at: now, into: &outbox)
        outbox.trace.removeFacts()
        let effects = outbox.drain()
        witness.note(.systemServer, input, effects, at: now)
        for effect in effects {
            switch effect {
            case .arm(let timer, at: let due):
                timers.removeAll { $0.0 == timer }
                timers.append((timer, due))
            case .send(let frame, to: .inputKit):
                if frame.message == .hello {
                    fromInputKit.adopt(hello: frame, epoch: frame.epoch)
                } else {
                    _ = fromInputKit.accept(frame)
                }
                witness.note(.inputKit, .frame(frame, from: .systemServer), [], at: now)
            case .send(let frame, to: .app(1)):
                if frame.message == .hello { fromApp.adopt(hello: frame, epoch: frame.epoch) }
                if frame.message == .hello {
                    witness.note(.app(1), .frame(frame, from: .systemServer), [], at: now)
                } else {
                    var sent = frame
                    if sent.ledger.count > 0 { sent.ledger.append(now) }
                    unread.append(sent)
                }
            default: continue
            }
        }
    }
}
