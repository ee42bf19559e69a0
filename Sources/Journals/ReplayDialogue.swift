// ReplayDialogue.swift: the messages by which a replay asks the program of an app what its core answers.
//
//     replay ──JournalHeader──▶ program        the program makes the core of the process
//            ──input, moment──▶
//            ◀──effects, facts──               once for each input, until the replay closes the pipe
//
// Only the program of an app has the app's code (`app.executable`). So it runs the core, and the replay runs the rest of
// the group. Each message has its length (u32, little-endian) in front.
//
// Input     Scenarios: ReplayedProgram; TouchlineApp: ReplayService
// Output    bytes; a message or an error, for any bytes
// Knows     no pipe
//
// Sources   invented

public import Basics
public import Hosting
public import Trace
public import Wire

/// The messages of a replay and the program of an app.
public enum ReplayDialogue {
    /// The number of bytes of a length.
    public static let lengthSize = 4
    /// The greatest length of a message in bytes.
    public static let limit = 64 << 20

    /// Returns the message with its length in front.
    public static func framed(_ message: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(message.count + lengthSize)
        bytes.append(little: UInt32(message.count))
        return bytes + message
    }

    /// Returns the length that follows; nil if no message is so long.
    ///
    /// - Parameter bytes: `lengthSize` bytes.
    public static func length(_ bytes: [UInt8]) -> Int? {
        let length = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        return length <= limit ? length : nil
    }

    // MARK: The question

    /// Encodes the first message: the header of the process's journal.
    public static func encode(_ header: JournalHeader) -> [UInt8] {
        var bytes = JournalWriter.preamble
        JournalRecord.header(header).encode(into: &bytes)
        return bytes
    }

    /// - Throws: `JournalError`; the program and the replay are of different versions.
    /// - Returns: Nil for a message that has no header.
    public static func header(_ bytes: [UInt8]) throws(JournalError) -> JournalHeader? {
        var reader = try JournalReader(bytes)
        guard case .header(let header)? = try reader.next() else { return nil }
        return header
    }

