import Foundation
import Testing
import TouchlineTesting
import UIKit

/// A phone with one view of 100 x 100 points at (0, 0).
struct AnimatedPage {
    let phone: TestPhone
    let view: UIView

    init(_ change: @escaping (UIView) -> Void = { _ in }) throws {
        phone = TestPhone {
            let page = UIView()
            let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            view.tag = 1
            change(view)
            page.addSubview(view)
            return page
        }
        view = try phone.find(.first { $0.tag == 1 })
        phone.advance(by: .milliseconds(20))
    }

    /// The values of the moment.
    var shown: CALayer { view.layer.presentation()! }
    func advance(_ milliseconds: Int) { phone.advance(by: .milliseconds(milliseconds)) }
}

private func isNear(_ a: CGFloat, _ b: CGFloat, _ tolerance: CGFloat = 1e-6) -> Bool { abs(a - b) <= tolerance }

@Suite(.phoneReports)
struct PresentationLayerTests {
    @Test("a presentation layer has the values in the middle of UIView.animate")
    func middle() throws {
        let page = try AnimatedPage()
        page.phone.run {
            UIView.animate(withDuration: 1, delay: 0, options: .curveLinear) {
                page.view.alpha = 0
                page.view.center.x = 150
                page.view.bounds.size.width = 300
                page.view.backgroundColor = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
                page.view.layer.cornerRadius = 8
            }
        }
        #expect(page.view.alpha == 0 && page.view.center.x == 150)
        page.advance(500)
        let shown = page.shown
        #expect(isNear(CGFloat(shown.opacity), 0.5) && isNear(shown.position.x, 100))
        #expect(shown.bounds == CGRect(x: 0, y: 0, width: 200, height: 100))
        #expect(shown.frame == CGRect(x: 0, y: 0, width: 200, height: 100))
        #expect(shown.backgroundColor == CGColor(red: 0.5, green: 0, blue: 0, alpha: 0.5))
        #expect(isNear(shown.cornerRadius, 4))
        #expect(shown.model() === page.view.layer && page.view.layer.position.x == 150)
        page.advance(500)
        #expect(page.shown.position.x == 150 && page.shown.opacity == 0)
    }

    @Test("a rotation turns by its angle")
    func rotation() throws {
        let page = try AnimatedPage()
        page.phone.run {
            UIView.animate(withDuration: 1, delay: 0, options: .curveLinear) {
                page.view.transform = CGAffineTransform(rotationAngle: .pi / 2).scaledBy(x: 3, y: 3)
            }
        }
        page.advance(500)
        let t = page.shown.affineTransform()
        #expect(isNear(atan2(t.b, t.a), .pi / 4) && isNear(hypot(t.a, t.b), 2) && isNear(hypot(t.c, t.d), 2))
        #expect(CATransform3DEqualToTransform(page.shown.transform, CATransform3DMakeAffineTransform(t)))
    }

    @Test("a delay shows the old values, and a curve slows down")
    func delay() throws {
        let page = try AnimatedPage()
        page.phone.run {
            UIView.animate(withDuration: 1, delay: 0.5, options: .curveEaseOut) { page.view.center.x = 150 }
        }
        page.advance(400)
        #expect(page.shown.position.x == 50)
        page.advance(600)
        #expect(isNear(page.shown.position.x, 50 + 68.464, 0.01))
    }

    @Test("a second animation continues where the first one is, with its velocity")
    func additive() throws {
        let page = try AnimatedPage()
        func move(to x: CGFloat) {
            page.phone.run {
                UIView.animate(withDuration: 1, delay: 0, options: .curveLinear) { page.view.center.x = x }
            }
        }
        move(to: 150)
        page.advance(500)
        move(to: 50)
        #expect(page.shown.position.x == 100)
        page.advance(250)
        // Both run: 25 forwards by the first, 25 back by the second.
        #expect(isNear(page.shown.position.x, 100))
        page.advance(500)
        #expect(isNear(page.shown.position.x, 75))
    }

