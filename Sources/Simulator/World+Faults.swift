// World+Faults.swift: the faults of a plan, applied to simulated processes.
//
// A lasting fault belongs to its target and not to one life. A lossy link stays lossy after its sender has been started
// again. A stop belongs to one life.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 4

public import Basics
public import Faults
import Hosting
import Wire

extension World {
    /// Faults by number.
    struct PlannedFaults {
        var all: [Fault] = []
        /// The moment that the times of faults count from.
        var origin = Instant.boot
        /// Faults below this number are over.
        var healed = 0
    }

    /// Schedules a fault; `fault.at` counts from `zero`.
    public mutating func schedule(_ fault: Fault, since zero: Instant) {
        faults.origin = zero
        faults.all.append(fault)
        schedule.insert(
            ScheduledEntry(
                at: max(now, zero.advanced(by: fault.at)).nanoseconds, kind: .faultBegins, slot: 0,
                subject: UInt32(faults.all.count - 1)))
    }

    /// Ends all lasting faults, and cancels all faults that have not begun.
    public mutating func endFaults() {
        for slot in population.slots.indices {
            population.slots[slot].faults = []
            population.slots[slot].deviceShift = 0
            combineFaults(of: slot)
            if let process = population.processes[slot], process.pace.halts > 0 {
                (process.pace.halts, process.pace.stops) = (0, 0)
                wake(process)
            }
        }
        faults.healed = faults.all.count
    }

    mutating func begin(fault number: Int) {
        guard number >= faults.healed else { return }
        let fault = faults.all[number]
        guard slot(of: fault.target) != nil, fault.target.role != .controller else { return }
        let slot = makeSlot(of: fault.target)
        let process = population.processes[slot]
        switch fault.kind {
        case .kill: if let process { end(process, status: .signalled(9)) }
        case .stop, .suspend:
            guard let process else { return }
            let isStop = fault.kind == .stop
            process.pace.halts += 1
            if isStop {
                process.pace.stops += 1
                if process.pace.stops == 1 {
                    process.pace.stopNumber += 1
                    expectSilence(of: process)
                }
            }
            let lasts = isStop ? fault.length.nanoseconds : Int64(clamping: fault.amount * 1e6)
            schedule.insert(
                ScheduledEntry(
                    at: now.nanoseconds + lasts, kind: .faultEnds, slot: Int32(slot), subject: UInt32(number),
                    detail: process.serial))
        case .host(.slow), .host(.crashLoop), .link:
            population.slots[slot].faults.append(number)
            combineFaults(of: slot)
            schedule.insert(
                ScheduledEntry(
                    at: now.nanoseconds + fault.length.nanoseconds, kind: .faultEnds, slot: Int32(slot),
                    subject: UInt32(number)))
            if fault.kind == .crashLoop, let process { applyLastingFaults(to: process, at: now.nanoseconds) }
        case .host(.malformed): if let process { sendMalformed(from: process, packets: Int(fault.amount)) }
        case .deviceTime: population.slots[slot].deviceShift += Int64(clamping: fault.amount * 1e6)
        // No process reads the wall clock; the fault tests that nothing happens. And no core observes its own journal.
        case .wallTime, .host(.diskFull): return
        }
    }

    mutating func end(fault number: Int, number serial: UInt32) {
        guard number >= faults.healed else { return }
        let fault = faults.all[number]
        guard let slot = slot(of: fault.target) else { return }
        if fault.kind == .stop || fault.kind == .suspend {
            guard let process = population.processes[slot], process.serial == serial, process.pace.halts > 0 else {
                return
            }
            process.pace.halts -= 1
            if fault.kind == .stop { process.pace.stops -= 1 }
            wake(process)
        } else {
            population.slots[slot].faults.removeAll { $0 == number }
            combineFaults(of: slot)
        }
    }

    /// A process begins: the lasting faults of its peer apply to it.
    mutating func applyLastingFaults(to process: SimulatedProcess, at moment: Int64) {
        combineFaults(of: process.slot)
        guard let dies = population.slots[process.slot].diesAfter else { return }
        schedule.insert(
            ScheduledEntry(at: moment + dies, kind: .exit, slot: Int32(process.slot), serial: process.serial))
    }

    /// Combines all lasting faults of a peer.
    private mutating func combineFaults(of slot: Int) {
        var link = LinkFaults()
        var cost: Int64 = 0
        var dies: Int64?
        for number in population.slots[slot].faults {
            let fault = faults.all[number]
            switch fault.kind {
            case .link(let kind): link.add(kind, fault.amount, until: end(of: fault))
            case .host(.slow): cost = max(cost, Int64(clamping: fault.amount * 1e6))
            case .host(.crashLoop): dies = min(dies ?? .max, Int64(clamping: fault.amount * 1e6))
            case .host(.diskFull), .host(.malformed), .kill, .stop, .suspend, .deviceTime, .wallTime: break
            }
        }
        population.slots[slot].linkFaults = link
        population.slots[slot].diesAfter = dies
        population.processes[slot]?.pace.cost = cost
    }

    private func end(of fault: Fault) -> Instant {
        faults.origin.advanced(by: fault.at).advanced(by: fault.length)
    }

