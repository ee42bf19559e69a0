// HitTestStep.swift: one change of a tree of views in a hit test trial, and the draws of steps from a seed.
//
// Knows     numbers. A view is its number in its world; a number without a view is skipped there.
//
// Many numbers are chosen so that edges coincide, conversions round, and transforms have no inverse.

import Basics
import UIKit

/// One change of a tree.
enum HitTestStep: Equatable {
    /// The class of a new view.
    enum Kind: Int, CaseIterable {
        case plain, inheriting, inheritingTwice, generic, scroll, label, pageControl, window
        case overridesHitTest, overridesPointInside, overridesBoth, inheritsOverride
    }

    /// What an override does to the tree during a hit test.
    enum Effect: Equatable {
        case nothing, passThrough, refuse, enlarge, ignoreSelf
        case hide(Int), remove(Int), move(Int), testAgain
    }

    case insert(Kind, CGRect, into: Int, at: Int, Effect)
    case remove(Int, isForgotten: Bool)
    case reparent(Int, into: Int, at: Int)
    case bringToFront(Int)
    case exchange(Int, Int, Int)
    case frame(Int, CGRect)
    case fill(Int)
    case center(Int, CGPoint)
    case boundsOrigin(Int, CGPoint)
    case transform(Int, CGAffineTransform)
    case anchor(Int, CGPoint)
    case hide(Int, Bool)
    case alpha(Int, CGFloat)
    case interaction(Int, Bool)
    case animate(Int, seconds: Double)
    case pass(seconds: Double)
}

/// One hit test.
struct HitTestQuestion {
    /// The view that is asked, in whose coordinates the point is.
    var view: Int
    var point: CGPoint
    var hasEvent: Bool
}

extension HitTestQuestion: CustomStringConvertible {
    var description: String { "view \(view) at (\(point.x), \(point.y))" }
}

