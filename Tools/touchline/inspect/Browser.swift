// Browser.swift: one connected page: its session and its device on one side, its pictures on the other.
//
//     messages ─▶ BrowserSession ─▶ VirtualDevice        under the lock of the input
//     trees, facts ─▶ PictureFlow ─▶ messages            under the lock of the output
//
// Input     InspectServer: messages of the page; DeviceThread: requests to the device; GroupThread: trees and facts
// Output    packets of the device; messages to the page
// Knows     one page. Input never waits for output: each side has a lock of its own.

import Basics
import FlyingFox
import Glibc
import HID
import Inspector
import Page
import Scenarios
import Synchronization
import Trace
import ViewTrees
import Wire
import ZeroMQHost

/// A page that is open.
final class Browser: Sendable {
    private struct Input: @unchecked Sendable {
        var session: BrowserSession
        var device: VirtualDevice?
    }

    private struct Output {
        var flow = PictureFlow()
        var zero = Instant.boot
        var facts: [ResolvedFact] = []
        var missingFacts = 0
        var others: [(x: Double, y: Double)] = []
        var recordRevision: UInt64 = 0
    }

    let number: Int
    private let input: Mutex<Input>
    private let output = Mutex(Output())
    private let messages: AsyncStream<WSMessage>.Continuation

    /// The facts that wait for a page that draws slowly; older ones are left out of its log.
    private static let factLimit = 1000

    init(number: Int, panel: TouchPanel, messages: AsyncStream<WSMessage>.Continuation) {
        (self.number, self.messages) = (number, messages)
        input = Mutex(Input(session: BrowserSession(panel: panel, at: monotonicNow())))
    }

    // MARK: The device

    /// Plugs the page's panel into a group.
    ///
    /// - Throws: `DeviceError`
    func plug(into folder: String, panel: TouchPanel) throws {
        // A second inspector may have joined the same group.
        let path = "\(folder)/event\(getpid())\(padded(number % 100, to: 2))"
        try input.withLock { input in
            input.device = nil
            input.session.plug(into: panel)
            input.device = try VirtualDevice(.evdev(panel.facts(number: number)), at: path)
        }
    }

    /// Unplugs the panel; input-kit cancels its fingers.
    func unplug() { input.withLock { $0.device = nil } }

    /// The descriptors of the device, and the moment at which the session has something to do.
    var waits: (descriptors: [Int32], deadline: Instant?) {
        input.withLock { ($0.device?.descriptors ?? [], $0.session.deadline) }
    }

    /// Answers the requests to the device that have arrived, and ends what is due.
    func serveDevice(at now: Instant) {
        let rest = input.withLock { input -> [BrowserSession.Effect] in
            input.device?.serveRequests(milliseconds: 0)
            let opened = input.device?.hasToldSlots == true ? input.session.panelOpened() : []
            return Self.sendPackets(of: opened + input.session.timePassed(at: now), to: input.device)
        }
        carryOut(rest)
    }

    var isTouching: Bool { input.withLock { $0.session.isTouching } }
    var fingers: [(x: Double, y: Double)] { input.withLock { $0.session.panel.positions } }

    // MARK: Messages of the page

    func receive(_ text: String) {
        let rest = input.withLock { input in
            Self.sendPackets(of: input.session.receive(Array(text.utf8), at: monotonicNow()), to: input.device)
        }
        carryOut(rest)
    }

    /// Ends the connection, which the page's own fault is.
    func close(_ code: UInt16, _ reason: String) {
        let rest = input.withLock { input in
            Self.sendPackets(of: input.session.close(code, reason, at: monotonicNow()), to: input.device)
        }
        carryOut(rest)
    }

    /// Sends the packets at once, and returns the other effects.
    private static func sendPackets(
        of effects: [BrowserSession.Effect], to device: VirtualDevice?
    ) -> [BrowserSession.Effect] {
        var rest: [BrowserSession.Effect] = []
        for effect in effects {
            if case .packet(let bytes) = effect { device?.send(bytes) } else { rest.append(effect) }
        }
        return rest
    }

    private func carryOut(_ effects: [BrowserSession.Effect]) {
        for effect in effects {
            switch effect {
            case .packet: continue
            case .drawn(let number): sendPicture { $0.noteDrawn(number) }
            case .clock(let number, let at): send(InspectorMessage.clock(number, at: at, host: monotonicNow()))
            case .close(let code, let reason):
                send(InspectorMessage.error(reason))
                messages.yield(.close(WSCloseCode(code, reason: String(reason.prefix(100)))))
                messages.finish()
            }
        }
    }

    // MARK: Messages to the page

    func send(_ message: JSONText) { send(message.text) }
    func send(_ text: String) { messages.yield(.text(text)) }

    /// Sends a message of the state, which the next one replaces, if the page keeps up.
    func sendIfKeepingUp(_ text: String) {
        if output.withLock({ $0.flow.isOpen }) { send(text) }
    }

    func finish() { messages.finish() }

    /// Sends what the apps show, as soon as the page has drawn what it received.
    func show(_ trees: [(app: AppID, tree: ViewTree)], at moment: Instant, since zero: Instant) {
        output.withLock { $0.zero = zero }
        sendPicture { $0.picture(of: trees, at: moment) }
    }

    private func sendPicture(_ next: (inout PictureFlow) -> PictureFlow.Picture?) {
        // Pictures are sent in the order of their numbers.
        output.withLock { output in
            guard let picture = next(&output.flow) else { return }
            send(
                InspectorMessage.picture(
                    picture.number, picture.changes, isWhole: picture.isWhole, at: picture.moment, since: output.zero))
        }
    }

    /// Notes facts for the page's log.
    func add(_ facts: [ResolvedFact]) {
        output.withLock { output in
            output.facts += facts
            let surplus = output.facts.count - Self.factLimit
            guard surplus > 0 else { return }
            output.facts.removeFirst(surplus)
            output.missingFacts += surplus
        }
    }

    /// Sends the noted facts, if the page keeps up.
    func sendFacts(since zero: Instant) {
        let message = output.withLock { output -> JSONText? in
            guard !output.facts.isEmpty, output.flow.isOpen else { return nil }
            defer { (output.facts, output.missingFacts) = ([], 0) }
            return InspectorMessage.facts(output.facts, missing: output.missingFacts, since: zero)
        }
        if let message { send(message) }
    }

    /// Whether the page wants the record of this revision now.
    func takesRecord(_ revision: UInt64) -> Bool {
        output.withLock { output in
            guard output.flow.isOpen, output.recordRevision != revision else { return false }
            output.recordRevision = revision
            return true
        }
    }

    /// Sends the fingers of other pages, if they have changed.
    func showFingers(_ others: [(x: Double, y: Double)]) {
        let isNew = output.withLock { output in
            guard !output.others.elementsEqual(others, by: { $0 == $1 }) else { return false }
            output.others = others
            return true
        }
        if isNew { send(InspectorMessage.fingers(others)) }
    }

    /// Tells the page to forget what it shows.
    func reset(_ why: String) {
        output.withLock { output in
            output.flow.reset()
            (output.facts, output.missingFacts, output.recordRevision) = ([], 0, 0)
        }
        send(InspectorMessage.reset(why))
    }
}
