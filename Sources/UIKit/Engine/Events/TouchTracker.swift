// TouchTracker.swift: turns frames of contacts into touches with phases, in one event that lives as long as the
// application.
//
// Station   event, hitTest
// Input     UIApplication.deliver, one frame at a time
// Output    UIApplication.sendEvent
// Knows     which touches are down, and the view on which each landed. Not their receivers.
//
//     frame ─▶ known contacts: moved, stationary, ended, cancelled
//           ─▶ new contacts: window and view by hit test, tap count, recognizers; one touch each, or none
//           ─▶ sendEvent, once
//           ─▶ touches that are over leave the event
//
// Sources   observed    two hit tests for each new contact, before anything is delivered (S02, E1)
//           inferred    a contact on no view has no touch, and its later moves are dropped (S17)
//           invented    a contact that lands twice is cancelled first (D11)

import Basics
import Foundation
import Gestures
import HID

/// The touches of one application.
package final class TouchTracker {
    /// Set when the application is made. The application owns the tracker.
    @exclusivity(unchecked) unowned(unsafe) final var application: UIApplication!
    /// The application's touches event.
    package let event = UIEvent(type: .touches)
    @exclusivity(unchecked) private var taps: TapCounter
    @exclusivity(unchecked) package private(set) var isDelivering = false
    @exclusivity(unchecked) private var wantsCancel = false
    /// The number of `endIgnoring` calls that are still to come.
    @exclusivity(unchecked) private var ignoringCount = 0
    @exclusivity(unchecked) final var estimates = PendingEstimates()

    init(settings: UIKitSettings) {
        taps = TapCounter(interval: settings.tapCount.interval, radius: settings.tapCount.radius)
    }

    deinit {
        // The application ends while touches are down: they release the objects that they hold.
        for touch in event.touches {
            touch.leaveRecognizers()
            // A control keeps the touch that it tracks, and the touch would keep the control.
            (touch.ownView, touch.ownWindow) = (nil, nil)
        }
    }

    /// Touches that are down. A contact without a touch is not among them.
    package var liveTouches: [UITouch] { event.touches }

    /// Delivers one frame as one event.
    ///
    /// - Parameter merged: Earlier frames that this one includes, oldest first. In them, contacts only moved.
    /// - Returns: The number of touches in each phase.
    func deliver(_ frame: TouchFrame, merging merged: TouchList, in application: UIApplication) -> TouchCounts {
        precondition(!isDelivering, "a frame came while another was being delivered")
        isDelivering = true
        defer {
            isDelivering = false
            if wantsCancel { cancelIfAsked() }
        }
        event.timestamp = frame.timeStamp.seconds
        for index in event.touches.indices { event.touches[index].beginFrame() }
        for part in merged.parts.indices { merge(merged.parts[part]) }
        for contact in frame.contacts { update(contact, in: application) }
        var deferred: UIRectEdge?
        for contact in frame.contacts where contact.phase == .began {
            if contact.isGated { deferred = deferred ?? application.deferredEdges }
            land(contact, deferring: deferred ?? [])
        }
        var counts = frame.onlyOpensGates && merged.isEmpty ? phaseCounts : send(by: application)
        counts.deferredEdges = deferred.map { UInt8($0.rawValue) }
        if !merged.isEmpty {
            for touch in event.touches { touch.path.forgetMerged() }
        }
        return counts
    }

    /// Adds the positions of merged frames: for coalesced touches, and for the speed of predictions.
    private func merge(_ moves: TouchMoves) {
        for (index, contact) in moves.contacts.enumerated() where contact.phase == .moved {
            guard let touch = touch(of: contact) else { continue }
            merge(contact.position, of: touch, at: moves.firstTime)
            for (move, time) in moves.times.enumerated() {
                merge(moves.position(of: index, inMove: move), of: touch, at: time)
            }
        }
    }

    private func merge(_ scenePosition: Point<SceneSpace>, of touch: UITouch, at time: Instant) {
        let position = position(scenePosition, in: touch.ownWindow)
        touch.path.merge(position, at: time.seconds)
        touch.path.noteStraying(at: position, by: taps)
    }

    // MARK: Ignoring

    /// Drops new touches and cancels live ones, until as many calls of `endIgnoring`. (B11.4)
    func beginIgnoring() {
        ignoringCount += 1
        if ignoringCount == 1 { cancelAll() }
    }

    func endIgnoring() { ignoringCount = max(0, ignoringCount - 1) }

    var isIgnoring: Bool { ignoringCount > 0 }

    /// Cancels every live touch: at once, or after the present delivery.
    package func cancelAll() {
        wantsCancel = true
        if !isDelivering { cancelIfAsked() }
    }

    func cancelIfAsked() {
        guard wantsCancel, !application.isDelivering else { return }
        wantsCancel = false
        guard !event.touches.isEmpty else { return }
        isDelivering = true
        event.timestamp = application.now.seconds
        for touch in event.touches {
            touch.advance(to: .cancelled, at: touch.position, time: event.timestamp)
            application.emit(.input(.cancelled(touch)))
        }
        _ = send(by: application)
        isDelivering = false
    }

    // MARK: Known contacts

    private func update(_ contact: TouchContact, in application: UIApplication) {
        guard let touch = touch(of: contact) else {
            if contact.phase != .began, contact.phase != .stationary {
                application.emit(.input(.dropped(contact.touch, .neverBegan(contact.phase))))
            }
            return
        }
        let time = event.timestamp
        // An ungated contact opens the gate, unless it is cancelled: what the gate of a cancelled touch withheld is
        // discarded.
        if touch.isGateClosed, !contact.isGated, contact.phase != .cancelled { touch.openGate() }
        let position = self.position(of: contact, in: touch.ownWindow)
        touch.measures.update(from: contact, isPencil: touch.type == .pencil)
        switch contact.phase {
        case .began: touch.advance(to: .cancelled, at: touch.position, time: time)
        case .stationary:
            touch.timestamp = time
            // The touch rests now, and has moved since its last delivery.
            if let last = touch.path.removeLastMerged() {
                touch.advance(to: .moved, at: last.position, time: last.timestamp)
            }
        case .moved:
            touch.advance(to: .moved, at: position, time: time)
            touch.path.record(position, at: time)
        case .ended: touch.advance(to: .ended, at: position, time: time)
        case .cancelled: touch.advance(to: .cancelled, at: position, time: time)
        }
        touch.path.noteStraying(at: touch.position, by: taps)
        if touch.ownPhase == .ended { recordTap(of: touch) }
        if !estimates.properties.isEmpty, touch.ownPhase != .stationary { estimates.record(touch) }
        application.emit(.input(.changed(touch, contact)))
    }

    /// Finds the touch of a contact among the touches that have not ended.
    @inline(__always)
    private func touch(of contact: TouchContact) -> UITouch? {
        for index in event.touches.indices {
            let touch = event.touches[index]
            if touch.id.rawValue == contact.touch.rawValue, !touch.hasEnded { return touch }
        }
        return nil
    }

    private func recordTap(of touch: UITouch) {
        guard !touch.path.hasStrayed, let window = touch.ownWindow else {
            touch.tapCount = 0
            return
        }
        taps.recordLift(
            of: TapCounter.Tap(
                count: touch.tapCount, position: touch.landing, window: ObjectIdentifier(window),
                liftedAt: touch.timestamp))
    }

    @inline(__always)
    private func position(of contact: TouchContact, in window: UIWindow?) -> CGPoint {
        position(contact.position, in: window)
    }

    @inline(__always)
    private func position(_ scenePosition: Point<SceneSpace>, in window: UIWindow?) -> CGPoint {
        let point = CGPoint(scenePosition)
        return window?.pointFromSuperview(point) ?? point
    }

    // MARK: New contacts

    private func land(_ contact: TouchContact, deferring edges: UIRectEdge) {
        application.emit(.input(.landed(contact)))
        guard !application.isIgnoringInteractionEvents else {
            application.emit(.input(.dropped(contact.touch, .ignoringInteractionEvents)))
            return
        }
        guard let (window, view) = hitTest(contact), permits(contact, on: view, in: window) else { return }
        let position = self.position(of: contact, in: window)
        let touch = UITouch(
            id: contact.touch, window: window, view: view, position: position, timestamp: event.timestamp)
        if contact.tool == .pencil { touch.type = .pencil }
        touch.measures.update(from: contact, isPencil: touch.type == .pencil)
        touch.tapCount = taps.countLanding(at: position, in: ObjectIdentifier(window), time: event.timestamp)
        // A view without multiple touch that has a live touch never receives this one. Recognizers do. (B9v.4)
        if !view.isMultipleTouchEnabled,
            event.touches.contains(where: { $0.ownView === view && !$0.hasEnded && $0.delivery.state != .over })
        {
            _ = touch.delivery.handle(.taken)
        }
        touch.isGateClosed = contact.isGated && !edges.contains(edge(of: contact))
        touch.path.record(position, at: event.timestamp)
        event.touches.append(touch)
        collectRecognizers(for: touch, event: event, in: application.gestures)
        if !estimates.properties.isEmpty { estimates.record(touch) }
    }

    /// The window and the view that the last hit test found. (B2.1, B3)
    private func hitTest(_ contact: TouchContact) -> (UIWindow, UIView)? {
        let point = CGPoint(contact.position)
        let windows = application.windows
        var found: (UIWindow, UIView)?
        for pass in 1...max(1, application.settings.hitTestPasses) {
            application.emit(.hitTest(.passBegan(pass, contact.touch)))
            event.hitTestedViewCount = 0
            found = nil
            for window in windows.reversed() where !window.isHidden && window.isUserInteractionEnabled {
                let own = window.pointFromSuperview(point)
                let hit = event.isIntercepted ? window.watchHitTest(own, event) : window.hitTest(own, with: event)
                if let hit {
                    found = (hit.window ?? window, hit)
                    break
                }
            }
        }
        if application.isWatched { report(found, contact) }
        return found
    }

    /// Whether exclusive touch allows the landing. (B11.3)
    private func permits(_ contact: TouchContact, on view: UIView, in window: UIWindow) -> Bool {
        for other in event.touches where other.ownWindow === window && !other.hasEnded && other.ownView !== view {
            guard view.isExclusiveTouch || other.ownView?.isExclusiveTouch == true else { continue }
            application.emit(.input(.dropped(contact.touch, .exclusive(touched: other.ownView))))
            return false
        }
        return true
    }

    /// The edge with system gestures that the contact landed at, in the interface's orientation. The display has two:
    /// top and bottom.
    private func edge(of contact: TouchContact) -> UIRectEdge {
        let frame = application.sceneFrame
        let scene = SceneGeometry(
            frame: Rect(
                x: Double(frame.origin.x), y: Double(frame.origin.y), width: Double(frame.size.width),
                height: Double(frame.size.height)),
            orientation: application.orientation)
        let isUpper = CGFloat(scene.displayPosition(contact.position).y.double) * 2 < application.screen.size.height
        return UIRectEdge(rawValue: UInt(scene.orientation.edges(at: isUpper ? 1 : 4)))
    }

    // MARK: Sending

    private var phaseCounts: TouchCounts {
        var counts = TouchCounts()
        for index in event.touches.indices {
            switch event.touches[index].ownPhase {
            case .began: counts.began += 1
            case .moved: counts.moved += 1
            case .ended: counts.ended += 1
            case .cancelled: counts.cancelled += 1
            case .stationary, .regionEntered, .regionMoved, .regionExited: counts.stationary += 1
            }
        }
        return counts
    }

    @inline(__always)
    private func send(by application: UIApplication) -> TouchCounts {
        guard !event.touches.isEmpty else { return TouchCounts() }
        let counts = phaseCounts
        application.emit(.input(.applicationSends(event)))
        application.sendEvent(event)
        for index in event.touches.indices where event.touches[index].hasEnded {
            removeEndedTouches()
            break
        }
        return counts
    }

    private func removeEndedTouches() {
        for touch in event.touches where touch.hasEnded { touch.leaveRecognizers() }
        event.touches.removeAll(where: \.hasEnded)
    }

    // MARK: Facts of the hit test

    private func report(_ hit: (window: UIWindow, view: UIView)?, _ contact: TouchContact) {
        let point = CGPoint(contact.position)
        let seen = viewSeenThrough(at: point)
        if let seen, seen !== hit?.view { application.emit(.hitTest(.sawThrough(seen, contact.touch))) }
        for (view, why) in HitTestReview(of: application.windows, at: point, hit: hit?.view).found where view !== seen {
            application.emit(.hitTest(.passedOver(view, contact.touch, why)))
        }
        if let hit {
            application.emit(.hitTest(.found(hit.view, in: hit.window, contact.touch, asked: event.hitTestedViewCount)))
        } else {
            application.emit(.hitTest(.foundNothing(contact.touch, asked: event.hitTestedViewCount)))
        }
    }

    /// The view that a person sees at the point although no touch begins on it, because it or a view around it is not
    /// interactive. Computed from frames alone: calls of an app's `hitTest` and `point(inside:)` must not depend on
    /// observation.
    private func viewSeenThrough(at point: CGPoint) -> UIView? {
        for window in application.windows.reversed() {
            guard let (_, passed) = window.frontmostVisibleView(at: window.pointFromSuperview(point)) else { continue }
            return passed
        }
        return nil
    }
}

