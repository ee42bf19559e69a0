import Basics
import CSystem
import Foundation
import Synchronization
import Testing
import Wire

@testable import ZeroMQHost

/// Two ends of one ring in this process, as two processes would map it.
final class RingEnds {
    var first = ring_end()
    var second = ring_end()
    let memory: Descriptor

    init() throws {
        memory = Descriptor(ring_create())
        try #require(ring_open(&first, memory.number, 0) == 0)
        try #require(ring_open(&second, memory.number, 1) == 0)
    }

    deinit {
        ring_close(&first)
        ring_close(&second)
    }
}

extension ring_end {
    /// The outcome of writing a packet.
    mutating func write(_ packet: [UInt8]) -> ring_outcome {
        ring_outcome(UInt32(ring_write(&self, packet, packet.count)))
    }

    /// The next packet, or the outcome without one.
    mutating func read() -> (outcome: ring_outcome, packet: [UInt8]) {
        var count = 0
        var outcome = ring_not_now
        let packet = [UInt8](unsafeUninitializedCapacity: Int(ring_packet_limit)) { buffer, initializedCount in
            outcome = ring_outcome(UInt32(ring_read(&self, buffer.baseAddress, &count)))
            initializedCount = outcome == ring_done ? count : 0
        }
        return (outcome, packet)
    }

    /// A word of the shared memory, as the other process can change it at any time.
    func word(at offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }
}

/// Offsets that ring.h draws.
enum RingLayout {
    static let head = 0
    static let tail = 128
    static let sleeps = 256
    static let lane = 384
    static let data = 4096
}

@Suite("A ring in shared memory") struct RingTests {
    private func packet(_ number: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
    }

    @Test("a packet arrives as it was sent, in both directions")
    func bothDirections() throws {
        let ends = try RingEnds()
        #expect(ends.second.read().outcome == ring_not_now)
        #expect(ends.first.write([1, 2, 3]) == ring_done && ends.second.write([4]) == ring_done)
        #expect(ends.first.write([5]) == ring_done)
        #expect(ends.second.read() == (ring_done, [1, 2, 3]) && ends.second.read() == (ring_done, [5]))
        #expect(ends.first.read() == (ring_done, [4]))
        #expect(ends.first.read().outcome == ring_not_now && ends.second.read().outcome == ring_not_now)
    }

    @Test("packets of every length continue at the lane's start")
    func wraps() throws {
        let ends = try RingEnds()
        var generator = SeededGenerator(seed: 1)
        // Some 30 laps.
        for number in 0..<2_000 {
            let count =
                number % 7 == 0
                ? Int.random(in: 1...Int(ring_packet_limit), using: &generator)
                : Int.random(in: 1...600, using: &generator)
            let sent = packet(number, count: count)
            try #require(ends.first.write(sent) == ring_done)
            let (outcome, received) = ends.second.read()
            try #require(outcome == ring_done && received == sent, "packet \(number) of \(count) bytes")
        }
        #expect(ends.first.written > 20 * UInt64(ring_capacity))
    }

