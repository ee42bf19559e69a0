// Chaos.swift: the faults that a process inflicts on itself because a controller requested them.
//
//    chaos(line) ─▶ Fault ─┬ slow        every input costs `amount` milliseconds more
//                          ├ suspend     its main thread stops for `amount` milliseconds, once; its I/O thread does not
//    (from the supervisor) ├ crash-loop  exits `amount` milliseconds after its start, without a message
//                          ├ malformed   packets that are no frames, on its data link
//                          ├ disk-full   its journal finds no room
//                          └ words of links     LossyLinks.swift
//
// Faults need a group that was started with `chaos.allowed`. Kill and stop are signals, which the requesting command
// sends itself; no process of the group does.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 4; words of Faults/FaultKind.swift

import Basics
import Faults
import Glibc
import HID
import Wire

/// The faults that a process currently suffers.
struct Chaos {
    private let own: Peer
    private let isAllowed: Bool
    private let startedAt: Instant
    private var activeFaults: [ActiveFault] = []
    /// The time that the main thread will stop, once.
    private var stopDuration = Duration.zero
    /// Invalid packets that are still to be sent.
    private(set) var malformedPackets: MalformedPackets?
    private var exitAt = Instant.never
    private var links: LossyLinks

    /// A fault with a duration.
    private struct ActiveFault {
        let fault: Fault
        let until: Instant
    }

    init(_ own: Peer, isAllowed: Bool, startedAt: Instant) {
        (self.own, self.isAllowed, self.startedAt) = (own, isAllowed, startedAt)
        links = LossyLinks(own)
    }

    /// Whether no fault is active.
    private(set) var isQuiet = true

    /// Starts the fault of a line.
    ///
    /// - Returns: The fault if this process suffers it; nil for a fault of another process, and for a line that is no
    ///   fault.
    @discardableResult
    mutating func startFault(_ line: String, at now: Instant) -> Fault? {
        guard isAllowed, let fault = try? Fault(parsing: line), fault.target == own, fault.liveRefusal == nil else {
            return nil
        }
        switch fault.kind {
        case .host(.slow): activeFaults.append(ActiveFault(fault: fault, until: now.advanced(by: fault.length)))
        // The journal carries out this fault and has its own timer.
        case .host(.diskFull): return fault
        case .host(.crashLoop): exitAt = startedAt.advanced(by: Self.milliseconds(fault.amount))
        case .host(.malformed):
            let count = Int(min(max(0, Int64(clamping: fault.amount)), 10_000_000))
            malformedPackets = MalformedPackets(count: count, from: now, for: fault.length, by: own.role)
        case .link: links.startFault(fault, at: now)
        case .suspend: stopDuration = max(stopDuration, min(.seconds(60), Self.milliseconds(fault.amount)))
        // These were refused above.
        case .kill, .stop, .deviceTime, .wallTime: return nil
        }
        isQuiet = false
        return fault
    }

    /// The additional time for each input.
    func extraTime(at now: Instant) -> Duration {
        var cost = Duration.zero
        for one in activeFaults where one.fault.kind == .slow && now < one.until {
            // Of two simultaneous faults the more expensive one counts, as in a simulation.
            cost = max(cost, min(.seconds(60), Self.milliseconds(one.fault.amount)))
        }
        return cost
    }

    /// The time to stop the thread now, once.
    mutating func removeStopDuration() -> Duration {
        defer { stopDuration = .zero }
        return stopDuration
    }

    private static func milliseconds(_ amount: Double) -> Duration { Duration(seconds: max(0, amount) / 1000) }

    /// The time at which `expire` has work to do. Malformed packets are not included, because they also wait for room.
    var deadline: Instant? {
        var next = min(exitAt, links.deadline)
        for one in activeFaults { next = min(next, one.until) }
        return next == .never ? nil : next
    }

    /// Ends faults without time left; the time of a crash loop ends the process.
    mutating func expire(at now: Instant) {
        activeFaults.removeAll { $0.until <= now }
        links.expire(at: now)
        // As in a crash, no peer is told and nothing is written.
        if exitAt <= now { _exit(1) }
        isQuiet =
            activeFaults.isEmpty && stopDuration == .zero && malformedPackets == nil && exitAt == .never
            && links.isQuiet
    }

