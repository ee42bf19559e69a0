// TraceWriter.swift: writes facts to a file when the process is idle.
//
// Rendering a fact costs a hundred times as much as noting it, so it waits until the process would sleep. Facts that
// cannot be written are counted and reported once: a full disk must not delay a touch.

import Glibc
import Trace
import Wire

/// The trace file of a process.
struct TraceWriter: ~Copyable {
    /// The most facts that wait; above it they are written although the process is busy.
    static let factLimit = 1 << 16

    private let file: Descriptor
    private let path: String
    private let process: String
    private let origin: TraceOrigin
    private var hasHeader = false
    private var lost = 0

    /// - Parameter origin: The moment from which the times in the file count.
    init(_ peer: Peer, in paths: RunPaths, since origin: TraceOrigin) throws(HostError) {
        try makeFolder(paths.traces)
        let path = paths.trace(of: peer)
        file = try Descriptor(
            open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600), from: "open", path)
        (self.path, process, self.origin) = (path, "\(peer)", origin)
    }

    mutating func write(_ log: inout TraceLog) {
        guard !log.facts.isEmpty else { return }
        var text: [UInt8] = []
        text.reserveCapacity(log.facts.count * 80)
        if !hasHeader {
            // A line of an earlier process, or of this one before a refused write, may be cut.
            if lseek(file.number, 0, SEEK_END) > 0 { text.append(UInt8(ascii: "\n")) }
            text.append(contentsOf: origin.fileText.utf8)
            text.append(UInt8(ascii: "\n"))
            hasHeader = true
        }
        for fact in log.facts {
            let line = fact.line(process: process, names: log.names, since: origin.moment)
            text.append(contentsOf: line.fileText(since: origin.moment).utf8)
            text.append(UInt8(ascii: "\n"))
        }
        var written = 0
        while written < text.count {
            let count = text.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress! + written, $0.count - written) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                if lost == 0 {
                    printError("\(process): \(path): \(systemText(errno))\(hint(errno, about: path)); facts are lost")
                }
                lost += log.facts.count
                hasHeader = false
                break
            }
            written += count
        }
        log.removeFacts()
    }
}
