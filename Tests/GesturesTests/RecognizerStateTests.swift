import Gestures
import Testbed
import Testing

@Suite("The state of a recogniser")
struct RecognizerStateTests {
    @Test("its whole table is the page's")
    func table() {
        expectMachineTable(
            "RecognizerState", states: RecognizerState.allCases,
            inputs: RecognizerState.allCases.map { .set($0) } + [.overruled, .refused, .reset],
            transition: { RecognizerState.transition(from: $0, on: $1) })
    }

    @Test("what is over stays over until it is reset")
    func finality() {
        for state in RecognizerState.allCases where state.isFinal {
            for wanted in RecognizerState.allCases {
                #expect(RecognizerState.transition(from: state, on: .set(wanted)) == (state, .ignore))
            }
            #expect(RecognizerState.transition(from: state, on: .reset) == (.possible, .rest))
        }
    }

    @Test("nobody gets from possible to recognised without being asked whether it should begin")
    func attempts() {
        for wanted in RecognizerState.allCases {
            let (next, decision) = RecognizerState.transition(from: .possible, on: .set(wanted))
            #expect(next.isRecognized == (decision == .attempt))
        }
    }
}
