// WireLaws.swift: any packet is frames or a `WireError`, and what was read can be written and read again.

import FuzzDriver
import Wire

/// Reads some inputs as they are, and gives others headers of the current version. So an input keeps its meaning when
/// the version changes, and no fuzzing time is spent on guessing the version.
func expectLaws(ofPacket bytes: [UInt8]) {
    expectLaws(ofWholePacket: bytes.first == 0 ? bytes : repaired(bytes))
}

private func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var start = 0
    while bytes.count - start >= Frame.headerSize {
        bytes[start] = UInt8(truncatingIfNeeded: Frame.magic)
        bytes[start + 1] = UInt8(Frame.magic >> 8)
        bytes[start + 2] = Frame.version
        start += Frame.headerSize + (Int(bytes[start + 4]) | Int(bytes[start + 5]) << 8)
    }
    return bytes
}

private func expectLaws(ofWholePacket bytes: [UInt8]) {
    let frames: [Frame]
    do throws(WireError) { frames = try Frame.decode(packet: bytes) } catch {
        expect(!error.description.isEmpty)
        return
    }
    expect(frames.count * Frame.headerSize <= bytes.count, "\(frames.count) frames in \(bytes.count) bytes")
    var packet: [UInt8] = []
    for frame in frames {
        let start = packet.count
        frame.encode(into: &packet)
        let isPermitted = Role.allCases.contains { sender in
            Role.allCases.contains { frame.message.isAllowed(from: sender, to: $0) }
        }
        expect(isPermitted, "no role may send \(frame.message.kind)")
        expect(packet.count - start >= Frame.headerSize)
    }
    // A writer needs no more bytes than the reader was given, so frames that fitted in a packet still fit.
    expect(packet.count <= bytes.count, "\(bytes.count) bytes became \(packet.count)")
    do throws(WireError) {
        let again = try Frame.decode(packet: packet)
        expect(again == frames, "frames that are not what was written")
    } catch { broken("our own bytes: \(error)") }
    var twice: [UInt8] = []
    for frame in frames { frame.encode(into: &twice) }
    expect(twice == packet, "two writings differ")
}
