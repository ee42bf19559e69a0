import Basics
import HID
import Testbed
import Testing

@Suite("Assembly of contacts into IOKit's hand and fingers")
struct FrameAssemblerTests {
    @Test(
        "a finger's phase follows from its mask and its options",
        arguments: [
            ([.range, .touch], [.range, .touch], .began), ([.range, .touch, .position], [.touch], .began),
            ([.position], [.touch], .moved), ([], [.touch], .stationary), ([.range, .touch], [], .ended),
            ([.range, .touch, .cancel], [], .cancelled), ([.cancel], [.touch], .cancelled),
            ([.position, .range], [.range], nil),
        ] as [(DigitizerEventMask, DigitizerOptions, ContactPhase?)])
    func phase(mask: DigitizerEventMask, options: DigitizerOptions, phase: ContactPhase?) {
        let finger = DigitizerEvent(
            transducer: .finger, index: 1, identity: 1, mask: mask, options: options, at: .zero)
        #expect(finger.phase == phase)
    }

    private var assembler = FrameAssembler(
        ranges: AxisRanges(x: 0...1000, y: 0...500), senderID: 7, generationCount: 3)
    private var faults: [ContactFault] = []

    private mutating func scan(_ contacts: (Int64, DeviceContact.Phase, Int32, Int32)...) -> HIDEvent? {
        let frame = ContactFrame(
            time: .zero, contacts: contacts.map { DeviceContact(id: $0.0, phase: $0.1, x: $0.2, y: $0.3) })
        return assembler.assemble(frame, at: Instant(nanoseconds: 5), faults: &faults)
    }

    /// Returns a line such as `hand 0 did touch+range, holds touch+range, (0.500, 0.500)`.
    private func text(_ event: DigitizerEvent) -> String {
        let masks: [(DigitizerEventMask, String)] = [
            (.range, "range"), (.touch, "touch"), (.position, "position"), (.identity, "identity"),
            (.cancel, "cancel"),
        ]
        let holds: [(DigitizerOptions, String)] = [
            (.range, "range"), (.touch, "touch"), (.isCollection, "collection"),
        ]
        func names(_ list: [String]) -> String { list.isEmpty ? "-" : list.joined(separator: "+") }
        let mask = names(masks.filter { event.mask.contains($0.0) }.map(\.1))
        let options = names(holds.filter { event.options.contains($0.0) }.map(\.1))
        return
            "\(event.transducer) \(event.index) did \(mask), holds \(options), (\(event.position.x), \(event.position.y))"
    }

    private func text(_ event: HIDEvent?) -> [String] {
        guard let event else { return ["nothing"] }
        return [text(event.hand)] + event.fingers.map(text)
    }

    @Test("event masks record changes and options record state, from landing to lift")
    mutating func masks() {
        var lines: [String] = []
        lines += text(scan((40, .began, 500, 250)))
        lines += text(scan((40, .moved, 600, 250), (41, .began, 1000, 500)))
        lines += text(scan((40, .stationary, 600, 250), (41, .moved, 900, 500)))
        lines += text(scan((40, .ended, 999, 999), (41, .stationary, 900, 500)))
        lines += text(scan((42, .began, 600, 250), (41, .cancelled, 900, 500)))
        lines += text(scan((42, .ended, 600, 250)))
        lines += text(scan())
        #expect(faults == [])
        expectTrace(
            lines,
            matches: """
                hand 0 did range+touch+position+identity, holds range+touch+collection, (0.500, 0.500)
                finger 1 did range+touch+position, holds range+touch, (0.500, 0.500)
                hand 0 did range+touch+position+identity, holds range+touch+collection, (0.800, 0.750)
                finger 1 did position, holds range+touch, (0.600, 0.500)
                finger 2 did range+touch+position, holds range+touch, (1.000, 1.000)
                hand 0 did position, holds range+touch+collection, (0.750, 0.750)
                finger 1 did -, holds range+touch, (0.600, 0.500)
                finger 2 did position, holds range+touch, (0.900, 1.000)
                hand 0 did range+touch+identity, holds range+touch+collection, (0.900, 1.000)
                finger 1 did range+touch, holds -, (0.600, 0.500)
                finger 2 did -, holds range+touch, (0.900, 1.000)
                hand 0 did range+touch+identity+cancel, holds range+touch+collection, (0.600, 0.500)
                finger 1 did range+touch, holds range+touch, (0.600, 0.500)
                finger 2 did range+touch+cancel, holds -, (0.900, 1.000)
                hand 0 did range+touch+identity, holds collection, (0.600, 0.500)
                finger 1 did range+touch, holds -, (0.600, 0.500)
                nothing
                """)
    }

