// MessageCodec.swift: payloads, field by field. The names here are the drawing in Docs/Wire.md.

import Basics
import HID

extension Message {
    func encode(into writer: inout ByteWriter) {
        switch self {
        case .hello, .shutdown, .ready, .reportRequest, .screenshot: break
        case .link(let word): word.encode(into: &writer)
        case .digitizer(let event): event.encode(into: &writer)
        case .device(let event): event.encode(into: &writer, place: "place, 16.16 of the panel: x")
        case .touches(let frame): frame.encode(into: &writer)
        case .input(let event): event.encode(into: &writer, place: "place, 16.16 points: x")
        case .lifeCycle(let moment): writer.put(moment.rawValue, "moment")
        case .scene(let state): state.encode(into: &writer)
        case .windows(let diff): diff.encode(into: &writer)
        case .handled(let receipt): receipt.encode(into: &writer)
        case .launch(let order): order.encode(into: &writer)
        case .roster(let entries):
            writer.put(UInt32(entries.count), "entries")
            for entry in entries { entry.encode(into: &writer) }
        case .act(let act): act.encode(into: &writer)
        case .play(let order): order.encode(into: &writer)
        case .stopPlay(let id): writer.put(id, "play")
        case .played(let report): report.encode(into: &writer)
        case .measured(let ledgers):
            writer.put(UInt32(ledgers.count), "ledgers")
            for ledger in ledgers {
                writer.put(UInt32(ledger.count), "each: stamps")
                ledger.encode(into: &writer)
            }
        case .report(let report): report.encode(into: &writer)
        case .refused(let why): writer.put(why, "reason")
        case .misconduct(let misconduct): misconduct.encode(into: &writer)
        case .stalled(let stall): stall.encode(into: &writer)
        case .overran(let overrun): overrun.encode(into: &writer)
        case .chaos(let fault): writer.put(fault, "fault")
        case .observe(let observation): observation.encode(into: &writer)
        case .facts(let page): page.encode(into: &writer)
        case .detailRequest(let request): request.encode(into: &writer)
        case .detail(let page): page.encode(into: &writer)
        case .spy(let request): request.encode(into: &writer)
        case .spied(let page): page.encode(into: &writer)
        case .open(let request): request.encode(into: &writer)
        case .opened(let answer): answer.encode(into: &writer)
        case .wanted(let wish): wish.encode(into: &writer)
        }
    }

    init(kind: MessageKind, from reader: inout ByteReader) throws(WireError) {
        switch kind {
        case .hello: self = .hello
        case .shutdown: self = .shutdown
        case .ready: self = .ready
        case .reportRequest: self = .reportRequest
        case .link: self = .link(try LinkWord(from: &reader))
        case .digitizer: self = .digitizer(try HIDEvent(from: &reader))
        case .device: self = .device(try DeviceEvent(from: &reader))
        case .touches: self = .touches(try TouchFrame(from: &reader))
        case .input: self = .input(try DeviceEvent(from: &reader))
        case .lifeCycle: self = .lifeCycle(try reader.takeCase("life cycle"))
        case .scene: self = .scene(try SceneState(from: &reader))
        case .windows: self = .windows(try WindowsDiff(from: &reader))
        case .handled: self = .handled(try Receipt(from: &reader))
        case .launch: self = .launch(try LaunchOrder(from: &reader))
        case .roster:
            let count = try reader.takeCount(of: "roster entries", size: RosterEntry.size, limit: 1024)
            var entries: [RosterEntry] = []
            for _ in 0..<count { entries.append(try RosterEntry(from: &reader)) }
            self = .roster(entries)
        case .act: self = .act(try SystemAct(from: &reader))
        case .play: self = .play(try PlayOrder(from: &reader))
        case .stopPlay: self = .stopPlay(try reader.take())
        case .played: self = .played(try PlayReport(from: &reader))
        case .measured:
            let count = try reader.takeCount(of: "ledgers", size: 52, limit: Message.ledgersPerFrame)
            var ledgers: [Ledger] = []
            for _ in 0..<count {
                let stamps = try reader.take(UInt32.self)
                guard stamps <= 6 else { throw .badValue("ledger stamp count", UInt64(stamps)) }
                ledgers.append(try Ledger(from: &reader, count: Int(stamps)))
            }
            self = .measured(ledgers)
        case .report: self = .report(try Report(from: &reader))
        case .refused: self = .refused(try reader.takeText("reason"))
        case .misconduct: self = .misconduct(try Misconduct(from: &reader))
        case .stalled: self = .stalled(try Stall(from: &reader))
        case .overran: self = .overran(try Overrun(from: &reader))
        case .chaos: self = .chaos(try reader.takeText("fault"))
        case .observe: self = .observe(try Observation(from: &reader))
        case .facts: self = .facts(try FactPage(from: &reader))
        case .detailRequest: self = .detailRequest(try DetailRequest(from: &reader))
        case .detail: self = .detail(try DetailPage(from: &reader))
        case .spy: self = .spy(try SpyRequest(from: &reader))
        case .spied: self = .spied(try SpyPage(from: &reader))
        case .open: self = .open(try OpenRequest(from: &reader))
        case .opened: self = .opened(try OpenAnswer(from: &reader))
        case .wanted: self = .wanted(try Wish(from: &reader))
        case .screenshot: self = .screenshot
        }
    }

