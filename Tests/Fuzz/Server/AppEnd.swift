// AppEnd.swift: one app's end of its link to the server, and what every frame that it is sent must be.
//
// Fed by    ServerStage: frames to the app, and what the app answers
// Knows     its own link and touches. Which touches exist at all, TouchNumbers knows.

import FuzzDriver
import FuzzHost
import HID
import Links
import Wire

/// One app's end of its link.
struct AppEnd {
    var conversation: LinkNumbers
    /// How many questions it has room for.
    let room: Int
    var isOpen = false
    /// What it was sent and has not answered.
    var asked: [(frame: Frame, receipt: Receipt)] = []
    var live: [UInt32] = []
    var held = Stretches()
    /// Questions about the link that wait for a word.
    var probes = 0
    /// Frames that it says it has not heard.
    var missed: UInt64 = 0
    /// The URL that it was told of last on this link, and that it has to answer.
    var url: UInt32?
    var isURLDue = false

    init(_ conversation: LinkNumbers, room: Int) { (self.conversation, self.room) = (conversation, room) }

    var credit: UInt32 { UInt32(max(0, room - asked.count)) }

    mutating func ask(_ frame: Frame, _ receipt: Receipt) {
        asked.append((frame, receipt))
        // Without any room it is asked one at a time.
        expect(asked.count <= max(1, room), "\(asked.count) questions, and room for \(room)")
    }

    /// - Returns: What the frame's receipt says.
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
    /// Touches that monitors have.
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
