// StreamFault.swift: the protocol violations that one frame of a link can show.
//
// Output    StreamVerifier returns them; hosts and the audit print them
// Knows     numbers and phases. No cores.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 3, I3, I6 and I7

public import Basics
public import HID
public import Wire

/// A frame that no correct end of a link sends. At fault: the sender of the frame.
public enum StreamFault: Error, Hashable, Sendable {
    case forbidden(MessageKind)
    case beforeHello(MessageKind)
    case sequence(SequenceNumber, expected: SequenceNumber)
    case generation(UInt32, expected: UInt32)
    case epoch(UInt32, expected: UInt32)
    /// A server answered an older hello than the one that opened its link.
    case answeredOldHello(SequenceNumber, newest: SequenceNumber)
    /// The frame acknowledges a frame that was never sent.
    case acknowledged(SequenceNumber, sent: SequenceNumber)
    /// A move or touch frame exceeds the credit window.
    case beyondCredit(unanswered: Int, credit: Int)
    /// A stamp of the ledger is earlier than the stamp before it.
    case ledger(hop: Ledger.Hop, Instant, before: Instant)
    /// The ledger's device stamp differs from the event's time.
    case deviceStamp(Instant, event: Instant)

    case deviceTime(sender: UInt64, Instant, before: Instant)
    case deviceGeneration(sender: UInt64, UInt32, newest: UInt32)
    case finger(sender: UInt64, index: UInt32, PhaseFault)
    case touch(TouchID, PhaseFault)
    /// An input of a device, from input-kit.
    case deviceInput(DeviceInput<DigitizerSpace>, PhaseFault)
    /// An input of an app, from the server.
    case input(DeviceInput<SceneSpace>, PhaseFault)

    case receiptForUnreceived(frame: SequenceNumber, received: SequenceNumber)
    case receiptTwice(frame: SequenceNumber)
    case receiptReason(Receipt.Outcome, Receipt.Reason)

    /// What is wrong with the phase of a finger, a touch or an input.
    public enum PhaseFault: UInt8, Hashable, Sendable, CaseIterable {
        case beganTwice, neverBegan, listedTwice, notListed, numberUsedBefore, impossible
    }

    /// Whether the frame's numbers belong to an older process, epoch or hello.
    public var hasOutdatedNumbers: Bool {
        switch self {
        case .generation, .epoch, .answeredOldHello: true
        default: false
        }
    }

    /// Whether the frame exceeds the credit window.
    public var exceedsCredit: Bool { if case .beyondCredit = self { true } else { false } }
}

extension StreamFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .forbidden(let kind): "\(kind) does not belong on this link"
        case .beforeHello(let kind): "\(kind) before its hello"
        case .sequence(let found, let expected): "frame \(found), expected \(expected)"
        case .generation(let found, let expected): "generation \(found), expected \(expected)"
        case .epoch(let found, let expected): "epoch \(found), expected \(expected)"
        case .answeredOldHello(let found, let newest): "answers hello \(found) after hello \(newest)"
        case .acknowledged(let ack, let sent): "acknowledges frame \(ack) of \(sent) sent"
        case .beyondCredit(let unanswered, let credit): "a move with \(unanswered) unanswered, credit \(credit)"
        case .ledger(let hop, let found, let before): "ledger: \(hop) at \(found), after a stamp of \(before)"
        case .deviceStamp(let stamp, let event): "ledger: device at \(stamp), the event at \(event)"
        case .deviceTime(let sender, let found, let before): "device \(sender): time \(found) after \(before)"
        case .deviceGeneration(let sender, let found, let newest):
            "device \(sender): generation \(found) after \(newest)"
        case .finger(let sender, let index, let wrong): "device \(sender), finger \(index): \(wrong)"
        case .touch(let touch, let wrong): "\(touch): \(wrong)"
        case .deviceInput(let input, let wrong): "\(input): \(wrong)"
        case .input(let input, let wrong): "\(input): \(wrong)"
        case .receiptForUnreceived(let frame, let heard): "receipt for frame \(frame), heard up to \(heard)"
        case .receiptTwice(let frame): "receipt for frame \(frame), which is not asked for, or not any more"
        case .receiptReason(let outcome, let reason): "receipt \(outcome) with reason \(reason)"
        }
    }
}

extension StreamFault.PhaseFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .beganTwice: "began, though it is down"
        case .neverBegan: "goes on or ends, though it is not down"
        case .listedTwice: "listed twice in one frame"
        case .notListed: "down, and not listed"
        case .numberUsedBefore: "began under a number that was used before"
        case .impossible: "nothing a device can mean"
        }
    }
}
