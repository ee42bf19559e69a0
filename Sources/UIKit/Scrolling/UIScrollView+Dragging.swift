// UIScrollView+Dragging.swift: from fingers and time to an offset.
//
// Station   gesture
// Fed by    UIScrollViewPanGestureRecognizer, the timer, the setters of UIScrollView
// Feeds     the bounds' origin, the delegate
//
// Every input goes through ScrollActivity, and every decision of its is carried out here, in its order. The delegate
// may do anything, so what comes after a call looks again at what is the case.
//
// Sources   documented  the order of the delegate's calls (B12.6)
//           inferred    the loop is in tracking mode from the beginning of a drag to the end of its deceleration (C4)
//           invented    slower than 10 points per second, content stays where it is let go of

import Basics
import Foundation
import Trace

extension UIScrollView {
    final var application: UIApplication? { cachedWindow?.application }

    /// Points per second.
    static var slowestGlide: CGFloat { 10 }

    // MARK: Where content may be

    final var horizontal: ScrollAxis {
        axis(
            content: contentSize.width, before: adjustedContentInset.left, after: adjustedContentInset.right,
            length: storedBounds.width, always: alwaysBounceHorizontal)
    }

    final var vertical: ScrollAxis {
        axis(
            content: contentSize.height, before: adjustedContentInset.top, after: adjustedContentInset.bottom,
            length: storedBounds.height, always: alwaysBounceVertical)
    }

    private func axis(content: CGFloat, before: CGFloat, after: CGFloat, length: CGFloat, always: Bool) -> ScrollAxis {
        let first = -before
        let last = max(first, content + after - length)
        return ScrollAxis(range: first...last, length: length, bounces: bounces && (always || last > first))
    }

    private func clamped(_ offset: CGPoint) -> CGPoint {
        CGPoint(x: horizontal.clamped(offset.x), y: vertical.clamped(offset.y))
    }

    /// To a pixel.
    private func rounded(_ offset: CGPoint) -> CGPoint {
        let scale = application?.settings.screenScale ?? 1
        return CGPoint(x: (offset.x * scale).rounded() / scale, y: (offset.y * scale).rounded() / scale)
    }

    /// Where content comes to rest that is let go of: on a pixel, and not beyond an edge for the sake of one.
    private func restingPlace(of way: ScrollMotion) -> CGPoint {
        let end = way.end
        return clamped(end) == end ? clamped(rounded(end)) : rounded(end)
    }

    // MARK: Setting the offset

    final func didScroll() {
        setNeedsLayout()
        delegate?.scrollViewDidScroll(self)
    }

    /// By the scroll view itself.
    final func put(at offset: CGPoint) {
        guard offset != storedBounds.origin else { return }
        bounds.origin = offset
    }

    final func moveContent(to offset: CGPoint) {
        if activity.state == .animating { handle(.placed) }
        let (x, y) = (offset.x - storedBounds.origin.x, offset.y - storedBounds.origin.y)
        drag?.move(by: x, y)
        goOn(movedBy: CGPoint(x: x, y: y))
        put(at: offset)
    }

    /// What moves the content by itself goes on from `way` points further, as fast as it was, and rests where content
    /// may rest now.
    private func goOn(movedBy way: CGPoint = .zero) {
        if let glide { self.glide = glide.rest(after: 0, movedBy: way, x: horizontal, y: vertical) }
        guard activity.state == .decelerating, let application, let (old, start) = motion else { return }
        let time = start.duration(to: application.now).seconds
        let new = old.rest(after: time, movedBy: way, x: horizontal, y: vertical)
        motion = (new, since: application.now)
        if restingPlace(of: new) != restingPlace(of: old) { note("{a:n} decelerates on to ({b:p}, {c:p})", new.end) }
    }

    final func scroll(to offset: CGPoint, animated: Bool) {
        guard animated, application?.mainLoop != nil else {
            handle(.placed)
            moveContent(to: offset)
            return
        }
        guard offset != storedBounds.origin else {
            // It is there, and stays.
            handle(.placed)
            return
        }
        wanted = offset
        handle(.animated)
    }

    final func scroll(toShow rect: CGRect, animated: Bool) {
        let shown = storedBounds.inset(by: adjustedContentInset)
        /// How far one axis has to move: not at all when it shows, or when it fills what shows anyway.
        func way(_ low: CGFloat, _ high: CGFloat, _ shownLow: CGFloat, _ shownHigh: CGFloat) -> CGFloat {
            let (below, above) = (low - shownLow, high - shownHigh)
            if below < 0, above < 0 { return max(below, above) }
            if below > 0, above > 0 { return min(below, above) }
            return 0
        }
        let offset = clamped(
            CGPoint(
                x: contentOffset.x + way(rect.minX, rect.maxX, shown.minX, shown.maxX),
                y: contentOffset.y + way(rect.minY, rect.maxY, shown.minY, shown.maxY)))
        if offset != contentOffset { scroll(to: offset, animated: animated) }
    }

