import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("Scans that share a frame")
struct SharedFramesTests {
    private var stage = Stage()

    init() { _ = stage.inputKitSaysHello() }

    /// Input-kit sends the scans in one frame.
    private mutating func share(_ scans: [DigitizerEvent]...) -> [Frame] { share(scans) }

    private mutating func share(_ scans: [[DigitizerEvent]]) -> [Frame] {
        let events = scans.map { scan($0, at: stage.now) }
        return stage.handle(.frame(stage.inputKitFrame(.scans(ScanList(events))), from: .inputKit))
    }

    /// The touches in frames for apps, each list in the order of the scans.
    private func touches(_ frames: [Frame]) -> [[TouchFrame]] {
        frames.compactMap { frame in
            switch frame.message {
            case .touches(let touches): [touches]
            case .severalTouches(let several): Array(several)
            default: nil
            }
        }
    }

    private func receipts(_ frames: [Frame]) -> [Receipt] {
        frames.compactMap { if case .handled(let receipt) = $0.message { receipt } else { nil } }
    }

    private mutating func answer(_ frame: Frame, moved: UInt16, coalesced: UInt16? = nil) -> [Frame] {
        var receipt = Receipt(frame: frame.sequence, outcome: .delivered, moved: moved)
        receipt.coalesced = coalesced
        return stage.appSays(1, .handled(receipt))
    }

