import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Trace
import Wire

@testable import InputKitCore

@Suite("Live devices")
struct LiveDeviceTests: LiveDeviceSuite {
    @Test("Docs/Reference/Machines/DeviceNodeMachine.md matches the transition function")
    func lifeTable() {
        expectMachineTable(
            "DeviceNodeMachine", states: DeviceNodeMachine.State.allCases, inputs: DeviceNodeMachine.Input.allCases,
            transition: DeviceNodeMachine.transition)
    }

    @Test("Docs/Reference/Machines/LiveContact.md matches the transition function")
    func fingerTable() {
        expectMachineTable(
            "LiveContact", states: LiveContact.State.allCases, inputs: LiveContact.Input.allCases,
            transition: LiveContact.transition)
    }

    @Test("input-kit watches no devices unless device.open names them")
    func watching() throws {
        #expect(try Bench().panels.orders.isEmpty)
        #expect(
            try Bench(settings: [("device.open", "all")]).panels.orders
                == [.watch(folder: "/dev/input", names: []), .watch(folder: "/dev", names: [])])
        let paths = try Bench(settings: [("device.open", "/dev/input/event3,/dev/hidraw0,/dev/input/event1")])
        #expect(
            paths.panels.orders == [
                .watch(folder: "/dev/input", names: ["event3", "event1"]),
                .watch(folder: "/dev", names: ["hidraw0"]),
            ])
    }

    @Test("with device.virtual, the folder of the run directory is watched besides device.open")
    func virtualFolder() throws {
        let virtual = [("device.virtual", "true")]
        let folder = "/run/devices"
        #expect(try Bench(settings: virtual).panels.orders == [.watch(folder: folder, names: [])])
        #expect(
            try Bench(settings: virtual + [("device.open", "/dev/input/event1")]).panels.orders == [
                .watch(folder: folder, names: []), .watch(folder: "/dev/input", names: ["event1"]),
            ])
        var bench = try Bench.open(settings: virtual)
        bench.now = .ms(1000)
        bench.plug("\(folder)/event7", SlotPanel.facts())
        bench.deliverBytes("\(folder)/event7", SlotPanel.bytes(land(7, 250, 750), at: .ms(1000)))
        #expect(bench.sent.count == 1)
        // What is found in a folder is read only if it is a touch screen.
        guard case .evdev(var touchpad) = SlotPanel.facts() else { preconditionFailure() }
        touchpad.properties = [1]
        bench.plug("\(folder)/event8", .evdev(touchpad))
        _ = bench.report()
        #expect(bench.row("device.event8.state") == .text("ignored: a touchpad"))
        #expect(bench.row("devices.virtual") == .text(folder))
    }

    @Test("a live panel's touch is traced with the panel's own timestamps")
    func trace() throws {
        var bench = try open()
        bench.outbox.trace.removeFacts()
        bench.plug(a, SlotPanel.facts())
        bench.now = .ms(1010)
        bench.deliverBytes(a, SlotPanel.bytes(land(7, 250, 750), at: .ms(1008)))
        bench.now = .ms(1050)
        bench.deliverBytes(a, SlotPanel.bytes([.at(300, 750), .report], at: .ms(1049)))
        bench.now = .ms(1060)
        bench.deliverBytes(a, SlotPanel.bytes([.id(-1), .report], at: .ms(1059)))
        expectTrace(
            bench.facts,
            matches: """
                 1000.000 ms  device     /d/event0 "Panel" is sender 2, generation 1
                 1010.000 ms  device     contact 1 down at (0.250, 0.750)
                 1010.000 ms  hid        hand and 1 finger, mask range|touch|position|identity
                 1010.000 ms  frame      #1 one contact, began
                 1050.000 ms  device     contact 1 moved to (0.300, 0.750)
                 1050.000 ms  hid        hand and 1 finger, mask position
                 1050.000 ms  frame      #2 one contact, moved
                 1060.000 ms  device     contact 1 up at (0.300, 0.750)
                 1060.000 ms  hid        hand and 1 finger, mask range|touch|identity
                 1060.000 ms  frame      #3 one contact, ended
                """)
        #expect(bench.sent.map(\.event.timeStamp) == [.ms(1008), .ms(1049), .ms(1059)])
        #expect(bench.sent.map { $0.frame.ledger[.device] } == [.ms(1008), .ms(1049), .ms(1059)])
    }

    @Test("replugging a panel cancels its finger and increments the sender's generation")
    func replug() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(7), at: bench.now))
        bench.unplug(a)
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(7), at: bench.now))
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 cancelled", "2.2 finger 1 began"])
        _ = bench.report()
        #expect(bench.row("device.event0.generation") == .number(2))
        #expect(bench.row("contacts.live") == .number(1))
    }

    @Test("a device whose name vanishes is closed and ignored afterwards")
    func vanishedFirst() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(7), at: bench.now))
        bench.deliver(.device(.vanished(path: a)))
        #expect(bench.panels.orders.last == .close(bench.id(of: a)))
        bench.deliverBytes(a, SlotPanel.bytes([.at(1, 1), .report], at: bench.now))
        bench.deliver(.device(.lost(bench.id(of: a), reason: "unplugged")))
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 cancelled"])
        _ = bench.report()
        #expect(bench.row("device.event0.state") == .text("absent: unplugged"))
    }

    @Test("two panels are two senders with separate fingers")
    func two() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts("A", place: "here"))
        bench.plug(b, SlotPanel.facts("B", place: "there"))
        bench.deliverBytes(a, SlotPanel.bytes(land(7), at: bench.now))
        bench.deliverBytes(b, SlotPanel.bytes(land(7), at: bench.now))
        bench.deliverBytes(b, SlotPanel.bytes([.id(-1), .report], at: bench.now))
        bench.unplug(a)
        #expect(
            bench.fingerLines == [
                "2.1 finger 1 began", "3.1 finger 1 began", "3.1 finger 1 ended", "2.1 finger 1 cancelled",
            ])
    }

    @Test("a device that fails to open is retried and opened on reappearance")
    func retries() throws {
        var bench = try open()
        bench.deliver(.device(.appeared(path: a)))
        bench.pass(.seconds(60))
        let opens = bench.panels.orders.count { if case .open = $0 { true } else { false } }
        #expect(opens == 1 + 5)
        _ = bench.report()
        #expect(bench.row("device.event0.state") == .text("failed: unplugged"))
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(7), at: bench.now))
        #expect(bench.fingerLines == ["2.1 finger 1 began"])
    }

    @Test("a lost panel that is still present is opened again")
    func reopened() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliver(.device(.lost(bench.id(of: a), reason: "unplugged")))
        bench.pass(.milliseconds(100))
        bench.deliverBytes(a, SlotPanel.bytes(land(7), at: bench.now))
        #expect(bench.fingerLines == ["2.2 finger 1 began"])
    }

    @Test("a device repeatedly lost right after opening is eventually given up")
    func flapping() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        for _ in 0..<100 {
            bench.deliver(.device(.lost(bench.id(of: a), reason: "unplugged")))
            bench.pass(.seconds(10))
        }
        #expect(bench.panels.openings == 101)
        for _ in 0..<100 {
            bench.deliver(.device(.lost(bench.id(of: a), reason: "unplugged")))
            bench.waitForOpening()
        }
        #expect(bench.panels.openings == 101 + OpeningAttempts.limit)
        bench.pass(.seconds(100))
        #expect(bench.panels.openings == 101 + OpeningAttempts.limit)
    }

    @Test("beyond the device limit absent devices make room and others are refused")
    func tooMany() throws {
        var bench = try open()
        for number in 0..<LiveDevices.nodeLimit { bench.plug("/d/event\(number)", SlotPanel.facts()) }
        bench.plug("/d/event600", SlotPanel.facts())
        bench.plug("/d/event601", SlotPanel.facts())
        _ = bench.report()
        #expect(bench.row("devices") == .number(Int64(LiveDevices.nodeLimit)))
        #expect(bench.row("devices.refused") == .number(2))
        bench.unplug(b)
        bench.plug("/d/event602", SlotPanel.facts())
        bench.deliverBytes("/d/event602", SlotPanel.bytes(land(1), at: bench.now))
        #expect(bench.fingerLines.last?.hasSuffix("finger 1 began") == true)
        let notes = bench.facts.count { "\($0)".contains("is not read: limit of") }
        #expect(notes == 1)
    }

    @Test("input-kit reads only touch screens, and a panel with two nodes once")
    func choosing() throws {
        var bench = try open()
        var keyboard = EvdevFacts(identity: DeviceIdentity(name: "Keys"))
        keyboard.codes = [EvdevFacts.Codes(type: 0, bits: [2])]
        bench.plug(b, .evdev(keyboard))
        #expect(bench.panels.orders.last == .close(bench.id(of: b)))
        bench.plug(raw, ReportPanel.facts(place: "usb-1"))
        bench.pass(.milliseconds(100))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 500, y: 500)]))
        bench.plug(a, SlotPanel.facts(place: "usb-1"))
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 cancelled"])
        bench.deliverBytes(a, SlotPanel.bytes(land(7), at: bench.now))
        #expect(bench.fingerLines.last == "3.1 finger 1 began")
        _ = bench.report()
        #expect(bench.row("device.hidraw0.state") == .text("ignored: read as /d/event0"))
        #expect(bench.row("device.event1.state") == .text("ignored: no touch device"))
        bench.plug("/d/hidraw1", ReportPanel.facts(place: "usb-2"))
        #expect(bench.row("devices") == .number(1))
        _ = bench.report()
        #expect(bench.row("devices") == .number(2), "another place is another panel")
    }

    @Test("fingers down before a device is opened are ignored until lift")
    func before() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts(slots: SlotPanel.slots([(0, 3, 10, 10)], current: 0)))
        bench.deliverBytes(a, SlotPanel.bytes([.at(20, 20), .report], at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes(land(4, slot: 1), at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes([.slot(0), .id(-1), .report], at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes([.id(5), .report], at: bench.now))
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 stationary", "2.1 finger 2 began"])
        let last = try #require(bench.sent.last?.event.fingers.last)
        #expect(
            last.position.x == Fixed(normalising: 20, from: 0, to: 1000), "a slot keeps its place from finger to finger"
        )
    }

    @Test("a contact in a hidraw panel's first reports is not a landing")
    func beforeReports() throws {
        var bench = try open()
        bench.plug(raw, ReportPanel.facts())
        bench.pass(.milliseconds(8))
        for x in 500..<540 {
            bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: UInt16(x), y: 500)]))
            bench.pass(.milliseconds(8))
        }
        let other = ReportPanel.Contact(id: 4, x: 100, y: 100)
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 540, y: 500), other]))
        #expect(bench.fingerLines == ["2.1 finger 1 began"], "who lands beside it is heard")
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, isDown: false, x: 540, y: 500), other]))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 5, x: 500, y: 500), other]))
        #expect(bench.fingerLines.last == "2.1 finger 2 began")
        _ = bench.report()
        #expect(bench.row("device.hidraw0.ignored") == .number(1))
    }

    @Test("after an earlier contact lifts, the next hidraw contact is a landing")
    func soonAfter() throws {
        var bench = try open()
        bench.plug(raw, ReportPanel.facts())
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 500, y: 500)]))
        bench.pass(.milliseconds(8))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, isDown: false, x: 500, y: 500)]))
        bench.pass(.milliseconds(8))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 500, y: 500)]))
        #expect(bench.fingerLines == ["2.1 finger 1 began"])
    }

    private let group: [SlotPanel.Event] = [.at(500, 500), .group, .report]
    private let noContacts: [SlotPanel.Event] = [.group, .report]

    @Test("a contact in a protocol A panel's first scans is ignored")
    func beforeGroups() throws {
        var bench = try open()
        bench.plug(a, GroupPanel.facts())
        for _ in 0..<20 {
            bench.pass(.milliseconds(8))
            bench.deliverBytes(a, SlotPanel.bytes(group, at: bench.now))
        }
        #expect(bench.fingerLines == [])
        bench.deliverBytes(a, SlotPanel.bytes(noContacts + group, at: bench.now))
        #expect(bench.fingerLines == ["2.1 finger 1 began"])
    }

    // MARK: Lost events

    @Test("after lost events a remaining protocol A contact is ignored until lift")
    func lostGroups() throws {
        var bench = try open()
        bench.plug(a, GroupPanel.facts())
        bench.pass(.seconds(1))
        bench.deliverBytes(a, SlotPanel.bytes(group, at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes([.dropped, .report] + group, at: bench.now))
        for _ in 0..<20 {
            bench.pass(.milliseconds(8))
            bench.deliverBytes(a, SlotPanel.bytes(group, at: bench.now))
        }
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 cancelled"])
        bench.deliverBytes(a, SlotPanel.bytes(noContacts, at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes(group, at: bench.now))
        #expect(bench.fingerLines.last == "2.1 finger 1 began")
    }

    @Test("a misaligned read does not spoil later reads of a device")
    func misaligned() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, [1, 2, 3])
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        #expect(bench.fingerLines == ["2.1 finger 1 began"])
    }

    @Test("after lost events the device's slots decide which fingers remain")
    func resync() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1, slot: 0) + land(2, slot: 1), at: bench.now))
        bench.panels.slots = SlotPanel.slots([(0, 1, 600, 600), (2, 9, 100, 100)], current: 2)
        let lost = SlotPanel.bytes([.dropped, .slot(1), .at(9, 9), .report], at: bench.now)
        bench.deliverBytes(a, lost + SlotPanel.bytes([.at(9, 9), .report], at: bench.now))
        #expect(bench.panels.orders.last == .resync(bench.id(of: a)))
        #expect(
            Array(bench.fingerLines.suffix(3)) == [
                "2.1 finger 1 moved", "2.1 finger 2 cancelled", "2.1 finger 3 began",
            ])
        bench.deliverBytes(a, SlotPanel.bytes([.id(-1), .report], at: bench.now))
        #expect(bench.fingerLines.last == "2.1 finger 3 ended", "events go on where the slots said")
        _ = bench.report()
        #expect(bench.row("device.event0.resyncs") == .number(1))
    }

    @Test("events between a resync request and its answer are discarded")
    func resyncIsLate() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.panels.answersResync = false
        bench.deliverBytes(a, SlotPanel.bytes([.dropped, .report], at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes([.id(-1), .report], at: bench.now))
        #expect(bench.fingerLines == ["2.1 finger 1 began"])
        bench.deliver(.device(.slots(bench.id(of: a), SlotPanel.slots([(0, 1, 500, 500)]))))
        #expect(bench.fingerLines == ["2.1 finger 1 began"], "it is where it was")
        bench.deliverBytes(a, SlotPanel.bytes([.id(-1), .report], at: bench.now))
        #expect(bench.fingerLines.last == "2.1 finger 1 ended")
    }

    @Test(
        "without an answer about slots, lost events cancel all fingers",
        arguments: [true, false])
    func resyncUnanswered(hasSlots: Bool) throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts(slots: hasSlots ? SlotPanel.slots() : nil))
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.panels.slots = nil
        bench.deliverBytes(a, SlotPanel.bytes([.dropped, .report], at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes([.at(1, 1), .report], at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes([.id(2), .report], at: bench.now))
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 cancelled", "2.1 finger 1 began"])
    }

    // MARK: Time

    @Test("a device's timestamp never goes back or ahead, and corrections are counted")
    func clamping() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: .ms(5000)))
        bench.now = .ms(1010)
        bench.deliverBytes(a, SlotPanel.bytes([.at(1, 1), .report], at: .ms(900)))
        bench.now = .ms(1020)
        bench.deliverBytes(a, SlotPanel.bytes([.at(2, 2), .report], at: .ms(1015)))
        #expect(bench.sent.map(\.event.timeStamp) == [.ms(1000), .ms(1000), .ms(1015)])
        _ = bench.report()
        #expect(bench.row("device.event0.clamped") == .number(2))
    }

    @Test("events of devices without a shared clock are stamped on arrival")
    func arrival() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts(clock: false))
        bench.plug(raw, ReportPanel.facts(place: "elsewhere"))
        bench.now = .ms(1234)
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: .ms(5)))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 500, y: 500)]))
        #expect(bench.sent.map(\.event.timeStamp) == [.ms(1234), .ms(1234)])
    }

    @Test("a silent hidraw panel loses its fingers once, until they lift")
    func silence() throws {
        var bench = try open()
        bench.plug(raw, ReportPanel.facts(mustReport: true))
        bench.pass(.milliseconds(100))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 500, y: 500)]))
        bench.pass(.milliseconds(999))
        #expect(bench.fingerLines == ["2.1 finger 1 began"])
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 500, y: 500)]))
        bench.pass(.milliseconds(999))
        #expect(bench.fingerLines == ["2.1 finger 1 began"], "a report that says nothing new is not silence")
        bench.pass(.milliseconds(1))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 600, y: 500)]))
        bench.pass(.seconds(10))
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 cancelled"])
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, isDown: false, x: 600, y: 500)]))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 100, y: 100)]))
        #expect(bench.fingerLines.last == "2.1 finger 1 began")
        _ = bench.report()
        #expect(bench.row("device.hidraw0.stuck") == .number(1))
    }

    @Test("a hidraw panel that may rest silently keeps its finger")
    func rest() throws {
        var bench = try open()
        bench.plug(raw, ReportPanel.facts())
        bench.pass(.milliseconds(100))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 500, y: 500)]))
        bench.pass(.seconds(59))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, isDown: false, x: 500, y: 500)]))
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 ended"])
    }

    @Test("a finger with a lost lift is forgotten and its id reusable")
    func lostLift() throws {
        var bench = try open()
        bench.plug(raw, ReportPanel.facts(mustReport: true))
        for id in 0..<100 {
            bench.pass(.seconds(2))
            bench.deliverBytes(raw, ReportPanel.report([.init(id: UInt8(id / 2), x: 500, y: 500)]))
        }
        bench.pass(.seconds(2))
        let (began, cancelled) = ("2.1 finger 1 began", "2.1 finger 1 cancelled")
        #expect(bench.fingerLines == (0..<100).flatMap { _ in [began, cancelled] })
    }

    @Test("a finger without changes is cancelled while its neighbor continues")
    func stuck() throws {
        var bench = try open([("device.stuckContactTimeout", "5")])
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1, slot: 0) + land(2, slot: 1), at: bench.now))
        for step in 1...10 {
            bench.pass(.milliseconds(600))
            bench.deliverBytes(a, SlotPanel.bytes([.slot(1), .at(500 + Int32(step), 500), .report], at: bench.now))
        }
        let over = bench.fingerLines.filter { $0.hasSuffix("cancelled") || $0.hasSuffix("ended") }
        #expect(over == ["2.1 finger 1 cancelled"])
        #expect(bench.fingerLines.last == "2.1 finger 2 moved")
        bench.deliverBytes(a, SlotPanel.bytes([.slot(0), .at(9, 9), .report], at: bench.now))
        #expect(bench.fingerLines.last == "2.1 finger 2 moved", "it is dead")
        bench.deliverBytes(a, SlotPanel.bytes([.slot(0), .id(-1), .report, .id(8), .report], at: bench.now))
        #expect(bench.fingerLines.suffix(2).contains("2.1 finger 1 began"))
    }

    @Test("both device watchdogs can be disabled, and then no finger is cancelled")
    func noWatchdog() throws {
        var bench = try open([("device.stuckContactTimeout", "0"), ("device.reportTimeout", "0")])
        bench.plug(a, SlotPanel.facts())
        bench.plug(raw, ReportPanel.facts(place: "elsewhere", mustReport: true))
        bench.pass(.milliseconds(100))
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.deliverBytes(raw, ReportPanel.report([.init(id: 3, x: 500, y: 500)]))
        bench.pass(.seconds(100_000))
        #expect(bench.fingerLines == ["2.1 finger 1 began", "3.1 finger 1 began"])
    }

    @Test("a palm is cancelled, or kept if device.palms says so", arguments: ["cancel", "keep"])
    func palms(setting: String) throws {
        var bench = try open([("device.palms", setting)])
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes([.palm, .at(600, 600), .report], at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes([.at(700, 700), .report, .id(-1), .report], at: bench.now))
        let over = bench.fingerLines.filter { !$0.hasSuffix("moved") }
        #expect(over == ["2.1 finger 1 began", "2.1 finger 1 \(setting == "cancel" ? "cancelled" : "ended")"])
    }
}
