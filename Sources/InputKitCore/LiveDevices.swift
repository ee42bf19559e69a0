// LiveDevices.swift: all device nodes, and which of them are read.
//
// Station   device
// Input     InputKitCore: the host's messages, timers, the state of the server
// Output    orders for the host and scans for the server, to InputKitCore
// Knows     paths, moments. No link, no play.
//
//     messages ─▶ DeviceNode, one for each path ─▶ DeviceNodeMachine ─▶ LiveDevice, one for each opening ─▶ ScanQueue ─▶ InputKitCore
//
// A node keeps its sender number until this process ends, and counts its openings: a device that is plugged in again is
// the same sender with a new generation. The queue belongs to the node, so that the last scans of one generation come
// before the first of the next.
//
// The kernel shows a HID panel twice: as events it has parsed (evdev), and as raw reports (hidraw). Of the two only
// evdev is read, unless both were requested by path.
//
// Sources   invented

import Basics
import HID
import Hosting
import Recordings
import Settings
import Trace
import Wire

/// All live devices.
struct LiveDevices: Sendable {
    /// The devices that are to be opened, by the setting.
    private enum Selection: Sendable {
        case none
        case all
        /// Names by folder, in the order of the setting.
        case paths([(folder: String, names: [String])])
    }

    private let selection: Selection
    /// The folder of virtual devices; nil if none are read.
    private let virtualFolder: String?
    private let folders: [String]
    private let grab: Bool
    private let rules: LiveDevice.Rules
    private let displays: PanelDisplays
    /// The limit of moves. A device with a thousand reports a second costs the server, the app and their CPU more than
    /// an app needs. The last position of a burst is at most one period late. Documented: fault F21. Invented: the
    /// rate, twice that of the fastest touch screens; the burst, a sixteenth of a second.
    private let moveLimits: TokenBucket.Limits
    private var nodes: [DeviceNode] = []
    private var lastID: UInt32 = 0
    private var lastSender: UInt64 = 1
    /// The number of the last scan, counted over all devices.
    private(set) var lastOrdinal: UInt64 = 0
    private var watchFailure = ""
    /// The number of paths that exceeded the limit.
    private var refused: UInt64 = 0
    /// The index of the node whose turn it is when credit is short.
    private var nextIndex = 0
    private var armed: Instant?

    /// More device nodes than any machine has.
    static let nodeLimit = 512

    /// - Parameter runDirectory: The folder of the group, which contains the folder of virtual devices.
    init(settings: Settings, runDirectory: String) {
        virtualFolder = settings[.deviceVirtual] ? "\(runDirectory)/devices" : nil
        let text = settings[.deviceOpen]
        switch text {
        case "": selection = .none
        case "all": selection = .all
        default:
            var groups: [(folder: String, names: [String])] = []
            for path in text.split(separator: ",") {
                let cut = path.lastIndex(of: "/")
                let folder = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
                let name = String(cut.map { path[path.index(after: $0)...] } ?? path)
                if let index = groups.firstIndex(where: { $0.folder == folder }) {
                    groups[index].names.append(name)
                } else {
                    groups.append((folder, [name]))
                }
            }
            selection = .paths(groups)
        }
        let folder = settings[.deviceDirectory]
        folders = folder.isEmpty ? ["/dev/input", "/dev"] : [folder]
        grab = settings[.deviceGrab]
        displays = PanelDisplays(settings)
        moveLimits = .init(rate: settings[.deviceScanRate], burst: Double(settings[.deviceScanBurst]))
        func limit(_ key: Settings.Key<Duration>) -> Duration? { settings[key] > .zero ? settings[key] : nil }
        rules = LiveDevice.Rules(
            palms: settings[.devicePalms] == .keep ? .keep : .cancel,
            absentMeansLifted: settings[.deviceAbsentMeansLifted], reportSilence: limit(.deviceReportTimeout),
            stuckFinger: limit(.deviceStuckContactTimeout))
    }

    // MARK: Messages of the host

    func begin(into outbox: inout Outbox) {
        if let virtualFolder { outbox.append(.device(.watch(folder: virtualFolder, names: []))) }
        switch selection {
        case .none: return
        case .all: for folder in folders { outbox.append(.device(.watch(folder: folder, names: []))) }
        case .paths(let groups):
            for group in groups { outbox.append(.device(.watch(folder: group.folder, names: group.names))) }
        }
    }

