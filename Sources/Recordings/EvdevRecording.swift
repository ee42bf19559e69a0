// EvdevRecording.swift: one device's events in any text format: its description, its clock, its contacts.
//
// The four evdev readers share this type, so that each of them only parses lines.
//
// Station   device
// Input     EvemuReader, EvtestReader, GeteventReader, LibinputRecordReader
// Output    EvdevTracker

import HID

/// The state that all evdev readers need.
struct EvdevRecording: Sendable {
    /// Final at the first event: a later description is of another device, or a repetition.
    private(set) var description = EvdevDescription()
    private(set) var tracker: EvdevTracker
    private(set) var clock = EvdevClock()
    private(set) var hasEvents = false

    private var hasEnded = false
    private let palms: RecordingOptions.Palms

    init(_ options: RecordingOptions) {
        palms = options.palms
        tracker = EvdevTracker(palms: palms)
    }

    mutating func describe(_ body: (inout EvdevDescription) -> Void) {
        if !hasEvents { body(&description) }
    }

    /// Processes one event.
    ///
    /// - Parameters:
    ///   - stamp: The time in nanoseconds, on any clock.
    ///   - type: The kernel's `EV_…` number.
    mutating func handle(
        _ type: UInt16, _ code: UInt16, _ value: Int32, stamp: Int64, into frames: inout [ContactFrame]
    ) {
        if !hasEvents { beginEvents() }
        let time = clock.advance(to: stamp)
        if tracker.contactProtocol != nil {
            tracker.process(EvdevEvent.Kind(number: type), code, value, at: time, into: &frames)
        } else {
            tracker.handle(EvdevEvent(nanoseconds: time, type: type, code: code, value: value), into: &frames)
        }
    }

    /// Makes the tracker for the complete description, which may determine the protocol.
    private mutating func beginEvents() {
        hasEvents = true
        tracker = EvdevTracker(description, palms: palms)
    }

    /// Ends the recording.
    ///
    /// - Returns: The contacts that are still down, cancelled.
    mutating func finish(into frames: inout [ContactFrame]) -> ContactFrame? {
        if !hasEvents { tracker = EvdevTracker(description, palms: palms) }
        hasEnded = true
        return tracker.finish(at: .nanoseconds(clock.now), into: &frames)
    }

    func add(to facts: inout RecordingFacts) {
        facts.device = description.device
        facts.contactProtocol = tracker.contactProtocol
        facts.ignoredContacts = tracker.ignoredContacts
        facts.timesBackwards = clock.timesBackwards
        if hasEnded, hasEvents, tracker.landingCount == 0 { facts.remarks.append("no finger touches the device in it") }
        if tracker.palmCount > 0 {
            facts.remarks.append(
                "\(tracker.palmCount) \(tracker.palmCount == 1 ? "contact was a palm" : "contacts were palms"): cancelled"
            )
        }
        if tracker.lossCount > 0 {
            facts.remarks.append(
                "the kernel lost events \(tracker.lossCount == 1 ? "once" : "\(tracker.lossCount) times"): contacts that were down "
                    + "are cancelled")
        }
    }
}
