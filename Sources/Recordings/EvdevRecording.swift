// EvdevRecording.swift: one device's events in any text format: its description, its clock, its contacts.
//
// What the four readers of evdev share, so that each of them only takes lines apart.
//
// Station   device
// Fed by    EvemuReader, EvtestReader, GeteventReader, LibinputRecordReader
// Feeds     EvdevTracker

import HID

struct EvdevRecording: Sendable {
    /// Settled by the first event: what is described later is another device, or the same one again.
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

    /// - Parameters:
    ///   - stamp: Nanoseconds of any clock.
    ///   - type: As `EV_…` numbers it.
    mutating func take(
        _ type: UInt16, _ code: UInt16, _ value: Int32, stamp: Int64, into frames: inout [ContactFrame]
    ) {
        if !hasEvents { beginEvents() }
        let time = clock.advance(to: stamp)
        if tracker.dialect != nil {
            tracker.follow(EvdevEvent.Kind(number: type), code, value, at: time, into: &frames)
        } else {
            tracker.take(EvdevEvent(nanoseconds: time, type: type, code: code, value: value), into: &frames)
        }
    }

    /// The description is complete, and may say how the events are to be read.
    private mutating func beginEvents() {
        hasEvents = true
        tracker = EvdevTracker(description, palms: palms)
    }

    /// - Returns: Who is still down, cancelled.
    mutating func finish(into frames: inout [ContactFrame]) -> ContactFrame? {
        if !hasEvents { tracker = EvdevTracker(description, palms: palms) }
        hasEnded = true
        return tracker.finish(at: .nanoseconds(clock.now), into: &frames)
    }

    func add(to facts: inout RecordingFacts) {
        facts.device = description.device
        facts.dialect = tracker.dialect
        facts.ignoredContacts = tracker.ignored
        facts.timesBackwards = clock.timesBackwards
        if hasEnded, hasEvents, tracker.landings == 0 { facts.remarks.append("nobody touches the device in it") }
        if tracker.palms > 0 {
            facts.remarks.append(
                "\(tracker.palms) \(tracker.palms == 1 ? "contact was a palm" : "contacts were palms"): cancelled")
        }
        if tracker.losses > 0 {
            facts.remarks.append(
                "the kernel lost events \(tracker.losses == 1 ? "once" : "\(tracker.losses) times"): whoever was down "
                    + "is cancelled")
        }
    }
}
