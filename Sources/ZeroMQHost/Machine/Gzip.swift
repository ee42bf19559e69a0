// Gzip.swift: inflates gzip streams piece by piece, so that memory does not grow with the content.
//
//     compressed ──addInput──▶ inflater ──nextBytes, at most `limit` bytes──▶ reader
//
// Station   host
// Input     Files; `touchline`'s own reading of recordings
// Knows     RFC 1952 through zlib. No file.
//
// A stream may have several members in sequence, and zeros after the last one (tape blocks). Any other trailing byte is
// an error, because its meaning is unknown.

import CZlib

/// Inflates one gzip stream.
public final class GzipInflater {
    /// The first bytes of every member; no text begins with them.
    public static let magic: [UInt8] = [0x1F, 0x8B]

    /// On the heap, because zlib stores the address of the stream.
    private let stream: UnsafeMutablePointer<z_stream>
    /// The compressed bytes that were given, and the number of them that are used.
    private var input: [UInt8] = []
    private var used = 0
    private var inputHasEnded = false
    private var state = State.betweenMembers
    /// An error found behind inflated bytes; thrown once the bytes are taken.
    private var fault: GzipError?
    /// Compressed bytes used and inflated bytes produced, in the whole stream so far.
    public private(set) var compressedBytes: Int64 = 0
    public private(set) var inflatedBytes: Int64 = 0

    private enum State { case betweenMembers, inMember, atEnd }

    public init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A window of 15 bits, as every gzip stream has; 16 more request gzip's header only.
        let status = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot begin: \(status)")
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Whether `nextBytes` needs more input to make progress.
    public var needsInput: Bool { used == input.count && !inputHasEnded && !isAtEnd && fault == nil }

    /// Whether the stream is complete.
    public var isAtEnd: Bool { state == .atEnd }

    /// Gives more compressed bytes to the inflater.
    ///
    /// - Parameter bytes: The next compressed bytes; an empty array means the end of the input. All earlier bytes must
    ///   be used.
    public func addInput(_ bytes: [UInt8]) {
        precondition(used == input.count, "\(input.count - used) bytes were given before and are not used")
        (input, used) = (bytes, 0)
        if bytes.isEmpty { inputHasEnded = true }
    }

    /// Inflates the next bytes.
    ///
    /// - Parameter limit: At least 1.
    /// - Returns: At most `limit` bytes; empty if more input is needed or the stream is at its end.
    /// - Throws: `GzipError` if the stream is corrupt or truncated.
    public func nextBytes(limit: Int) throws(GzipError) -> [UInt8] {
        if let fault { throw fault }
        while !needsInput, !isAtEnd {
            if state == .betweenMembers {
                try beginMember()
                continue
            }
            guard used < input.count else {
                throw .truncated(compressed: compressedBytes, inflated: inflatedBytes)
            }
            let inflated = try inflateSome(limit: max(1, limit))
            if !inflated.isEmpty { return inflated }
        }
        return []
    }

    private func beginMember() throws(GzipError) {
        // The first member has to start at the first byte of the stream, even if that byte is zero.
        while compressedBytes > 0, used < input.count, input[used] == 0 { advance(1) }
        guard used < input.count else {
            if inputHasEnded {
                guard compressedBytes > 0 else { throw .truncated(compressed: 0, inflated: 0) }
                state = .atEnd
            }
            return
        }
        guard input[used] == Self.magic[0] else {
            throw .corrupt(why: "neither a member nor zeros", compressed: compressedBytes, inflated: inflatedBytes)
        }
        inflateReset(stream)
        state = .inMember
    }

    private func advance(_ count: Int) {
        used += count
        compressedBytes += Int64(count)
    }

    private func inflateSome(limit: Int) throws(GzipError) -> [UInt8] {
        var status = Z_OK
        var consumed = 0
        // zlib counts in 32 bits.
        let (offset, inputCount) = (used, min(input.count - used, 1 << 30))
        let room = min(limit, 1 << 30)
        let inflated = input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: room) { output, count in
                stream.pointee.next_in = input.baseAddress! + offset
                stream.pointee.avail_in = UInt32(inputCount)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(room)
                status = CZlib.inflate(stream, Z_NO_FLUSH)
                count = room - Int(stream.pointee.avail_out)
                consumed = inputCount - Int(stream.pointee.avail_in)
            }
        }
        advance(consumed)
        inflatedBytes += Int64(inflated.count)
        switch status {
        case Z_STREAM_END: state = .betweenMembers
        // Z_BUF_ERROR is not an error: zlib needs more input, which shows because all of it is used.
        case Z_OK, Z_BUF_ERROR: break
        default:
            let why = stream.pointee.msg.map { String(cString: $0) } ?? "zlib says \(status)"
            fault = .corrupt(why: why, compressed: compressedBytes, inflated: inflatedBytes)
            if inflated.isEmpty, let fault { throw fault }
        }
        return inflated
    }
}

/// A gzip stream that cannot be inflated further. At fault: the writer of the file.
public enum GzipError: Error, Hashable, Sendable {
    /// The stream ended inside a member, after these numbers of bytes.
    case truncated(compressed: Int64, inflated: Int64)
    /// zlib's message, and the numbers of bytes before the error.
    case corrupt(why: String, compressed: Int64, inflated: Int64)
}

extension GzipError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated(let compressed, let inflated):
            "gzip cut short: its \(compressed) bytes inflate to \(inflated) and want more"
        case .corrupt(let why, let compressed, let inflated):
            "gzip corrupt at byte \(compressed), after \(inflated) inflated ones: \(why)"
        }
    }
}
