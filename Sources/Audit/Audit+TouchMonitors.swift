// Audit+TouchMonitors.swift: touch monitors: the touches that each receives, and those that it may take.
//
// Rules for each monitor, checked on frames alone:
//    pages      ascending numbers, within the credit window; each states how much was omitted before it
//    touches    each touch that landed in its region, from the landing to one end, unless it declined the touch
//    yes        one verdict. `taken` only for a touch that an app owns and that no system gesture may still take
//    taken      the app receives one cancellation, and every other monitor one end
//
// Input     Audit+Server: requests, scans, pages
// Output    violations
// Knows     owner and taker of each finger from PanelState.swift, which has the only copy
//
// A page is due in the step in which its news arises, and no other page is sent.
//
// Sources   Docs/Spec/Pipeline.md section 3: I1, I4, I6, I8; Docs/Spec/Semantics.md D5; Docs/Decisions/TouchMonitors.md

import Basics
import HID
import Hosting
import Wire

/// All touch monitors of a group.
struct TouchMonitors: Sendable {
    /// One touch monitor.
    struct Monitor: Sendable {
        let id: UInt32
        let interest: TouchMonitorInterest
        var sentPages: UInt64 = 0
        var acknowledgedPages: UInt64 = 0
        var omission = TouchMonitorPage.Omission()
        var touches: [Touch] = []
    }

    /// A touch that one monitor receives.
    struct Touch: Sendable {
        let landing: UInt32
        let at: Instant
        /// `no` once the monitor has declined the touch, was refused it, or did not answer in time.
        var answer = TouchMonitorAnswer.maybe
    }

    /// The properties of a finger in one scan that monitors are shown. The whole finger is three times as long.
    struct ScanContact: Sendable {
        let landing: UInt32
        let phase: ContactPhase
        let owner: Owner
        let taker: TouchOwner?
        let location: MonitoredLocation
    }

    var all: [Monitor] = []
    /// Answers `yes` without a verdict, oldest first.
    var pendingClaims: [(monitor: UInt32, landing: UInt32)] = []
    /// The fingers of the current scan.
    var scanContacts: [ScanContact] = []
    /// The pages that the current step must send.
    var due: [TouchMonitorPage] = []

    /// The greatest number of monitors; then the credit window in pages, the same for verdicts, and the touches of one
    /// monitor.
    static let limit = 4
    private static let window: UInt64 = 48
    private static let verdictWindow: UInt64 = 64
    fileprivate static let touchLimit = 128

    func index(of id: UInt32) -> Int? { all.firstIndex { $0.id == id } }

    func hasCredit(_ monitorIndex: Int, forVerdict isVerdict: Bool = false) -> Bool {
        all[monitorIndex].sentPages - all[monitorIndex].acknowledgedPages
            < (isVerdict ? Self.verdictWindow : Self.window)
    }

    mutating func addDuePage(_ content: TouchMonitorPage.Content, to monitorIndex: Int) {
        let isVerdict = if case .verdict = content { true } else { false }
        guard hasCredit(monitorIndex, forVerdict: isVerdict) else {
            all[monitorIndex].omission.count &+= 1
            if content.isEdge { all[monitorIndex].omission.edgeCount &+= 1 }
            return
        }
        all[monitorIndex].sentPages += 1
        due.append(
            TouchMonitorPage(
                id: all[monitorIndex].id, number: all[monitorIndex].sentPages, omission: all[monitorIndex].omission,
                content))
        all[monitorIndex].omission = TouchMonitorPage.Omission()
    }

    mutating func addDueVerdict(_ verdict: TouchMonitorVerdict, on landing: UInt32, to monitorIndex: Int) {
        addDuePage(.verdict(TouchID(landing: landing), verdict), to: monitorIndex)
    }

    /// Refuses every waiting `yes` for a touch that another taker has.
    mutating func refuseAll(_ verdict: TouchMonitorVerdict, on landing: UInt32) {
        for claim in pendingClaims where claim.landing == landing {
            if let monitorIndex = index(of: claim.monitor) { addDueVerdict(verdict, on: landing, to: monitorIndex) }
        }
        pendingClaims.removeAll { $0.landing == landing }
    }
}

extension TouchID {
    /// Touches are numbered from 0 in the order of landings.
    fileprivate init(landing: UInt32) { self.init(rawValue: landing &- 1) }
    fileprivate var landing: UInt32 { rawValue &+ 1 }
}

extension Audit {
    // MARK: Requests of monitors