    /// Ends one reason for a process's standstill. Without another it handles what has arrived.
    private mutating func wake(_ process: SimulatedProcess) {
        if process.pace.stops == 0 && process.isServer { acceptWaitingClients(at: now.nanoseconds) }
        guard process.pace.halts == 0 else { return }
        process.waiting.batch = process.waiting.count
        handleBacklog(of: process)
    }

    /// Gives every connected peer packets that are no valid frames, as a host's decoder would refuse them.
    private mutating func sendMalformed(from process: SimulatedProcess, packets: Int) {
        let others: [SimulatedProcess]
        if process.isServer {
            others = population.processes.compactMap { $0 }.filter { other in
                other.links.connection.map { connections[$0].serverSerial == process.serial } ?? false
            }
        } else if process.isClient, let index = process.links.connection,
            let server = population.processes[Self.serverSlot],
            index < connections.count, process.slot < server.links.routes.count,
            server.links.routes[process.slot] == index
        {
            others = [server]
        } else {
            return
        }
        for other in others {
            for _ in 0..<min(packets, Self.malformedPacketLimit) {
                let refusal = malformedRefusal(of: process, to: other.peer.role)
                post(.refused(refusal), for: other, at: now.nanoseconds)
            }
        }
    }

    /// Returns the real decoder's refusal of a damaged frame, or of one that this sender may not send.
    private mutating func malformedRefusal(of process: SimulatedProcess, to receiver: Role) -> Refusal {
        if receiver == .systemServer {
            // The server's host refuses some peers without decoding a frame.
            switch chance.next() % 64 {
            case 0, 1: return .wrongPass(process.peer)
            case 2, 3: return .passNotShown(process.peer)
            case 4: return .flooding(process.peer, limit: 50_000)
            case 5: return .keyless(connections: 1)
            case 6: return .unknownKey("a key", address: "192.0.2.1")
            default: break
            }
        }
        let messages: [Message] = [
            .hello, .link(.probe), .handled(Receipt(frame: SequenceNumber(chance.next() % 1000), outcome: .home)),
            .lifeCycle(.didBecomeActive), .reportRequest, .act(.home),
            .report(Report(peer: process.peer, rows: [Report.Row("quiet", .flag(true))])),
        ]
        let message = messages[Int(chance.next() % UInt64(messages.count))]
        let frame = Frame(
            epoch: process.instance.epoch, generation: process.instance.generation,
            sequence: SequenceNumber(chance.next() % 100_000),
            ack: SequenceNumber(chance.next() % 100_000), credit: UInt32(truncatingIfNeeded: chance.next()) % 512,
            message: message)
        if chance.next() % 4 == 0, !message.isAllowed(from: process.peer.role, to: receiver) {
            return .forbidden(process.peer, message.kind)
        }
        var packet = frame.encoded()
        for _ in 0..<(1 + chance.next() % 8) {
            packet[Int(chance.next() % UInt64(packet.count))] ^= UInt8(1 << (chance.next() % 8))
        }
        if chance.next() % 4 == 0 {
            for _ in 0..<(1 + chance.next() % 64) { packet.append(UInt8(truncatingIfNeeded: chance.next())) }
        }
        if chance.next() % 2 == 0 { packet.removeLast(1 + Int(chance.next() % UInt64(packet.count))) }
        // A packet that is still a valid frame gets shorter until it is invalid: at the latest when a byte is missing.
        while true {
            do throws(WireError) {
                let frames = try Frame.decode(packet: packet)
                for frame in frames where !frame.message.isAllowed(from: process.peer.role, to: receiver) {
                    return .forbidden(process.peer, frame.message.kind)
                }
                packet.removeLast()
            } catch { return .malformed(process.peer, error) }
        }
    }

    private static let malformedPacketLimit = 1000

    /// Returns the bytes of a device with stamps of a clock that has gone back.
    func shifted(_ input: consuming Input, for process: SimulatedProcess) -> Input {
        guard process.peer.role == .inputKit, case .device(.bytes(let id, var bytes)) = input,
            bytes.count % Self.eventSize == 0
        else { return input }
        // The array of the input is released, so that the bytes are changed in place.
        input = .started
        for start in stride(from: 0, to: bytes.count, by: Self.eventSize) {
            let stamp = microseconds(of: bytes, at: start) - population.slots[process.slot].deviceShift / 1000
            write(stamp / 1_000_000, into: &bytes, at: start)
            write(stamp % 1_000_000, into: &bytes, at: start + 8)
        }
        return .device(.bytes(id, bytes))
    }

    /// `struct input_event`: seconds, microseconds, then type, code and value.
    private static let eventSize = 24

    private func microseconds(of bytes: [UInt8], at start: Int) -> Int64 {
        bytes.withUnsafeBytes { bytes in
            func number(_ at: Int) -> Int64 {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: Int64.self))
            }
            return number(start) &* 1_000_000 &+ number(start + 8)
        }
    }

    private func write(_ number: Int64, into bytes: inout [UInt8], at start: Int) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: number.littleEndian, toByteOffset: start, as: Int64.self) }
    }
}