    @Test("a full lane takes a packet again once one is read")
    func full() throws {
        let ends = try RingEnds()
        let largest = packet(0, count: Int(ring_packet_limit))
        var sent = 0
        while ends.first.write(largest) == ring_done { sent += 1 }
        // Each needs eight bytes more than it has.
        #expect(sent == 3)
        var small = 0
        while ends.first.write([UInt8(truncatingIfNeeded: small)]) == ring_done { small += 1 }
        #expect(small == (Int(ring_capacity) - 3 * (Int(ring_packet_limit) + 8)) / 16)
        #expect(ends.first.write([1]) == ring_not_now && ends.first.fault == 0)
        #expect(ends.second.read() == (ring_done, largest))
        #expect(ends.first.write(largest) == ring_done)
        for _ in 0..<2 { #expect(ends.second.read() == (ring_done, largest)) }
        for number in 0..<small {
            #expect(ends.second.read() == (ring_done, [UInt8(truncatingIfNeeded: number)]))
        }
        #expect(ends.second.read() == (ring_done, largest) && ends.second.read().outcome == ring_not_now)
    }

    @Test("a writer wakes a reader that sleeps, once")
    func wakes() throws {
        let ends = try RingEnds()
        #expect(ends.first.write([1]) == ring_done)
        // There is a packet.
        #expect(ring_sleep(&ends.second) == 0)
        #expect(ends.first.write([2]) == ring_done, "a reader that may not sleep needs no signal")
        _ = (ends.second.read(), ends.second.read())
        #expect(ring_sleep(&ends.second) == 1)
        #expect(ends.first.write([3]) == ring_done_wake && ends.first.write([4]) == ring_done)
        #expect(ring_sleep(&ends.second) == 0)
    }

    @Test("memory that can change its size, or has another, is no ring")
    func otherMemory() throws {
        var end = ring_end()
        var template = Array("/tmp/touchline-XXXXXX".utf8CString)
        let file = Descriptor(mkstemp(&template))
        unlink(template)
        #expect(ftruncate(file.number, Int(ring_size)) == 0)
        #expect(ring_open(&end, file.number, 0) == -1 && errno == EINVAL)
        let memory = Descriptor(ring_create())
        #expect(ftruncate(memory.number, Int(ring_size) - 1) == -1 && errno == EPERM)
        #expect(ftruncate(memory.number, Int(ring_size) + 1) == -1 && errno == EPERM)
        #expect(ring_open(&end, memory.number, 0) == 0)
        ring_close(&end)
    }

    // MARK: A hostile end

    /// One thing that a hostile writer or reader puts into the shared memory, after one packet of 24 bytes was sent.
    struct Lie: CustomStringConvertible, Sendable {
        let description: String
        var offset: Int
        var value: UInt64
        var fault: ring_fault
        /// Whether the victim writes; otherwise it reads.
        var isAgainstWriter = false
    }

    static let lies = [
        Lie(
            description: "a head that is no multiple of eight", offset: RingLayout.head, value: 33,
            fault: ring_fault_position),
        Lie(
            description: "a head beyond the lane", offset: RingLayout.head, value: UInt64(ring_capacity) + 8,
            fault: ring_fault_waiting),
        Lie(
            description: "a head before the start", offset: RingLayout.head, value: .max - 7, fault: ring_fault_waiting),
        Lie(description: "a packet without bytes", offset: RingLayout.data, value: 0, fault: ring_fault_length),
        Lie(
            description: "a packet above the limit", offset: RingLayout.data, value: UInt64(ring_packet_limit) + 1,
            fault: ring_fault_length),
        Lie(description: "a packet of 2^64 - 1 bytes", offset: RingLayout.data, value: .max, fault: ring_fault_length),
        Lie(
            description: "a packet of 2^32 + 1 bytes", offset: RingLayout.data, value: 1 << 32 + 1,
            fault: ring_fault_length),
        Lie(description: "a packet that is cut", offset: RingLayout.data, value: 25, fault: ring_fault_cut),
        Lie(
            description: "a tail beyond the head", offset: RingLayout.tail, value: 2 * UInt64(ring_capacity),
            fault: ring_fault_taken,
            isAgainstWriter: true),
        Lie(
            description: "a tail before the start", offset: RingLayout.tail, value: .max - 7, fault: ring_fault_taken,
            isAgainstWriter: true),
        Lie(
            description: "a tail that is no multiple of eight", offset: RingLayout.tail, value: 4,
            fault: ring_fault_position, isAgainstWriter: true),
    ]

    @Test("a contradiction ends the ring with its value and limit", arguments: lies)
    func contradicts(lie: Lie) throws {
        let ends = try RingEnds()
        #expect(ends.first.write(packet(0, count: 24)) == ring_done)
        ends.first.word(at: lie.offset).pointee.store(lie.value, ordering: .relaxed)
        func attempt() -> ring_outcome {
            guard lie.isAgainstWriter else { return ends.second.read().outcome }
            // The writer reads the tail when its lane is full.
            var outcome = ring_done
            while outcome == ring_done { outcome = ends.first.write(packet(1, count: 60_000)) }
            return outcome
        }
        #expect(attempt() == ring_faulty)
        let victim = lie.isAgainstWriter ? ends.first : ends.second
        #expect(ring_fault(UInt32(victim.fault)) == lie.fault)
        // Setting the memory right again changes nothing.
        ends.first.word(at: lie.offset).pointee.store(0, ordering: .relaxed)
        #expect(attempt() == ring_faulty)
    }

    /// Words that reach far, and words that almost fit.
    private func hostileWord(_ generator: inout SeededGenerator, near position: UInt64) -> UInt64 {
        switch generator.next() % 6 {
        case 0: generator.next()
        case 1: position &+ 8 &* (generator.next() % 64) &- 256
        case 2: position &+ UInt64(ring_capacity) &+ 8 &* (generator.next() % 4) &- 16
        case 3: generator.next() % (UInt64(ring_packet_limit) + 64)
        case 4: 0
        default: position &+ generator.next() % 16
        }
    }

    @Test("whatever the other end writes, an end delivers or refuses", arguments: 1...20 as ClosedRange<UInt64>)
    func anyMemory(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (delivered, refused, refusedWrites) = (0, 0, 0)
        for _ in 0..<300 {
            let ends = try RingEnds()
            for _ in 0..<40 where ends.second.fault == 0 {
                switch generator.next() % 8 {
                case 0...3:
                    _ = ends.first.write(packet(delivered, count: 1 + Int(generator.next() % 400)))
                    // The victim writes too, and its peer takes nothing.
                    let packet = [UInt8](repeating: 0, count: 1 + Int(generator.next() % 60_000))
                    if ends.second.write(packet) == ring_faulty { refusedWrites += 1 }
                case 4:
                    // A header of either lane.
                    let offset = [RingLayout.head, RingLayout.tail, RingLayout.sleeps][Int(generator.next() % 3)]
                    let lane = Int(generator.next() % 2) * RingLayout.lane
                    let word = hostileWord(&generator, near: lane == 0 ? ends.second.read : ends.second.written)
                    ends.first.word(at: lane + offset).pointee.store(word, ordering: .relaxed)
                case 5:
                    // The length of the packet that is read next, or a word behind it.
                    let position = ends.second.read &+ 8 &* (generator.next() % 8)
                    let offset = RingLayout.data + Int(position % UInt64(ring_capacity)) & ~7
                    ends.first.word(at: offset).pointee.store(hostileWord(&generator, near: 0), ordering: .relaxed)
                case 6: _ = ring_sleep(&ends.second)
                default:
                    for _ in 0..<8 {
                        let (outcome, packet) = ends.second.read()
                        guard outcome == ring_done else { break }
                        #expect(!packet.isEmpty && packet.count <= Int(ring_packet_limit))
                        delivered += 1
                    }
                }
            }
            while ends.second.read().outcome == ring_done { delivered += 1 }
            if ends.second.fault != 0 { refused += 1 }
        }
        #expect(delivered > 1000 && refused > 50 && refusedWrites > 0, "\(delivered) \(refused) \(refusedWrites)")
    }

    @Test("an end that gives its memory back to the kernel harms only the link")
    func punches() throws {
        let ends = try RingEnds()
        for _ in 0..<20 { #expect(ends.first.write(packet(0, count: 4000)) == ring_done) }
        #expect(ends.second.read() == (ring_done, packet(0, count: 4000)))
        #expect(madvise(ends.first.memory, Int(ring_size), MADV_REMOVE) == 0)
        // The published packets have become empty ones.
        #expect(ends.second.read().outcome == ring_faulty)
        #expect(ends.first.write([1]) == ring_done)
    }

    @Test("no call on a full bell or on a closed one waits")
    func fullBell() throws {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        try #require(ring_bell_create(&reading, &writing) == 0)
        // Flags belong to one end: a peer that waits does not make this end wait.
        #expect(fcntl(reading, F_SETFL, 0) == 0)
        for _ in 0..<100_000 { ring_bell(writing) }
        #expect(ring_bell_clear(reading) == 4096)
        // The end of a ring keeps its process from ending by a signal.
        _ = try RingEnds()
        close(reading)
        ring_bell(writing)
        close(writing)
        try #require(ring_bell_create(&reading, &writing) == 0)
        #expect(fcntl(writing, F_SETFL, 0) == 0)
        #expect(ring_bell_clear(reading) == 0)
        close(writing)
        #expect(ring_bell_clear(reading) == 0)
        close(reading)
    }

    // MARK: Two threads

    @Test("a writer that changes memory under the reader's eyes harms no process", arguments: 1...50)
    func changesMeanwhile(seed: Int) throws {
        let ends = try RingEnds()
        let words = SendablePointer(value: ends.first)
        let isOver = Flag()
        let scribbler = Thread {
            var generator = SeededGenerator(seed: UInt64(seed))
            while !isOver.isSet {
                let position = generator.next() % 4096 & ~7
                let isHeader = generator.next() % 4 == 0
                let offset = isHeader ? Int(generator.next() % 2) * RingLayout.tail : RingLayout.data + Int(position)
                words.value.word(at: offset).pointee.store(generator.next() % 512, ordering: .relaxed)
            }
            isOver.acknowledge()
        }
        scribbler.start()
        var delivered = 0
        for _ in 0..<20_000 where ends.second.fault == 0 {
            _ = ends.first.write([1, 2, 3])
            let (outcome, packet) = ends.second.read()
            guard outcome == ring_done else { continue }
            delivered += 1
            #expect(!packet.isEmpty && packet.count <= 512)
        }
        isOver.setAndWait()
        #expect(ends.second.fault != 0 || delivered > 0)
    }
}

/// Ends a thread's loop and waits for its end.
private final class Flag: Sendable {
    private let flag = Atomic(false)
    private let end = DispatchSemaphore(value: 0)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func acknowledge() { end.signal() }

    func setAndWait() {
        flag.store(true, ordering: .releasing)
        end.wait()
    }
}

/// A value that another thread uses alone, or that is atomic itself.
struct SendablePointer<Value>: @unchecked Sendable {
    let value: Value
}