    @Test("beginFromCurrentState replaces the first animation, which is unfinished")
    func fromCurrent() throws {
        let page = try AnimatedPage()
        var ends: [Bool] = []
        page.phone.run {
            UIView.animate(
                withDuration: 1, delay: 0, options: .curveLinear, animations: { page.view.center.x = 150 },
                completion: { ends.append($0) })
        }
        page.advance(500)
        page.phone.run {
            UIView.animate(withDuration: 1, delay: 0, options: [.curveLinear, .beginFromCurrentState]) {
                page.view.center.x = 200
            }
        }
        #expect(page.shown.position.x == 100 && ends == [false])
        page.advance(500)
        #expect(isNear(page.shown.position.x, 150))
    }

    @Test("a spring overshoots unless it is damped", arguments: [0.5, 1.0])
    func spring(damping: CGFloat) throws {
        let page = try AnimatedPage()
        page.phone.run {
            UIView.animate(
                withDuration: 1, delay: 0, usingSpringWithDamping: damping, initialSpringVelocity: 0,
                animations: { page.view.center.x = 150 })
        }
        var most: CGFloat = 0
        for _ in 0..<100 {
            page.advance(10)
            most = max(most, page.shown.position.x)
        }
        #expect((most > 151) == (damping < 1), "\(most)")
        #expect(page.shown.position.x == 150)
    }

    @Test("key frames follow each other")
    func keyFrames() throws {
        let page = try AnimatedPage()
        page.phone.run {
            UIView.animateKeyframes(
                withDuration: 1, delay: 0,
                options: UIView.KeyframeAnimationOptions(rawValue: UIView.AnimationOptions.curveLinear.rawValue),
                animations: {
                    UIView.addKeyframe(withRelativeStartTime: 0, relativeDuration: 0.5) {
                        page.view.center.x = 150
                        page.view.transform = CGAffineTransform(scaleX: 2, y: 2)
                    }
                    UIView.addKeyframe(withRelativeStartTime: 0.5, relativeDuration: 0.5) {
                        page.view.center.x = 50
                        page.view.transform = .identity
                    }
                })
        }
        page.advance(250)
        #expect(isNear(page.shown.position.x, 100) && isNear(page.shown.transform.m11, 1.5))
        page.advance(250)
        #expect(isNear(page.shown.position.x, 150) && isNear(page.shown.transform.m11, 2))
        page.advance(250)
        #expect(isNear(page.shown.position.x, 100) && isNear(page.shown.transform.m11, 1.5))
        page.advance(250)
        #expect(page.shown.position.x == 50 && page.shown.transform.m11 == 1)
    }

    @Test("a property animator shows its fraction, paused, reversed and stopped")
    func animator() throws {
        let page = try AnimatedPage()
        let animator = page.phone.run {
            let animator = UIViewPropertyAnimator(duration: 1, curve: .easeIn) { page.view.center.x = 150 }
            animator.startAnimation()
            return animator
        }
        page.advance(500)
        #expect(isNear(page.shown.position.x, 50 + 31.536, 0.01))
        page.phone.run { animator.fractionComplete = 0.25 }
        #expect(isNear(page.shown.position.x, 75))
        page.phone.run {
            animator.isReversed = true
            animator.continueAnimation(
                withTimingParameters: UICubicTimingParameters(animationCurve: .linear), durationFactor: 0)
        }
        page.advance(125)
        #expect(isNear(page.shown.position.x, 62.5))
        page.phone.run { animator.stopAnimation(true) }
        #expect(isNear(page.view.center.x, 62.5) && isNear(page.shown.position.x, 62.5))
    }

    @Test("a delay factor lets a block of an animator wait")
    func delayFactor() throws {
        let page = try AnimatedPage()
        page.phone.run {
            let animator = UIViewPropertyAnimator(duration: 1, curve: .linear)
            animator.addAnimations({ page.view.center.x = 150 }, delayFactor: 0.5)
            animator.startAnimation()
        }
        page.advance(500)
        #expect(page.shown.position.x == 50)
        page.advance(250)
        #expect(isNear(page.shown.position.x, 100))
    }