extension TouchFrame {
    /// Whether the frame reports nothing but opened gates. All its contacts rest, so it makes no event. The touches
    /// that the gates withheld are delivered before the main loop waits.
    fileprivate var onlyOpensGates: Bool { contacts.allSatisfy { $0.phase == .stationary } }
}

extension UIView {
    /// The frontmost visible view at the point, and the outermost view around it that is not interactive.
    fileprivate final func frontmostVisibleView(at point: CGPoint) -> (view: UIView, passed: UIView?)? {
        guard admission.isVisible, bounds.containsForHitTest(point) else { return nil }
        let own = admission.isInteractive ? nil : self
        for child in children.reversed() {
            guard let (view, passed) = child.frontmostVisibleView(at: child.pointFromSuperview(point)) else { continue }
            return (view, own ?? passed)
        }
        return (self, own)
    }
}

extension UITouch {
    /// `isOver` of a touch that UIKit has made.
    @inline(__always)
    fileprivate final var hasEnded: Bool {
        switch ownPhase {
        case .ended, .cancelled: true
        case .began, .moved, .stationary, .regionEntered, .regionMoved, .regionExited: false
        }
    }

    /// Stores the phase, position and time that a frame reports.
    fileprivate func advance(to phase: Phase, at position: CGPoint, time: TimeInterval) {
        ownPhase = phase
        timestamp = time
        path.move(to: position)
    }

    /// Begins a new frame, in which the touch has not moved yet.
    fileprivate func beginFrame() {
        ownPhase = .stationary
        path.beginFrame()
    }
}
