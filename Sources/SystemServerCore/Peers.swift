// Peers.swift: the peers of the server: their hellos, their links, their refused packets and strikes.
//
// Station   process
// Input     hellos, lost connections, what the host refused
// Output    answers to hellos, the end of a lost peer's touches and scans, strike reports to the supervisor
// Knows     links and strikes. No position.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2, F2, F3 and F7

import Basics
import HID
import Hosting
import Links
import Trace
import Wire

extension SystemServerCore {
    // MARK: Numbers

    /// Notes the link's event for a frame that is not a hello.
    ///
    /// - Returns: How many frames are missing before it; nil for a frame that does not count.
    mutating func receive(
        _ event: Link.Event, _ peer: Peer, at now: Instant, into outbox: inout Outbox
    ) -> UInt64? {
        switch event {
        case .arrived(missing: 0): return 0
        case .arrived(let missing):
            history.counters.missing &+= missing
            outbox.trace.note(
                now, .router, "{a:n}: {b} frames missing", outbox.trace.intern("\(peer)"), Int64(clamping: missing))
            guard missing <= Link.gapLimit else {
                strike(peer, "\(missing) frames missing", at: now, into: &outbox)
                return nil
            }
            return missing
        case .refused(let refusal):
            note(refusal, of: peer, at: now, into: &outbox)
            return nil
        case .opened, .helloRepeated: preconditionFailure("only a hello opens the link of \(peer)")
        }
    }

    /// Counts and notes a frame that the link refused.
    mutating func note(
        _ refusal: Link.Refusal, of peer: Peer, at now: Instant, into outbox: inout Outbox
    ) {
        let name = outbox.trace.intern("\(peer)")
        switch refusal {
        case .duplicate(let sequence, _):
            history.counters.duplicates += 1
            outbox.trace.note(now, .router, "{a:n}: frame #{b} received again, dropped", name, Int64(sequence))
        case .fenced(let epoch, let generation):
            history.counters.fenced += 1
            outbox.trace.note(
                now, .router, "{a:n}: frame fenced, epoch {b}, generation {c}", name, Int64(epoch), Int64(generation))
        case .beforeHello:
            history.counters.fenced += 1
            outbox.trace.note(now, .router, "{a:n}: frame before the hello dropped", name)
        case .oldHello(let sequence, let generation):
            history.counters.fenced += 1
            outbox.trace.note(
                now, .router, "{a:n}: old hello {b} of generation {c} dropped", name, Int64(sequence),
                Int64(generation))
        }
    }

    // MARK: Strikes

    /// Counts and notes what the host refused. A refusal that proves a protocol violation is a strike.
    mutating func refused(_ refusal: Refusal, at now: Instant, into outbox: inout Outbox) {
        history.counters.lastRefusal = String("\(refusal)".prefix(ServerCounters.refusalLimit))
        switch refusal {
        case .keyless(let calls): history.counters.keyless &+= UInt64(calls)
        case .unknownKey: history.counters.unknownKeys &+= 1
        case .notOnRoster, .malformed, .forbidden, .passNotShown, .wrongPass, .flooding, .connectionsRefused, .unread:
            break
        }
        if history.counters.refused.countOccurrence() {
            outbox.trace.note(
                now, .process, "refused, {b} so far: {a:n}", outbox.trace.intern("\(refusal)"),
                Int64(clamping: history.counters.refused.count))
        }
        if let peer = refusal.peer {
            strike(peer, "\(refusal)", isLast: refusal.isLast, at: now, into: &outbox)
        }
    }

    /// Counts a strike against a peer. The last one ends the peer's link and reports it to the supervisor.
    mutating func strike(
        _ peer: Peer, _ reason: String, isLast: Bool = false, at now: Instant, into outbox: inout Outbox
    ) {
        guard let report = records.strikes.strike(peer, reason, isLast: isLast) else { return }
        outbox.trace.note(
            now, .process, "{a:n} disconnected after {b} strikes", outbox.trace.intern("\(peer)"),
            Int64(report.strikes))
        lost(peer, at: now, into: &outbox)
        outbox.append(.hangUp(peer))
        outbox.append(.send(supervisor.frame(.tooManyStrikes(report)), to: .supervisor))
        history.recent.recordHangUp(report, at: now)
    }

    // MARK: Links

    /// Handles input-kit's hello: opens the link anew, or repeats the answer.
    mutating func handleInputKitHello(_ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        guard admits(frame, from: .inputKit, at: now, into: &outbox) else { return }
        if inputKit.link.isNew(hello: frame) { lostInputKit(at: now, into: &outbox) }
        switch inputKit.link.receive(frame, at: now) {
        case .opened:
            outbox.append(.send(inputKit.link.answer(credit: credit), to: .inputKit))
            outbox.trace.note(now, .process, "input-kit connected, generation {a}", Int64(frame.generation))
        case .helloRepeated: outbox.append(.send(inputKit.link.answer(credit: credit), to: .inputKit))
        case .refused(let refusal): note(refusal, of: .inputKit, at: now, into: &outbox)
        case .arrived: preconditionFailure("a client's hello is no message")
        }
    }

