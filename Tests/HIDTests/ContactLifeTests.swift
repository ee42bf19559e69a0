import Testbed
import Testing

@testable import HID

@Suite("One contact's life")
struct ContactLifeTests {
    @Test("a contact begins once and ends once, whatever the panel says, and the table says how")
    func table() {
        expectMachineTable(
            "ContactLife", states: ContactLife.State.allCases, inputs: ContactLife.Input.allCases,
            transition: ContactLife.transition)
    }

    @Test("nobody is told of a landing before there is room, nor of an end without a landing")
    func unwanted() {
        var life = ContactLife()
        #expect(life.handle(.beganWithoutRoom) == .repair(.tooMany, .nothing))
        #expect(life.handle(.moved) == .nothing)
        #expect(life.handle(.ended) == .nothing)
        #expect(life.handle(.ended) == .repair(.neverBegan, .nothing))
    }
}
