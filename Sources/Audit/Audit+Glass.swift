// Audit+Glass.swift: the routing of each finger: to an app, to the server's own screen, or to a receipt with a reason.
//
//    inputs of the server ─▶ Glass, Front ─▶ frames due to each app ─▶ compared with the sent ones
//                                         └▶ receipt due to each scan ─▶ compared with the sent one
//
// Input     Audit+Server
// Output    Dues, Tally, violations
// Knows     frames. No state of the server.
//
// A frame that is due to an app is sent in the same step, or as soon as the app has credit.
//
// Sources   Docs/Spec/Pipeline.md section 3: I1, I2, I4, I8

import Basics
import HID
import Hosting
import Links
import Settings
import Wire

extension Audit {
    // MARK: Inputs of the server

    /// Routes a scan: records the frames due to apps and the receipt due to the scan.
    mutating func route(
        _ event: HIDEvent, _ sequence: SequenceNumber, _ ledger: Ledger, of stream: Int, _ step: Step
    ) {
        // The tally counts this scan as held already.
        if input.streams[stream].tally.held > options.group.inFlightLimit, event.canBeSpared {
            input.streams[stream].tally.expect(
                sequence, Receipt(frame: sequence, outcome: .dropped, reason: .overLimit), parts: 0)
            return
        }
        swipes(event, step)
        glass.beginScan()
        let isFenced = scan(event, step.at)
        glass.parts.removeAll(where: \.isStill)
        var answer = Receipt(frame: sequence, outcome: .dropped)
        if glass.parts.isEmpty { answer.reason = isFenced ? .fenced : glass.drop ?? .nothingNew }
        (answer.takenByMonitor, answer.takenBySystem) = (glass.takenByMonitor, glass.takenBySystem)
        input.streams[stream].tally.expect(sequence, answer, parts: glass.parts.count)
        for place in glass.parts.indices {
            let part = glass.parts[place]
            switch part.owner {
            case .app(let app):
                owe(app, scan: sequence, ledger[.device], besides: event.senderID, step)
            case .home, .overlay, .alert, .keyboard, .shade:
                var receipt = part.counts
                receipt.outcome = .home
                for finger in glass.fingers where finger.device != event.senderID && finger.owner == part.owner {
                    receipt.stationary &+= 1
                }
                settle(sequence, receipt)
            case .nobody: continue
            }
        }
        showSpies(event, step.at)
    }

    /// - Returns: Whether the scan belongs to an older generation of its device and is ignored.
    private mutating func scan(_ event: HIDEvent, _ moment: Instant) -> Bool {
        guard isCurrent(event) else { return true }
        let device = event.senderID
        var place = 0
        while place < glass.fingers.count {
            let (known, index) = (glass.fingers[place].device, glass.fingers[place].index)
            if known == device, !event.fingers.contains(where: { $0.index == index }) {
                sees(place, .cancelled)
                glass.revoke(place, .deviceCancelled)
                glass.fingers.remove(at: place)
            } else {
                place += 1
            }
        }
        for finger in event.fingers {
            switch finger.phase {
            case .began: lands(finger, device, on: event.display, moment)
            case .moved: goesOn(finger, device, .moved)
            case .stationary: goesOn(finger, device, .stationary)
            case .ended: goesOn(finger, device, .ended)
            case .cancelled: goesOn(finger, device, .cancelled)
            case nil: continue
            }
        }
        return false
    }

    private mutating func isCurrent(_ event: HIDEvent) -> Bool {
        let (device, generation) = (event.senderID, event.generationCount)
        guard let place = glass.devices.firstIndex(where: { $0.id == device }) else {
            if glass.devices.count >= Glass.deviceLimit,
                let idle = glass.devices.firstIndex(where: { known in
                    !glass.fingers.contains { $0.device == known.id }
                })
            {
                glass.devices.remove(at: idle)
            }
            glass.devices.append(Glass.Device(id: device, generation: generation))
            return true
        }
        guard generation != glass.devices[place].generation else { return true }
        guard generation > glass.devices[place].generation else { return false }
        glass.devices[place].generation = generation
        for finger in glass.fingers.indices where glass.fingers[finger].device == device {
            sees(finger, .cancelled)
            glass.revoke(finger, .deviceCancelled)
        }
        glass.fingers.removeAll { $0.device == device }
        return true
    }