    @Test("moves that share a frame reach their app in one frame, which one receipt answers")
    mutating func shared() throws {
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.1, 0.1))
        let told = share([moved(1, 0.2, 0.1)], [moved(1, 0.3, 0.1)], [moved(1, 0.4, 0.1)])
        let several = try #require(touches(told).first)
        #expect(told.count == 1 && several.map { $0.contacts.map(\.phase) } == [[.moved], [.moved], [.moved]])
        #expect(several.map { ($0.contacts[0].position.x.double / 37.5).rounded() } == [2, 3, 4])
        let answers = receipts(answer(told[0], moved: 3, coalesced: 0))
        var whole = Receipt(frame: 3, outcome: .delivered, moved: 3)
        whole.coalesced = 0
        #expect(answers == [whole])
    }

    @Test("the credit window admits the first scans of a frame, and the others wait as one move with history")
    mutating func credit() throws {
        // One of the four is reserved for landings and lifts, and the landing is not answered yet.
        _ = stage.appSaysHello(1, credit: 4)
        let landing = stage.scans(down(1, 0.1, 0.1))
        let told = share((2...7).map { [moved(1, Double($0) / 10, 0.1)] })
        #expect(touches(told).map(\.count) == [2] && receipts(told).isEmpty)
        #expect(receipts(answer(told[0], moved: 2, coalesced: 0)).isEmpty)
        let last = try #require(stage.lastSent.last { $0.1.message.kind == .touches }?.1)
        let rest = touches([last])[0]
        #expect(rest.count == 1 && rest[0].history.count == 3)
        let way = (rest[0].history + rest).map { ($0.contacts[0].position.x.double / 37.5).rounded() }
        #expect(way == [4, 5, 6, 7])
        _ = stage.appHandles(1, landing[0], began: 1)
        var whole = Receipt(frame: 3, outcome: .delivered, moved: 3)
        whole.coalesced = 3
        #expect(receipts(answer(last, moved: 1)) == [whole])
    }

    @Test("an app loses the sent part of a frame whose other scans wait", arguments: [0, 300])
    mutating func lostPart(pause: Int) throws {
        for reason in [Receipt.Reason.lostOnLink, .inboxFull, .late] {
            stage = Stage()
            _ = stage.inputKitSaysHello()
            _ = stage.appSaysHello(1, credit: 4)
            _ = stage.scans(down(1, 0.1, 0.1))
            let told = share([moved(1, 0.2, 0.1)], [moved(1, 0.3, 0.1)], [moved(1, 0.4, 0.1)])
            #expect(touches(told).map(\.count) == [2] && receipts(told).isEmpty)
            stage.standsStill(pause)
            let loss = Receipt(frame: told[0].sequence, outcome: .dropped, reason: reason)
            let after = stage.appSays(1, .handled(loss))
            var whole = Receipt(frame: 3, outcome: .dropped, reason: reason)
            whole.coalesced = 0
            let phases = touches(after).map { $0.map { $0.contacts.map(\.phase) } }
            if pause > 0 {
                #expect(phases == [[[.cancelled]]] && receipts(after) == [whole])
            } else {
                #expect(phases == [[[.moved]], [[.cancelled]]] && receipts(after).isEmpty)
                let rest = try #require(after.first)
                (whole.outcome, whole.reason, whole.moved) = (.delivered, .none, 1)
                #expect(receipts(answer(rest, moved: 1)) == [whole])
            }
        }
    }

    @Test("a shared frame without a recipient is answered at once with the reason")
    mutating func withoutRecipient() {
        _ = stage.appSaysHello(1)
        let answers = receipts(share([moved(1, 0.2, 0.1)], [moved(1, 0.3, 0.1)]))
        #expect(answers.map(\.outcome) == [.dropped] && answers.map(\.reason) == [.unknownFinger])
    }

    @Test("the home screen receives each scan of a shared frame")
    mutating func home() {
        _ = stage.scans(down(1, 0.1, 0.1))
        let answers = receipts(share([moved(1, 0.2, 0.1)], [moved(1, 0.3, 0.1)]))
        #expect(answers.map(\.outcome) == [.home] && answers.map(\.moved) == [2])
        let report = stage.report()
        #expect(report["scans"] == .number(3) && report["answered"] == .number(3))
    }

    @Test("a system gesture that takes a touch in a shared frame cancels it behind the moves before")
    mutating func taken() throws {
        stage = Stage(try Settings([Setting(key: "systemGesture.enabled", value: "true")]))
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        let landing = stage.scans(down(1, 0.5, 0.99))
        _ = stage.appHandles(1, landing[0], began: 1, deferring: 0)
        let told = share([0.985, 0.98, 0.9, 0.8, 0.7].map { [moved(1, 0.5, $0)] })
        #expect(touches(told).map { $0.map { $0.contacts.map(\.phase) } } == [[[.moved], [.moved]], [[.cancelled]]])
        var whole = Receipt(frame: 3, outcome: .delivered, moved: 2)
        (whole.coalesced, whole.takenBySystem) = (0, 3)
        #expect(receipts(told).isEmpty && receipts(answer(told[0], moved: 2, coalesced: 0)) == [whole])
    }

    @Test("a shared frame beyond the limit of scans in flight is dropped whole")
    mutating func overLimit() throws {
        stage = Stage(try Settings([Setting(key: "server.inFlightLimit", value: "1")]))
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.1, 0.1))
        let told = share([moved(1, 0.2, 0.1)], [moved(1, 0.3, 0.1)])
        #expect(told.map(\.message) == [.handled(Receipt(frame: 3, outcome: .dropped, reason: .overLimit))])
        let report = stage.report()
        #expect(report["dropped.overLimit"] == .number(2) && report["answered"] == .number(2))
    }

    @Test("apps receive the same touches from shared frames as from single ones, in 300 seeds")
    func equality() {
        for seed in 0..<300 {
            var chance = SeededGenerator(seed: UInt64(seed))
            let credit = [2, 4, 8, 256].randomElement(using: &chance)!
            var single = Self()
            var shared = Self()
            _ = single.stage.appSaysHello(1, credit: UInt32(credit))
            _ = shared.stage.appSaysHello(1, credit: UInt32(credit))
            var ways = [[String]](repeating: [], count: 2)
            var fingers: [UInt32] = []
            for _ in 0..<12 {
                let changes = Bool.random(using: &chance)
                if changes, fingers.count < 3 {
                    let next = (1...3).first { !fingers.contains($0) }!
                    let records = fingers.map { held($0, 0.5, 0.5) } + [down(next, 0.3, 0.4)]
                    fingers = (fingers + [next]).sorted()
                    let sorted = records.sorted { $0.index < $1.index }
                    single.handle([sorted], sharing: false, &ways[0])
                    shared.handle([sorted], sharing: true, &ways[1])
                } else if changes {
                    let gone = fingers.removeFirst()
                    let records = [lifted(gone)] + fingers.map { held($0, 0.5, 0.5) }
                    single.handle([records], sharing: false, &ways[0])
                    shared.handle([records], sharing: true, &ways[1])
                } else if !fingers.isEmpty {
                    let count = Int.random(in: 1...9, using: &chance)
                    let scans = (0..<count).map { _ in
                        fingers.map { moved($0, Double.random(in: 0...1, using: &chance), 0.5) }
                    }
                    single.handle(scans, sharing: false, &ways[0])
                    shared.handle(scans, sharing: true, &ways[1])
                }
            }
            single.answerAll(&ways[0])
            shared.answerAll(&ways[1])
            #expect(ways[0] == ways[1], "seed \(seed)")
            #expect(single.settled == single.asked && shared.settled == shared.asked, "seed \(seed)")
        }
    }

    // MARK: One side of a comparison

    private var open: [Frame] = []
    private var asked = 0
    private var settled = 0

    private mutating func handle(_ scans: [[DigitizerEvent]], sharing: Bool, _ way: inout [String]) {
        if sharing, scans.count > 1 {
            asked += 1
            note(share(scans), &way)
        } else {
            for one in scans {
                asked += 1
                let frame = stage.inputKitFrame(.digitizer(scan(one, at: stage.now)))
                note(stage.handle(.frame(frame, from: .inputKit)), &way)
            }
        }
    }

    /// Notes what the app receives: the way of each touch, whether a position comes alone or in a history.
    private mutating func note(_ frames: [Frame], _ way: inout [String]) {
        settled += receipts(frames).count
        for frame in frames {
            let told = touches([frame]).flatMap { $0 }
            guard !told.isEmpty else { continue }
            open.append(frame)
            for one in told.flatMap({ $0.history + [$0] }) {
                way.append(one.contacts.map { "\($0.touch) \($0.phase) \($0.position)" }.joined(separator: ", "))
            }
        }
    }

    private mutating func answerAll(_ way: inout [String]) {
        while !open.isEmpty {
            let frame = open.removeFirst()
            note(stage.appSays(1, .handled(Receipt(frame: frame.sequence, outcome: .delivered))), &way)
        }
    }
}
