// LiveDevices.swift: every device there is, in and out, and which of them are read.
//
//     news ─▶ DevicePlace, one a path ─▶ DeviceLife ─▶ LiveDevice, one an opening ─▶ ScanQueue ─▶ InputKitCore sends
//
// A place keeps its sender id for as long as this process lives, and counts its openings: whoever is plugged in again
// is the same device in its next generation. Its queue is the place's too, so that what a generation still had to say
// comes before the next one's first word.
//
// The kernel shows a HID panel twice: as events it has read (evdev), and as the reports it read them from (hidraw). Of
// those two only the first is read, unless both were asked for by path.
//
// Station   device
// Fed by    InputKitCore: the host's news, timers, what becomes of the server
// Feeds     InputKitCore: orders for the host, scans for the server
// Knows     paths, moments. No link, no play.
//
// Sources   invented

import Basics
import HID
import Hosting
import Recordings
import Settings
import Trace
import Wire

struct LiveDevices: Sendable {
    /// What is open, as asked for.
    private enum Wanted: Sendable {
        case nobody
        case everybody
        /// By folder, in the order first named.
        case paths([(folder: String, names: [String])])
    }

    private let wanted: Wanted
    private let folders: [String]
    private let grab: Bool
    private let rules: LiveDevice.Rules
    private let displays: PanelDisplays
    /// A device that reports a thousand times a second makes work for the server, for the app and for all that share a CPU
    /// with them, and no app needs as many positions. The last position of a burst is never later than one period.
    /// Documented: fault F21. Invented: the rate, twice that of the fastest touch screens; a sixteenth of a second at once.
    private let moveLimits: TokenBucket.Limits
    private var places: [DevicePlace] = []
    private var lastID: UInt32 = 0
    private var lastSender: UInt64 = 1
    /// Counts scans over all devices.
    private(set) var lastOrdinal: UInt64 = 0
    private var unwatched = ""
    /// Paths there was no room for.
    private var refused: UInt64 = 0
    /// Whose turn it is when credit is short.
    private var turn = 0
    private var armed: Instant?

    /// No machine has more device nodes.
    static let placeLimit = 512

    init(settings: Settings) {
        let text = settings[.deviceOpen]
        switch text {
        case "": wanted = .nobody
        case "all": wanted = .everybody
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
            wanted = .paths(groups)
        }
        let folder = settings[.deviceDirectory]
        folders = folder.isEmpty ? ["/dev/input", "/dev"] : [folder]
        grab = settings[.deviceGrab]
        displays = PanelDisplays(settings)
        moveLimits = .init(rate: settings[.deviceRate], burst: Double(settings[.deviceBurst]))
        func limit(_ key: Settings.Key<Duration>) -> Duration? { settings[key] > .zero ? settings[key] : nil }
        rules = LiveDevice.Rules(
            palms: settings[.devicePalms] == .keep ? .keep : .cancel,
            absentMeansLifted: settings[.deviceAbsentMeansLifted], reportSilence: limit(.deviceReportSilence),
            stuckFinger: limit(.deviceStuckFinger))
    }

    // MARK: What the host says

    func begin(into outbox: inout Outbox) {
        switch wanted {
        case .nobody: return
        case .everybody: for folder in folders { outbox.append(.device(.watch(folder: folder, names: []))) }
        case .paths(let groups):
            for group in groups { outbox.append(.device(.watch(folder: group.folder, names: group.names))) }
        }
    }

    /// - Parameter canHear: Whether there is a server to tell of fingers that land now.
    mutating func handle(_ news: DeviceNews, at now: Instant, canHear: Bool, into outbox: inout Outbox) {
        switch news {
        case .appeared(let path):
            guard let index = index(of: path) ?? newPlace(path) else {
                if refused == 0 {
                    outbox.trace.note(
                        now, .device, "{a:n} is one device too many: {b} are known", outbox.trace.name(path),
                        Int64(Self.placeLimit))
                }
                refused += 1
                return
            }
            places[index].attempts.beginAgain()
            advance(.appeared, index, at: now, into: &outbox)
        case .vanished(let path):
            guard let index = index(of: path) else { return }
            // Which of the two is heard first, the end of the device or of its name, is chance.
            places[index].reason = "unplugged"
            advance(.vanished, index, at: now, into: &outbox)
            // A path nobody ever touched is not worth remembering.
            if places[index].sender == 0 { places.remove(at: index) }
        case .unwatched(let folder, let reason):
            unwatched = reason
            outbox.trace.note(
                now, .device, "{a:n} cannot be watched for devices: {b:n}", outbox.trace.name(folder),
                outbox.trace.name(reason))
        case .opened(let id, let facts): opened(id, facts, at: now, into: &outbox)
        case .failed(let id, let reason):
            guard let index = index(of: id), places[index].state == .opening else { return }
            places[index].reason = reason
            outbox.trace.note(now, .device, "{a:n}", outbox.trace.name(reason))
            advance(.failed, index, at: now, into: &outbox)
        case .lost(let id, let reason):
            guard let index = index(of: id), places[index].state == .open else { return }
            places[index].reason = reason
            places[index].attempts.lost(at: now)
            advance(.lost, index, at: now, into: &outbox)
        case .bytes(let id, let bytes):
            guard let index = index(of: id), places[index].state == .open else { return }
            let need = places[index].take(bytes, at: now, canHear: canHear, ordinal: &lastOrdinal)
            if need == .resync { outbox.append(.device(.resync(id))) }
        case .slots(let id, let slots):
            guard let index = index(of: id), places[index].state == .open else { return }
            places[index].resynchronise(slots, at: now, canHear: canHear, ordinal: &lastOrdinal)
        }
    }