    mutating func handleMonitorRequest(_ request: TouchMonitorRequest, _ step: Step) {
        switch request.kind {
        case .begin(let interest):
            removeMonitor(request.id)
            guard monitors.all.count < TouchMonitors.limit else {
                monitors.due.append(
                    TouchMonitorPage(id: request.id, number: 0, .turnedAway(limit: UInt32(TouchMonitors.limit))))
                return
            }
            monitors.all.append(TouchMonitors.Monitor(id: request.id, interest: interest))
            monitors.addDuePage(.begun, to: monitors.all.count - 1)
        case .acknowledged(let number):
            guard let monitorIndex = monitors.index(of: request.id) else { return }
            monitors.all[monitorIndex].acknowledgedPages = max(
                monitors.all[monitorIndex].acknowledgedPages, min(number, monitors.all[monitorIndex].sentPages))
            if monitors.all[monitorIndex].omission.count > 0, monitors.hasCredit(monitorIndex) {
                monitors.addDuePage(.omissions, to: monitorIndex)
            }
        case .answer(let touch, let answer):
            if let monitorIndex = monitors.index(of: request.id) {
                handleMonitorAnswer(answer, of: touch.landing, monitorIndex, step.at)
            }
        case .end: removeMonitor(request.id)
        }
    }

    private mutating func removeMonitor(_ id: UInt32) {
        monitors.all.removeAll { $0.id == id }
        monitors.pendingClaims.removeAll { $0.monitor == id }
    }

    private mutating func handleMonitorAnswer(
        _ answer: TouchMonitorAnswer, of landing: UInt32, _ monitorIndex: Int, _ now: Instant
    ) {
        let id = monitors.all[monitorIndex].id
        guard let touchIndex = monitors.all[monitorIndex].touches.firstIndex(where: { $0.landing == landing }) else {
            if answer == .yes { monitors.addDueVerdict(.unknown, on: landing, to: monitorIndex) }
            return
        }
        let taker = glass.fingers.first { $0.landing == landing }?.taker
        declineIfOverdue(touchIndex, of: monitorIndex, taker, now)
        switch (answer, taker) {
        case (.no, _):
            monitors.all[monitorIndex].touches[touchIndex].answer = .no
            monitors.pendingClaims.removeAll { $0.monitor == id && $0.landing == landing }
        case (.yes, _) where monitors.all[monitorIndex].touches[touchIndex].answer == .no:
            monitors.addDueVerdict(.declined, on: landing, to: monitorIndex)
        case (.yes, .system?): monitors.addDueVerdict(.system, on: landing, to: monitorIndex)
        case (.yes, .touchMonitor(let other)?) where other != id:
            monitors.addDueVerdict(.otherMonitor, on: landing, to: monitorIndex)
        case (.yes, _) where monitors.all[monitorIndex].touches[touchIndex].answer != .yes:
            monitors.all[monitorIndex].touches[touchIndex].answer = .yes
            monitors.pendingClaims.append((id, landing))
        case (.yes, _), (.maybe, _), (.hold, _): return
        }
    }

    /// Counts a touch as declined that the monitor did not answer in time, unless another taker has it.
    private mutating func declineIfOverdue(
        _ touchIndex: Int, of monitorIndex: Int, _ taker: TouchOwner?, _ now: Instant
    ) {
        let touch = monitors.all[monitorIndex].touches[touchIndex]
        guard let answerLimit = monitors.all[monitorIndex].interest.answerLimit, taker == nil, touch.answer != .yes,
            touch.at.duration(to: now) > answerLimit
        else { return }
        monitors.all[monitorIndex].touches[touchIndex].answer = .no
    }

    // MARK: Verdicts

    /// - Parameter step: The current step, after all consequences of its input.
    mutating func settleClaims(_ step: Step) {
        while let index = monitors.pendingClaims.firstIndex(where: {
            verdict(on: $0.landing, for: $0.monitor, step) != nil
        }) {
            let (id, landing) = monitors.pendingClaims[index]
            let verdict = verdict(on: landing, for: id, step)
            monitors.pendingClaims.remove(at: index)
            guard let verdict, let monitorIndex = monitors.index(of: id) else { continue }
            monitors.addDueVerdict(verdict, on: landing, to: monitorIndex)
            if verdict == .taken {
                assign([landing], to: .touchMonitor(id))
                monitors.refuseAll(.otherMonitor, on: landing)
            } else if let touchIndex = monitors.all[monitorIndex].touches.firstIndex(where: { $0.landing == landing }) {
                monitors.all[monitorIndex].touches[touchIndex].answer = .no
            }
        }
    }

