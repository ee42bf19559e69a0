import Basics
import HID
@testable import Recordings
import Testbed
import Testing

@Suite("Evdev trackers after lost events")
struct EvdevLossTests {
    @Test("synthetic: lost events cancel all contacts of a recording")
    func dropped() {
        for (dialect, scans) in [
            (ContactProtocol.slots, "id=1 x=1 y=1\ndropped x=2\nx=3\nid=2"),
            (.groups, "id=1 x=1 y=1 end\ndropped id=1 x=2 end\n\nid=2 x=3 end"),
            (.single, "X=1 Y=1 touch=1\ndropped X=2\nX=3\ntouch=0\nX=4 touch=1"),
        ] {
            var tracker = EvdevTracker(contactProtocol: dialect)
            let frames = track(&tracker, scans)
            #expect(frames.flatMap(\.contacts).map(\.phase) == [.began, .cancelled, .began], "\(dialect)")
            #expect(tracker.lossCount == 1)
        }
    }

    /// The state of one slot before events were lost, and the state that the device reports after it.
    private struct Case: CustomStringConvertible {
        var before: Int32
        var after: Int32
        var hasMoved: Bool
        var isPalm: Bool

        var expected: [ContactPhase] {
            let stayed = before >= 0 && before == after
            if stayed { return isPalm ? [.cancelled] : hasMoved ? [.moved] : [.stationary] }
            return (before >= 0 ? [.cancelled] : []) + (after >= 0 && !isPalm ? [.began] : [])
        }
        var description: String { "\(before) → \(after)\(hasMoved ? " moved" : "")\(isPalm ? " palm" : "")" }
    }

