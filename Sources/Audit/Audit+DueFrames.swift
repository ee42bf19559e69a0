// Audit+DueFrames.swift: the comparison of sent touches and receipts with those that are due.
//
//    frames due to an app (DueFrames) ─▶ the sent frame: touches, phase, position, gate
//    receipt due to a scan (FrameTally) ─▶ the sent receipt
//
// Input     Audit+Server, for each frame that the server sends
// Output    violations
//
// A frame is due in its step, or once its app has credit (Audit+Flow.swift). No other frame may be sent.
//
// Sources   Docs/Spec/Pipeline.md section 3: I1, I4, I8

import Basics
import HID
import Hosting
import Settings
import Wire

extension Audit {
    // MARK: Touches sent to apps

    /// Compares touches that were sent with the first due frame.
    ///
    /// - Parameter isFirst: False for touches behind others in their frame, which has one receipt for all of them.
    mutating func compare(
        _ touches: TouchFrame, _ frame: Frame, isFirst: Bool = true, _ appIndex: Int, _ step: Step
    ) {
        let peer = Peer.app(apps[appIndex].app)
        while let first = apps[appIndex].dues.waiting.first, isStale(first.frame, appIndex, at: step.at),
            !matches(touches, of: frame.ledger[.device], first)
        {
            dropStale(appIndex)
        }
        guard let due = apps[appIndex].dues.first else {
            apps[appIndex].questions.append(frame.sequence, scan: .zero)
            guard let contact = touches.contacts.first else { return }
            if contact.phase == .cancelled {
                note(.explainability, "\(contact.touch) is cancelled without a reason in the step", step)
            } else {
                note(
                    .conservation,
                    "\(peer) received \(contact.touch) \(contact.phase) without a contact or an act as the cause",
                    step)
            }
            return
        }
        if isFirst {
            apps[appIndex].questions.append(frame.sequence, scan: due.scan)
        } else {
            settle(due.scan, Receipt(frame: .zero, outcome: .dropped))
        }
        if frame.ledger[.device] != due.stamp {
            note(
                .conservation,
                "\(peer) received \(touches.contacts.count) touches of a scan of \(stampText(frame.ledger[.device])), "
                    + "expected those of \(stampText(due.stamp))", step)
        }
        let contacts = apps[appIndex].dues.firstContacts
        if touches.contacts.count != due.count {
            note(
                .conservation,
                "\(peer) received \(touches.contacts.count) contacts, expected \(due.count) of scan #\(due.scan)",
                step)
        }
        var begun = contacts.lowerBound
        for contact in touches.contacts {
            if contact.phase == .began {
                while begun < contacts.upperBound, apps[appIndex].dues[begun].phase != .began { begun += 1 }
                if begun < contacts.upperBound {
                    bind(apps[appIndex].dues[begun], to: contact, in: frame.sequence, appIndex, step)
                    begun += 1
                    continue
                }
            }
            guard let found = contacts.first(where: { apps[appIndex].dues[$0].touch == contact.touch }) else {
                note(
                    .conservation,
                    "\(peer) received \(contact.touch) \(contact.phase), and has no such touch",
                    step)
                continue
            }
            expect(contact, due.resampled(apps[appIndex].dues[found]), peer, step)
        }
        if let shown = due.shown, shown.at != touches.timeStamp {
            note(
                .conservation,
                "\(peer) received positions of \(touches.timeStamp), expected those of \(shown.at)", step)
        }
        judgeHistory(touches, due, peer, step)
        apps[appIndex].dues.removeFirst()
    }

    /// Records the touch number that a landing received.
    private mutating func bind(
        _ due: DueContact, to contact: TouchContact, in frame: SequenceNumber, _ appIndex: Int, _ step: Step
    ) {
        for finger in glass.fingers.indices where glass.fingers[finger].landing == due.landing {
            (glass.fingers[finger].touch, glass.fingers[finger].landingFrame) = (contact.touch, frame)
            glass.fingers[finger].swipe?.question = frame
        }
        apps[appIndex].dues.bind(due.landing, to: contact.touch)
        expect(contact, due, .app(apps[appIndex].app), step)
        let itself = Peer.app(apps[appIndex].app)
        let asItStarts = OrientedFrame(
            frame: front.displayFrame(of: apps[appIndex].app),
            orientation: options.orientations.initial(of: apps[appIndex].app))
        let told = apps[appIndex].scene.sent ?? asItStarts
        if options.screen != nil, due.space != told {
            note(
                .conservation,
                "\(contact.touch) lands in a scene that is \(due.space), and the scene last sent to \(itself) is \(told)",
                step)
        }
        for other in apps.indices where other != appIndex && apps[other].touches.sent.contains(contact.touch) {
            let (its, and) = (Peer.app(apps[other].app), Peer.app(apps[appIndex].app))
            note(.oneTerminal, "\(contact.touch) is \(its)'s and \(and)'s", step)
        }
    }

