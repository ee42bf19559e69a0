// RecordingSummary.swift: what a recording holds, counted as its frames go by.
//
// Fed by    RecordingReader's frames
// Feeds     `touchline replay`, tests against independent decoders

public import HID

public struct RecordingSummary: Hashable, Sendable {
    /// One finger's whole stay.
    public struct Contact: Hashable, Sendable {
        /// Of landing, from 0.
        public var order: Int
        /// Logical device units.
        public var first, last: DevicePosition
        /// Frames in which x or y changed after the first.
        public var moved = 0
        /// Nil while it is down.
        public var terminal: DeviceContact.Phase?
    }

    public struct DevicePosition: Hashable, Sendable {
        public var x, y: Int32
        public init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }
    }

    /// Scans of the device, those without fingers included.
    public private(set) var frames = 0
    /// How many contacts began, frames in which one moved, and how many ended or were cancelled.
    public private(set) var began = 0
    public private(set) var moved = 0
    public private(set) var ended = 0
    public private(set) var cancelled = 0
    /// Contacts the end of the file found down. They are among those cancelled.
    public private(set) var openAtEnd = 0
    public private(set) var maxConcurrent = 0
    /// Index: contacts down in a scan. Value: scans.
    public private(set) var contactsPerFrame = [Int](repeating: 0, count: HIDEvent.fingerLimit + 1)
    /// By order of landing, if asked for.
    public private(set) var contacts: [Contact] = []

    private let keepsContacts: Bool
    private var live: [Live] = []

    private struct Live: Hashable {
        var id: Int64
        var order: Int
    }

    /// - Parameter keepsContacts: Costs memory for every finger that ever lands.
    public init(keepsContacts: Bool = false) { self.keepsContacts = keepsContacts }

    /// A scan the recording holds.
    public mutating func count(_ frame: ContactFrame) {
        frames += 1
        follow(frame)
        let down = frame.contacts.count { $0.phase != .ended && $0.phase != .cancelled }
        maxConcurrent = max(maxConcurrent, down)
        contactsPerFrame[min(down, HIDEvent.fingerLimit)] += 1
    }

    /// The frame the end of the file made (`RecordingReader.finish`), which is no scan of the device's.
    public mutating func count(closing frame: ContactFrame) {
        openAtEnd += frame.contacts.count { $0.phase == .cancelled }
        follow(frame)
    }

    private mutating func follow(_ frame: ContactFrame) {
        for contact in frame.contacts {
            let position = DevicePosition(x: contact.x, y: contact.y)
            let index = live.firstIndex { $0.id == contact.id }
            switch contact.phase {
            case .began:
                if keepsContacts { contacts.append(Contact(order: began, first: position, last: position)) }
                live.append(Live(id: contact.id, order: began))
                began += 1
            case .moved:
                moved += 1
                guard keepsContacts, let index else { continue }
                contacts[live[index].order].moved += 1
                contacts[live[index].order].last = position
            case .stationary: continue
            case .ended, .cancelled:
                if contact.phase == .ended { ended += 1 } else { cancelled += 1 }
                guard let index else { continue }
                if keepsContacts { contacts[live[index].order].terminal = contact.phase }
                live.remove(at: index)
            }
        }
    }
}
