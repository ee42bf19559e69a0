// Audit+Frames.swift: moves that are held for the server's display, and where fingers are at its frames.
//
//    due, and only a move ─▶ held ─┬ a timer fires at the frame's time or later ─▶ due, as one, at where they were
//                                  └ something begins or ends behind it ────────▶ due, as one, as it was
//
// Frames are counted from when the server was told to begin. Where a finger was 5 ms before a frame is worked out here
// again, from the scans as the server heard them and from nothing it says.
//
// Sources   Docs/Spec/Pipeline.md section 3: I2, I4; Docs/Spec/Semantics.md C6, S95; Docs/Decisions/FrameAlignment.md

import Basics
import HID
import Hosting
import Wire

/// The server's display.
struct DisplayClock: Sendable {
    var start = Instant.boot
    /// The frame at which those held are looked at; nil while nothing is held.
    var awaited: Instant?
    /// The one for which a timer was seen to be set.
    var armed: Instant?
    /// The server's step under way.
    var step: Step?

    /// The first frame after a moment, and the last that is not after it.
    func frames(around moment: Instant, rate: Int) -> (last: Instant, next: Instant) {
        func time(_ number: Int64) -> Int64 {
            let (whole, rest) = number.quotientAndRemainder(dividingBy: Int64(rate))
            return whole &* 1_000_000_000 &+ rest * 1_000_000_000 / Int64(rate)
        }
        let elapsed = max(0, start.duration(to: moment).nanoseconds)
        let seconds = elapsed / 1_000_000_000
        var number = seconds &* Int64(rate)
        // A second has a thousand at most: counted, as nobody could count otherwise and be wrong alike.
        while time(number + 1) <= elapsed { number += 1 }
        return (
            start.advanced(byNanoseconds: time(number)), start.advanced(byNanoseconds: time(number + 1))
        )
    }
}

extension Audit {
    // MARK: Who waits

    mutating func hold(_ frame: Dues.Frame, _ place: Int, _ step: Step) {
        apps[place].dues.hold(frame)
        if display.awaited == nil { display.awaited = frames(around: step.at).next }
    }

    private func frames(around moment: Instant) -> (last: Instant, next: Instant) {
        display.frames(around: moment, rate: options.group.display)
    }

    /// A timer of the server's has fired.
    mutating func frameCame(_ step: Step) {
        guard options.group.display > 0, let awaited = display.awaited, awaited <= step.at else { return }
        display.awaited = nil
        let frame = frames(around: step.at).last
        let moment = options.group.resamples ? frame.advanced(by: .milliseconds(-5)) : nil
        for place in apps.indices {
            var count = apps[place].dues.held.count
            if let moment {
                count = apps[place].dues.held.prefix { ($0.frame.stamp ?? .boot) <= moment }.count
            }
            let shown = moment.flatMap { places(place, at: $0, count) }
            letGo(count, place, shown, isAlone: false, at: step.at)
        }
        if apps.contains(where: { !$0.dues.held.isEmpty }) { display.awaited = frames(around: step.at).next }
    }

    /// Something begins or ends for an app: what it did before goes before.
    mutating func letGoAll(_ place: Int) {
        guard options.group.display > 0 else { return }
        let count = apps[place].dues.held.count
        let isAlone = count > 0 ? display.step.map { isLeaving(place, in: $0) } ?? false : false
        letGo(count, place, nil, isAlone: isAlone, at: display.step?.at ?? .boot)
        apps[place].dues.breakOff()
    }

    private mutating func letGo(_ count: Int, _ place: Int, _ shown: Dues.Shown?, isAlone: Bool, at moment: Instant) {
        for number in 0..<count {
            var frame = apps[place].dues.letGo().frame
            frame.at = moment
            if number == count - 1 { frame.shown = shown }
            owes = true
            guard let part = apps[place].dues.close(frame, isAlone: number == 0 && isAlone) else { continue }
            settle(part, Receipt(frame: .zero, outcome: .delivered))
        }
    }

    // MARK: Where they are

    /// - Parameter count: How many of those held are of that moment or before.
    private func places(_ app: Int, at moment: Instant, _ count: Int) -> Dues.Shown? {
        let held = apps[app].dues.held
        guard count > 0, let time = held[count - 1].frame.stamp else { return nil }
        let sample = held[count - 1]
        var other: Dues.Sample
        var aim = moment
        if count < held.count {
            other = held[count]
            guard let later = other.frame.stamp, time.duration(to: later) >= .milliseconds(2) else { return nil }
        } else {
            guard let before = count > 1 ? held[count - 2] : apps[app].dues.before, let earlier = before.frame.stamp
            else { return nil }
            other = before
            let apart = earlier.duration(to: time)
            guard apart >= .milliseconds(2), apart <= .milliseconds(20) else { return nil }
            let furthest = min(Int64(8_000_000), apart.nanoseconds / 2)
            aim = min(moment, time.advanced(byNanoseconds: furthest))
        }
        guard aim > time, other.contacts.count == sample.contacts.count, let span = other.frame.stamp else {
            return nil
        }
        let (part, whole) = (time.duration(to: aim).nanoseconds, time.duration(to: span).nanoseconds)
        var shown = Dues.Shown(at: aim)
        for due in sample.contacts {
            guard let end = other.contacts.first(where: { $0.landing == due.landing }) else { return nil }
            let position = Point<SceneSpace>(
                between(due.position.x, end.position.x, part, whole),
                between(due.position.y, end.position.y, part, whole))
            shown.places.append((due.landing, position))
        }
        return shown
    }

    private func between(_ from: Fixed, _ to: Fixed, _ part: Int64, _ whole: Int64) -> Fixed {
        // Up to 2^95: a whole of centuries is no whole of fingers, and still no trap.
        let way = Int128(to.rawValue) - Int128(from.rawValue)
        let place = Int128(from.rawValue) + way * Int128(part) / Int128(whole)
        return Fixed(rawValue: Int32(clamping: max(-2_147_483_647, place)))
    }

    // MARK: When

    /// Who has something held is woken for it, and wakes in time.
    mutating func judgeFrames(_ step: Step) {
        guard let awaited = display.awaited else {
            display.armed = nil
            return
        }
        if display.armed != awaited {
            display.armed = awaited
            let isArmed = step.effects.contains { if case .arm(_, at: awaited) = $0 { true } else { false } }
            guard isArmed else {
                return note(
                    .promptness, "moves are held for the frame of \(awaited), and no timer says when it is", step)
            }
        }
        let (late, limit) = (awaited.duration(to: step.at), AuditOptions.patienceBound + AuditOptions.patienceBound)
        guard isLate(late, limit, since: awaited, until: step.at, [.systemServer]) else { return }
        display.awaited = frames(around: step.at).next
        display.armed = display.awaited
        note(
            .promptness, "moves are held for the frame of \(awaited), which was \(late.milliseconds) ago", step)
    }
}

extension Dues.Frame {
    /// The contact as its app is told of it.
    func shown(_ due: Due) -> Due {
        guard let place = shown?.places.first(where: { $0.landing == due.landing }) else { return due }
        return Due(due, at: place.position)
    }

    /// What its history lists: what became part of it, and its own last sample where the frame says more.
    var samples: [(stamp: Instant?, contacts: [Due])] {
        guard let shown else { return parts }
        return parts + [(stamp, shown.contacts)]
    }
}
