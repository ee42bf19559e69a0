// AnimationProgress.swift: the value of a property in the middle of an animation of Core Animation.
//
//     seconds since the beginning ─▶ fraction of one run ─▶ timing function ─▶ value
//
// Input     CALayer+Presentation.swift
//
// Sources   documented  CABasicAnimation: the meaning of from, to and by values that are nil
//           documented  CAMediaTiming: repeats, reversals, fill modes, time offset; CAKeyframeAnimation
//           inferred    an animation of a group without a duration has the group's
//           invented    `cubic` key frames are linear

import Foundation

extension CAAnimation {
    /// Shows the animation on a presentation layer.
    ///
    /// - Parameters:
    ///   - elapsed: Seconds since the beginning of the animation; below 0 before it.
    ///   - standard: The duration of one run if none is set, in seconds.
    final func show(on layer: CALayer, after elapsed: TimeInterval, standard: TimeInterval) {
        guard let time = activeTime(after: elapsed, standard: standard) else { return }
        let run = duration > 0 ? duration : standard
        if let group = self as? CAAnimationGroup {
            for animation in group.animations ?? [] {
                animation.show(on: layer, after: time - animation.beginTime, standard: run)
            }
            return
        }
        guard let animation = self as? CAPropertyAnimation, let key = animation.keyPath,
            let base = layer.animatableValue(key) ?? animation.anyValue,
            let value = animation.value(at: time, run: run, base: base)
        else { return }
        layer.setAnimatableValue(animation.isAdditive ? base.adding(value) : value, key)
    }

    /// The time inside of one run, in seconds; nil if the animation shows nothing at this moment.
    private func activeTime(after elapsed: TimeInterval, standard: TimeInterval) -> TimeInterval? {
        let run = duration > 0 ? duration : standard
        let total = activeDuration(standard: standard)
        if elapsed < 0 { return [.backwards, .both].contains(fillMode) ? 0 : nil }
        guard run > 0 else { return nil }
        let isOver = elapsed >= total
        if isOver, ![.forwards, .both].contains(fillMode) { return nil }
        var time = min(elapsed, total) * Double(speed) + timeOffset
        let cycle = run * (autoreverses ? 2 : 1)
        let rest = time.truncatingRemainder(dividingBy: cycle)
        time = isOver && rest == 0 ? cycle : rest
        return time <= run ? time : cycle - time
    }
}

extension CAPropertyAnimation {
    /// A value of the animation, which stands for the value of a property that the layer does not have.
    fileprivate var anyValue: AnimatableValue? {
        let basic = self as? CABasicAnimation
        let value = basic?.toValue ?? basic?.fromValue ?? (self as? CAKeyframeAnimation)?.values?.first
        return value.map { AnimatableValue($0) }
    }

    fileprivate func value(at time: TimeInterval, run: TimeInterval, base: AnimatableValue) -> AnimatableValue? {
        let fraction = CGFloat(time / run)
        let eased = timingFunction.map { $0.curve.progress(at: fraction) } ?? fraction
        if let animation = self as? CAKeyframeAnimation { return animation.value(at: eased) }
        guard let animation = self as? CABasicAnimation else { return nil }
        var progress = eased
        if let spring = animation as? CASpringAnimation {
            progress = SpringTiming(
                mass: spring.mass, stiffness: spring.stiffness, damping: spring.damping,
                velocity: spring.initialVelocity
            ).progress(after: eased * CGFloat(run))
        }
        let (from, to, by) = (
            animation.fromValue.map { AnimatableValue($0) }, animation.toValue.map { AnimatableValue($0) },
            animation.byValue.map { AnimatableValue($0) }
        )
        func minus(_ a: AnimatableValue, _ b: AnimatableValue) -> AnimatableValue {
            a.difference(from: b).map { .numbers($0) } ?? a
        }
        switch (from, to, by) {
        case (let from?, let to?, _): return from.part(progress, to: to)
        case (let from?, nil, let by?): return from.part(progress, to: from.adding(by))
        case (nil, let to?, let by?): return minus(to, by).part(progress, to: to)
        case (let from?, nil, nil): return from.part(progress, to: base)
        case (nil, let to?, nil): return base.part(progress, to: to)
        case (nil, nil, let by?): return base.part(progress, to: base.adding(by))
        case (nil, nil, nil): return nil
        }
    }
}

extension CAKeyframeAnimation {
    private var frames: [AnimatableValue] {
        guard let path else { return (values ?? []).map { AnimatableValue($0) } }
        var points: [CGPoint] = []
        for subpath in path.elements.subpaths {
            points.append(subpath.start)
            for piece in subpath.pieces { points += isPaced ? piece.polyline : [piece.end] }
            if subpath.isClosed { points.append(subpath.start) }
        }
        return points.map { .point($0) }
    }

    private var isPaced: Bool { calculationMode == .paced || calculationMode == .cubicPaced }

    /// - Parameter fraction: 0...1 of one run.
    fileprivate func value(at fraction: CGFloat) -> AnimatableValue? {
        let frames = frames
        guard let last = frames.last, frames.count > 1 else { return frames.last }
        let times = times(of: frames)
        if calculationMode == .discrete {
            return frames[times.prefix(frames.count).lastIndex { $0 <= fraction } ?? 0]
        }
        guard let next = times.firstIndex(where: { $0 > fraction }), next < frames.count else { return last }
        guard next > 0 else { return frames[0] }
        let (start, end) = (times[next - 1], times[next])
        var part = (fraction - start) / (end - start)
        if let functions = timingFunctions, functions.indices.contains(next - 1) {
            part = functions[next - 1].curve.progress(at: part)
        }
        // A curve of the path is followed along its own points.
        if !isPaced, let path, let piece = path.elements.piece(at: next - 1) { return .point(piece.point(at: part)) }
        return frames[next - 1].part(part, to: frames[next])
    }

    /// When each frame is reached, 0...1.
    private func times(of frames: [AnimatableValue]) -> [CGFloat] {
        if isPaced {
            var sum: CGFloat = 0
            var sums: [CGFloat] = [0]
            for (a, b) in zip(frames, frames.dropFirst()) {
                sum += (b.difference(from: a) ?? []).reduce(0) { $0 + $1 * $1 }.squareRoot()
                sums.append(sum)
            }
            if sum > 0 { return sums.map { $0 / sum } }
        }
        if let keyTimes, keyTimes.count >= frames.count { return keyTimes.map { CGFloat($0.doubleValue) } }
        let steps = calculationMode == .discrete ? frames.count : frames.count - 1
        return frames.indices.map { CGFloat($0) / CGFloat(steps) }
    }
}

extension [PathElement] {
    /// A piece by its number along the path; nil for the line that closes a subpath, or that leads to the next one.
    fileprivate func piece(at index: Int) -> PathPiece? {
        var rest = index
        for subpath in subpaths {
            if rest < subpath.pieces.count { return subpath.pieces[rest] }
            rest -= subpath.pieces.count + (subpath.isClosed ? 1 : 0) + 1
            if rest < 0 { return nil }
        }
        return nil
    }
}

extension PathPiece {
    fileprivate func point(at part: CGFloat) -> CGPoint {
        switch self {
        case .line(let start, let end): start.part(part, to: end)
        case .curve(let a, let b, let c, let d): pointOfCurve(part, (a, b, c, d))
        }
    }
}
