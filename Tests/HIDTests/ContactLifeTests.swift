import Testbed
import Testing

@testable import HID

@Suite("Life cycle of one contact")
struct ContactLifeTests {
    @Test("Docs/Machines/ContactLife.md matches the transition function")
    func table() {
        expectMachineTable(
            "ContactLife", states: ContactLife.State.allCases, inputs: ContactLife.Input.allCases,
            transition: ContactLife.transition)
    }

    @Test("a contact without room is never announced, neither landing nor lift")
    func unwanted() {
        var life = ContactLife()
        #expect(life.handle(.beganWithoutRoom) == .repair(.tooMany, .nothing))
        #expect(life.handle(.moved) == .nothing)
        #expect(life.handle(.ended) == .nothing)
        #expect(life.handle(.ended) == .repair(.neverBegan, .nothing))
    }
}