    /// How many ledgers one `measured` may carry: a packet's worth.
    public static let ledgersPerFrame = 1200
}

extension LinkWord {
    func encode(into writer: inout ByteWriter) {
        switch self {
        case .probe:
            writer.put(UInt8(0), "word: 0 probe, 1 heard")
            writer.put(UInt64(0), "heard: the first frame not answered yet, 0 none")
            writer.put(UInt64(0), "heard: frames missed")
        case .heard(let oldest, let missed):
            writer.put(UInt8(1), "word: 0 probe, 1 heard")
            writer.put(oldest, "heard: the first frame not answered yet, 0 none")
            writer.put(missed, "heard: frames missed")
        }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let word = try reader.take(UInt8.self)
        let (oldest, missed) = (try reader.take(UInt64.self), try reader.take(UInt64.self))
        switch (word, oldest, missed) {
        case (0, 0, 0): self = .probe
        case (1, _, _): self = .heard(oldest: oldest, missed: missed)
        default: throw .badValue("link word", UInt64(word))
        }
    }
}

extension DigitizerEvent {
    /// The least one takes: nothing measured but a place.
    static let size = 26

    /// Bits of the flag byte: which optional fields follow. Two more bits say the orientation's kind.
    private enum Part {
        static let pressure: UInt8 = 1 << 0
        static let radii: UInt8 = 1 << 1
        static let lie: UInt8 = 1 << 2
        static let pen: UInt8 = 1 << 3
        static let updates: UInt8 = 1 << 4
        static let kind: UInt8 = 5
        static let unknown: UInt8 = 1 << 7
    }

    /// - Parameter generation: The event's; one that is the same is not said again.
    func encode(into writer: inout ByteWriter, generation: UInt32) {
        var flags = orientation.kind.rawValue << Part.kind
        if pressure != .zero { flags |= Part.pressure }
        if majorRadius != .zero || minorRadius != .zero { flags |= Part.radii }
        let lie = orientation.lie
        if lie.0 != .zero || lie.1 != .zero || lie.2 != .zero || lie.3 != .zero { flags |= Part.lie }
        if z != .zero || buttonMask != 0 || auxPressure != .zero || twist != .zero { flags |= Part.pen }
        if generationCount != generation || childMask != [] || willUpdateMask != [] || didUpdateMask != [] {
            flags |= Part.updates
        }
        writer.put(transducer.rawValue, "transducer: 0 stylus, 1 puck, 2 finger, 3 hand")
        writer.put(
            flags,
            "parts: 1 pressure, 2 radii, 4 lie, 8 pen, 16 updates; 32 × orientation: 0 tilt, 1 polar, 2 quality")
        writer.put(index, "index")
        writer.put(identity, "identity")
        writer.put(mask.rawValue, "event mask")
        writer.put(options.rawValue, "options")
        writer.put(x.rawValue, "x, 16.16 of the panel")
        writer.put(y.rawValue, "y, 16.16 of the panel")
        if flags & Part.pressure != 0 { writer.put(pressure.rawValue, "pressure: 16.16") }
        if flags & Part.radii != 0 {
            writer.put(majorRadius.rawValue, "radii: major, 16.16 mm")
            writer.put(minorRadius.rawValue, "radii: minor, 16.16 mm")
        }
        if flags & Part.lie != 0 {
            writer.put(lie.0.rawValue, "lie: tilt x (degrees) · altitude (radians) · quality, 16.16")
            writer.put(lie.1.rawValue, "lie: tilt y (degrees) · azimuth (radians) · density, 16.16")
            writer.put(lie.2.rawValue, "lie: 0 · quality · irregularity, 16.16")
            writer.put(lie.3.rawValue, "lie: 0 · density · accuracy, 16.16")
        }
        if flags & Part.pen != 0 {
            writer.put(z.rawValue, "pen: z, 16.16")
            writer.put(buttonMask, "pen: buttons")
            writer.put(auxPressure.rawValue, "pen: pressure of the barrel, 16.16")
            writer.put(twist.rawValue, "pen: twist, 16.16 degrees")
        }
        if flags & Part.updates != 0 {
            writer.put(generationCount, "updates: generation")
            writer.put(childMask.rawValue, "updates: event mask of the children")
            writer.put(willUpdateMask.rawValue, "updates: what will be corrected")
            writer.put(didUpdateMask.rawValue, "updates: what is corrected")
        }
    }

