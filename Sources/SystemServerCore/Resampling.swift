// Resampling.swift: where fingers are at a moment that no sample is of.
//
//        before      sample  ●  after                 before      sample    ○ as far as half their distance, 8 ms at most
//     ─────●───────────●─────┼────●────▶ t         ─────●───────────●───────┼──┼──▶ t
//                         moment: on the line                          told   moment: on the line, and not beyond ○
//
// In whole numbers: the same on every machine, and nothing is lost by adding up.
//
// Station   router
// Fed by    Display: three samples of the same fingers, none of which begins or ends
// Knows     nothing but those
//
// Sources   documented  Android's input consumer: 5 ms before the frame; no two samples closer than 2 ms; beyond the last
//                       only where they are 20 ms apart at most, by half of that and 8 ms at most

import Basics
import HID

enum Resampling {
    /// Before a frame: so recent a past has mostly two samples around it.
    static let latency = Duration.milliseconds(5)
    /// Samples closer than this say nothing of speed.
    static let shortest = Duration.milliseconds(2)
    /// Samples further apart than this say nothing of what comes after.
    static let longest = Duration.milliseconds(20)
    /// As far as it is guessed.
    static let reach = Duration.milliseconds(8)

    /// - Parameters:
    ///   - before: The sample before it, if the same fingers were down all the time.
    ///   - sample: The last that is of that moment or before.
    ///   - after: The next one, if it is there.
    /// - Returns: Nil where nothing but the sample is known.
    static func fingers(
        at moment: Instant, before: TouchFrame?, _ sample: TouchFrame, after: TouchFrame?
    ) -> TouchFrame? {
        if let after {
            guard sample.timeStamp.duration(to: after.timeStamp) >= shortest else { return nil }
            return sample.onTheLine(to: after, at: moment)
        }
        guard let before else { return nil }
        let distance = before.timeStamp.duration(to: sample.timeStamp)
        guard distance >= shortest, distance <= longest else { return nil }
        return sample.onTheLine(to: before, at: min(moment, sample.timeStamp.advanced(by: min(distance / 2, reach))))
    }
}

extension TouchFrame {
    /// - Parameter other: A sample of another time.
    /// - Returns: Nil for its own time, and when the fingers are others.
    fileprivate func onTheLine(to other: TouchFrame, at moment: Instant) -> TouchFrame? {
        let elapsed = timeStamp.duration(to: moment).nanoseconds
        let whole = timeStamp.duration(to: other.timeStamp).nanoseconds
        guard elapsed > 0, whole != 0, contacts.count == other.contacts.count else { return nil }
        var line = TouchFrame(timeStamp: moment, contacts: contacts)
        for place in line.contacts.indices {
            let contact = contacts[place]
            guard let end = other.contacts.first(where: { $0.touch == contact.touch }) else { return nil }
            let position = Point<SceneSpace>(
                contact.position.x.onTheLine(to: end.position.x, elapsed, of: whole),
                contact.position.y.onTheLine(to: end.position.y, elapsed, of: whole))
            if position != contact.position { line.contacts[place].phase = .moved }
            line.contacts[place].position = position
        }
        return line
    }
}

extension Fixed {
    /// Truncates towards this; saturates.
    fileprivate func onTheLine(to other: Fixed, _ part: Int64, of whole: Int64) -> Fixed {
        let distance = Int64(other.rawValue) - Int64(rawValue)
        let way = whole.dividingFullWidth(distance.multipliedFullWidth(by: part)).quotient
        return Fixed(rawValue: Int32(clamping: max(-2_147_483_647, Int64(rawValue) + way)))
    }
}
