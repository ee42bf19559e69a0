// MonkeyRun.swift: a world of real views and recognizers, and the playing of its script.
//
// Input     a MonkeyWorld
// Output    UIApplication, frame by frame; a journal, for the laws; the trace, for the comparison of two runs
// Knows     UIKit. MonkeyRun+Relations.swift computes exclusions from the recognizers' answers, in the words of B7.1,
//           and does not take them from the gesture environment, which is under test.
//
// Sources   invented

import Basics
import HID
package import Trace
import UIKit

/// The result of a run.
package struct MonkeyOutcome: Sendable {
    package var journal: [JournalEntry]
    package var violations: [MonkeyViolation]
    package var facts: [Fact]
    package var names: NameTable

    /// The facts as lines.
    package var lines: [String] {
        facts.map { $0.line(process: "app", names: names).description }
    }

    /// Returns the first difference between two runs of one world. The facts are equal if their lines are.
    package func difference(from other: MonkeyOutcome) -> MonkeyViolation? {
        if names.words != other.names.words || facts.count != other.facts.count
            || zip(facts, other.facts).contains(where: { !$0.isSame(as: $1) })
        {
            let pair = zip(lines, other.lines).first { $0 != $1 }
            let text = pair.map { "\($0.0), and then \($0.1)" } ?? "\(facts.count) lines, and then \(other.facts.count)"
            return MonkeyViolation(.repetition, at: 0, text)
        }
        guard let place = zip(journal, other.journal).enumerated().first(where: { $0.element.0 != $0.element.1 }) else {
            return journal.count == other.journal.count
                ? nil : MonkeyViolation(.repetition, at: 0, "journals of \(journal.count) and \(other.journal.count)")
        }
        return MonkeyViolation(
            .repetition, at: place.offset, "\(place.element.0), and then \(place.element.1)")
    }
}

extension Fact {
    fileprivate func isSame(as other: Fact) -> Bool {
        (at, station, a, b) == (other.at, other.station, other.a, other.b) && (c, d) == (other.c, other.d)
            && template.utf8Start == other.template.utf8Start
    }
}

extension MonkeyWorld {
    /// Plays the script in a new application.
    package func play() -> MonkeyOutcome {
        let run = MonkeyRun(self)
        UIApplication.run(as: run.application) { run.play() }
        return run.outcome
    }
}

/// One run of a world.
final class MonkeyRun: NSObject {
    let world: MonkeyWorld
    let application: UIApplication
    private let loop = MonkeyLoop()
    private var window: UIWindow!
    private var views: [UIView?] = []
    var recognizers: [UIGestureRecognizer?] = []
    var numbers: [ObjectIdentifier: Int] = [:]
    /// UIKit's own recognizers, in the order of their first change of state.
    var systemRecognizers: [UIGestureRecognizer] = []
    var activity = RecognizerActivity()
    var requirements: [(Int, Int)] = []
    private var firedHooks: Set<Int> = []
    private var ignoring = 0
    var journal: [JournalEntry] = []

    private var time = Instant(nanoseconds: 1_000_000_000)
    private var hand = MonkeyHand()

    init(_ world: MonkeyWorld) {
        self.world = world
        var settings = UIKitSettings()
        if let seed = world.disorder { settings.order = .ios(seed: seed) }
        application = UIApplication(settings: settings)
        super.init()
        application.mainLoop = loop
        application.observer = self
    }

    var outcome: MonkeyOutcome {
        MonkeyOutcome(
            journal: journal, violations: MonkeyLaws.violations(in: journal), facts: application.trace.facts,
            names: application.trace.names)
    }

    // MARK: Building

    private func build() {
        window = UIWindow(frame: CGRect(x: 0, y: 0, width: 375, height: 667))
        window.accessibilityIdentifier = "window"
        for (index, plan) in world.views.enumerated() {
            let view = plan.isAbsent ? nil : makeView(plan, index)
            views.append(view)
            guard let view else { continue }
            numbers[ObjectIdentifier(view)] = index
            // The subviews of an absent view are added to its superview.
            (nearest(plan.parent) ?? window).addSubview(view)
        }
        for (index, plan) in world.recognizers.enumerated() {
            let recognizer = plan.isAbsent ? nil : makeRecognizer(plan, index)
            recognizers.append(recognizer)
            guard let recognizer else { continue }
            numbers[ObjectIdentifier(recognizer)] = index
            (nearest(plan.view) ?? window).addGestureRecognizer(recognizer)
        }
        for relation in world.relations { relate(relation) }
        window.makeKeyAndVisible()
        application.commitLayout()
    }

    private func nearest(_ view: Int?) -> UIView? {
        var index = view
        while let current = index {
            if let view = views[current] { return view }
            index = world.views[current].parent
        }
        return nil
    }

