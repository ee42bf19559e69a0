// UIScrollView+Dragging.swift: computes the content offset from fingers and time.
//
// Station   gesture
// Input     UIScrollViewPanGestureRecognizer, the frame timer, the setters of UIScrollView
// Output    the bounds' origin, calls of the delegate
//
// ScrollActivity receives every input, and this file carries out its decisions in their order. The delegate may do
// anything, so code after a call of the delegate reads the state again.
//
// Sources   documented  the order of the delegate's calls (B12.6)
//           inferred    the loop is in tracking mode from the beginning of a drag to the end of its deceleration (C4);
//                       content moves at the display's frames, like display links

import Basics
import Foundation
import Gestures

extension UIScrollView {
    final var application: UIApplication? { cachedWindow?.application }

    /// The constants by which released content moves in this scroll view.
    final var laws: ScrollLaws { ScrollLaws(application?.settings.gestures ?? GestureSettings()) }

    // MARK: The range of content

    final var horizontal: ScrollAxis {
        axis(
            content: contentSize.width, before: adjustedContentInset.left, after: adjustedContentInset.right,
            length: space.bounds.width, always: alwaysBounceHorizontal)
    }

    final var vertical: ScrollAxis {
        axis(
            content: contentSize.height, before: adjustedContentInset.top, after: adjustedContentInset.bottom,
            length: space.bounds.height, always: alwaysBounceVertical)
    }

    private func axis(content: CGFloat, before: CGFloat, after: CGFloat, length: CGFloat, always: Bool) -> ScrollAxis {
        let first = -before
        let last = max(first, content + after - length)
        return ScrollAxis(range: first...last, length: length, bounces: bounces && (always || last > first), laws)
    }

    private func clamped(_ offset: CGPoint) -> CGPoint {
        CGPoint(x: horizontal.clamped(offset.x), y: vertical.clamped(offset.y))
    }

    /// Rounds an offset to a pixel.
    private func rounded(_ offset: CGPoint) -> CGPoint {
        let scale = application?.settings.display.main.scale ?? 1
        return CGPoint(x: (offset.x * scale).rounded() / scale, y: (offset.y * scale).rounded() / scale)
    }

    /// Rounds an offset to a pixel, without moving it beyond an edge.
    private func roundedToRest(_ offset: CGPoint) -> CGPoint {
        clamped(offset) == offset ? clamped(rounded(offset)) : rounded(offset)
    }

    /// The offset at which released content comes to rest.
    private func restingOffset(of way: ScrollMotion) -> CGPoint { roundedToRest(way.end) }

    /// Whether the scale is changing, by fingers or without. Content then follows the scale and has no motion of its
    /// own.
    private var isScaling: Bool { zooming.isByFingers || zooming.isMoving }

    // MARK: Setting the offset

    /// Moves the content and calls the delegate's `scrollViewDidScroll`.
    final func applyOffset(_ offset: CGPoint) {
        let old = space.bounds.origin
        guard offset != old else { return }
        bounds.origin = offset
        guard space.bounds.origin != old else { return }
        emitToObserver(.calls(.didScroll))
        delegate?.scrollViewDidScroll(self)
    }

    /// Moves the content on behalf of code. A drag or a deceleration continues from the new offset; an animated scroll
    /// ends.
    final func moveContent(to offset: CGPoint) {
        if activity.state == .animating { handle(.offsetSet) }
        let (x, y) = (offset.x - space.bounds.origin.x, offset.y - space.bounds.origin.y)
        tracking.drag?.move(by: x, y)
        continueDeceleration(movedBy: CGPoint(x: x, y: y))
        applyOffset(offset)
    }

