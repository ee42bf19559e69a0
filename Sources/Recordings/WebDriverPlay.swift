// WebDriverPlay.swift: converts WebDriver's ticks to frames: the i-th items of all sources together, then the next.
//
//     tick        its longest pause or move
//     tick start  downs, ups, cancels, moves of no length          one frame
//     within      moves of some length, every 1/60 s               a frame each
//     at the end  of a move: its target, exactly                   one frame
//
// All changes at one time of one tick form one frame. A finger that is up moves without a frame. Ticks of no length are
// frames with equal times, in their order.
//
// Station   device
// Input     WebDriverActions
// Output    ContactFrame
// Knows     ticks, the panel. No JSON except positions for errors.
//
// Sources   documented  Docs/Spec/Input.md section 3.11, W3C WebDriver "dispatch tick actions", "perform a pointer move"
//           invented    steps of 1/60 s; a step without a change is also a frame

import Basics
import HID

/// Plays the action sources.
struct WebDriverPlay {
    private struct Pointer {
        /// In the viewport's pixels, or the panel's units.
        var x = 0.0
        var y = 0.0
        /// The id of its contact; nil while it is up.
        var contact: Int64?
    }

    /// A move under way in this tick.
    private struct Glide {
        var pointer: Int
        var fromX, fromY, toX, toY: Double
        /// Nanoseconds.
        var duration: Int64
        var attributes: ContactAttributes
    }

    private let actions: WebDriverActions
    private let panel: ScriptPanel
    private var pointers: [Pointer]
    /// The contacts that are down, in order of touch-down; between frames all are stationary.
    private var contacts: [DeviceContact] = []
    private var landingCount: Int64 = 0
    /// Whether any contact changed since the last frame.
    private var hasChanges = false
    /// Nanoseconds since the first tick.
    private var time: Int64 = 0
    private var frameCount = 0
    /// The sum of the contacts of all frames so far.
    private var contactCount = 0

    static let frameLimit = 1_000_000
    /// More than a hundred megabytes: all frames are made before the first is returned.
    static let contactLimit = 2_000_000
    /// Nanoseconds: three centuries, and no sum overflows.
    private static let timeLimit: Int64 = 9_000_000_000_000_000_000
    private static let stepsPerSecond: Int64 = 60

    init(_ actions: WebDriverActions, on panel: ScriptPanel) {
        (self.actions, self.panel) = (actions, panel)
        pointers = actions.sources.map { _ in Pointer() }
    }

    /// Plays all ticks.
    ///
    /// - Returns: The contacts that are down after the last tick, cancelled.
    /// - Throws: `Complaint` for a move out of bounds and for too many frames, contacts or seconds.
    mutating func play(into frames: inout [ContactFrame]) throws(Complaint) -> ContactFrame? {
        let ticks = actions.sources.map(\.items.count).max() ?? 0
        for tick in 0..<ticks {
            let length = milliseconds(ofTick: tick)
            guard length <= Self.timeLimit / 1_000_000, time <= Self.timeLimit - length * 1_000_000 else {
                throw Complaint(
                    expected: "at most \(Self.timeLimit / 1_000_000_000) seconds of actions", found: "more", line: 1)
            }
            try playTick(tick, length: length * 1_000_000, into: &frames)
            time += length * 1_000_000
        }
        guard !contacts.isEmpty else { return nil }
        return ContactFrame(
            time: .nanoseconds(time),
            contacts: contacts.map { DeviceContact(id: $0.id, phase: .cancelled, x: $0.x, y: $0.y) })
    }

    private func milliseconds(ofTick tick: Int) -> Int64 {
        var longest: Int64 = 0
        for source in actions.sources where tick < source.items.count {
            switch source.items[tick] {
            case .pause(let duration): longest = max(longest, duration)
            case .move(let move): longest = max(longest, move.duration ?? 0)
            case .down, .up, .cancel: break
            }
        }
        return longest
    }