    private func makeView(_ plan: MonkeyWorld.View, _ index: Int) -> UIView {
        let view = plan.kind.make(plan)
        view.accessibilityIdentifier = "v\(index)"
        view.isMultipleTouchEnabled = plan.isMultiple
        view.isExclusiveTouch = plan.isExclusive
        view.isHidden = plan.isHidden
        view.isUserInteractionEnabled = plan.isInteractive
        var behavior = ResponderBehavior(consumes: plan.kind == .plain && !plan.forwards)
        behavior.shouldBegin = { [unowned self] recognizer in refuses(recognizer, onView: index) ? false : nil }
        view.behavior = behavior
        return view
    }

    private func makeRecognizer(_ plan: MonkeyWorld.Recognizer, _ index: Int) -> UIGestureRecognizer {
        let made = plan.kind.make()
        made.name = "g\(index)"
        made.cancelsTouchesInView = plan.cancels
        made.delaysTouchesBegan = plan.delaysBegan
        made.delaysTouchesEnded = plan.delaysEnded
        if !world.relations.contains(.noDelegate(index)) { made.delegate = self }
        made.addAction(UIAction(title: "g\(index)") { [unowned self] _ in runHooks(at: .acts(index)) })
        // Every recognizer except the plain one stands for an app's subclass.
        made.isAppDefined = plan.kind != .plain
        return made
    }

    private func refuses(_ recognizer: UIGestureRecognizer, onView index: Int) -> Bool {
        guard let number = numbers[ObjectIdentifier(recognizer)] else { return false }
        return world.relations.contains(.viewRefusesBegin(view: index, number))
    }

    private func relate(_ relation: MonkeyWorld.Relation) {
        switch relation {
        case .requires(let a, let b): require(a, b)
        case .cannotPrevent(let a, let b):
            guard let custom = recognizers[a] as? CustomRecognizer, let other = recognizers[b] else { return }
            custom.cannotPrevent.insert(ObjectIdentifier(other))
        case .cannotBePrevented(let a, let b):
            guard let custom = recognizers[a] as? CustomRecognizer, let other = recognizers[b] else { return }
            custom.cannotBePrevented.insert(ObjectIdentifier(other))
        // These relations are answers, which the delegate gives when it is asked.
        case .shouldRequire, .shouldBeRequired, .simultaneous, .refusesEvent, .refusesTouch, .refusesBegin,
            .viewRefusesBegin, .noDelegate:
            break
        }
    }

    private func require(_ a: Int, _ b: Int) {
        guard let first = recognizers[a], let second = recognizers[b] else { return }
        first.require(toFail: second)
        if a != b { requirements.append((a, b)) }
    }

    // MARK: Playing

    func play() {
        build()
        for (index, step) in world.script.enumerated() {
            advance(by: .milliseconds(step.milliseconds))
            journal.append(.step(index, milliseconds: Int((time.nanoseconds - 1_000_000_000) / 1_000_000)))
            for case .change(let change) in step.acts { apply(change) }
            settle()
            deliver(step.acts)
            settle()
        }
        finish()
    }

    private func finish() {
        advance(by: .milliseconds(16))
        while ignoring > 0 { apply(.endIgnoringEvents) }
        settle()
        deliver(hand.fingers.map { .up($0.finger) })
        settle()
        // A scroll view that was flung takes longest. After a minute, what still runs never stops.
        let end = time.advanced(by: .seconds(60))
        while let next = loop.nextTimer, next <= end {
            time = max(time, next)
            loop.fireTimers(until: time)
            settle()
        }
        journal.append(.end(leftovers()))
    }

    private func advance(by duration: Duration) {
        let target = time.advanced(by: duration)
        while let next = loop.nextTimer, next <= target {
            time = max(time, next)
            application.now = time
            loop.fireTimers(until: time)
            settle()
        }
        time = target
        application.now = time
    }

    /// Does the work of the main loop before it waits, until there is nothing left to do.
    private func settle() {
        application.now = time
        for _ in 0..<20 {
            application.updateGestures()
            application.commitLayout()
            guard loop.hasBlocks else { break }
            loop.runBlocks()
        }
        guard application.isGestureIdle, !activity.active.isEmpty else { return }
        activity.becomeIdle()
        journal.append(.idle)
    }

    private func deliver(_ acts: [MonkeyWorld.Act]) {
        let contacts = hand.contacts(of: acts)
        guard !contacts.isEmpty else { return }
        _ = application.deliver(TouchFrame(timeStamp: time, contacts: contacts))
    }

