import Testbed
import Testing

@testable import HID

@Suite("Life cycle of one contact")
struct ContactLifeTests {
    @Test("Docs/Reference/Machines/ContactMachine.md matches the transition function")
    func table() {
        expectMachineTable(
            "ContactMachine", states: ContactMachine.State.allCases, inputs: ContactMachine.Input.allCases,
            transition: ContactMachine.transition)
    }

    @Test("a contact without room is never announced, neither landing nor lift")
    func unwanted() {
        var life = ContactMachine()
        #expect(life.handle(.beganWithoutRoom) == .repair(.tooMany, .nothing))
        #expect(life.handle(.moved) == .nothing)
        #expect(life.handle(.ended) == .nothing)
        #expect(life.handle(.ended) == .repair(.neverBegan, .nothing))
    }
}
