// Chaos.swift: what a process does to itself because a fault was asked for.
//
//    chaos(line) ─▶ Fault ─┬ slow        every input costs so long
//                          ├ suspend     its main thread is kept for so long, once; its I/O thread is not
//    (from the supervisor) ├ crash-loop  exits so long after its start, without a word
//                          ├ malformed   a barrage of packets that are no frames, on its data link
//                          ├ disk-full   its journal finds no room
//                          └ loss, duplicate, reorder, delay, clog     LossyLinks.swift
//
// Only in a group that was started with `chaos.allowed`. Killing and stopping are signals, and no process of the
// group sends itself those: whoever asked does.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 4; words of Faults/Fault.swift

import Basics
import Faults
import Glibc
import HID
import Wire

struct Chaos {
    private let own: Peer
    private let isAllowed: Bool
    private let startedAt: Instant
    private var lasting: [Lasting] = []
    /// How long the main thread is to be kept, once.
    private var nap = Duration.zero
    /// Packets that are no frames, still to be sent.
    private(set) var barrage: Barrage?
    private var exitAt = Instant.never
    private var links: LossyLinks

    private struct Lasting {
        let fault: Fault
        let until: Instant
    }

    init(_ own: Peer, isAllowed: Bool, startedAt: Instant) {
        (self.own, self.isAllowed, self.startedAt) = (own, isAllowed, startedAt)
        links = LossyLinks(own)
    }

    /// Whether there is anything to ask it about.
    private(set) var isQuiet = true

    /// Takes a line of a frame that the core has heard as well.
    ///
    /// - Returns: The fault, when it is this process's to suffer; nil for any other, and for what is no fault.
    @discardableResult
    mutating func take(_ line: String, at now: Instant) -> Fault? {
        guard isAllowed, let fault = try? Fault(parsing: line), fault.target == own, fault.liveRefusal == nil else {
            return nil
        }
        switch fault.word {
        case .slow: lasting.append(Lasting(fault: fault, until: now.advanced(by: fault.length)))
        // The journal's business, and it has a clock of its own.
        case .diskFull: return fault
        case .crashLoop: exitAt = startedAt.advanced(by: Self.milliseconds(fault.amount))
        case .malformed:
            let count = Int(min(max(0, Int64(clamping: fault.amount)), 10_000_000))
            barrage = Barrage(count: count, from: now, for: fault.length, by: own.role)
        case .loss, .duplicate, .reorder, .delay, .clog: links.take(fault, at: now)
        case .suspend: nap = max(nap, min(.seconds(60), Self.milliseconds(fault.amount)))
        // Refused before.
        case .kill, .stop, .deviceTime, .wallTime: return nil
        }
        isQuiet = false
        return fault
    }

    /// What each input costs beyond itself.
    func slowness(at now: Instant) -> Duration {
        var cost = Duration.zero
        for one in lasting where one.fault.word == .slow && now < one.until {
            // Of two at a time the dearer one, as in a simulation.
            cost = max(cost, min(.seconds(60), Self.milliseconds(one.fault.amount)))
        }
        return cost
    }

    /// How long to stand still now.
    mutating func takeNap() -> Duration {
        defer { nap = .zero }
        return nap
    }

    private static func milliseconds(_ amount: Double) -> Duration { Duration(seconds: max(0, amount) / 1000) }

    /// When the host wants to look at this again. A barrage is not in it: it waits for room as well.
    var deadline: Instant? {
        var next = min(exitAt, links.deadline)
        for one in lasting { next = min(next, one.until) }
        return next == .never ? nil : next
    }

    /// Ends what is over; a crash loop's end is the process's.
    mutating func expire(at now: Instant) {
        lasting.removeAll { $0.until <= now }
        links.expire(at: now)
        // As a process that crashes does: nobody is told, nothing is written.
        if exitAt <= now { _exit(1) }
        isQuiet = lasting.isEmpty && nap == .zero && barrage == nil && exitAt == .never && links.isQuiet
    }

