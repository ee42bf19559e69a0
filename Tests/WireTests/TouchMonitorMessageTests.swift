import Basics
import HID
import Testing
import Wire

@Suite("Messages of touch monitors")
struct TouchMonitorMessageTests {
    private func expectRoundTrip(_ message: Message) throws {
        let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: message)
        #expect(try Frame.decode(packet: frame.encoded()) == [frame])
    }

    @Test("every request of a touch monitor survives encoding")
    func words() throws {
        let zone = Rect<DisplaySpace>(x: 1, y: 2, width: 3, height: 4)
        var words: [TouchMonitorRequest.Kind] = [.acknowledged(.max), .end, .begin(TouchMonitorInterest())]
        for patience in [nil, Duration.zero, .seconds(3)] {
            for zone in [nil, zone] {
                words.append(.begin(TouchMonitorInterest(app: 7, zone: zone, answerLimit: patience)))
            }
        }
        words += TouchMonitorAnswer.allCases.map { .answer(TouchID(rawValue: 9), $0) }
        for word in words { try expectRoundTrip(.monitor(TouchMonitorRequest(id: 4, word))) }
    }

    @Test("every message to a touch monitor survives encoding")
    func news() throws {
        let owners: [TouchOwner] = [.app(3), .server, .system, .touchMonitor(2), .ignored]
        let contacts = owners.enumerated().map { index, owner in
            MonitoredContact(
                TouchID(rawValue: UInt32(index)), .cancelled, of: owner,
                at: index % 2 == 0 ? MonitoredLocation(Point(1, -2), on: DisplayID(index: index / 2)) : nil)
        }
        var news: [TouchMonitorPage.Content] = [
            .begun, .turnedAway(limit: 4), .omissions,
            .scan(MonitoredScan(timeStamp: Instant(nanoseconds: -5), device: .max, contacts: contacts)),
        ]
        news += TouchMonitorVerdict.allCases.map { .verdict(TouchID(rawValue: 1), $0) }
        for news in news {
            try expectRoundTrip(
                .monitorPage(
                    TouchMonitorPage(
                        id: 1, number: .max, omission: TouchMonitorPage.Omission(count: 3, edgeCount: 2), news)))
        }
    }

    @Test("a monitor's message with too many fingers or invalid patience is refused")
    func limits() throws {
        let contact = MonitoredContact(TouchID(rawValue: 1), .moved, of: .ignored)
        let scan = MonitoredScan(
            timeStamp: .boot, device: 1,
            contacts: [MonitoredContact](repeating: contact, count: MonitoredScan.contactLimit + 1))
        let frame = Frame(
            epoch: 1, generation: 1, sequence: 1, message: .monitorPage(TouchMonitorPage(id: 1, number: 1, .scan(scan)))
        )
        #expect(throws: WireError.self) { try Frame.decode(packet: frame.encoded()) }
        var bytes = Frame(
            epoch: 1, generation: 1, sequence: 1,
            message: .monitor(TouchMonitorRequest(id: 1, .begin(TouchMonitorInterest())))
        ).encoded()
        // The highest byte of the patience follows the id, the kind of the request and the app.
        bytes[Frame.headerSize + 4 + 1 + 4 + 7] = 0x80
        #expect(throws: WireError.self) { try Frame.decode(packet: bytes) }
    }
}
