import Gestures
import Testbed
import Testing

@Suite("The state of a recognizer's attempt")
struct AttemptStateTests {
    private static let states: [AttemptState] = [
        .idle, .watching, .pending, .waiting(hasUnsentBegan: false), .waiting(hasUnsentBegan: true), .acted(.nothing),
        .acted(.pending), .acted(.waiting), .done(wasWaiting: false), .done(wasWaiting: true),
    ]
    private static let inputs: [AttemptState.Input] = [
        .joined, .assigned, .blocked(ended: false), .blocked(ended: true), .acts, .ended, .cancelled, .failed, .reset,
    ]

    @Test("Docs/Reference/Machines/AttemptState.md matches the transition function")
    func table() {
        expectMachineTable(
            "AttemptState", states: Self.states, inputs: Self.inputs,
            transition: { AttemptState.transition(from: $0, on: $1) })
    }

    @Test("a recognizer that has acted is never excludable again before its reset")
    func excludable() {
        for state in Self.states where !state.isExcludable {
            for input in Self.inputs where input != .reset {
                #expect(!AttemptState.transition(from: state, on: input).0.isExcludable, "\(state) on \(input)")
            }
        }
    }

    @Test("an attempt sends an action only where a report is due")
    func reports() {
        for state in Self.states {
            let (next, effect) = AttemptState.transition(from: state, on: .acts)
            #expect(state.hasReport == (effect != .nothing))
            #expect(!next.hasReport)
        }
    }

    @Test("a finished attempt changes only by its reset")
    func done() {
        for state in Self.states where state.isDone {
            for input in Self.inputs where input != .reset {
                #expect(AttemptState.transition(from: state, on: input) == (state, .nothing))
            }
            #expect(AttemptState.transition(from: state, on: .reset) == (.idle, .nothing))
        }
    }
}
