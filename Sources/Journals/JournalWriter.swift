// JournalWriter.swift: the inputs of a core as the bytes of a journal.
//
//    begin ─▶ step ─▶ addEffects ─▶ step ─▶ addEffects … ─▶ end          every call appends whole records
//
// Input     a host, before its core receives an input and after it has answered
// Output    bytes for JournalReader
// Knows     no file. The host decides which bytes go into which file.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 6.3

public import Basics
public import Hosting
package import Wire

/// Makes the records of one process's journal.
public struct JournalWriter: Sendable {
    private var header: JournalHeader
    /// The number of inputs so far.
    public private(set) var steps: UInt64 = 0
    /// The digest of all effects so far.
    public private(set) var digest = EffectDigest()

    public init(_ header: JournalHeader) { self.header = header }

    /// The bytes at the beginning of every file, before its first record.
    public static var preamble: [UInt8] { RecordFraming.preamble }

    /// Appends the first record of a file.
    ///
    /// - Parameters:
    ///   - segment: The number of the file among those of the process.
    ///   - firstStep: The index of the first step in the file.
    ///   - now: The time of the first step.
    ///   - bytes: Receives the record.
    public mutating func begin(segment: UInt32, firstStep: UInt64, at now: Instant, into bytes: inout [UInt8]) {
        (header.segment, header.firstStep, header.at) = (segment, firstStep, now)
        JournalRecord.header(header).encode(into: &bytes)
    }

    /// Appends the input that the core receives next.
    public mutating func step(_ input: Input, at now: Instant, into bytes: inout [UInt8]) {
        bytes.append { step(input, at: now, into: &$0) }
    }

    /// Appends the input that the core receives next.
    package mutating func step(_ input: Input, at now: Instant, into writer: inout ByteWriter) {
        JournalRecord.encodeStep(input, at: now, before: UInt32(truncatingIfNeeded: digest.value), into: &writer)
        steps += 1
    }

    /// Adds the effects of the last step to the digest. It appends a record only where a digest is due.
    public mutating func addEffects(_ effects: [Effect], into bytes: inout [UInt8]) {
        var effects = effects
        bytes.append { moveEffects(from: &effects, into: &$0) }
    }

    /// Adds the effects of the last step to the digest, and removes them. It appends a record only where a digest is due.
    package mutating func moveEffects(from effects: inout [Effect], into writer: inout ByteWriter) {
        digest.combine(removing: &effects)
        if steps % Journal.digestPeriod == 0 { JournalRecord.digest(steps: steps, digest.value).encode(into: &writer) }
    }

    /// Appends the last digest and the end of the process.
    public func end(status: Int32, at now: Instant, into bytes: inout [UInt8]) {
        bytes.append { end(status: status, at: now, into: &$0) }
    }

    /// Appends the last digest and the end of the process.
    package func end(status: Int32, at now: Instant, into writer: inout ByteWriter) {
        JournalRecord.digest(steps: steps, digest.value).encode(into: &writer)
        JournalRecord.ended(status: status, now).encode(into: &writer)
    }
}
