// EffectDigest.swift: all effects of a core so far, as one number.
//
// Input     JournalWriter; replay, which compares the number with the journal's
// Output    a 64-bit number
//
// Two runs with equal digests had the same effects in the same order. The number is the same in every process and on
// every machine (`Journal.behaviorVersion` records when it changes). A frame is mixed through the description of its fields
// (Wire/FieldCoder.swift), so every field that is sent is part of the digest.
//
// Sources   invented

import Basics
public import Hosting
public import Wire

/// A digest of effects, in their order.
public struct EffectDigest: Hashable, Sendable {
    private var fields = FieldDigest(0x746F_7563_686C_696E)

    public var value: UInt64 { fields.value }

    public init() {}

    public mutating func combine(_ effects: [Effect]) {
        // An iterator would copy each effect once more than the index does.
        effects.withUnsafeBufferPointer { for place in $0.indices { combine($0[place]) } }
    }

    /// Mixes in effects in their order, and removes them.
    mutating func combine(removing effects: inout [Effect]) {
        for index in effects.indices {
            // An element of an array is copied where it is read. An exchange copies nothing that is counted.
            var effect = Effect.exit(status: 0)
            swap(&effect, &effects[index])
            combine(effect)
        }
        effects.removeAll(keepingCapacity: true)
    }

    public mutating func combine(_ effect: Effect) {
        switch effect {
        case .send(let frame, let peer):
            mix(1, peer)
            combine(frame)
        case .arm(let timer, let moment):
            mix(2, timer.rawValue)
            fields.mix(UInt64(bitPattern: moment.nanoseconds))
        case .disarm(let timer): mix(3, timer.rawValue)
        case .open(let file, let path):
            mix(4, file.rawValue)
            fields.mix(path)
        case .read(let file, let limit):
            mix(5, file.rawValue)
            fields.mix(UInt64(truncatingIfNeeded: limit))
        case .close(let file): mix(6, file.rawValue)
        case .device(.watch(let folder, let names)):
            mix(7, UInt32(truncatingIfNeeded: names.count))
            fields.mix(folder)
            for name in names { fields.mix(name) }
        case .device(.open(let device, let path, let grab)):
            mix(grab ? 9 : 8, device.rawValue)
            fields.mix(path)
        case .device(.resync(let device)): mix(10, device.rawValue)
        case .device(.close(let device)): mix(11, device.rawValue)
        case .spawn(let peer, let order):
            mix(12, peer)
            fields.mix(order)
        case .hangUp(let peer): mix(17, peer)
        case .signal(let peer, let signal): mix(13 + UInt32(signal.rawValue), peer)
        case .exit(let status): mix(16, UInt32(bitPattern: status))
        }
    }

    /// Mixes in a frame as its core made it: its header, its ledger so far, its message.
    public mutating func combine(_ frame: Frame) { fields.mix(frame) }

    private mutating func mix(_ kind: UInt32, _ number: UInt32) { fields.mix(UInt64(kind) << 32 | UInt64(number)) }

    private mutating func mix(_ kind: UInt32, _ peer: Peer) {
        fields.mix(UInt64(kind) << 40 | UInt64(peer.role.rawValue) << 32 | UInt64(peer.instance))
    }
}
