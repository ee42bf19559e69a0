// EffectDigest.swift: all that a core has answered so far, as one number.
//
// Two runs whose digests are equal have given the same effects in the same order. It is no secret and no hash of
// Swift's: the same in every process, on every machine, for ever (`Journal.behaviour` tells when it changes).
//
// Every effect passes here on the live way of a touch, so the messages of that way are mixed field by field; the
// others are mixed as the bytes that would carry them.
//
// Sources   invented

import Basics
import HID
public import Hosting
public import Wire

public struct EffectDigest: Hashable, Sendable {
    public private(set) var value: UInt64 = 0x746F_7563_686C_696E

    public init() {}

    public mutating func combine(_ effects: [Effect]) {
        // By place: an iterator would copy each effect once more.
        effects.withUnsafeBufferPointer { for place in $0.indices { combine($0[place]) } }
    }

    public mutating func combine(_ effect: Effect) {
        switch effect {
        case .send(let frame, let peer):
            mix(1, peer)
            combine(frame)
        case .arm(let timer, let moment):
            mix(2, timer.rawValue)
            mix(moment.nanoseconds)
        case .disarm(let timer): mix(3, timer.rawValue)
        case .open(let file, let path):
            mix(4, file.rawValue)
            mix(path)
        case .read(let file, let limit):
            mix(5, file.rawValue)
            mix(UInt64(truncatingIfNeeded: limit))
        case .close(let file): mix(6, file.rawValue)
        case .device(.watch(let folder, let names)):
            mix(7, UInt32(truncatingIfNeeded: names.count))
            mix(folder)
            for name in names { mix(name) }
        case .device(.open(let device, let path, let grab)):
            mix(grab ? 9 : 8, device.rawValue)
            mix(path)
        case .device(.resync(let device)): mix(10, device.rawValue)
        case .device(.close(let device)): mix(11, device.rawValue)
        case .spawn(let peer, let order):
            mix(12, peer)
            var writer = ByteWriter()
            writer.write(order)
            mix(writer.finish())
        case .hangUp(let peer): mix(17, peer)
        case .signal(let peer, let signal): mix(13 + UInt32(signal.rawValue), peer)
        case .exit(let status): mix(16, UInt32(bitPattern: status))
        }
    }

    /// A frame as its core made it: its header, its ledger so far, its message.
    public mutating func combine(_ frame: Frame) {
        mix(UInt64(frame.epoch) << 32 | UInt64(frame.generation))
        mix(frame.sequence)
        mix(frame.ack)
        mix(UInt64(frame.credit) << 32 | UInt64(frame.ledger.count))
        for hop in Ledger.Hop.allCases.prefix(frame.ledger.count) { mix(frame.ledger[hop]?.nanoseconds ?? 0) }
        mix(UInt64(frame.message.kind.rawValue))
        switch frame.message {
        case .digitizer(let event): combine(event)
        case .touches(let touches):
            mix(touches.timeStamp.nanoseconds)
            for contact in touches.contacts { combine(contact) }
            for earlier in touches.history {
                mix(earlier.timeStamp.nanoseconds)
                for contact in earlier.contacts { combine(contact) }
            }
        case .handled(let receipt):
            mix(receipt.frame)
            mix(UInt64(receipt.outcome.rawValue) << 8 | UInt64(receipt.reason.rawValue))
            let counts = UInt64(receipt.began) << 48 | UInt64(receipt.moved) << 32 | UInt64(receipt.stationary) << 16
            mix(counts | UInt64(receipt.ended))
            mix(UInt64(receipt.deferredEdges.map { UInt64($0) + 1 } ?? 0) << 16 | UInt64(receipt.cancelled))
        case .lifeCycle(let change): mix(UInt64(change.rawValue))
        case .stopPlay(let id): mix(UInt64(id))
        case .link(.probe): mix(1 as UInt64)
        case .link(.heard(let oldest, let missed)):
            mix(oldest)
            mix(missed)
        case .hello, .shutdown, .ready, .reportRequest, .screenshot: return
        case .device, .input, .windows, .scene, .launch, .roster, .act, .play, .played, .measured, .report, .refused,
            .misconduct, .stalled, .overran, .chaos, .observe, .facts, .detailRequest, .detail, .spy,
            .spied, .open, .opened, .wanted:
            mix(Frame(epoch: 0, generation: 0, sequence: 0, message: frame.message).encoded())
        }
    }

