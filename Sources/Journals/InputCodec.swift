// InputCodec.swift: every input of a process, as bytes and back.
//
// Input     JournalWriter, JournalReader
// Output    bytes; an input or a WireError, for any bytes
// Knows     the inputs of Hosting
//
// A frame is stored as its own bytes. Every other input is a kind and its fields, each described once
// (Wire/FieldCoder.swift).
//
// Sources   invented

import Basics
import HID
public import Hosting
public import Wire

extension Input {
    private static let frameKind: UInt8 = 2

    public func encode(into bytes: inout [UInt8]) { bytes.append { encode(into: &$0) } }

    func encode(into writer: inout ByteWriter) {
        switch self {
        case .frame(let frame, from: let peer): frame.encode(after: Self.frameKind, from: peer, into: &writer)
        default: _ = Input(coding: self, with: &writer)
        }
    }

    /// - Throws: `WireError` unless the bytes are exactly one input.
    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Input {
        var reader = ByteReader(bytes)
        return try Input(from: &reader)
    }

    /// Decodes an input from all remaining bytes of the reader.
    init(from reader: inout ByteReader) throws(WireError) {
        var frameReader = reader
        if try frameReader.readInteger(UInt8.self) == Self.frameKind {
            let peer: Peer = try frameReader.read()
            let frames = try Frame.decode(packet: try frameReader.readBytes(count: frameReader.remaining))
            guard frames.count == 1 else { throw .badValue("frames of one input", UInt64(frames.count)) }
            reader = frameReader
            self = .frame(frames[0], from: peer)
        } else {
            self = try Input(coding: nil, with: &reader)
            guard reader.remaining == 0 else { throw .trailingBytes(reader.remaining) }
        }
    }

    private struct Parts {
        var kind: UInt8
        var peer: Peer?
        /// The number of a timer or of a file.
        var number: UInt32?
        var pid: Int32?
        var text: String?
        var bytes: [UInt8]?
        var status: ExitStatus?
        var refusal: Refusal?
        var news: DeviceNotice?
    }

    private var parts: Parts {
        switch self {
        case .started: Parts(kind: 0)
        case .connected(let peer): Parts(kind: 1, peer: peer)
        case .frame: preconditionFailure("a frame has a description of its own")
        case .peerLost(let peer): Parts(kind: 3, peer: peer)
        case .refused(let refusal): Parts(kind: 4, refusal: refusal)
        case .timerFired(let timer): Parts(kind: 5, number: timer.rawValue)
        case .fileBytes(let file, let bytes): Parts(kind: 6, number: file.rawValue, bytes: bytes)
        case .fileFailed(let file, let reason): Parts(kind: 7, number: file.rawValue, text: reason)
        case .device(let news): Parts(kind: 8, news: news)
        case .childStarted(let peer, let pid): Parts(kind: 9, peer: peer, pid: pid)
        case .childFailed(let peer, let reason): Parts(kind: 10, peer: peer, text: reason)
        case .childExited(let peer, let pid, let status): Parts(kind: 11, peer: peer, pid: pid, status: status)
        case .stopRequested: Parts(kind: 12)
        case .programReplaced(let peer): Parts(kind: 13, peer: peer)
        }
    }

    private init<Coder: FieldCoder>(coding value: Input?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        switch try coder.field(parts?.kind, "kind") {
        case 0: self = .started
        case 1: self = .connected(try coder.field(parts?.peer))
        case 3: self = .peerLost(try coder.field(parts?.peer))
        case 4: self = .refused(try Refusal(coding: parts?.refusal, with: &coder))
        case 5: self = .timerFired(TimerID(try coder.field(parts?.number, "timer")))
        case 6:
            self = .fileBytes(
                FileID(try coder.field(parts?.number, "file")), try coder.longBytes(parts?.bytes, "file bytes"))
        case 7:
            self = .fileFailed(
                FileID(try coder.field(parts?.number, "file")), reason: try coder.longText(parts?.text, "reason"))
        case 8: self = .device(try DeviceNotice(coding: parts?.news, with: &coder))
        case 9: self = .childStarted(try coder.field(parts?.peer), pid: try coder.field(parts?.pid, "pid"))
        case 10:
            self = .childFailed(try coder.field(parts?.peer), reason: try coder.longText(parts?.text, "reason"))
        case 11:
            self = .childExited(
                try coder.field(parts?.peer), pid: try coder.field(parts?.pid, "pid"),
                status: try ExitStatus(coding: parts?.status, with: &coder))
        case 12: self = .stopRequested
        case 13: self = .programReplaced(try coder.field(parts?.peer))
        case let other: throw coder.failure(.badValue("input kind", UInt64(other)))
        }
    }
}