    private mutating func lands(
        _ finger: DigitizerEvent, _ device: UInt64, on said: DisplayID, _ moment: Instant
    ) {
        // An unknown display counts as the main one.
        let display = displays.contains(said) ? said : 1
        if let stale = glass.find(finger.index, of: device) {
            sees(stale, .cancelled)
            glass.revoke(stale, .deviceCancelled)
            glass.fingers.remove(at: stale)
        }
        var (owner, space) = landing(of: finger, on: display)
        let swipe = display == 1 ? swipe(of: owner, at: displayPosition(finger), in: space, moment) : nil
        // A landing on an unresponsive app is the reason of the drop, whatever else the scan contains.
        if case .app(let place) = owner, apps[place].answering.isStalled {
            (owner, glass.drop) = (.nobody, .notResponding)
        }
        let position = position(of: finger, on: display, in: space)
        glass.fingers.append(
            Glass.Finger(
                device: device, index: finger.index, display: display, landing: glass.landing(), owner: owner,
                touch: nil, space: space,
                position: position, isGated: swipe?.isGated ?? false, swipe: swipe?.swipe))
        sees(glass.fingers.count - 1, .began)
        if owner == .nobody { return glass.drops(.landedOnNothing) }
        glass.tell(glass.fingers.count - 1, .began, .lifted)
    }

    private mutating func goesOn(_ finger: DigitizerEvent, _ device: UInt64, _ phase: ContactPhase) {
        guard let place = glass.find(finger.index, of: device) else { return glass.drops(.unknownFinger) }
        if phase == .moved {
            let (known, itself) = (glass.fingers[place], finger)
            glass.fingers[place].position = position(
                of: itself, on: known.display, in: known.space)
        }
        sees(place, phase)
        if glass.fingers[place].owner == .nobody {
            glass.drops(glass.fingers[place], phase)
        } else {
            glass.tell(place, phase, phase == .cancelled ? .deviceCancelled : .lifted)
        }
        if phase == .ended || phase == .cancelled { glass.fingers.remove(at: place) }
    }

    /// Returns the owner of a landing: the topmost scene at the position. An app with declared windows must have one
    /// there that accepts touches.
    private mutating func landing(of finger: DigitizerEvent, on display: DisplayID) -> (Owner, Ground) {
        let whole = Ground(frame: displays.geometry(of: display).frame)
        let shownNow = front.shown(on: display)
        let position = displayPosition(finger, on: display)
        for shown in shownNow where shown.frame == whole.frame || shown.frame.contains(position) {
            switch shown.who {
            case .home: return (.home, whole)
            case .overlay: return (.overlay, whole)
            case .alert: return (.alert, whole)
            case .keyboard: return (.keyboard, whole)
            case .shade(let shade): return (.shade(shade), whole)
            case .app(let app):
                let place = place(of: app)
                let space = Ground(frame: shown.frame, orientation: front.orientation(of: app))
                guard apps[place].scene.windows?.takes(space.inApp(position)) != false else { continue }
                return (.app(place), space)
            }
        }
        return (.nobody, whole)
    }

    private var displays: Displays { options.displays ?? AuditOptions.unknown }

    func displayPosition(_ finger: DigitizerEvent, on display: DisplayID = 1) -> Point<DisplaySpace> {
        displays.geometry(of: display).displayPosition(finger.position)
    }

    private func position(of finger: DigitizerEvent, on display: DisplayID, in space: Ground) -> Point<SceneSpace> {
        space.inApp(displayPosition(finger, on: display))
    }

