// JournalWriter.swift: what a host must keep of its core's life, as bytes it can put anywhere.
//
//    begin ─▶ step ─▶ answered ─▶ step ─▶ answered … ─▶ end          every call appends whole records
//
// Fed by    a host, before its core has the input and after it has answered
// Feeds     JournalReader
// Knows     no file. Which bytes go into which is the host's business.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 6.3

public import Basics
public import Hosting

public struct JournalWriter: Sendable {
    private var header: JournalHeader
    /// Inputs so far.
    public private(set) var steps: UInt64 = 0
    /// Of all effects so far.
    public private(set) var digest = EffectDigest()

    public init(_ header: JournalHeader) { self.header = header }

    /// How every file begins, before its first record.
    public static var preamble: [UInt8] { RecordFraming.preamble }

    /// The first record of a file.
    ///
    /// - Parameter firstStep: The index of the step that comes next in it.
    public mutating func begin(segment: UInt32, firstStep: UInt64, at now: Instant, into bytes: inout [UInt8]) {
        (header.segment, header.firstStep, header.at) = (segment, firstStep, now)
        JournalRecord.header(header).encode(into: &bytes)
    }

    /// What the core is about to be given.
    public mutating func step(_ input: Input, at now: Instant, into bytes: inout [UInt8]) {
        JournalRecord.encodeStep(input, at: now, before: UInt32(truncatingIfNeeded: digest.value), into: &bytes)
        steps += 1
    }

    /// What it answered. Appends only where a digest is due.
    public mutating func answered(_ effects: [Effect], into bytes: inout [UInt8]) {
        digest.combine(effects)
        if steps % Journal.digestPeriod == 0 { JournalRecord.digest(steps: steps, digest.value).encode(into: &bytes) }
    }

    public func end(status: Int32, at now: Instant, into bytes: inout [UInt8]) {
        JournalRecord.digest(steps: steps, digest.value).encode(into: &bytes)
        JournalRecord.ended(status: status, now).encode(into: &bytes)
    }
}
