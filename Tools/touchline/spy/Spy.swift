// Spy.swift: `touchline spy`: observes every touch that the server routes, and takes a touch from its app.
//
//    server ─▶ page ─▶ a line           stdin ─▶ `pilfer 7` ─┐
//                └▶ has it moved far enough? ────────────────┴▶ yes ─▶ server

import ArgumentParser
import Basics
import Foundation
import Glibc
import HID
import Wire
import ZeroMQHost

/// The command `touchline spy`.
struct SpyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spy",
        abstract: "See every touch the server routes, and take one from its app.",
        discussion: """
            Each line is one touch of one scan: device time, touch, phase, who has it, and where, in points on the \
            screen. It is told beside the apps, in the order of the routing: after the server has sent the scan where it \
            goes, and never before. Nobody waits for a spy: what it does not read in time is left out, and a line says \
            how much.

            Where is told of apps that have declared their windows (app.declaresWindows), none of them secure; or of \
            everything but those with a secure window, where nothing on the screen is secret (trace.positions).

            On stdin: `pilfer TOUCH` takes a touch: its app hears that it is cancelled, once, and the rest of it is \
            this spy's until the finger lifts. While a gesture of the system's may still want it, the answer waits. \
            `no TOUCH`: show me no more of it. `maybe TOUCH`, `hold TOUCH`: go on; no app waits for a spy. `quit` ends.

            With --pilfer-after every touch that is shown is taken once it has moved so many points (0: as it lands), \
            which needs places unless it is 0; a line says that a place is missing. With --deadline a touch that is not taken by then is left.

            EXIT CODES
              0  done: --count, --seconds or `quit`
              1  there are as many spies as there may be
              2  what was given cannot be used
              3  no group is running, or it ended meanwhile
            """)

    @OptionGroup var runDirectory: RunDirectory

    @Option(help: ArgumentHelp("Only touches that land on this app.", valueName: "number"))
    var app: UInt32?

    @Option(help: ArgumentHelp("Only touches that land there, in points on the screen.", valueName: "x,y,width,height"))
    var zone: String?

    @Option(help: ArgumentHelp("End after so many lines of touches.", valueName: "lines"))
    var count: Int?

    @Option(help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var seconds: Double?

    @Option(help: ArgumentHelp("Take each touch that has moved so far.", valueName: "points"))
    var pilferAfter: Double?

    @Option(help: ArgumentHelp("Leave a touch that is not taken so long after its landing.", valueName: "seconds"))
    var deadline: Double?

    @Flag(help: "Print one JSON object a line instead of text.")
    var json = false

    func validate() throws {
        if app == 0 { throw ValidationError("--app: expected a number from 1, found 0") }
        if zone != nil, parsedZone == nil {
            throw ValidationError("--zone: expected x,y,width,height in points, found \"\(zone ?? "")\"")
        }
        if let count, count < 1 { throw ValidationError("--count: expected at least 1, found \(count)") }
        for (name, value) in [("--seconds", seconds), ("--pilfer-after", pilferAfter), ("--deadline", deadline)] {
            guard let value, !(0...1_000_000).contains(value) else { continue }
            throw ValidationError("\(name): expected 0...1000000, found \(value)")
        }
    }

    private var parsedZone: Rect<DisplaySpace>? {
        let numbers = (zone ?? "").split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], [x, y, width, height].allSatisfy({ abs($0) < 32_768 }), width >= 0, height >= 0
        else { return nil }
        return Rect(x: x, y: y, width: width, height: height)
    }

    func run() throws {
        let client = try runDirectory.connect()
        let interest = TouchMonitorInterest(
            app: app.map { AppID($0) }, zone: parsedZone, answerLimit: deadline.map { .nanoseconds(Int64($0 * 1e9)) })
        try client.ask(.monitor(TouchMonitorRequest(id: 0, .begin(interest))))
        let end = seconds.map { monotonicNow().advanced(by: .nanoseconds(Int64($0 * 1e9))) }
        var session = TouchMonitorSession(client, pilferAfter: pilferAfter, prints: json ? .json : .text, count: count)
        while !session.isOver {
            let left = end.map { monotonicNow().duration(to: $0) } ?? TouchMonitorSession.pause
            guard left > .zero else { break }
            try session.receive(for: min(left, TouchMonitorSession.pause))
            try session.readOrders()
        }
        try client.ask(.monitor(TouchMonitorRequest(id: 0, .end)))
    }
}

/// One session of a spy.
private struct TouchMonitorSession {
    enum Form { case text, json }

    /// The interval at which stdin is read.
    static let pause = Duration.milliseconds(20)