    init(from reader: inout ByteReader, generation: UInt32) throws(WireError) {
        let transducer: DigitizerTransducer = try reader.takeCase("transducer")
        let flags = try reader.take(UInt8.self)
        guard flags & Part.unknown == 0,
            let kind = DigitizerOrientation.Kind(rawValue: (flags >> Part.kind) & 3),
            kind != .tilt || flags & Part.radii == 0
        else { throw .badValue("digitizer parts", UInt64(flags)) }
        self.init(
            transducer: transducer, index: try reader.take(), identity: try reader.take(),
            mask: DigitizerEventMask(rawValue: try reader.take()),
            options: DigitizerOptions(rawValue: try reader.take()),
            x: try reader.takeFixed(), y: try reader.takeFixed(), generationCount: generation)
        if flags & Part.pressure != 0 { pressure = try reader.takeFixed() }
        var radii = (Fixed.zero, Fixed.zero)
        if flags & Part.radii != 0 { radii = (try reader.takeFixed(), try reader.takeFixed()) }
        var lie = (Fixed.zero, Fixed.zero, Fixed.zero, Fixed.zero)
        if flags & Part.lie != 0 {
            lie = (
                try reader.takeFixed(), try reader.takeFixed(), try reader.takeFixed(), try reader.takeFixed()
            )
            guard kind != .tilt || (lie.2 == .zero && lie.3 == .zero) else {
                throw .badValue("digitizer tilt", UInt64(UInt32(bitPattern: lie.2.rawValue | lie.3.rawValue)))
            }
        }
        orientation = DigitizerOrientation(kind, lie: lie, radii: radii)
        if flags & Part.pen != 0 {
            (z, buttonMask) = (try reader.takeFixed(), try reader.take())
            (auxPressure, twist) = (try reader.takeFixed(), try reader.takeFixed())
        }
        if flags & Part.updates != 0 {
            generationCount = try reader.take()
            childMask = DigitizerEventMask(rawValue: try reader.take())
            willUpdateMask = DigitizerUpdateMask(rawValue: try reader.take())
            didUpdateMask = DigitizerUpdateMask(rawValue: try reader.take())
        }
    }
}

extension DigitizerOrientation {
    /// Everything but the radii, in the order the drawing has it.
    fileprivate var lie: (Fixed, Fixed, Fixed, Fixed) {
        switch self {
        case .tilt(let tilt): (tilt.x, tilt.y, .zero, .zero)
        case .polar(let polar): (polar.altitude, polar.azimuth, polar.quality, polar.density)
        case .quality(let quality): (quality.quality, quality.density, quality.irregularity, quality.accuracy)
        }
    }

    fileprivate init(_ kind: Kind, lie: (Fixed, Fixed, Fixed, Fixed), radii: (Fixed, Fixed)) {
        self =
            switch kind {
            case .tilt: .tilt(Tilt(x: lie.0, y: lie.1))
            case .polar:
                .polar(
                    Polar(
                        altitude: lie.0, azimuth: lie.1, quality: lie.2, density: lie.3, majorRadius: radii.0,
                        minorRadius: radii.1))
            case .quality:
                .quality(
                    Quality(
                        quality: lie.0, density: lie.1, irregularity: lie.2, majorRadius: radii.0,
                        minorRadius: radii.1, accuracy: lie.3))
            }
    }
}

extension HIDEvent {
    func encode(into writer: inout ByteWriter) {
        writer.put(timeStamp.nanoseconds, "time stamp, ns")
        writer.put(senderID, "sender")
        writer.put(generationCount, "device generation")
        let width = panelWidth == .zero ? 0 : Self.hasPanelWidth
        let isElsewhere = display == 1 ? 0 : Self.isElsewhere
        writer.put(
            (scanTime?.width ?? 0) | width | isElsewhere,
            "bytes of the device's scan time, 0...4, 0: it has none; 8 panel width; 16 display")
        if let scanTime { writer.put(scanTime.ticks, "scan time: in the device's own ticks") }
        if panelWidth != .zero { writer.put(panelWidth.rawValue, "panel width: 16.16 mm") }
        if display != 1 { writer.put(display, "display, if not the main one: from 2") }
        hand.encode(into: &writer, generation: generationCount)
        writer.put(UInt32(fingers.count), "fingers")
        for finger in fingers { finger.encode(into: &writer, generation: generationCount) }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let (time, sender, generation) = (
            try reader.take(Int64.self), try reader.take(UInt64.self), try reader.take(UInt32.self)
        )
        let parts = try reader.take(UInt8.self)
        let width = parts & ~(Self.hasPanelWidth | Self.isElsewhere)
        guard width <= 4 else { throw .badValue("event parts", UInt64(parts)) }
        let scanTime = width == 0 ? nil : DigitizerScanTime(ticks: try reader.take(), width: width)
        let panelWidth = parts & Self.hasPanelWidth == 0 ? .zero : try reader.takeFixed()
        let display = parts & Self.isElsewhere == 0 ? 1 : try reader.takeDisplay(from: 2)
        let hand = try DigitizerEvent(from: &reader, generation: generation)
        let count = try reader.takeCount(of: "fingers", size: DigitizerEvent.size, limit: Self.fingerLimit)
        var fingers: [DigitizerEvent] = []
        fingers.reserveCapacity(count)
        for _ in 0..<count { fingers.append(try DigitizerEvent(from: &reader, generation: generation)) }
        self.init(
            timeStamp: Instant(nanoseconds: time), senderID: sender, hand: hand, fingers: fingers, scanTime: scanTime)
        (self.panelWidth, self.display) = (panelWidth, display)
    }

