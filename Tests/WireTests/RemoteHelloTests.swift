import Basics
import Testbed
import Testing
import Wire

@Suite("Hello and welcome of a remote app") struct RemoteHelloTests {
    private let hello = RemoteHello(
        generation: 3, latestGeneration: 7, sent: Instant(nanoseconds: -5), offset: .min, error: .max)
    private let welcome = Welcome(
        order: LaunchOrder(
            peer: .app(9), epoch: 2, generation: 3, runDirectory: "",
            settings: [Setting(key: "screen.width", value: "390")]),
        sent: Instant(nanoseconds: 1), received: Instant(nanoseconds: 2), answered: Instant(nanoseconds: .max))

    private func read(_ bytes: [UInt8]) throws -> RemoteHello { try bytes.withUnsafeBytes { try RemoteHello($0) } }
    private func readWelcome(_ bytes: [UInt8]) throws -> Welcome { try bytes.withUnsafeBytes { try Welcome($0) } }

    @Test("hello and welcome packets of remote apps decode to what was encoded")
    func roundTrip() throws {
        #expect(hello.packet.count == RemoteHello.packetSize)
        #expect(try read(hello.packet) == hello)
        #expect(try readWelcome(welcome.packet) == welcome)
    }

    @Test("hello, welcome, pass and frame packets are never confused")
    func apart() {
        let pass = Pass(secret: [UInt8](repeating: 1, count: Pass.secretSize))
        let packets = [hello.packet, welcome.packet, pass.packet]
        for (index, packet) in packets.enumerated() {
            packet.withUnsafeBytes { bytes in
                #expect(
                    [RemoteHello.matches(bytes), Welcome.matches(bytes), Pass.matches(bytes)]
                        == [index == 0, index == 1, index == 2])
            }
            #expect(throws: WireError.self) { try Frame.decode(packet: packet) }
        }
        for frame in sampleFrames {
            frame.encoded().withUnsafeBytes { #expect(!RemoteHello.matches($0) && !Welcome.matches($0)) }
        }
    }

    @Test("a remote hello or welcome of wrong length or version is refused")
    func damaged() {
        for length in 0..<hello.packet.count {
            #expect(throws: WireError.self) { try read(Array(hello.packet.prefix(length))) }
        }
        #expect(throws: WireError.trailingBytes(1)) { try read(hello.packet + [0]) }
        for length in 0..<welcome.packet.count {
            #expect(throws: WireError.self) { try readWelcome(Array(welcome.packet.prefix(length))) }
        }
        var other = hello.packet
        other[2] = Frame.version + 1
        #expect(throws: WireError.version(Frame.version + 1, known: Frame.version)) { try read(other) }
        // At this count of starts the next process generation would have no number.
        #expect(throws: WireError.badValue("latest generation", 1 << 31)) {
            try read(RemoteHello(generation: 0, latestGeneration: 1 << 31, sent: .boot).packet)
        }
    }

    @Test("random bytes are read as a remote hello or welcome, or refused", arguments: 1...50)
    func anything(seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<400 {
            var bytes = chance.next() % 2 == 0 ? hello.packet : welcome.packet
            for _ in 0...(chance.next() % 4) {
                bytes[Int(chance.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: chance.next())
            }
            if chance.next() % 4 == 0 { bytes.removeLast(Int(chance.next() % UInt64(bytes.count))) }
            // A packet that was read can be encoded again.
            if let hello = try? read(bytes) { #expect((try? read(hello.packet)) == hello) }
            if let welcome = try? readWelcome(bytes) { #expect((try? readWelcome(welcome.packet)) == welcome) }
        }
    }
}
