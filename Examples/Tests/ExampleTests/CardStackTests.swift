#if os(Linux)
    import CardStack
    import Testing
    import TouchlineTesting
    import UIKit

    private final class Decider: NSObject, CardStackDelegate {
        var allows = true
        var events: [String] = []

        func cardStack(_ stack: CardStackView, mayRemove card: UIView, to direction: SwipeDirection) -> Bool { allows }
        func cardStack(_ stack: CardStackView, didRemove card: UIView, to direction: SwipeDirection) {
            events.append("\(card.tag) \(direction == .left ? "left" : "right")")
        }
        func cardStackDidBecomeEmpty(_ stack: CardStackView) { events.append("empty") }
    }

    private final class Silent: NSObject, CardStackDelegate {}

    @Suite(.phoneReports)
    struct CardStackTests {
        private func phone(_ delegate: some CardStackDelegate) -> TestPhone {
            TestPhone {
                let stack = CardStackView(frame: CGRect(x: 20, y: 100, width: 335, height: 400))
                stack.delegate = delegate
                for tag in 1...3 {
                    let card = UIView()
                    card.tag = tag
                    card.accessibilityIdentifier = "card\(tag)"
                    stack.add(card)
                }
                return stack
            }
        }

        @Test("a card that is thrown far leaves after its animation")
        func swipe() throws {
            let delegate = Decider()
            let phone = phone(delegate)
            try phone.drag("card3", by: CGVector(dx: 200, dy: 0))
            #expect(delegate.events.isEmpty)
            phone.advance(by: .milliseconds(250))
            #expect(delegate.events == ["3 right"])
            try phone.drag("card2", by: CGVector(dx: -200, dy: 0))
            try phone.drag("card1", by: CGVector(dx: -200, dy: 0))
            #expect(phone.advanceUntilIdle())
            #expect(delegate.events == ["3 right", "2 left", "1 left", "empty"])
        }

        @Test("a card comes back after a short drag, and when its delegate refuses")
        func refusal() throws {
            let delegate = Decider()
            let phone = phone(delegate)
            try phone.drag("card3", by: CGVector(dx: 60, dy: 0))
            delegate.allows = false
            #expect(phone.advanceUntilIdle())
            try phone.drag("card3", by: CGVector(dx: 250, dy: 0))
            #expect(phone.advanceUntilIdle())
            #expect(delegate.events.isEmpty)
            #expect(try phone.find(UIView.self, "card3").transform == .identity)
        }

        @Test("without the optional methods every card may leave, and a notification brings them back")
        func notification() throws {
            let delegate = Silent()
            let phone = phone(delegate)
            try phone.drag("card3", by: CGVector(dx: 200, dy: 0))
            #expect(phone.advanceUntilIdle())
            #expect(throws: PhoneError.self) { try phone.find("card3") }
            phone.run { NotificationCenter.default.post(name: .cardStackShouldReset, object: nil) }
            #expect(try phone.find("card3").superview is CardStackView)
        }

        @Test("a hand that trembles throws a card too", arguments: 1...20)
        func hands(seed: UInt64) throws {
            let delegate = Decider()
            let phone = phone(delegate)
            phone.humanSeed = seed
            try phone.drag("card3", by: CGVector(dx: -220, dy: 0))
            #expect(phone.advanceUntilIdle())
            #expect(delegate.events == ["3 left"])
        }
    }
#endif
