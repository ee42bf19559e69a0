// Audit+Told.swift: the comparison of sent touches and receipts with those that are due.
//
//    frames due to an app (Dues) ─▶ the sent frame: touches, phase, position, gate
//    receipt due to a scan (Tally) ─▶ the sent receipt
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

    /// Compares a sent frame of touches with the first due frame.
    mutating func compare(_ touches: TouchFrame, _ frame: Frame, _ place: Int, _ step: Step) {
        let peer = Peer.app(apps[place].app)
        while let first = apps[place].dues.waiting.first, isStale(first.frame, place, at: step.at),
            !tells(touches, of: frame.ledger[.device], first)
        {
            dropStale(place)
        }
        guard let due = apps[place].dues.first else {
            apps[place].questions.append(frame.sequence, scan: .zero)
            guard let contact = touches.contacts.first else { return }
            if contact.phase == .cancelled {
                note(.explainability, "\(contact.touch) is cancelled, and nothing in the step says why", step)
            } else {
                note(
                    .conservation,
                    "\(peer) is told that \(contact.touch) \(contact.phase), and no finger and no act is behind it",
                    step)
            }
            return
        }
        apps[place].questions.append(frame.sequence, scan: due.scan)
        if frame.ledger[.device] != due.stamp {
            note(
                .conservation,
                "\(peer) is told \(touches.contacts.count) touches of a scan of \(stampText(frame.ledger[.device])), "
                    + "expected those of \(stampText(due.stamp))", step)
        }
        let contacts = apps[place].dues.firstContacts
        if touches.contacts.count != due.count {
            note(
                .conservation,
                "\(peer) is told of \(touches.contacts.count) fingers, expected \(due.count) of scan #\(due.scan)",
                step)
        }
        var begun = contacts.lowerBound
        for contact in touches.contacts {
            if contact.phase == .began {
                while begun < contacts.upperBound, apps[place].dues[begun].phase != .began { begun += 1 }
                if begun < contacts.upperBound {
                    bind(apps[place].dues[begun], to: contact, in: frame.sequence, place, step)
                    begun += 1
                    continue
                }
            }
            guard let found = contacts.first(where: { apps[place].dues[$0].touch == contact.touch }) else {
                note(
                    .conservation,
                    "\(peer) is told that \(contact.touch) \(contact.phase), and has no such finger",
                    step)
                continue
            }
            expect(contact, due.shown(apps[place].dues[found]), peer, step)
        }
        if let shown = due.shown, shown.at != touches.timeStamp {
            note(
                .conservation,
                "\(peer) is told where its fingers were at \(touches.timeStamp), expected \(shown.at)", step)
        }
        judgeHistory(touches, due, peer, step)
        apps[place].dues.removeFirst()
    }

    /// Records the touch number that a landing received.
    private mutating func bind(
        _ due: Due, to contact: TouchContact, in frame: SequenceNumber, _ place: Int, _ step: Step
    ) {
        for finger in glass.fingers.indices where glass.fingers[finger].landing == due.landing {
            (glass.fingers[finger].touch, glass.fingers[finger].toldIn) = (contact.touch, frame)
            glass.fingers[finger].swipe?.question = frame
        }
        apps[place].dues.bind(due.landing, to: contact.touch)
        expect(contact, due, .app(apps[place].app), step)
        let itself = Peer.app(apps[place].app)
        let asItStarts = Ground(
            frame: front.home(of: apps[place].app),
            orientation: options.orientations.initial(of: apps[place].app))
        let told = apps[place].scene.told ?? asItStarts
        if options.screen != nil, due.space != told {
            note(
                .conservation,
                "\(contact.touch) lands in a scene that is \(due.space), and \(itself) was last told that it is \(told)",
                step)
        }
        for other in apps.indices where other != place && apps[other].touches.told.contains(contact.touch) {
            let (its, and) = (Peer.app(apps[other].app), Peer.app(apps[place].app))
            note(.oneTerminal, "\(contact.touch) is \(its)'s and \(and)'s", step)
        }
    }

    private mutating func expect(_ contact: TouchContact, _ due: Due, _ peer: Peer, _ step: Step) {
        if contact.phase != due.phase {
            note(
                contact.phase == .cancelled ? .explainability : .oneTerminal,
                "\(peer) is told that \(contact.touch) \(contact.phase), and finger \(due.index) of device "
                    + "\(due.device) \(due.phase)", step)
        }
        if contact.isGated != due.isGated, options.screen != nil {
            note(
                .explainability,
                "\(peer) is told that \(contact.touch) \(contact.isGated ? "may" : "may not") be taken by the system, "
                    + "and finger \(due.index) of device \(due.device) \(due.isGated ? "may" : "may not")", step)
        }
        guard options.screen != nil, contact.position != due.position else { return }
        let (told, expected) = (contact.position, due.position)
        note(
            .conservation,
            "\(peer) is told that \(contact.touch) is at \(told.x.double),\(told.y.double), and finger "
                + "\(due.index) of device \(due.device) is at \(expected.x.double),\(expected.y.double)", step)
    }

    /// Returns the cause of a touch's end, if the first due frame cancels it.
    func cause(of touch: TouchID, _ place: Int) -> EndCause? {
        for contact in apps[place].dues.firstContacts where apps[place].dues[contact].touch == touch {
            let due = apps[place].dues[contact]
            return due.phase == .cancelled ? due.cause : nil
        }
        return nil
    }

    /// Judges the due frames after the step. A frame for which there was credit was forgotten; the others wait.
    mutating func expectTold(_ step: Step) {
        guard owes else { return }
        owes = false
        for place in apps.indices {
            while let due = apps[place].dues.first {
                guard apps[place].isHeldByServer, hasRoom(place) else {
                    if apps[place].isHeldByServer { owes = true } else { apps[place].dues.removeAll() }
                    break
                }
                if isStale(due, place, at: step.at) {
                    dropStale(place)
                } else {
                    forgotten(due, place, step)
                    apps[place].dues.removeFirst()
                }
            }
        }
    }

    private mutating func forgotten(_ frame: Dues.Frame, _ place: Int, _ step: Step) {
        let contacts = apps[place].dues.firstContacts
        let (peer, index) = (Peer.app(apps[place].app), contacts.lowerBound)
        let due = contacts.map { apps[place].dues[$0] }.first { $0.phase != .stationary } ?? apps[place].dues[index]
        let isEnd = due.phase == .ended || due.phase == .cancelled
        note(
            isEnd ? .oneTerminal : .conservation,
            "finger \(due.index) of device \(due.device) \(due.phase), and \(peer), whose it is, was not told", step)
        for contact in contacts where apps[place].dues[contact].phase == .began {
            let landing = apps[place].dues[contact].landing
            for finger in glass.fingers.indices where glass.fingers[finger].landing == landing {
                glass.fingers[finger].owner = .nobody
            }
        }
    }

    // MARK: Receipts sent to input-kit

    /// Compares the receipt of a scan with the answers of its recipients.
    mutating func compare(_ receipt: Receipt, _ entry: Tally.Entry, _ step: Step) {
        switch entry.state {
        case .held:
            guard entry.isExpected else { return }
            if entry.parts > 0 {
                note(
                    .conservation,
                    "scan #\(receipt.frame) is answered, and \(entry.parts) of those it went to have not answered", step
                )
            } else if receipt != entry.answer {
                note(
                    .conservation,
                    "the receipt for scan #\(receipt.frame) says \(receipt.words), expected \(entry.answer.words)", step
                )
            }
        case .underWay, .lost:
            guard receipt.reason != .lostOnLink else { return }
            note(.conservation, "scan #\(receipt.frame) is answered, \(receipt.words), and never arrived", step)
        case .none, .late, .over: return
        }
    }
}

private func stampText(_ stamp: Instant?) -> String { stamp.map { "device time \($0)" } ?? "no scan" }

extension Receipt {
    /// `delivered, 1 began, 2 moved`, for a person.
    fileprivate var words: String {
        var text = "\(outcome)"
        if outcome == .dropped { text += " (\(reason))" }
        let counts = [
            (began, "began"), (moved, "moved"), (stationary, "stationary"), (ended, "ended"), (cancelled, "cancelled"),
            (takenByMonitor, "taken by monitors"), (takenBySystem, "taken by the system"),
        ]
        for (count, word) in counts where count > 0 { text += ", \(count) \(word)" }
        return text
    }

    /// Adds the answer of another recipient. A recipient that received the touches decides the outcome; otherwise the
    /// first reason stays.
    mutating func join(_ other: Receipt) {
        began &+= other.began
        moved &+= other.moved
        stationary &+= other.stationary
        ended &+= other.ended
        cancelled &+= other.cancelled
        if other.outcome.rawValue < outcome.rawValue { outcome = other.outcome }
        reason = outcome != .dropped ? .none : reason == .none ? other.reason : reason
    }
}