    @Test("a basic animation shows its values and leaves the model")
    func basic() throws {
        let page = try AnimatedPage()
        page.phone.run {
            let move = CABasicAnimation(keyPath: "position.x")
            (move.fromValue, move.toValue, move.duration) = (0, 200, 1)
            page.view.layer.add(move, forKey: "move")
            let turn = CABasicAnimation(keyPath: "transform.rotation.z")
            (turn.byValue, turn.duration, turn.repeatCount, turn.autoreverses) = (CGFloat.pi / 2, 1, .infinity, true)
            page.view.layer.add(turn, forKey: "turn")
        }
        page.advance(250)
        #expect(isNear(page.shown.position.x, 50) && page.view.layer.position.x == 50 && page.view.center.x == 50)
        #expect(isNear(page.shown.value(forKeyPath: "transform.rotation") as? CGFloat ?? 0, .pi / 8))
        #expect(page.shown.animationKeys() == ["move", "turn"])
        page.advance(1500)
        #expect(page.shown.position.x == 50)
        #expect(isNear(page.shown.value(forKeyPath: "transform.rotation") as? CGFloat ?? 0, .pi / 8))
    }

    @Test("fill modes show the ends before and after an animation")
    func fill() throws {
        let page = try AnimatedPage()
        page.phone.run {
            let fade = CABasicAnimation(keyPath: "opacity")
            (fade.fromValue, fade.toValue, fade.duration) = (0.25, 0.75, 1)
            fade.beginTime = CACurrentMediaTime() + 1
            (fade.fillMode, fade.isRemovedOnCompletion) = (.both, false)
            page.view.layer.add(fade, forKey: nil)
        }
        page.advance(500)
        #expect(page.shown.opacity == 0.25)
        page.advance(1000)
        #expect(page.shown.opacity == 0.5)
        page.advance(1000)
        #expect(page.shown.opacity == 0.75 && page.view.alpha == 1)
    }

    @Test("a spring animation swings about its end")
    func springAnimation() throws {
        let page = try AnimatedPage()
        page.phone.run {
            let spring = CASpringAnimation(keyPath: "position.x")
            (spring.fromValue, spring.toValue, spring.damping) = (50, 150, 5)
            spring.duration = spring.settlingDuration
            page.view.layer.add(spring, forKey: nil)
        }
        page.advance(320)
        // An angular frequency of about 9.7 per second: half a turn after 0.32 s.
        #expect(page.shown.position.x > 180)
        page.advance(320)
        #expect(page.shown.position.x < 140)
    }

    @Test("key frames with times and a group")
    func keyFrameAnimation() throws {
        let page = try AnimatedPage()
        page.phone.run {
            let frames = CAKeyframeAnimation(keyPath: "position")
            frames.values = [CGPoint(x: 0, y: 0), CGPoint(x: 100, y: 0), CGPoint(x: 100, y: 300)]
            frames.keyTimes = [0, 0.25, 1]
            let fade = CABasicAnimation(keyPath: "opacity")
            (fade.toValue, fade.beginTime, fade.duration) = (0, 1, 1)
            let group = CAAnimationGroup()
            (group.animations, group.duration) = ([frames, fade], 2)
            page.view.layer.add(group, forKey: "group")
        }
        page.advance(250)
        #expect(page.shown.position == CGPoint(x: 50, y: 0) && page.shown.opacity == 1)
        page.advance(1250)
        #expect(page.shown.position == CGPoint(x: 100, y: 200) && page.shown.opacity == 0.5)
    }

    @Test("a path is followed by its pieces, or at one speed")
    func path() throws {
        let page = try AnimatedPage()
        func follow(_ mode: CAAnimationCalculationMode) {
            page.phone.run {
                let frames = CAKeyframeAnimation(keyPath: "position")
                let path = CGMutablePath()
                path.addLines(between: [CGPoint(x: 0, y: 0), CGPoint(x: 100, y: 0), CGPoint(x: 100, y: 300)])
                (frames.path, frames.duration, frames.calculationMode) = (path, 1, mode)
                page.view.layer.add(frames, forKey: "path")
            }
        }
        follow(.linear)
        page.advance(250)
        #expect(page.shown.position == CGPoint(x: 50, y: 0))
        follow(.paced)
        page.advance(500)
        #expect(isNear(page.shown.position.x, 100) && isNear(page.shown.position.y, 100))
    }