    private static let hasPanelWidth: UInt8 = 8
    private static let isElsewhere: UInt8 = 16
}

extension TouchFrame {
    func encode(into writer: inout ByteWriter) {
        writer.put(timeStamp.nanoseconds, "time stamp, ns")
        writer.put(UInt32(contacts.count), "contacts")
        for contact in contacts { contact.encode(into: &writer) }
        writer.put(UInt32(history.count), "history: scans that became part of it")
        for earlier in history {
            writer.put(earlier.timeStamp.nanoseconds, "each: time stamp, ns; then the same contacts")
            for contact in earlier.contacts { contact.encode(into: &writer) }
        }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let time = Instant(nanoseconds: try reader.take(Int64.self))
        let count = try reader.takeCount(of: "contacts", size: TouchContact.size, limit: Self.contactLimit)
        var contacts: [TouchContact] = []
        contacts.reserveCapacity(count)
        for _ in 0..<count { contacts.append(try TouchContact(from: &reader)) }
        self.init(timeStamp: time, contacts: contacts)
        let earlier = try reader.takeCount(
            of: "history", size: 8 + count * TouchContact.size, limit: Self.historyLimit)
        guard earlier > 0 else { return }
        guard earlier * count <= Self.historyContactLimit else {
            throw .tooLong("contacts of the history", count: earlier * count, limit: Self.historyContactLimit)
        }
        guard contacts.allSatisfy(\.isHeld) else { throw .badValue("history of an edge", UInt64(earlier)) }
        history.reserveCapacity(earlier)
        for _ in 0..<earlier { history.append(try TouchFrame(before: self, from: &reader)) }
    }

    /// One scan of a frame's history: of the frame's touches, none of which begins or ends.
    private init(before frame: TouchFrame, from reader: inout ByteReader) throws(WireError) {
        let time = Instant(nanoseconds: try reader.take(Int64.self))
        var contacts: [TouchContact] = []
        contacts.reserveCapacity(frame.contacts.count)
        for later in frame.contacts {
            let contact = try TouchContact(from: &reader)
            guard contact.touch == later.touch, contact.isHeld else {
                throw .badValue("touch in the history of \(later.touch)", UInt64(contact.touch.rawValue))
            }
            contacts.append(contact)
        }
        self.init(timeStamp: time, contacts: contacts)
    }
}

extension TouchContact {
    /// Whether it neither begins nor ends here.
    fileprivate var isHeld: Bool { phase == .moved || phase == .stationary }

    /// The least one takes: nothing measured but a place.
    static let size = 14

    /// Bits of the flag byte: what the panel measured besides.
    private enum Part {
        static let radius: UInt8 = 1 << 0
        static let pressure: UInt8 = 1 << 1
        static let angles: UInt8 = 1 << 2
        static let pencil: UInt8 = 1 << 3
        static let gated: UInt8 = 1 << 4
        static let all: UInt8 = 0x1F
    }

    func encode(into writer: inout ByteWriter) {
        var flags: UInt8 = tool == .pencil ? Part.pencil : 0
        if majorRadius != .zero { flags |= Part.radius }
        if pressure != .zero { flags |= Part.pressure }
        if angles != nil { flags |= Part.angles }
        if isGated { flags |= Part.gated }
        writer.put(touch.rawValue, "each: touch")
        writer.put(phase.rawValue, "each: phase: 0 began, 1 moved, 2 stationary, 3 ended, 4 cancelled")
        writer.put(flags, "each: parts: 1 radius, 2 pressure, 4 angles; 8: it is a pencil; 16: gated")
        writer.put(x.rawValue, "each: x, 16.16 points")
        writer.put(y.rawValue, "each: y, 16.16 points")
        if flags & Part.radius != 0 { writer.put(majorRadius.rawValue, "radius: major, 16.16 points") }
        if flags & Part.pressure != 0 { writer.put(pressure.rawValue, "pressure: 16.16 of the panel's most") }
        if let angles {
            writer.put(angles.altitude.rawValue, "angles: altitude, 16.16 radians from the glass")
            writer.put(angles.azimuth.rawValue, "angles: azimuth, 16.16 radians from the screen's x axis")
        }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let (touch, phase) = (TouchID(rawValue: try reader.take()), try reader.takeCase("phase", as: Phase.self))
        let flags = try reader.take(UInt8.self)
        guard flags & ~Part.all == 0 else { throw .badValue("contact parts", UInt64(flags)) }
        self.init(
            touch: touch, phase: phase, x: try reader.takeFixed(), y: try reader.takeFixed(),
            tool: flags & Part.pencil != 0 ? .pencil : .direct)
        isGated = flags & Part.gated != 0
        if flags & Part.radius != 0 { majorRadius = try reader.takeFixed() }
        if flags & Part.pressure != 0 { pressure = try reader.takeFixed() }
        if flags & Part.angles != 0 {
            angles = PencilAngles(altitude: try reader.takeFixed(), azimuth: try reader.takeFixed())
        }
    }
}