    private let client: ControlClient
    private let pilferAfter: Double?
    private let form: Form
    private var remainingCount: Int?
    private(set) var isOver = false
    /// The landing positions of touches that it may take.
    private var landings: [(touch: TouchID, place: MonitoredLocation?)] = []
    /// Whether a touch without a position has been reported: once is enough.
    private var hasReportedNoPosition = false
    private var newest: UInt64 = 0
    private var lastAcknowledged: UInt64 = 0
    /// The incomplete line of stdin; nil at its end.
    private var input: [UInt8]? = []

    init(_ client: ControlClient, pilferAfter: Double?, prints form: Form, count: Int?) {
        (self.client, self.pilferAfter, self.form, remainingCount) = (client, pilferAfter, form, count)
    }

    /// Handles the messages of this time. Acknowledges pages at once when no more wait.
    mutating func receive(for time: Duration) throws {
        var time = time
        while !isOver, let message = try client.next(timeout: time) {
            time = .zero
            switch message {
            case .monitorPage(let page): try handle(page)
            case .refused(let reason): throw Failure.group("refused: \(reason)")
            default: continue
            }
            if newest - lastAcknowledged >= 16 { try acknowledgePages() }
        }
        if newest > lastAcknowledged { try acknowledgePages() }
    }

    private mutating func acknowledgePages() throws {
        lastAcknowledged = newest
        try send(.acknowledged(newest))
    }

    private mutating func handle(_ page: TouchMonitorPage) throws {
        switch page.content {
        case .turnedAway(let limit): throw Failure.negativeResult("there are \(limit) spies already, the limit")
        // A restarted server counts from the beginning.
        case .begun: (lastAcknowledged, newest, landings) = (0, 0, [])
        case .scan(let scan): for contact in scan.contacts { try claimIfMoved(contact) }
        case .verdict, .omissions: break
        }
        newest = max(newest, page.number)
        for line in try lines(page) {
            guard remainingCount != 0 else { break }
            printLine(line.text)
            if line.isTouch, let more = remainingCount { remainingCount = more - 1 }
        }
        isOver = isOver || remainingCount == 0
    }

    private func lines(_ page: TouchMonitorPage) throws -> [(text: String, isTouch: Bool)] {
        switch form {
        case .text:
            return MonitorLines.text(page).map { ($0, $0.contains("  touch ")) }
        case .json:
            return try MonitorLines.json(page).map { (try line($0), $0["news"] as? String == "touch") }
        }
    }

    private func line(_ object: [String: Any]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    /// Takes a touch when it has moved far enough.
    private mutating func claimIfMoved(_ contact: MonitoredContact) throws {
        guard let pilferAfter else { return }
        switch contact.phase {
        case .began: landings.append((contact.touch, contact.location))
        case .ended, .cancelled: landings.removeAll { $0.touch == contact.touch }
        case .moved, .stationary: break
        }
        guard let landing = landings.first(where: { $0.touch == contact.touch }) else { return }
        var far = 0.0
        if let from = landing.place, let to = contact.location {
            let (here, there) = (from.position, to.position)
            let (x, y) = (there.x.double - here.x.double, there.y.double - here.y.double)
            far = (x * x + y * y).squareRoot()
        } else if pilferAfter > 0, !hasReportedNoPosition {
            hasReportedNoPosition = true
            let why = "its place is not told (app.declaresWindows, trace.positions), so --pilfer-after does not take it"
            let object: [String: Any] = ["news": "noPlace", "touch": Int(contact.touch.rawValue), "because": why]
            printLine(form == .text ? "\(contact.touch): \(why)" : try line(object))
        }
        guard far >= pilferAfter else { return }
        landings.removeAll { $0.touch == contact.touch }
        try send(.answer(contact.touch, .yes))
    }

    /// Reads the orders on stdin.
    mutating func readOrders() throws {
        while input != nil, !isOver {
            var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { return }
            var chunk = [UInt8](repeating: 0, count: 1024)
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            guard count > 0 else {
                input = nil
                return
            }
            input! += chunk[..<count]
            while let end = input!.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: input![..<end], as: UTF8.self)
                input!.removeFirst(end + 1)
                try execute(line)
            }
            // No order is that long.
            if input!.count > 4096 { input = [] }
        }
    }

    private mutating func execute(_ line: String) throws {
        switch MonitorOrder(line) {
        case .answer(let touch, let answer): try send(.answer(touch, answer))
        case .quit: isOver = true
        case nil:
            guard line.contains(where: { $0 != " " }) else { return }
            printError("expected pilfer, no, maybe or hold and a touch, or quit, found \"\(line)\"")
        }
    }

    private func send(_ word: TouchMonitorRequest.Kind) throws {
        try client.ask(.monitor(TouchMonitorRequest(id: 0, word)))
    }

    private func printLine(_ line: String) { touchline.printLine(line) }
}
