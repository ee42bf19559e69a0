// InteractionReceipts.swift: receipts of injected input, from the facts of the processes that decided it.
//
//    begin ─▶ every process notes its decisions ─▶ play ─▶ pages of facts ─▶ Explain ─▶ a receipt for each finger, key
//
// Processes note facts only while a command asks for them (Docs/Decisions/InteractionReceipts.md). Fingers of live
// devices and of other commands at the same time are on the receipt too, because they are part of the events.

import Basics
import Explain
import Glibc
import Hosting
import Trace
import Wire
import ZeroMQHost

/// The receipts of one play.
struct InteractionReceipts {
    /// The facts received from one process.
    private struct ProcessFacts {
        let peer: Peer
        var facts: [ResolvedFact] = []
        var next: UInt64 = 0
        /// Facts that the process had no space for.
        var missing: UInt64 = 0
        var hasMore = false
        /// Whether it answered the last question.
        var answers = true
    }

    private let client: ControlClient
    private var processFacts: [ProcessFacts]
    private(set) var explained = Explain()

    /// The time to answer for a main loop that may be busy: the same as the supervisor gives its children.
    private static let answerTime = Duration.milliseconds(300)
    /// The limit for recognizers that wait: twice the longest default wait.
    private static let recognizerWaitLimit = Duration.seconds(2)
    private static let pause = Duration.milliseconds(20)

    /// Makes every process note its decisions from here on.
    init(from client: ControlClient) throws {
        self.client = client
        let group = try GroupReport(from: client)
        // In the order in which an event passes them: facts of one moment are read in this order.
        processFacts = (group.processes.filter { $0.pid > 0 }.map(\.name) + group.joined.map(\.name))
            .compactMap { Peer($0) }.map { ProcessFacts(peer: $0) }
        try client.ask(.observe(Observation(id: 0, kind: .begin)))
        try readPages(of: processFacts.indices.map { $0 }, alsoSupervisor: true)
    }

    /// Reads the facts until no more can follow or the limit ends. Then ends the noting.
    mutating func gather() throws {
        let deadline = monotonicNow().advanced(by: Self.recognizerWaitLimit)
        while true {
            try readAllPages()
            let now = monotonicNow()
            explain()
            if explained.isSettled(at: now) || now >= deadline { break }
            usleep(UInt32(Self.pause.nanoseconds / 1000))
        }
        for process in processFacts where !process.answers { explained.noteSilence(of: "\(process.peer)") }
        try client.ask(.observe(Observation(id: 0, kind: .end)))
    }

    /// Reads the facts of every process, page by page.
    private mutating func readAllPages() throws {
        var unansweredIndices = Array(processFacts.indices)
        while !unansweredIndices.isEmpty {
            for index in unansweredIndices {
                processFacts[index].answers = false
                try client.ask(
                    .observe(
                        Observation(id: 0, kind: .page, of: processFacts[index].peer, from: processFacts[index].next)))
            }
            try readPages(of: unansweredIndices, alsoSupervisor: false)
            unansweredIndices = unansweredIndices.filter { processFacts[$0].answers && processFacts[$0].hasMore }
        }
    }

    /// Reads one page of each process, or the pages that arrive in time.
    private mutating func readPages(of asked: [Int], alsoSupervisor: Bool) throws {
        var awaited = Set(asked.map { processFacts[$0].peer })
        if alsoSupervisor { awaited.insert(.supervisor) }
        let deadline = monotonicNow().advanced(by: Self.answerTime)
        while !awaited.isEmpty {
            let left = monotonicNow().duration(to: deadline)
            guard left > .zero, let message = try client.next(timeout: left) else { return }
            switch message {
            case .facts(let page):
                awaited.remove(page.peer)
                add(page)
            case .refused(let reason): throw Failure.group("refused: \(reason)")
            default: continue
            }
        }
    }

    private mutating func add(_ page: FactPage) {
        guard let index = processFacts.firstIndex(where: { $0.peer == page.peer }) else { return }
        (processFacts[index].answers, processFacts[index].hasMore, processFacts[index].missing) = (
            true, page.hasMore, page.missing
        )
        // A restarted process counts from the beginning.
        if page.first < processFacts[index].next { processFacts[index].next = 0 }
        guard page.first >= processFacts[index].next else { return }
        processFacts[index].facts += page.resolvedFacts
        processFacts[index].next = page.first + UInt64(page.facts.count)
    }

    /// Explains all facts again, by time: a late page may contain earlier facts than pages of other processes.
    private mutating func explain() {
        var all: [(at: Instant, process: Int, index: Int)] = []
        for process in processFacts.indices {
            for index in processFacts[process].facts.indices {
                all.append((processFacts[process].facts[index].at, process, index))
            }
        }
        all.sort { ($0.at, $0.process, $0.index) < ($1.at, $1.process, $1.index) }
        explained = Explain()
        for entry in all { explained.add(processFacts[entry.process].facts[entry.index]) }
    }

    // MARK: Text

    var lines: [String] {
        var lines = explained.interactions.flatMap(\.lines)
        if explained.interactions.isEmpty { lines.append("no finger landed and no key went down") }
        if explained.omittedCount > 0 {
            lines.append("\(explained.omittedCount) more omitted, as a receipt has at most \(Explain.limit)")
        }
        for process in processFacts where process.missing > 0 {
            lines.append(
                "\(process.peer): \(process.missing) earlier facts are missing, as the process keeps the latest only")
        }
        return lines
    }

    var json: [[String: Any]] { explained.interactions.map(\.json) }
}

extension Interaction {
    /// The receipt as JSON.
    var json: [String: Any] {
        var object: [String: Any] = [
            "beganNanoseconds": Int(began.nanoseconds), "cause": cause.code, "because": "\(cause)",
            "acted": cause.isAction,
            "recognizers": recognizers.map { recognizer in
                let verdict = "\(recognizer.verdict)"
                return [
                    "name": recognizer.name, "identity": Int(recognizer.identity), "acted": recognizer.acted,
                    "verdict": verdict,
                ] as [String: Any]
            },
            "receivers": receivers, "actions": actions.map { ["trigger": $0.trigger, "target": $0.target] },
        ]
        switch subject {
        case .finger(let contact, let touch):
            object["finger"] = Int(contact)
            if let touch { object["touch"] = Int(touch) }
        case .input(let name): object["input"] = name
        }
        if let ended { object["seconds"] = began.duration(to: ended).seconds }
        if let position = hit.position { object["position"] = [position.x, position.y] }
        if let recipient { object["recipient"] = process ?? recipient }
        if let window = hit.window { object["window"] = window }
        if let view = hit.view { object["view"] = view }
        if let cancelledBy { object["cancelledBy"] = ["cause": cancelledBy.code, "because": "\(cancelledBy)"] }
        if let held {
            object["heldForFrame"] = ["frames": held.frames, "longestSeconds": held.longest.seconds] as [String: Any]
        }
        return object
    }
}