extension DeviceEvent {
    /// Every kind has the same fields, so that a drawing of one is a drawing of all: what a kind does not have is 0.
    func encode(into writer: inout ByteWriter, place: StaticString) {
        writer.put(timeStamp.nanoseconds, "time stamp, ns")
        let kind: StaticString = "kind: 0 key, 1 shake, 2 remote, 3 scroll, 4 hover, 5 transform"
        let (code, page, usage, first, second): (UInt8, UInt16, UInt16, Fixed, Fixed) =
            switch input.content {
            case .key(let usage): (0, usage.page, usage.usage, .zero, .zero)
            case .shake: (1, 0, 0, .zero, .zero)
            case .remote(let command): (2, 0, UInt16(command.rawValue), .zero, .zero)
            case .scroll(_, let dx, let dy): (3, 0, 0, dx, dy)
            case .hover: (4, 0, 0, .zero, .zero)
            case .transform(_, let scale, let rotation): (5, 0, 0, scale, rotation)
            }
        writer.put(code, kind)
        writer.put(input.phase.rawValue, "phase: 0 began, 1 changed, 2 ended, 3 cancelled, 4 once")
        writer.put(page, "key: usage page")
        writer.put(usage, "key: usage; remote: command, 100 play … 109 end seeking forward")
        writer.put(input.place?.x.rawValue ?? 0, place)
        writer.put(input.place?.y.rawValue ?? 0, "place: y")
        writer.put(first.rawValue, "scroll: dx, 16.16 points; transform: scale, 16.16")
        writer.put(second.rawValue, "scroll: dy, 16.16 points; transform: radians, 16.16")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let time = Instant(nanoseconds: try reader.take(Int64.self))
        let kind = try reader.take(UInt8.self)
        let phase: DeviceInput.Phase = try reader.takeCase("phase")
        let (page, usage) = (try reader.take(UInt16.self), try reader.take(UInt16.self))
        let place = DeviceInput.Place(x: try reader.takeFixed(), y: try reader.takeFixed())
        let (first, second) = (try reader.takeFixed(), try reader.takeFixed())
        let content: DeviceInput.Content
        switch kind {
        case 0: content = .key(HIDUsage(page: page, usage: usage))
        case 1: content = .shake
        case 2:
            guard let command = UInt8(exactly: usage).flatMap(RemoteCommand.init) else {
                throw .badValue("remote command", UInt64(usage))
            }
            content = .remote(command)
        case 3: content = .scroll(place, dx: first, dy: second)
        case 4: content = .hover(place)
        case 5:
            // What shrinks to nothing has no size to grow from.
            guard first > .zero else { throw .badValue("scale", UInt64(UInt32(bitPattern: first.rawValue))) }
            content = .transform(place, scale: first, rotation: second)
        case let other: throw .badValue("device kind", UInt64(other))
        }
        let input = DeviceInput(phase, content)
        guard input.isPossible else { throw .badValue("phase", UInt64(phase.rawValue)) }
        for value in [place.x, place.y, first, second] where value == .nan {
            throw .badValue("device measure", UInt64(UInt32(bitPattern: value.rawValue)))
        }
        self.init(timeStamp: time, input: input)
    }
}

extension Receipt {
    func encode(into writer: inout ByteWriter) {
        writer.put(frame, "frame: sequence answered")
        writer.put(outcome.rawValue, "outcome: 0 delivered, 1 home, 2 dropped")
        writer.put(reason.rawValue, "reason of a drop: 0 none, else as Receipt.Reason counts")
        writer.put(began, "began")
        writer.put(moved, "moved")
        writer.put(stationary, "stationary")
        writer.put(ended, "ended")
        writer.put(cancelled, "cancelled")
        writer.put(takenByMonitor, "taken by a touch monitor before: moved, ended or cancelled")
        writer.put(takenBySystem, "taken by a system gesture before: moved, ended or cancelled")
        writer.put(deferredEdges ?? Self.notAsked, "deferred edges: 1 top, 2 left, 4 bottom, 8 right; 255 not asked")
    }

