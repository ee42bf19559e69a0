import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

/// The server starts at 1 ms and handles its start 1 ms later. At 100 Hz its frames are due every 10 ms from then on.
@Suite("Moves held for the display frame")
struct DisplayTests {
    private var stage = Stage()

    init() throws { try begin() }

    private mutating func begin(_ more: Setting..., credit: UInt32 = 256) throws {
        stage = Stage(try Settings([Setting(key: "server.displayRate", value: "100")] + more))
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1, credit: credit)
        // The time is 1 + 3 ms here; the first display frame is over after this call.
        _ = stage.pass(10)
    }

    private let resampling = Setting(key: "server.resample", value: "true")

    private func touches(_ frames: [Frame]) -> [TouchFrame] {
        frames.compactMap { if case .touches(let frame) = $0.message { frame } else { nil } }
    }

    private func receipts(_ frames: [Frame]) -> [Receipt] {
        frames.compactMap { if case .handled(let receipt) = $0.message { receipt } else { nil } }
    }

    private func milliseconds(_ moment: Instant) -> Int64 { (moment.nanoseconds - 2_000_000) / 1_000_000 }

    @Test("moves wait for the display frame as one; landings do not")
    mutating func toldAsOne() throws {
        #expect(touches(stage.scans(down(1, 0.1, 0.1))).map { $0.contacts.map(\.phase) } == [[.began]])
        var sent: [Frame] = []
        for step in 2...5 { sent += stage.scans(moved(1, Double(step) / 10, 0.1)) }
        #expect(sent.isEmpty)
        let due = try #require(stage.frame)
        #expect(milliseconds(due) == 20)
        let frames = stage.pass(10)
        #expect(touches(frames).map { $0.contacts.map(\.phase) } == [[.moved]])
        let told = try #require(touches(frames).first)
        let way = (told.history + [told]).map { ($0.contacts[0].position.x.double / 37.5).rounded() }
        #expect(way == [2, 3, 4, 5])
        // The receipts of all but the last move are sent at the frame: these moves travelled with the last one.
        #expect(receipts(frames).count == 3 && receipts(frames).allSatisfy { $0.outcome == .delivered })
        #expect(stage.frame == nil)
    }

    @Test("the moves of a shared frame wait for the display frame as one, and one receipt answers them")
    mutating func sharedFrame() throws {
        _ = stage.scans(down(1, 0.1, 0.1))
        let events = (2...5).map { scan([moved(1, Double($0) / 10, 0.1)], at: stage.now) }
        let shared = stage.inputKitFrame(.scans(ScanList(events)))
        #expect(stage.handle(.frame(shared, from: .inputKit)).isEmpty)
        let frames = stage.pass(10)
        let told = try #require(touches(frames).first)
        let way = (told.history + [told]).map { ($0.contacts[0].position.x.double / 37.5).rounded() }
        #expect(frames.count == 1 && way == [2, 3, 4, 5])
        var whole = Receipt(frame: shared.sequence, outcome: .delivered, moved: 1)
        whole.coalesced = 3
        let answer = Receipt(frame: frames[0].sequence, outcome: .delivered, moved: 1)
        #expect(receipts(stage.appSays(1, .handled(answer))) == [whole])
    }

    @Test("a held move is sent before a lift, landing or cancel")
    mutating func edges() {
        for edge in 0..<3 {
            _ = try? begin(resampling)
            _ = stage.scans(down(1, 0.1, 0.1))
            _ = stage.scans(moved(1, 0.2, 0.1))
            _ = stage.scans(moved(1, 0.3, 0.1))
            let frames =
                switch edge {
                case 0: stage.scans(lifted(1))
                case 1: stage.scans(held(1, 0.3, 0.1), down(2, 0.5, 0.5))
                default: stage.handle(.frame(stage.order(.act(.home)), from: .supervisor))
                }
            let phases = touches(frames).map { $0.contacts.map(\.phase) }
            let ends: [[ContactPhase]] = [[.ended], [.stationary, .began], [.cancelled]]
            #expect(phases == [[.moved], ends[edge]])
            let first = touches(frames).first
            #expect(first?.history.count == 1 && ((first?.contacts[0].position.x.double ?? 0) / 37.5).rounded() == 3)
            // The held moves are not sent a second time.
            #expect(touches(stage.pass(30)).isEmpty)
        }
    }

    @Test("display frames keep their period from the epoch's start after late timers")
    mutating func phase() throws {
        _ = stage.scans(down(1, 0.1, 0.1))
        var frames: [Int64] = []
        for step in 0..<30 {
            _ = stage.scans(moved(1, 0.2 + Double(step) / 100, 0.1))
            let due = try #require(stage.frame)
            if frames.last != milliseconds(due) { frames.append(milliseconds(due)) }
            if stage.now == due { _ = stage.pass(0) }
        }
        #expect(frames == [20, 30, 40, 50])
        _ = stage.scans(moved(1, 0.8, 0.1))
        let late = stage.handle(.timerFired(TimerID(3)), at: stage.now.advanced(by: .milliseconds(25)))
        #expect(touches(late).count == 1)
    }

    @Test("moves held by a full credit window leave when it opens")
    mutating func fullWindow() throws {
        try begin(credit: 1)
        let landing = stage.scans(down(1, 0.1, 0.1))
        for step in 2...5 { _ = stage.scans(moved(1, Double(step) / 10, 0.1)) }
        #expect(touches(stage.pass(10)).isEmpty)
        for step in 6...7 { _ = stage.scans(moved(1, Double(step) / 10, 0.1)) }
        #expect(touches(stage.pass(10)).isEmpty)
        // The credit window opens between two display frames. Moves that missed a frame are sent at once.
        _ = stage.scans(moved(1, 0.8, 0.1))
        let told = try #require(touches(stage.appHandles(1, landing[0], began: 1)).first)
        #expect(
            (told.history + [told]).map { ($0.contacts[0].position.x.double / 37.5).rounded() } == [2, 3, 4, 5, 6, 7])
    }

    @Test("keys do not wait for the display frame")
    mutating func keys() {
        _ = stage.scans(down(1, 0.1, 0.1))
        _ = stage.scans(moved(1, 0.2, 0.1))
        let key = stage.inputKitSends(.began, .key(HIDUsage(page: 7, usage: 4)))
        #expect(key.map(\.message.kind) == [.input])
        #expect(touches(stage.pass(10)).count == 1)
    }

    @Test("held moves end with their app, with input-kit, or by unresponsiveness")
    mutating func ends() throws {
        for end in 0..<3 {
            try begin()
            _ = stage.scans(down(1, 0.1, 0.1))
            let first = stage.lastScan
            _ = stage.scans(moved(1, 0.2, 0.1))
            _ = stage.scans(moved(1, 0.3, 0.1))
            switch end {
            case 0:
                let answers = receipts(stage.handle(.peerLost(.app(1))))
                #expect(answers.map(\.reason) == [.ownerDied, .ownerDied, .ownerDied])
                #expect(answers.map(\.frame).sorted() == [first, first.next, first.next.next])
            case 1:
                let frames = stage.handle(.peerLost(.inputKit))
                #expect(touches(frames).map { $0.contacts.map(\.phase) } == [[.moved], [.cancelled]])
                #expect(receipts(frames).isEmpty)
            default:
                // The app received the landing at 13 ms and the moves at 20 ms. A frame is due at 510 ms; the app's
                // time to answer ends at 513 ms.
                _ = stage.pass(496)
                #expect(stage.scans(moved(1, 0.4, 0.1)).isEmpty)
                let last = stage.lastScan
                let frames = stage.pass(1)
                #expect(touches(frames).map { $0.contacts.map(\.phase) } == [[.cancelled]])
                #expect(receipts(frames) == [Receipt(frame: last, outcome: .dropped, reason: .notResponding)])
            }
            #expect(touches(stage.pass(30)).isEmpty)
        }
    }

    @Test("without a configured display the server sends each move at once")
    mutating func off() {
        stage = Stage()
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.1, 0.1))
        #expect(touches(stage.scans(moved(1, 0.2, 0.1))).count == 1)
        #expect(stage.frame == nil)
    }

    // MARK: Positions at the display frame

    @Test("a resampled frame interpolates 5 ms before it and keeps all samples")
    mutating func between() throws {
        try begin(resampling)
        _ = stage.scans(down(1, 0, 0))
        // Samples arrive every 2 ms. The resampled moment lies 5 ms before a display frame.
        var told: [TouchFrame] = []
        var samples: [Instant: Fixed] = [:]
        for step in 1...40 {
            told += touches(stage.pass(1))
            samples[stage.now] = Fixed(Double(step) / 64 * 375)
            told += touches(stage.scans(moved(1, Double(step) / 64, 0)))
        }
        #expect(told.count >= 6)
        for frame in told.dropFirst() {
            #expect(milliseconds(frame.timeStamp) % 10 == 5)
            let last = try #require(frame.history.last)
            #expect(last.timeStamp <= frame.timeStamp)
            // The contact moves 375/64 points in 2 ms.
            let way = Double(last.timeStamp.duration(to: frame.timeStamp).nanoseconds) / 2e6 * 375 / 64
            let place = last.contacts[0].position.x.double + way
            #expect(abs(frame.contacts[0].position.x.double - place) < 1e-4)
        }
        let way = told.flatMap(\.history)
        #expect(way.allSatisfy { samples[$0.timeStamp] == $0.contacts[0].position.x })
        #expect(way.map(\.timeStamp) == way.map(\.timeStamp).sorted() && way.count >= 30)
    }

    @Test("a sample younger than 5 ms waits for the next display frame")
    mutating func younger() throws {
        try begin(resampling)
        _ = stage.scans(down(1, 0, 0))
        _ = stage.pass(5)
        _ = stage.scans(moved(1, 0.5, 0))
        #expect(milliseconds(try #require(stage.frame)) == 20)
        #expect(touches(stage.pass(3)).isEmpty)
        #expect(touches(stage.pass(10)).count == 1)
        #expect(milliseconds(stage.now) == 32)
    }
}

