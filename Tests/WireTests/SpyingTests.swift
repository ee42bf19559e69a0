import Basics
import HID
import Testing
import Wire

@Suite("Messages of touch monitors")
struct SpyingTests {
    private func expectRoundTrip(_ message: Message) throws {
        let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: message)
        #expect(try Frame.decode(packet: frame.encoded()) == [frame])
    }

    @Test("every request of a touch monitor survives encoding")
    func words() throws {
        let zone = Rect<DisplaySpace>(x: 1, y: 2, width: 3, height: 4)
        var words: [SpyRequest.Word] = [.took(.max), .end, .begin(SpyInterest())]
        for patience in [nil, Duration.zero, .seconds(3)] {
            for zone in [nil, zone] { words.append(.begin(SpyInterest(app: 7, zone: zone, patience: patience))) }
        }
        words += SpyAnswer.allCases.map { .answer(TouchID(rawValue: 9), $0) }
        for word in words { try expectRoundTrip(.spy(SpyRequest(id: 4, word))) }
    }

    @Test("every message to a touch monitor survives encoding")
    func news() throws {
        let owners: [SpiedOwner] = [.app(3), .server, .system, .spy(2), .nobody]
        let contacts = owners.enumerated().map { index, owner in
            SpiedContact(
                TouchID(rawValue: UInt32(index)), .cancelled, of: owner,
                at: index % 2 == 0 ? SpiedPlace(Point(1, -2), on: DisplayID(index: index / 2)) : nil)
        }
        var news: [SpyPage.News] = [
            .begun, .turnedAway(limit: 4), .room,
            .scan(SpiedScan(timeStamp: Instant(nanoseconds: -5), device: .max, contacts: contacts)),
        ]
        news += SpyVerdict.allCases.map { .verdict(TouchID(rawValue: 1), $0) }
        for news in news {
            try expectRoundTrip(.spied(SpyPage(id: 1, number: .max, lag: SpyPage.Lag(news: 3, edges: 2), news)))
        }
    }

    @Test("a monitor's message with too many fingers or invalid patience is refused")
    func limits() throws {
        let contact = SpiedContact(TouchID(rawValue: 1), .moved, of: .nobody)
        let scan = SpiedScan(
            timeStamp: .boot, device: 1,
            contacts: [SpiedContact](repeating: contact, count: SpiedScan.contactLimit + 1))
        let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: .spied(SpyPage(id: 1, number: 1, .scan(scan))))
        #expect(throws: WireError.self) { try Frame.decode(packet: frame.encoded()) }
        var bytes = Frame(
            epoch: 1, generation: 1, sequence: 1, message: .spy(SpyRequest(id: 1, .begin(SpyInterest())))
        ).encoded()
        // The highest byte of the patience follows the id, the kind of the request and the app.
        bytes[Frame.headerSize + 4 + 1 + 4 + 7] = 0x80
        #expect(throws: WireError.self) { try Frame.decode(packet: bytes) }
    }
}