    private static let notAsked: UInt8 = 255

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            frame: try reader.take(), outcome: try reader.takeCase("outcome"), reason: try reader.takeCase("reason"),
            began: try reader.take(), moved: try reader.take(), stationary: try reader.take(),
            ended: try reader.take(), cancelled: try reader.take())
        takenByMonitor = try reader.take()
        takenBySystem = try reader.take()
        let edges = try reader.take(UInt8.self)
        if edges != Self.notAsked {
            guard edges < 16 else { throw .badValue("deferred edges", UInt64(edges)) }
            deferredEdges = edges
        }
        // No drop without a reason, and no reason without a drop.
        guard (outcome == .dropped) == (reason != .none) else {
            throw .badValue("reason of a receipt", UInt64(reason.rawValue))
        }
    }
}

extension Misconduct {
    func encode(into writer: inout ByteWriter) {
        peer.encode(into: &writer)
        writer.put(generation, "generation")
        writer.put(strikes, "strikes")
        writer.put(reason, "reason")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            peer: try Peer(from: &reader), generation: try reader.take(), strikes: try reader.take(),
            reason: try reader.takeText("reason"))
    }
}

extension Stall {
    func encode(into writer: inout ByteWriter) {
        writer.put(app, "app")
        writer.put(generation, "generation")
        writer.put(episode, "episode")
        writer.put(hop.rawValue, "who has it: 0 the link, 1 the app's main loop")
        writer.put(frame, "first unanswered frame")
        writer.put(since.nanoseconds, "since, ns")
        writer.put(unanswered, "frames unanswered")
        writer.put(waiting, "frames waiting")
        writer.put(touches, "touches lost")
        writer.put(lasted?.nanoseconds ?? -1, "lasted, ns; -1 while it does")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            app: try reader.take(), generation: try reader.take(), episode: try reader.take(),
            hop: try reader.takeCase("hop"), frame: try reader.take(),
            since: Instant(nanoseconds: try reader.take()), unanswered: try reader.take(), waiting: try reader.take(),
            touches: try reader.take())
        let lasted = try reader.take(Int64.self)
        guard lasted >= -1 else { throw .badValue("length of a stall", UInt64(bitPattern: lasted)) }
        self.lasted = lasted < 0 ? nil : .nanoseconds(lasted)
    }
}

extension Overrun {
    func encode(into writer: inout ByteWriter) {
        writer.put(app, "app")
        writer.put(generation, "generation")
        writer.put(moment.rawValue, "moment")
        writer.put(limit.nanoseconds, "limit, ns")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            app: try reader.take(), generation: try reader.take(), moment: try reader.takeCase("life cycle"),
            limit: .nanoseconds(try reader.take(Int64.self)))
    }
}

extension Peer {
    package func encode(into writer: inout ByteWriter) {
        writer.put(role.rawValue, "role: 0 supervisor, 1 input-kit, 2 system-server, 3 app, 4 controller")
        writer.put(instance, "instance")
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(try reader.takeCase("role"), try reader.take())
    }
}

extension LaunchOrder {
    package func encode(into writer: inout ByteWriter) {
        peer.encode(into: &writer)
        writer.put(epoch, "epoch")
        writer.put(generation, "generation")
        writer.put(runDirectory, "run directory")
        writer.put(UInt32(settings.count), "settings")
        for setting in settings {
            writer.put(setting.key, "each: key")
            writer.put(setting.value, "each: value")
        }
        writer.put(UInt8(opens == nil ? 0 : 1), "is launched with a URL: what follows")
        opens?.encode(into: &writer)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let peer = try Peer(from: &reader)
        let (epoch, generation) = (try reader.take(UInt32.self), try reader.take(UInt32.self))
        let directory = try reader.takeText("run directory")
        var settings: [Setting] = []
        for _ in 0..<(try reader.takeCount(of: "settings", size: 8, limit: 4096)) {
            settings.append(Setting(key: try reader.takeText("key"), value: try reader.takeText("value")))
        }
        let opens = try reader.takeBool("is launched with a URL") ? try OpenRequest(from: &reader) : nil
        self.init(
            peer: peer, epoch: epoch, generation: generation, runDirectory: directory, settings: settings, opens: opens)
    }
}

extension RosterEntry {
    static let size = 50

    func encode(into writer: inout ByteWriter) {
        peer.encode(into: &writer)
        writer.put(pid, "pid")
        writer.put(uid, "uid")
        writer.put(generation, "generation")
        writer.put(UInt8(isReady ? 1 : 0), "ready")
        writer.put(seal.first, "seal, SHA-256 of its pass")
        writer.put(seal.second, "seal")
        writer.put(seal.third, "seal")
        writer.put(seal.fourth, "seal")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            peer: try Peer(from: &reader), pid: try reader.take(), uid: try reader.take(),
            generation: try reader.take(), isReady: try reader.takeBool("ready"),
            seal: Seal(try reader.take(), try reader.take(), try reader.take(), try reader.take()))
    }
}

