// Attackers.swift: a hostile app and a hostile controller in a group under touches and kills.
//
//    last app        ──malformed packets──▶ system-server     its host sends them (chaos `malformed`), each second
//    HostileController ──attacks──▶ control, input and app sockets   a process of its own
//
// Used by   `touchline monkey kills --hostile`
//
// Sources   invented

import Audit
import Basics
import Foundation
import Wire
import ZeroMQHost

/// The two attackers of a group.
struct Attackers {
    /// Otherwise the third malformed packet would quarantine the hostile app.
    static let settings = ["server.strikeLimit=1000000"]

    private static let period = Duration.seconds(1)
    private static let packetsOfBarrage = 200

    private let app: Peer
    /// The client for the barrages. Its answers do not mix with the answers to the ground's own questions. A barrage
    /// for a dead app is refused, which is no failure.
    private let client: ControlClient
    private let controller: WorkerProcess
    private let begun = monotonicNow()
    private var nextBarrage: Instant
    private(set) var barrages = 0
    /// The report before the attacks: system-server and input-kit must be the same process instances after them.
    private let reportBefore: GroupReport

    /// Starts the controller.
    init(on ground: ChaosTarget, seed: UInt64) throws {
        reportBefore = try ground.awaitReady()
        app = ground.apps[ground.apps.count - 1]
        client = try .connect(to: ground.runDirectory)
        nextBarrage = begun
        controller = try WorkerProcess(
            arguments: ["hostile-controller", "--run-dir", ground.runDirectory, "--seed", "\(seed)"],
            answerLimit: .seconds(120))
    }

    /// Requests the next malformed packets of the hostile app when they are due.
    mutating func attack() throws {
        guard nextBarrage <= monotonicNow() else { return }
        nextBarrage = monotonicNow().advanced(by: Self.period)
        // The answer is read with the next barrage: the supervisor may be busy with the controller's questions.
        while try client.next(timeout: .milliseconds(1)) != nil {}
        try client.ask(.chaos("0ms malformed \(app) \(Self.packetsOfBarrage) for 500ms"))
        barrages += 1
    }

    /// The time of the attacks, for the audit.
    var disturbance: AuditOptions.Disturbance {
        AuditOptions.Disturbance(from: begun, until: monotonicNow(), peer: app, excusesLateness: false)
    }

    /// Ends the attacks and adds their result to the outcome.
    func end(on ground: ChaosTarget, into outcome: inout KillingMonkey.Outcome) throws {
        let tally = controller.ask("stop").flatMap { HostileController.Tally(line: $0) }
        controller.finish()
        let after = try ground.group()
        func demand(_ what: String, _ demanded: String, _ measured: String, _ isMet: Bool) {
            outcome.demands.append(
                ChaosVerdict.Demand(what: what, demanded: demanded, measured: measured, isMet: isMet))
        }
        for peer in [Peer.systemServer, .inputKit] {
            let restarts = (after.process(peer)?.generation ?? 0) - (reportBefore.process(peer)?.generation ?? 0)
            demand("restarts of \(peer)", "0", "\(restarts)", restarts == 0)
        }
        let rejected = after.process(.systemServer)?.number("frames.refused") ?? 0
        demand("malformed packets rejected, in \(barrages) barrages", "≥ 1", "\(rejected)", rejected > 0)
        guard let tally else {
            return outcome.violations.append("the hostile controller ended: \(controller.ending().text)")
        }
        for attack in HostileController.Attack.allCases {
            let (made, refused) = (tally.rounds[attack.rawValue], tally.refused[attack.rawValue])
            guard attack.mustBeRefused else {
                outcome.remarks.append("\(attack): \(made) attacks, \(refused) refused at once")
                continue
            }
            demand("\(attack): refused", "\(made)", "\(refused)", refused == made)
        }
    }
}

extension HostileController.Attack {
    /// Whether the group closes the connection while the attacker waits. Other attacks end by a timeout, or when
    /// there are too many.
    var mustBeRefused: Bool {
        switch self {
        case .claimedID, .endlessMessage, .flood: true
        case .halfOpen, .unread, .noise, .impostor: false
        }
    }
}