    @Test("synthetic: the device's slot state decides which contacts stay after loss")
    func resynchronizeOneSlot() {
        for before: Int32 in [-1, 5] {
            for after: Int32 in [-1, 5, 6] {
                for (hasMoved, isPalm) in [(false, false), (true, false), (false, true), (true, true)] {
                    let one = Case(before: before, after: after, hasMoved: hasMoved, isPalm: isPalm)
                    var tracker = EvdevTracker(contactProtocol: .slots, onLoss: .ask)
                    var frames = track(&tracker, "slot=3 id=\(before) x=10 y=10\ndropped id=9\nid=8 x=1")
                    #expect(frames.count == 1 && tracker.needsState, "nothing counts until the device is asked")
                    var state = EvdevSlot(slot: 3, trackingID: after, x: hasMoved ? 11 : 10, y: 10)
                    state.attributes.tool = isPalm ? .palm : .finger
                    tracker.resynchronize(slots: [state], chosen: 3, at: .milliseconds(40), into: &frames)
                    #expect(!tracker.needsState)
                    #expect(frames[1].time == .milliseconds(40))
                    #expect(frames[1].contacts.map(\.phase) == one.expected, "\(one)")
                    // The slot continues from there.
                    frames = track(&tracker, "x=12\nid=-1")
                    let isDown = after >= 0 && !isPalm
                    #expect(
                        frames.map { $0.contacts.map(\.phase) } == (isDown ? [[.moved], [.ended]] : [[], []]), "\(one)")
                }
            }
        }
    }

    @Test("synthetic: resynchronization restores the state of a lossless tracker")
    func resynchronizeAnything() {
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<300 {
            var (whole, lossy) = (
                EvdevTracker(contactProtocol: .slots), EvdevTracker(contactProtocol: .slots, onLoss: .ask)
            )
            var state = (0..<6).map { EvdevSlot(slot: $0, trackingID: -1, x: 0, y: 0) }
            var chosen = 0
            var next: Int32 = 1
            var (seen, heard): ([ContactFrame], [ContactFrame]) = ([], [])
            var isLost = false
            for scan in 0..<60 {
                let time = Int64(scan) * 1_000_000
                func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
                    let event = EvdevEvent(nanoseconds: time, type: type, code: code, value: value)
                    whole.handle(event, into: &seen)
                    if !isLost { lossy.handle(event, into: &heard) }
                }
                if !isLost, Int.random(in: 0..<8, using: &generator) == 0 {
                    lossy.handle(EvdevEvent(nanoseconds: time, type: 0, code: 3, value: 0), into: &heard)
                    isLost = true
                }
                for _ in 0..<Int.random(in: 0...4, using: &generator) {
                    chosen = Int.random(in: 0..<6, using: &generator)
                    send(3, 0x2F, Int32(chosen))
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0:
                        state[chosen].trackingID = state[chosen].trackingID < 0 ? next : -1
                        next += 1
                        send(3, 0x39, state[chosen].trackingID)
                    case 1:
                        state[chosen].x = Int32.random(in: 0...9, using: &generator)
                        send(3, 0x35, state[chosen].x)
                    default:
                        state[chosen].y = Int32.random(in: 0...9, using: &generator)
                        send(3, 0x36, state[chosen].y)
                    }
                }
                send(0, 0, 0)
                if isLost, Bool.random(using: &generator) {
                    isLost = false
                    lossy.handle(EvdevEvent(nanoseconds: time, type: 0, code: 0, value: 0), into: &heard)
                    #expect(lossy.needsState)
                    lossy.resynchronize(slots: state, chosen: chosen, at: .nanoseconds(time), into: &heard)
                }
                guard !isLost else { continue }
                func down(_ frame: ContactFrame?) -> [Int64: [Int32]] {
                    var down: [Int64: [Int32]] = [:]
                    for contact in frame?.contacts ?? [] where contact.phase != .ended && contact.phase != .cancelled {
                        down[contact.id] = [contact.x, contact.y]
                    }
                    return down
                }
                #expect(down(seen.last) == down(heard.last), "scan \(scan)")
            }
            expectRules(seen, "nothing lost", isWhole: false)
            expectRules(heard, "lost and found", isWhole: false)
        }
    }

    @Test("contacts present at the first resynchronization begin; absurd slots are ignored")
    func resynchronizeAtFirst() {
        var tracker = EvdevTracker(contactProtocol: .slots, slotCount: 4)
        var frames: [ContactFrame] = []
        let state = [
            EvdevSlot(slot: 1, trackingID: 3, x: 4, y: 5), EvdevSlot(slot: 9, trackingID: 4, x: 0, y: 0),
            EvdevSlot(slot: -1, trackingID: 5, x: 0, y: 0), EvdevSlot(slot: .max, trackingID: 6, x: 0, y: 0),
            EvdevSlot(slot: 2, trackingID: 3, x: 0, y: 0), EvdevSlot(slot: 1, trackingID: 7, x: 0, y: 0),
        ]
        tracker.resynchronize(slots: state, chosen: .max, at: .zero, into: &frames)
        #expect(frames[0].contacts == [DeviceContact(id: 3, phase: .began, x: 4, y: 5)])
        tracker.resynchronize(slots: [], chosen: 0, at: .zero, into: &frames)
        #expect(frames[1].contacts.map(\.phase) == [.cancelled])
        var single = EvdevTracker(contactProtocol: .single, onLoss: .ask)
        frames = track(&single, "X=1 Y=2 touch=1\ndropped")
        single.resynchronize(
            slots: [EvdevSlot(slot: 0, trackingID: 0, x: 3, y: 2)], chosen: 0, at: .milliseconds(9), into: &frames)
        #expect(frames.map { $0.contacts.map(\.phase) } == [[.began], [.moved]])
        var groups = EvdevTracker(contactProtocol: .groups, onLoss: .ask)
        frames = track(&groups, "id=1 x=1 end\ndropped")
        groups.resynchronize(slots: state, chosen: 0, at: .milliseconds(9), into: &frames)
        #expect(frames.map { $0.contacts.map(\.phase) } == [[.began], [.cancelled]])
    }
}
