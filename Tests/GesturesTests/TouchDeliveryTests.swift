import Basics
import Gestures
import Testbed
import Testing

@Suite("Delivery of one touch to a view")
struct TouchDeliveryTests {
    @Test("Docs/Reference/Machines/TouchDelivery.md matches the transition function")
    func table() {
        expectMachineTable(
            "TouchDelivery", states: TouchDelivery.State.allCases, inputs: TouchDelivery.Input.allCases,
            transition: TouchDelivery.transition)
    }

    @Test("a view receives one beginning of a touch and exactly one end")
    func oneEnd() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            var delivery = TouchDelivery()
            var heard: [String] = []
            for step in 0..<8 {
                let input =
                    step == 0 ? .began : TouchDelivery.Input.allCases.dropFirst().randomElement(using: &generator)!
                switch delivery.handle(input) {
                case .deliver: heard.append("\(input)")
                case .cancel: heard.append("cancelled")
                case .nothing: break
                }
            }
            if delivery.handle(.cancelled) == .deliver { heard.append("cancelled") }
            let ends = heard.filter { $0 == "ended" || $0 == "cancelled" }.count
            #expect(heard.first == "began" && heard.filter { $0 == "began" }.count == 1)
            #expect(ends == 1 && ["ended", "cancelled"].contains(heard.last))
            #expect(delivery.state == .over)
        }
    }
}