@Suite("Resampling between samples")
struct ResamplingTests {
    private func sample(_ milliseconds: Int64, _ x: Double, _ y: Double = 0, touch: UInt32 = 1) -> TouchFrame {
        TouchFrame(
            timeStamp: Instant(nanoseconds: milliseconds * 1_000_000),
            contacts: [TouchContact(touch: TouchID(rawValue: touch), phase: .moved, at: Point(x, y))])
    }

    private func finger(
        at milliseconds: Int64, before: TouchFrame? = nil, _ now: TouchFrame, after: TouchFrame? = nil
    ) -> String {
        let moment = Instant(nanoseconds: milliseconds * 1_000_000)
        guard let found = Resampling.fingers(at: moment, before: before, now, after: after) else { return "as it is" }
        let contact = found.contacts[0]
        return "\(found.timeStamp): \(contact.position.x.double), \(contact.position.y.double)"
    }

    @Test("resampling interpolates to a next sample at least 2 ms away")
    func next() {
        #expect(finger(at: 13, sample(10, 10, 20), after: sample(14, 20, 0)) == "13.000 ms: 17.5, 5.0")
        #expect(finger(at: 60, sample(10, 0), after: sample(110, 10)) == "60.000 ms: 5.0, 0.0")
        #expect(finger(at: 10, sample(10, 0), after: sample(14, 10)) == "as it is")
        #expect(finger(at: 11, sample(10, 0), after: sample(12, 10)) == "11.000 ms: 5.0, 0.0")
        #expect(finger(at: 10, sample(9, 0), after: sample(10, 10)) == "as it is")
    }