    /// Continues a deceleration from `distance` points further, at its present velocity, to an end where content may rest
    /// now.
    private func continueDeceleration(movedBy distance: CGPoint = .zero) {
        if motion.upcoming != nil { motion.moveUpcoming(by: distance, x: horizontal, y: vertical) }
        guard activity.state == .decelerating, let application, let underWay = motion.runningMotion else { return }
        let (old, time) = (underWay.motion, underWay.time(at: application.now))
        let new = old.remainder(after: time, movedBy: distance, x: horizontal, y: vertical)
        motion.replaceMotion(with: new, at: application.now)
        if restingOffset(of: new) != restingOffset(of: old) { emit(.decelerationChanged(to: new.end)) }
    }

    final func scroll(to offset: CGPoint, animated: Bool) {
        guard animated, application?.mainLoop != nil else {
            handle(.offsetSet)
            moveContent(to: offset)
            return
        }
        guard offset != space.bounds.origin else {
            // The content is at its target and stays.
            handle(.offsetSet)
            return
        }
        motion.target = offset
        handle(.animated)
    }

    final func scroll(toShow rect: CGRect, animated: Bool) {
        let shown = space.bounds.inset(by: adjustedContentInset)
        /// The distance that one axis has to move: zero if the range shows, or if it fills the visible range.
        func distance(_ low: CGFloat, _ high: CGFloat, _ shownLow: CGFloat, _ shownHigh: CGFloat) -> CGFloat {
            let (below, above) = (low - shownLow, high - shownHigh)
            if below < 0, above < 0 { return max(below, above) }
            if below > 0, above > 0 { return min(below, above) }
            return 0
        }
        let offset = clamped(
            CGPoint(
                x: contentOffset.x + distance(rect.minX, rect.maxX, shown.minX, shown.maxX),
                y: contentOffset.y + distance(rect.minY, rect.maxY, shown.minY, shown.maxY)))
        if offset != contentOffset { scroll(to: offset, animated: animated) }
    }

    /// Moves content, or changes its motion, after a change of the offsets at which it may rest.
    final func restingRangeDidChange() {
        let (x, y) = (horizontal, vertical)
        guard let old = content.updateRestingRange(x: x, y: y) else { return }
        switch activity.state {
        case .rest: if !isScaling { applyOffset(old.settled(contentOffset, x: x, y: y)) }
        case .decelerating: continueDeceleration()
        case .animating:
            let target = old.settled(motion.target, x: x, y: y)
            guard motion.runningMotion != nil, target != motion.target else { return }
            motion.target = target
            start(ScrollMotion(from: contentOffset, to: target))
        // The next move of the finger, or its lift, applies the new range.
        case .touched, .dragging: break
        }
    }

