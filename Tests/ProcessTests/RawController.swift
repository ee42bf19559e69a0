// RawController.swift: a controller that speaks ZMTP 3 by hand over a unix socket, and reads no answer.
//
//    greeting, READY ◀─▶ greeting, READY        then frames as messages ─▶
//
// libzmq reads ahead of whoever uses it; an attacker's client need not.
//
// Sources   documented  ZeroMQ RFC 23 (ZMTP 3.0)

import CSystem
import Foundation
import Wire

final class RawController {
    let descriptor: Int32
    private var sequence: UInt64 = 0

    init(_ runDirectory: String) throws {
        descriptor = system_unix_connect("\(runDirectory)/control.sock")
        guard descriptor >= 0 else { throw TestFailure("connect: \(String(cString: strerror(errno)))") }
        let greeting: [UInt8] = [0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F, 3, 0]
        let mechanism = Array("NULL".utf8) + [UInt8](repeating: 0, count: 16)
        let name = Array("Socket-Type".utf8)
        let type = Array("DEALER".utf8)
        let ready: [UInt8] =
            [5] + Array("READY".utf8) + [UInt8(name.count)] + name + [0, 0, 0, UInt8(type.count)] + type
        _ = send(greeting + mechanism + [UInt8](repeating: 0, count: 32) + [4, UInt8(ready.count)] + ready)
        // libzmq takes a message before its own READY has gone for a second command of the handshake.
        try skipHandshake()
    }

    /// Reads the other end's greeting and READY, which is one short command.
    private func skipHandshake() throws {
        var left = 66
        var last: UInt8 = 0
        for isReady in [false, true] {
            if isReady { left = Int(last) }
            while left > 0 {
                var byte: UInt8 = 0
                var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&item, 1, 20_000) == 1, read(descriptor, &byte, 1) == 1 else {
                    throw TestFailure("no handshake")
                }
                (last, left) = (byte, left - 1)
            }
        }
    }

    deinit { close(descriptor) }

    /// All of these in one packet.
    ///
    /// - Returns: False when the other end has hung up, or takes nothing for two seconds.
    @discardableResult
    func ask(_ messages: [Message]) -> Bool {
        let packet = messages.flatMap { message -> [UInt8] in
            sequence += 1
            return Frame(epoch: 0, generation: 0, sequence: sequence, credit: 256, message: message).encoded()
        }
        let size = (0..<8).reversed().map { UInt8(truncatingIfNeeded: packet.count >> ($0 * 8)) }
        return send([2] + size + packet)
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(Int(MSG_NOSIGNAL) | Int(MSG_DONTWAIT)))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                guard errno == EAGAIN || errno == EINTR else { return false }
                var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&item, 1, 2000) == 1 else { return false }
            }
        }
        return true
    }
}