    /// Revokes the touches of these owners.
    mutating func revoke(_ losers: [Front.Shown.Who], _ cause: EndCause = .act) {
        for loser in losers {
            switch loser {
            case .app(let app): revoke(.app(place(of: app)), cause)
            case .home: revoke(.home, cause)
            case .overlay: revoke(.overlay, cause)
            case .alert: revoke(.alert, cause)
            case .keyboard: revoke(.keyboard, cause)
            case .shade(let shade): revoke(.shade(shade), cause)
            }
        }
    }

    /// The apps that are linked to the server.
    var appsThere: [AppID] { apps.filter(\.isHeldByServer).map(\.app) }

    /// Records the frame and the orientation of an app's scene, as the server sent it.
    mutating func told(_ scene: SceneState, _ place: Int, _ step: Step) {
        apps[place].scene.told = Ground(frame: scene.frame, orientation: scene.orientation)
        let heard = apps[place].scene.windows?.number ?? 0
        // A scene that waited for credit may confirm an older declaration.
        guard scene.windowsHeard > heard else { return }
        let peer = Peer.app(apps[place].app)
        note(
            .explainability,
            "\(peer) is told that its windows \(scene.windowsHeard) were heard, and it has "
                + "declared \(heard)", step)
    }

    // MARK: Due frames

    /// Adds one frame for an app: the news of its fingers, and its stationary fingers on other devices.
    mutating func owe(
        _ place: Int, scan: SequenceNumber, _ stamp: Instant?, besides device: UInt64? = nil, _ step: Step? = nil
    ) {
        var count = 0
        // If nothing moves, lands or lifts, a gate opens, and the frame is not merged.
        var (isNews, hasEdge, hasMove) = (false, false, false)
        for (owner, due) in glass.news where owner == .app(place) {
            isNews = true
            hasEdge = hasEdge || (due.phase != .moved && due.phase != .stationary)
            hasMove = hasMove || due.phase == .moved
        }
        let isEdge = isNews && (hasEdge || !hasMove)
        if isEdge { letGoAll(place) }
        for (owner, due) in glass.news where owner == .app(place) {
            apps[place].dues.append(due)
            count += 1
        }
        if let device {
            for finger in glass.fingers where finger.device != device && finger.owner == .app(place) {
                apps[place].dues.append(Due(finger, .stationary, .lifted))
                count += 1
            }
        }
        guard count > 0 else { return }
        let frame = Dues.Frame(scan: scan, stamp: stamp, count: count, isEdge: isEdge, at: step?.at ?? .boot)
        if options.group.display > 0, !isEdge, let step { return hold(frame, place, step) }
        owes = true
        let isAlone = step.map { isLeaving(place, in: $0) } ?? false
        guard let part = apps[place].dues.close(frame, isAlone: isAlone) else { return }
        // The merged frame is part of the later one, and its own part of the scan counts no touch.
        settle(part, Receipt(frame: .zero, outcome: .delivered))
    }

    /// Whether the last waiting frame is sent unmerged in this step, because the end of a key behind it made room.
    func isLeaving(_ place: Int, in step: Step) -> Bool {
        guard let last = apps[place].dues.last, !last.isEdge else { return false }
        let receiver = Peer.app(apps[place].app)
        let waiting = apps[place].dues.waiting
        var ahead = waiting.startIndex
        for effect in step.effects {
            guard case .send(let frame, to: receiver) = effect, case .touches(let touches) = frame.message else {
                continue
            }
            // Waiting frames are sent in their order, or are stale.
            while ahead < waiting.endIndex - 1, isStale(ahead, among: waiting, at: step.at),
                !tells(touches, of: frame.ledger[.device], waiting[ahead]) || step.answers(waiting[ahead].frame.scan)
            {
                ahead += 1
            }
            guard ahead == waiting.endIndex - 1 else {
                ahead += 1
                continue
            }
            // The scan of a merged frame is answered at once.
            return tells(touches, of: frame.ledger[.device], waiting[ahead]) && !step.answers(last.scan)
        }
        return false
    }

