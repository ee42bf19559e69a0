import Testbed
import Testing

@testable import Wire

@Suite("T2: a pass")
struct PassTests {
    private func pass(_ first: UInt8) -> Pass {
        Pass(secret: [first] + [UInt8](repeating: 0xA5, count: Pass.secretSize - 1))
    }

    @Test("SHA-256 gives the digests of FIPS 180-4's examples")
    func vectors() {
        func text(_ words: [UInt32]) -> String {
            words.map { word in
                let digits = String(word, radix: 16)
                return String(repeating: "0", count: 8 - digits.count) + digits
            }.joined()
        }
        #expect(
            text(SHA256.digest(of: Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            text(SHA256.digest(of: []))
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(
            text(SHA256.digest(of: Array(two.utf8)))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            text(SHA256.digest(of: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("a pass opens its own seal and no other")
    func opens() {
        #expect(pass(1).opens(pass(1).seal))
        for other in [0, 2, 3, 255] as [UInt8] { #expect(!pass(1).opens(pass(other).seal)) }
        #expect(!pass(1).opens(.none))
        let seal = pass(1).seal
        for bit in 0..<64 {
            #expect(!pass(1).opens(Seal(seal.first ^ (1 << UInt64(bit)), seal.second, seal.third, seal.fourth)))
            #expect(!pass(1).opens(Seal(seal.first, seal.second, seal.third, seal.fourth ^ (1 << UInt64(bit)))))
        }
    }

    @Test("a pass packet reads back and is never confused with a frame")
    func packet() throws {
        let read = pass(9).packet.withUnsafeBytes { Pass.read($0) }
        guard case .pass(let same) = read else {
            Issue.record("\(read)")
            return
        }
        #expect(same.opens(pass(9).seal))
        #expect(throws: WireError.self) { try Frame.decode(packet: pass(9).packet) }
        for frame in sampleFrames {
            let isOne = frame.encoded().withUnsafeBytes { Pass.matches($0) }
            #expect(!isOne)
        }
    }

    @Test("a packet of wrong length or version is not a pass")
    func damaged() {
        for length in 0..<Pass.packetSize {
            Array(pass(9).packet.prefix(length)).withUnsafeBytes { bytes in
                guard case .none = Pass.read(bytes) else {
                    Issue.record("\(length) bytes were a pass")
                    return
                }
            }
        }
        (pass(9).packet + [0]).withUnsafeBytes { bytes in
            guard case .none = Pass.read(bytes) else {
                Issue.record("one byte more was a pass")
                return
            }
        }
        var other = pass(9).packet
        other[2] = Frame.version + 1
        other.withUnsafeBytes { bytes in
            guard case .version(Frame.version + 1) = Pass.read(bytes) else {
                Issue.record("\(Pass.read(bytes))")
                return
            }
        }
    }

    /// Declared outside the test, because the dump of a local type contains an address.
    struct Holder { let pass: Pass }

    @Test("a pass never shows its secret when printed or dumped")
    func redacted() {
        let pass = Pass(secret: [UInt8](repeating: 0xC3, count: Pass.secretSize))
        var dumped = ""
        dump(Holder(pass: pass), to: &dumped)
        for text in ["\(pass)", String(reflecting: pass), "\(Holder(pass: pass))", dumped] {
            #expect(!text.contains("195") && !text.lowercased().contains("c3"), "\(text)")
        }
    }
}