    @Test("resampling extrapolates by half a sample interval, at most 8 ms")
    func last() {
        // The example of Android's documentation: for 30 ms, half of 10 ms after the last sample is 25 ms.
        #expect(finger(at: 30, before: sample(10, 10, 20), sample(20, 20, 30)) == "25.000 ms: 25.0, 35.0")
        #expect(finger(at: 22, before: sample(10, 10), sample(20, 20)) == "22.000 ms: 22.0, 0.0")
        #expect(finger(at: 60, before: sample(0, 0), sample(20, 20)) == "28.000 ms: 28.0, 0.0")
        #expect(finger(at: 60, before: sample(0, 0), sample(21, 20)) == "as it is")
        #expect(finger(at: 60, before: sample(0, 0), sample(1, 20)) == "as it is")
        #expect(finger(at: 20, before: sample(10, 0), sample(20, 20)) == "as it is")
        #expect(finger(at: 60, sample(20, 20)) == "as it is")
    }

    @Test("resampling ignores samples of other touches and never traps")
    func hostile() {
        #expect(finger(at: 13, sample(10, 10), after: sample(14, 20, touch: 2)) == "as it is")
        let ends = [Int64.min, -1, 0, 1, Int64.max].map { time in
            [Int32.min, 0, .max].map { place in
                let contact = TouchContact(
                    touch: TouchID(rawValue: 1), phase: .moved,
                    at: Point(Fixed(rawValue: place), Fixed(rawValue: place / -2)))
                return TouchFrame(timeStamp: Instant(nanoseconds: time), contacts: [contact])
            }
        }.flatMap { $0 }
        for now in ends {
            for other in ends {
                for moment in [Int64.min, 0, 5, .max] {
                    let at = Instant(nanoseconds: moment)
                    if at <= other.timeStamp, at >= now.timeStamp {
                        _ = Resampling.fingers(at: at, before: nil, now, after: other)
                    }
                    if at >= now.timeStamp { _ = Resampling.fingers(at: at, before: other, now, after: nil) }
                }
            }
        }
    }

    @Test("a contact resting in one sample moves between it and the next")
    func rests() {
        var rest = sample(10, 10)
        rest.contacts[0].phase = .stationary
        let moment = Instant(nanoseconds: 12_000_000)
        let found = Resampling.fingers(at: moment, before: nil, rest, after: sample(14, 20))
        #expect(found?.contacts[0].phase == .moved)
        #expect(
            Resampling.fingers(at: moment, before: nil, rest, after: sample(14, 10))?.contacts[0].phase == .stationary)
    }
}
