// ZeroMQHost+Polling.swift: one poll of everything that may have arrived, and the wait for it.
//
//     pollTimeout ─▶ poll ─▶ epoll ─▶ due ─▶ gather: link, children, sockets, files, signals ─▶ inputs
//
// Input     Poller
// Output    ZeroMQHost: inputs, in the order they are handled
//
// Sources   documented  zmq_getsockopt(3), ZMQ_FD: an edge, so sockets are drained and asked again after a send
//           invented    the order of the sources

import Basics
import CSystem
import Glibc
import Hosting
import Links
import Trace
import Wire

extension ZeroMQHost {
    /// The timeout of the next poll in milliseconds: 0 if there is work, otherwise -1 for no limit.
    ///
    /// Called when nothing is left to do, so this is the place where facts become text.
    func pollTimeout() -> Int32 {
        let next = nextDeadline
        var isBusy =
            openDescriptors.files.hasAnswers || openDescriptors.devices.hasReadySources || due.server || due.link
            || due.fetch
            || due.listeners.contains(true)
        // A send may have consumed the news of an arrival, and no descriptor reports it again.
        if let server = parts.server, server.hasMore { (due.server, isBusy) = (true, true) }
        for (index, listener) in parts.listeners.enumerated() where listener.hasMore {
            (due.listeners[index], isBusy) = (true, true)
        }
        // These reads may have signals for the loop.
        runLoop(isReady: false)
        if due.server || due.listeners.contains(true) { isBusy = true }
        if !chaos.isQuiet, chaos.hasMalformedPackets(at: now()), !isServerLinkFull { isBusy = true }
        if isBusy { return 0 }
        if wakeTimer.spins && due.foundAnything { return 0 }
        if facts.hasFile { facts.write(&outbox.trace) }
        wakeTimer.touchHold?.carryOut(at: now())
        journals.own?.workBeforeSleep(at: now())
        if let next, next <= now() { return 0 }
        if !wakeTimer.spins, !sleepRings() { return 0 }
        return wakeTimer.sleep(until: next)
    }

    /// The time at which the host has work although nothing arrives.
    var nextDeadline: Instant? {
        var next = wakeTimer.timers.next
        func consider(_ moment: Instant?) {
            if let moment, moment != .never { next = min(next ?? .never, moment) }
        }
        consider(ending.deadline)
        consider(wakeTimer.touchHold?.end)
        consider(openDescriptors.devices.deadline)
        consider(journals.deadline)
        if children.hasStartedAny { consider(children.deadline) }
        if !chaos.isQuiet { consider(chaos.deadline) }
        for listener in parts.listeners { consider(listener.deadline) }
        consider(parts.server?.deadline)
        let isKept = parts.server?.hasPending == true || parts.listeners.contains { $0.hasPending }
        // libzmq does not report that a full queue has room again.
        if isKept || (chaos.malformedPackets != nil && isServerLinkFull) {
            consider(now().advanced(by: .milliseconds(2)))
        } else {
            consider(chaos.malformedPackets?.nextAt)
        }
        return next
    }

    /// Gathers all input that has arrived into `mail.inputs`.
    func poll(milliseconds: Int32) {
        (due.foundAnything, due.alarmTime) = (false, nil)
        libzmq_host_turns(milliseconds == 0 ? 0 : 1)
        let isComplete = wait(milliseconds: milliseconds)
        libzmq_host_turns(0)
        if due.loop {
            due.loop = false
            runLoop(isReady: true)
        }
        if !isComplete { due.alarmTime = nil }
        gather()
    }

    /// Runs the loop of libzmq's I/O thread if it has work, and notes the sockets that have received.
    func runLoop(isReady: Bool) {
        guard let loop, loop.run(isReady: isReady) else { return }
        if loop.hasServerReceived { due.server = true }
        for index in due.listeners.indices where loop.hasListenerReceived(index) { due.listeners[index] = true }
    }

    /// Waits, and notes what is ready.
    ///
    /// - Returns: Whether this is all that is ready.
    private func wait(milliseconds: Int32) -> Bool {
        poller.wait(milliseconds: milliseconds) { ready in
            due.foundAnything = true
            switch PollSource(token: ready.token) {
            case .alarm: due.alarmTime = wakeTimer.alarmFired()
            case .signals: due.signals = true
            case .link:
                due.link = true
                if ready.isWritable { sendPending(on: parts.supervisor, as: .link) }
            case .fetch: due.fetch = true
            case .server: due.server = true
            case .connection: parts.server?.readConnectionEvents(into: &mail.arrivals)
            case .listener(let index): due.listeners[Int(index)] = true
            case .connections(let index):
                parts.listeners[Int(index)].readConnectionEvents()
                due.listeners[Int(index)] = true
            case .childLink(let pid):
                due.childLinks.append(pid)
                if ready.isWritable { sendPending(on: children.child(pid)?.channel, as: .childLink(pid)) }
            case .childEnd(let pid): due.endedChildren.append(pid)
            case .childOutput(let pid): children.markOutputReady(pid)
            case .file(let file): openDescriptors.files.markReady(file)
            case .device(let device): openDescriptors.devices.markReady(device)
            case .deviceFolders: openDescriptors.devices.markFoldersReady()
            case .runDirectory: reportRemovals()
            case .work: takeWork()
            case .loop: due.loop = true
            case .bell(let number): wakeRing(number)
            }
        }
    }