    private mutating func playTick(
        _ tick: Int, length: Int64, into frames: inout [ContactFrame]
    ) throws(Complaint) {
        var glides: [Glide] = []
        for (index, source) in actions.sources.enumerated() where tick < source.items.count {
            switch source.items[tick] {
            case .pause: break
            case .down(let attributes): beginContact(index, attributes)
            case .up: endContact(index, .ended)
            case .cancel: endContact(index, .cancelled)
            case .move(let move):
                let target = try target(of: move, by: index, tick)
                let duration = move.duration.map { $0 * 1_000_000 } ?? length
                if duration == 0 || pointers[index].contact == nil {
                    movePointer(index, to: target, move.attributes)
                } else {
                    let steps = duration / (1_000_000_000 / Self.stepsPerSecond)
                    guard steps <= Self.frameLimit - frameCount else { throw tooManyFrames }
                    guard steps * Int64(contacts.count) <= Self.contactLimit - contactCount else {
                        throw tooManyContacts
                    }
                    glides.append(
                        Glide(
                            pointer: index, fromX: pointers[index].x, fromY: pointers[index].y, toX: target.x,
                            toY: target.y, duration: duration, attributes: move.attributes))
                }
            }
        }
        try report(at: time, into: &frames)
        var step: Int64 = 1
        while !glides.isEmpty {
            // `step` is at most frameLimit, so no product overflows.
            let next = step * 1_000_000_000 / Self.stepsPerSecond
            let moment = glides.reduce(next) { min($0, $1.duration) }
            if moment == next { step += 1 }
            for glide in glides where moment == next || glide.duration == moment {
                let share = Double(moment) / Double(glide.duration)
                let point =
                    glide.duration == moment
                    ? (glide.toX, glide.toY)
                    : (
                        glide.fromX + (glide.toX - glide.fromX) * share,
                        glide.fromY + (glide.toY - glide.fromY) * share
                    )
                movePointer(glide.pointer, to: point, glide.attributes)
            }
            glides.removeAll { $0.duration == moment }
            try report(at: time + moment, into: &frames)
        }
    }

    private func target(
        of move: WebDriverActions.Move, by index: Int, _ tick: Int
    ) throws(Complaint) -> (x: Double, y: Double) {
        let start = move.origin == .pointer ? pointers[index] : Pointer()
        let (x, y) = (start.x + move.x, start.y + move.y)
        // A panel's positions may be outside its axes.
        guard panel.axes == nil else { return (x, y) }
        let bounds = panel.screen.bounds
        guard x >= 0, y >= 0, x <= bounds.width, y <= bounds.height else {
            throw Complaint(
                expected:
                    "a target within the viewport of \(bounds.width) by \(bounds.height) (move target out of bounds)",
                found: "(\(x),\(y)) of \(quoted(actions.sources[index].id)), item \(tick + 1), in column "
                    + "\(move.location.column)", line: Int(move.location.line))
        }
        return (x, y)
    }

    private mutating func beginContact(_ index: Int, _ attributes: ContactAttributes) {
        // The specification ignores a second press.
        guard pointers[index].contact == nil else { return }
        let (x, y) = panel.position(Point(pointers[index].x, pointers[index].y))
        contacts.append(DeviceContact(id: landingCount, phase: .began, x: x, y: y, attributes: attributes))
        pointers[index].contact = landingCount
        landingCount += 1
        hasChanges = true
    }

    private mutating func endContact(_ index: Int, _ phase: ContactPhase) {
        guard let id = pointers[index].contact, let contactIndex = contacts.firstIndex(where: { $0.id == id }) else {
            return
        }
        contacts[contactIndex].phase = phase
        pointers[index].contact = nil
        hasChanges = true
    }

    private mutating func movePointer(_ index: Int, to target: (x: Double, y: Double), _ attributes: ContactAttributes)
    {
        (pointers[index].x, pointers[index].y) = target
        guard let id = pointers[index].contact, let contactIndex = contacts.firstIndex(where: { $0.id == id }) else {
            return
        }
        let (x, y) = panel.position(Point(target.x, target.y))
        if x != contacts[contactIndex].x || y != contacts[contactIndex].y { contacts[contactIndex].phase = .moved }
        (contacts[contactIndex].x, contacts[contactIndex].y) = (x, y)
        // Attributes that a move omits are unchanged.
        let before = contacts[contactIndex].attributes
        contacts[contactIndex].attributes = attributes
        contacts[contactIndex].attributes.pressure = attributes.pressure ?? before.pressure
        contacts[contactIndex].attributes.major = attributes.major ?? before.major
        contacts[contactIndex].attributes.minor = attributes.minor ?? before.minor
        contacts[contactIndex].attributes.azimuth = attributes.azimuth ?? before.azimuth
        contacts[contactIndex].attributes.tiltX = attributes.tiltX ?? before.tiltX
        contacts[contactIndex].attributes.tiltY = attributes.tiltY ?? before.tiltY
        hasChanges = true
    }

    private var tooManyFrames: Complaint {
        Complaint(expected: "actions of at most \(Self.frameLimit) frames", found: "more", line: 1)
    }

    private var tooManyContacts: Complaint {
        Complaint(
            expected: "actions of at most \(Self.contactLimit) contacts, each counted in each frame", found: "more",
            line: 1)
    }

    private mutating func report(at moment: Int64, into frames: inout [ContactFrame]) throws(Complaint) {
        guard hasChanges else { return }
        frameCount += 1
        guard frameCount <= Self.frameLimit else { throw tooManyFrames }
        contactCount += contacts.count
        guard contactCount <= Self.contactLimit else { throw tooManyContacts }
        frames.append(ContactFrame(time: .nanoseconds(moment), contacts: contacts))
        contacts.removeAll { $0.phase == .ended || $0.phase == .cancelled }
        for place in contacts.indices { contacts[place].phase = .stationary }
        hasChanges = false
    }
}
