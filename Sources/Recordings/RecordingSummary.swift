// RecordingSummary.swift: counts the content of a recording, frame by frame.
//
// Input     RecordingReader's frames
// Output    `touchline replay`, tests against independent decoders

public import HID

/// Counts of frames and contacts.
public struct RecordingSummary: Hashable, Sendable {
    /// One contact from its beginning to its end.
    public struct Contact: Hashable, Sendable {
        /// The order of touch-down, from 0.
        public var order: Int
        /// In logical device units.
        public var first, last: DevicePosition
        /// The frames in which x or y changed after the first.
        public var moved = 0
        /// Nil while it is down.
        public var terminal: DeviceContact.Phase?
    }

    /// A position in logical device units.
    public struct DevicePosition: Hashable, Sendable {
        public var x, y: Int32
        public init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }
    }

    /// The scans of the device, including empty ones.
    public private(set) var frames = 0
    /// The number of contacts that began, of moves, and of contacts that ended or were cancelled.
    public private(set) var began = 0
    public private(set) var moved = 0
    public private(set) var ended = 0
    public private(set) var cancelled = 0
    /// The number of contacts that are down at the end of the file. They are also in `cancelled`.
    public private(set) var openAtEnd = 0
    public private(set) var maxConcurrent = 0
    /// The number of scans, by the number of contacts that are down.
    public private(set) var contactsPerFrame = [Int](repeating: 0, count: HIDEvent.fingerLimit + 1)
    /// In order of touch-down, if `keepsContacts` is set.
    public private(set) var contacts: [Contact] = []

    private let keepsContacts: Bool
    private var liveContacts: [Live] = []

    private struct Live: Hashable {
        var id: Int64
        var order: Int
    }

    /// - Parameter keepsContacts: Whether to keep every contact, which costs memory.
    public init(keepsContacts: Bool = false) { self.keepsContacts = keepsContacts }

    /// Counts a scan of the recording.
    public mutating func count(_ frame: ContactFrame) {
        frames += 1
        countContacts(of: frame)
        let down = frame.contacts.count { $0.phase != .ended && $0.phase != .cancelled }
        maxConcurrent = max(maxConcurrent, down)
        contactsPerFrame[min(down, HIDEvent.fingerLimit)] += 1
    }

    /// Counts the frame of the file's end (`RecordingReader.finish`), which is no scan of the device.
    public mutating func count(closing frame: ContactFrame) {
        openAtEnd += frame.contacts.count { $0.phase == .cancelled }
        countContacts(of: frame)
    }

    private mutating func countContacts(of frame: ContactFrame) {
        for contact in frame.contacts {
            let position = DevicePosition(x: contact.x, y: contact.y)
            let index = liveContacts.firstIndex { $0.id == contact.id }
            switch contact.phase {
            case .began:
                if keepsContacts { contacts.append(Contact(order: began, first: position, last: position)) }
                liveContacts.append(Live(id: contact.id, order: began))
                began += 1
            case .moved:
                moved += 1
                guard keepsContacts, let index else { continue }
                contacts[liveContacts[index].order].moved += 1
                contacts[liveContacts[index].order].last = position
            case .stationary: continue
            case .ended, .cancelled:
                if contact.phase == .ended { ended += 1 } else { cancelled += 1 }
                guard let index else { continue }
                if keepsContacts { contacts[liveContacts[index].order].terminal = contact.phase }
                liveContacts.remove(at: index)
            }
        }
    }
}
