import AppCore
import Audit
import Basics
import Faults
import Foundation
import HID
import Hosting
import InputKitCore
import Links
import Settings
import Simulator
import SystemServerCore
import Testbed
import Testing
import UIKit
import Wire

@Suite("The audit of a simulated world")
struct AuditedWorldTests {

    @Test("the audit of a faultless run finds every scan delivered")
    func calm() {
        var group = AuditedGroup(seed: 1)
        group.plays(500, gesture(at: 100))
        group.runs(for: 2)
        let report = group.finish()
        #expect(report.violations.map(\.text) == [])
        #expect(report.scans.injected == report.scans[.delivered])
        #expect(report.scans.injected > 40)
        #expect(report.touches == 3 && report[.lifted] == 3)
        #expect(report.frames.isExact && report.frames.inFlight == 0)
    }

    @Test("the audit explains a touch's end by act, app, input-kit or server")
    func causes() {
        for (fault, cause): (Fault?, EndCause) in [
            (nil, .act), (Fault(at: .milliseconds(120), .kill, .app(1)), .appDied),
            (Fault(at: .milliseconds(120), .kill, .inputKit), .inputKitLost),
            (Fault(at: .milliseconds(120), .kill, .systemServer), .serverLost),
        ] {
            var group = AuditedGroup(seed: 2)
            group.plays(0, "down f1 (100,100) @0.000\nmove f1 (110,120) @0.020\nup f1 @0.400")
            if let fault { group.suffers(fault) } else { group.hears(.act(.interrupt), at: 120) }
            group.runs(for: 3)
            let report = group.finish()
            #expect(report.violations.map(\.text) == [])
            #expect(report.touches == 1 && report[cause] == 1, "\(cause): \(report.ends)")
            #expect(report.scans.isExact && report.scans.inFlight == 0, "\(cause)")
        }
    }

    @Test("the audit finds no violation under random kills")
    func deaths() {
        for seed in 0..<Sanitizer.seeds(100) {
            var chance = SeededGenerator(seed: seed)
            var group = AuditedGroup(seed: seed)
            for start in [0, 700, 1400] { group.plays(start, gesture(at: start / 10)) }
            for _ in 0..<3 {
                let target = [Peer.inputKit, .systemServer, .app(1), .app(2)].randomElement(using: &chance)!
                group.suffers(Fault(at: .milliseconds(Int.random(in: 0..<1900, using: &chance)), .kill, target))
            }
            group.runs(for: 5)
            let report = group.finish()
            #expect(report.violations.map(\.text) == [], "seed \(seed)")
            #expect(report.scans.isExact && report.scans.inFlight == 0, "seed \(seed)")
        }
    }

    @Test("the audit finds no violation on bad links")
    func badLinks() {
        for seed in 0..<Sanitizer.seeds(100) {
            var group = AuditedGroup(seed: seed)
            for word in [FaultKind.loss, .duplicate, .reorder] {
                for peer in [Peer.inputKit, .systemServer, .app(1)] {
                    group.suffers(Fault(at: .zero, word, peer, amount: 0.05, for: .seconds(2)))
                }
            }
            for start in [0, 700, 1400, 2500, 3200] { group.plays(start, gesture(at: start / 10)) }
            group.runs(for: 8)
            let report = group.finish()
            #expect(report.violations.map(\.text) == [], "seed \(seed)")
            #expect(report.scans.isExact, "seed \(seed)")
        }
    }
}

/// Three contacts, two of them at once for 300 ms.
private func gesture(at x: Int) -> String {
    var lines = ["down f1 (\(x),100) @0.000", "down f2 (200,300) @0.010"]
    for round in 1...40 {
        let time = "@0." + String(String(1000 + 10 + round * 7).dropFirst())
        lines.append("move f1 (\(x + round),\(100 + round * 2)) \(time)")
        lines.append("move f2 (\(200 + round),300) \(time)")
    }
    lines += ["up f1 @0.330", "down f3 (50,50) @0.340", "up f2 @0.380", "up f3 @0.420"]
    return lines.joined(separator: "\n")
}