    private func leftovers() -> JournalEntry.Leftovers {
        var left = JournalEntry.Leftovers()
        left.isEnvironmentIdle = application.isGestureIdle
        left.liveTouches = application.touchTracker.liveTouches.map { Int($0.id.rawValue) }
        left.timers = loop.timerCount
        for (index, recognizer) in recognizers.enumerated() {
            guard let recognizer, recognizer.state != .possible || recognizer.numberOfTouches > 0 else { continue }
            left.busyRecognizers.append(index)
        }
        for (index, recognizer) in systemRecognizers.enumerated()
        where recognizer.state != .possible || recognizer.numberOfTouches > 0 {
            left.busyRecognizers.append(100 + index)
        }
        for (index, view) in views.enumerated() where view.map(isBusy) == true { left.busyViews.append(index) }
        return left
    }

    private func isBusy(_ view: UIView) -> Bool {
        if let control = view as? UIControl { return control.isTracking || control.isHighlighted }
        if let scroll = view as? UIScrollView { return scroll.isTracking || scroll.isDragging || scroll.isDecelerating }
        return false
    }

    // MARK: Changes

    private func apply(_ change: MonkeyWorld.Change) {
        switch change {
        case .disable(let g): recognizers[g]?.isEnabled = false
        case .enable(let g): recognizers[g]?.isEnabled = true
        case .detach(let g): recognizers[g].map { $0.view?.removeGestureRecognizer($0) }
        case .attach(let g, let view):
            if let recognizer = recognizers[g], let view = views[view] { view.addGestureRecognizer(recognizer) }
        case .removeView(let view):
            if view > 0 { views[view]?.removeFromSuperview() }
        case .restoreView(let view):
            if let known = views[view], known.superview == nil {
                (nearest(world.views[view].parent) ?? window).addSubview(known)
            }
        case .hide(let view): views[view]?.isHidden = true
        case .show(let view): views[view]?.isHidden = false
        case .forbidInteraction(let view): views[view]?.isUserInteractionEnabled = false
        case .allowInteraction(let view): views[view]?.isUserInteractionEnabled = true
        case .disableControl(let view): (views[view] as? UIControl)?.isEnabled = false
        case .enableControl(let view): (views[view] as? UIControl)?.isEnabled = true
        case .require(let a, let b): require(a, b)
        case .ignoreEvents:
            ignoring += 1
            application.beginIgnoringInteractionEvents()
        case .endIgnoringEvents:
            guard ignoring > 0 else { return }
            ignoring -= 1
            application.endIgnoringInteractionEvents()
        case .shift(let view): views[view]?.frame.origin.x += 10
        }
    }

    func runHooks(at moment: MonkeyWorld.Hook.Moment) {
        guard !world.hooks.isEmpty else { return }
        for (index, hook) in world.hooks.enumerated() where hook.moment == moment && !firedHooks.contains(index) {
            firedHooks.insert(index)
            apply(hook.change)
        }
    }

    func number(of recognizer: UIGestureRecognizer) -> Int {
        if let known = numbers[ObjectIdentifier(recognizer)] { return known }
        let number = 100 + systemRecognizers.count
        systemRecognizers.append(recognizer)
        numbers[ObjectIdentifier(recognizer)] = number
        return number
    }

    func recognizer(_ number: Int) -> UIGestureRecognizer? {
        number < 100 ? recognizers[number] : systemRecognizers[number - 100]
    }
}

extension MonkeyRun: UIGestureRecognizerDelegate {
    private func hasRelation(_ relation: (Int) -> MonkeyWorld.Relation, of recognizer: UIGestureRecognizer) -> Bool {
        guard let number = numbers[ObjectIdentifier(recognizer)], number < 100 else { return false }
        return world.relations.contains(relation(number))
    }

    private func hasRelation(
        _ relation: (Int, Int) -> MonkeyWorld.Relation, of recognizer: UIGestureRecognizer,
        and other: UIGestureRecognizer
    ) -> Bool {
        guard let a = numbers[ObjectIdentifier(recognizer)], let b = numbers[ObjectIdentifier(other)] else {
            return false
        }
        return world.relations.contains(relation(a, b))
    }

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        if let number = numbers[ObjectIdentifier(gestureRecognizer)] { runHooks(at: .begins(number)) }
        return !hasRelation(MonkeyWorld.Relation.refusesBegin, of: gestureRecognizer)
    }

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { hasRelation(MonkeyWorld.Relation.simultaneous, of: gestureRecognizer, and: otherGestureRecognizer) }

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldRequireFailureOf otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { hasRelation(MonkeyWorld.Relation.shouldRequire, of: gestureRecognizer, and: otherGestureRecognizer) }

    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer, shouldBeRequiredToFailBy otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { hasRelation(MonkeyWorld.Relation.shouldBeRequired, of: gestureRecognizer, and: otherGestureRecognizer) }

    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive event: UIEvent) -> Bool {
        !hasRelation(MonkeyWorld.Relation.refusesEvent, of: gestureRecognizer)
    }

    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        touch.id.rawValue % 2 == 0 || !hasRelation(MonkeyWorld.Relation.refusesTouch, of: gestureRecognizer)
    }
}
