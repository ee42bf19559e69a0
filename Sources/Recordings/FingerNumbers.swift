// FingerNumbers.swift: assigns small numbers to the contacts of a recording that is being written.
//
// The number is an evdev slot, a HID contact identifier, a script's f1, or a source of Actions. A contact keeps its
// number while it is down. A new contact gets the lowest number of no contact that is down or ended in this frame. So
// no number means two contacts in one frame, unless the format has no further numbers.
//
// Station   device
// Input     the writers, with every frame
// Output    the writers
// Knows     contacts and positions. No format.
//
// Sources   invented  violations of the rules of contacts are repaired as in ContactMachine

public import HID

/// The numbers of the contacts that are down.
struct FingerNumbers: Sendable {
    /// The change of a contact in a frame.
    enum Change: Sendable { case land, move, rest, lift, cancel }

    /// One contact of a frame, with its number.
    struct Step: Sendable {
        var number: Int
        var change: Change
        /// The frame's contact; for a contact that ends, at its last position.
        var contact: DeviceContact
        /// The count of the touch-down in the whole recording, from 0.
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
    /// The numbers of contacts that were cancelled in the previous frame.
    private var heldNumbers: [Int] = []
    private var fingers: [Finger] = []
    private var landingCount = 0
    private var freedNumbers: [Int] = []

    /// - Parameters:
    ///   - limit: The number of numbers. Beyond it a number is used twice in a frame; with all of them down, it is
    ///     exceeded.
    ///   - holdsCancelled: Whether a cancelled contact keeps its number in the next frame.
    init(limit: Int = .max, holdsCancelled: Bool = false) {
        (self.limit, self.holdsCancelled) = (limit, holdsCancelled)
    }

    var down: Int { fingers.count }

    /// The changes of a frame, in its order. A contact that occurs twice counts once, unless it ended in between.
    mutating func update(with frame: ContactFrame) -> [Step] {
        freedNumbers.removeAll(keepingCapacity: true)
        swap(&freedNumbers, &heldNumbers)
        for index in fingers.indices { fingers[index].isMentioned = false }
        var steps: [Step] = []
        steps.reserveCapacity(frame.contacts.count)
        for contact in frame.contacts {
            let knownIndex = fingers.firstIndex { $0.id == contact.id }
            switch (contact.phase, knownIndex) {
            case (.began, nil), (.moved, nil), (.stationary, nil):
                let finger = Finger(
                    id: contact.id, number: freeNumber(), x: contact.x, y: contact.y, landing: landingCount,
                    isMentioned: true)
                landingCount += 1
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
                freedNumbers.append(finger.number)
                if contact.phase == .cancelled, holdsCancelled { heldNumbers.append(finger.number) }
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
        while isDown(number) || freedNumbers.contains(number) { number += 1 }
        guard number >= limit else { return number }
        number = 0
        while isDown(number) { number += 1 }
        return number
    }
}

/// Counts the contacts that a heading must make room for, in a pass over the recording before it is written.
public struct RecordingCapacity: Sendable {
    public private(set) var contactsAtOnce = 0
    private var numbers = FingerNumbers(holdsCancelled: true)

    public init() {}

    /// Counts the contacts of a frame.
    public mutating func count(_ frame: ContactFrame) {
        for step in numbers.update(with: frame) { contactsAtOnce = max(contactsAtOnce, step.number + 1) }
    }
}