/// Input-kit, the server and two apps that are restarted when they die, and an audit of all they do.
struct AuditedGroup {
    private final class Book {
        var audit: Audit
        var restarts: [(Peer, Instant)] = []
        init(_ options: AuditOptions) { audit = Audit(options) }
    }

    private var world: World
    private let book: Book
    private var supervisor: [(Peer, LinkNumbers)] = []
    private var generations: [Peer: UInt32] = [:]
    private var epoch: UInt32 = 1
    private var plays: UInt32 = 0
    private var orders: [(at: Instant, Peer, Message)] = []
    private let zero = Instant(nanoseconds: 1_000_000_000)

    init(seed: UInt64) {
        var options = AuditOptions.simulated(linkDelay: .milliseconds(5))
        options.lossBound = .milliseconds(400)
        let book = Book(options)
        self.book = book
        world = World(seed: seed)
        world.isTraced = false
        world.links = .measured
        world.observer = { occurrence in
            book.audit.add(occurrence)
            if case .ended(let life, let at, _) = occurrence {
                book.restarts.append((life.peer, at.advanced(by: .milliseconds(30))))
            }
        }
        for peer in [Peer.systemServer, .inputKit, .app(1), .app(2)] { start(peer) }
        world.run(until: zero)
    }

    private mutating func start(_ peer: Peer) {
        generations[peer, default: 0] += 1
        if peer == .systemServer { epoch = generations[peer]! }
        let order = LaunchOrder(
            peer: peer, epoch: epoch, generation: generations[peer]!, runDirectory: "/run", settings: [])
        switch peer.role {
        case .systemServer:
            world.install(SystemServerCore(settings: Settings(), order: order), as: peer, order: order)
        case .inputKit: world.install(InputKitCore(settings: Settings(), order: order), as: peer, order: order)
        default:
            let core = AppCore(order: order, settings: Settings()) { application in
                application.keptDelegate = WindowDelegate()
            }
            world.install(core, as: peer, order: order)
        }
    }

    private mutating func tell(_ peer: Peer, _ message: Message, at moment: Instant) {
        supervisor.removeAll { $0.0 == peer }
        var link = LinkNumbers(epoch: epoch, generation: 1)
        world.schedule(.frame(link.frame(message), from: .supervisor), for: peer, at: moment)
        supervisor.append((peer, link))
    }

    mutating func plays(_ milliseconds: Int, _ script: String) {
        plays += 1
        orders.append(
            (
                zero.advanced(by: .milliseconds(milliseconds)), .inputKit,
                .play(PlayOrder(id: plays, source: .script(script), pace: .times(1000)))
            ))
    }

    mutating func hears(_ message: Message, at milliseconds: Int) {
        orders.append((zero.advanced(by: .milliseconds(milliseconds)), .systemServer, message))
    }

    mutating func suffers(_ fault: Fault) {
        world.schedule(fault, since: zero)
        let from = zero.advanced(by: fault.at)
        let until = from.advanced(by: fault.length).advanced(by: .milliseconds(500))
        book.audit.disturb(AuditOptions.Disturbance(from: from, until: until, peer: fault.target))
    }

    mutating func runs(for seconds: Int) {
        let end = zero.advanced(by: .seconds(seconds))
        orders.sort { $0.at < $1.at }
        while world.now < end {
            let next = world.now.advanced(by: .milliseconds(10))
            world.run(until: next)
            while let (peer, at) = book.restarts.first, at <= world.now {
                book.restarts.removeFirst()
                start(peer)
            }
            while let order = orders.first, order.at <= world.now {
                orders.removeFirst()
                tell(order.1, order.2, at: world.now)
            }
        }
    }

    mutating func finish() -> AuditReport { book.audit.finish(at: world.now) }
}

private final class WindowDelegate: UIResponder, UIApplicationDelegate {
    let window: UIWindow? = UIWindow(frame: CGRect(x: 0, y: 0, width: 375, height: 667))

    override init() {
        super.init()
        window?.makeKeyAndVisible()
    }
}