    private mutating func combine(_ event: HIDEvent) {
        mix(event.timeStamp.nanoseconds)
        mix(event.senderID)
        mix(UInt64(event.scanTime?.ticks ?? 0) << 8 | UInt64(event.scanTime?.width ?? 0))
        mix(event.panelWidth, .zero)
        mix(UInt64(event.display))
        combine(event.hand)
        for finger in event.fingers { combine(finger) }
    }

    private mutating func combine(_ event: DigitizerEvent) {
        mix(UInt64(event.transducer.rawValue) << 32 | UInt64(event.index))
        mix(UInt64(event.identity) << 32 | UInt64(event.mask.rawValue))
        mix(UInt64(event.childMask.rawValue) << 32 | UInt64(event.options.rawValue))
        mix(event.x, event.y)
        mix(event.z, event.pressure)
        mix(event.auxPressure, event.twist)
        mix(UInt64(event.buttonMask) << 32 | UInt64(event.generationCount))
        mix(UInt64(event.willUpdateMask.rawValue) << 32 | UInt64(event.didUpdateMask.rawValue))
        switch event.orientation {
        case .tilt(let tilt): mix(tilt.x, tilt.y)
        case .polar(let polar):
            mix(1 as UInt64)
            mix(polar.altitude, polar.azimuth)
            mix(polar.quality, polar.density)
            mix(polar.majorRadius, polar.minorRadius)
        case .quality(let quality):
            mix(2 as UInt64)
            mix(quality.quality, quality.density)
            mix(quality.irregularity, quality.accuracy)
            mix(quality.majorRadius, quality.minorRadius)
        }
    }

    private mutating func combine(_ contact: TouchContact) {
        let kinds =
            UInt64(contact.isGated ? 1 : 0) << 16 | UInt64(contact.phase.rawValue) << 8
            | UInt64(contact.tool.rawValue)
        mix(UInt64(contact.touch.rawValue) << 32 | kinds)
        mix(contact.x, contact.y)
        mix(contact.majorRadius, contact.pressure)
        guard let angles = contact.angles else { return }
        mix(angles.altitude, angles.azimuth)
    }

    // MARK: Mixing

    /// Multiplication by an odd number and the shift are both undone by nothing but themselves: no value is lost.
    private mutating func mix(_ word: UInt64) {
        let product = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value = product ^ product >> 29
    }

    private mutating func mix(_ number: Int64) { mix(UInt64(bitPattern: number)) }

    private mutating func mix(_ a: Fixed, _ b: Fixed) {
        mix(UInt64(UInt32(bitPattern: a.rawValue)) << 32 | UInt64(UInt32(bitPattern: b.rawValue)))
    }

    private mutating func mix(_ kind: UInt32, _ number: UInt32) { mix(UInt64(kind) << 32 | UInt64(number)) }

    private mutating func mix(_ kind: UInt32, _ peer: Peer) {
        mix(UInt64(kind) << 40 | UInt64(peer.role.rawValue) << 32 | UInt64(peer.instance))
    }

    private mutating func mix(_ text: String) {
        var text = text
        text.withUTF8 { mix(UnsafeRawBufferPointer($0)) }
    }

    private mutating func mix(_ bytes: [UInt8]) { bytes.withUnsafeBytes { mix($0) } }

    private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var index = 0
        while bytes.count - index >= 8 {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        var last: UInt64 = 0
        while index < bytes.count {
            last = last << 8 | UInt64(bytes[index])
            index += 1
        }
        mix(last)
    }
}
