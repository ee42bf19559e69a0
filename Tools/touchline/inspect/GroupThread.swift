// GroupThread.swift: what the group shows and notes, for all pages, over one connection.
//
//     120 times a second while anything moves, so that each frame of a browser has a new tree, else 8 times:
//         observe: page of each process ─▶ facts ─▶ LiveRecord, logs
//         observe: tree of each app ─▶ lines ─▶ ViewTree, if the lines differ ─▶ a picture for each page
//     a page that is open: begin … end without pages
//
// A process that does not answer delays no other: each has one question outstanding, which is repeated after a second.
//
// Input     InspectedGroup: the folder of the group; BrowserHub: the pages
// Output    BrowserHub, Browser
// Knows     questions and answers. LiveRecord and PictureFlow know what to keep.

import Basics
import Explain
import Glibc
import Inspector
import Page
import Trace
import ViewTrees
import Wire
import ZeroMQHost

/// The observer of the group.
final class GroupThread {
    private enum Question {
        case none
        case page(Instant)
        case tree(Instant, [String])

        var since: Instant? {
            switch self {
            case .none: nil
            case .page(let since), .tree(let since, _): since
            }
        }
    }

    private struct Observed {
        let peer: Peer
        var question = Question.none
        /// The number of the next fact.
        var next: UInt64 = 0
        var lines: [String] = []
        var tree: ViewTree?
        var hasMoreFacts = false
    }

    private static let fastPause = Duration.nanoseconds(8_333_333)
    /// The time that a turn leaves to answers, also when the turn before it took too long.
    private static let leastPause = Duration.milliseconds(2)
    private static let slowPause = Duration.milliseconds(125)
    private static let recordPause = Duration.milliseconds(125)
    private static let factsPause = Duration.milliseconds(50)
    /// The time for which the observer stays fast after something has moved.
    private static let movingTime = Duration.milliseconds(700)
    /// A question without an answer is repeated after this time.
    private static let answerTime = Duration.seconds(1)
    /// The turns in which an app in the background is asked for its tree once.
    private static let backgroundTurns: UInt64 = 8
    private static let retryPause: UInt32 = 200_000

    private let hub: BrowserHub
    private let group: InspectedGroup
    private var observed: [Observed] = []
    private var record: LiveRecord
    private var isObserving = false
    private var turns: UInt64 = 0
    private var movedUntil = Instant.boot
    /// The end of the turn, so that the work of a turn delays no later one.
    private var turnEnd = Instant.boot
    private var hasNewTrees = false
    private var sentRecord = Instant.boot
    private var sentFacts = Instant.boot
    private var sentRevision: UInt64 = 0
    private var recordText = ""

    init(_ hub: BrowserHub) {
        (self.hub, group) = (hub, hub.group)
        record = LiveRecord(zero: hub.zero, width: hub.facts.width, height: hub.facts.height)
    }

    /// Observes one group after another, and never returns.
    func run() -> Never {
        var isFirst = true
        var isConnected = false
        while true {
            let number = group.number
            do {
                let client = try ControlClient.connect(to: group.runDirectory)
                let report = try GroupReport(from: client)
                begin(report, isFirst: isFirst)
                (isFirst, isConnected) = (false, true)
                while group.number == number { try turn(client) }
            } catch {
                // The group has ended, or is not ready yet: it may be started again.
                if isConnected, group.number == number { hub.noteEnd("the group has ended") }
                isConnected = false
                usleep(Self.retryPause)
            }
        }
    }

    private func begin(_ report: GroupReport, isFirst: Bool) {
        let facts = BrowserHub.GroupFacts(report)
        (observed, isObserving, hasNewTrees) = ([], false, false)
        record = LiveRecord(zero: hub.zero, width: facts.width, height: facts.height)
        (sentRevision, recordText) = (0, "")
        if isFirst { hub.note(facts) } else { hub.reset("the group was restarted", facts) }
        update(report)
    }

    /// Notes which processes there are.
    private func update(_ report: GroupReport) {
        let peers = report.observedPeers
        observed.removeAll { !peers.contains($0.peer) }
        for peer in peers where !observed.contains(where: { $0.peer == peer }) { observed.append(Observed(peer: peer)) }
    }

    // MARK: A turn

    private func turn(_ client: ControlClient) throws {
        turns &+= 1
        let now = monotonicNow()
        let browsers = hub.browsers
        try observe(!browsers.isEmpty, client)
        if let report = hub.takeReport() { update(report) }
        if hub.isTouched || record.isTouched { noteMovement(at: now) }
        let isFast = now < movedUntil
        let pause = isFast || browsers.isEmpty ? Self.fastPause : Self.slowPause
        turnEnd = min(max(turnEnd.advanced(by: pause), now.advanced(by: Self.leastPause)), now.advanced(by: pause))
        if !browsers.isEmpty { for index in observed.indices { try askForFacts(index, client, at: now) } }
        // A touch makes the next turn come soon.
        while case let left = monotonicNow().duration(to: turnEnd), left > .zero {
            if !isFast, hub.isTouched { break }
            if let message = try client.next(timeout: min(left, Self.fastPause)) { try handle(message, client) }
            if hasNewTrees, observed.allSatisfy({ $0.question.since == nil }) { showTrees() }
        }
        showTrees()
        send(to: browsers)
    }

    private func observe(_ isWanted: Bool, _ client: ControlClient) throws {
        guard isWanted != isObserving else { return }
        isObserving = isWanted
        try client.ask(.observe(Observation(id: 0, kind: isWanted ? .begin : .end)))
    }

    private func noteMovement(at now: Instant) { movedUntil = now.advanced(by: Self.movingTime) }

