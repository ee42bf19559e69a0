// BrowserSession.swift: one browser, from its WebSocket's opening to its end: messages in, packets of its panel out.
//
//     text ─▶ rate ─▶ BrowserMessage ─▶ samples by time ─▶ BrowserFinger, one for each finger ─▶ TouchPanel ─▶ packets
//                                        stamp: the page's time + `clock`; never in the future, never backwards
//
// Input     the server's connection: messages, the end of a pause, a new group, the opening of the panel
// Output    Effect, in order
// Knows     fingers, times and limits. No socket, no device, no clock.
//
// The samples of one time are one packet. A coalesced sample is a packet of its own, so that the app receives it as a
// coalesced touch. A browser that sends nothing for `silenceLimit` under a finger loses its fingers: its page asks for the
// time every two seconds.
//
// input-kit ignores a contact that is down before it has opened the panel. So the packets of a new panel are held until then.
//
// Sources   invented

public import Basics

/// The state of one browser.
public struct BrowserSession: Sendable {
    /// Something that the server does for a session.
    public enum Effect: Hashable, Sendable {
        /// The bytes of one read of the browser's device.
        case packet([UInt8])
        case drawn(UInt64)
        /// Answers the page's question with this machine's time.
        case clock(number: Int64, at: Double)
        /// Ends the connection with a code of RFC 6455, section 7.4.
        case close(code: UInt16, reason: String)
    }

    private struct Finger: Sendable {
        let id: UInt32
        var state = BrowserFinger.State.up
        var slot: Int?
    }

    /// Messages a second, and at once after a pause. A page sends a message for each pointer event of each finger.
    static let messageLimits = TokenBucket.Limits(rate: 600, burst: 200)
    /// The time after which the fingers of a silent browser are cancelled.
    public static let silenceLimit = Duration.seconds(5)
    /// Fingers known at once: those on the panel and those that are ignored.
    static let fingerLimit = 16
    /// The packets that wait for the opening: those of one finger in 4 s at 240 Hz. A group that takes longer ignores it.
    static let heldLimit = 1000
    /// A touch-down on an empty panel is at most this old: a wrong offset must not send touches into the past.
    static let ageLimit = silenceLimit

    public private(set) var panel: TouchPanel
    private var fingers: [Finger] = []
    private var bucket = TokenBucket(messageLimits)
    /// The page's newest estimate of the difference of the clocks: nanoseconds to add to its time.
    private var offset: Int64?
    /// The moment of this machine at which the page's clock was 0. It stays as it is while a finger is down: a change would be
    /// a change of the finger's velocity.
    private var clock = Instant.boot
    private var latestStamp = Instant.boot
    private var latestMessage: Instant
    private var isClosed = false
    /// The packets of a panel that no reader knows yet; nil once one does.
    private var held: [[UInt8]]? = []

    public init(panel: TouchPanel, at now: Instant) { (self.panel, latestMessage) = (panel, now) }

    /// Whether a finger is on the panel.
    public var isTouching: Bool { panel.contactCount > 0 }

    /// The time at which `timePassed` has something to do; nil for none.
    public var deadline: Instant? { isTouching ? latestMessage.advanced(by: Self.silenceLimit) : nil }

    // MARK: Inputs

    /// Handles one message.
    public mutating func receive(_ text: [UInt8], at now: Instant) -> [Effect] {
        guard !isClosed else { return [] }
        latestMessage = now
        guard bucket.takeTokens(at: now) else {
            let limits = Self.messageLimits
            return close(
                1008, "more than \(Int(limits.rate)) messages a second after \(Int(limits.burst)) at once", at: now)
        }
        let message: BrowserMessage
        do throws(BrowserMessageError) { message = try BrowserMessage(parsing: text) } catch {
            return close(1008, "\(error)", at: now)
        }
        switch message {
        case .touch(let samples): return receive(samples, at: now)
        case .drawn(let number): return [.drawn(number)]
        case .clock(let number, let at): return [.clock(number: number, at: at)]
        case .offset(let nanoseconds):
            offset = nanoseconds
            return []
        }
    }

    /// Ends the connection because of the browser's own fault, and cancels its fingers.
    public mutating func close(_ code: UInt16, _ reason: String, at now: Instant) -> [Effect] {
        guard !isClosed else { return [] }
        isClosed = true
        return clear(at: now) + [.close(code: code, reason: reason)]
    }

    /// Cancels the fingers of a browser that has been silent for too long.
    public mutating func timePassed(at now: Instant) -> [Effect] {
        guard let deadline, deadline <= now else { return [] }
        return clear(at: now)
    }

    /// Cancels all fingers. They are ignored until they lift.
    public mutating func clear(at now: Instant) -> [Effect] {
        let stamp = stamp(now)
        for index in fingers.indices { act(.panelCleared, on: index, nil, stamp) }
        return packet(at: stamp)
    }

    /// Continues on the panel of another group, where no finger is down.
    public mutating func plug(into panel: TouchPanel) {
        for index in fingers.indices { act(.panelCleared, on: index, nil, latestStamp) }
        self.panel = panel
        held = []
    }

    /// Releases the held packets: a reader knows the panel from now on. Later calls change nothing.
    public mutating func panelOpened() -> [Effect] {
        defer { held = nil }
        return (held ?? []).map { .packet($0) }
    }

    // MARK: Samples