    @Test("a layer without a view is animated by its changes, with the curve of implicit animations")
    func implicit() throws {
        let shape = CAShapeLayer()
        let page = try AnimatedPage { view in
            shape.frame = CGRect(x: 0, y: 0, width: 50, height: 50)
            view.layer.addSublayer(shape)
        }
        page.phone.run {
            CATransaction.begin()
            CATransaction.setAnimationDuration(1)
            CATransaction.setAnimationTimingFunction(CAMediaTimingFunction(name: .linear))
            shape.strokeEnd = 0
            shape.position.x = 125
            CATransaction.commit()
        }
        page.advance(500)
        let shown = try #require(page.phone.run { shape.presentation() })
        #expect(isNear(shown.strokeEnd, 0.5) && isNear(shown.position.x, 75) && shape.strokeEnd == 0)
        page.phone.run { shape.position.x = 25 }
        page.advance(125)
        // The default curve is at 0.8024 in the middle.
        #expect(isNear(page.phone.run { shape.presentation()!.position.x }, 75 - 50 * 0.8024, 0.01))
        page.phone.run {
            CATransaction.begin()
            CATransaction.setDisableActions(true)
            shape.opacity = 0
            CATransaction.commit()
        }
        #expect(page.phone.run { shape.presentation()!.opacity } == 0)
    }

    @Test("null actions of a layer disable its implicit animations")
    func actions() throws {
        let layer = CALayer()
        layer.actions = ["opacity": NSNull()]
        let page = try AnimatedPage { $0.layer.addSublayer(layer) }
        page.phone.run {
            layer.opacity = 0
            layer.position.x = 100
        }
        let shown = page.phone.run { layer.presentation()! }
        #expect(shown.opacity == 0 && shown.position.x == 0)
    }

    @Test("a hit test of presentation layers finds what moves")
    func hitTest() throws {
        let page = try AnimatedPage()
        page.phone.run {
            UIView.animate(withDuration: 1, delay: 0, options: [.curveLinear, .allowUserInteraction]) {
                page.view.center.x = 250
            }
        }
        page.advance(500)
        page.phone.run {
            let layer = page.view.superview!.layer
            let point = CGPoint(x: 120, y: 50)
            #expect(page.view.layer.presentation()?.hitTest(point) != nil)
            #expect(layer.presentation()?.hitTest(point)?.model() === page.view.layer)
            #expect(layer.hitTest(point) === layer)
            #expect(page.view.layer.presentation()?.superlayer?.model() === layer)
            #expect(layer.presentation()?.convert(point, to: page.view.layer.presentation()) == CGPoint(x: 20, y: 50))
        }
    }

    /// A layer with a property of its own, which it copies as iOS demands.
    final class RadiusLayer: CALayer {
        var radius: CGFloat = 0
        override init() { super.init() }
        override init(layer: Any) {
            radius = (layer as? RadiusLayer)?.radius ?? -1
            super.init(layer: layer)
        }
        required init?(coder: NSCoder) { nil }
    }
    final class RadiusView: UIView { override class var layerClass: AnyClass { RadiusLayer.self } }

    @Test("Core Animation copies a layer of the app by init(layer:)")
    func copyOfAppClass() throws {
        let view = RadiusView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        let page = try AnimatedPage { $0.addSubview(view) }
        let layer = try #require(view.layer as? RadiusLayer)
        layer.radius = 7
        page.phone.run {
            let animation = CABasicAnimation(keyPath: "points")
            (animation.fromValue, animation.toValue, animation.duration) = (0.0, 10.0, 1)
            layer.add(animation, forKey: "points")
            UIView.animate(withDuration: 1, delay: 0, options: .curveLinear) { view.alpha = 0 }
        }
        page.advance(500)
        let shown = try #require(page.phone.run { layer.presentation() })
        #expect(shown !== layer && shown.radius == 7 && shown.opacity == 0.5)
        #expect(shown.value(forKey: "points") as? Double == 5)
        #expect(shown.animation(forKey: "points") != nil)
    }

