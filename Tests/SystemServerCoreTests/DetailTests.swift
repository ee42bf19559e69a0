import Basics
import HID
import Hosting
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("The server's detail pages")
struct DetailTests {

    var stage = Stage()

    private mutating func page(from: UInt32 = 0) throws -> DetailPage {
        let question = stage.order(.detailRequest(DetailRequest(id: 3, from: from)))
        let answers = stage.handle(.frame(question, from: .supervisor))
        guard case .detail(let page)? = answers.last?.message else { throw Missing() }
        #expect(page.id == 3)
        return page
    }
    private struct Missing: Error {}

    private func text(_ page: DetailPage, _ key: String) -> String? {
        guard case .text(let text)? = page.rows.first(where: { $0.key == key })?.value else { return nil }
        return text
    }

    @Test("a contact's detail row names its owner until that app dies")
    mutating func fingers() throws {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.5, 0.5))
        let before = try page()
        #expect(text(before, "contact.0")?.contains("contact=1 touch=0 owner=app:1 since=") == true)
        _ = stage.handle(.peerLost(.app(1)))
        let after = try page()
        #expect(text(after, "contact.0")?.contains("owner=ignored") == true)
    }

    @Test("the detail page shows an event as unanswered, then delivered or dropped")
    mutating func events() throws {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        let sent = stage.scans(down(1, 0.5, 0.5))
        let waiting = try page()
        #expect(
            text(waiting, "app1.event.1")?.contains(
                "what=touches began=1 moved=0 ended=0 cancelled=0 touch=0 fate=unanswered") == true)
        #expect(text(waiting, "app1.oldest")?.hasPrefix("frame=\(sent[0].sequence) since=") == true)
        _ = stage.appHandles(1, sent[0], began: 1)
        let answered = try page()
        #expect(text(answered, "app1.event.1")?.contains("touch=0 fate=delivered after=") == true)
        #expect(text(answered, "app1.oldest") == nil)
        _ = stage.scans(moved(1, 0.6, 0.6))
        _ = stage.handle(.peerLost(.app(1)))
        let page = try page()
        #expect(
            text(page, "app1.event.2")?.contains("moved=1 ended=0 cancelled=0 touch=0 fate=dropped reason=ownerDied")
                == true)
        #expect(text(page, "app1.link") == "down")
        #expect(page.rows.contains(.init("app1.dropped.ownerDied", .number(1))))
        #expect(page.rows.contains(.init("scans.dropped.ownerDied", .number(1))))
    }

    @Test("the detail page lists acts, refusals and hang-ups with their reasons")
    mutating func reasons() throws {
        _ = stage.appSaysHello(1)
        _ = stage.handle(.frame(stage.order(.act(.lock)), from: .supervisor))
        for _ in 0..<3 { _ = stage.handle(.refused(.forbidden(.app(1), .digitizer))) }
        let page = try page()
        #expect(text(page, "act.0")?.hasSuffix("act=lock") == true)
        #expect(text(page, "refusal.2")?.hasSuffix("reason=app1 may not send digitizer") == true)
        #expect(text(page, "disconnection.0")?.contains("peer=app1") == true)
    }

    @Test("the detail page keeps an app's last hundred events, newest last")
    mutating func bounded() throws {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        var last = stage.scans(down(1, 0.5, 0.5))[0]
        _ = stage.appHandles(1, last, began: 1)
        for step in 0..<150 {
            last = stage.scans(moved(1, 0.5 + Double(step % 10) / 100, 0.5))[0]
            _ = stage.appHandles(1, last, began: 0)
        }
        let page = try page()
        #expect(page.rows.count { $0.key.hasPrefix("app1.event.") } == RecentEvents.eventLimit)
        #expect(text(page, "app1.event.99")?.hasPrefix("frame=\(last.sequence) ") == true)
    }

    @Test("details of a hundred apps fill several pages and list each once")
    mutating func pages() throws {
        _ = stage.inputKitSaysHello()
        for app: AppID in 1...100 { _ = stage.appSaysHello(app) }
        for app: AppID in 1...100 {
            _ = stage.handle(.frame(stage.order(.act(.foreground(app: app))), from: .supervisor))
            for step in 0..<20 {
                for frame in stage.scans(step == 0 ? down(1, 0.5, 0.5) : moved(1, 0.5 + Double(step) / 100, 0.5))
                where frame.message.kind == .touches { _ = stage.appHandles(app, frame, began: 0) }
            }
            _ = stage.scans(lifted(1))
        }
        var (from, links): (UInt32, [String]) = (0, [])
        var pages = 0
        repeat {
            let page = try page(from: from)
            let frame = Frame(epoch: 1, generation: 1, sequence: 1, message: .detail(page))
            #expect(try Frame.decode(packet: frame.encoded()).count == 1)
            links += page.rows.map(\.key).filter { $0.hasSuffix(".link") }
            #expect(page.next == 0 || page.next > from)
            from = page.next
            pages += 1
        } while from != 0
        #expect(links == (1...100).map { "app\($0).link" })
        #expect(pages > 1)
    }
}