    /// - Parameter hasServer: Whether there is a server for contacts that land now.
    mutating func handle(_ news: DeviceNotice, at now: Instant, hasServer: Bool, into outbox: inout Outbox) {
        switch news {
        case .appeared(let path):
            guard let index = index(of: path) ?? addNode(path) else {
                if refused == 0 {
                    outbox.trace.note(
                        now, .device, "{a:n} is not read: limit of {b} devices", outbox.trace.intern(path),
                        Int64(Self.nodeLimit))
                }
                refused += 1
                return
            }
            nodes[index].attempts.reset()
            advance(.appeared, index, at: now, into: &outbox)
        case .vanished(let path):
            guard let index = index(of: path) else { return }
            // The end of the device and the removal of its name arrive in either order.
            nodes[index].reason = "unplugged"
            advance(.vanished, index, at: now, into: &outbox)
            // A path that was never a touch device need not be kept.
            if nodes[index].sender == 0 { nodes.remove(at: index) }
        case .unwatched(let folder, let reason):
            watchFailure = reason
            outbox.trace.note(
                now, .device, "{a:n} cannot be watched for devices: {b:n}", outbox.trace.intern(folder),
                outbox.trace.intern(reason))
        case .opened(let id, let facts): opened(id, facts, at: now, into: &outbox)
        case .failed(let id, let reason):
            guard let index = index(of: id), nodes[index].state == .opening else { return }
            nodes[index].reason = reason
            outbox.trace.note(now, .device, "{a:n}", outbox.trace.intern(reason))
            advance(.failed, index, at: now, into: &outbox)
        case .lost(let id, let reason):
            guard let index = index(of: id), nodes[index].state == .open else { return }
            nodes[index].reason = reason
            nodes[index].attempts.lost(at: now)
            advance(.lost, index, at: now, into: &outbox)
        case .bytes(let id, let bytes):
            guard let index = index(of: id), nodes[index].state == .open else { return }
            let need = nodes[index].read(bytes, at: now, hasServer: hasServer, ordinal: &lastOrdinal)
            if need == .resync { outbox.append(.device(.resync(id))) }
        case .slots(let id, let slots):
            guard let index = index(of: id), nodes[index].state == .open else { return }
            nodes[index].resynchronize(slots, at: now, hasServer: hasServer, ordinal: &lastOrdinal)
        }
    }

    private func index(of path: String) -> Int? { nodes.firstIndex { $0.path == path } }
    private func index(of id: DeviceID) -> Int? { nodes.firstIndex { $0.id == id } }

    private mutating func addNode(_ path: String) -> Int? {
        if nodes.count >= Self.nodeLimit {
            // An absent node without waiting scans is removed. It would return with a new sender number.
            let gone = nodes.firstIndex { $0.state == .absent && $0.outlet.queue.count == 0 }
            guard let gone else { return nil }
            nodes.remove(at: gone)
        }
        nodes.append(DeviceNode(path: path, moveLimits: moveLimits))
        return nodes.count - 1
    }

    private mutating func opened(_ id: DeviceID, _ facts: DeviceFacts, at now: Instant, into outbox: inout Outbox) {
        guard let index = index(of: id), nodes[index].state == .opening else {
            // The name was removed while the device was being opened.
            outbox.append(.device(.close(id)))
            return
        }
        nodes[index].identity = facts.identity
        nodes[index].isEvdev = if case .evdev = facts { true } else { false }
        let sender = nodes[index].sender > 0 ? nodes[index].sender : lastSender + 1
        let device = LiveDevice(
            id, facts, sender: sender, number: nodes[index].openings + 1, rules: rules,
            display: displays.display(ofDevice: nodes[index].path, called: facts.identity.name), at: now)
        if let reason = reasonNotToRead(device, facts, index) {
            nodes[index].reason = reason
            return advance(.openedOther, index, at: now, into: &outbox)
        }
        lastSender = max(lastSender, sender)
        (nodes[index].sender, nodes[index].device, nodes[index].reason) = (sender, device, "")
        nodes[index].openings += 1
        nodes[index].attempts.opened(at: now)
        advance(.openedTouch, index, at: now, into: &outbox)
        guard isFound(index), nodes[index].isEvdev else { return }
        for other in nodes.indices where other != index && !nodes[other].isEvdev {
            guard nodes[other].identity.isSamePanel(as: facts.identity) else { continue }
            if nodes[other].state == .open { nodes[other].reason = "read as \(nodes[index].path)" }
            advance(.superseded, other, at: now, into: &outbox)
        }
    }