extension SystemAct {
    func encode(into writer: inout ByteWriter) {
        switch self {
        case .interrupt: writer.put(UInt8(0), "act")
        case .resume: writer.put(UInt8(1), "act")
        case .home: writer.put(UInt8(2), "act")
        case .foreground(let app):
            writer.put(UInt8(3), "act: 0 interrupt, 1 resume, 2 home, 3 foreground, 4 lock, 5 unlock")
            writer.put(app, "app, for 3")
        case .lock: writer.put(UInt8(4), "act")
        case .unlock: writer.put(UInt8(5), "act")
        case .split(let app, let other):
            writer.put(UInt8(6), "act: 6 split, 7 overlay, 8 suspend, 9 terminate, 10 alert, 11 keyboard, 12 display")
            writer.put(app, "app, for 6 to 9")
            writer.put(other, "the other app, for 6")
        case .overlay(let app, let frame):
            writer.put(UInt8(7), "act")
            writer.put(app, "app")
            frame.encode(into: &writer, x: "frame, 16.16 points of the screen: x")
        case .suspend(let app):
            writer.put(UInt8(8), "act")
            writer.put(app, "app")
        case .terminate(let app):
            writer.put(UInt8(9), "act")
            writer.put(app, "app")
        case .alert: writer.put(UInt8(10), "act")
        case .keyboard(let height):
            writer.put(UInt8(11), "act")
            writer.put(height.rawValue, "height, 16.16 points")
        case .display(let isOn):
            writer.put(UInt8(12), "act")
            writer.put(UInt8(isOn ? 1 : 0), "on")
        case .orientation(let app, let orientation):
            writer.put(UInt8(13), "act")
            writer.put(app, "app")
            writer.put(orientation.rawValue, "orientation: 1 portrait, 2 upside down, 3 landscape right, 4 left")
        }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.take(UInt8.self) {
        case 0: self = .interrupt
        case 1: self = .resume
        case 2: self = .home
        case 3: self = .foreground(app: try reader.take())
        case 4: self = .lock
        case 5: self = .unlock
        case 6: self = .split(app: try reader.take(), with: try reader.take())
        case 7: self = .overlay(app: try reader.take(), frame: try SceneFrame(from: &reader))
        case 8: self = .suspend(app: try reader.take())
        case 9: self = .terminate(app: try reader.take())
        case 10: self = .alert
        case 11:
            let height = try reader.takeFixed()
            guard height >= .zero else { throw .badValue("height", UInt64(UInt32(bitPattern: height.rawValue))) }
            self = .keyboard(height: height)
        case 12: self = .display(isOn: try reader.takeBool("display"))
        case 13: self = .orientation(app: try reader.take(), try InterfaceOrientation(from: &reader))
        case let other: throw .badValue("act", UInt64(other))
        }
    }
}

extension PlayOrder {
    func encode(into writer: inout ByteWriter) {
        writer.put(id, "id")
        let kind: StaticString = "source: 0 file, 1 script, 2 synthetic, 3 marker"
        switch source {
        case .file(let path):
            writer.put(UInt8(0), kind)
            writer.put(path, "path; for 1 the script; for 2 a u32 of frames; for 3 nothing")
        case .script(let text):
            writer.put(UInt8(1), kind)
            writer.put(text, "script")
        case .synthetic(let frames):
            writer.put(UInt8(2), kind)
            writer.put(frames, "frames")
        case .marker: writer.put(UInt8(3), kind)
        }
        let (pace, measure): (UInt8, UInt64) =
            switch pace {
            case .times(let thousandths): (0, UInt64(thousandths))
            case .max: (1, 0)
            case .every(let nanoseconds): (2, nanoseconds)
            case .closedLoop: (3, 0)
            }
        writer.put(pace, "pace: 0 times, 1 max, 2 every, 3 closed loop")
        writer.put(measure, "speed in thousandths for 0, ns for 2")
        writer.put(repeats, "repeats")
        writer.put(warmUpFrames, "warm-up frames")
        writer.put(UInt8(wantsLedgers ? 1 : 0), "wants ledgers")
        writer.put(UInt8(absentMeansLifted ? 1 : 0), "absent means lifted")
        writer.put(display, "display, from 1")
        writer.put(UInt8(ranges == nil ? 0 : 1), "axes follow")
        if let ranges {
            writer.put(ranges.x.lowerBound, "least x")
            writer.put(ranges.x.upperBound, "greatest x")
            writer.put(ranges.y.lowerBound, "least y")
            writer.put(ranges.y.upperBound, "greatest y")
        }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        let id = try reader.take(UInt32.self)
        let source: Source
        switch try reader.take(UInt8.self) {
        case 0: source = .file(try reader.takeText("path"))
        case 1: source = .script(try reader.takeText("script"))
        case 2: source = .synthetic(frames: try reader.take())
        case 3: source = .marker
        case let other: throw .badValue("source", UInt64(other))
        }
        let pace: Pace
        switch (try reader.take(UInt8.self), try reader.take(UInt64.self)) {
        case (0, let thousandths):
            guard thousandths > 0, let short = UInt32(exactly: thousandths) else {
                throw .badValue("speed", thousandths)
            }
            pace = .times(short)
        case (1, _): pace = .max
        case (2, let nanoseconds):
            guard nanoseconds > 0 else { throw .badValue("period", 0) }
            pace = .every(nanoseconds)
        case (3, _): pace = .closedLoop
        case (let other, _): throw .badValue("pace", UInt64(other))
        }
        let repeats = try reader.take(UInt32.self)
        guard repeats > 0 else { throw .badValue("repeats", 0) }
        self.init(
            id: id, source: source, pace: pace, repeats: repeats, warmUpFrames: try reader.take(),
            wantsLedgers: try reader.takeBool("wants ledgers"))
        absentMeansLifted = try reader.takeBool("absent means lifted")
        display = try reader.takeDisplay()
        guard try reader.takeBool("axes follow") else { return }
        ranges = AxisRanges(x: try reader.takeRange("x range"), y: try reader.takeRange("y range"))
    }
}