    /// Handles an app's hello: opens the link anew, or repeats the answer. A new process is launched into the layout.
    mutating func handleAppHello(_ app: AppID, _ frame: Frame, at now: Instant, into outbox: inout Outbox) {
        guard admits(frame, from: .app(app), at: now, into: &outbox) else { return }
        var link = records.former[app]?.link ?? Link(.server, epoch: order.epoch, generation: order.generation)
        if let appIndex = connections.index(of: app) {
            guard connections.values[appIndex].link.isNew(hello: frame) else {
                switch connections.values[appIndex].link.receive(frame, at: now) {
                case .helloRepeated: return answer(app, at: now, into: &outbox)
                case .refused(let refusal): return note(refusal, of: .app(app), at: now, into: &outbox)
                case .opened, .arrived: preconditionFailure("a hello that is not new opens nothing")
                }
            }
            link = connections.values[appIndex].link
            link.lost()
            lost(.app(app), at: now, into: &outbox)
        }
        guard case .opened(let isSameProcess) = link.receive(frame, at: now) else {
            return note(
                .oldHello(sequence: frame.sequence, generation: frame.generation), of: .app(app), at: now,
                into: &outbox)
        }
        var connection = AppConnection(link: link, limit: rules.window)
        if isSameProcess { connection.lastLifeCycle = records.former[app]?.lastLifeCycle ?? .zero }
        connections.set(connection, for: app)
        answer(app, at: now, into: &outbox)
        beginObserving(app, at: now, into: &outbox)
        outbox.trace.note(now, .process, "app {a} connected, generation {b}", Int64(app), Int64(frame.generation))
        guard isSameProcess else {
            return perform(apps.handle(.launched(app)), opening: app, at: now, into: &outbox)
        }
        // The process is the same, so its last state holds, but it may have missed frames of it.
        perform(apps.handle(.linked(app)), opening: app, at: now, into: &outbox)
        if apps.wasSentScene(app) { sendScene(to: app, at: now, into: &outbox) }
        if connection.lastLifeCycle > .zero { sendLifeCycleState(to: app, at: now, into: &outbox) }
    }

    /// Whether the app is connected and on another machine. The roster lists only apps of this machine.
    func hasJoined(_ app: AppID) -> Bool { connections[app] != nil && !records.strikes.isOnRoster(.app(app)) }

    /// Answers a hello. An app that missed the first answer has refused all later frames, so a probe follows at once.
    private mutating func answer(_ app: AppID, at now: Instant, into outbox: inout Outbox) {
        guard let appIndex = connections.index(of: app) else { return }
        pulse.mayHaveUnreceivedFrames = true
        let hello = connections.values[appIndex].link.answer()
        history.recent.recordSent(.hello, as: hello.sequence, to: app, at: now)
        outbox.append(.send(hello, to: .app(app)))
        guard connections.values[appIndex].link.hasSentMessages else { return }
        send(.link(.probe), to: app, at: now, into: &outbox)
    }

    /// Whether a hello counts: its process is not excluded, and has the generation of the roster.
    private mutating func admits(
        _ hello: Frame, from peer: Peer, at now: Instant, into outbox: inout Outbox
    ) -> Bool {
        switch records.strikes.judge(peer, hello.generation) {
        case .accepted: return true
        case .excluded: return false
        case .outdated:
            let refusal = Link.Refusal.oldHello(sequence: hello.sequence, generation: hello.generation)
            note(refusal, of: peer, at: now, into: &outbox)
            return false
        case .impostor:
            strike(peer, "it says it is generation \(hello.generation)", at: now, into: &outbox)
            return false
        }
    }

    /// Ends everything that a lost peer had: its touches, its scans, its link.
    mutating func lost(_ peer: Peer, at now: Instant, into outbox: inout Outbox) {
        switch peer.role {
        case .inputKit: lostInputKit(at: now, into: &outbox)
        case .app:
            let app = AppID(peer.instance)
            guard let connection = connections.remove(app) else { return }
            history.recent.recordLoss(of: app, at: now)
            records.former.set(FormerConnection(connection), for: app)
            // A server without a supervisor gives every connection a new number.
            records.former.keepLast(StrikeTable.peerLimit)
            let fingers = touches.router.forget(.app(app))
            devices.forget(.app(app))
            outbox.trace.note(
                now, .process, "app {a} disconnected: {b} contacts ignored until lift", Int64(app),
                Int64(fingers))
            let waiting = (connection.waiting + connection.held).map(\.input)
            for scan in connection.outstandingScans + waiting {
                settle(inputKit.inFlight.settle(scan, .recipientGone), into: &outbox)
            }
            perform(apps.handle(.died(app)), at: now, into: &outbox)
            carryOut(urls.unlink(app, at: now, trace: &outbox.trace), at: now, into: &outbox)
        case .supervisor, .systemServer, .controller: break
        }
    }

    /// Cancels every touch: a new input-kit starts from the fingers that it sees then (F3). Frames that an app has, or
    /// that wait for it, remain; no receipt is sent for them.
    private mutating func lostInputKit(at now: Instant, into outbox: inout Outbox) {
        guard inputKit.link.lost() else { return }
        outbox.trace.note(
            now, .process, "input-kit disconnected: {a} touches cancelled", Int64(touches.router.liveTouches))
        inputKit.inFlight.clear()
        for appIndex in connections.values.indices { connections.values[appIndex].forgetScans() }
        let (cancels, claims) = touches.clear(at: now)
        for delivery in cancels { deliver(delivery, at: now, into: &outbox) }
        cancelKeys(at: now, into: &outbox)
        carryOut(claims, at: now, into: &outbox)
    }
}

extension Refusal {
    /// The peer that the refusal counts against. Nil for a process that no roster lists, and if a correct peer may have
    /// sent too early.
    var peer: Peer? {
        switch self {
        case .notOnRoster, .connectionsRefused, .passNotShown, .keyless, .unknownKey, .unread: nil
        case .malformed(let peer, _), .forbidden(let peer, _), .wrongPass(let peer), .flooding(let peer, limit: _): peer
        }
    }

    /// Whether this refusal alone excludes the peer, because the host accepts nothing more from it.
    var isLast: Bool {
        if case .flooding = self { true } else { false }
    }
}
