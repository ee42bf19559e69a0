import Basics
import HID
import Recordings
import Testing

@testable import Inspector

@Suite("A browser's session")
struct BrowserSessionTests {
    /// A session with the reader of its panel, at a moment of its own.
    private struct Bench {
        var session: BrowserSession
        var now = Instant(nanoseconds: 1_000_000_000_000)
        private var events = EvdevEvents()
        private var tracker: EvdevTracker
        /// The scans that the reader has seen, each as `began 0 at 100,200`.
        private(set) var scans: [String] = []
        private(set) var stamps: [Instant] = []
        private(set) var others: [BrowserSession.Effect] = []

        init(width: Double = 375, height: Double = 667, isOpened: Bool = true) {
            let panel = TouchPanel(width: width, height: height)
            session = BrowserSession(panel: panel, at: now)
            if isOpened { _ = session.panelOpened() }
            let facts = panel.facts(number: 1)
            tracker = EvdevTracker(contactProtocol: facts.contactProtocol, slotCount: facts.slotCount ?? 0)
        }

        mutating func receive(_ text: String) { perform(session.receive(Array(text.utf8), at: now)) }

        /// Sends samples whose page time is the bench's time in milliseconds since its beginning.
        mutating func touch(_ contacts: String...) {
            receive("{\"t\":\"touch\",\"c\":[\(contacts.joined(separator: ","))]}")
        }

        mutating func perform(_ effects: [BrowserSession.Effect]) {
            for effect in effects {
                guard case .packet(let bytes) = effect else {
                    others.append(effect)
                    continue
                }
                var parsed: [EvdevEvent] = []
                events.parse(bytes, into: &parsed)
                stamps.append(Instant(nanoseconds: parsed[0].nanoseconds))
                var frames: [ContactFrame] = []
                for event in parsed { tracker.handle(event, into: &frames) }
                #expect(frames.count == 1 && events.pendingBytes == 0, "one packet is one scan")
                for frame in frames {
                    scans.append(
                        frame.contacts.map { "\($0.phase) \($0.id) at \($0.x / 64),\($0.y / 64)" }.joined(
                            separator: "; "))
                }
            }
        }
    }

    @Test("the panel is a touch screen of protocol B with ten slots")
    func panel() {
        let facts = TouchPanel(width: 375, height: 667).facts(number: 3)
        #expect(facts.kind == .touchscreen && facts.contactProtocol == .slots && facts.slotCount == 10)
        #expect(facts.stampsAreMonotonic && facts.identity.name == "Touchline browser 3")
        #expect(facts.description.x?.range == 0...23_999 && facts.description.y?.range == 0...42_687)
    }

