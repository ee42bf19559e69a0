// Audit+PanelState.swift: the routing of each finger: to an app, to the server's own screen, or to a receipt with a reason.
//
//    inputs of the server ─▶ PanelState, Front ─▶ frames due to each app ─▶ compared with the sent ones
//                                              └▶ receipt due to each scan ─▶ compared with the sent one
//
// Input     Audit+Server
// Output    DueFrames, FrameTally, violations
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
        if event.isDroppable, dropBeyondLimit(sequence, of: stream) { return }
        route(event, sequence, ledger, of: stream, isShared: false, step)
    }

    /// Routes the scans of a frame: records the frames due to apps and the receipt due to all of them.
    mutating func route(
        _ scans: ScanList, _ sequence: SequenceNumber, _ ledger: Ledger, of stream: Int, _ step: Step
    ) {
        // A move is droppable if the scan before it is.
        if scans.parts.allSatisfy(\.first.isDroppable), dropBeyondLimit(sequence, of: stream) { return }
        var answer = Receipt(frame: sequence, outcome: .dropped)
        answer.coalesced = 0
        input.streams[stream].tally.expect(sequence, answer, parts: 0)
        for event in scans { route(event, sequence, ledger, of: stream, isShared: true, step) }
    }

    /// Records the receipt of a frame that the server drops because of those that it has not answered.
    ///
    /// - Returns: Whether it drops the frame.
    private mutating func dropBeyondLimit(_ sequence: SequenceNumber, of stream: Int) -> Bool {
        // The tally counts this frame as held already.
        guard input.streams[stream].tally.held > options.group.inFlightLimit else { return false }
        input.streams[stream].tally.expect(
            sequence, Receipt(frame: sequence, outcome: .dropped, reason: .overLimit), parts: 0)
        return true
    }

    /// - Parameter isShared: Whether other scans are in the same frame, to whose recipients those of this one are added.
    private mutating func route(
        _ event: HIDEvent, _ sequence: SequenceNumber, _ ledger: Ledger, of stream: Int, isShared: Bool, _ step: Step
    ) {
        updateSwipes(event, step)
        glass.beginScan()
        let isFenced = applyScan(event, step.at)
        glass.parts.removeAll(where: \.isStill)
        var answer = Receipt(frame: sequence, outcome: .dropped)
        if glass.parts.isEmpty { answer.reason = isFenced ? .fenced : glass.drop ?? .nothingNew }
        (answer.takenByMonitor, answer.takenBySystem) = (glass.takenByMonitor, glass.takenBySystem)
        // Of a shared frame the tally knows the answer so far.
        if !isShared { input.streams[stream].tally.expect(sequence, answer, parts: glass.parts.count) }
        if isShared { input.streams[stream].tally.expectMore(sequence, answer, parts: glass.parts.count) }
        for partIndex in glass.parts.indices {
            let part = glass.parts[partIndex]
            switch part.owner {
            case .app(let app):
                addDueFrame(
                    app, scan: sequence, ledger[.device], besides: event.senderID,
                    DisplayClock.ServerStep(at: step.at, effects: step.effects))
            case .home, .overlay, .alert, .keyboard, .shade:
                var receipt = part.counts
                receipt.outcome = .home
                for finger in glass.fingers where finger.device != event.senderID && finger.owner == part.owner {
                    receipt.stationary &+= 1
                }
                settle(sequence, receipt)
            case .ignored: continue
            }
        }
        addDueScans(event, step.at)
    }

    /// - Returns: Whether the scan belongs to an older generation of its device and is ignored.
    private mutating func applyScan(_ event: HIDEvent, _ moment: Instant) -> Bool {
        guard isCurrent(event) else { return true }
        let device = event.senderID
        var fingerIndex = 0
        while fingerIndex < glass.fingers.count {
            let (known, index) = (glass.fingers[fingerIndex].device, glass.fingers[fingerIndex].index)
            if known == device, !event.fingers.contains(where: { $0.index == index }) {
                noteScanContact(fingerIndex, .cancelled)
                glass.revoke(fingerIndex, .deviceCancelled)
                glass.fingers.remove(at: fingerIndex)
            } else {
                fingerIndex += 1
            }
        }
        for place in event.fingers.indices {
            guard let phase = event.fingers[place].phase else { continue }
            if phase == .began {
                handleLanding(event.fingers[place], device, on: event.display, moment)
            } else {
                updateFinger(event.fingers[place].index, device, phase, at: event.fingers[place].position)
            }
        }
        return false
    }

    private mutating func isCurrent(_ event: HIDEvent) -> Bool {
        let (device, generation) = (event.senderID, event.generationCount)
        guard let deviceIndex = glass.devices.firstIndex(where: { $0.id == device }) else {
            if glass.devices.count >= PanelState.deviceLimit,
                let idle = glass.devices.firstIndex(where: { known in
                    !glass.fingers.contains { $0.device == known.id }
                })
            {
                glass.devices.remove(at: idle)
            }
            glass.devices.append(PanelState.Device(id: device, generation: generation))
            return true
        }
        guard generation != glass.devices[deviceIndex].generation else { return true }
        guard generation > glass.devices[deviceIndex].generation else { return false }
        glass.devices[deviceIndex].generation = generation
        for finger in glass.fingers.indices where glass.fingers[finger].device == device {
            noteScanContact(finger, .cancelled)
            glass.revoke(finger, .deviceCancelled)
        }
        glass.fingers.removeAll { $0.device == device }
        return true
    }

    private mutating func handleLanding(
        _ finger: DigitizerEvent, _ device: UInt64, on said: DisplayID, _ moment: Instant
    ) {
        // An unknown display counts as the main one.
        let display = displays.contains(said) ? said : 1
        if let stale = glass.find(finger.index, of: device) {
            noteScanContact(stale, .cancelled)
            glass.revoke(stale, .deviceCancelled)
            glass.fingers.remove(at: stale)
        }
        var (owner, space) = landing(of: finger, on: display)
        let swipe = display == 1 ? swipe(of: owner, at: displayPosition(finger), in: space, moment) : nil
        // A landing on an unresponsive app is the reason of the drop, whatever else the scan contains.
        if case .app(let appIndex) = owner, apps[appIndex].answering.isStalled {
            (owner, glass.drop) = (.ignored, .notResponding)
        }
        let position = position(of: finger, on: display, in: space)
        glass.fingers.append(
            PanelState.Finger(
                device: device, index: finger.index, display: display, landing: glass.landing(), owner: owner,
                touch: nil, space: space,
                position: position, isGated: swipe?.isGated ?? false, swipe: swipe?.swipe))
        noteScanContact(glass.fingers.count - 1, .began)
        if owner == .ignored { return glass.noteDropReason(.landedOnNothing) }
        glass.addNews(glass.fingers.count - 1, .began, .lifted)
    }

    /// - Parameter position: The position on the panel.
    private mutating func updateFinger(
        _ index: UInt32, _ device: UInt64, _ phase: ContactPhase, at position: Point<DigitizerSpace>
    ) {
        guard let fingerIndex = glass.find(index, of: device) else {
            return glass.noteDropReason(.unknownFinger)
        }
        if phase == .moved {
            let (display, space) = (glass.fingers[fingerIndex].display, glass.fingers[fingerIndex].space)
            glass.fingers[fingerIndex].position = space.appPosition(
                of: displays.geometry(of: display).displayPosition(position))
        }
        noteScanContact(fingerIndex, phase)
        if glass.fingers[fingerIndex].owner == .ignored {
            glass.countDropped(phase, takenBy: glass.fingers[fingerIndex].taker)
        } else {
            glass.addNews(fingerIndex, phase, phase == .cancelled ? .deviceCancelled : .lifted)
        }
        if phase == .ended || phase == .cancelled { glass.fingers.remove(at: fingerIndex) }
    }

    /// Returns the owner of a landing: the topmost scene at the position. An app with declared windows must have one
    /// there that accepts touches.
    private mutating func landing(of finger: DigitizerEvent, on display: DisplayID) -> (Owner, OrientedFrame) {
        let whole = OrientedFrame(frame: displays.geometry(of: display).frame)
        let shownNow = front.shown(on: display)
        let position = displayPosition(finger, on: display)
        for shown in shownNow where shown.frame == whole.frame || shown.frame.contains(position) {
            switch shown.content {
            case .home: return (.home, whole)
            case .overlay: return (.overlay, whole)
            case .alert: return (.alert, whole)
            case .keyboard: return (.keyboard, whole)
            case .shade(let shade): return (.shade(shade), whole)
            case .app(let app):
                let appIndex = appIndex(of: app)
                let space = OrientedFrame(frame: shown.frame, orientation: front.orientation(of: app))
                guard apps[appIndex].scene.windows?.acceptsTouch(at: space.appPosition(of: position)) != false else {
                    continue
                }
                return (.app(appIndex), space)
            }
        }
        return (.ignored, whole)
    }

    func displayPosition(_ finger: DigitizerEvent, on display: DisplayID = 1) -> Point<DisplaySpace> {
        displays.geometry(of: display).displayPosition(finger.position)
    }

    private func position(of finger: DigitizerEvent, on display: DisplayID, in space: OrientedFrame) -> Point<
        SceneSpace
    > {
        space.appPosition(of: displayPosition(finger, on: display))
    }

    /// Revokes the touches of these owners.
    mutating func revoke(_ losers: [Front.VisibleScene.Content], _ cause: EndCause = .act) {
        for loser in losers {
            switch loser {
            case .app(let app): revoke(.app(appIndex(of: app)), cause)
            case .home: revoke(.home, cause)
            case .overlay: revoke(.overlay, cause)
            case .alert: revoke(.alert, cause)
            case .keyboard: revoke(.keyboard, cause)
            case .shade(let shade): revoke(.shade(shade), cause)
            }
        }
    }

    /// The apps that are linked to the server.
    var linkedApps: [AppID] {
        // A filter would copy the whole state of each app.
        var linked: [AppID] = []
        for appIndex in apps.indices where apps[appIndex].isLinkedToServer { linked.append(apps[appIndex].app) }
        return linked
    }

    /// Records the frame and the orientation of an app's scene, as the server sent it.
    mutating func recordScene(_ scene: SceneState, _ appIndex: Int, _ step: Step) {
        apps[appIndex].scene.sent = OrientedFrame(frame: scene.frame, orientation: scene.orientation)
        let heard = apps[appIndex].scene.windows?.number ?? 0
        // A scene that waited for credit may confirm an older declaration.
        guard scene.acknowledgedDeclaration > heard else { return }
        let peer = Peer.app(apps[appIndex].app)
        note(
            .explainability,
            "\(peer) received the acknowledgement of windows \(scene.acknowledgedDeclaration), and it has "
                + "declared \(heard)", step)
    }

    // MARK: Due frames

    /// Adds one frame for an app: the news of its fingers, and its stationary fingers on other devices.
    mutating func addDueFrame(
        _ appIndex: Int, scan: SequenceNumber, _ stamp: Instant?, besides device: UInt64? = nil,
        _ step: DisplayClock.ServerStep? = nil
    ) {
        var count = 0
        // If nothing moves, lands or lifts, a gate opens, and the frame is not merged.
        var (isNews, hasEdge, hasMove) = (false, false, false)
        for (owner, due) in glass.news where owner == .app(appIndex) {
            isNews = true
            hasEdge = hasEdge || (due.phase != .moved && due.phase != .stationary)
            hasMove = hasMove || due.phase == .moved
        }
        let isEdge = isNews && (hasEdge || !hasMove)
        if isEdge { releaseAll(appIndex) }
        for (owner, due) in glass.news where owner == .app(appIndex) {
            apps[appIndex].dues.append(due)
            count += 1
        }
        if let device {
            for finger in glass.fingers where finger.device != device && finger.owner == .app(appIndex) {
                apps[appIndex].dues.append(DueContact(finger, .stationary, .lifted))
                count += 1
            }
        }
        guard count > 0 else { return }
        let frame = DueFrames.Frame(scan: scan, stamp: stamp, count: count, isEdge: isEdge, at: step?.at ?? .boot)
        if options.group.display > 0, !isEdge, let step { return hold(frame, appIndex, at: step.at) }
        hasDueFrames = true
        let isAlone = step.map { sendsLastUnmerged(appIndex, in: $0) } ?? false
        guard let part = apps[appIndex].dues.close(frame, isAlone: isAlone) else { return }
        // The merged frame is part of the later one, and its own part of the scan counts no touch.
        settle(part)
    }

    /// Whether the last waiting frame is sent unmerged in this step, because the end of a key behind it made room.
    func sendsLastUnmerged(_ appIndex: Int, in step: DisplayClock.ServerStep) -> Bool {
        guard let last = apps[appIndex].dues.last, !last.isEdge else { return false }
        let receiver = Peer.app(apps[appIndex].app)
        let waiting = apps[appIndex].dues.waiting
        var ahead = waiting.startIndex
        for index in step.effects.indices {
            guard case .send(let frame, to: receiver) = step.effects[index] else { continue }
            for touches in frame.message.touchFrames {
                // Waiting frames are sent in their order, or are stale.
                while ahead < waiting.endIndex - 1, isStale(ahead, among: waiting, at: step.at),
                    !matches(touches, of: frame.ledger[.device], waiting[ahead])
                        || step.answers(waiting[ahead].frame.scan)
                {
                    ahead += 1
                }
                guard ahead == waiting.endIndex - 1 else {
                    ahead += 1
                    continue
                }
                // The scan of a merged frame is answered at once.
                return matches(touches, of: frame.ledger[.device], waiting[ahead]) && !step.answers(last.scan)
            }
        }
        return false
    }

    /// Cancels all touches of an owner.
    mutating func revoke(_ owner: Owner, _ cause: EndCause) {
        glass.beginScan()
        for fingerIndex in glass.fingers.indices where glass.fingers[fingerIndex].owner == owner {
            glass.revoke(fingerIndex, cause)
        }
        if case .app(let appIndex) = owner { addDueFrame(appIndex, scan: .zero, nil) }
    }

    /// Handles that an app did not receive a frame, or not in time. It keeps the fingers whose landing it received
    /// later than that frame.
    private mutating func loseUndelivered(_ appIndex: Int, after frame: SequenceNumber, _ cause: EndCause) {
        let its = glass.fingers.indices.filter { glass.fingers[$0].owner == .app(appIndex) }
        let lost = its.filter { glass.fingers[$0].landingFrame.map { $0 <= frame } ?? false }
        if !lost.isEmpty { lose(lost.map { glass.fingers[$0].landing }, of: appIndex, cause) }
    }

    /// Cancels these fingers of an app. Its other fingers are stationary in the same frame.
    mutating func lose(_ landings: [UInt32], of app: Int, _ cause: EndCause) {
        glass.beginScan()
        for fingerIndex in glass.fingers.indices where glass.fingers[fingerIndex].owner == .app(app) {
            if landings.contains(glass.fingers[fingerIndex].landing) {
                glass.revoke(fingerIndex, cause)
            } else {
                glass.addNews(fingerIndex, .stationary, .lifted)
            }
        }
        addDueFrame(app, scan: .zero, nil)
    }

    /// Removes every finger, because the process that reads the devices is gone.
    mutating func clearGlass(_ cause: EndCause, _ step: Step) {
        shots = ScreenshotLedger()
        glass.beginScan()
        for fingerIndex in glass.fingers.indices { glass.revoke(fingerIndex, cause) }
        for part in glass.parts {
            if case .app(let appIndex) = part.owner { addDueFrame(appIndex, scan: .zero, nil) }
        }
        let fingers = glass.fingers
        glass.fingers.removeAll(keepingCapacity: true)
        glass.devices.removeAll(keepingCapacity: true)
        for appIndex in apps.indices {
            apps[appIndex].questions.detachScans()
            apps[appIndex].dues.detachScans()
        }
        clearMonitors(fingers, step)
    }

    /// Handles the end of an app: its fingers are ignored until they lift, and its outstanding frames have no answer.
    mutating func removeApp(_ appIndex: Int) {
        for finger in glass.fingers.indices where glass.fingers[finger].owner == .app(appIndex) {
            (glass.fingers[finger].owner, glass.fingers[finger].touch) = (.ignored, nil)
        }
        let lost = Receipt(frame: .zero, outcome: .dropped, reason: .ownerDied)
        for question in apps[appIndex].questions.open { settle(question.scan, lost) }
        for frame in apps[appIndex].dues.waitingScans { settle(frame.scan, lost) }
        for sample in apps[appIndex].dues.held { settle(sample.frame.scan, lost) }
        apps[appIndex].questions.removeAll()
        apps[appIndex].dues.removeAll()
        apps[appIndex].dues.removeHeld()
        (apps[appIndex].answering.missed, apps[appIndex].answering.overreach) = (0, nil)
        apps[appIndex].scene.windows = nil
        let app = apps[appIndex].app
        front.appsWithWindows.removeAll { $0 == app }
        front.handleLinkLoss(of: apps[appIndex].app)
    }

    mutating func forgetGlass() {
        (glass, front) = (PanelState(), Front(displays, orientations: options.orientations))
        (monitors, opens, shots) = (TouchMonitors(), OpenLedger(), ScreenshotLedger())
        for appIndex in apps.indices {
            apps[appIndex].questions.removeAll()
            apps[appIndex].dues.removeAll()
            apps[appIndex].dues.removeHeld()
            (apps[appIndex].answering.missed, apps[appIndex].answering.overreach) = (0, nil)
            apps[appIndex].acceptedGeneration = nil
            (apps[appIndex].scene.windows, apps[appIndex].scene.sent, apps[appIndex].scene.hasSecrets) = (
                nil, nil, false
            )
        }
    }

    /// Settles the part of a scan that was merged into a later one.
    mutating func settle(_ part: DueFrames.MergedPart) {
        var receipt = Receipt(frame: .zero, outcome: .delivered)
        receipt.coalesced = UInt16(clamping: part.moves)
        settle(part.scan, receipt)
    }

    /// Adds the answer of one recipient of a scan, or the reason why there is none.
    mutating func settle(_ scan: SequenceNumber, _ part: Receipt) {
        guard scan > .zero, let stream = input.acceptedStream else { return }
        input.streams[stream].tally.settle(scan, part)
    }

    /// Handles an app's message to the server about frames that it received.
    mutating func handleAppMessage(_ message: Message, ack: SequenceNumber, of appIndex: Int, at moment: Instant) {
        let isAskedMore = apps[appIndex].ends.server.unanswered > 0
        switch message {
        case .handled(let receipt):
            apps[appIndex].answering.unansweredSince = isAskedMore ? moment : nil
            apps[appIndex].answering.isStalled = false
            // The app has cancelled its touches, so the server cancels them too.
            if let cause = receipt.reason.endsTouches {
                apps[appIndex].answering.missed &+= 1
                loseUndelivered(appIndex, after: receipt.frame, cause)
            }
            if let scan = apps[appIndex].questions.removeAnswered(receipt.frame) { settle(scan, receipt) }
            if let edges = receipt.deferredEdges {
                handleDeferral(edges: edges, in: receipt.frame, of: appIndex, at: moment)
            }
        case .link(.received(let oldest, let missed)):
            if !isAskedMore {
                (apps[appIndex].answering.unansweredSince, apps[appIndex].answering.isStalled) = (nil, false)
            }
            if missed > apps[appIndex].answering.missed {
                apps[appIndex].answering.missed = missed
                revoke(.app(appIndex), .gap)
            }
            let lost = Receipt(frame: .zero, outcome: .dropped, reason: .lostOnLink)
            while let question = apps[appIndex].questions.removeFirst(
                through: oldest > .zero ? min(ack, oldest.previous) : ack)
            {
                settle(question.scan, lost)
            }
        case .windows(let diff):
            if diff.hasSecureWindow { apps[appIndex].scene.hasSecrets = true }
            var windows = apps[appIndex].scene.windows ?? DeclaredWindows()
            let isHonest = windows.apply(diff)
            // An app whose declaration was missed keeps the windows that were known.
            if windows.number > 0 || apps[appIndex].scene.windows != nil {
                apps[appIndex].scene.windows = isHonest ? windows : nil
            }
            let app = apps[appIndex].app
            front.appsWithWindows.removeAll { $0 == app }
            if apps[appIndex].scene.windows != nil { front.appsWithWindows.append(app) }
        default: return
        }
    }
}

extension DisplayClock.ServerStep {
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
        case .none, .unknownFinger, .landedOnNothing, .ignoredUntilLift, .ownerDied, .overLimit, .fenced, .nothingNew,
            .stale,
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
    fileprivate var hasSecureWindow: Bool {
        changes.contains { if case .set(let window) = $0 { window.isSecure } else { false } }
    }
}