extension Refusal {
    private struct Parts {
        var refusal: UInt8
        var pid: Int32?
        var uid: UInt32?
        var peer: Peer?
        var error: WireError?
        var kind: MessageKind?
        var calls: UInt32?
        var turnedAway: ConnectionRefusal?
        var texts: (String, String)?
        var bytes: UInt64?
        var limit: UInt64?
    }

    private var parts: Parts {
        switch self {
        case .notOnRoster(let pid, let uid): Parts(refusal: 0, pid: pid, uid: uid)
        case .malformed(let peer, let error): Parts(refusal: 1, peer: peer, error: error)
        case .forbidden(let peer, let kind): Parts(refusal: 2, peer: peer, kind: kind)
        case .passNotShown(let peer): Parts(refusal: 3, peer: peer)
        case .wrongPass(let peer): Parts(refusal: 4, peer: peer)
        case .flooding(let peer, let limit): Parts(refusal: 5, peer: peer, limit: UInt64(limit))
        case .keyless(let calls): Parts(refusal: 7, calls: calls)
        case .unknownKey(let key, let address): Parts(refusal: 8, texts: (key, address))
        case .connectionsRefused(let pid, let uid, let calls, let reason):
            Parts(refusal: 9, pid: pid, uid: uid, calls: calls, turnedAway: reason)
        case .unread(let peer, let bytes, let limit):
            Parts(refusal: 10, peer: peer, bytes: UInt64(bytes), limit: UInt64(limit))
        }
    }

    fileprivate init<Coder: FieldCoder>(coding value: Refusal?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        switch try coder.field(parts?.refusal, "refusal") {
        case 0: self = .notOnRoster(pid: try coder.field(parts?.pid, "pid"), uid: try coder.field(parts?.uid, "uid"))
        case 1:
            self = .malformed(try coder.field(parts?.peer), try WireError(coding: parts?.error, with: &coder))
        case 2:
            self = .forbidden(
                try coder.field(parts?.peer), try coder.field(parts?.kind, "kind", as: "message kind"))
        case 3: self = .passNotShown(try coder.field(parts?.peer))
        case 4: self = .wrongPass(try coder.field(parts?.peer))
        case 5:
            self = .flooding(
                try coder.field(parts?.peer), limit: try coder.number(parts?.limit, "frames a second"))
        case 7: self = .keyless(connections: try coder.field(parts?.calls, "calls"))
        case 8:
            self = .unknownKey(
                try coder.longText(parts?.texts?.0, "key"), address: try coder.longText(parts?.texts?.1, "address"))
        case 9:
            self = .connectionsRefused(
                pid: try coder.field(parts?.pid, "pid"), uid: try coder.field(parts?.uid, "uid"),
                count: try coder.field(parts?.calls, "calls"),
                try ConnectionRefusal(coding: parts?.turnedAway, with: &coder))
        case 10:
            self = .unread(
                try coder.field(parts?.peer), bytes: try coder.number(parts?.bytes, "bytes"),
                limit: try coder.number(parts?.limit, "limit"))
        case let other: throw coder.failure(.badValue("refusal", UInt64(other)))
        }
    }
}

extension ConnectionRefusal {
    private var parts: (reason: UInt8, limit: UInt64) {
        switch self {
        case .child: (0, 0)
        case .processLimit(let limit): (1, UInt64(limit))
        case .listenerLimit(let limit): (2, UInt64(limit))
        case .evicted(let limit): (3, UInt64(limit))
        case .noDescriptors: (4, 0)
        case .noZMTP: (5, 0)
        case .choseRoutingID: (6, 0)
        case .multipart: (7, 0)
        case .backlog(let limit): (8, limit)
        }
    }

