// InputCodec.swift: everything that can happen to a process, as bytes and back.
//
// Frames are their own bytes. The rest is a kind and its fields, little-endian, texts and lists behind their counts.
// Strict, bounded, total: any bytes give an input or a WireError.
//
// Sources   invented

import Basics
import HID
public import Hosting
public import Wire

extension Input {
    public func encode(into bytes: inout [UInt8]) {
        switch self {
        // What comes a thousand times a second, without a writer in between.
        case .frame(let frame, let peer):
            bytes.append(2)
            bytes.append(peer.role.rawValue)
            bytes.append(little: peer.instance)
            frame.encode(into: &bytes)
        case .timerFired(let timer):
            bytes.append(5)
            bytes.append(little: timer.rawValue)
        case .fileBytes(let file, let content):
            bytes.append(6)
            bytes.append(little: file.rawValue)
            bytes.append(little: UInt32(content.count))
            bytes += content
        case .device(.bytes(let device, let content)):
            bytes += [8, 4]
            bytes.append(little: device.rawValue)
            bytes.append(little: UInt32(content.count))
            bytes += content
        default:
            var writer = ByteWriter(into: bytes)
            bytes = []
            encodeRare(into: &writer)
            bytes = writer.finish()
        }
    }

    private func encodeRare(into writer: inout ByteWriter) {
        switch self {
        case .frame, .timerFired, .fileBytes, .device(.bytes): preconditionFailure("\(self) is not rare")
        case .started: writer.put(UInt8(0), "kind")
        case .connected(let peer):
            writer.put(UInt8(1), "kind")
            peer.encode(into: &writer)
        case .peerLost(let peer):
            writer.put(UInt8(3), "kind")
            peer.encode(into: &writer)
        case .refused(let refusal):
            writer.put(UInt8(4), "kind")
            refusal.encode(into: &writer)
        case .fileFailed(let file, let reason):
            writer.put(UInt8(7), "kind")
            writer.put(file.rawValue, "file")
            writer.put(reason, "reason")
        case .device(let news):
            writer.put(UInt8(8), "kind")
            news.encode(into: &writer)
        case .childStarted(let peer, let pid):
            writer.put(UInt8(9), "kind")
            peer.encode(into: &writer)
            writer.put(pid, "pid")
        case .childFailed(let peer, let reason):
            writer.put(UInt8(10), "kind")
            peer.encode(into: &writer)
            writer.put(reason, "reason")
        case .childExited(let peer, let pid, let status):
            writer.put(UInt8(11), "kind")
            peer.encode(into: &writer)
            writer.put(pid, "pid")
            status.encode(into: &writer)
        case .stopRequested: writer.put(UInt8(12), "kind")
        case .programReplaced(let peer):
            writer.put(UInt8(13), "kind")
            peer.encode(into: &writer)
        }
    }

    /// - Throws: For anything but one whole input and no byte more.
    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Input {
        var reader = ByteReader(bytes)
        return try Input(from: &reader)
    }

    /// The reader's whole rest.
    init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.take(UInt8.self) {
        case 0: self = .started
        case 1: self = .connected(try Peer(from: &reader))
        case 2:
            let peer = try Peer(from: &reader)
            let frames = try Frame.decode(packet: try reader.take(raw: reader.remaining))
            guard frames.count == 1 else { throw .badValue("frames of one input", UInt64(frames.count)) }
            self = .frame(frames[0], from: peer)
        case 3: self = .peerLost(try Peer(from: &reader))
        case 4: self = .refused(try Refusal(from: &reader))
        case 5: self = .timerFired(TimerID(try reader.take()))
        case 6: self = .fileBytes(FileID(try reader.take()), try reader.takeBytes("file bytes"))
        case 7: self = .fileFailed(FileID(try reader.take()), reason: try reader.takeLongText("reason"))
        case 8: self = .device(try DeviceNews(from: &reader))
        case 9: self = .childStarted(try Peer(from: &reader), pid: try reader.take())
        case 10: self = .childFailed(try Peer(from: &reader), reason: try reader.takeLongText("reason"))
        case 11:
            self = .childExited(
                try Peer(from: &reader), pid: try reader.take(), status: try ExitStatus(from: &reader))
        case 12: self = .stopRequested
        case 13: self = .programReplaced(try Peer(from: &reader))
        case let other: throw .badValue("input kind", UInt64(other))
        }
        guard reader.remaining == 0 else { throw .trailingBytes(reader.remaining) }
    }
}