    @Test("a finger that lands as another lifts gets its own index")
    mutating func swap() {
        _ = scan((1, .began, 0, 0), (2, .began, 10, 10))
        let event = scan((1, .ended, 0, 0), (2, .stationary, 10, 10), (3, .began, 20, 20))
        #expect(event?.fingers.map(\.index) == [1, 2, 3])
        #expect(
            scan((2, .stationary, 10, 10), (3, .stationary, 20, 20), (4, .began, 0, 0))?.fingers.map(\.index) == [
                1, 2, 3,
            ])
        #expect(event?.fingers.map(\.identity) == [1, 2, 3])
    }

    @Test("a contact that lifts and lands in one scan is two fingers")
    mutating func sameName() {
        _ = scan((1, .began, 0, 0))
        let event = scan((1, .ended, 0, 0), (1, .began, 500, 250))
        #expect(event?.fingers.map(\.isTouching) == [false, true])
        #expect(scan((1, .ended, 500, 250))?.fingers.map(\.index) == [2])
        #expect(faults == [])
    }

    @Test("the frame assembler repairs a panel's faults and reports each one")
    mutating func repairs() {
        #expect(scan((1, .moved, 5, 5))?.fingers.first?.mask == [.range, .touch, .position])
        #expect(scan((1, .began, 6, 5))?.fingers.first?.mask == [.position])
        #expect(
            scan((1, .moved, 6, 5), (2, .began, 0, 0))?.fingers.map(\.mask) == [
                .position, [.range, .touch, .position],
            ])
        #expect(scan((2, .ended, 0, 0))?.fingers.map(\.mask) == [[], [.range, .touch]])
        #expect(scan((1, .moved, 7, 7), (1, .moved, 8, 8))?.fingers.count == 1)
        #expect(scan((1, .moved, 9, 9), (1, .ended, 9, 9))?.fingers.map(\.isTouching) == [false])
        #expect(scan((1, .ended, 9, 9)) == nil)
        #expect(scan((2, .began, 9, 9), (2, .ended, 9, 9)) == nil)
        #expect(
            faults == [
                ContactFault(contact: 1, rule: .neverBegan), ContactFault(contact: 1, rule: .beganTwice),
                ContactFault(contact: 1, rule: .vanished), ContactFault(contact: 1, rule: .twiceInScan),
                ContactFault(contact: 1, rule: .neverBegan), ContactFault(contact: 2, rule: .twiceInScan),
            ])
        #expect(assembler.downFingerCount == 0)
    }

    @Test("a scan without changes makes no event, but a reported move does")
    mutating func nothingNew() {
        _ = scan((1, .began, 5, 5), (2, .began, 6, 6))
        #expect(scan((1, .stationary, 5, 5), (2, .stationary, 6, 6)) == nil)
        #expect(scan() == nil)
        #expect(scan((1, .moved, 5, 5), (2, .stationary, 6, 6))?.fingers.map(\.mask) == [.position, []])
    }

    @Test("positions beyond the panel's ranges are clamped to its edge")
    mutating func saturation() {
        let event = scan((1, .began, -50, 501))
        #expect(event?.fingers.first?.position.x == .zero)
        #expect(event?.fingers.first?.position.y == .one)
    }

    @Test("contacts beyond 32 are ignored until they lift")
    mutating func crowd() {
        let everybody = (0..<40).map { DeviceContact(id: Int64($0), phase: .began, x: 0, y: 0) }
        let event = assembler.assemble(ContactFrame(time: .zero, contacts: everybody), at: .boot, faults: &faults)
        #expect(event?.fingers.count == 32)
        #expect(faults.count == 8)
        #expect(scan((39, .ended, 0, 0), (0, .moved, 9, 9))?.fingers.count == 32)
        #expect(assembler.cancelAll(at: .boot)?.fingers.count == 32)
        #expect(assembler.cancelAll(at: .boot) == nil)
    }

    @Test("for random contacts each finger begins once, ends once, keeps its index")
    func anything() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            var assembler = FrameAssembler(ranges: AxisRanges(x: 0...9, y: 0...9), senderID: 0, generationCount: 0)
            var faults: [ContactFault] = []
            var (other, otherFaults, events) = (assembler, [ContactFault](), [HIDEvent]())
            var live: [UInt32] = []
            var (began, closed) = (0, 0)
            func check(_ event: HIDEvent?) {
                for finger in event?.fingers ?? [] {
                    let isKnown = live.contains(finger.index)
                    #expect(finger.isTouching || isKnown, "a finger left that had not come")
                    if finger.isTouching, finger.mask.contains(.touch) {
                        #expect(!isKnown)
                        live.append(finger.index)
                        began += 1
                    } else {
                        #expect(isKnown)
                        if !finger.isTouching {
                            live.removeAll { $0 == finger.index }
                            closed += 1
                        }
                    }
                }
                let indices = event?.fingers.map(\.index) ?? []
                #expect(indices == Array(Set(indices)).sorted())
            }
            for _ in 0..<40 {
                let contacts = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    DeviceContact(
                        id: Int64.random(in: 0...4, using: &generator),
                        phase: DeviceContact.Phase(rawValue: UInt8.random(in: 0...4, using: &generator)) ?? .began,
                        x: Int32.random(in: -3...12, using: &generator), y: 4)
                }
                let frame = ContactFrame(time: .zero, contacts: contacts)
                let event = assembler.assemble(frame, at: .boot, faults: &faults)
                check(event)
                #expect(live.count == assembler.downFingerCount)
                // The same event behind those of earlier scans, which still have their records.
                let earlier = events
                #expect(other.assemble(frame, at: .boot, faults: &otherFaults, into: &events) == (event != nil))
                #expect(events == earlier + (event.map { [$0] } ?? []))
            }
            check(assembler.cancelAll(at: .boot))
            #expect(began == closed && faults == otherFaults)
        }
    }
}
