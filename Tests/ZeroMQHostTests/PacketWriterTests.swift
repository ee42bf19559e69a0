import Basics
import Testing
import Wire

@testable import ZeroMQHost

@Suite("Packets of frames") struct PacketWriterTests {
    /// A frame of about `size` bytes.
    private func large(_ size: Int, _ sequence: UInt64) -> Frame {
        frame(.refused(String(repeating: "x", count: size)), sequence)
    }

    private func frames(in packets: [[UInt8]]) throws -> [Frame] {
        var frames: [Frame] = []
        for packet in packets { try packet.withUnsafeBytes { try Frame.decode(packet: $0) { frames.append($0) } } }
        return frames
    }

    @Test("frames of more bytes than a packet are divided, in order, and each packet has as many as fit")
    func divided() throws {
        let sent = (1...9).map { large(Frame.packetLimit / 4, $0) } + [frame(.hello, 10)]
        var packets: [[UInt8]] = []
        PacketWriter().write(sent, sentAt: .boot) { packets.append($0) }
        #expect(packets.allSatisfy { (1...Frame.packetLimit).contains($0.count) })
        #expect(packets.count == 3)
        #expect(try frames(in: packets) == sent)
    }

    @Test("a packet that a link keeps is not overwritten by later ones, whatever their sizes")
    func kept() throws {
        let writer = PacketWriter()
        var packets: [[UInt8]] = []
        let sizes = [1, 40, 3, 1000, 20_000, 2, 2000, 1]
        let sent = sizes.enumerated().map { large($1, UInt64($0 + 1)) }
        for one in sent { writer.write([one], sentAt: .boot) { packets.append($0) } }
        writer.write([], sentAt: .boot) { packets.append($0) }
        #expect(packets.count == sent.count)
        #expect(try frames(in: packets) == sent)
    }

    @Test("small packets that are not kept take the same memory")
    func reused() {
        let writer = PacketWriter()
        var places: Set<UnsafeRawPointer> = []
        // Take the memory that a freed packet would leave, which the next one would get otherwise.
        var others: [[UInt8]] = []
        for number in 1...100 {
            writer.write([frame(.hello, UInt64(number))], sentAt: .boot) { packet in
                packet.withUnsafeBytes { _ = places.insert($0.baseAddress!) }
            }
            others.append([UInt8](repeating: 0, count: frame(.hello, UInt64(number)).encoded().count))
        }
        #expect(places.count == 1 && others.count == 100)
    }

    @Test("a converted frame is the one that is sent, and a ledger notes the time of the hand-over")
    func converted() throws {
        let noted = frame(.hello, 1, ledger: Ledger(device: Instant(nanoseconds: 5)))
        for translate in [nil, { (frame: inout Frame) in frame.epoch = 7 }] {
            var packets: [[UInt8]] = []
            PacketWriter().write([noted], sentAt: Instant(nanoseconds: 9), translate: translate) { packets.append($0) }
            let read = try #require(try frames(in: packets).first)
            #expect(read.ledger.count == 2 && read.epoch == (translate == nil ? noted.epoch : 7))
        }
    }
}
