// Invention.swift: a world drawn from a seed.
//
// Input     a seed
// Output    MonkeyWorld
// Knows     ViewKinds.swift, RecognizerKinds.swift. A seed's world changes only when this file or the kinds change.
//
// Worlds are small, because a person can follow the failure of a small one. A world has a few views, most of them on
// top of each other, so that touches have several receivers. It has recognizers of every class and relations between
// any two. The fingers of its script tap, press, drag and meet.
//
// Sources   invented
import Basics
import UIKit

extension MonkeyWorld {
    /// - Parameters:
    ///   - seed: One seed gives one world.
    ///   - events: The number of steps in the script, before the fingers are lifted.
    package init(seed: UInt64, events: Int) {
        self.init()
        var chance = Chance(seed: seed)
        inventViews(&chance)
        inventRecognizers(&chance)
        inventRelations(&chance)
        inventHooks(&chance)
        inventScript(&chance, steps: events)
        if chance.oneIn(4) { disorder = chance.number(in: 0...UInt64(UInt32.max)) }
    }
}

/// Random numbers of one world.
struct Chance {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        // Skipping numbers separates the sequences of neighboring seeds.
        for _ in 0..<3 { _ = generator.next() }
    }

    mutating func number<Number: FixedWidthInteger>(in range: ClosedRange<Number>) -> Number {
        range.lowerBound
            + Number(truncatingIfNeeded: generator.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func oneIn(_ count: Int) -> Bool { number(in: 1...count) == 1 }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(in: 0...elements.count - 1)] }

    mutating func points(_ range: ClosedRange<Int>) -> CGFloat { CGFloat(number(in: range)) }
}

extension MonkeyWorld {
    private mutating func inventViews(_ chance: inout Chance) {
        views = [View(kind: .plain, parent: nil, frame: CGRect(x: 0, y: 0, width: 375, height: 667))]
        for _ in 0..<chance.number(in: 1...5) {
            let parent = chance.number(in: 0...views.count - 1)
            let room = views[parent].frame.size
            let (x, y) = (chance.points(0...60), chance.points(0...60))
            var view = View(
                kind: View.Kind(&chance), parent: parent,
                frame: CGRect(
                    x: x, y: y, width: max(60, room.width - x - chance.points(0...80)),
                    height: max(60, room.height - y - chance.points(0...80))))
            // UIKit's controls are rarely as large as a screen.
            if view.kind != .plain, view.kind != .scroll { view.frame.size = CGSize(width: 140, height: 60) }
            view.isMultiple = chance.oneIn(2)
            view.isExclusive = chance.oneIn(12)
            view.isHidden = chance.oneIn(15)
            view.isInteractive = !chance.oneIn(15)
            view.forwards = !chance.oneIn(3)
            view.delaysContent = !chance.oneIn(4)
            view.cancelsContent = !chance.oneIn(5)
            view.pages = chance.oneIn(4)
            views.append(view)
        }
        views[0].isMultiple = chance.oneIn(2)
    }

    private mutating func inventRecognizers(_ chance: inout Chance) {
        for _ in 0..<chance.number(in: 0...6) {
            var recognizer = Recognizer(kind: Recognizer.Kind(&chance), view: nil)
            if !chance.oneIn(10) { recognizer.view = chance.number(in: 0...views.count - 1) }
            recognizer.cancels = !chance.oneIn(3)
            recognizer.delaysBegan = chance.oneIn(4)
            recognizer.delaysEnded = !chance.oneIn(4)
            recognizers.append(recognizer)
        }
    }

    private mutating func inventRelations(_ chance: inout Chance) {
        guard !recognizers.isEmpty else { return }
        let last = recognizers.count - 1
        for _ in 0..<chance.number(in: 0...2 * recognizers.count) {
            let (a, b) = (chance.number(in: 0...last), chance.number(in: 0...last))
            switch chance.number(in: 1...14) {
            case 1...3 where a != b: relations.append(.requires(a, b))
            case 4 where a != b: relations.append(.shouldRequire(a, b))
            case 5 where a != b: relations.append(.shouldBeRequired(a, b))
            case 6...8 where a != b: relations.append(.simultaneous(a, b))
            case 9 where a != b: relations.append(.cannotPrevent(a, b))
            case 10 where a != b: relations.append(.cannotBePrevented(a, b))
            case 11: relations.append(chance.oneIn(2) ? .refusesEvent(a) : .refusesTouch(a))
            case 12: relations.append(.refusesBegin(a))
            case 13: relations.append(.viewRefusesBegin(view: chance.number(in: 0...views.count - 1), a))
            case 14: relations.append(.noDelegate(a))
            default: break
            }
        }
    }