    public static func encode(_ input: Input, at moment: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: UInt64(bitPattern: moment.nanoseconds))
        input.encode(into: &bytes)
        return bytes
    }

    public static func input(_ bytes: [UInt8]) throws(WireError) -> (input: Input, moment: Instant) {
        let result = bytes.withUnsafeBytes { all -> Result<(input: Input, moment: Instant), WireError> in
            do throws(WireError) {
                var reader = ByteReader(all)
                let moment = Instant(nanoseconds: try reader.field(nil as Int64?, "moment"))
                return .success((try Input(from: &reader), moment))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    // MARK: The answer

    /// The answer of the program's core to one input.
    public struct Answer: Equatable, Sendable {
        public var effects: [Effect]
        /// The facts that the core noted; empty unless the replay is traced.
        public var facts: [ResolvedFact]

        public init(effects: [Effect], facts: [ResolvedFact]) { (self.effects, self.facts) = (effects, facts) }
    }

    /// - Precondition: The effects are those of an app: frames, timers, the exit.
    public static func encode(_ answer: Answer) -> [UInt8] {
        var writer = ByteWriter()
        _ = Answer(coding: answer, with: &writer)
        return writer.finish()
    }

    public static func answer(_ bytes: [UInt8]) throws(WireError) -> Answer {
        let result = bytes.withUnsafeBytes { all -> Result<Answer, WireError> in
            do throws(WireError) {
                var reader = ByteReader(all)
                let answer = try Answer(coding: nil, with: &reader)
                guard reader.remaining == 0 else { throw .trailingBytes(reader.remaining) }
                return .success(answer)
            } catch { return .failure(error) }
        }
        return try result.get()
    }
}

extension ReplayDialogue.Answer: FieldCodable {
    package init<Coder: FieldCoder>(coding value: Self?, with coder: inout Coder) throws(Coder.Failure) {
        effects = try coder.list(value?.effects, "effects", of: "effects", size: 1, limit: ReplayDialogue.limit) {
            (effect, coder) throws(Coder.Failure) in try Effect(codingOfApp: effect, with: &coder)
        }
        facts = try coder.list(value?.facts, "facts", of: "facts", size: 16, limit: ReplayDialogue.limit) {
            (fact, coder) throws(Coder.Failure) in try ResolvedFact(codingOfReplay: fact, with: &coder)
        }
    }
}

extension ResolvedFact {
    fileprivate init<Coder: FieldCoder>(codingOfReplay value: Self?, with coder: inout Coder) throws(Coder.Failure) {
        let moment = try coder.field(value?.at, "moment")
        let process = try coder.longText(value?.process, "process")
        let stations = Station.allCases
        let index = try coder.field(value.flatMap { stations.firstIndex(of: $0.station) }.map(UInt8.init), "station")
        guard stations.indices.contains(Int(index)) else { throw coder.failure(.badValue("station", UInt64(index))) }
        let isProbe = try coder.field(value?.isProbe, "isProbe", as: "flag")
        let template = try coder.longText(value?.template, "template")
        let values = try coder.list(value?.values, "values", of: "values", size: 2, limit: 4) {
            (value, coder) throws(Coder.Failure) in try Value(codingOfReplay: value, with: &coder)
        }
        self.init(
            at: moment, process: process, station: stations[Int(index)], isProbe: isProbe, template: template,
            values: values)
    }
}

extension ResolvedFact.Value {
    fileprivate init<Coder: FieldCoder>(codingOfReplay value: Self?, with coder: inout Coder) throws(Coder.Failure) {
        let (number, word): (Int64?, String?) =
            switch value {
            case .number(let number): (number, nil)
            case .word(let word): (nil, word)
            case nil: (nil, nil)
            }
        if try coder.field(value.map { _ in word != nil }, "isWord", as: "flag") {
            self = .word(try coder.longText(word, "word"))
        } else {
            self = .number(try coder.field(number, "number"))
        }
    }
}

extension Effect {
    private struct Parts {
        var kind: UInt8
        var peer: Peer?
        var frame: [UInt8]?
        var timer: TimerID?
        var moment: Instant?
        var status: Int32?
    }

    private var parts: Parts {
        switch self {
        case .send(let frame, to: let peer): Parts(kind: 0, peer: peer, frame: frame.encoded())
        case .arm(let timer, at: let moment): Parts(kind: 1, timer: timer, moment: moment)
        case .disarm(let timer): Parts(kind: 2, timer: timer)
        case .exit(let status): Parts(kind: 3, status: status)
        case .open, .read, .close, .device, .spawn, .signal, .hangUp:
            preconditionFailure("no effect of an app: \(self)")
        }
    }

    /// Codes an effect that an app can have.
    fileprivate init<Coder: FieldCoder>(codingOfApp value: Effect?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        switch try coder.field(parts?.kind, "kind") {
        case 0:
            let peer = try coder.field(parts?.peer)
            let bytes = try coder.longBytes(parts?.frame, "frame")
            let frames: [Frame]
            do throws(WireError) { frames = try Frame.decode(packet: bytes) } catch { throw coder.failure(error) }
            guard frames.count == 1 else {
                throw coder.failure(.badValue("frames of one effect", UInt64(frames.count)))
            }
            self = .send(frames[0], to: peer)
        case 1:
            self = .arm(
                TimerID(try coder.field(parts?.timer?.rawValue, "timer")), at: try coder.field(parts?.moment, "moment"))
        case 2: self = .disarm(TimerID(try coder.field(parts?.timer?.rawValue, "timer")))
        case 3: self = .exit(status: try coder.field(parts?.status, "status"))
        case let other: throw coder.failure(.badValue("effect kind", UInt64(other)))
        }
    }
}