    /// A layer that draws an animated value of its own. Its copies write into one list.
    final class GaugeLayer: CALayer {
        final class Levels { var list: [Double] = [] }
        private(set) var levels = Levels()
        override init() { super.init() }
        override init(layer: Any) {
            super.init(layer: layer)
            if let other = layer as? GaugeLayer { levels = other.levels }
        }
        required init?(coder: NSCoder) { nil }
        override class func needsDisplay(forKey key: String) -> Bool { key == "level" }
        override func draw(in ctx: CGContext) { levels.list.append(value(forKey: "level") as? Double ?? -1) }
    }

    @Test("an animation of a key that needs display draws each frame")
    func frames() throws {
        let gauge = GaugeLayer()
        let page = try AnimatedPage { view in
            gauge.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
            view.layer.addSublayer(gauge)
        }
        page.phone.run {
            gauge.setValue(1.0, forKey: "level")
            let animation = CABasicAnimation(keyPath: "level")
            (animation.fromValue, animation.toValue, animation.duration) = (0.0, 1.0, 0.1)
            gauge.add(animation, forKey: nil)
        }
        page.advance(200)
        let levels = gauge.levels.list
        #expect(
            levels.count >= 6 && levels == levels.sorted() && isNear(CGFloat(levels[1]), 1.0 / 6, 0.01), "\(levels)")
        page.advance(200)
        #expect(gauge.levels.list.count == levels.count)
    }

    @Test("animations of UIView have keys, and a removed one ends unfinished")
    func removal() throws {
        let page = try AnimatedPage()
        var ends: [String] = []
        page.phone.run {
            UIView.animate(
                withDuration: 1,
                animations: {
                    page.view.center.x = 150
                    page.view.alpha = 0.5
                }, completion: { ends.append("moved \($0)") })
            UIView.animate(
                withDuration: 1, delay: 0, options: [.repeat, .autoreverse],
                animations: { page.view.bounds.size.width = 9 },
                completion: { ends.append("repeated \($0)") })
        }
        page.advance(500)
        #expect(page.phone.run { page.view.layer.animationKeys() } == ["position", "opacity", "bounds"])
        #expect(page.phone.run { page.view.layer.animation(forKey: "opacity") } is CABasicAnimation)
        page.phone.run { page.view.layer.removeAnimation(forKey: "position") }
        #expect(ends.isEmpty && page.shown.position.x == 150)
        page.phone.run { page.view.layer.removeAllAnimations() }
        #expect(ends == ["moved false", "repeated false"])
        #expect(page.shown.opacity == 0.5 && page.phone.run { page.view.layer.animationKeys() } == nil)
        page.advance(1000)
        #expect(ends == ["moved false", "repeated false"])
    }

    @Test("a transaction waits for a removed animation only until its removal")
    func transaction() throws {
        let page = try AnimatedPage()
        var ends = 0
        page.phone.run {
            CATransaction.begin()
            CATransaction.setCompletionBlock { ends += 1 }
            UIView.animate(withDuration: 1) { page.view.alpha = 0 }
            CATransaction.commit()
        }
        page.advance(100)
        #expect(ends == 0)
        page.phone.run { page.view.layer.removeAllAnimations() }
        #expect(ends == 1)
    }

    @Test("a view is freed while it is animated for ever")
    func memory() throws {
        weak var view: UIView?
        let page = try AnimatedPage()
        page.phone.run {
            let made = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
            page.view.addSubview(made)
            UIView.animate(withDuration: 1, delay: 0, options: .repeat, animations: { made.alpha = 0 })
            made.removeFromSuperview()
            view = made
        }
        #expect(view == nil)
    }
}
