import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

/// The server begins at 1 + 1 ms; at 100 Hz its frames are due every 10 ms from then on.
@Suite("What waits for the display's frame")
struct DisplayTests {
    private var stage = Stage()

    init() throws { try begin() }

    private mutating func begin(_ more: Setting..., credit: UInt32 = 256) throws {
        stage = Stage(try Settings([Setting(key: "server.display", value: "100")] + more))
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1, credit: credit)
        // 1 + 3 ms; the first frame is over.
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

    @Test("is what only moves, told as one with its way; what lands is told at once")
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
        // All but the last say at the frame that they went with it.
        #expect(receipts(frames).count == 3 && receipts(frames).allSatisfy { $0.outcome == .delivered })
        #expect(stage.frame == nil)
    }

    @Test("comes before what ends, at once and as it was, and so before a landing and a cancel")
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
                default: stage.give(.frame(stage.order(.act(.home)), from: .supervisor))
                }
            let phases = touches(frames).map { $0.contacts.map(\.phase) }
            let ends: [[ContactPhase]] = [[.ended], [.stationary, .began], [.cancelled]]
            #expect(phases == [[.moved], ends[edge]])
            let first = touches(frames).first
            #expect(first?.history.count == 1 && ((first?.contacts[0].position.x.double ?? 0) / 37.5).rounded() == 3)
            // Nothing of it is told again.
            #expect(touches(stage.pass(30)).isEmpty)
        }
    }

    @Test("is told at frames counted from the epoch's start, by a timer that is late as well")
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
        let late = stage.give(.timerFired(TimerID(3)), at: stage.now.advanced(by: .milliseconds(25)))
        #expect(touches(late).count == 1)
    }

    @Test("waits no less for a window that is full, and goes on with what waited before it")
    mutating func fullWindow() throws {
        try begin(credit: 1)
        let landing = stage.scans(down(1, 0.1, 0.1))
        for step in 2...5 { _ = stage.scans(moved(1, Double(step) / 10, 0.1)) }
        #expect(touches(stage.pass(10)).isEmpty)
        for step in 6...7 { _ = stage.scans(moved(1, Double(step) / 10, 0.1)) }
        #expect(touches(stage.pass(10)).isEmpty)
        // Between frames: what missed one goes as soon as there is room.
        _ = stage.scans(moved(1, 0.8, 0.1))
        let told = try #require(touches(stage.appHandles(1, landing[0], began: 1)).first)
        #expect(
            (told.history + [told]).map { ($0.contacts[0].position.x.double / 37.5).rounded() } == [2, 3, 4, 5, 6, 7])
    }

    @Test("is no key and no pointer, which pass it")
    mutating func keys() {
        _ = stage.scans(down(1, 0.1, 0.1))
        _ = stage.scans(moved(1, 0.2, 0.1))
        let key = stage.says(.began, .key(HIDUsage(page: 7, usage: 4)))
        #expect(key.map(\.message.kind) == [.input])
        #expect(touches(stage.pass(10)).count == 1)
    }

    @Test("is answered for when its app dies, when input-kit does, and when the app does not answer")
    mutating func ends() throws {
        for end in 0..<3 {
            try begin()
            _ = stage.scans(down(1, 0.1, 0.1))
            let first = stage.lastScan
            _ = stage.scans(moved(1, 0.2, 0.1))
            _ = stage.scans(moved(1, 0.3, 0.1))
            switch end {
            case 0:
                let answers = receipts(stage.give(.peerLost(.app(1))))
                #expect(answers.map(\.reason) == [.ownerDied, .ownerDied, .ownerDied])
                #expect(answers.map(\.frame).sorted() == [first, first.next, first.next.next])
            case 1:
                let frames = stage.give(.peerLost(.inputKit))
                #expect(touches(frames).map { $0.contacts.map(\.phase) } == [[.moved], [.cancelled]])
                #expect(receipts(frames).isEmpty)
            default:
                // Told of the landing at 13 ms, and of the moves at 20; a frame is due at 510, patience ends at 513.
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

    @Test("none of it is without a display, which is how a group is by default")
    mutating func off() {
        stage = Stage()
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.1, 0.1))
        #expect(touches(stage.scans(moved(1, 0.2, 0.1))).count == 1)
        #expect(stage.frame == nil)
    }

    // MARK: Where fingers are at the frame

    @Test("a frame says where the finger was 5 ms before it, on the line between two samples; its way has all of them")
    mutating func between() throws {
        try begin(resampling)
        _ = stage.scans(down(1, 0, 0))
        // Samples every 2 ms, and the frame 5 ms behind one of them.
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
            // 375/64 points in 2 ms.
            let way = Double(last.timeStamp.duration(to: frame.timeStamp).nanoseconds) / 2e6 * 375 / 64
            let place = last.contacts[0].position.x.double + way
            #expect(abs(frame.contacts[0].position.x.double - place) < 1e-4)
        }
        let way = told.flatMap(\.history)
        #expect(way.allSatisfy { samples[$0.timeStamp] == $0.contacts[0].position.x })
        #expect(way.map(\.timeStamp) == way.map(\.timeStamp).sorted() && way.count >= 30)
    }

    @Test("what is younger than that waits for the next frame")
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

@Suite("Where fingers are between samples")
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

    @Test("is on the line to the next sample, however far that is, unless that is closer than 2 ms")
    func next() {
        #expect(finger(at: 13, sample(10, 10, 20), after: sample(14, 20, 0)) == "13.000 ms: 17.5, 5.0")
        #expect(finger(at: 60, sample(10, 0), after: sample(110, 10)) == "60.000 ms: 5.0, 0.0")
        #expect(finger(at: 10, sample(10, 0), after: sample(14, 10)) == "as it is")
        #expect(finger(at: 11, sample(10, 0), after: sample(12, 10)) == "11.000 ms: 5.0, 0.0")
        #expect(finger(at: 10, sample(9, 0), after: sample(10, 10)) == "as it is")
    }

    @Test("goes on from the last sample by half of the time to the one before, 8 ms at most, if that is 2 to 20 ms")
    func last() {
        // Android's own example: asked for 30 ms, and half of ten after the last is 25.
        #expect(finger(at: 30, before: sample(10, 10, 20), sample(20, 20, 30)) == "25.000 ms: 25.0, 35.0")
        #expect(finger(at: 22, before: sample(10, 10), sample(20, 20)) == "22.000 ms: 22.0, 0.0")
        #expect(finger(at: 60, before: sample(0, 0), sample(20, 20)) == "28.000 ms: 28.0, 0.0")
        #expect(finger(at: 60, before: sample(0, 0), sample(21, 20)) == "as it is")
        #expect(finger(at: 60, before: sample(0, 0), sample(1, 20)) == "as it is")
        #expect(finger(at: 20, before: sample(10, 0), sample(20, 20)) == "as it is")
        #expect(finger(at: 60, sample(20, 20)) == "as it is")
    }

    @Test("is nothing of fingers that are others, and never traps")
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

    @Test("a finger that rests in one sample and moves in the next moves between them")
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
