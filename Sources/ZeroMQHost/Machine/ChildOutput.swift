// ChildOutput.swift: prints the lines that a child writes to stdout and stderr, in its supervisor.
//
//     child ─▶ one pipe for descriptors 1 and 2 ─▶ lines ─▶ "app1: " in front, unless it is there ─▶ Output, stderr
//                                                    └▶ above `burst` bytes: the pipe rests until `rate` allows more
//
// A child has no descriptor of the terminal or log that its supervisor writes to. So a compromised child can neither
// move a cursor nor truncate the log, and each line names its child. Reading never blocks. A child with a full pipe
// drops its own lines (Output.swift) or blocks.

import Basics
import CSystem
import Glibc
import Wire

/// The reading ends of all children.
struct ChildOutputs: ~Copyable {
    private var outputs: [ChildOutput] = []
    private var ready: [Int32] = []

    mutating func add(_ output: ChildOutput) { outputs.append(output) }

    mutating func markReady(_ pid: Int32) { ready.append(pid) }

    /// The time at which a resting pipe may be read again.
    var deadline: Instant? { outputs.lazy.compactMap(\.pausedUntil).min() }

    /// Prints the output that has arrived, and resumes pipes that have rested.
    mutating func gather(at now: Instant, with poller: borrowing Poller, token: (Int32) -> UInt64) {
        for pid in ready {
            guard let output = outputs.first(where: { $0.pid == pid }), output.pausedUntil == nil else { continue }
            if !output.drain(at: now) { poller.forget(output.descriptor) }
        }
        ready.removeAll(keepingCapacity: true)
        for output in outputs {
            guard let moment = output.pausedUntil, moment <= now else { continue }
            output.pausedUntil = nil
            // The poller reports the pipe again if there is something to read.
            _ = try? poller.watch(output.descriptor, as: token(output.pid))
        }
    }

    /// Prints the last lines of a child that has ended.
    mutating func finish(_ pid: Int32, with poller: borrowing Poller) {
        guard let index = outputs.firstIndex(where: { $0.pid == pid }) else { return }
        let output = outputs.remove(at: index)
        poller.forget(output.descriptor)
        output.finish()
    }
}

/// The reading end of one child's pipe.
final class ChildOutput {
    /// The longest line in bytes; longer lines are cut.
    static let lineLimit = 4096
    /// Bytes that are printed at once, and the bytes per second after that.
    static let burst = 64 << 10
    static let rate = 32 << 10
    /// The cost of a line besides its bytes.
    private static let lineCost = 64
    private static let chunk = 16 << 10
    /// Bytes read from a child that has ended: as much as the largest pipe of an unprivileged process may hold.
    private static let finalReadLimit = 1 << 20

    let pid: Int32
    /// The end of the pause; nil while the pipe is read.
    var pausedUntil: Instant?
    private let pipe: Descriptor
    private let prefix: String
    /// Prefixes that already name the child, so that no other is added.
    private let names: [String]
    private let emit: (String) -> Void
    private var line: [UInt8] = []
    private var isCut = false
    private var tokenBucket = TokenBucket(
        TokenBucket.Limits(rate: Double(ChildOutput.rate), burst: Double(ChildOutput.burst)))
    /// Bytes printed since the token bucket was charged.
    private var printed = 0

    /// - Parameters:
    ///   - pipe: The reading end, which does not block.
    ///   - program: The name that the child's program prints in its errors.
    init(
        _ pipe: consuming Descriptor, of peer: Peer, program: String, pid: Int32,
        print: @escaping (String) -> Void = printError
    ) {
        (self.pid, emit) = (pid, print)
        self.pipe = pipe
        prefix = "\(peer): "
        names = [prefix, "\(program): "]
    }

    var descriptor: Int32 { pipe.number }

    /// Prints the output that has arrived, as far as the rate allows.
    ///
    /// - Returns: Whether to watch the pipe further; false if it has ended or rests.
    func drain(at now: Instant) -> Bool {
        guard tokenBucket.next <= now else { return pause(at: now) }
        guard let count = read() else { return true }
        tokenBucket.charge(printed, at: now)
        printed = 0
        guard count > 0 else { return false }
        return tokenBucket.next <= now ? true : pause(at: now)
    }

    /// Prints all remaining output.
    func finish() {
        var left = Self.finalReadLimit
        while left > 0, let count = read(), count > 0 { left -= count }
        if !line.isEmpty || isCut { endLine() }
    }

    private func pause(at now: Instant) -> Bool {
        pausedUntil = now.advanced(by: .milliseconds(250))
        return false
    }

    /// - Returns: The number of bytes read: 0 at the end, nil if there are none now.
    private func read() -> Int? {
        let count = withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { bytes in
            let count = Glibc.read(pipe.number, bytes.baseAddress, bytes.count)
            if count > 0 { append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count])) }
            return count
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? nil : 0
    }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        printed += bytes.count
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let room = Self.lineLimit - line.count
            let part = rest[..<end]
            line.append(contentsOf: part.prefix(room))
            if part.count > room { isCut = true }
            if end < rest.endIndex { endLine() }
            rest = rest[min(end + 1, rest.endIndex)...]
        }
    }

    private func endLine() {
        printed += Self.lineCost
        let text = String(decoding: line, as: UTF8.self) + (isCut ? "…" : "")
        line.removeAll(keepingCapacity: true)
        isCut = false
        emit(names.contains { text.hasPrefix($0) } ? text : prefix + text)
    }
}
