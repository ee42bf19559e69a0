import Gestures
import Testbed
import Testing

@Suite("The state of a recognizer")
struct RecognizerStateTests {
    @Test("Docs/Reference/Machines/RecognizerState.md matches the transition function")
    func table() {
        expectMachineTable(
            "RecognizerState", states: RecognizerState.allCases,
            inputs: RecognizerState.allCases.map { .set($0) } + [.overruled, .refused, .reset],
            transition: { RecognizerState.transition(from: $0, on: $1) })
    }

    @Test("a recognizer's final state lasts until it is reset")
    func finality() {
        for state in RecognizerState.allCases where state.isFinal {
            for wanted in RecognizerState.allCases {
                #expect(RecognizerState.transition(from: state, on: .set(wanted)) == (state, .ignore))
            }
            #expect(RecognizerState.transition(from: state, on: .reset) == (.possible, .rest))
        }
    }

    @Test("a recognizer leaves possible for a recognized state only by an attempt")
    func attempts() {
        for wanted in RecognizerState.allCases {
            let (next, decision) = RecognizerState.transition(from: .possible, on: .set(wanted))
            #expect(next.isRecognized == (decision == .attempt))
        }
    }
}
