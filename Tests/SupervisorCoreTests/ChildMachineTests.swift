import Testbed
import Testing

@testable import SupervisorCore

@Test("ChildMachine's transitions match Docs/Reference/Machines/Child.md")
func childMachine() {
    expectMachineTable(
        "Child",
        states: ChildMachine.State.examples, inputs: ChildMachine.Input.examples,
        transition: { ChildMachine.transition(from: $0, on: $1) })
}
