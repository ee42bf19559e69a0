// Resampling.swift: the positions of fingers at a moment between or after samples.
//
//        before      sample  ●  after                 before      sample    ○ limit: half their distance, 8 ms at most
//     ─────●───────────●─────┼────●────▶ t         ─────●───────────●───────┼──┼──▶ t
//                         moment: on the line                      result   moment: on the line, and not beyond ○
//
// The arithmetic uses whole numbers, so the result is the same on every machine and errors do not accumulate.
//
// Station   router
// Input     Display: three samples of the same fingers, none of which begins or ends
// Output    the touches at the moment
// Knows     only these samples
//
// Sources   documented  Android's input consumer: 5 ms before the frame; no two samples closer than 2 ms; beyond the last
//                       sample only if they are 20 ms apart at most, by half of that and 8 ms at most

import Basics
import HID

enum Resampling {
    /// The delay before a display frame. A moment so far back has a sample on each side in most cases.
    static let latency = Duration.milliseconds(5)
    /// The shortest distance of two samples from which a speed is computed.
    static let shortest = Duration.milliseconds(2)
    /// The longest distance of two samples from which a later position is computed.
    static let longest = Duration.milliseconds(20)
    /// The longest time beyond the last sample.
    static let reach = Duration.milliseconds(8)

    /// Computes the touches at a moment.
    ///
    /// - Parameters:
    ///   - before: The sample before `sample`, if the same fingers were down all the time.
    ///   - sample: The last sample at or before the moment.
    ///   - after: The next sample, if it has arrived.
    /// - Returns: Nil if only the sample itself is usable.
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
    /// The touches on the line from this sample to another.
    ///
    /// - Parameter other: A sample of another time.
    /// - Returns: Nil at the sample's own time, and if the touches differ.
    fileprivate func onTheLine(to other: TouchFrame, at moment: Instant) -> TouchFrame? {
        let elapsed = timeStamp.duration(to: moment).nanoseconds
        let whole = timeStamp.duration(to: other.timeStamp).nanoseconds
        guard elapsed > 0, whole != 0, contacts.count == other.contacts.count else { return nil }
        var line = TouchFrame(timeStamp: moment, contacts: contacts)
        for index in line.contacts.indices {
            let contact = contacts[index]
            guard let end = other.contacts.first(where: { $0.touch == contact.touch }) else { return nil }
            let position = Point<SceneSpace>(
                contact.position.x.onTheLine(to: end.position.x, elapsed, of: whole),
                contact.position.y.onTheLine(to: end.position.y, elapsed, of: whole))
            if position != contact.position { line.contacts[index].phase = .moved }
            line.contacts[index].position = position
        }
        return line
    }
}

extension Fixed {
    /// The value at a part of the distance. It truncates towards this value, and saturates.
    fileprivate func onTheLine(to other: Fixed, _ part: Int64, of whole: Int64) -> Fixed {
        let distance = Int64(other.rawValue) - Int64(rawValue)
        let way = whole.dividingFullWidth(distance.multipliedFullWidth(by: part)).quotient
        return Fixed(rawValue: Int32(clamping: max(-2_147_483_647, Int64(rawValue) + way)))
    }
}