    final func insetDidChange(from old: UIEdgeInsets) {
        guard contentInset != old else { return }
        setNeedsLayout()
        if activity.state == .rest {
            applyOffset(content.offset(contentOffset, following: old))
        }
        restingRangeDidChange()
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
        case .jump: moveContent(to: motion.target)
        }
    }

    private func beginDrag() {
        tracking.drag = ScrollDrag(
            from: contentOffset, x: horizontal, y: vertical, movement: tracking.movementBeforeDrag,
            locks: isDirectionalLockEnabled)
        emit(.dragged(from: contentOffset))
        if let loop = application?.mainLoop { motion.holdTrackingMode(of: loop) }
        emitToObserver(.calls(.willBeginDragging))
        delegate?.scrollViewWillBeginDragging(self)
    }

    private func endDrag(_ decelerates: Bool) {
        tracking.drag = nil
        if !decelerates {
            motion.leaveTrackingMode()
            emit(.released(at: contentOffset))
        }
        emitToObserver(.calls(.didEndDragging(decelerates: decelerates)))
        delegate?.scrollViewDidEndDragging(self, willDecelerate: decelerates)
    }

    private func beginDeceleration() {
        // The delegate may have ended the deceleration.
        guard activity.state == .decelerating else { return }
        let way = motion.upcoming ?? (isPagingEnabled ? pageMotion(velocity: .zero) : freeMotion(velocity: .zero))
        motion.announce(way)
        emit(.decelerates(to: way.end))
        emitToObserver(.calls(.willBeginDecelerating))
        delegate?.scrollViewWillBeginDecelerating(self)
        // The delegate may have ended the deceleration, or have moved the content, which then continues from there.
        guard activity.state == .decelerating, let way = motion.takeUpcoming() else { return }
        start(way)
    }

    private func endDeceleration() {
        motion.stop()
        motion.release(as: nil)
        motion.leaveTrackingMode()
        emit(.rests(at: contentOffset))
        guard motion.endAnnouncement() else { return }
        emitToObserver(.calls(.didEndDecelerating))
        delegate?.scrollViewDidEndDecelerating(self)
    }

    private func beginAnimation() {
        guard activity.state == .animating else { return }
        emit(.scrolls(to: motion.target))
        start(ScrollMotion(from: contentOffset, to: motion.target))
    }

    private func endAnimation() {
        motion.stop()
        emitToObserver(.calls(.didEndScrollingAnimation))
        delegate?.scrollViewDidEndScrollingAnimation(self)
    }

    // MARK: Dragging

    /// Moves the content with the pan.
    ///
    /// - Parameter translation: The finger's movement since the drag began.
    final func panMoved(by translation: CGPoint) {
        guard activity.state == .dragging, let drag = tracking.drag else { return }
        applyOffset(rounded(drag.offset(after: translation, from: contentOffset, x: horizontal, y: vertical)))
    }

    /// Handles the end of the pan.
    ///
    /// - Parameter finger: The finger's velocity in points per second. Content moves in the opposite direction.
    final func panEnded(velocity finger: CGPoint) {
        guard activity.state == .dragging, let drag = tracking.drag else {
            handle(.releasedStill)
            return
        }
        // Content whose scale returns from beyond a limit has no other motion.
        func reversed(_ finger: CGFloat, _ follows: Bool) -> CGFloat { follows && !zooming.isMoving ? -finger : 0 }
        let velocity = CGPoint(x: reversed(finger.x, drag.followsX), y: reversed(finger.y, drag.followsY))
        func usualMotion() -> ScrollMotion {
            isPagingEnabled ? pageMotion(velocity: velocity) : freeMotion(velocity: velocity)
        }
        var way = usualMotion()
        let proposed = roundedToRest(way.proposedEnd)
        var target = proposed
        let reported = CGPoint(
            x: laws.glideVelocity(ofRelease: velocity.x) / 1000, y: laws.glideVelocity(ofRelease: velocity.y) / 1000)
        emitToObserver(.calls(.willEndDragging(velocity: reported, target: target)))
        delegate?.scrollViewWillEndDragging(self, withVelocity: reported, targetContentOffset: &target)
        // The delegate may have ended the drag.
        guard activity.state == .dragging else { return }
        way =
            target != proposed
            ? motion(to: target, velocity: velocity, rate: laws.rate(of: decelerationRate)) : usualMotion()
        let goesSomewhere = way.duration > 0 && (restingOffset(of: way) != contentOffset || way.meetsEdge)
        let moves = !zooming.isMoving && (goesSomewhere || isBeyondRange)
        motion.release(as: moves ? way : nil)
        handle(moves ? .releasedMoving : .releasedStill)
    }

    /// Handles fingers that lifted without a drag, or that belong to another recognizer.
    ///
    /// - Parameter caught: Whether the fingers had stopped the content, which may be between two pages.
    final func fingersLifted(caught: Bool = false) {
        // Without a window no timer moves the content back. Content that is being zoomed returns with its scale.
        let comesBack = cachedWindow != nil && !isScaling && (isBeyondRange || caught && isBetweenPages)
        handle(comesBack ? .untouchedBeyond : .untouched)
    }

    private var isBetweenPages: Bool {
        isPagingEnabled && !zooming.isMoving && restingOffset(of: pageMotion(velocity: .zero)) != contentOffset
    }

    /// Moves content that was beyond its range back at once. Without a window, no timer does so.
    final func settleAtOnce() {
        if activity.state == .rest { applyOffset(clamped(contentOffset)) }
    }

    /// Whether the content is beyond its range.
    final var isBeyondRange: Bool { clamped(contentOffset) != contentOffset }

    // MARK: Motion without fingers

    /// The motion of content that no page stops.
    ///
    /// - Parameter velocity: The velocity of the content offset at the release, in points per second.
    private func freeMotion(velocity: CGPoint) -> ScrollMotion {
        let (laws, rate) = (laws, laws.rate(of: decelerationRate))
        func along(_ axis: ScrollAxis, _ offset: CGFloat, _ velocity: CGFloat) -> AxisMotion {
            AxisMotion(from: offset, velocity: velocity, in: axis.range, rate: rate, bounces: axis.bounces, laws)
        }
        return ScrollMotion(
            x: along(horizontal, contentOffset.x, velocity.x), y: along(vertical, contentOffset.y, velocity.y))
    }

    private func pageMotion(velocity: CGPoint) -> ScrollMotion {
        let laws = laws
        func page(_ axis: ScrollAxis, _ offset: CGFloat, _ velocity: CGFloat) -> CGFloat {
            Paging.target(
                from: axis.clamped(offset), velocity: laws.glideVelocity(ofRelease: velocity), page: axis.length,
                in: axis.range)
        }
        let target = CGPoint(
            x: page(horizontal, contentOffset.x, velocity.x), y: page(vertical, contentOffset.y, velocity.y))
        return motion(to: target, velocity: velocity, rate: laws.rate(of: .fast))
    }

    private func motion(to target: CGPoint, velocity: CGPoint, rate: CGFloat) -> ScrollMotion {
        let laws = laws
        func along(_ axis: ScrollAxis, _ offset: CGFloat, _ target: CGFloat, _ velocity: CGFloat) -> AxisMotion {
            AxisMotion(
                from: offset, to: target, velocity: velocity, in: axis.range, rate: rate, bounces: axis.bounces, laws)
        }
        return ScrollMotion(
            x: along(horizontal, contentOffset.x, target.x, velocity.x),
            y: along(vertical, contentOffset.y, target.y, velocity.y))
    }

    private func start(_ way: ScrollMotion) {
        guard let application, let loop = application.mainLoop else {
            applyOffset(restingOffset(of: way))
            // The delegate may have ended the motion.
            switch activity.state {
            case .decelerating, .animating: handle(.arrived)
            case .rest, .touched, .dragging: break
            }
            return
        }
        let ticker = HeldTimer(eachFrameOf: application, on: loop) { [weak self] in self?.tick() }
        motion.begin(way, at: application.now, ticker: ticker)
    }

    private func tick() {
        guard let application, let underWay = motion.runningMotion else {
            // The window is gone, so no delegate is called.
            _ = activity.handle(.removed)
            motion.abandon()
            return
        }
        let (way, time) = (underWay.motion, underWay.time(at: application.now))
        // Frames are whole nanoseconds apart, so the frame at the end of the motion may be due a little before the end.
        let isOver = time >= way.duration - 1e-6
        // An animated scroll ends exactly at the target that code gave.
        let isMeant = activity.state == .animating
        applyOffset(!isOver ? rounded(way.offset(after: time)) : isMeant ? way.end : restingOffset(of: way))
        // The delegate may have moved the content, or have changed where it may rest.
        guard isOver, let now = motion.runningMotion, now.ticker === underWay.ticker, now.motion == way,
            now.start == underWay.start
        else { return }
        if isBeyondRange, !isMeant { start(freeMotion(velocity: .zero)) } else { handle(.arrived) }
    }

    // MARK: Events

    final func emit(_ event: @autoclosure () -> UIKitEvent.Scroll) { application?.emit(.scroll(self, event())) }

    final func emitToObserver(_ event: @autoclosure () -> UIKitEvent.Scroll) {
        application?.emitToObserver(.scroll(self, event()))
    }
}
