import Basics
import HID
import Testing

@Suite("Keys and pointers")
struct HeldInputsTests {
    private typealias Input = DeviceInput<DigitizerSpace>

    private let a = Input.Content.key(HIDUsage(page: 7, usage: 4))
    private func hover(_ x: Double) -> Input.Content { .hover(Point(x, 0)) }

    @Test("each held key or pointer begins once and ends once")
    func repairs() {
        var held = HeldInputs<DigitizerSpace>()
        #expect(held.apply(Input(.ended, a)) == nil, "it never began")
        #expect(held.apply(Input(.began, a))?.phase == .began)
        #expect(held.apply(Input(.began, a)) == nil, "it is down already, and a key has nothing to change")
        #expect(held.apply(Input(.changed, hover(0.1)))?.phase == .began, "it must have begun unnoticed")
        #expect(held.apply(Input(.began, hover(0.2)))?.phase == .changed)
        #expect(held.apply(Input(.ended, hover(0)))?.content == hover(0.2), "it ends where it was")
        #expect(held.inputs.map(\.content) == [a])
    }

    @Test("an instantaneous input is never held")
    func once() {
        var held = HeldInputs<DigitizerSpace>()
        #expect(held.apply(Input(.once, .remote(.play))) == Input(.once, .remote(.play)))
        #expect(held.inputs.isEmpty)
    }

    @Test("cancelling all held inputs scrolls no further")
    func cancel() {
        var held = HeldInputs<DigitizerSpace>()
        let place = Point<DigitizerSpace>(.one, .one)
        _ = held.apply(Input(.began, a))
        _ = held.apply(Input(.began, .scroll(place, dx: .one, dy: .one)))
        #expect(
            held.cancelAll() == [
                Input(.cancelled, a), Input(.cancelled, .scroll(place, dx: .zero, dy: .zero)),
            ])
        #expect(held.cancelAll().isEmpty)
    }

    @Test("a remote command is only instantaneous, and a key never changes")
    func possible() {
        for phase in InputPhase.allCases {
            #expect(Input(phase, .remote(.stop)).isPossible == (phase == .once))
            #expect(Input(phase, a).isPossible == (phase != .once && phase != .changed))
            #expect(Input(phase, hover(0)).isPossible == (phase != .once))
        }
        #expect(Input(.once, .scroll(.zero, dx: .one, dy: .one)).isPossible)
    }

    @Test("key names and keys correspond one to one")
    func names() {
        for table in [HIDUsage.pressed, HIDUsage.keys] {
            #expect(Set(table.map(\.name)).count == table.count)
            #expect(Set(table.map(\.usage)).count == table.count)
        }
        #expect(HIDUsage.key(named: "z") == HIDUsage(page: 7, usage: 0x1D))
        #expect(HIDUsage.key(named: "/") == HIDUsage(page: 7, usage: 0x38))
        #expect(HIDUsage.key(named: "upArrow") == HIDUsage(page: 7, usage: 0x52))
        #expect(HIDUsage.button(named: "menu") == HIDUsage(page: 12, usage: 0x40))
        #expect(HIDUsage.pressed(named: "power") == HIDUsage(page: 12, usage: 0x30))
        #expect(HIDUsage.pressed(named: "volumeUp") == HIDUsage(page: 12, usage: 0xE9))
        #expect(HIDUsage.button(named: "power") == nil, "no remote has it, and no UIPress")
    }
}