    /// Cancels all touches of an owner.
    mutating func revoke(_ owner: Owner, _ cause: EndCause) {
        glass.beginScan()
        for place in glass.fingers.indices where glass.fingers[place].owner == owner {
            glass.revoke(place, cause)
        }
        if case .app(let place) = owner { owe(place, scan: .zero, nil) }
    }

    /// Handles that an app did not receive a frame, or not in time. It keeps the fingers whose landing it received
    /// later than that frame.
    private mutating func letsGo(_ place: Int, after frame: SequenceNumber, _ cause: EndCause) {
        let its = glass.fingers.indices.filter { glass.fingers[$0].owner == .app(place) }
        let lost = its.filter { glass.fingers[$0].toldIn.map { $0 <= frame } ?? false }
        if !lost.isEmpty { lose(lost.map { glass.fingers[$0].landing }, of: place, cause) }
    }

    /// Cancels these fingers of an app. Its other fingers are stationary in the same frame.
    mutating func lose(_ landings: [UInt32], of app: Int, _ cause: EndCause) {
        glass.beginScan()
        for place in glass.fingers.indices where glass.fingers[place].owner == .app(app) {
            if landings.contains(glass.fingers[place].landing) {
                glass.revoke(place, cause)
            } else {
                glass.tell(place, .stationary, .lifted)
            }
        }
        owe(app, scan: .zero, nil)
    }

    /// Removes every finger, because the process that reads the devices is gone.
    mutating func clearGlass(_ cause: EndCause, _ step: Step) {
        shots = ScreenshotLedger()
        glass.beginScan()
        for place in glass.fingers.indices { glass.revoke(place, cause) }
        for part in glass.parts {
            if case .app(let place) = part.owner { owe(place, scan: .zero, nil) }
        }
        let fingers = glass.fingers
        glass.fingers.removeAll(keepingCapacity: true)
        glass.devices.removeAll(keepingCapacity: true)
        for place in apps.indices {
            apps[place].questions.disown()
            apps[place].dues.disown()
        }
        clearSpies(fingers, step)
    }

    /// Handles the end of an app: its fingers are ignored until they lift, and its outstanding frames have no answer.
    mutating func bury(_ place: Int) {
        for finger in glass.fingers.indices where glass.fingers[finger].owner == .app(place) {
            (glass.fingers[finger].owner, glass.fingers[finger].touch) = (.nobody, nil)
        }
        let nobody = Receipt(frame: .zero, outcome: .dropped, reason: .ownerDied)
        for question in apps[place].questions.open { settle(question.scan, nobody) }
        for frame in apps[place].dues.waitingScans { settle(frame.scan, nobody) }
        for sample in apps[place].dues.held { settle(sample.frame.scan, nobody) }
        apps[place].questions.removeAll()
        apps[place].dues.removeAll()
        apps[place].dues.forgetHeld()
        (apps[place].answering.missed, apps[place].answering.overreach) = (0, nil)
        apps[place].scene.windows = nil
        let app = apps[place].app
        front.seenThrough.removeAll { $0 == app }
        front.left(apps[place].app)
    }

    mutating func forgetGlass() {
        (glass, front) = (Glass(), Front(displays, orientations: options.orientations))
        (spies, opens, shots) = (Spies(), OpenLedger(), ScreenshotLedger())
        for place in apps.indices {
            apps[place].questions.removeAll()
            apps[place].dues.removeAll()
            apps[place].dues.forgetHeld()
            (apps[place].answering.missed, apps[place].answering.overreach) = (0, nil)
            apps[place].generationHeard = nil
            (apps[place].scene.windows, apps[place].scene.told, apps[place].scene.hasSecrets) = (nil, nil, false)
        }
    }

