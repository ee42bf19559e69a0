// MonkeyRun+Events.swift: the monkey's journal, as a fold over UIKit events.
//
// Input     UIKit, as the application's observer
// Output    the journal; the world's hooks, which change the world during a callback
//
// The groups `app`, `input`, `hitTest` and `scroll` and the questions have no journal entry and are skipped by name.
// A hook runs at the event before the callback, as the first line of the callback would.
//
// Sources   invented

import HID
import UIKit

extension MonkeyRun: UIKitObserver {
    func observe(_ event: UIKitEvent) {
        switch event {
        case .gesture(let event): observe(event)
        case .responder(.touchesEntered(let responder, let call)): received(responder, call)
        case .responder(.touchesLeft), .responder(.entered), .responder(.left): break
        case .action(.runs(_, _, let sender)):
            if let recognizer = sender as? UIGestureRecognizer { journal.append(.acted(action(of: recognizer))) }
        case .action(.trackingEntered), .action(.trackingLeft), .action(.ignoresTouch), .action(.stopsTracking),
            .action(.controlSends), .action(.selectsRow):
            break
        case .app, .input, .hitTest, .scroll: break
        }
    }

    private func observe(_ event: UIKitEvent.Gesture) {
        switch event {
        case .entered(let recognizer, .touches(let phase, let touches)): received(recognizer, phase, touches)
        case .entered(let recognizer, .reset): reset(recognizer)
        case .ignored(let recognizer, let touch): ignored(recognizer, touch)
        case .moved(let recognizer, let state): moved(recognizer, from: state)
        case .entered(_, .presses), .entered(_, .estimates), .left: break
        case .received, .declined, .asked, .judged, .assignedItself, .mayNotBegin, .gaveUp, .lost, .waits, .excluded,
            .acts,
            .withheld, .resets, .requiresItself, .requiresInRing, .contentTouch:
            break
        }
    }

    /// Whether the journal contains what this recognizer receives. It does not for plain ones and for UIKit's own.
    func isRecorded(_ number: Int) -> Bool { number < 100 && world.recognizers[number].kind != .plain }

    private func recordedNumber(of recognizer: UIGestureRecognizer) -> Int? {
        numbers[ObjectIdentifier(recognizer)].flatMap { isRecorded($0) ? $0 : nil }
    }

    // MARK: Views

    /// Notes the touches of the view itself. Touches of another view came up the responder chain.
    private func received(_ responder: UIResponder, _ call: UIKitEvent.TouchesCall) {
        guard let index = numbers[ObjectIdentifier(responder)] else { return }
        let own = call.touches.filter { $0.view === responder }
        guard !own.isEmpty else { return }
        for touch in own.sorted(by: { $0.id < $1.id }) {
            journal.append(
                .viewCall(
                    JournalEntry.ViewCall(
                        view: index, method: call.phase, touch: Int(touch.id.rawValue), phase: touch.phase,
                        touchView: touch.view.flatMap { numbers[ObjectIdentifier($0)] }, timestamp: touch.timestamp)))
        }
        runHooks(at: .viewReceives(view: index, call.phase))
    }

    // MARK: Recognizers

    private func received(_ recognizer: UIGestureRecognizer, _ phase: UITouch.Phase, _ touches: Set<UITouch>) {
        guard let index = recordedNumber(of: recognizer) else { return }
        activity.receive(phase == .began ? touches.map(\.id) : [], by: index)
        for touch in touches.sorted(by: { $0.id < $1.id }) {
            journal.append(.recognizerCall(recognizer: index, phase, touch: Int(touch.id.rawValue)))
        }
        runHooks(at: .recognizerReceives(index, phase))
    }

    private func ignored(_ recognizer: UIGestureRecognizer, _ touch: UITouch) {
        guard let index = recordedNumber(of: recognizer) else { return }
        journal.append(.ignored(recognizer: index, touch: Int(touch.id.rawValue)))
        activity.ignore(touch.id, by: index, isUndecided: recognizer.state == .possible)
    }

    private func reset(_ recognizer: UIGestureRecognizer) {
        let number = number(of: recognizer)
        journal.append(.reset(recognizer: number))
        if isRecorded(number) { runHooks(at: .resets(number)) }
    }

    private func moved(_ recognizer: UIGestureRecognizer, from state: UIGestureRecognizer.State) {
        // The recognizer began again by an assignment without a change of state. It may send another action, and
        // nothing else.
        guard state != recognizer.state || state == .changed else { return }
        let number = number(of: recognizer)
        activity.move(number, at: journal.count, isOver: recognizer.state == .possible)
        journal.append(.stateChanged(recognizer: number, from: state, to: recognizer.state))
    }
}
