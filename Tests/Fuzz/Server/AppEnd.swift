// AppEnd.swift: one app's end of its link to the server, and the laws of every frame that it receives.
//
// Input     ServerStage: frames to the app, and the app's answers
// Knows     its own link and touches. `TouchNumbers` knows which touches exist.

import FuzzDriver
import FuzzHost
import HID
import Links
import Wire

/// One app's end of its link.
struct AppEnd {
    var conversation: LinkNumbers
    /// The number of scans in open frames that it accepts. A frame without scans counts as one.
    let room: Int
    var isOpen = false
    /// The frames that it has received and not answered.
    var asked: [(frame: Frame, receipt: Receipt)] = []
    var live: [UInt32] = []
    var held = Stretches()
    /// The number of probes without an answer.
    var probes = 0
    /// The number of frames that it reports as missed.
    var missed: UInt64 = 0
    /// The last URL that it received on this link and has to answer.
    var url: UInt32?
    var isURLDue = false

    init(_ conversation: LinkNumbers, room: Int) { (self.conversation, self.room) = (conversation, room) }

    private var askedScans: Int { asked.reduce(0) { $0 + $1.frame.message.scanCount } }

    var credit: UInt32 { UInt32(max(0, room - askedScans)) }

    mutating func ask(_ frame: Frame, _ receipt: Receipt) {
        asked.append((frame, receipt))
        // An app without credit receives one frame at a time.
        expect(askedScans <= max(1, room), "\(askedScans) scans in questions, and room for \(room)")
    }

    /// - Returns: The receipt of the frame.
    mutating func follow(
        _ several: TouchList, as frame: SequenceNumber, of numbers: inout TouchNumbers
    ) -> Receipt {
        var sum = Receipt(frame: frame, outcome: .delivered)
        sum.coalesced = 0
        for touches in several {
            let receipt = follow(touches, as: frame, of: &numbers)
            expect(receipt.began == 0 && receipt.ended == 0 && receipt.cancelled == 0, "an edge among several scans")
            sum.moved += receipt.moved
            sum.stationary += receipt.stationary
        }
        return sum
    }

    /// - Returns: The receipt of the frame.
    mutating func follow(
        _ touches: TouchFrame, as frame: SequenceNumber, of numbers: inout TouchNumbers
    ) -> Receipt {
        var receipt = Receipt(frame: frame, outcome: .delivered)
        for (place, contact) in touches.contacts.enumerated() {
            let touch = contact.touch.rawValue
            expect(
                !touches.contacts[..<place].contains { $0.touch == contact.touch },
                "\(contact.touch) twice in one frame")
            let known = live.firstIndex(of: touch)
            expect(
                (known == nil) == (contact.phase == .began), "\(contact.touch): \(contact.phase), out of turn")
            switch contact.phase {
            case .began:
                numbers.begin(contact.touch)
                live.append(touch)
                receipt.began += 1
            case .moved: receipt.moved += 1
            case .stationary: receipt.stationary += 1
            case .ended:
                expect(!numbers.isTaken(contact.touch), "\(contact.touch) is a monitor's, and ended here")
                receipt.ended += 1
            case .cancelled: receipt.cancelled += 1
            }
            if let known, contact.phase == .ended || contact.phase == .cancelled { live.remove(at: known) }
        }
        return receipt
    }
}

/// The touches of a whole run.
struct TouchNumbers {
    /// No touch number is used twice.
    private(set) var begun: [TouchID] = []
    /// The touches that monitors have taken.
    private var taken: [TouchID] = []

    func isTaken(_ touch: TouchID) -> Bool { taken.contains(touch) }

    mutating func begin(_ touch: TouchID) {
        expect(!begun.contains(touch), "\(touch) began before")
        begun.append(touch)
    }

    mutating func take(_ touch: TouchID) {
        expect(!isTaken(touch), "\(touch) is taken twice")
        taken.append(touch)
    }
}