extension Refusal {
    fileprivate func encode(into writer: inout ByteWriter) {
        switch self {
        case .stranger(let pid, let uid):
            writer.put(UInt8(0), "refusal")
            writer.put(pid, "pid")
            writer.put(uid, "uid")
        case .malformed(let peer, let error):
            writer.put(UInt8(1), "refusal")
            peer.encode(into: &writer)
            error.encode(into: &writer)
        case .forbidden(let peer, let kind):
            writer.put(UInt8(2), "refusal")
            peer.encode(into: &writer)
            writer.put(kind.rawValue, "kind")
        case .unproven(let peer):
            writer.put(UInt8(3), "refusal")
            peer.encode(into: &writer)
        case .wrongPass(let peer):
            writer.put(UInt8(4), "refusal")
            peer.encode(into: &writer)
        case .flooding(let peer, let limit):
            writer.put(UInt8(5), "refusal")
            peer.encode(into: &writer)
            writer.put(limit, "packets a second")
        case .turnedAway(let pid, let uid, let calls, let why):
            writer.put(UInt8(9), "refusal")
            writer.put(pid, "pid")
            writer.put(uid, "uid")
            writer.put(calls, "calls")
            why.encode(into: &writer)
        case .keyless(let calls):
            writer.put(UInt8(7), "refusal")
            writer.put(calls, "calls")
        case .unknownKey(let key, let address):
            writer.put(UInt8(8), "refusal")
            writer.put(key, "key")
            writer.put(address, "address")
        case .unread(let peer, let bytes, let limit):
            writer.put(UInt8(10), "refusal")
            peer.encode(into: &writer)
            writer.put(bytes, "bytes")
            writer.put(limit, "limit")
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.take(UInt8.self) {
        case 0: self = .stranger(pid: try reader.take(), uid: try reader.take())
        case 1: self = .malformed(try Peer(from: &reader), try WireError(from: &reader))
        case 2: self = .forbidden(try Peer(from: &reader), try reader.takeCase("message kind"))
        case 3: self = .unproven(try Peer(from: &reader))
        case 4: self = .wrongPass(try Peer(from: &reader))
        case 5: self = .flooding(try Peer(from: &reader), limit: try reader.take())
        case 7: self = .keyless(calls: try reader.take())
        case 8: self = .unknownKey(try reader.takeLongText("key"), address: try reader.takeLongText("address"))
        case 9:
            self = .turnedAway(
                pid: try reader.take(), uid: try reader.take(), calls: try reader.take(), try TurnedAway(from: &reader))
        case 10: self = .unread(try Peer(from: &reader), bytes: try reader.take(), limit: try reader.take())
        case let other: throw .badValue("refusal", UInt64(other))
        }
    }
}

extension TurnedAway {
    fileprivate func encode(into writer: inout ByteWriter) {
        func put(_ tag: UInt8, _ limit: UInt64 = 0) {
            writer.put(tag, "reason")
            writer.put(limit, "limit")
        }
        switch self {
        case .child: put(0)
        case .processShare(let limit): put(1, UInt64(limit))
        case .doorShare(let limit): put(2, UInt64(limit))
        case .evicted(let limit): put(3, UInt64(limit))
        case .noDescriptors: put(4)
        case .noZMTP: put(5)
        case .namedItself: put(6)
        case .multipart: put(7)
        case .backlog(let limit): put(8, limit)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        let (tag, limit) = (try reader.take(UInt8.self), try reader.take(UInt64.self))
        switch tag {
        case 0: self = .child
        case 1: self = .processShare(UInt32(truncatingIfNeeded: limit))
        case 2: self = .doorShare(UInt32(truncatingIfNeeded: limit))
        case 3: self = .evicted(UInt32(truncatingIfNeeded: limit))
        case 4: self = .noDescriptors
        case 5: self = .noZMTP
        case 6: self = .namedItself
        case 7: self = .multipart
        case 8: self = .backlog(limit)
        default: throw .badValue("reason", UInt64(tag))
        }
    }
}

extension WireError {
    fileprivate func encode(into writer: inout ByteWriter) {
        switch self {
        case .truncated(let expected, let actual):
            writer.put(UInt8(0), "error")
            writer.put(Int64(expected), "expected")
            writer.put(Int64(actual), "actual")
        case .notAFrame(let magic):
            writer.put(UInt8(1), "error")
            writer.put(magic, "magic")
        case .version(let version, let known):
            writer.put(UInt8(2), "error")
            writer.put(version, "version")
            writer.put(known, "known")
        case .unknownKind(let kind):
            writer.put(UInt8(3), "error")
            writer.put(kind, "kind")
        case .tooLong(let what, let count, let limit):
            writer.put(UInt8(4), "error")
            writer.put(what, "what")
            writer.put(Int64(count), "count")
            writer.put(Int64(limit), "limit")
        case .badValue(let what, let value):
            writer.put(UInt8(5), "error")
            writer.put(what, "what")
            writer.put(value, "value")
        case .trailingBytes(let count):
            writer.put(UInt8(6), "error")
            writer.put(Int64(count), "count")
        case .notText(let what):
            writer.put(UInt8(7), "error")
            writer.put(what, "what")
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.take(UInt8.self) {
        case 0: self = .truncated(expected: try reader.takeInt(), actual: try reader.takeInt())
        case 1: self = .notAFrame(magic: try reader.take())
        case 2: self = .version(try reader.take(), known: try reader.take())
        case 3: self = .unknownKind(try reader.take())
        case 4:
            self = .tooLong(try reader.takeText("what"), count: try reader.takeInt(), limit: try reader.takeInt())
        case 5: self = .badValue(try reader.takeText("what"), try reader.take())
        case 6: self = .trailingBytes(try reader.takeInt())
        case 7: self = .notText(try reader.takeText("what"))
        case let other: throw .badValue("wire error", UInt64(other))
        }
    }
}

extension ExitStatus {
    fileprivate func encode(into writer: inout ByteWriter) {
        switch self {
        case .exited(let code):
            writer.put(UInt8(0), "status")
            writer.put(code, "code")
        case .signalled(let signal):
            writer.put(UInt8(1), "status")
            writer.put(signal, "signal")
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.take(UInt8.self) {
        case 0: self = .exited(try reader.take())
        case 1: self = .signalled(try reader.take())
        case let other: throw .badValue("exit status", UInt64(other))
        }
    }
}

// MARK: Devices

extension DeviceNews {
    fileprivate func encode(into writer: inout ByteWriter) {
        func put(_ kind: UInt8, _ device: DeviceID) {
            writer.put(kind, "news")
            writer.put(device.rawValue, "device")
        }
        switch self {
        case .appeared(let path):
            writer.put(UInt8(0), "news")
            writer.put(path, "path")
        case .vanished(let path):
            writer.put(UInt8(1), "news")
            writer.put(path, "path")
        case .unwatched(let folder, let reason):
            writer.put(UInt8(2), "news")
            writer.put(folder, "folder")
            writer.put(reason, "reason")
        case .opened(let device, let facts):
            put(3, device)
            facts.encode(into: &writer)
        // Written above.
        case .bytes: preconditionFailure("\(self) is not rare")
        case .slots(let device, let slots):
            put(5, device)
            writer.put(slots)
        case .failed(let device, let reason):
            put(6, device)
            writer.put(reason, "reason")
        case .lost(let device, let reason):
            put(7, device)
            writer.put(reason, "reason")
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.take(UInt8.self) {
        case 0: self = .appeared(path: try reader.takeLongText("path"))
        case 1: self = .vanished(path: try reader.takeLongText("path"))
        case 2:
            self = .unwatched(folder: try reader.takeLongText("folder"), reason: try reader.takeLongText("reason"))
        case 3: self = .opened(DeviceID(try reader.take()), try DeviceFacts(from: &reader))
        case 4: self = .bytes(DeviceID(try reader.take()), try reader.takeBytes("device bytes"))
        case 5: self = .slots(DeviceID(try reader.take()), try reader.takeSlots())
        case 6: self = .failed(DeviceID(try reader.take()), reason: try reader.takeLongText("reason"))
        case 7: self = .lost(DeviceID(try reader.take()), reason: try reader.takeLongText("reason"))
        case let other: throw .badValue("device news", UInt64(other))
        }
    }
}

extension DeviceFacts {
    fileprivate func encode(into writer: inout ByteWriter) {
        switch self {
        case .evdev(let facts):
            writer.put(UInt8(0), "facts")
            facts.identity.encode(into: &writer)
            writer.put(facts.properties)
            writer.put(UInt32(facts.codes.count), "types")
            for codes in facts.codes {
                writer.put(codes.type, "each: type")
                writer.put(codes.bits)
            }
            writer.put(UInt32(facts.axes.count), "axes")
            for axis in facts.axes { axis.encode(into: &writer) }
            writer.put(facts.slots)
            writer.put(UInt8(facts.stampsAreMoments ? 1 : 0), "stamps are moments")
        case .hidraw(let facts):
            writer.put(UInt8(1), "facts")
            facts.identity.encode(into: &writer)
            writer.put(facts.descriptor)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.take(UInt8.self) {
        case 0:
            var facts = EvdevFacts(identity: try DeviceIdentity(from: &reader))
            facts.properties = try reader.takeBytes("properties")
            for _ in 0..<(try reader.takeCount(of: "event types", size: 6, limit: Journal.recordLimit)) {
                facts.codes.append(
                    EvdevFacts.Codes(type: try reader.take(), bits: try reader.takeBytes("codes")))
            }
            for _ in 0..<(try reader.takeCount(of: "axes", size: EvdevFacts.Axis.size, limit: Journal.recordLimit)) {
                facts.axes.append(try EvdevFacts.Axis(from: &reader))
            }
            facts.slots = try reader.takeSlots()
            facts.stampsAreMoments = try reader.takeBool("stamps are moments")
            self = .evdev(facts)
        case 1:
            self = .hidraw(
                HIDRawFacts(
                    identity: try DeviceIdentity(from: &reader), descriptor: try reader.takeBytes("descriptor")))
        case let other: throw .badValue("device facts", UInt64(other))
        }
    }
}

extension DeviceIdentity {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.put(name, "name")
        writer.put(place, "place")
        writer.put(bus, "bus")
        writer.put(vendor, "vendor")
        writer.put(product, "product")
        writer.put(version, "version")
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            name: try reader.takeLongText("name"), place: try reader.takeLongText("place"), bus: try reader.take(),
            vendor: try reader.take(), product: try reader.take(), version: try reader.take())
    }
}

extension EvdevFacts.Axis {
    fileprivate static let size = 30

