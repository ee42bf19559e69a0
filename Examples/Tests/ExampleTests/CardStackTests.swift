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

    @Suite(.phoneReports)
    struct CardStackTests {
        private func phone(_ delegate: CardStackDelegate?) -> TestPhone {
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

        /// Drags a card by a distance, from its side.
        private func throwCard(_ card: Target, by distance: CGFloat, on phone: TestPhone) throws {
            try phone.drag(
                card, at: CGPoint(x: distance < 0 ? 250 : 45, y: 180), by: CGVector(dx: distance, dy: 0))
        }

        @Test("a card that is thrown far leaves after its animation")
        func swipe() throws {
            let delegate = Decider()
            let phone = phone(delegate)
            try throwCard("card3", by: 200, on: phone)
            #expect(delegate.events.isEmpty)
            phone.advance(by: .milliseconds(250))
            #expect(delegate.events == ["3 right"])
            try throwCard("card2", by: -200, on: phone)
            try throwCard("card1", by: -200, on: phone)
            #expect(phone.advanceUntilIdle())
            #expect(delegate.events == ["3 right", "2 left", "1 left", "empty"])
        }

        @Test("a card comes back after a short drag, and when its delegate refuses")
        func refusal() throws {
            let delegate = Decider()
            let phone = phone(delegate)
            try throwCard("card3", by: 60, on: phone)
            delegate.allows = false
            #expect(phone.advanceUntilIdle())
            try throwCard("card3", by: 250, on: phone)
            #expect(phone.advanceUntilIdle())
            #expect(delegate.events.isEmpty)
            #expect(try phone.find(UIView.self, "card3").transform == .identity)
        }

        @Test("without a delegate every card may leave, and a notification brings them back")
        func notification() throws {
            let phone = phone(nil)
            try throwCard("card3", by: 200, on: phone)
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
            try throwCard("card3", by: -220, on: phone)
            #expect(phone.advanceUntilIdle())
            #expect(delegate.events == ["3 left"])
        }
    }
#endif