    private func index(of path: String) -> Int? { places.firstIndex { $0.path == path } }
    private func index(of id: DeviceID) -> Int? { places.firstIndex { $0.id == id } }

    private mutating func newPlace(_ path: String) -> Int? {
        if places.count >= Self.placeLimit {
            // Whoever is gone and has had its say gives its place, and is a new sender should it come back.
            let gone = places.firstIndex { $0.state == .absent && $0.outlet.queue.count == 0 }
            guard let gone else { return nil }
            places.remove(at: gone)
        }
        places.append(DevicePlace(path: path, moveLimits: moveLimits))
        return places.count - 1
    }

    private mutating func opened(_ id: DeviceID, _ facts: DeviceFacts, at now: Instant, into outbox: inout Outbox) {
        guard let index = index(of: id), places[index].state == .opening else {
            // Its name went while it was being opened.
            outbox.append(.device(.close(id)))
            return
        }
        places[index].identity = facts.identity
        places[index].isEvdev = if case .evdev = facts { true } else { false }
        let sender = places[index].sender > 0 ? places[index].sender : lastSender + 1
        let device = LiveDevice(
            id, facts, sender: sender, number: places[index].openings + 1, rules: rules,
            display: displays.display(ofDevice: places[index].path, called: facts.identity.name), at: now)
        if let reason = whyNot(device, facts, index) {
            places[index].reason = reason
            return advance(.openedOther, index, at: now, into: &outbox)
        }
        lastSender = max(lastSender, sender)
        (places[index].sender, places[index].device, places[index].reason) = (sender, device, "")
        places[index].openings += 1
        places[index].attempts.opened(at: now)
        advance(.openedTouch, index, at: now, into: &outbox)
        guard case .everybody = wanted, places[index].isEvdev else { return }
        for other in places.indices where other != index && !places[other].isEvdev {
            guard places[other].identity.isSamePanel(as: facts.identity) else { continue }
            if places[other].state == .open { places[other].reason = "read as \(places[index].path)" }
            advance(.superseded, other, at: now, into: &outbox)
        }
    }

    /// - Returns: Nil for a device that is to be read.
    private func whyNot(_ device: LiveDevice?, _ facts: DeviceFacts, _ index: Int) -> String? {
        guard let device else { return "no touch device" }
        guard case .everybody = wanted else { return nil }
        if case .evdev(let facts) = facts, facts.kind != .touchscreen { return "a \(facts.kind.rawValue)" }
        if device.opening.description.kind == .touchpad { return "a touchpad" }
        guard case .hidraw = facts else { return nil }
        let twin = places.first {
            $0.state == .open && $0.isEvdev && $0.identity.isSamePanel(as: facts.identity)
        }
        return twin.map { "read as \($0.path)" }
    }

    private mutating func advance(
        _ input: DeviceLife.Input, _ index: Int, at now: Instant, into outbox: inout Outbox
    ) {
        guard let (state, decision) = DeviceLife.transition(from: places[index].state, on: input) else {
            preconditionFailure("a device cannot take \(input) while \(places[index].state)")
        }
        places[index].state = state
        places[index].attempts.cancelRetry()
        switch decision {
        case .open:
            lastID += 1
            places[index].id = DeviceID(lastID)
            outbox.append(.device(.open(DeviceID(lastID), path: places[index].path, grab: grab)))
        case .begin:
            outbox.trace.note(
                now, .device, "{a:n} is sender {b}, generation {c}",
                outbox.trace.name(
                    "\(places[index].path) \"\(places[index].identity.name)\"" + places[index].whereabouts),
                Int64(clamping: places[index].sender), Int64(places[index].openings))
        case .close: outbox.append(.device(.close(places[index].id)))
        case .endAndRetry:
            end(index, at: now, into: &outbox)
            places[index].attempts.retryLater(at: now)
        case .endAndClose:
            outbox.append(.device(.close(places[index].id)))
            end(index, at: now, into: &outbox)
        case .retry: places[index].attempts.retryLater(at: now)
        case .nothing: return
        }
    }

    private mutating func end(_ index: Int, at now: Instant, into outbox: inout Outbox) {
        let fingers = places[index].device?.touching ?? 0
        places[index].end(at: now, ordinal: &lastOrdinal)
        outbox.trace.note(
            now, .device, "{a:n} is gone; {b} fingers are cancelled", outbox.trace.name(places[index].path),
            Int64(fingers))
    }

    // MARK: Time

