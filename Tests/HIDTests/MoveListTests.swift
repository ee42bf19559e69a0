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

    /// Scans of a panel with several contacts. Most of them only move.
    private func panelScans(_ chance: inout SeededGenerator) -> [ContactFrame] {
        var contacts: [DeviceContact] = []
        return (0..<60).map { number in
            contacts.removeAll { $0.phase == .ended }
            for index in contacts.indices {
                contacts[index].phase = .moved
                contacts[index].x = Int32.random(in: -10...1010, using: &chance)
                contacts[index].y = Int32.random(in: -10...510, using: &chance)
            }
            let change = Int.random(in: 0..<40, using: &chance)
            if contacts.isEmpty || change < 2 {
                contacts.append(DeviceContact(id: Int64(number), phase: .began, x: 500, y: 250))
                return ContactFrame(time: .milliseconds(number), contacts: contacts, scanTime: .milliseconds(number))
            }
            switch change {
            case 2: contacts[0].phase = .ended
            case 3: contacts[0].attributes.pressure = Int32.random(in: 0...255, using: &chance)
            case 4: contacts[0].attributes.major = Int32.random(in: 0...20, using: &chance)
            case 5: contacts[0].attributes.tool = .pen
            case 6: contacts[0].attributes.tiltX = Int32.random(in: -40...40, using: &chance)
            default: break
            }
            // What the panel reports in this scan only.
            var scan = ContactFrame(time: .milliseconds(number), contacts: contacts, scanTime: .milliseconds(number))
            switch change {
            case 7: scan.contacts[0].phase = .stationary
            case 8: scan.contacts.swapAt(0, contacts.count - 1)
            case 9: scan.contacts.removeLast()
            case 10: scan.contacts.append(contacts[0])
            case 11: scan.scanTime = nil
            default: break
            }
            return scan
        }
    }

    @Test("a move that is appended without an event is the same as its event")
    func appendedMoves() {
        var (appended, assembled) = (0, 0)
        for seed in 0..<500 {
            var chance = SeededGenerator(seed: UInt64(seed))
            var device = DeviceDescription()
            device.pressure = DeviceAxis(minimum: 0, maximum: 255)
            var one = FrameAssembler(
                ranges: AxisRanges(x: 0...1000, y: 0...500), senderID: 7, generationCount: 3, device: device, display: 2
            )
            var other = one
            var (events, list) = (ScanList(), ScanList())
            for (number, frame) in panelScans(&chance).enumerated() {
                var (faults, otherFaults): ([ContactFault], [ContactFault]) = ([], [])
                let moment = Instant(nanoseconds: Int64(number) * 3)
                if let event = one.assemble(frame, at: moment, faults: &faults) { events.append(event) }
                let before = (list, other.stateEvent())
                if other.appendMove(frame, at: moment, to: &list) {
                    appended += 1
                } else {
                    #expect(before == (list, other.stateEvent()), "seed \(seed), scan \(number)")
                    if let event = other.assemble(frame, at: moment, faults: &otherFaults) {
                        list.append(event)
                        assembled += 1
                    }
                }
                #expect(list == events && faults == otherFaults, "seed \(seed), scan \(number)")
                #expect(one.stateEvent() == other.stateEvent(), "seed \(seed), scan \(number)")
                if Int.random(in: 0..<20, using: &chance) == 0 { (events, list) = (ScanList(), ScanList()) }
            }
        }
        #expect(appended > 2000 && assembled > 2000, "\(appended) moves, \(assembled) events")
    }

    @Test("a move is not appended to scans of another opening")
    func otherOpening() {
        func assembler(_ sender: UInt64, _ generation: UInt32) -> FrameAssembler {
            FrameAssembler(
                ranges: AxisRanges(x: 0...1000, y: 0...500), senderID: sender, generationCount: generation)
        }
        func frame(_ phase: DeviceContact.Phase) -> ContactFrame {
            ContactFrame(time: .zero, contacts: [DeviceContact(id: 1, phase: phase, x: 500, y: 250)])
        }
        var faults: [ContactFault] = []
        var first = assembler(7, 3)
        _ = first.assemble(frame(.began), at: .boot, faults: &faults)
        let move = first.assemble(frame(.moved), at: .boot, faults: &faults)
        for (sender, generation, isAppended) in [(7, 3, true), (7, 4, false), (8, 3, false)] as [(UInt64, UInt32, Bool)]
        {
            var next = assembler(sender, generation)
            _ = next.assemble(frame(.began), at: .boot, faults: &faults)
            var list = ScanList(move.map { [$0] } ?? [])
            #expect(next.appendMove(frame(.moved), at: .boot, to: &list) == isAppended)
            #expect(list.count == (isAppended ? 2 : 1))
        }
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
