// BrowserHub.swift: the open pages, and what they share: the group's size, its state, its languages.
//
//     InspectServer ─join, leave─▶ pages ◀─each─ DeviceThread, GroupThread, jobs
//
// Input     InspectServer; the threads of the group
// Output    messages to all pages
// Knows     pages. Each page knows its device and its pictures.

import Basics
import Explain
import FlyingFox
import Glibc
import Inspector
import Page
import Scenarios
import Synchronization
import Trace
import Wire
import ZeroMQHost

/// The open pages.
final class BrowserHub: Sendable {
    /// What the group is.
    struct GroupFacts: Sendable {
        var width = 375.0
        var height = 667.0
        var apps: [String] = []
    }

    private struct State {
        var browsers: [Browser] = []
        var joined = 0
        var facts = GroupFacts()
        var latest: GroupReport?
        var hasNewReport = false
        var latencies = LatencyHistogram()
    }

    let language: Language
    let group: InspectedGroup
    /// The moment from which every message counts.
    let zero: Instant
    private let state = Mutex(State())
    private let fingers = Mutex(LastFingers())
    private let wake: (read: Int32, write: Int32)

    /// - Throws: `Failure` if the group does not answer.
    init(_ group: InspectedGroup, language: Language) throws {
        (self.group, self.language, zero) = (group, language, monotonicNow())
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw Failure.group("pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wake = (ends[0], ends[1])
        // The first page must know the size of the display.
        note(GroupFacts(try GroupReport(from: .connect(to: group.runDirectory))))
    }

    var browsers: [Browser] { state.withLock { $0.browsers } }
    var facts: GroupFacts { state.withLock { $0.facts } }
    var isTouched: Bool { browsers.contains { $0.isTouching } }

    /// The folder of the group's virtual devices.
    private var devices: String { RunPaths(group.runDirectory).devices }
    private var panel: TouchPanel { TouchPanel(width: facts.width, height: facts.height) }

    // MARK: Pages

    /// Adds a page, with a device of its own.
    func join(_ messages: AsyncStream<WSMessage>.Continuation) -> Browser {
        let number = state.withLock { state in
            state.joined += 1
            return state.joined
        }
        let browser = Browser(number: number, panel: panel, messages: messages)
        browser.send(hello(to: browser))
        plug(browser)
        state.withLock { $0.browsers.append(browser) }
        wakeDevices()
        browser.send(groupMessage())
        return browser
    }

    private func hello(to browser: Browser) -> JSONText {
        let facts = facts
        return InspectorMessage.hello(
            browser: browser.number, name: group.content.name, language: language, width: facts.width,
            height: facts.height, apps: facts.apps, isOwn: group.isOwn, zero: zero, at: monotonicNow())
    }

    func leave(_ browser: Browser) {
        state.withLock { state in state.browsers.removeAll { $0 === browser } }
        browser.unplug()
        browser.finish()
        wakeDevices()
    }

    private func plug(_ browser: Browser) {
        do { try browser.plug(into: devices, panel: panel) } catch {
            browser.close(1011, "the page's touch screen cannot be plugged in: \(error)")
        }
    }

    // MARK: The group

    /// Notes what a new group is, and moves every page to it.
    func reset(_ why: String, _ facts: GroupFacts) {
        state.withLock { state in
            (state.facts, state.latest, state.hasNewReport) = (facts, nil, false)
            state.latencies = LatencyHistogram()
        }
        fingers.withLock { $0.beginGroup() }
        for browser in browsers {
            browser.reset(why)
            browser.send(hello(to: browser))
            plug(browser)
        }
        wakeDevices()
    }

    /// Tells every page that its group is gone. The pages stay, for a group that is started again.
    func noteEnd(_ why: String) {
        for browser in browsers {
            browser.unplug()
            browser.reset(why)
        }
    }

    func note(_ facts: GroupFacts) { state.withLock { $0.facts = facts } }
    func note(_ report: GroupReport) { state.withLock { ($0.latest, $0.hasNewReport) = (report, true) } }

    /// The fingers of the last interaction. They stay when the group is started again.
    var lastFingers: LastFingers { fingers.withLock { $0 } }
    func note(fingers facts: [ResolvedFact]) { fingers.withLock { $0.add(facts) } }

    /// The latest report, once.
    func takeReport() -> GroupReport? {
        state.withLock { state in
            guard state.hasNewReport else { return nil }
            state.hasNewReport = false
            return state.latest
        }
    }
    func note(_ latencies: LatencyHistogram) { state.withLock { $0.latencies = latencies } }

    /// The message `group`: the state of each process, and the latencies.
    func groupMessage() -> JSONText {
        let (report, latencies) = state.withLock { ($0.latest, $0.latencies) }
        let processes = (report?.processes ?? []).map { process in
            var fields: [(String, JSONText)] = [
                ("name", .string(process.name)), ("pid", .number(process.pid)), ("state", .string(process.state)),
                ("restarts", .number(process.restarts)), ("responding", .bool(process.isResponding)),
                ("lastExit", .string(process.lastExit)), ("reason", .string(process.reason)),
            ]
            if let resident = residentBytes(of: process.pid) { fields.append(("rss", .number(resident))) }
            return JSONText.object(fields)
        }
        return .object([
            ("t", .string("group")), ("processes", .array(processes)), ("latency", latencies.json),
        ])
    }

    // MARK: The thread of the devices

    private func wakeDevices() {
        var byte: UInt8 = 0
        _ = write(wake.write, &byte, 1)
    }

    /// Answers requests to the devices of all pages, and never returns.
    func serveDevices() -> Never {
        while true {
            var items = [pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)]
            var deadline = Instant.never
            for browser in browsers {
                let waits = browser.waits
                items += waits.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                deadline = min(deadline, waits.deadline ?? .never)
            }
            let left = monotonicNow().duration(to: deadline).nanoseconds
            // The deadline of a finger that lands meanwhile is seconds away.
            let limit: Int32 = deadline == .never ? 1000 : Int32(clamping: max(0, left / 1_000_000 + 1))
            _ = poll(&items, UInt(items.count), limit)
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(wake.read, &bytes, bytes.count) > 0 {}
            let now = monotonicNow()
            for browser in browsers { browser.serveDevice(at: now) }
        }
    }
}

/// The resident memory of a process; nil if it is gone.
private func residentBytes(of pid: Int64) -> Int64? {
    guard pid > 0 else { return nil }
    let file = open("/proc/\(pid)/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(file, &bytes, bytes.count)
    let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int64(words[1]).map { $0 * Int64(getpagesize()) } : nil
}
