// Audit+Frames.swift: moves that the server holds for its display frames, and the positions at these frames.
//
//    due, and only a move ─▶ held ─┬ a timer fires at the frame's time or later ─▶ due, as one, at positions of then
//                                  └ a touch begins or ends after it ────────────▶ due, as one, as it was
//
// Input     Audit+PanelState, for each frame due to an app while `server.displayRate` is set
// Output    DueFrames, violations
// Knows     scans. Nothing that the server computed.
//
// Display frames are counted from the server's start. The position of a finger 5 ms before a frame is computed here
// again, from the scans that the server received.
//
// Sources   Docs/Spec/Pipeline.md section 3: I2, I4; Docs/Spec/Semantics.md C6, S95; Docs/Decisions/FrameAlignment.md

import Basics
import HID
import Hosting
import Wire

/// The display frames of the server.
struct DisplayClock: Sendable {
    var start = Instant.boot
    /// The display frame at which held moves are released; nil while none are held.
    var awaited: Instant?
    /// The display frame for which a timer was seen to be armed.
    var armed: Instant?
    /// The current step of the server.
    var step: ServerStep?

    /// The moment and the effects of a step, which are less to copy than the whole step.
    struct ServerStep: Sendable {
        let at: Instant
        let effects: [Effect]
    }

    /// Returns the last frame that is not after a moment, and the next one.
    func frames(around moment: Instant, rate: Int) -> (last: Instant, next: Instant) {
        func time(_ number: Int64) -> Int64 {
            let (whole, rest) = number.quotientAndRemainder(dividingBy: Int64(rate))
            return whole &* 1_000_000_000 &+ rest * 1_000_000_000 / Int64(rate)
        }
        let elapsed = max(0, start.duration(to: moment).nanoseconds)
        let seconds = elapsed / 1_000_000_000
        var number = seconds &* Int64(rate)
        // A second has at most a thousand frames. Counting them cannot repeat an arithmetic mistake of the server.
        while time(number + 1) <= elapsed { number += 1 }
        return (
            start.advanced(byNanoseconds: time(number)), start.advanced(byNanoseconds: time(number + 1))
        )
    }
}

extension Audit {
    // MARK: Holding moves

    mutating func hold(_ frame: DueFrames.Frame, _ appIndex: Int, at moment: Instant) {
        apps[appIndex].dues.holdFrame(frame)
        if display.awaited == nil { display.awaited = frames(around: moment).next }
    }

    private func frames(around moment: Instant) -> (last: Instant, next: Instant) {
        display.frames(around: moment, rate: options.group.display)
    }

    /// Releases held moves after a timer of the server fired.
    mutating func releaseAtDisplayFrame(_ step: Step) {
        guard options.group.display > 0, let awaited = display.awaited, awaited <= step.at else { return }
        display.awaited = nil
        let frame = frames(around: step.at).last
        let moment = options.group.resamples ? frame.advanced(by: .milliseconds(-5)) : nil
        for appIndex in apps.indices {
            var count = apps[appIndex].dues.held.count
            if let moment {
                count = apps[appIndex].dues.held.prefix { ($0.frame.stamp ?? .boot) <= moment }.count
            }
            let shown = moment.flatMap { resampledPositions(appIndex, at: $0, count) }
            release(count, appIndex, shown, isAlone: false, at: step.at)
        }
        if apps.contains(where: { !$0.dues.held.isEmpty }) { display.awaited = frames(around: step.at).next }
    }

    /// Releases all moves held for an app before a touch of it begins or ends.
    mutating func releaseAll(_ appIndex: Int) {
        guard options.group.display > 0 else { return }
        let count = apps[appIndex].dues.held.count
        let isAlone = count > 0 ? display.step.map { sendsLastUnmerged(appIndex, in: $0) } ?? false : false
        release(count, appIndex, nil, isAlone: isAlone, at: display.step?.at ?? .boot)
        apps[appIndex].dues.endMoves()
    }

    private mutating func release(
        _ count: Int, _ appIndex: Int, _ shown: DueFrames.Shown?, isAlone: Bool, at moment: Instant
    ) {
        for number in 0..<count {
            var frame = apps[appIndex].dues.releaseFirstHeld().frame
            frame.at = moment
            if number == count - 1 { frame.shown = shown }
            hasDueFrames = true
            guard let part = apps[appIndex].dues.close(frame, isAlone: number == 0 && isAlone) else { continue }
            settle(part)
        }
    }

    // MARK: Positions at display frames

    /// - Parameter count: The number of held samples that are not after the moment.
    private func resampledPositions(_ app: Int, at moment: Instant, _ count: Int) -> DueFrames.Shown? {
        let held = apps[app].dues.held
        guard count > 0, let time = held[count - 1].frame.stamp else { return nil }
        let sample = held[count - 1]
        var other: DueFrames.Sample
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
        var shown = DueFrames.Shown(at: aim)
        for due in sample.contacts {
            guard let end = other.contacts.first(where: { $0.landing == due.landing }) else { return nil }
            let position = Point<SceneSpace>(
                interpolate(from: due.position.x, to: end.position.x, part: part, whole: whole),
                interpolate(from: due.position.y, to: end.position.y, part: part, whole: whole))
            shown.positions.append((due.landing, position))
        }
        return shown
    }

    private func interpolate(from: Fixed, to: Fixed, part: Int64, whole: Int64) -> Fixed {
        // The product may reach 2^95. A span of centuries is no span of touches, but it must not trap.
        let way = Int128(to.rawValue) - Int128(from.rawValue)
        let value = Int128(from.rawValue) + way * Int128(part) / Int128(whole)
        return Fixed(rawValue: Int32(clamping: max(-2_147_483_647, value)))
    }

    // MARK: Timers

    /// Judges that a timer is armed while moves are held, and that it fires in time.
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
                    .promptness, "moves are held for the frame of \(awaited), and no timer is armed for it", step)
            }
        }
        let (late, limit) = (awaited.duration(to: step.at), AuditOptions.responseBound + AuditOptions.responseBound)
        guard isLate(late, limit, since: awaited, until: step.at, [.systemServer]) else { return }
        display.awaited = frames(around: step.at).next
        display.armed = display.awaited
        note(
            .promptness, "moves are held for the frame of \(awaited), which was \(late.milliseconds) ago", step)
    }
}

extension DueFrames.Frame {
    /// Returns the contact at the position that its app receives.
    func resampled(_ due: DueContact) -> DueContact {
        guard let shownPosition = shown?.positions.first(where: { $0.landing == due.landing }) else { return due }
        return DueContact(due, at: shownPosition.position)
    }

    /// The samples of the frame's history: the merged frames, and its own last sample if the frame has a resampled
    /// position.
    var samples: [(stamp: Instant?, contacts: [DueContact])] {
        guard let shown else { return parts }
        return parts + [(stamp, shown.contacts)]
    }
}