    /// Adds the answer of one recipient of a scan, or the reason why there is none.
    mutating func settle(_ scan: SequenceNumber, _ part: Receipt) {
        guard scan > .zero, let stream = input.heardByServer else { return }
        input.streams[stream].tally.settle(scan, part)
    }

    /// Handles an app's message to the server about frames that it received.
    mutating func hears(_ message: Message, ack: SequenceNumber, of place: Int, at moment: Instant) {
        let isAskedMore = apps[place].ends.server.unanswered > 0
        switch message {
        case .handled(let receipt):
            apps[place].answering.askedSince = isAskedMore ? moment : nil
            apps[place].answering.isStalled = false
            // The app has cancelled its touches, so the server cancels them too.
            if let cause = receipt.reason.endsTouches {
                apps[place].answering.missed &+= 1
                letsGo(place, after: receipt.frame, cause)
            }
            if let scan = apps[place].questions.answer(receipt.frame) { settle(scan, receipt) }
            if let edges = receipt.deferredEdges { hears(deferring: edges, in: receipt.frame, of: place, at: moment) }
        case .link(.heard(let oldest, let missed)):
            if !isAskedMore { (apps[place].answering.askedSince, apps[place].answering.isStalled) = (nil, false) }
            if missed > apps[place].answering.missed {
                apps[place].answering.missed = missed
                revoke(.app(place), .gap)
            }
            let lost = Receipt(frame: .zero, outcome: .dropped, reason: .lostOnLink)
            while let question = apps[place].questions.removeFirst(
                through: oldest > .zero ? min(ack, oldest.previous) : ack)
            {
                settle(question.scan, lost)
            }
        case .windows(let diff):
            if diff.hasSecret { apps[place].scene.hasSecrets = true }
            var windows = apps[place].scene.windows ?? DeclaredWindows()
            let isHonest = windows.take(diff)
            // An app whose declaration was missed keeps the windows that were known.
            if windows.number > 0 || apps[place].scene.windows != nil {
                apps[place].scene.windows = isHonest ? windows : nil
            }
            let app = apps[place].app
            front.seenThrough.removeAll { $0 == app }
            if apps[place].scene.windows != nil { front.seenThrough.append(app) }
        default: return
        }
    }
}

extension HIDEvent {
    /// Whether the scan contains moves but no landing and no lift, so that it may be dropped without room.
    fileprivate var canBeSpared: Bool {
        var changes = false
        for finger in fingers {
            if !finger.mask.isDisjoint(with: [.touch, .cancel]) { return false }
            changes = changes || !finger.mask.isDisjoint(with: [.position, .attribute])
        }
        return changes
    }
}

extension Step {
    /// Whether the server answers a scan in this step. No app then receives the scan in this step.
    fileprivate func answers(_ scan: SequenceNumber) -> Bool {
        scan > .zero
            && effects.contains { effect in
                guard case .send(let frame, to: .inputKit) = effect, case .handled(let receipt) = frame.message else {
                    return false
                }
                return receipt.frame == scan
            }
    }
}

extension Receipt.Reason {
    /// The cause with which an app ended its touches, if it sends this reason.
    var endsTouches: EndCause? {
        switch self {
        case .lostOnLink: .gap
        case .inboxFull: .inboxFull
        case .late: .late
        case .none, .unknownFinger, .landedOnNothing, .dead, .ownerDied, .overLimit, .fenced, .nothingNew, .stale,
            .notResponding, .takenByMonitor, .takenBySystem:
            nil
        }
    }
}

extension ScreenGeometry {
    /// The frame of the whole screen.
    var frame: Rect<DisplaySpace> { Rect(x: 0, y: 0, width: bounds.width, height: bounds.height) }
}

extension WindowsDiff {
    fileprivate var hasSecret: Bool {
        changes.contains { if case .put(let window) = $0 { window.isSecure } else { false } }
    }
}