    private func askForFacts(_ index: Int, _ client: ControlClient, at now: Instant) throws {
        if let since = observed[index].question.since, since.advanced(by: Self.answerTime) > now { return }
        observed[index].question = .page(now)
        try client.ask(.observe(Observation(id: 0, kind: .page, of: observed[index].peer, from: observed[index].next)))
    }

    /// An app in the background shows nothing, and is asked less often: a tree of 500 views costs it a millisecond.
    private func wantsTree(of index: Int) -> Bool {
        observed[index].tree?.state != .background || turns % Self.backgroundTurns == 0
    }

    private func askForTree(_ index: Int, from lines: [String], _ client: ControlClient) throws {
        guard let app = observed[index].peer.app else { return observed[index].question = .none }
        observed[index].question = .tree(monotonicNow(), lines)
        try client.ask(.observe(Observation(id: 0, kind: .tree, of: .app(app), from: UInt64(lines.count))))
    }

    // MARK: Answers

    private func handle(_ message: Message, _ client: ControlClient) throws {
        guard case .facts(let page) = message, let index = observed.firstIndex(where: { $0.peer == page.peer }) else {
            return
        }
        switch observed[index].question {
        // The first answer to `begin`, or one that was no longer awaited.
        case .none: return
        case .page:
            // A tree that was no longer awaited.
            guard page.facts.isEmpty == page.words.isEmpty else { return }
            take(page, at: index)
            guard !page.hasMore else {
                observed[index].question = .none
                return try askForFacts(index, client, at: monotonicNow())
            }
            guard wantsTree(of: index) else { return observed[index].question = .none }
            try askForTree(index, from: [], client)
        case .tree(_, let lines):
            guard page.facts.isEmpty, page.first == UInt64(lines.count), !page.words.isEmpty else {
                observed[index].question = .none
                return
            }
            guard !page.hasMore else { return try askForTree(index, from: lines + page.words, client) }
            observed[index].question = .none
            show(lines + page.words, of: index)
        }
    }

    private func take(_ page: FactPage, at index: Int) {
        // A restarted process counts from the beginning.
        if page.first < observed[index].next { observed[index].next = 0 }
        guard page.first >= observed[index].next else { return }
        observed[index].next = page.first + UInt64(page.facts.count)
        let facts = page.resolvedFacts.filter { !$0.isProbe }
        guard !facts.isEmpty else { return }
        noteMovement(at: monotonicNow())
        record.append(facts)
        hub.note(fingers: facts)
        for browser in hub.browsers { browser.add(facts) }
    }

    private func show(_ lines: [String], of index: Int) {
        guard lines != observed[index].lines, let app = observed[index].peer.app else { return }
        guard let tree = try? ViewTree(lines: lines) else { return }
        let now = monotonicNow()
        (observed[index].lines, observed[index].tree) = (lines, tree)
        record.note(tree, of: app, at: now)
        hasNewTrees = true
        noteMovement(at: now)
    }

    // MARK: Messages to pages

    private func showTrees() {
        hasNewTrees = false
        let now = monotonicNow()
        let trees = observed.compactMap { one in one.tree.flatMap { tree in one.peer.app.map { ($0, tree) } } }
        // A page that just came has seen none.
        for browser in hub.browsers { browser.show(trees, at: now, since: hub.zero) }
    }

    private func send(to browsers: [Browser]) {
        let now = monotonicNow()
        if sentFacts.advanced(by: Self.factsPause) <= now {
            sentFacts = now
            for browser in browsers { browser.sendFacts(since: hub.zero) }
        }
        // A large record is sent less often: a megabyte a second.
        let pause = max(Self.recordPause, .microseconds(recordText.utf8.count))
        if sentRecord.advanced(by: pause) <= now, !record.isEmpty {
            sentRecord = now
            record.measureLatencies(at: now)
            hub.note(record.latencies)
            for browser in browsers where browser.takesRecord(record.revision) {
                if sentRevision != record.revision || recordText.isEmpty {
                    sentRevision = record.revision
                    recordText = InspectorMessage.record(record.record(at: now), in: hub.language).text
                }
                browser.send(recordText)
            }
        }
        let areShown = SharedFingers.areShown(over: observed.filter { $0.peer.app != nil }.map(\.tree))
        let fingers = browsers.map { areShown ? $0.fingers : [] }
        for (index, browser) in browsers.enumerated() {
            browser.showFingers(fingers.indices.filter { $0 != index }.flatMap { fingers[$0] })
        }
    }
}

extension GroupReport {
    /// The processes that note facts, in the order in which an event passes them.
    var observedPeers: [Peer] {
        (processes.filter { $0.pid > 0 }.map(\.name) + joined.map(\.name)).compactMap { Peer($0) }
    }
}

extension BrowserHub.GroupFacts {
    init(_ report: GroupReport) {
        let screen = report.screen
        self.init(
            width: screen?.width ?? 375, height: screen?.height ?? 667,
            apps: report.observedPeers.filter { $0.app != nil }.map { "\($0)" })
    }
}

/// The observer of the processes' states, over a connection of its own: a process that hangs keeps a report waiting.
struct StatusThread {
    let hub: BrowserHub

    private static let pause: UInt32 = 250_000

    /// Asks for reports, and never returns.
    func run() -> Never {
        while true {
            do {
                let number = hub.group.number
                let client = try ControlClient.connect(to: hub.group.runDirectory)
                while hub.group.number == number {
                    let browsers = hub.browsers
                    if !browsers.isEmpty {
                        hub.note(try GroupReport(from: client))
                        let text = hub.groupMessage().text
                        for browser in browsers { browser.sendIfKeepingUp(text) }
                    }
                    usleep(Self.pause)
                }
            } catch { usleep(Self.pause) }
        }
    }
}