    /// The reason why a device is not to be read; nil if it is.
    private func reasonNotToRead(_ device: LiveDevice?, _ facts: DeviceFacts, _ index: Int) -> String? {
        guard let device else { return "no touch device" }
        guard isFound(index) else { return nil }
        if case .evdev(let facts) = facts, facts.kind != .touchscreen { return "a \(facts.kind.rawValue)" }
        if device.opening.description.kind == .touchpad { return "a touchpad" }
        guard case .hidraw = facts else { return nil }
        let twin = nodes.first {
            $0.state == .open && $0.isEvdev && $0.identity.isSamePanel(as: facts.identity)
        }
        return twin.map { "read as \($0.path)" }
    }

    /// Whether a device was found in a folder, and not named.
    private func isFound(_ index: Int) -> Bool {
        if case .all = selection { return true }
        return virtualFolder.map { nodes[index].path.hasPrefix("\($0)/") } ?? false
    }

    private mutating func advance(
        _ input: DeviceNodeMachine.Input, _ index: Int, at now: Instant, into outbox: inout Outbox
    ) {
        guard let (state, decision) = DeviceNodeMachine.transition(from: nodes[index].state, on: input) else {
            preconditionFailure("a device cannot take \(input) while \(nodes[index].state)")
        }
        nodes[index].state = state
        nodes[index].attempts.cancelRetry()
        switch decision {
        case .open:
            lastID += 1
            nodes[index].id = DeviceID(lastID)
            outbox.append(.device(.open(DeviceID(lastID), path: nodes[index].path, grab: grab)))
        case .begin:
            outbox.trace.note(
                now, .device, "{a:n} is sender {b}, generation {c}",
                outbox.trace.intern(
                    "\(nodes[index].path) \"\(nodes[index].identity.name)\"" + nodes[index].displayText),
                Int64(clamping: nodes[index].sender), Int64(nodes[index].openings))
        case .close: outbox.append(.device(.close(nodes[index].id)))
        case .endAndRetry:
            end(index, at: now, into: &outbox)
            nodes[index].attempts.retryLater(at: now)
        case .endAndClose:
            outbox.append(.device(.close(nodes[index].id)))
            end(index, at: now, into: &outbox)
        case .retry: nodes[index].attempts.retryLater(at: now)
        case .nothing: return
        }
    }

    private mutating func end(_ index: Int, at now: Instant, into outbox: inout Outbox) {
        let fingers = nodes[index].device?.reportedContactCount ?? 0
        nodes[index].end(at: now, ordinal: &lastOrdinal)
        outbox.trace.note(
            now, .device, "{a:n} closed: {b} contacts cancelled", outbox.trace.intern(nodes[index].path),
            Int64(fingers))
    }

    // MARK: Time

    /// The next time at which a node needs the timer. It changes nothing, and is `mutating` so that it runs in place.
    /// It runs after every input, and a copy of a device is a dozen arrays.
    private mutating func deadline() -> Instant? {
        var next = Instant.never
        for index in nodes.indices { nodes[index].limitDeadline(&next) }
        return next == .never ? nil : next
    }

    /// Arms the one timer of all devices if the next deadline is earlier than the armed one.
    mutating func arm(into outbox: inout Outbox) {
        guard let deadline = deadline(), armed.map({ deadline < $0 }) ?? true else { return }
        armed = deadline
        outbox.append(.arm(InputKitCore.Timer.live, at: deadline))
    }

    /// Handles the timer of all devices.
    mutating func timePassed(at now: Instant, into outbox: inout Outbox) {
        armed = nil
        for index in nodes.indices {
            nodes[index].outlet.endTokenWait(at: now)
            if let moment = nodes[index].attempts.retryAt, moment <= now {
                advance(.retryDue, index, at: now, into: &outbox)
            }
            let stuck = nodes[index].expire(at: now, ordinal: &lastOrdinal)
            guard stuck > 0 else { continue }
            outbox.trace.note(
                now, .device, "{a:n}: {b} contacts without change cancelled and ignored until lift",
                outbox.trace.intern(nodes[index].path), Int64(stuck))
        }
    }

    // MARK: The server

    /// Forgets the contacts that a lost server knew.
    ///
    /// - Returns: The number of contacts that are ignored now.
    mutating func ignoreAllContacts() -> Int {
        var count = 0
        for index in nodes.indices {
            nodes[index].outlet.forget()
            count += nodes[index].device?.ignoreAll() ?? 0
        }
        return count
    }

