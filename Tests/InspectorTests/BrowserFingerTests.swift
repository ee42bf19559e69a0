import Testbed
import Testing

@testable import Inspector

@Suite("Fingers of a browser")
struct BrowserFingerTests {
    @Test("Docs/Reference/Machines/BrowserFinger.md matches the transition function")
    func table() {
        expectMachineTable(
            "BrowserFinger", states: BrowserFinger.State.allCases, inputs: BrowserFinger.Input.allCases,
            transition: BrowserFinger.transition)
    }
}