    /// What is to be sent to a peer now: frames kept back until now, then what of these is not kept back or lost.
    mutating func pass(_ frames: [Frame], to peer: Peer, at now: Instant, lost: (Frame) -> Void) -> [Frame] {
        guard own.role != .supervisor, peer.role != .supervisor, !links.isQuiet else { return frames }
        return links.pass(frames, to: peer, at: now, lost: lost)
    }

    /// Frames that were kept back and leave now.
    mutating func due(at now: Instant) -> [(peer: Peer, frames: [Frame])] { links.due(at: now) }

    mutating func ended(_ peer: Peer, lost: (Frame) -> Void) { links.ended(peer, lost: lost) }

    /// Whether there are packets of a barrage to be sent now.
    func hasShots(at now: Instant) -> Bool { barrage.map { $0.nextAt <= now } ?? false }

    /// The next packets of a barrage.
    mutating func nextShots(_ limit: Int, at now: Instant) -> [[UInt8]] {
        guard var firing = barrage else { return [] }
        let shots = firing.next(limit, at: now)
        barrage = firing.isOver ? nil : firing
        return shots
    }
}

/// Packets of the kind a broken or hostile process sends: noise, frames with a bit flipped, frames cut short, frames
/// of another version, and whole frames that its role may not send. None of them is a frame to its receiver.
struct Barrage {
    private let count: Int
    private var fired = 0
    private let begun: Instant
    /// From packet to packet; zero for all at once.
    private let pace: Duration
    private var generator = SeededGenerator(seed: 7)
    /// A frame that is none only by what is done to it.
    private let honest: [UInt8]
    /// Frames, and nobody's to send but the server's and input-kit's: a word to an app, a finger that lands.
    private let presumptuous: [[UInt8]]

    /// - Parameters:
    ///   - length: What they are spread over, evenly.
    ///   - role: Whose link they are sent on.
    init(count: Int, from begun: Instant, for length: Duration, by role: Role = .app) {
        (self.count, self.begun) = (count, begun)
        pace = count > 0 ? length / count : .zero
        honest = Frame(epoch: 1, generation: 1, sequence: 1, message: .hello).encoded()
        let finger = DigitizerEvent(
            transducer: .finger, index: 0, identity: 1, mask: [.range, .touch], options: [.range, .touch], x: .one,
            y: .one)
        let scan = HIDEvent(timeStamp: begun, senderID: 1, generationCount: 1, hand: finger, fingers: [finger])
        // A scan is input-kit's to send.
        let messages: [Message] = [.lifeCycle(.willTerminate)] + (role == .inputKit ? [] : [.digitizer(scan)])
        presumptuous = messages.map { message in
            Frame(epoch: 1, generation: 1, sequence: 1, message: message).encoded()
        }
    }

    var isOver: Bool { fired == count }
    /// When the next is due.
    var nextAt: Instant { isOver ? .never : begun.advanced(by: pace * fired) }

    mutating func next(_ limit: Int, at now: Instant) -> [[UInt8]] {
        var shots: [[UInt8]] = []
        while shots.count < limit, nextAt <= now {
            shots.append(one())
            fired += 1
        }
        return shots
    }

    private mutating func one() -> [UInt8] {
        var bytes: [UInt8]
        switch generator.next() % 5 {
        case 0:
            bytes = (0..<Int.random(in: 1...256, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
        case 1:
            bytes = Array(honest.prefix(Int.random(in: 1..<honest.count, using: &generator)))
        case 2:
            bytes = honest
            // The version.
            bytes[2] = UInt8.random(in: 0...255, using: &generator)
        case 3: return presumptuous[fired % presumptuous.count]
        default:
            bytes = honest
            // Magic, version, kind: bits that make it no frame of ours.
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<4, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }
        // Chance makes a frame once in a while, and a barrage has none.
        if (try? Frame.decode(packet: bytes)) != nil { bytes[0] ^= 0xFF }
        return bytes
    }
}
