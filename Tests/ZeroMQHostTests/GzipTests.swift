import CZlib
import Foundation
import Hosting
import Testing
import Wire

@testable import ZeroMQHost

@Suite("Gzip streams")
struct GzipTests {
    private let text = Array(String(repeating: "E: 0.000000 0003 0039 7\n", count: 3000).utf8)

    /// One gzip member.
    private func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        return [UInt8](unsafeUninitializedCapacity: Int(deflateBound(&stream, UInt(bytes.count)))) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                #expect(deflate(&stream, Z_FINISH) == Z_STREAM_END)
            }
            count = output.count - Int(stream.avail_out)
        }
    }

    /// Inflates the stream; returns the bytes and the error that ended it.
    private func inflate(_ bytes: [UInt8], piece: Int, limit: Int) -> ([UInt8], GzipError?) {
        let inflater = GzipInflater()
        var inflated: [UInt8] = []
        var start = 0
        do throws(GzipError) {
            while !inflater.isAtEnd {
                if inflater.needsInput {
                    let end = min(bytes.count, start + piece)
                    inflater.addInput(Array(bytes[start..<end]))
                    start = end
                }
                let some = try inflater.nextBytes(limit: limit)
                #expect(some.count <= limit)
                inflated += some
            }
            return (inflated, nil)
        } catch { return (inflated, error) }
    }

    @Test("a gzip stream inflates the same in any pieces", arguments: [1, 2, 7, 100_000], [1, 100, 1 << 20])
    func whole(piece: Int, limit: Int) {
        let (inflated, fault) = inflate(gzip(text), piece: piece, limit: limit)
        #expect(inflated == text)
        #expect(fault == nil)
    }

    @Test("a gzip stream may have several members and trailing zeros")
    func members() {
        let half = text.count / 2
        let stream = gzip(Array(text[..<half])) + gzip([]) + gzip(Array(text[half...])) + [0, 0, 0]
        for piece in [1, 5, stream.count] {
            let (inflated, fault) = inflate(stream, piece: piece, limit: 4096)
            #expect(inflated == text)
            #expect(fault == nil)
        }
    }

    @Test("a truncated gzip stream yields its bytes and the length read")
    func truncated() {
        let stream = gzip(text)
        for length in [0, 1, 5, 12, stream.count / 2, stream.count - 1] {
            let (inflated, fault) = inflate(Array(stream[..<length]), piece: 64, limit: 512)
            #expect(fault == .truncated(compressed: Int64(length), inflated: Int64(inflated.count)))
            #expect(text.starts(with: inflated))
        }
    }

    @Test("a corrupt gzip stream yields the bytes before the error")
    func corrupt() {
        var wrongSum = gzip(text)
        wrongSum[wrongSum.count - 8] ^= 1
        let (inflated, fault) = inflate(wrongSum, piece: 1000, limit: 1000)
        #expect(inflated == text)
        guard case .corrupt("incorrect data check", _, Int64(text.count)) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect("\(fault!)".hasSuffix(": incorrect data check"))

        let (whole, behind) = inflate(gzip(text) + [7], piece: 1000, limit: 1000)
        #expect(whole == text)
        guard case .corrupt("neither a member nor zeros", _, _) = behind else {
            Issue.record("\(String(describing: behind))")
            return
        }
    }

    @Test("a gzip bomb is inflated in pieces of the requested size")
    func bomb() throws {
        // 64 MiB of zeros, compressed to 64 KiB.
        let inflater = GzipInflater()
        inflater.addInput(gzip([UInt8](repeating: 0, count: 1 << 26)))
        var count = 0
        while case let some = try inflater.nextBytes(limit: 1 << 16), !some.isEmpty {
            #expect(some.count <= 1 << 16)
            count += some.count
        }
        #expect(count == 1 << 26)
    }

    @Test("the host inflates gzip files; a truncated one fails at its end")
    func files() throws {
        let scratch = Scratch()
        let stream = gzip(text)
        let (whole, cut) = ("\(scratch.folder)/whole.gz", "\(scratch.folder)/cut.gz")
        try Data(stream).write(to: URL(filePath: whole))
        try Data(stream[..<(stream.count - 9)]).write(to: URL(filePath: cut))
        let host = try Running(as: .inputKit) { input, _, outbox in
            switch input {
            case .started:
                for (number, path) in [(UInt32(1), whole), (2, cut)] {
                    outbox.append(.open(FileID(number), path: path))
                    outbox.append(.read(FileID(number), limit: 10_000))
                }
            case .fileBytes(let file, let bytes) where !bytes.isEmpty: outbox.append(.read(file, limit: 10_000))
            default: break
            }
        }
        let inputs = host.recorded.wait("both ends") { inputs in
            inputs.contains(.fileBytes(FileID(1), []))
                && inputs.contains { if case .fileFailed(FileID(2), _) = $0 { true } else { false } }
        }
        for number in [UInt32(1), 2] {
            let read = inputs.compactMap { if case .fileBytes(FileID(number), let bytes) = $0 { bytes } else { nil } }
            #expect(read.allSatisfy { $0.count <= 10_000 })
            #expect(Array(read.joined()) == text)
        }
        let reasons = inputs.compactMap { if case .fileFailed(_, let reason) = $0 { reason } else { nil } }
        #expect(reasons.count == 1)
        #expect(reasons[0].hasPrefix("\(cut): gzip cut short: its \(stream.count - 9) bytes "))
        host.stop()
    }
}