    /// Where content may rest has changed. Only what the change has put beyond it moves: code may have put content
    /// there on purpose.
    final func roomDidChange() {
        let (x, y) = (horizontal, vertical)
        let old = room
        guard x.range != old.x || y.range != old.y else { return }
        room = (x.range, y.range)
        func settled(_ place: CGPoint) -> CGPoint {
            CGPoint(
                x: old.x.contains(place.x) ? x.clamped(place.x) : place.x,
                y: old.y.contains(place.y) ? y.clamped(place.y) : place.y)
        }
        switch activity.state {
        case .rest: if zoomAsked == nil, zoomMotion == nil { put(at: settled(contentOffset)) }
        case .decelerating: goOn()
        case .animating:
            let place = settled(wanted)
            guard motion != nil, place != wanted else { return }
            wanted = place
            follow(ScrollMotion(from: contentOffset, to: wanted))
        // The finger's next word, or its last, sees to it.
        case .touched, .dragging: break
        }
    }

    final func insetDidChange(from old: UIEdgeInsets) {
        guard contentInset != old else { return }
        setNeedsLayout()
        if activity.state == .rest {
            var offset = contentOffset
            if offset.x == -old.left { offset.x = -contentInset.left }
            if offset.y == -old.top { offset.y = -contentInset.top }
            put(at: offset)
        }
        roomDidChange()
    }

    // MARK: Decisions

    final func handle(_ input: ScrollActivity.Input) {
        for decision in activity.handle(input) { carryOut(decision) }
    }

    private func carryOut(_ decision: ScrollActivity.Decision) {
        switch decision {
        case .beginDrag: beginDrag()
        case .endDrag(let decelerates): endDrag(decelerates)
        case .beginDeceleration: beginDeceleration()
        case .endDeceleration: endDeceleration()
        case .beginAnimation: beginAnimation()
        case .endAnimation: endAnimation()
        case .jump: moveContent(to: wanted)
        }
    }

    private func beginDrag() {
        drag = ScrollDrag(
            from: contentOffset, x: horizontal, y: vertical, way: dragWay, locks: isDirectionalLockEnabled)
        note("{a:n} is dragged from ({b:p}, {c:p})", contentOffset)
        if let loop = application?.mainLoop { trackingMode = HeldMode(.tracking, on: loop) }
        delegate?.scrollViewWillBeginDragging(self)
    }

    private func endDrag(_ decelerates: Bool) {
        drag = nil
        if !decelerates {
            trackingMode = nil
            note("{a:n} is let go at ({b:p}, {c:p})", contentOffset)
        }
        delegate?.scrollViewDidEndDragging(self, willDecelerate: decelerates)
    }

    private func beginDeceleration() {
        // The delegate may have stopped it.
        guard activity.state == .decelerating else { return }
        let way = glide ?? (isPagingEnabled ? pageMotion(velocity: .zero) : freeMotion(velocity: .zero))
        glide = way
        note("{a:n} decelerates to ({b:p}, {c:p})", way.end)
        toldOfDeceleration = true
        delegate?.scrollViewWillBeginDecelerating(self)
        // The delegate may have stopped it, or have put the content elsewhere, from where it goes on.
        guard activity.state == .decelerating, let glide else { return }
        self.glide = nil
        follow(glide)
    }

    private func endDeceleration() {
        stopMoving()
        glide = nil
        trackingMode = nil
        note("{a:n} rests at ({b:p}, {c:p})", contentOffset)
        guard toldOfDeceleration else { return }
        toldOfDeceleration = false
        delegate?.scrollViewDidEndDecelerating(self)
    }

    private func beginAnimation() {
        guard activity.state == .animating else { return }
        note("{a:n} scrolls to ({b:p}, {c:p})", wanted)
        follow(ScrollMotion(from: contentOffset, to: wanted))
    }

    private func endAnimation() {
        stopMoving()
        delegate?.scrollViewDidEndScrollingAnimation(self)
    }

    // MARK: Dragging

    /// The pan has begun or gone on.
    ///
    /// - Parameter translation: Of the finger since the drag began.
    final func dragged(by translation: CGPoint) {
        guard activity.state == .dragging, let drag else { return }
        put(at: rounded(drag.offset(after: translation, from: contentOffset, x: horizontal, y: vertical)))
    }

    /// The pan is over.
    ///
    /// - Parameter finger: Its speed in points per second; content goes the other way.
    final func released(at finger: CGPoint) {
        guard activity.state == .dragging, let drag else {
            handle(.releasedStill)
            return
        }
        func speed(_ finger: CGFloat, _ follows: Bool) -> CGFloat {
            // Content whose scale is on its way back goes nowhere else.
            follows && zoomMotion == nil && abs(finger) >= Self.slowestGlide ? -finger : 0
        }
        let velocity = CGPoint(x: speed(finger.x, drag.followsX), y: speed(finger.y, drag.followsY))
        func usualWay() -> ScrollMotion {
            isPagingEnabled ? pageMotion(velocity: velocity) : freeMotion(velocity: velocity)
        }
        var way = usualWay()
        let expected = restingPlace(of: way)
        var target = expected
        delegate?.scrollViewWillEndDragging(
            self, withVelocity: CGPoint(x: velocity.x / 1000, y: velocity.y / 1000), targetContentOffset: &target)
        // What was decided there may have ended the drag.
        guard activity.state == .dragging else { return }
        way = target != expected ? motion(to: target, rate: decelerationRate.rawValue) : usualWay()
        let moves = zoomMotion == nil && (way.duration > 0 && restingPlace(of: way) != contentOffset || isBeyond)
        glide = moves ? way : nil
        handle(moves ? .releasedMoving : .releasedStill)
    }

