// MonitorCommand.swift: `touchline monitor`: observes every touch that the server routes, and takes a touch from its app.
//
//    server ─▶ page ─▶ a line           stdin ─▶ `pilfer 7` ─┐
//                └▶ moved far enough? ───────────────────────┴▶ yes ─▶ server

import ArgumentParser
import Basics
import Foundation
import Glibc
import HID
import Wire
import ZeroMQHost

/// The command `touchline monitor`.
struct MonitorCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Observe every touch that the server routes, and take touches from their apps.",
        discussion: """
            The command is a touch monitor. Each line is one touch of one scan: device time, touch, phase, owner, and the \
            position in points on the screen. The server sends a line after it has routed the scan. No app waits for a \
            monitor: a line counts the touches that a slow monitor missed. With --json each line is one JSON object.

            The position is there if the app has declared its windows (app.declaresWindows) and none of them is secure. \
            With the setting trace.positions it is there for every app without a secure window.

            On stdin, `pilfer TOUCH` takes a touch: its app receives `cancelled` once, and the monitor owns the touch until \
            it lifts. While a system gesture may still take the touch, the answer waits. `no TOUCH` ends the lines of a \
            touch. `maybe TOUCH` and `hold TOUCH` change nothing. `quit` ends the command.

            --pilfer-after takes each shown touch that has moved N points; 0 takes it at its landing. More than 0 needs \
            positions, and a line names the first touch without one. --deadline leaves a touch that is not taken in time.

            Exits 0 when --count, --seconds or `quit` ends it, 1 when the group has as many touch monitors as it can have, \
            2 when an option cannot be used, 3 when no group is running or the group ends.
            """)

    @OptionGroup var result: ResultOptions
    @OptionGroup var runDirectory: RunDirectory

    @Option(help: ArgumentHelp("Show only touches that land on this running app.", valueName: "number"))
    var app: UInt32?

    @Option(
        help: ArgumentHelp(
            "Show only touches that land in this rectangle, in points on the screen.", valueName: "x,y,width,height"))
    var zone: String?

    @Option(help: ArgumentHelp("Stop after N lines of touches.", valueName: "count"))
    var count: Int?

    @Option(help: ArgumentHelp("Stop after S seconds.", valueName: "seconds"))
    var seconds: Double?

    @Option(help: ArgumentHelp("Take each touch that has moved N points.", valueName: "number"))
    var pilferAfter: Double?

    @Option(help: ArgumentHelp("Leave a touch that is not taken S seconds after its landing.", valueName: "seconds"))
    var deadline: Double?

    func validate() throws {
        if app == 0 { throw ValidationError("--app: expected a number from 1, found 0") }
        if zone != nil, parsedZone == nil {
            throw ValidationError("--zone: expected x,y,width,height in points, found \"\(zone ?? "")\"")
        }
        if let count, count < 1 { throw ValidationError("--count: expected at least 1, found \(count)") }
        try expect("--seconds", seconds, in: 0...1_000_000)
        try expect("--pilfer-after", pilferAfter, in: 0...1_000_000)
        try expect("--deadline", deadline, in: 0...1_000_000)
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
        var session = TouchMonitorSession(
            client, pilferAfter: pilferAfter, prints: result.json ? .json : .text, count: count)
        while !session.isOver {
            let left = end.map { monotonicNow().duration(to: $0) } ?? TouchMonitorSession.pause
            guard left > .zero else { break }
            try session.receive(for: min(left, TouchMonitorSession.pause))
            try session.readOrders()
        }
        try client.ask(.monitor(TouchMonitorRequest(id: 0, .end)))
    }
}

/// One session of a touch monitor.
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
    private var landings: [(touch: TouchID, location: MonitoredLocation?)] = []
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
        case .turnedAway(let limit):
            throw Failure.negativeResult("expected at most \(limit) touch monitors, found \(limit) already")
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
            return try MonitorLines.json(page).map { (try line($0), $0["event"] as? String == "touch") }
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
        if let from = landing.location, let to = contact.location {
            let (here, there) = (from.position, to.position)
            let (x, y) = (there.x.double - here.x.double, there.y.double - here.y.double)
            far = (x * x + y * y).squareRoot()
        } else if pilferAfter > 0, !hasReportedNoPosition {
            hasReportedNoPosition = true
            let why =
                "the server does not report its position (app.declaresWindows, trace.positions), so --pilfer-after does not "
                + "take it"
            let object: [String: Any] = ["event": "noPosition", "touch": Int(contact.touch.rawValue), "because": why]
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
            printError("expected pilfer, no, maybe or hold with a touch, or quit, found \"\(line)\"")
        }
    }

    private func send(_ kind: TouchMonitorRequest.Kind) throws {
        try client.ask(.monitor(TouchMonitorRequest(id: 0, kind)))
    }

    private func printLine(_ line: String) { touchline.printLine(line) }
}