    /// Returns the verdict on a touch; nil while a system gesture may still take it.
    private func verdict(on landing: UInt32, for id: UInt32, _ step: Step) -> TouchMonitorVerdict? {
        guard let finger = glass.fingers.first(where: { $0.landing == landing }) else { return .unknown }
        switch finger.owner {
        case .ignored: return .ignored
        case .home, .overlay, .alert, .keyboard, .shade: return .system
        case .app:
            // Without the screen it is unknown which fingers are at an edge, so the verdict that the server sent is
            // accepted.
            let isFree = judgesMonitors ? finger.swipe?.isTaken != false : step.grants(landing, to: id)
            return isFree ? .taken : nil
        }
    }

    // MARK: Touches for monitors

    /// Notes the phase of a finger in the current scan.
    mutating func noteScanContact(_ fingerIndex: Int, _ phase: ContactPhase) {
        guard !monitors.all.isEmpty else { return }
        let (space, position) = (glass.fingers[fingerIndex].space, glass.fingers[fingerIndex].position)
        monitors.scanContacts.append(
            TouchMonitors.ScanContact(
                landing: glass.fingers[fingerIndex].landing, phase: phase, owner: glass.fingers[fingerIndex].owner,
                taker: glass.fingers[fingerIndex].taker,
                location: MonitoredLocation(
                    space.displayPosition(of: position), on: glass.fingers[fingerIndex].display)))
    }

    mutating func addDueScans(_ event: HIDEvent, _ now: Instant) {
        guard !monitors.scanContacts.isEmpty else { return }
        if monitors.scanContacts.count > 1 { monitors.scanContacts.sort { $0.landing < $1.landing } }
        for monitorIndex in monitors.all.indices {
            var contacts: [MonitoredContact] = []
            for index in monitors.scanContacts.indices {
                guard let contact = monitoredContact(monitors.scanContacts[index], to: monitorIndex, now),
                    contacts.count < MonitoredScan.contactLimit
                else { continue }
                // A monitor of which no touch is in the scan needs no list.
                if contacts.isEmpty { contacts.reserveCapacity(monitors.scanContacts.count) }
                contacts.append(contact)
            }
            addDueScan(contacts, of: event.senderID, event.timeStamp, to: monitorIndex)
        }
        monitors.scanContacts.removeAll(keepingCapacity: true)
    }

    private mutating func addDueScan(
        _ contacts: [MonitoredContact], of device: UInt64, _ time: Instant, to monitorIndex: Int
    ) {
        guard !contacts.isEmpty else { return }
        monitors.addDuePage(.scan(MonitoredScan(timeStamp: time, device: device, contacts: contacts)), to: monitorIndex)
    }

    private mutating func monitoredContact(
        _ finger: TouchMonitors.ScanContact, to monitorIndex: Int, _ now: Instant
    ) -> MonitoredContact? {
        let phase = finger.phase
        let location = reportsPositions(of: finger.owner) ? finger.location : nil
        let interest = monitors.all[monitorIndex].interest
        if phase == .began, monitors.all[monitorIndex].touches.count < TouchMonitors.touchLimit,
            concerns(interest, finger.owner, location)
        {
            monitors.all[monitorIndex].touches.append(TouchMonitors.Touch(landing: finger.landing, at: now))
        }
        guard let known = monitors.all[monitorIndex].touches.firstIndex(where: { $0.landing == finger.landing }) else {
            return nil
        }
        declineIfOverdue(known, of: monitorIndex, finger.taker, now)
        let contact = Self.contact(
            of: finger.owner, finger.taker, monitors.all[monitorIndex].touches[known], phase,
            to: monitors.all[monitorIndex].id, at: location, apps)
        // A touch that another taker has ends with this contact.
        let last = contact?.phase ?? phase
        if phase == .ended || phase == .cancelled || last == .ended || last == .cancelled {
            monitors.all[monitorIndex].touches.remove(at: known)
        }
        return contact
    }

    /// A static function of what it reads: as a method in a mutating one it would get a copy of the whole audit.
    ///
    /// - Returns: Nil for a touch that the monitor has declined.
    private static func contact(
        of owner: Owner, _ taker: TouchOwner?, _ touch: TouchMonitors.Touch, _ phase: ContactPhase, to id: UInt32,
        at location: MonitoredLocation?, _ apps: [AppLink]
    ) -> MonitoredContact? {
        guard touch.answer != .no else { return nil }
        let isLost = taker != nil && taker != .touchMonitor(id)
        let owner = if let taker { taker } else { reportedOwner(owner, apps) }
        return MonitoredContact(
            TouchID(landing: touch.landing), isLost ? .cancelled : phase, of: owner, at: location)
    }