    private mutating func receive(_ samples: [BrowserMessage.Sample], at now: Instant) -> [Effect] {
        // The samples of a finger keep their order, whatever their times.
        var latest: [UInt32: Double] = [:]
        var ordered = samples
        for index in ordered.indices {
            ordered[index].at = max(ordered[index].at, latest[ordered[index].finger] ?? 0)
            latest[ordered[index].finger] = ordered[index].at
        }
        let byTime = ordered.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        guard let first = byTime.first?.element.at, let last = byTime.last?.element.at else { return [] }
        setClock(first: first, last: last, at: now)
        var effects: [Effect] = []
        var pending: (at: Double, stamp: Instant, fingers: [UInt32])?
        for sample in byTime.map(\.element) {
            if let scan = pending, scan.at != sample.at || scan.fingers.contains(sample.finger) {
                effects += packet(at: scan.stamp)
                pending = nil
            }
            let moment = pending?.stamp ?? stamp(moment(of: sample.at))
            pending = (sample.at, moment, (pending?.fingers ?? []) + [sample.finger])
            effects += receive(sample, at: moment)
        }
        if let pending { effects += packet(at: pending.stamp) }
        return effects
    }

    private mutating func receive(_ sample: BrowserMessage.Sample, at stamp: Instant) -> [Effect] {
        let input: BrowserFinger.Input =
            switch sample.phase {
            case .began: panel.freeSlot == nil ? .beganWithoutSlot : .began
            case .moved: .moved
            case .ended: .ended
            case .cancelled: .cancelled
            }
        guard let index = fingers.firstIndex(where: { $0.id == sample.finger }) ?? addFinger(sample) else { return [] }
        // A finger that begins again is first cancelled in a scan of its own.
        let (_, action) = BrowserFinger.transition(from: fingers[index].state, on: input)
        guard action == .cancelAndLand else {
            act(input, on: index, sample, stamp)
            return []
        }
        let slot = fingers[index].slot!
        panel.cancel(slot)
        let effects = packet(at: stamp)
        panel.land(in: slot, x: sample.x, y: sample.y, force: sample.force)
        return effects
    }

    /// - Returns: Nil for a sample that changes nothing, and beyond the limit.
    private mutating func addFinger(_ sample: BrowserMessage.Sample) -> Int? {
        guard sample.phase == .began else { return nil }
        fingers.removeAll { $0.state == .up }
        // The end of an ignored finger may never come.
        if fingers.count >= Self.fingerLimit, let oldest = fingers.firstIndex(where: { $0.state == .ignored }) {
            fingers.remove(at: oldest)
        }
        guard fingers.count < Self.fingerLimit else { return nil }
        fingers.append(Finger(id: sample.finger))
        return fingers.count - 1
    }

    private mutating func act(
        _ input: BrowserFinger.Input, on index: Int, _ sample: BrowserMessage.Sample?, _ stamp: Instant
    ) {
        let (state, action) = BrowserFinger.transition(from: fingers[index].state, on: input)
        fingers[index].state = state
        switch action {
        case .land:
            guard let sample, let slot = panel.freeSlot else {
                preconditionFailure("a finger cannot land without a slot")
            }
            fingers[index].slot = slot
            panel.land(in: slot, x: sample.x, y: sample.y, force: sample.force)
        case .move:
            guard let sample else { preconditionFailure("a finger cannot move without a sample") }
            panel.move(fingers[index].slot!, x: sample.x, y: sample.y, force: sample.force)
        case .lift:
            // A lift has a position, at which the finger was last.
            if let sample { panel.move(fingers[index].slot!, x: sample.x, y: sample.y, force: sample.force) }
            panel.lift(fingers[index].slot!)
            fingers[index].slot = nil
        case .cancel:
            panel.cancel(fingers[index].slot!)
            fingers[index].slot = nil
        case .cancelAndLand: preconditionFailure("\(input) while down is two scans")
        case .nothing: return
        }
    }

    private mutating func packet(at stamp: Instant) -> [Effect] {
        guard let bytes = panel.packet(at: stamp) else { return [] }
        guard held != nil else { return [.packet(bytes)] }
        held?.append(bytes)
        return (held?.count ?? 0) > Self.heldLimit ? panelOpened() : []
    }

    // MARK: Times

    /// Fixes the difference of the clocks for the samples of a message.
    ///
    /// - Parameters:
    ///   - first: Time of the earliest sample in milliseconds of the page.
    ///   - last: Time of the latest sample.
    private mutating func setClock(first: Double, last: Double, at now: Instant) {
        if !isTouching {
            // Without an offset the message has just been sent.
            clock = offset.map(Instant.init(nanoseconds:)) ?? Self.clock(with: last, at: now)
            let earliest = max(latestStamp, now.advanced(byNanoseconds: -Self.ageLimit.nanoseconds))
            if moment(of: first) < earliest { clock = Self.clock(with: first, at: earliest) }
        }
        // No sample is in the future. An offset that says so is wrong for the samples after it too.
        if moment(of: last) > now { clock = Self.clock(with: last, at: now) }
    }

    /// The moment at which the page's clock was 0 if it was `time` at `moment`.
    private static func clock(with time: Double, at moment: Instant) -> Instant {
        moment.advanced(byNanoseconds: -Int64(clamping: time * 1e6))
    }

    private func moment(of time: Double) -> Instant { clock.advanced(byNanoseconds: Int64(clamping: time * 1e6)) }

    /// No stamp is before an earlier one.
    private mutating func stamp(_ moment: Instant) -> Instant {
        latestStamp = max(latestStamp, moment)
        return latestStamp
    }
}