    /// When something is to be done though nothing happens. Changes nothing, and is `mutating` to be asked in place: it
    /// is asked after every input, and a device taken out to be looked at is a dozen arrays.
    private mutating func deadline() -> Instant? {
        var next: Instant?
        for index in places.indices {
            if let moment = places[index].deadline() { next = min(next ?? .never, moment) }
        }
        return next
    }

    /// One timer for all devices: it is moved only to come earlier, and looks again when it fires.
    mutating func arm(into outbox: inout Outbox) {
        guard let deadline = deadline(), armed.map({ deadline < $0 }) ?? true else { return }
        armed = deadline
        outbox.append(.arm(InputKitCore.Timer.live, at: deadline))
    }

    /// The timer has fired.
    mutating func timePassed(at now: Instant, into outbox: inout Outbox) {
        armed = nil
        for index in places.indices {
            places[index].outlet.look(at: now)
            if let moment = places[index].attempts.retryAt, moment <= now {
                advance(.retryDue, index, at: now, into: &outbox)
            }
            let stuck = places[index].expire(at: now, ordinal: &lastOrdinal)
            guard stuck > 0 else { continue }
            outbox.trace.note(
                now, .device, "{a:n}: {b} fingers given up, dead until they lift",
                outbox.trace.name(places[index].path), Int64(stuck))
        }
    }

    // MARK: The server

    /// Whoever knew of the fingers is gone.
    ///
    /// - Returns: How many fingers are dead now.
    mutating func forgetFingers() -> Int {
        var count = 0
        for index in places.indices {
            places[index].outlet.forget()
            count += places[index].device?.forget() ?? 0
        }
        return count
    }

    /// This process was away for longer than anybody may be.
    ///
    /// - Returns: How many fingers are dead now.
    mutating func wasAway(at now: Instant) -> Int {
        var count = 0
        for index in places.indices { count += places[index].wasAway(at: now, ordinal: &lastOrdinal) }
        return count
    }

    /// How each device stands that the server has heard of, for a server that may have missed something.
    func standing() -> [HIDEvent] { places.compactMap { $0.outlet.standing() } }

    /// Everybody is cancelled: this process ends.
    mutating func endAll(at now: Instant) {
        for index in places.indices { places[index].end(at: now, ordinal: &lastOrdinal) }
    }

    /// The next event for the server; devices take turns.
    ///
    /// - Parameter admission: Who may send, as things are; nil for everybody.
    /// - Returns: Nil when nothing waits that may go.
    mutating func next(
        by admission: Admission?, at now: Instant, faults: inout [ContactFault]
    ) -> (event: HIDEvent, ordinal: UInt64)? {
        guard !places.isEmpty else { return nil }
        for step in 0..<places.count {
            let index = (turn + step) % places.count
            // In place: a place is large, and is not taken out to be looked at.
            let sender = places[index].sender
            guard let next = places[index].outlet.next(of: sender, by: admission, at: now, faults: &faults) else {
                continue
            }
            turn = index + 1
            return next
        }
        return nil
    }

    /// Whether everything up to this scan has been sent.
    func isSent(upTo ordinal: UInt64) -> Bool {
        places.allSatisfy { $0.outlet.queue.firstOrdinal.map { $0 > ordinal } ?? true }
    }

    var hasScans: Bool { places.contains { $0.outlet.queue.count > 0 } }
    var touching: Int { places.reduce(0) { $0 + ($1.device?.touching ?? 0) } }

    // MARK: What there is to say

    /// A row for each number of each device that has been read, and a state and a reason for every other.
    func report(into report: inout Report) {
        guard case .nobody = wanted else {
            report.add("devices", places.count { $0.state == .open })
            if refused > 0 { report.add("devices.refused", refused) }
            if !unwatched.isEmpty { report.add("devices.unwatched", text: unwatched) }
            for place in places.prefix(32) { add(place, to: &report) }
            return
        }
    }

    private func add(_ place: DevicePlace, to report: inout Report) {
        let name = place.path.split(separator: "/").last.map { String($0) } ?? place.path
        let key = "device.\(name)."
        report.add(key + "path", text: place.path)
        // The path is a row of its own.
        let reason =
            place.reason.hasPrefix("\(place.path): ")
            ? String(place.reason.dropFirst(place.path.count + 2)) : place.reason
        report.add(key + "state", text: reason.isEmpty ? "\(place.state)" : "\(place.state): \(reason)")
        guard place.sender > 0 else { return }
        let counters = place.counters
        report.add(key + "name", text: place.identity.name)
        report.add(key + "sender", place.sender)
        report.add(key + "generation", place.openings)
        if let display = place.device?.opening.display, display != .main {
            report.add(key + "display", display.rawValue)
        }
        report.add(key + "fingers", place.device?.touching ?? 0)
        report.add(key + "scans", counters.scans)
        report.add(key + "frames", place.outlet.sent)
        report.add(key + "waiting", place.outlet.queue.count)
        report.add(key + "coalesced", place.outlet.queue.coalesced)
        report.add(key + "clamped", counters.clamped)
        report.add(key + "resyncs", counters.resyncs)
        report.add(key + "stuck", counters.stuck)
        report.add(key + "refused", counters.refused)
        report.add(key + "unheard", counters.unheard)
    }
}