    /// Fingers are up, or somebody else's, without a drag.
    ///
    /// - Parameter caught: They had stopped the content, which may be between two pages.
    final func untouched(caught: Bool = false) {
        // Off screen there is no time to come back in.
        let comesBack = cachedWindow != nil && (isBeyond || caught && isBetweenPages)
        handle(comesBack ? .untouchedBeyond : .untouched)
    }

    private var isBetweenPages: Bool {
        isPagingEnabled && zoomMotion == nil && restingPlace(of: pageMotion(velocity: .zero)) != contentOffset
    }

    /// Without anybody to see it: content that was being moved is not left beyond its bounds.
    final func settleAtOnce() {
        if activity.state == .rest { put(at: clamped(contentOffset)) }
    }

    final var isBeyond: Bool { clamped(contentOffset) != contentOffset }

    // MARK: Moving by itself

    /// Half a pixel.
    private var resolution: CGFloat { 0.5 / (application?.settings.screenScale ?? 1) }

    private func freeMotion(velocity: CGPoint) -> ScrollMotion {
        func along(_ axis: ScrollAxis, _ place: CGFloat, _ velocity: CGFloat) -> AxisMotion {
            AxisMotion(
                from: place, velocity: velocity, in: axis.range, rate: decelerationRate.rawValue,
                bounces: axis.bounces, resolution: resolution)
        }
        return ScrollMotion(
            x: along(horizontal, contentOffset.x, velocity.x), y: along(vertical, contentOffset.y, velocity.y))
    }

    private func pageMotion(velocity: CGPoint) -> ScrollMotion {
        func page(_ axis: ScrollAxis, _ place: CGFloat, _ velocity: CGFloat) -> CGFloat {
            Paging.target(from: axis.clamped(place), velocity: velocity, page: axis.length, in: axis.range)
        }
        let target = CGPoint(
            x: page(horizontal, contentOffset.x, velocity.x), y: page(vertical, contentOffset.y, velocity.y))
        return motion(to: target, rate: DecelerationRate.fast.rawValue)
    }

    private func motion(to target: CGPoint, rate: CGFloat) -> ScrollMotion {
        func along(_ axis: ScrollAxis, _ place: CGFloat, _ target: CGFloat) -> AxisMotion {
            AxisMotion(
                from: place, to: target, in: axis.range, rate: rate, bounces: axis.bounces, resolution: resolution)
        }
        return ScrollMotion(
            x: along(horizontal, contentOffset.x, target.x), y: along(vertical, contentOffset.y, target.y))
    }

    private func follow(_ way: ScrollMotion) {
        guard let application, let loop = application.mainLoop else {
            put(at: restingPlace(of: way))
            // The delegate has just been told, and may have stopped it.
            switch activity.state {
            case .decelerating, .animating: handle(.arrived)
            case .rest, .touched, .dragging: break
            }
            return
        }
        motion = (way, since: application.now)
        let frame = application.frameDuration
        ticker = HeldTimer(on: loop, at: application.now.advanced(by: frame), every: frame) { [weak self] in
            self?.tick()
        }
    }

    private func tick() {
        guard let application, let (way, start) = motion else {
            // Its window is gone, and with it whoever could be told.
            _ = activity.handle(.removed)
            (motion, ticker, trackingMode, toldOfDeceleration) = (nil, nil, nil, false)
            return
        }
        let time = start.duration(to: application.now).seconds
        let isOver = time >= way.duration
        let turn = ticker
        // Code that has said where content shall be is taken at its word.
        let isMeant = activity.state == .animating
        put(at: !isOver ? rounded(way.offset(after: time)) : isMeant ? way.end : restingPlace(of: way))
        // The delegate has just been told, and may have sent the content elsewhere, or have changed where it may rest.
        guard isOver, turn === ticker, let (now, since) = motion, now == way, since == start else { return }
        if isBeyond, !isMeant { follow(freeMotion(velocity: .zero)) } else { handle(.arrived) }
    }

    private func stopMoving() {
        motion = nil
        ticker = nil
    }

    // MARK: Facts

    final func note(_ template: StaticString, _ point: CGPoint) {
        guard let application, application.trace.isEnabled else { return }
        application.trace.note(
            application.now, .gesture, template, traceName(in: application), Int64(points: point.x),
            Int64(points: point.y))
    }
}

extension UIApplication {
    final var frameDuration: Duration { .nanoseconds(1_000_000_000 / Int64(max(1, settings.screenRefreshRate))) }
}
