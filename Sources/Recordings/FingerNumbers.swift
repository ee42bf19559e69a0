// FingerNumbers.swift: small numbers for the fingers of a recording that is being written.
//
// A slot of evdev's, a contact identifier of HID's, a script's f1, a source of Actions. A finger keeps its number while
// it is down. A landing one gets the lowest that neither a finger that is down has nor one that left in this frame, so
// that no number means two fingers in one frame, unless the format has no further numbers.
//
// Station   device
// Fed by    the writers, with every frame
// Feeds     the writers
// Knows     contacts and positions. No format.
//
// Sources   invented  what breaks the rules of contacts is repaired as ContactLife repairs it

public import HID

struct FingerNumbers: Sendable {
    enum Change: Sendable { case land, move, rest, lift, cancel }

    struct Step: Sendable {
        var number: Int
        var change: Change
        /// As the frame has it; of who leaves, where it was last.
        var contact: DeviceContact
        /// Counted over the whole recording, from 0.
        var landing: Int
    }

    private struct Finger {
        var id: Int64
        var number: Int
        var x, y: Int32
        var landing: Int
        var isMentioned = false
    }

    private let limit: Int
    private let holdsCancelled: Bool
    /// Of those cancelled in the frame before.
    private var held: [Int] = []
    private var fingers: [Finger] = []
    private var landings = 0
    private var freed: [Int] = []

    /// - Parameters:
    ///   - limit: How many numbers there are. Beyond them a number is used twice in a frame; when all of them are down,
    ///     it is exceeded.
    ///   - holdsCancelled: Whether a cancelled finger's number is still its own in the frame after.
    init(limit: Int = .max, holdsCancelled: Bool = false) {
        (self.limit, self.holdsCancelled) = (limit, holdsCancelled)
    }

    var down: Int { fingers.count }

    /// The frame's contacts in its order; a contact mentioned twice counts once, unless it left in between.
    mutating func take(_ frame: ContactFrame) -> [Step] {
        freed.removeAll(keepingCapacity: true)
        swap(&freed, &held)
        for index in fingers.indices { fingers[index].isMentioned = false }
        var steps: [Step] = []
        steps.reserveCapacity(frame.contacts.count)
        for contact in frame.contacts {
            let known = fingers.firstIndex { $0.id == contact.id }
            switch (contact.phase, known) {
            case (.began, nil), (.moved, nil), (.stationary, nil):
                let finger = Finger(
                    id: contact.id, number: freeNumber(), x: contact.x, y: contact.y, landing: landings,
                    isMentioned: true)
                landings += 1
                fingers.append(finger)
                steps.append(
                    Step(number: finger.number, change: .land, contact: contact, landing: finger.landing))
            case (.began, let index?), (.moved, let index?), (.stationary, let index?):
                guard !fingers[index].isMentioned else { continue }
                let isMove =
                    contact.phase == .moved || fingers[index].x != contact.x || fingers[index].y != contact.y
                (fingers[index].x, fingers[index].y, fingers[index].isMentioned) = (contact.x, contact.y, true)
                steps.append(
                    Step(
                        number: fingers[index].number, change: isMove ? .move : .rest, contact: contact,
                        landing: fingers[index].landing))
            case (.ended, let index?), (.cancelled, let index?):
                let finger = fingers.remove(at: index)
                freed.append(finger.number)
                if contact.phase == .cancelled, holdsCancelled { held.append(finger.number) }
                var last = contact
                (last.x, last.y) = (finger.x, finger.y)
                steps.append(
                    Step(
                        number: finger.number, change: contact.phase == .ended ? .lift : .cancel, contact: last,
                        landing: finger.landing))
            case (.ended, nil), (.cancelled, nil): continue
            }
        }
        return steps
    }

    private func freeNumber() -> Int {
        func isDown(_ number: Int) -> Bool { fingers.contains { $0.number == number } }
        var number = 0
        while isDown(number) || freed.contains(number) { number += 1 }
        guard number >= limit else { return number }
        number = 0
        while isDown(number) { number += 1 }
        return number
    }
}

/// How many contacts a heading must make room for, found by whoever can read the recording ahead of writing it.
public struct RecordingRoom: Sendable {
    public private(set) var contactsAtOnce = 0
    private var numbers = FingerNumbers(holdsCancelled: true)

    public init() {}

    public mutating func count(_ frame: ContactFrame) {
        for step in numbers.take(frame) { contactsAtOnce = max(contactsAtOnce, step.number + 1) }
    }
}
