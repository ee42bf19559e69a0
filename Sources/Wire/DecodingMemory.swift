// DecodingMemory.swift: the memory of decoded scans and touches, kept by a link from one frame to the next.
//
// Input     the descriptions of events and touches (EventFields.swift), while they read
// Output    the memory of the last one, for the next one
//
// Mostly the core has handled a frame, and keeps no copy of it, when the next frame comes. The next one then takes the same
// memory, and a stream of moves needs no allocation. A scan or a list of which a copy exists keeps its memory.
//
// Sources   invented

import Basics
import HID

/// The memory of the last decoded scan and of the last list of contacts. One thread uses it.
package final class DecodingMemory {
    /// The longest list of contacts whose memory is kept: every finger of a panel.
    private static let limit = HIDEvent.fingerLimit

    // One thread uses these values, and no call that changes one of them reaches it again.
    @exclusivity(unchecked) private var scan: Boxed<HIDEvent>?
    @exclusivity(unchecked) private var contacts: [TouchContact] = []

    package init() {}

    /// Returns an empty list, in the memory of the last scan's fingers if there is no copy of that scan.
    func takeFingers() -> [DigitizerEvent] {
        scan?.changeIfUnique { Self.take(&$0.fingers) } ?? []
    }

    /// Returns a box for a scan, the last one if there is no copy of it.
    func box(_ event: consuming HIDEvent) -> Boxed<HIDEvent> {
        if scan == nil { scan = Boxed(event) } else { scan!.replace(with: event) }
        return scan!
    }

    func takeContacts() -> [TouchContact] { Self.take(&contacts) }

    func keep(_ list: [TouchContact]) { if list.count <= Self.limit { contacts = list } }

    /// Returns an empty list, in the memory of this one if there is no copy of it.
    private static func take<Element>(_ kept: inout [Element]) -> [Element] {
        var list: [Element] = []
        swap(&list, &kept)
        list.removeAll(keepingCapacity: true)
        return list
    }
}