extension PlayReport {
    func encode(into writer: inout ByteWriter) {
        writer.put(id, "id")
        writer.put(sent, "sent")
        writer.put(answered, "answered")
        writer.put(delivered, "delivered")
        writer.put(home, "home")
        writer.put(dropped, "dropped")
        writer.put(sentBegan, "sent began")
        writer.put(sentMoved, "sent moved")
        writer.put(sentEnded, "sent ended")
        writer.put(sentCancelled, "sent cancelled")
        writer.put(began, "began")
        writer.put(moved, "moved")
        writer.put(ended, "ended")
        writer.put(cancelled, "cancelled")
        writer.put(coalesced, "coalesced")
        writer.put(taken, "taken: frames")
        writer.put(takenByMonitor, "taken by touch monitors: moved, ended or cancelled")
        writer.put(takenBySystem, "taken by system gestures: moved, ended or cancelled")
        writer.put(failure, "failure")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(id: try reader.take())
        sent = try reader.take()
        answered = try reader.take()
        delivered = try reader.take()
        home = try reader.take()
        dropped = try reader.take()
        sentBegan = try reader.take()
        sentMoved = try reader.take()
        sentEnded = try reader.take()
        sentCancelled = try reader.take()
        began = try reader.take()
        moved = try reader.take()
        ended = try reader.take()
        cancelled = try reader.take()
        coalesced = try reader.take()
        taken = try reader.take()
        takenByMonitor = try reader.take()
        takenBySystem = try reader.take()
        failure = try reader.takeText("failure")
    }
}

extension Report {
    func encode(into writer: inout ByteWriter) {
        peer.encode(into: &writer)
        rows.encode(into: &writer)
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(peer: try Peer(from: &reader), rows: try Report.rows(from: &reader))
    }

    static func rows(from reader: inout ByteReader) throws(WireError) -> [Row] {
        var rows: [Row] = []
        for _ in 0..<(try reader.takeCount(of: "report rows", size: 6, limit: 4096)) {
            let key = try reader.takeText("key")
            switch try reader.take(UInt8.self) {
            case 0: rows.append(Row(key, .number(try reader.take())))
            case 1: rows.append(Row(key, .text(try reader.takeText("value"))))
            case 2: rows.append(Row(key, .flag(try reader.takeBool("flag"))))
            case let other: throw .badValue("report value", UInt64(other))
            }
        }
        return rows
    }
}

extension [Report.Row] {
    func encode(into writer: inout ByteWriter) {
        writer.put(UInt32(count), "rows")
        let kind: StaticString = "each: 0 number, 1 text, 2 flag"
        for row in self {
            writer.put(row.key, "each: key")
            switch row.value {
            case .number(let number):
                writer.put(UInt8(0), kind)
                writer.put(number, "each: value; for 1 text, for 2 a u8")
            case .text(let text):
                writer.put(UInt8(1), kind)
                writer.put(text, "each: value")
            case .flag(let flag):
                writer.put(UInt8(2), kind)
                writer.put(UInt8(flag ? 1 : 0), "each: value")
            }
        }
    }
}

extension ByteReader {
    mutating func takeRange(_ what: String) throws(WireError) -> ClosedRange<Int32> {
        let (least, greatest) = (try take(Int32.self), try take(Int32.self))
        guard least < greatest else { throw .badValue(what, UInt64(UInt32(bitPattern: greatest))) }
        return least...greatest
    }

    mutating func takeFixed() throws(WireError) -> Fixed { Fixed(rawValue: try take(Int32.self)) }

    mutating func takeDisplay(from first: UInt8 = 1) throws(WireError) -> UInt8 {
        let display = try take(UInt8.self)
        guard (first...HIDEvent.displayLimit).contains(display) else { throw .badValue("display", UInt64(display)) }
        return display
    }
}