    func sendPending(on channel: PacketChannel?, as watch: PollSource) {
        guard let channel else { return }
        channel.retry(into: &mail.arrivals)
        if !channel.hasPending { poller.setWriting(false, channel.descriptor, as: watch.token) }
    }

    /// Reads all ready sources.
    ///
    /// The supervisor's frames come first, because they identify the other processes. The end of a child comes after
    /// its frames.
    func gather() {
        if due.link, let link = parts.supervisor {
            due.link = link.drain(budget: Self.budget, into: &mail.arrivals)
            if !link.isOpen { poller.forget(link.descriptor) }
            attachRings(of: link)
        }
        for pid in due.childLinks {
            guard let child = children.child(pid) else { continue }
            _ = child.channel.drain(budget: Self.budget, into: &mail.arrivals)
            if !child.channel.isOpen { poller.forget(child.channel.descriptor) }
            if pid == children.child(.systemServer)?.pid { grantRings() }
        }
        due.childLinks.removeAll(keepingCapacity: true)
        queueArrivals()
        if children.hasStartedAny {
            children.printOutput(at: now(), with: poller)
            for pid in due.endedChildren { removeEndedChild(pid) }
            due.endedChildren.removeAll(keepingCapacity: true)
            children.expire(at: now())
        }

        for index in parts.listeners.indices {
            let listener = parts.listeners[index]
            if due.listeners[index] {
                due.listeners[index] = listener.drain(budget: Self.budget, at: now(), into: &mail.arrivals)
            }
            if listener.hasAwakeRings { listener.drainRings(budget: Self.budget, at: now(), into: &mail.arrivals) }
            requestRings(of: listener)
            if listener.deadline != nil { listener.expire(at: now(), into: &mail.arrivals) }
            if listener.hasPending { listener.retry(into: &mail.arrivals) }
        }
        if let server = parts.server {
            if due.server { due.server = server.drain(budget: Self.budget, into: &mail.arrivals) }
            if server.hasAwakeRing { server.drainRing(budget: Self.budget, into: &mail.arrivals) }
            if server.hasPending { server.retry(into: &mail.arrivals) }
            if let far = server.remote {
                server.sendHelloIfDue()
                server.followAddress()
                printJoinLines()
                // libzmq does not try again with a key that was refused.
                let denial = server.wasDenied ? ServerLink.denialReason : nil
                if let why = far.endReason ?? denial, ending.status == nil {
                    printError("\(peer): the server: \(why)")
                    ending.status = 1
                }
            }
        }
        if due.fetch {
            parts.fetch?.drain(into: &mail.arrivals)
            due.fetch = false
        }
        queueArrivals()
        if openDescriptors.files.hasAnswers { mail.inputs += openDescriptors.files.answers(with: poller) }
        if openDescriptors.devices.hasReadySources || openDescriptors.devices.deadline != nil {
            openDescriptors.devices.gather(at: now(), with: poller, into: &mail.inputs)
        }
        if due.signals {
            due.signals = false
            if ending.readSignals(at: now) { mail.inputs.append(.stopRequested) }
        }
        if let line = journals.checkGroup(at: now()) { printError(line) }
        ending.expire(at: now())
    }

    /// Gives all listeners a roster. Packets that have waited for it are received, and may open connections.
    func update(_ roster: Roster) {
        for listener in parts.listeners {
            listener.update(roster, into: &mail.arrivals)
            // No packet may follow, so the host may sleep before it gathers again.
            requestRings(of: listener)
        }
        queueArrivals()
    }

    /// Adds an input for each replaced program before a controller's request. A person may have replaced a program that
    /// failed, and want it to be started.
    func notePrograms(before arrival: Input) {
        guard case .frame(let frame, let sender) = arrival, sender.role == .controller, case .act = frame.message else {
            return
        }
        for peer in children.removeReplaced() { mail.inputs.append(.programReplaced(peer)) }
    }

    func queueArrivals() {
        guard !mail.arrivals.isEmpty else { return }
        guard peer == .supervisor else { return mail.queueArrivals() }
        for arrival in mail.arrivals {
            notePrograms(before: arrival)
            mail.inputs.append(arrival)
        }
        mail.arrivals.removeAll(keepingCapacity: true)
    }

    /// Reports the removed parts of the run directory. Connected processes stay connected, and new children still find
    /// their server; commands find the group by the path.
    func reportRemovals() {
        for path in parts.folder?.removals() ?? [] {
            printError("\(path) was removed or replaced while the group runs: pid \(getpid()) goes on without it")
        }
    }
}
