import Testbed
import Testing

@testable import AppCore

@Suite("Process state of an app")
struct ProcessStateTests {

    private var states: [ProcessState] { ProcessState.examples }

    @Test("Docs/Reference/Machines/ProcessState.md matches the process state of an app")
    func table() {
        expectMachineTable(
            "ProcessState", states: states, inputs: ProcessState.Input.allCases,
            transition: ProcessState.transition)
    }

    @Test("each process state ends once when the process is stopped")
    func stops() {
        for state in states where !state.hasEnded {
            guard let (next, _) = ProcessState.transition(from: state, on: .stopRequested) else { continue }
            #expect(next.hasEnded)
            for input in ProcessState.Input.allCases {
                var ended = next
                #expect("\(ended.handle(input))" == "nothing", "\(input) after the end")
            }
        }
    }
}
