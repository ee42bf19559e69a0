import Testing

@testable import UIKit

private final class Listener: NSObject {
    var heard: [String] = []
    func received(_ notification: Notification) { heard.append(notification.name.rawValue) }
    func plain() { heard.append("plain") }
}

@Suite("notifications by selector")
struct NotificationSelectorTests {
    private let center = NotificationCenter()
    private let a = Notification.Name("a")
    private let b = Notification.Name("b")

    @Test("an observer receives what it asked for, until it is removed")
    func observers() {
        let (listener, sender) = (Listener(), NSObject())
        center.addObserver(listener, selector: Selector("received:", Listener.received(_:)), name: a, object: nil)
        center.addObserver(listener, selector: Selector("plain", Listener.plain), name: b, object: sender)
        center.post(name: a, object: sender)
        center.post(name: b, object: nil)
        center.post(name: b, object: sender)
        #expect(listener.heard == ["a", "plain"])
        center.removeObserver(listener, name: a, object: nil)
        center.post(name: a, object: nil)
        center.post(name: b, object: sender)
        #expect(listener.heard == ["a", "plain", "plain"])
        center.removeObserver(listener)
        center.post(name: b, object: sender)
        #expect(listener.heard.count == 3)
    }

    @Test("a center does not retain an observer")
    func lifetimes() {
        weak var kept: Listener?
        do {
            let listener = Listener()
            kept = listener
            center.addObserver(listener, selector: Selector("plain", Listener.plain), name: nil, object: nil)
        }
        #expect(kept == nil)
        center.post(name: a, object: nil)
    }

    @Test("a token of the center itself can be removed too")
    func tokens() {
        nonisolated(unsafe) var count = 0
        let token = center.addObserver(forName: a, object: nil, queue: nil) { _ in count += 1 }
        center.post(name: a, object: nil)
        center.removeObserver(token)
        center.post(name: a, object: nil)
        #expect(count == 1)
    }

    @Test("an app's observer does not hear other apps of the process")
    func apps() {
        let (one, two) = (UIApplication(), UIApplication())
        let listener = Listener()
        UIApplication.run(as: one) {
            center.addObserver(listener, selector: Selector("plain", Listener.plain), name: a, object: nil)
        }
        UIApplication.run(as: two) { center.post(name: a, object: nil) }
        center.post(name: a, object: nil)
        #expect(listener.heard.isEmpty)
        UIApplication.run(as: one) { center.post(name: a, object: nil) }
        #expect(listener.heard == ["plain"])
    }
}