    /// Cancels the contacts of all devices after a suspension of this process.
    ///
    /// - Returns: The number of cancelled contacts.
    mutating func cancelAfterSuspension(at now: Instant) -> Int {
        var count = 0
        for index in nodes.indices { count += nodes[index].cancelAfterSuspension(at: now, ordinal: &lastOrdinal) }
        return count
    }

    /// The state frames of the devices that the server knows, for a server that may have missed a frame.
    func stateEvents() -> [HIDEvent] { nodes.compactMap { $0.outlet.stateEvent() } }

    /// Cancels all contacts at the end of this process.
    mutating func endAll(at now: Instant) {
        for index in nodes.indices { nodes[index].end(at: now, ordinal: &lastOrdinal) }
    }

    /// The next event for the server. The devices take turns.
    ///
    /// - Parameter admission: The limits of each device; nil for no limit.
    /// - Returns: Nil if no scan waits that may be sent.
    mutating func next(
        by admission: Admission?, at now: Instant, faults: inout [ContactFault]
    ) -> (event: HIDEvent, ordinal: UInt64)? {
        guard !nodes.isEmpty else { return nil }
        for step in 0..<nodes.count {
            let index = (nextIndex + step) % nodes.count
            // The call runs in place, because a copy of a node is large.
            let sender = nodes[index].sender
            guard let next = nodes[index].outlet.next(of: sender, by: admission, at: now, faults: &faults) else {
                continue
            }
            nextIndex = index + 1
            return next
        }
        return nil
    }

    /// Whether every scan up to this number was sent.
    func isSent(upTo ordinal: UInt64) -> Bool {
        nodes.allSatisfy { $0.outlet.queue.firstOrdinal.map { $0 > ordinal } ?? true }
    }

    var hasScans: Bool { nodes.contains { $0.outlet.queue.count > 0 } }

    /// Whether each waiting scan waits for a token of its device.
    func waitForTokens(at now: Instant) -> Bool {
        nodes.allSatisfy { $0.outlet.queue.count == 0 || $0.outlet.waitsForToken(at: now) }
    }
    /// The number of contacts that the server knows.
    var reportedContactCount: Int {
        // A node that is passed to a closure is copied, with its device.
        var count = 0
        for index in nodes.indices { count += nodes[index].device?.reportedContactCount ?? 0 }
        return count
    }

    // MARK: Report

    /// Adds the counters of each device that was read, and a state and a reason for each other one.
    func report(into report: inout Report) {
        if case .none = selection, virtualFolder == nil { return }
        report.add("devices", nodes.count { $0.state == .open })
        if let virtualFolder { report.add("devices.virtual", text: virtualFolder) }
        if refused > 0 { report.add("devices.refused", refused) }
        if !watchFailure.isEmpty { report.add("devices.unwatched", text: watchFailure) }
        for node in nodes.prefix(32) { add(node, to: &report) }
    }

    private func add(_ node: DeviceNode, to report: inout Report) {
        let name = node.path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? node.path
        let key = "device.\(name)."
        report.add(key + "path", text: node.path)
        // The path has a row of its own.
        let reason =
            node.reason.hasPrefix("\(node.path): ")
            ? String(node.reason.dropFirst(node.path.count + 2)) : node.reason
        report.add(key + "state", text: reason.isEmpty ? node.state.rawValue : "\(node.state.rawValue): \(reason)")
        guard node.sender > 0 else { return }
        let counters = node.counters
        report.add(key + "name", text: node.identity.name)
        report.add(key + "sender", node.sender)
        report.add(key + "generation", node.openings)
        if let display = node.device?.opening.display, display != .main {
            report.add(key + "display", display.rawValue)
        }
        report.add(key + "contacts", node.device?.reportedContactCount ?? 0)
        report.add(key + "scans", counters.scans)
        report.add(key + "frames", node.outlet.sent)
        report.add(key + "waiting", node.outlet.queue.count)
        report.add(key + "coalesced", node.outlet.queue.coalesced)
        report.add(key + "clamped", counters.clamped)
        report.add(key + "resyncs", counters.resyncs)
        report.add(key + "stuck", counters.stuck)
        report.add(key + "refused", counters.refused)
        report.add(key + "ignored", counters.ignored)
    }
}