    private func change(_ chance: inout Chance) -> Change {
        let view = chance.number(in: 0...views.count - 1)
        guard !recognizers.isEmpty, !chance.oneIn(3) else {
            switch chance.number(in: 1...10) {
            case 1...2: return .removeView(view)
            case 3: return .restoreView(view)
            case 4: return .hide(view)
            case 5: return .show(view)
            case 6: return .forbidInteraction(view)
            case 7: return .allowInteraction(view)
            case 8: return .disableControl(view)
            case 9: return .enableControl(view)
            default: return .shift(view)
            }
        }
        let recognizer = chance.number(in: 0...recognizers.count - 1)
        switch chance.number(in: 1...9) {
        case 1...2: return .disable(recognizer)
        case 3...4: return .enable(recognizer)
        case 5: return .detach(recognizer)
        case 6...7: return .attach(recognizer, to: view)
        case 8: return chance.oneIn(3) ? .ignoreEvents : .endIgnoringEvents
        default: return .require(recognizer, chance.number(in: 0...recognizers.count - 1))
        }
    }

    /// Adds hooks to a third of all worlds. No hook attaches a recognizer, restores a view or adds a requirement. The
    /// relations between recognizers are fixed when an update begins, so the laws do not judge such a change in a
    /// callback.
    private mutating func inventHooks(_ chance: inout Chance) {
        guard chance.oneIn(3) else { return }
        let phases: [UITouch.Phase] = [.began, .moved, .ended, .cancelled]
        for _ in 0..<chance.number(in: 1...2) {
            let view = chance.number(in: 0...views.count - 1)
            var moment = Hook.Moment.viewReceives(view: view, chance.pick(phases))
            if !recognizers.isEmpty, !chance.oneIn(3) {
                let recognizer = chance.number(in: 0...recognizers.count - 1)
                moment = chance.pick([
                    .acts(recognizer), .acts(recognizer), .recognizerReceives(recognizer, chance.pick(phases)),
                    .begins(recognizer),
                    .resets(recognizer),
                ])
            }
            switch change(&chance) {
            case .attach, .restoreView, .require: continue
            case let change: hooks.append(Hook(moment: moment, change: change))
            }
        }
    }

    private mutating func inventScript(_ chance: inout Chance, steps: Int) {
        var down: [Int] = []
        for _ in 0..<steps {
            var acts: [Act] = []
            for finger in down {
                switch chance.number(in: 1...20) {
                case 1...7: acts.append(.move(finger, by: step(&chance)))
                case 8...13: acts.append(.up(finger))
                case 14 where chance.oneIn(3): acts.append(.cancel(finger))
                default: break
                }
            }
            for act in acts {
                if case .up(let finger) = act { down.removeAll { $0 == finger } }
                if case .cancel(let finger) = act { down.removeAll { $0 == finger } }
            }
            if down.isEmpty ? !chance.oneIn(5) : down.count < 3 && chance.oneIn(7) {
                let used = acts.compactMap { if case .up(let finger) = $0 { finger } else { nil } }
                if let finger = (0...2).first(where: { !down.contains($0) && !used.contains($0) }) {
                    acts.append(.down(finger, landing(&chance)))
                    down.append(finger)
                }
            }
            if chance.oneIn(9) { acts.insert(.change(change(&chance)), at: 0) }
            script.append(Step(milliseconds: pause(&chance), acts: acts))
        }
    }

    /// Returns a position inside a view, mostly near other landings, because recognizers measure distances.
    private func landing(_ chance: inout Chance) -> CGPoint {
        if chance.oneIn(12) { return CGPoint(x: chance.points(0...374), y: chance.points(0...666)) }
        // A landing for an edge pan.
        if chance.oneIn(12) { return CGPoint(x: chance.oneIn(2) ? 3 : 371, y: chance.points(100...500)) }
        var origin = CGPoint.zero
        let view = chance.number(in: 0...views.count - 1)
        var above: Int? = view
        while let index = above {
            origin.x += views[index].frame.minX
            origin.y += views[index].frame.minY
            above = views[index].parent
        }
        let size = views[view].frame.size
        return CGPoint(
            x: min(374, origin.x + min(size.width - 1, 20 + chance.points(0...20))),
            y: min(666, origin.y + min(size.height - 1, 20 + chance.points(0...20))))
    }

    private func step(_ chance: inout Chance) -> CGPoint {
        let far = chance.oneIn(2) ? 40 : 4
        let sign = { (chance: inout Chance) in chance.oneIn(2) ? 1.0 : -1.0 }
        return CGPoint(
            x: Double(chance.number(in: 0...far)) * sign(&chance), y: Double(chance.number(in: 0...far)) * sign(&chance)
        )
    }

    /// Returns a pause in milliseconds: mostly display frames, sometimes the time of a tap, a press or a wait for a
    /// second tap.
    private func pause(_ chance: inout Chance) -> Int {
        switch chance.number(in: 1...20) {
        case 1...11: chance.number(in: 8...20)
        case 12...15: chance.number(in: 40...120)
        case 16...18: chance.number(in: 150...450)
        case 19: chance.number(in: 500...900)
        default: chance.number(in: 1500...1700)
        }
    }
}
