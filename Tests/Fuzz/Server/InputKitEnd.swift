// InputKitEnd.swift: input-kit's end of its link to the server, and the laws of every frame that it receives.
//
// Input     ServerStage: the scans that input-kit sends, and the server's frames to it
// Knows     its own link. `ServerStage` knows the contents of scans.

import Basics
import FuzzDriver
import Links
import Wire

struct InputKitEnd {
    /// Nil while input-kit has no link.
    private var conversation: LinkNumbers?
    /// Whether the server has answered the hello of the current link.
    private(set) var isOpen = false
    /// The scans of the current link that are not answered yet: the sequence number, and the ledger's first stamp; nil
    /// for a scan that the link lost.
    private(set) var owed: [(sequence: SequenceNumber, device: Instant?)] = []
    /// The number of openings of each device on the current link.
    private var generations: [UInt8: UInt32] = [:]

    var isConnected: Bool { conversation != nil }

    /// - Parameter isAnew: Whether it is a new process; otherwise the same process continues its numbers.
    /// - Returns: Its hello on a new link.
    mutating func hello(of life: UInt32, isAnew: Bool) -> Frame {
        var numbers = LinkNumbers(epoch: 0, generation: life)
        if !isAnew, let conversation { numbers = conversation }
        disconnect()
        let hello = numbers.hello()
        conversation = numbers
        return hello
    }

    mutating func disconnect() {
        conversation = nil
        isOpen = false
        owed.removeAll(keepingCapacity: true)
        generations = [:]
    }

    /// The next frame, which is no scan.
    mutating func frame(_ message: Message) -> Frame { conversation!.frame(message) }

    /// The frame of the next scan.
    mutating func scan(_ message: Message, ledger: Ledger) -> Frame {
        let frame = conversation!.frame(message, ledger: ledger)
        owed.append((frame.sequence, ledger[.device]))
        return frame
    }

    /// Uses the number of the next scan for a frame that the link loses.
    mutating func lose(_ message: Message) { owed.append((conversation!.frame(message).sequence, nil)) }

    mutating func reopen(_ device: UInt8) { generations[device, default: 0] &+= 1 }

    func generation(of device: UInt8) -> UInt32 { generations[device] ?? 0 }

    mutating func receive(_ frame: Frame) {
        if frame.message == .hello, !isOpen {
            expect(conversation!.isAnswered(by: frame), "the answer to another greeting")
            isOpen = true
            return conversation!.adopt(hello: frame, epoch: frame.epoch)
        }
        // A repeated answer to a hello has the number of the first answer.
        let news: LinkNumbers.Verdict =
            frame.message == .hello ? .duplicate(sequence: frame.sequence, last: conversation!.received) : .fresh
        expect(conversation!.accept(frame) == news, "numbers towards input-kit")
        if case .link(.received(let oldest, _)) = frame.message {
            expect(oldest == owed.map(\.sequence).min() ?? .zero, "the oldest is not \(oldest)")
            return
        }
        guard case .handled(let receipt) = frame.message else {
            expect(frame.message == .hello, "\(frame.message.kind) to input-kit")
            return
        }
        guard let place = owed.firstIndex(where: { $0.sequence == receipt.frame }) else {
            broken("a receipt for \(receipt.frame), which was not sent or is answered")
        }
        expect(frame.ledger[.device] == owed[place].device, "the receipt of \(receipt.frame) is another scan's")
        owed.remove(at: place)
    }
}
