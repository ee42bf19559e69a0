import Basics
import HID
import Testbed
import Testing
import Wire

@Suite("Frame codec")
struct FrameCodecTests {

    @Test("the sample frames contain every kind of message")
    func everyKind() {
        #expect(Set(sampleFrames.map(\.message.kind)) == Set(MessageKind.allCases))
    }

    @Test("an encoded frame decodes to the same frame", arguments: sampleFrames)
    func roundTrip(frame: Frame) throws {
        #expect(try Frame.decode(packet: frame.encoded()) == [frame])
    }

    @Test("a packet carries several frames in order")
    func batch() throws {
        var packet: [UInt8] = []
        for frame in sampleFrames { frame.encode(into: &packet) }
        #expect(try Frame.decode(packet: packet) == sampleFrames)
    }

    @Test("a frame cut anywhere is refused", arguments: sampleFrames)
    func truncation(frame: Frame) {
        let whole = frame.encoded()
        for length in 0..<whole.count {
            #expect(throws: WireError.self) { try Frame.decode(packet: Array(whole[..<length])) }
        }
    }

    @Test("a frame with an invalid header is refused with the reason")
    func lies() {
        func damaged(_ offset: Int, _ value: UInt8) -> [UInt8] {
            var bytes = sampleFrames[0].encoded()
            bytes[offset] = value
            return bytes
        }
        #expect(throws: WireError.notAFrame(magic: 0x4C00)) { try Frame.decode(packet: damaged(0, 0)) }
        #expect(throws: WireError.version(200, known: Frame.version)) { try Frame.decode(packet: damaged(2, 200)) }
        // An older version is refused with both numbers and is not misread.
        #expect(throws: WireError.version(1, known: Frame.version)) { try Frame.decode(packet: damaged(2, 1)) }
        #expect(WireError.version(1, known: 3).description == "protocol version 1, this process speaks 3")
        #expect(throws: WireError.unknownKind(200)) { try Frame.decode(packet: damaged(3, 200)) }
        #expect(throws: WireError.badValue("ledger stamp count", 7)) { try Frame.decode(packet: damaged(36, 7)) }
        #expect(throws: WireError.trailingBytes(1)) {
            try Frame.decode(packet: damaged(4, 1) + [0])
        }
        #expect(throws: WireError.tooLong("packet", count: 65_537, limit: 65_536)) {
            try Frame.decode(packet: [UInt8](repeating: 0, count: 65_537))
        }
    }

    @Test("F22: a frame of another version is refused unless it is a refusal")
    func versions() throws {
        for frame in sampleFrames {
            for version in [Frame.version - 1, Frame.version + 1] {
                var bytes = frame.encoded()
                bytes[2] = version
                guard frame.message.kind != .refused else {
                    #expect(try Frame.decode(packet: bytes) == [frame])
                    continue
                }
                #expect(throws: WireError.version(version, known: Frame.version)) { try Frame.decode(packet: bytes) }
            }
        }
    }

    @Test("a contact count beyond its limit is refused")
    func promises() {
        guard let touches = sampleFrames.first(where: { $0.message.kind == .touches }) else { return }
        var bytes = touches.encoded()
        for i in 0..<4 { bytes[Frame.headerSize + 8 + i] = 0xFF }
        #expect(throws: WireError.tooLong("contacts", count: 0xFFFF_FFFF, limit: TouchFrame.contactLimit)) {
            try Frame.decode(packet: bytes)
        }
    }

    @Test("a touch frame with an impossible history is refused")
    func impossibleHistory() throws {
        let sound = try #require(
            sampleFrames.first { if case .touches(let frame) = $0.message { !frame.history.isEmpty } else { false } })
        func expectRefused(_ change: (inout TouchFrame) -> Void) {
            guard case .touches(var touches) = sound.message else { return }
            change(&touches)
            var frame = sound
            frame.message = .touches(touches)
            #expect(throws: WireError.self) { try Frame.decode(packet: frame.encoded()) }
        }
        guard case .touches(let touches) = sound.message, let earlier = touches.history.first else { return }
        func expectSampleRefused(_ change: (inout TouchFrame) -> Void) {
            var sample = earlier
            change(&sample)
            expectRefused { $0.history = [earlier, sample] }
        }
        expectSampleRefused { $0.contacts[0].touch = TouchID(rawValue: 9) }
        expectSampleRefused { $0.contacts[0].phase = .ended }
        expectSampleRefused { $0.contacts.removeLast() }
        expectRefused { $0.contacts[0].phase = .began }
        expectRefused {
            $0.history = TouchList(
                repeatElement(earlier, count: TouchFrame.historyLimit(contacts: earlier.contacts.count) + 1))
        }
        expectRefused { frame in
            frame.contacts = (0..<20).map { index in
                var contact = frame.contacts[0]
                contact.touch = TouchID(rawValue: UInt32(index))
                return contact
            }
            let earlier = TouchFrame(timeStamp: frame.timeStamp, contacts: frame.contacts)
            frame.history = TouchList(repeatElement(earlier, count: TouchFrame.historyLimit(contacts: 20) + 1))
        }
    }

    @Test("the longest history of a pencil fits into a packet", arguments: [1, 2, 5, 32, 768, 1091, 2048])
    func longestHistory(contacts: Int) throws {
        func sample(_ number: Int) -> TouchFrame {
            let contacts = (1...contacts).map { index in
                var contact = contact(UInt32(index), .moved)
                contact.tool = .pencil
                (contact.majorRadius, contact.pressure) = (Fixed(5), Fixed(Double(1 + number % 100) / 128))
                contact.angles = PencilAngles(altitude: Fixed(0.5), azimuth: Fixed(1))
                contact.isGated = true
                return contact
            }
            return TouchFrame(timeStamp: Instant(nanoseconds: Int64(number)), contacts: contacts)
        }
        let limit = TouchFrame.historyLimit(contacts: contacts)
        var frame = sample(0)
        frame.history = TouchList((0..<limit).map(sample))
        let sent = Frame(epoch: 1, generation: 1, sequence: 1, message: .touches(frame))
        let bytes = sent.encoded()
        #expect(bytes.count <= Frame.packetLimit)
        #expect(try Frame.decode(packet: bytes) == [sent])
    }

    @Test("a frame of several scans is refused with one scan, too many, or a landing in them")
    func severalScans() throws {
        func isAccepted(_ message: Message) -> Bool {
            let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: message)
            return (try? Frame.decode(packet: frame.encoded())) == [frame]
        }
        func moves(_ scans: Int, fingers: UInt32 = 1) -> [HIDEvent] {
            (0..<scans).map { _ in scan((1...fingers).map { moved($0) }, at: .boot) }
        }
        func told(_ scans: Int, fingers: UInt32 = 1, _ phase: ContactPhase = .moved) -> [TouchFrame] {
            (0..<scans).map { _ in TouchFrame(timeStamp: .boot, contacts: (1...fingers).map { contact($0, phase) }) }
        }
        for scans in [2, 128] {
            #expect(
                isAccepted(.scans(ScanList(moves(scans)))) && isAccepted(.severalTouches(TouchList(told(scans)))),
                "\(scans)")
        }
        for scans in [0, 1, 129] {
            #expect(
                !isAccepted(.scans(ScanList(moves(scans)))) && !isAccepted(.severalTouches(TouchList(told(scans)))),
                "\(scans)")
        }
        #expect(
            isAccepted(.scans(ScanList(moves(8, fingers: 32))))
                && isAccepted(.severalTouches(TouchList(told(8, fingers: 32)))))
        #expect(
            !isAccepted(.scans(ScanList(moves(9, fingers: 32))))
                && !isAccepted(.severalTouches(TouchList(told(9, fingers: 32)))))
        for edge in [landed(1), lifted(1), cancelled(1)] {
            #expect(!isAccepted(.scans(ScanList(moves(1) + [scan([edge], at: .boot)]))))
        }
        for phase in [ContactPhase.began, .ended, .cancelled] {
            #expect(!isAccepted(.severalTouches(TouchList(told(1) + told(1, phase)))), "\(phase)")
        }
        // A scan that differs from the one before it in more than positions is coded in full.
        var changed = moves(5, fingers: 2)
        changed[1].fingers[1].position.x = Fixed(0.75)
        changed[2].fingers[0].pressure = Fixed(0.5)
        changed[3] = scan([moved(1)], at: Instant(nanoseconds: 9))
        (changed[4].scanTime, changed[4].senderID) = (DigitizerScanTime(ticks: 7, width: 2), 3)
        #expect(isAccepted(.scans(ScanList(changed))))
        let changes: [(inout HIDEvent) -> Void] = [
            { $0.senderID = 9 }, { $0.panelWidth = Fixed(7) }, { $0.display = 2 }, { $0.generationCount = 4 },
            { $0.scanTime = DigitizerScanTime(ticks: 1, width: 4) }, { $0.hand.options = .touch }, { $0.hand.z = .one },
            { $0.fingers[0].barrel.twist = .one }, { $0.fingers[0].orientation = .quality(.init(density: .one)) },
            { $0.fingers[0].transducer = .stylus }, { $0.fingers[0].index = 7 }, { $0.fingers[0].identity = 7 },
            { $0.fingers[0].mask = .attribute }, { $0.fingers[0].childMask = .attribute }, { $0.fingers[0].z = .one },
            { $0.fingers[0].buttonMask = 1 }, { $0.fingers[0].pressure = .one }, { $0.fingers[0].generationCount = 5 },
            { $0.fingers[0].options = [.range] }, { $0.fingers[0].corrections.expected = .init(rawValue: 1) },
            { $0.hand.transducer = .puck }, { $0.hand.mask = .attribute }, { $0.fingers = [] },
        ]
        // A field that is not compared would be lost in a move: see `isMove` in ScanList.swift, TouchList.swift and
        // FrameAssembler.swift.
        #expect(Mirror(reflecting: moves(1)[0]).children.count == 7)
        #expect(Mirror(reflecting: DigitizerScanTime(ticks: 1, width: 2)).children.count == 2)
        #expect(Mirror(reflecting: moves(1)[0].hand).children.count == 14)
        #expect(Mirror(reflecting: told(1, fingers: 1)[0].contacts[0]).children.count == 8)
        for (number, change) in changes.enumerated() {
            var events = moves(3)
            change(&events[1])
            #expect(isAccepted(.scans(ScanList(events))), "change \(number)")
        }
        var different = told(4, fingers: 2)
        different[1].contacts[1].position.x = Fixed(0.75)
        different[2].contacts[0].phase = .stationary
        #expect(isAccepted(.severalTouches(TouchList(different))))
        let contactChanges: [(inout TouchContact) -> Void] = [
            { $0.touch = TouchID(rawValue: 9) }, { $0.phase = .stationary }, { $0.tool = .pencil },
            { $0.isGated = true },
            { $0.majorRadius = .one }, { $0.pressure = Fixed(0.5) },
            { $0.angles = PencilAngles(altitude: .one, azimuth: .one) },
        ]
        for (number, change) in contactChanges.enumerated() {
            var frames = told(3)
            change(&frames[1].contacts[0])
            #expect(isAccepted(.severalTouches(TouchList(frames))), "change \(number)")
        }
        let empty = TouchList(repeatElement(TouchFrame(timeStamp: .boot, contacts: []), count: 3))
        #expect(isAccepted(.severalTouches(empty)))
        #expect(!isAccepted(.severalTouches(TouchList(told(2, fingers: 2048)))))
        // A move may be coded in full, and is then stored and coded again as a move.
        let several = Frame(epoch: 1, generation: 1, sequence: 1, message: .severalTouches(TouchList(told(2))))
        let alone = Frame(epoch: 1, generation: 1, sequence: 1, message: .touches(told(1)[0])).encoded()
        var full = Array(several.encoded()[..<(Frame.headerSize + 34)] + [0] + alone[Frame.headerSize...])
        full[4] = UInt8(full.count - Frame.headerSize)
        #expect(try Frame.decode(packet: full) == [several])
        // The number of samples in the history of the first scan becomes 1.
        var bytes = Frame(epoch: 1, generation: 1, sequence: 1, message: .severalTouches(empty)).encoded()
        bytes[Frame.headerSize + 16] = 1
        #expect(throws: WireError.badValue("a history in scans", 1)) { try Frame.decode(packet: bytes) }
        let whole = Frame(epoch: 1, generation: 1, sequence: 1, message: .scans(ScanList(moves(128)))).encoded().count
        let single = Frame(epoch: 1, generation: 1, sequence: 1, message: .scans(ScanList(moves(2)))).encoded().count
        #expect(whole - single == 126 * 25)
        // The longest frames fit into a packet.
        let long = moves(8, fingers: 32).map { event in
            var event = event
            for index in event.fingers.indices { event.fingers[index].pressure = Fixed(0.5) }
            return event
        }
        #expect(isAccepted(.scans(ScanList(long))))
        let many = moves(128, fingers: 2).enumerated().map { index, event in
            var event = event
            event.scanTime = DigitizerScanTime(ticks: 1, width: index.isMultiple(of: 2) ? 2 : 4)
            for index in event.fingers.indices {
                event.fingers[index].barrel.twist = .one
                event.fingers[index].orientation = .quality(.init(density: .one))
            }
            return event
        }
        #expect(isAccepted(.scans(ScanList(many))))
    }

    @Test("an impossible device input is refused")
    func impossibleInputs() {
        func damaged(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
            var all = sampleFrames.first { $0.message.kind == .input }!.encoded()
            for (i, byte) in bytes.enumerated() { all[Frame.headerSize + offset + i] = byte }
            return all
        }
        #expect(throws: WireError.badValue("device kind", 9)) { try Frame.decode(packet: damaged(8, [9])) }
        #expect(throws: WireError.badValue("phase", 7)) { try Frame.decode(packet: damaged(9, [7])) }
        // The scroll becomes a remote command of no known kind, and then one that goes on.
        #expect(throws: WireError.badValue("remote command", 0)) { try Frame.decode(packet: damaged(8, [2])) }
        #expect(throws: WireError.badValue("phase", 1)) {
            try Frame.decode(packet: damaged(8, [2, 1, 0, 0, 100, 0]))
        }
        #expect(throws: WireError.badValue("phase", 1)) { try Frame.decode(packet: damaged(8, [0])) }
        // The scroll to the left becomes a transform with a negative scale, and then one with scale zero.
        #expect(throws: WireError.badValue("scale", 0xFFFD_0000)) { try Frame.decode(packet: damaged(8, [5])) }
        #expect(throws: WireError.badValue("scale", 0)) {
            try Frame.decode(packet: damaged(8, [5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
        }
        #expect(throws: WireError.badValue("device measure", 0x8000_0000)) {
            try Frame.decode(packet: damaged(14, [0, 0, 0, 0x80]))
        }
    }

    @Test("a receipt has a reason exactly when it reports a drop")
    func receiptReasons() throws {
        for outcome in Receipt.Outcome.allCases {
            for reason in Receipt.Reason.allCases {
                let receipt = Receipt(frame: 1, outcome: outcome, reason: reason)
                let bytes = Frame(epoch: 1, generation: 1, sequence: 1, message: .handled(receipt)).encoded()
                if (outcome == .dropped) == (reason != .none) {
                    #expect(try Frame.decode(packet: bytes).map(\.message) == [.handled(receipt)])
                } else {
                    #expect(throws: WireError.badValue("reason of a receipt", UInt64(reason.rawValue))) {
                        try Frame.decode(packet: bytes)
                    }
                }
            }
        }
    }

    @Test("a decoded list takes the memory of one without copies, and of no other")
    func decodingMemory() throws {
        func scan(_ x: Int32) -> Frame {
            let finger = DigitizerEvent(
                transducer: .finger, index: 1, identity: 2, mask: .position, options: .touch,
                at: Point(Fixed(rawValue: x), .zero))
            let event = HIDEvent(timeStamp: .boot, senderID: 1, hand: finger, fingers: [finger])
            return Frame(epoch: 1, generation: 1, sequence: 1, message: .digitizer(event))
        }
        func touches(_ x: Int32) -> Frame {
            let contact = TouchContact(touch: TouchID(rawValue: 1), phase: .moved, at: Point(Fixed(rawValue: x), .zero))
            let touches = TouchFrame(timeStamp: .boot, contacts: [contact])
            return Frame(epoch: 1, generation: 1, sequence: 1, message: .touches(touches))
        }
        for make in [scan, touches] {
            let memory = DecodingMemory()
            func decode(_ frame: Frame, _ body: (Frame) -> Void) throws {
                // The list of this frame must not leave its memory to the decoded one.
                try withExtendedLifetime(frame) {
                    try frame.encoded().withUnsafeBytes { try Frame.decode(packet: $0, in: memory) { body($0) } }
                }
            }
            func address(of frame: Frame) -> UnsafeRawPointer? {
                switch frame.message {
                case .digitizer(let event): event.value.fingers.withUnsafeBytes { $0.baseAddress }
                case .touches(let touches): touches.contacts.withUnsafeBytes { $0.baseAddress }
                default: nil
                }
            }
            var (first, second): (UnsafeRawPointer?, UnsafeRawPointer?)
            var kept: Frame?
            try decode(make(1)) { first = address(of: $0) }
            try decode(make(2)) { frame in (second, kept) = (address(of: frame), frame) }
            #expect(first != nil && first == second)
            var third: UnsafeRawPointer?
            try decode(make(3)) { frame in
                third = address(of: frame)
                #expect(frame == make(3))
            }
            #expect(third != second && kept == make(2))
        }
    }

    @Test("200,000 damaged packets never trap the frame decoder")
    func damage() {
        var chance = SeededGenerator(seed: 20)
        let memory = DecodingMemory()
        var refused = 0
        for round in 0..<200_000 {
            var bytes = sampleFrames[round % sampleFrames.count].encoded()
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            if Bool.random(using: &chance) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &chance)) }
            let decoded = try? Frame.decode(packet: bytes)
            if decoded == nil { refused += 1 }
            // Memory of earlier frames, also of those that were refused, changes nothing.
            var frames: [Frame] = []
            let isWhole = bytes.withUnsafeBytes { bytes in
                do { try Frame.decode(packet: bytes, in: memory) { frames.append($0) } } catch { return false }
                return true
            }
            #expect((isWhole ? frames : nil) == decoded)
        }
        #expect(refused > 100_000)
    }

    @Test("a ledger takes six stamps in order and no seventh")
    func ledger() {
        var ledger = Ledger(device: Instant(nanoseconds: 1))
        #expect(ledger[.inputSent] == nil)
        for i in 2...9 { ledger.append(Instant(nanoseconds: Int64(i))) }
        #expect(Ledger.Hop.allCases.map { ledger[$0]?.nanoseconds } == [1, 2, 3, 4, 5, 6])
        #expect(ledger.isComplete)
    }

    @Test("measured values survive encoding, and unmeasured values take no bytes")
    func measures() throws {
        var chance = SeededGenerator(seed: 6)
        func fixed() -> Fixed {
            Bool.random(using: &chance) ? .zero : Fixed(rawValue: Int32.random(in: -9...9, using: &chance))
        }
        for _ in 0..<2000 {
            var contact = TouchContact(
                touch: TouchID(rawValue: 7), phase: .moved, at: Point(fixed(), fixed()), majorRadius: fixed(),
                pressure: fixed(), tool: Bool.random(using: &chance) ? .pencil : .direct)
            if Bool.random(using: &chance) { contact.angles = PencilAngles(each: fixed) }
            var finger = DigitizerEvent(
                transducer: .finger, index: 1, identity: 2, mask: .position, options: .touch,
                at: Point(fixed(), fixed()),
                pressure: fixed(), generationCount: UInt32.random(in: 0...1, using: &chance))
            finger.orientation =
                [
                    .tilt(.init(x: fixed(), y: fixed())),
                    .polar(
                        .init(
                            altitude: fixed(), azimuth: fixed(), quality: fixed(), density: fixed(),
                            majorRadius: fixed(), minorRadius: fixed())),
                    .quality(
                        .init(
                            quality: fixed(), density: fixed(), irregularity: fixed(), majorRadius: fixed(),
                            minorRadius: fixed(), accuracy: fixed())),
                ][Int.random(in: 0...2, using: &chance)]
            (finger.z, finger.barrel.pressure, finger.barrel.twist) = (fixed(), fixed(), fixed())
            finger.childMask = DigitizerEventMask(rawValue: UInt32.random(in: 0...1, using: &chance))
            var event = HIDEvent(
                timeStamp: .boot, senderID: 1, hand: finger, fingers: [finger, finger],
                scanTime: Bool.random(using: &chance) ? nil : DigitizerScanTime(ticks: 5, width: 3))
            (event.panelWidth, event.display) = (fixed(), DisplayID(.random(in: 1...4, using: &chance)))
            event.fingers[1].generationCount = 1
            for message in [Message.touches(TouchFrame(timeStamp: .boot, contacts: [contact])), .digitizer(event)] {
                let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: message)
                #expect(try Frame.decode(packet: frame.encoded()) == [frame])
            }
        }
        let bare = TouchContact(touch: TouchID(rawValue: 7), phase: .moved, at: Point(.one, .one))
        let message = Message.touches(TouchFrame(timeStamp: .boot, contacts: [bare]))
        let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: message)
        #expect(frame.encoded().count == Frame.headerSize + 16 + 14)
    }

    @Test("a touch frame can carry all fingers of two panels")
    func severalPanels() throws {
        let contacts = (0..<UInt32(2 * HIDEvent.fingerLimit)).map {
            TouchContact(touch: TouchID(rawValue: $0), phase: .stationary, at: Point(.one, .one))
        }
        let message = Message.touches(TouchFrame(timeStamp: .boot, contacts: contacts))
        let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: message)
        #expect(try Frame.decode(packet: frame.encoded()) == [frame])
    }

    @Test("gates and deferred edges survive encoding, and invalid edges are refused")
    func gates() throws {
        func isWhole(_ message: Message) throws -> Bool {
            let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: message)
            return try Frame.decode(packet: frame.encoded()) == [frame]
        }
        let contact = TouchContact(
            touch: TouchID(rawValue: 1), phase: .began, at: .zero, tool: .pencil, isGated: true)
        #expect(try isWhole(.touches(TouchFrame(timeStamp: .boot, contacts: [contact]))))
        var receipt = Receipt(frame: 1, outcome: .delivered, began: 1)
        for edges in [nil, 0, 4, 15] as [UInt8?] {
            receipt.deferredEdges = edges
            #expect(try isWhole(.handled(receipt)))
        }
        receipt.deferredEdges = 16
        let bytes = Frame(epoch: 1, generation: 1, sequence: 1, message: .handled(receipt)).encoded()
        #expect(throws: WireError.badValue("deferred edges", 16)) { try Frame.decode(packet: bytes) }
    }

    @Test("a message with unknown part bits is refused")
    func unknownParts() {
        func damaged(_ kind: MessageKind, _ offset: Int, _ byte: UInt8) -> [UInt8] {
            var bytes = sampleFrames.first { $0.message.kind == kind }!.encoded()
            bytes[Frame.headerSize + offset] = byte
            return bytes
        }
        #expect(throws: WireError.badValue("contact parts", 32)) {
            try Frame.decode(packet: damaged(.touches, 17, 32))
        }
        #expect(throws: WireError.badValue("event parts", 5)) { try Frame.decode(packet: damaged(.digitizer, 20, 5)) }
        for parts in [0x80, 0x60, 0x02] as [UInt8] {
            #expect(throws: WireError.badValue("digitizer parts", UInt64(parts))) {
                try Frame.decode(packet: damaged(.digitizer, 31, parts))
            }
        }
    }
}