    /// Ends each touch of each monitor, because the reader of the devices is gone.
    ///
    /// - Parameter fingers: The fingers that were down, with their present owners.
    mutating func clearMonitors(_ fingers: [PanelState.Finger], _ step: Step) {
        monitors.scanContacts.removeAll(keepingCapacity: true)
        for monitorIndex in monitors.all.indices {
            let id = monitors.all[monitorIndex].id
            let contacts = monitors.all[monitorIndex].touches.compactMap { touch in
                fingers.first { $0.landing == touch.landing }.flatMap { finger in
                    Self.contact(of: finger.owner, finger.taker, touch, .cancelled, to: id, at: nil, apps)
                }
            }
            monitors.all[monitorIndex].touches.removeAll()
            addDueScan(contacts, of: 0, step.at, to: monitorIndex)
        }
        settleClaims(step)
    }

    private static func reportedOwner(_ owner: Owner, _ apps: [AppLink]) -> TouchOwner {
        switch owner {
        case .app(let appIndex): .app(apps[appIndex].app)
        case .home, .overlay, .alert, .keyboard, .shade: .server
        case .ignored: .ignored
        }
    }

    /// Whether positions are reported (T5): for an app that declared its windows and has no secure one, or if nothing
    /// is secret.
    private func reportsPositions(of owner: Owner) -> Bool {
        guard case .app(let appIndex) = owner else { return options.reportsPositions }
        return !apps[appIndex].scene.hasSecrets && (options.reportsPositions || apps[appIndex].scene.windows != nil)
    }

    private func concerns(_ interest: TouchMonitorInterest, _ owner: Owner, _ location: MonitoredLocation?) -> Bool {
        if let app = interest.app, Self.reportedOwner(owner, apps) != .app(app) { return false }
        guard let zone = interest.zone, judgesMonitors else { return true }
        return location.map { zone.contains($0.position) } ?? false
    }

    // MARK: Pages

    /// Whether pages are judged. Without the screen their content is unknown.
    private var judgesMonitors: Bool { options.screen != nil }

    mutating func judgePage(_ page: TouchMonitorPage, _ step: Step) {
        guard judgesMonitors else { return }
        // The pages of each monitor are ordered. Those of two monitors are not.
        guard let next = monitors.due.firstIndex(where: { $0.id == page.id }) else {
            return note(.conservation, "monitor \(page.id) received \(page.contentText), and no page is due", step)
        }
        let due = monitors.due.remove(at: next)
        guard due != page else { return }
        note(
            .conservation,
            "monitor \(page.id) received \(page.contentText), expected monitor \(due.id) to receive \(due.contentText)",
            step)
    }

    /// Judges that no page is missing at the end of the step.
    mutating func expectDuePages(_ step: Step) {
        defer { monitors.due.removeAll(keepingCapacity: true) }
        guard judgesMonitors else { return }
        for page in monitors.due {
            note(.conservation, "monitor \(page.id) did not receive \(page.contentText)", step)
        }
    }
}

extension Step {
    /// Whether the step sends the verdict that a monitor has taken a touch.
    fileprivate func grants(_ landing: UInt32, to id: UInt32) -> Bool {
        effects.contains { effect in
            guard case .send(let frame, to: .supervisor) = effect, case .monitorPage(let page) = frame.message else {
                return false
            }
            return page.id == id && page.content == .verdict(TouchID(landing: landing), .taken)
        }
    }
}

extension TouchMonitorPage.Content {
    /// Whether the news contains more than moves.
    fileprivate var isEdge: Bool {
        switch self {
        case .scan(let scan): scan.contacts.contains { $0.phase != .moved && $0.phase != .stationary }
        case .omissions: false
        case .begun, .turnedAway, .verdict: true
        }
    }
}

extension TouchMonitorPage {
    /// The content of the page for a person.
    fileprivate var contentText: String {
        let text =
            switch content {
            case .begun: "its beginning"
            case .turnedAway(let limit): "the limit \(limit)"
            case .omissions: "the omissions"
            case .verdict(let touch, let verdict): "\(touch) \(verdict)"
            case .scan(let scan): scan.contacts.map(\.contentText).joined(separator: ", ")
            }
        return "page \(number), \(omission.count) omitted before it: \(text)"
    }
}

extension MonitoredContact {
    fileprivate var contentText: String {
        "\(touch) \(phase) of \(owner)"
            + (location.map { " at \($0.position.x.double),\($0.position.y.double) of display \($0.display)" } ?? "")
    }
}