    fileprivate init<Coder: FieldCoder>(coding value: ConnectionRefusal?, with coder: inout Coder) throws(Coder.Failure)
    {
        let parts = value?.parts
        let reason = try coder.field(parts?.reason, "reason")
        let limit = try coder.field(parts?.limit, "limit")
        switch reason {
        case 0: self = .child
        case 1: self = .processLimit(UInt32(truncatingIfNeeded: limit))
        case 2: self = .listenerLimit(UInt32(truncatingIfNeeded: limit))
        case 3: self = .evicted(UInt32(truncatingIfNeeded: limit))
        case 4: self = .noDescriptors
        case 5: self = .noZMTP
        case 6: self = .choseRoutingID
        case 7: self = .multipart
        case 8: self = .backlog(limit)
        default: throw coder.failure(.badValue("reason", UInt64(reason)))
        }
    }
}

extension WireError {
    private struct Parts {
        var error: UInt8
        var text: String?
        /// A length, a count or an amount, with the value that it is compared with.
        var count: Int?
        var limit: Int?
        var value: UInt64?
    }

    private var parts: Parts {
        switch self {
        case .truncated(let expected, let actual): Parts(error: 0, count: expected, limit: actual)
        case .notAFrame(let magic): Parts(error: 1, value: UInt64(magic))
        case .version(let version, let known): Parts(error: 2, count: Int(known), value: UInt64(version))
        case .unknownKind(let kind): Parts(error: 3, value: UInt64(kind))
        case .tooLong(let what, let count, let limit): Parts(error: 4, text: what, count: count, limit: limit)
        case .badValue(let what, let value): Parts(error: 5, text: what, value: value)
        case .trailingBytes(let count): Parts(error: 6, count: count)
        case .notText(let what): Parts(error: 7, text: what)
        }
    }

    fileprivate init<Coder: FieldCoder>(coding value: WireError?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        switch try coder.field(parts?.error, "error") {
        case 0:
            self = .truncated(
                expected: try coder.count(parts?.count, "expected"), actual: try coder.count(parts?.limit, "actual"))
        case 1: self = .notAFrame(magic: try coder.number(parts?.value, "magic"))
        case 2:
            self = .version(
                try coder.number(parts?.value, "version"),
                known: try coder.number(parts?.count.map { UInt64($0) }, "known"))
        case 3: self = .unknownKind(try coder.number(parts?.value, "kind"))
        case 4:
            self = .tooLong(
                try coder.field(parts?.text, "what", as: "what"), count: try coder.count(parts?.count, "count"),
                limit: try coder.count(parts?.limit, "limit"))
        case 5:
            self = .badValue(try coder.field(parts?.text, "what", as: "what"), try coder.field(parts?.value, "value"))
        case 6: self = .trailingBytes(try coder.count(parts?.count, "count"))
        case 7: self = .notText(try coder.field(parts?.text, "what", as: "what"))
        case let other: throw coder.failure(.badValue("wire error", UInt64(other)))
        }
    }
}

extension ExitStatus {
    private var parts: (status: UInt8, number: Int32) {
        switch self {
        case .exited(let code): (0, code)
        case .signalled(let signal): (1, signal)
        }
    }

    fileprivate init<Coder: FieldCoder>(coding value: ExitStatus?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        switch try coder.field(parts?.status, "status") {
        case 0: self = .exited(try coder.field(parts?.number, "code"))
        case 1: self = .signalled(try coder.field(parts?.number, "signal"))
        case let other: throw coder.failure(.badValue("exit status", UInt64(other)))
        }
    }
}

extension FieldCoder {
    /// Text that is at most as long as a record.
    mutating func longText(_ text: String?, _ name: StaticString) throws(Failure) -> String {
        try field(text, name, as: name, limit: Journal.recordLimit)
    }

    /// Bytes that are at most as long as a record.
    mutating func longBytes(_ bytes: [UInt8]?, _ name: StaticString) throws(Failure) -> [UInt8] {
        try field(bytes, name, as: name, limit: Journal.recordLimit)
    }

    /// A number in the width of its own type.
    fileprivate mutating func number<Value: FixedWidthInteger>(
        _ value: UInt64?, _ name: StaticString
    ) throws(Failure) -> Value {
        try field(value.map { Value(truncatingIfNeeded: $0) }, name)
    }

    fileprivate mutating func count(_ count: Int?, _ name: StaticString) throws(Failure) -> Int {
        Int(try field(count.map { Int64($0) }, name))
    }
}