    @Test("a tap is two scans, and a drag has one for each sample")
    func tap() {
        var bench = Bench()
        bench.touch("[7,0,100,200,-1,0]")
        bench.touch("[7,1,110,200,-1,8]", "[7,1,120,200,-1,12]", "[7,1,130,210,-1,16]")
        bench.touch("[7,2,130,210,-1,20]")
        #expect(
            bench.scans == [
                "began 0 at 100,200", "moved 0 at 110,200", "moved 0 at 120,200", "moved 0 at 130,210",
                "ended 0 at 130,210",
            ])
        #expect(bench.others.isEmpty && !bench.session.isTouching)
    }

    @Test("samples of one time are one scan, in whatever order the page lists them")
    func together() {
        var bench = Bench()
        bench.touch("[1,0,10,10,-1,0]", "[1,1,20,10,-1,5]", "[2,0,50,50,-1,0]", "[2,1,60,50,-1,5]")
        #expect(
            bench.scans == ["began 0 at 10,10; began 1 at 50,50", "moved 0 at 20,10; moved 1 at 60,50"])
        bench.touch("[1,2,20,10,-1,9]", "[2,3,60,50,-1,9]")
        #expect(bench.scans.last == "ended 0 at 20,10; cancelled 1 at 60,50")
    }

    @Test("a sample of a finger that never began is ignored, and a finger that begins again is cancelled first")
    func beginnings() {
        var bench = Bench()
        bench.touch("[1,1,10,10,-1,0]")
        bench.touch("[1,2,10,10,-1,1]")
        #expect(bench.scans.isEmpty)
        bench.touch("[1,0,10,10,-1,2]")
        bench.touch("[1,0,30,30,-1,3]")
        bench.touch("[1,2,30,30,-1,4]")
        #expect(
            bench.scans == ["began 0 at 10,10", "cancelled 0 at 10,10", "began 1 at 30,30", "ended 1 at 30,30"])
    }

    @Test("positions outside of the display are its edge")
    func edges() {
        var bench = Bench()
        bench.touch("[1,0,-50,9000,-1,0]")
        #expect(bench.session.panel.positions.map(\.x) == [0])
        #expect(bench.session.panel.positions.map(\.y) == [42_687 / 64.0])
    }

    @Test("the eleventh finger is ignored until it lifts, and the sixteenth is the last that is known")
    func manyFingers() {
        var bench = Bench()
        for finger in 0..<20 { bench.touch("[\(finger),0,\(finger * 10),10,-1,\(finger)]") }
        #expect(bench.scans.count == 10 && bench.session.panel.positions.count == 10)
        bench.touch("[10,1,300,10,-1,30]")
        #expect(bench.scans.count == 10)
        for finger in 0..<20 { bench.touch("[\(finger),2,0,10,-1,40]") }
        #expect(bench.scans.count == 20 && !bench.session.isTouching)
        bench.touch("[10,0,300,10,-1,50]")
        #expect(bench.scans.last == "began 10 at 300,10")
    }

    /// Milliseconds from the first to each later stamp.
    private static func intervals(_ stamps: [Instant]) -> [Double] {
        stamps.dropFirst().map { Double(stamps[0].duration(to: $0).nanoseconds) / 1e6 }
    }

    @Test("a sample has the page's time and its offset, never in the future, never before the last one")
    func stamps() {
        var bench = Bench()
        func elapsed() -> Int64? { bench.stamps.last.map { bench.now.duration(to: $0).nanoseconds / 1000 } }
        bench.receive("{\"t\":\"offset\",\"ns\":\(bench.now.nanoseconds - 100_000_000)}")
        bench.touch("[1,0,10,10,-1,90]")
        #expect(elapsed() == -10_000)
        bench.touch("[1,1,11,10,-1,80]")
        #expect(elapsed() == -10_000)
        bench.touch("[1,1,12,10,-1,500]")
        #expect(elapsed() == 0)
        bench.touch("[1,2,12,10,-1,490]")
        #expect(elapsed() == 0 && !bench.session.isTouching)
        bench.touch("[1,0,10,10,-1,50]")
        #expect(elapsed() == 0, "the offset is used again, and the touch-down is after the lift")
        bench.now = bench.now.advanced(by: .seconds(1))
        bench.touch("[1,2,10,10,-1,60]")
        #expect(elapsed() == -990_000, "10 ms after the touch-down, however late the message is")
    }

    @Test("a touch-down is at most 5 s old, and its moves have the page's intervals", arguments: [4900, 5100, 900_000])
    func age(of milliseconds: Int64) {
        var bench = Bench()
        bench.receive("{\"t\":\"offset\",\"ns\":\(bench.now.nanoseconds - milliseconds * 1_000_000)}")
        bench.touch("[1,0,10,10,-1,0]", "[1,1,11,10,-1,8]")
        bench.touch("[1,2,11,10,-1,15]")
        let age = Double(bench.stamps[0].duration(to: bench.now).nanoseconds) / 1e6
        #expect(age == min(Double(milliseconds), 5000))
        #expect(Self.intervals(bench.stamps) == [8, 15])
    }

    @Test("an offset that arrives under a finger counts from the next touch-down on an empty panel")
    func newOffset() {
        var bench = Bench()
        let zero = bench.now.nanoseconds - 1_000_000_000
        bench.receive("{\"t\":\"offset\",\"ns\":\(zero)}")
        bench.touch("[1,0,10,10,-1,0]")
        bench.receive("{\"t\":\"offset\",\"ns\":\(zero + 3_000_000)}")
        bench.touch("[1,1,20,10,-1,8]", "[2,0,90,10,-1,8]")
        bench.touch("[1,2,20,10,-1,16]")
        bench.touch("[2,2,90,10,-1,24]")
        #expect(Self.intervals(bench.stamps) == [8, 16, 24])
        bench.touch("[3,0,10,10,-1,32]")
        #expect(Self.intervals(bench.stamps).last == 35)
    }

    @Test("moves that arrive late, early and together have the intervals that they have on the page's clock")
    func lateness() {
        // The message of each sample arrives this many milliseconds after the sample, on a page whose main thread is busy.
        let delays: [Int64] = [100, 110, 160, 270, 320, 360, 400, 430, 460, 480, 510, 540, 570, 600, 590, 610]
        for offset: Int64? in [nil, 0, 30, -30] {
            var bench = Bench()
            let zero = bench.now
            if let offset { bench.receive("{\"t\":\"offset\",\"ns\":\(zero.nanoseconds + offset * 1_000_000)}") }
            for (index, delay) in delays.enumerated() {
                let at = Int64(index) * 8
                bench.now = zero.advanced(by: .milliseconds(at + delay))
                bench.touch("[1,\(index == 0 ? 0 : 1),\(10 + index),10,-1,\(at)]")
            }
            #expect(Self.intervals(bench.stamps) == (1..<delays.count).map { Double($0) * 8 })
        }
    }

    @Test("an offset that says the future is corrected once, and the intervals after it are the page's")
    func future() {
        var bench = Bench()
        bench.receive("{\"t\":\"offset\",\"ns\":\(bench.now.nanoseconds)}")
        bench.touch("[1,0,10,10,-1,0]")
        bench.now = bench.now.advanced(by: .milliseconds(5))
        bench.touch("[1,1,11,10,-1,8]")
        bench.now = bench.now.advanced(by: .milliseconds(20))
        bench.touch("[1,1,12,10,-1,16]")
        bench.touch("[1,1,13,10,-1,24]")
        #expect(Self.intervals(bench.stamps) == [5, 13, 21])
    }

    @Test("without an offset the last sample of a message has the time of the message")
    func noOffset() {
        var bench = Bench()
        bench.touch("[1,0,10,10,-1,0]", "[1,1,20,10,-1,5]")
        #expect(bench.stamps == [bench.now.advanced(by: .milliseconds(-5)), bench.now])
    }

    @Test("a browser that is silent under a finger loses it, and the finger stays ignored until it lifts")
    func silence() {
        var bench = Bench()
        bench.touch("[1,0,10,10,-1,0]")
        let deadline = bench.session.deadline
        #expect(deadline == bench.now.advanced(by: BrowserSession.silenceLimit))
        bench.now = bench.now.advanced(by: .seconds(3))
        bench.receive(#"{"t":"clock","n":1,"at":3000}"#)
        bench.now = bench.now.advanced(by: .seconds(3))
        bench.perform(bench.session.timePassed(at: bench.now))
        #expect(bench.scans == ["began 0 at 10,10"])
        bench.now = bench.now.advanced(by: .seconds(2))
        bench.perform(bench.session.timePassed(at: bench.now))
        #expect(bench.scans.last == "cancelled 0 at 10,10" && bench.session.deadline == nil)
        bench.touch("[1,1,20,20,-1,9]")
        bench.touch("[1,2,20,20,-1,9]")
        #expect(bench.scans.count == 2)
        bench.touch("[1,0,20,20,-1,9]")
        #expect(bench.scans.last == "began 1 at 20,20")
    }

    @Test("a malformed message closes the connection and cancels the fingers")
    func malformed() {
        var bench = Bench()
        bench.touch("[1,0,10,10,-1,0]")
        bench.receive("{")
        #expect(bench.scans.last == "cancelled 0 at 10,10")
        #expect(bench.others == [.close(code: 1008, reason: "expected a member's name, found the end in column 2")])
        bench.touch("[2,0,10,10,-1,0]")
        #expect(bench.scans.count == 2 && bench.others.count == 1)
    }

    @Test("more than 600 messages a second close the connection, and exactly 600 do not")
    func flood() {
        var steady = Bench()
        for _ in 0..<1200 {
            steady.now = steady.now.advanced(byNanoseconds: 1_666_667)
            steady.receive(#"{"t":"got","n":1}"#)
        }
        #expect(steady.others.allSatisfy { $0 == .drawn(1) } && steady.others.count == 1200)
        var flood = Bench()
        for _ in 0..<300 { flood.receive(#"{"t":"got","n":1}"#) }
        #expect(flood.others.count == 201)
        #expect(
            flood.others.last == .close(code: 1008, reason: "more than 600 messages a second after 200 at once"))
    }

    @Test("a new group finds no finger on the panel")
    func newGroup() {
        var bench = Bench()
        bench.touch("[1,0,10,10,-1,0]")
        bench.session.plug(into: TouchPanel(width: 100, height: 100))
        _ = bench.session.panelOpened()
        #expect(!bench.session.isTouching)
        bench.touch("[1,1,20,20,-1,5]")
        #expect(bench.scans == ["began 0 at 10,10"])
    }

    @Test("what a page asks is passed on")
    func questions() {
        var bench = Bench()
        bench.receive(#"{"t":"clock","n":4,"at":2.5}"#)
        #expect(bench.others == [.clock(number: 4, at: 2.5)])
    }

    @Test("the packets of a panel wait until it is opened, and in a new group again")
    func held() {
        var bench = Bench(isOpened: false)
        bench.touch("[1,0,10,20,-1,0]", "[1,2,10,20,-1,5]")
        #expect(bench.scans.isEmpty)
        bench.perform(bench.session.panelOpened())
        #expect(bench.scans.count == 2 && bench.session.panelOpened().isEmpty)
        bench.session.plug(into: TouchPanel(width: 375, height: 667))
        bench.touch("[2,0,10,20,-1,10]")
        #expect(bench.scans.count == 2 && bench.session.panelOpened().count == 1)
    }

    @Test("a panel that nothing opens holds a limited number of packets")
    func heldLimit() {
        var bench = Bench(isOpened: false)
        for number in 0...BrowserSession.heldLimit / 2 {
            bench.now = bench.now.advanced(by: .milliseconds(10))
            bench.touch("[\(number),0,10,20,-1,\(number)]")
            bench.touch("[\(number),2,10,20,-1,\(number)]")
        }
        #expect(bench.scans.count == BrowserSession.heldLimit + 2)
    }
}
