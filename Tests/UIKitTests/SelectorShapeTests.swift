import Testing

@testable import UIKit

private final class Receiver: UIResponder {
    var calls: [String] = []

    func plain() { calls.append("plain") }
    func valued() -> Int {
        calls.append("valued")
        return 3
    }
    func withSender(_ sender: UIButton) -> Bool {
        calls.append("sender")
        return true
    }
    func withEvent(_ sender: Any?, event: UIEvent) { calls.append("event") }
    func withOptionalEvent(_ sender: Any?, event: UIEvent?) { calls.append("event?") }
    func withThree(_ a: Int, b: Int, c: Int) { calls.append("three") }
}

private final class Named: UIResponder, SelectorMethods {
    var calls = 0
    class var selectorMethods: [Selector] { [Selector("count", Named.count)] }
    func count() { calls += 1 }
}

@Suite("shapes of selectors")
struct SelectorShapeTests {
    private func calls(of selector: Selector, sender: Any? = nil, event: UIEvent? = nil) -> [String] {
        let receiver = Receiver()
        selector.run(on: receiver, sender: sender, event: event)
        return receiver.calls
    }

    @Test("a method may return a value")
    func results() {
        #expect(calls(of: Selector("plain", Receiver.plain)) == ["plain"])
        #expect(calls(of: Selector("valued", Receiver.valued)) == ["valued"])
        #expect(calls(of: Selector("withSender:", Receiver.withSender(_:)), sender: UIButton()) == ["sender"])
        #expect(calls(of: Selector("withSender:", Receiver.withSender(_:)), sender: UILabel()).isEmpty)
    }

    @Test("a method that needs an event is called with one only")
    func events() {
        let needs = Selector("withEvent:event:", Receiver.withEvent(_:event:))
        let takes = Selector("withOptionalEvent:event:", Receiver.withOptionalEvent(_:event:))
        #expect(calls(of: needs).isEmpty)
        #expect(calls(of: needs, event: UIEvent()) == ["event"])
        #expect(calls(of: takes) == ["event?"])
        #expect(calls(of: takes, event: UIEvent()) == ["event?"])
    }

    @Test("a selector can take its method from an object's type")
    func ofObject() {
        let receiver = Receiver()
        #expect(calls(of: Selector("plain", of: receiver, { $0.plain })) == ["plain"])
        #expect(
            calls(of: Selector("withSender:", of: receiver, { $0.withSender(_:) }), sender: UIButton()) == ["sender"])
    }

    @Test("a method of a shape that nothing calls has a name only")
    func other() {
        let selector = Selector("withThree:b:c:", Receiver.withThree(_:b:c:))
        #expect(!Receiver().responds(to: selector))
    }

    @Test("a class with a table is found by names")
    func tables() {
        let named = Named()
        #expect(named.responds(to: Selector("count")) && !named.responds(to: Selector("other")))
        named.perform(NSSelectorFromString("count"))
        named.performSelector(onMainThread: Selector("count"), with: nil, waitUntilDone: true)
        #expect(named.calls == 2)
        #expect(!Receiver().responds(to: Selector("count")))
    }
}