    fileprivate func encode(into writer: inout ByteWriter) {
        writer.put(code, "each: code")
        writer.put(value, "each: value")
        writer.put(axis.minimum, "each: minimum")
        writer.put(axis.maximum, "each: maximum")
        writer.put(axis.resolution.bitPattern, "each: resolution")
        writer.put(axis.fuzz, "each: fuzz")
        writer.put(axis.flat, "each: flat")
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            code: try reader.take(), value: try reader.take(),
            axis: DeviceAxis(
                minimum: try reader.take(), maximum: try reader.take(),
                resolution: Double(bitPattern: try reader.take()), fuzz: try reader.take(), flat: try reader.take()))
        // No kernel says so, and what is no number is not even equal to itself.
        guard axis.resolution.isFinite else { throw .badValue("resolution", axis.resolution.bitPattern) }
    }
}

extension ByteWriter {
    fileprivate mutating func put(_ bytes: [UInt8]) {
        put(UInt32(bytes.count), "count")
        put(raw: bytes, "bytes")
    }

    fileprivate mutating func put(_ slots: DeviceSlots?) {
        put(UInt8(slots == nil ? 0 : 1), "slots follow")
        guard let slots else { return }
        put(slots.current, "current slot")
        put(UInt32(slots.axes.count), "axes")
        for axis in slots.axes {
            put(axis.code, "each: code")
            put(UInt32(axis.values.count), "each: values")
            for value in axis.values { put(value, "each value") }
        }
    }
}

extension ByteReader {
    fileprivate mutating func takeInt() throws(WireError) -> Int { Int(try take(Int64.self)) }

    fileprivate mutating func takeLongText(_ what: String) throws(WireError) -> String {
        try takeText(what, limit: Journal.recordLimit)
    }

    fileprivate mutating func takeBytes(_ what: String) throws(WireError) -> [UInt8] {
        let count = try takeCount(of: what, size: 1, limit: Journal.recordLimit)
        return [UInt8](try take(raw: count))
    }

    fileprivate mutating func takeSlots() throws(WireError) -> DeviceSlots? {
        guard try takeBool("slots follow") else { return nil }
        var slots = DeviceSlots(current: try take(), axes: [])
        for _ in 0..<(try takeCount(of: "slot axes", size: 6, limit: Journal.recordLimit)) {
            let code = try take(UInt16.self)
            var values: [Int32] = []
            for _ in 0..<(try takeCount(of: "slot values", size: 4, limit: Journal.recordLimit)) {
                values.append(try take())
            }
            slots.axes.append(DeviceSlots.Axis(code: code, values: values))
        }
        return slots
    }
}

extension [UInt8] {
    mutating func append(little value: UInt32) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    mutating func append(little value: UInt64) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