/// Draws steps and questions.
struct HitTestChance {
    private var random: SeededGenerator
    /// How the numbers of this trial's geometry are drawn: all whole, all fractions, or mixed.
    private let grain: Int
    private let isDeep: Bool
    private let hasOverrides: Bool

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        grain = Int(random.next() % 4)
        isDeep = random.next() % 4 == 0
        hasOverrides = random.next() % 2 == 0
    }

    mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }
    private mutating func one(in count: Int) -> Bool { below(count) == 0 }

    mutating func viewCount() -> Int { one(in: 16) ? 100 + below(200) : 1 + below(40) }

    private mutating func view(among count: Int) -> Int { below(count) }

    // MARK: Geometry

    private mutating func unit() -> CGFloat { CGFloat(Double(random.next() >> 11) * 0x1p-53) }

    private mutating func number(_ limit: CGFloat) -> CGFloat {
        switch grain {
        case 0: (unit() * limit).rounded()
        case 1: (unit() * limit * 8).rounded() / 8
        case 2: unit() * limit
        default: one(in: 2) ? (unit() * limit).rounded() : unit() * limit
        }
    }

    private mutating func length() -> CGFloat {
        switch below(40) {
        case 0: 0
        case 1: -number(50)
        case 2: number(1e9)
        case 3: one(in: 8) ? 1e250 : 1e13
        case 4: unit() * 1e-9
        case 5...12: 400
        default: number(300)
        }
    }

    private mutating func coordinate() -> CGFloat {
        switch below(40) {
        case 0: -number(1e7)
        case 1: one(in: 8) ? -1e200 : 1e12
        case 2...12: 0
        case 13...16: -number(60)
        default: number(250)
        }
    }

    private mutating func rect() -> CGRect {
        CGRect(x: coordinate(), y: coordinate(), width: length(), height: length())
    }

    private mutating func point() -> CGPoint { CGPoint(x: coordinate(), y: coordinate()) }

    private mutating func transform() -> CGAffineTransform {
        switch below(9) {
        case 0...2: .identity
        case 3: CGAffineTransform(scaleX: unit() * 3, y: unit() * 3)
        case 4: CGAffineTransform(rotationAngle: unit() * 6.3)
        case 5: CGAffineTransform(scaleX: one(in: 2) ? 0 : 1e-7, y: 1)
        case 6: CGAffineTransform(scaleX: -1, y: 1).translatedBy(x: number(20), y: number(20))
        case 7: CGAffineTransform(a: unit(), b: unit() * 2 - 1, c: unit() * 2 - 1, d: unit(), tx: number(9), ty: 0)
        default: CGAffineTransform(translationX: number(50), y: number(50))
        }
    }

    // MARK: Steps

    private mutating func kind() -> HitTestStep.Kind {
        let inheriting: [HitTestStep.Kind] = [.inheriting, .inheritingTwice, .generic, .scroll, .scroll, .label]
        let overriding: [HitTestStep.Kind] = [
            .overridesHitTest, .overridesPointInside, .overridesBoth, .inheritsOverride,
        ]
        return switch below(hasOverrides ? 44 : 30) {
        case 0...19: .plain
        case 20: .window
        case 21...29: inheriting[below(inheriting.count)]
        case 30...31: .pageControl
        default: overriding[below(overriding.count)]
        }
    }

    private mutating func effect(among count: Int) -> HitTestStep.Effect {
        switch below(16) {
        case 0...4: .nothing
        case 5...7: .passThrough
        case 8, 9: .refuse
        case 10, 11: .enlarge
        case 12: .ignoreSelf
        case 13: .hide(view(among: count))
        case 14: one(in: 2) ? .remove(view(among: count)) : .move(view(among: count))
        default: .testAgain
        }
    }

    mutating func insertion(among count: Int) -> HitTestStep {
        // In a deep tree most views are inside the newest one.
        let parent = isDeep && !one(in: 4) ? count - 1 : view(among: count)
        let frame = isDeep && !one(in: 3) ? CGRect(x: 0, y: 0, width: 400, height: 400) : rect()
        return .insert(kind(), frame, into: parent, at: below(4), effect(among: count))
    }

    mutating func step(among count: Int) -> HitTestStep {
        let view = view(among: count)
        switch below(30) {
        case 0...2: return insertion(among: count)
        case 3: return .remove(view, isForgotten: one(in: 2))
        case 4, 5: return .reparent(view, into: self.view(among: count), at: below(4))
        case 6: return .bringToFront(view)
        case 7: return .exchange(view, below(3), below(3))
        case 8...12: return .frame(view, rect())
        case 13: return .fill(view)
        case 14, 15: return .center(view, point())
        case 16, 17: return .boundsOrigin(view, point())
        case 18, 19: return .transform(view, transform())
        case 20: return .anchor(view, CGPoint(x: unit() * 2 - 0.5, y: one(in: 9) ? 1e14 : unit()))
        case 21, 22: return .hide(view, one(in: 2))
        case 23: return .alpha(view, [0, 0.009, 0.01, 0.5, 1][below(5)])
        case 24: return .interaction(view, !one(in: 3))
        case 25: return .animate(view, seconds: Double(below(4)) / 2)
        default: return .pass(seconds: Double(below(4)) / 4)
        }
    }

    // MARK: Questions

    mutating func question(in world: HitTestWorld) -> HitTestQuestion {
        let asked = one(in: 6) ? view(among: world.count) : below(2)
        var point = CGPoint(x: unit() * 420 - 10, y: unit() * 420 - 10)
        switch below(8) {
        case 0: point = CGPoint(x: point.x.rounded(), y: point.y.rounded())
        case 1, 2:
            point.x = (point.x * 65536).rounded() / 65536
            point.y = (point.y * 65536).rounded() / 65536
        case 3, 4:
            // A corner of a view, or a number beside it.
            if let corner = world.corner(of: view(among: world.count), below(4), in: asked) { point = corner }
            if one(in: 2) { point.x = one(in: 2) ? point.x.nextUp : point.x.nextDown }
            if one(in: 2) { point.y = one(in: 2) ? point.y.nextUp : point.y.nextDown }
        case 5: if one(in: 10) { point.x = [CGFloat.nan, .infinity, 1e30, -1e8][below(4)] }
        default: break
        }
        return HitTestQuestion(view: asked, point: point, hasEvent: one(in: 2))
    }
}
