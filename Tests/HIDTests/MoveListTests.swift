// Lists of scans and of touches, compared with arrays of the same elements.

import Basics
import HID
import Testbed
import Testing

@Suite("Scans and touches that share a frame")
struct MoveListTests {
    /// Scans of which most are moves of the one before, and others change in one property.
    private func scans(_ chance: inout SeededGenerator) -> [HIDEvent] {
        var fingers = (1...UInt32.random(in: 1...3, using: &chance)).map { moved($0) }
        var event = scan(fingers)
        if Bool.random(using: &chance) { event.scanTime = DigitizerScanTime(ticks: 0, width: 2) }
        return (0..<Int.random(in: 0...20, using: &chance)).map { number in
            event.timeStamp = Instant(nanoseconds: Int64(number) * 7)
            if event.scanTime != nil { event.scanTime?.ticks = UInt32(number) }
            event.hand.position.x = Fixed(Double(number) / 64)
            switch Int.random(in: 0..<12, using: &chance) {
            case 0: event.scanTime = event.scanTime == nil ? DigitizerScanTime(ticks: 5, width: 2) : nil
            case 1: fingers[0].pressure = Fixed(Double.random(in: 0...1, using: &chance))
            case 2: fingers = (1...UInt32.random(in: 1...3, using: &chance)).map { moved($0) }
            case 3: event.fingers = []
            default: for index in fingers.indices { fingers[index].position.y = Fixed(Double(number) / 32) }
            }
            event.fingers = event.fingers.isEmpty && number % 2 == 0 ? [] : fingers
            return event
        }
    }

    /// Touches of which most are moves of those before, and others change in one property.
    private func frames(_ chance: inout SeededGenerator) -> [TouchFrame] {
        var contacts = (0...UInt32.random(in: 0...2, using: &chance)).map { contact($0, .moved) }
        return (0..<Int.random(in: 0...20, using: &chance)).map { number in
            switch Int.random(in: 0..<12, using: &chance) {
            case 0: contacts = []
            case 1: contacts = (0...UInt32.random(in: 0...2, using: &chance)).map { contact($0, .moved) }
            case 2: if !contacts.isEmpty { contacts[0].phase = contacts[0].phase == .moved ? .stationary : .moved }
            case 3: if !contacts.isEmpty { contacts[0].pressure = Fixed(Double.random(in: 0...1, using: &chance)) }
            default: for index in contacts.indices { contacts[index].position.x = Fixed(Double(number)) }
            }
            return TouchFrame(timeStamp: Instant(nanoseconds: Int64(number) * 3), contacts: contacts)
        }
    }

    @Test("a list has the scans that were appended, each as it was")
    func scanList() {
        var (together, alone) = (0, 0)
        for seed in 0..<500 {
            var chance = SeededGenerator(seed: UInt64(seed))
            let events = scans(&chance)
            let list = ScanList(events)
            #expect(Array(list) == events && list.count == events.count, "seed \(seed)")
            #expect(list.first == events.first && list.isEmpty == events.isEmpty)
            #expect(list.parts.reduce(0) { $0 + $1.count } == events.count)
            for part in list.parts {
                #expect((0..<part.count).map(part.time) == (0..<part.count).map { part.scan(at: $0).timeStamp })
                (together, alone) = (together + part.times.count, alone + 1)
            }
            var changed = events
            guard !events.isEmpty else { continue }
            changed[changed.count - 1].timeStamp = .never
            #expect(ScanList(changed) != list)
        }
        #expect(together > 1000 && alone > 1000, "\(together) moves, \(alone) parts")
    }

    @Test("a list of touches is the same whether scans, moves or lists are appended")
    func touchList() {
        var (together, alone) = (0, 0)
        for seed in 0..<500 {
            var chance = SeededGenerator(seed: UInt64(seed))
            let frames = frames(&chance)
            let list = TouchList(frames)
            #expect(Array(list) == frames && list.count == frames.count, "seed \(seed)")
            #expect(list.first == frames.first && list.last == frames.last && list.isEmpty == frames.isEmpty)
            #expect(list.contactCount == frames.reduce(0) { $0 + $1.contacts.count })
            #expect(list.moveCount == frames.reduce(0) { $0 + $1.contacts.count { $0.phase == .moved } })
            var scans = list.makeIterator()
            for left in (0..<frames.count).reversed() {
                #expect(scans.next() == frames[frames.count - 1 - left] && scans.count == left)
            }
            #expect(scans.next() == nil)
            for index in 0...frames.count {
                let (before, rest) = list.split(at: index)
                #expect(Array(before) == Array(frames[..<index]) && Array(rest) == Array(frames[index...]))
                #expect(before == TouchList(frames[..<index]) && rest == TouchList(frames[index...]))
                var joined = before
                joined.append(contentsOf: rest)
                #expect(joined == list && joined.count == list.count, "seed \(seed), divided at \(index)")
            }
            for part in list.parts {
                #expect((0..<part.count).map(part.time) == (0..<part.count).map { part.frame(at: $0).timeStamp })
                for end in 1...part.count {
                    let range = (end / 2)..<end + (end == part.count ? 0 : 1)
                    guard !range.isEmpty else { continue }
                    #expect(range.map(part.frame) == Array(TouchList(parts: [part[range]])))
                }
                (together, alone) = (together + part.times.count, alone + 1)
            }
            var later = list
            later.changeTimes { Instant(nanoseconds: $0.nanoseconds + 1) }
            #expect(later.map(\.timeStamp.nanoseconds) == frames.map { $0.timeStamp.nanoseconds + 1 })
            #expect(later.map(\.contacts) == frames.map(\.contacts))
        }
        #expect(together > 1000 && alone > 1000, "\(together) moves, \(alone) parts")
    }

    @Test("a history does not become part of a list")
    func history() {
        var frame = TouchFrame(timeStamp: Instant(nanoseconds: 5), contacts: [contact(1, .moved)])
        let plain = frame
        frame.history = [plain]
        #expect(Array(TouchList([frame, frame])) == [plain, plain])
    }
}

extension TouchList {
    fileprivate init(parts: [TouchMoves]) {
        self.init()
        for part in parts { append(part) }
    }
}