    private mutating func expect(_ contact: TouchContact, _ due: DueContact, _ peer: Peer, _ step: Step) {
        if contact.phase != due.phase {
            note(
                contact.phase == .cancelled ? .explainability : .oneTerminal,
                "\(peer) received \(contact.touch) \(contact.phase), expected contact \(due.index) of device "
                    + "\(due.device) \(due.phase)", step)
        }
        if contact.isGated != due.isGated, options.screen != nil {
            note(
                .explainability,
                "\(peer) received \(contact.touch) \(contact.isGated ? "gated" : "not gated"), "
                    + "expected contact \(due.index) of device \(due.device) \(due.isGated ? "gated" : "not gated")",
                step)
        }
        guard options.screen != nil, contact.position != due.position else { return }
        let (told, expected) = (contact.position, due.position)
        note(
            .conservation,
            "\(peer) received \(contact.touch) at \(told.x.double),\(told.y.double), expected contact "
                + "\(due.index) of device \(due.device) at \(expected.x.double),\(expected.y.double)", step)
    }

    /// Returns the cause of a touch's end, if the first due frame cancels it.
    func cause(of touch: TouchID, _ appIndex: Int) -> EndCause? {
        for contact in apps[appIndex].dues.firstContacts where apps[appIndex].dues[contact].touch == touch {
            let due = apps[appIndex].dues[contact]
            return due.phase == .cancelled ? due.cause : nil
        }
        return nil
    }

    /// Judges the due frames after the step. A frame for which there was credit was forgotten; the others wait.
    mutating func expectDueFrames(_ step: Step) {
        guard hasDueFrames else { return }
        hasDueFrames = false
        for appIndex in apps.indices {
            while let due = apps[appIndex].dues.first {
                guard apps[appIndex].isLinkedToServer, hasCredit(appIndex) else {
                    if apps[appIndex].isLinkedToServer { hasDueFrames = true } else { apps[appIndex].dues.removeAll() }
                    break
                }
                if isStale(due, appIndex, at: step.at) {
                    dropStale(appIndex)
                } else {
                    noteForgotten(due, appIndex, step)
                    apps[appIndex].dues.removeFirst()
                }
            }
        }
    }

    private mutating func noteForgotten(_ frame: DueFrames.Frame, _ appIndex: Int, _ step: Step) {
        let contacts = apps[appIndex].dues.firstContacts
        let (peer, index) = (Peer.app(apps[appIndex].app), contacts.lowerBound)
        let due =
            contacts.map { apps[appIndex].dues[$0] }.first { $0.phase != .stationary } ?? apps[appIndex].dues[index]
        let isEnd = due.phase == .ended || due.phase == .cancelled
        note(
            isEnd ? .oneTerminal : .conservation,
            "contact \(due.index) of device \(due.device) \(due.phase), and its owner \(peer) did not receive it", step)
        for contact in contacts where apps[appIndex].dues[contact].phase == .began {
            let landing = apps[appIndex].dues[contact].landing
            for finger in glass.fingers.indices where glass.fingers[finger].landing == landing {
                glass.fingers[finger].owner = .ignored
            }
        }
    }

    // MARK: Receipts sent to input-kit

    /// Compares the receipt of a scan with the answers of its recipients.
    mutating func compare(_ receipt: Receipt, _ entry: FrameTally.Entry, _ step: Step) {
        switch entry.state {
        case .held:
            guard entry.isExpected else { return }
            if entry.outstandingRecipients > 0 {
                note(
                    .conservation,
                    "scan #\(receipt.frame) is answered, and \(entry.outstandingRecipients) of its recipients have not answered",
                    step
                )
            } else if receipt != entry.answer {
                note(
                    .conservation,
                    "the receipt for scan #\(receipt.frame) says \(receipt.countsText), expected \(entry.answer.countsText)",
                    step
                )
            }
        case .inTransit, .lost:
            guard receipt.reason != .lostOnLink else { return }
            note(.conservation, "scan #\(receipt.frame) is answered, \(receipt.countsText), and never arrived", step)
        case .none, .late, .over: return
        }
    }
}

private func stampText(_ stamp: Instant?) -> String { stamp.map { "device time \($0)" } ?? "no scan" }

extension Receipt {
    /// `delivered, 1 began, 2 moved`, for a person.
    fileprivate var countsText: String {
        var text = "\(outcome)"
        if outcome == .dropped { text += " (\(reason))" }
        let counts = [
            (began, "began"), (moved, "moved"), (stationary, "stationary"), (ended, "ended"), (cancelled, "cancelled"),
            (takenByMonitor, "taken by monitors"), (takenBySystem, "taken by the system"),
        ]
        for (count, word) in counts where count > 0 { text += ", \(count) \(word)" }
        if let coalesced { text += ", \(coalesced) merged" }
        return text
    }

    /// Adds the answer of another recipient. A recipient that received the touches decides the outcome; otherwise the
    /// first reason stays. A stale part gives way to another reason, because nothing shows when the server dropped it.
    mutating func join(_ other: Receipt) {
        began &+= other.began
        moved &+= other.moved
        stationary &+= other.stationary
        ended &+= other.ended
        cancelled &+= other.cancelled
        if let before = coalesced { coalesced = before &+ (other.coalesced ?? 0) }
        if other.outcome.rawValue < outcome.rawValue { outcome = other.outcome }
        if outcome != .dropped {
            reason = .none
        } else if reason == .none || reason == .stale && other.reason != .none {
            reason = other.reason
        }
    }
}

extension Message {
    /// The touches of a frame for an app; empty for another message.
    var touchFrames: [TouchFrame] {
        switch self {
        case .touches(let touches): [touches]
        case .severalTouches(let several): Array(several)
        default: []
        }
    }
}