    /// The frames that leave for a peer now: earlier frames that are due, then the new frames that are neither delayed
    /// nor lost.
    mutating func framesToSend(_ frames: [Frame], to peer: Peer, at now: Instant, lost: (Frame) -> Void) -> [Frame] {
        guard own.role != .supervisor, peer.role != .supervisor, !links.isQuiet else { return frames }
        return links.framesToSend(frames, to: peer, at: now, lost: lost)
    }

    /// Delayed frames that leave now.
    mutating func removeDueFrames(at now: Instant) -> [(peer: Peer, frames: [Frame])] { links.removeDueFrames(at: now) }

    mutating func linkEnded(_ peer: Peer, lost: (Frame) -> Void) { links.linkEnded(peer, lost: lost) }

    /// Whether malformed packets are due now.
    func hasMalformedPackets(at now: Instant) -> Bool { malformedPackets.map { $0.nextAt <= now } ?? false }

    /// The next malformed packets.
    mutating func nextMalformedPackets(_ limit: Int, at now: Instant) -> [[UInt8]] {
        guard var generatedPackets = malformedPackets else { return [] }
        let packets = generatedPackets.next(limit, at: now)
        malformedPackets = generatedPackets.isOver ? nil : generatedPackets
        return packets
    }
}

/// The packets of a broken or hostile process, none of which its receiver accepts as a frame.
///
/// They are noise, frames with a flipped bit, truncated frames, frames of another version, and whole frames that the
/// role may not send.
struct MalformedPackets {
    private let count: Int
    private var sentCount = 0
    private let startedAt: Instant
    /// The time between two packets; zero for all at once.
    private let interval: Duration
    private var generator = SeededGenerator(seed: 7)
    /// A valid frame, of which only the damage makes an invalid one.
    private let validFrame: [UInt8]
    /// Valid frames that only the server and input-kit may send: a life-cycle message to an app, a touch-down.
    private let forbiddenFrames: [[UInt8]]

    /// - Parameters:
    ///   - length: The time over which the packets are spread evenly.
    ///   - role: The role of the sending process.
    init(count: Int, from begun: Instant, for length: Duration, by role: Role = .app) {
        (self.count, self.startedAt) = (count, begun)
        interval = count > 0 ? length / count : .zero
        validFrame = Frame(epoch: 1, generation: 1, sequence: 1, message: .hello).encoded()
        let finger = DigitizerEvent(
            transducer: .finger, index: 0, identity: 1, mask: [.range, .touch], options: [.range, .touch],
            at: Point(.one, .one))
        let scan = HIDEvent(timeStamp: begun, senderID: 1, generationCount: 1, hand: finger, fingers: [finger])
        // input-kit may send scans, so for it a scan is not forbidden.
        let messages: [Message] = [.lifeCycle(.willTerminate)] + (role == .inputKit ? [] : [.digitizer(scan)])
        forbiddenFrames = messages.map { message in
            Frame(epoch: 1, generation: 1, sequence: 1, message: message).encoded()
        }
    }

    var isOver: Bool { sentCount == count }
    /// The time of the next packet.
    var nextAt: Instant { isOver ? .never : startedAt.advanced(by: interval * sentCount) }

    mutating func next(_ limit: Int, at now: Instant) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while packets.count < limit, nextAt <= now {
            packets.append(makePacket())
            sentCount += 1
        }
        return packets
    }

    private mutating func makePacket() -> [UInt8] {
        var bytes: [UInt8]
        switch generator.next() % 5 {
        case 0:
            bytes = (0..<Int.random(in: 1...256, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
        case 1:
            bytes = Array(validFrame.prefix(Int.random(in: 1..<validFrame.count, using: &generator)))
        case 2:
            bytes = validFrame
            // The version byte.
            bytes[2] = UInt8.random(in: 0...255, using: &generator)
        case 3: return forbiddenFrames[sentCount % forbiddenFrames.count]
        default:
            bytes = validFrame
            // Bits of the magic, the version and the kind, which make the frame invalid.
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<4, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }
        // Random bytes form a valid frame now and then, and malformed packets must contain none.
        if (try? Frame.decode(packet: bytes)) != nil { bytes[0] ^= 0xFF }
        return bytes
    }
}
