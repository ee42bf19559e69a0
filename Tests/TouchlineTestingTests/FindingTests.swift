import Foundation
import Testing
import TouchlineTesting
import UIKit

@Suite("TestPhone: finding views")
struct FindingTests {
    private let phone = TestPhone { CardViewController() }

    @Test("views are found by identifier, class, text and predicate")
    func kinds() throws {
        let screen = phone.screen
        #expect(try phone.find("card") === screen.card)
        #expect(try phone.find(UITextField.self) === screen.field)
        #expect(try phone.find(UIView.self, "card") === screen.card)
        #expect(try phone.find(.type(UITextField.self)) === screen.field)
        #expect(try phone.find(.text("Save")) === screen.button)
        #expect(try phone.find(.first { $0.frame.height == 200 }) === screen.card)
        #expect(phone.findAll(.type(UIControl.self)).count == 2)
    }

    @Test("a target inside another one is found only there")
    func inside() throws {
        let screen = phone.screen
        let label = UILabel(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
        label.text = "Title"
        let other = UILabel(frame: CGRect(x: 0, y: 600, width: 100, height: 20))
        other.text = "Title"
        phone.run {
            screen.card.addSubview(label)
            screen.view.addSubview(other)
        }
        #expect(try phone.find(.text("Title").inside("card")) === label)
        let error = #expect(throws: PhoneError.self) { try phone.find(.text("Title")) }
        #expect(
            "\(try #require(error))" == """
                2 views are the text "Title":
                  UILabel
                  UILabel
                """)
    }

    @Test("a failed search names the views that a test could mean")
    func notFound() throws {
        let error = #expect(throws: PhoneError.self) { try phone.tap("cart") }
        #expect(
            "\(try #require(error))" == """
                no view is "cart"; shown are
                  UILabel "heard"
                  UIView "card"
                  UITextField "field"
                  UIButton "Save" with the text "Save"
                """)
        #expect(phone.time <= .seconds(2))
    }

    @Test("a gesture waits for its view, and until a touch reaches it")
    func waiting() throws {
        let screen = phone.screen
        phone.run {
            screen.card.isHidden = true
            screen.perform({ screen.card.isHidden = false }, after: 0.5)
        }
        try phone.doubleTap("card")
        #expect(screen.events == ["zoom"])
        #expect(phone.time > .milliseconds(500) && phone.time < .milliseconds(800), "\(phone.time)")
    }

    @Test(
        "a refusal says what is in the way",
        arguments: [
            "hidden", "clear", "covered", "disabled", "around it", "outside", "locked", "called", "ignoring",
        ])
    func obstacles(kind: String) throws {
        let screen = phone.screen
        phone.patience = .zero
        let cover = UIView(frame: CGRect(x: 0, y: 150, width: 375, height: 300))
        cover.accessibilityIdentifier = "cover"
        phone.run {
            switch kind {
            case "hidden": screen.card.isHidden = true
            case "clear": screen.view.alpha = 0
            case "covered": screen.view.addSubview(cover)
            case "disabled": screen.card.isUserInteractionEnabled = false
            case "around it":
                let container = UIView(frame: screen.view.bounds)
                screen.view.addSubview(container)
                container.addSubview(screen.card)
                container.isUserInteractionEnabled = false
            case "outside": screen.card.center.x = 1000
            case "ignoring": UIApplication.shared.beginIgnoringInteractionEvents()
            default: break
            }
        }
        if kind == "locked" { phone.lock() }
        if kind == "called" { phone.receiveCall() }
        let reasons = [
            "hidden": "it is hidden", "clear": "UIView has an alpha of 0.0, less than 0.01",
            "covered": "UIView \"cover\" takes a touch at (187.5, 300.0)",
            "disabled": "it has isUserInteractionEnabled set to false",
            "around it": "UIView has isUserInteractionEnabled set to false", "locked": "the app is background",
            "called": "the app is inactive", "ignoring": "the app ignores interaction events",
            "outside": "(1000.0, 300.0) is not on the screen, 0 to 375.0 and 0 to 667.0",
        ]
        let reason = try #require(reasons[kind])
        #expect(throws: PhoneError.notHittable(target: "\"card\"", reason: reason)) { try phone.tap("card") }
        #expect(screen.events == [])
    }

    @Test("a hidden view is not shown, and does not make its text ambiguous")
    func hidden() throws {
        let screen = phone.screen
        let other = UIButton(frame: CGRect(x: 0, y: 600, width: 100, height: 40))
        phone.run {
            other.setTitle("Save", for: .normal)
            other.isHidden = true
            screen.view.addSubview(other)
        }
        try phone.tap(.text("Save"))
        #expect(screen.events == ["saved"])
        #expect(phone.findAll(.text("Save")) == [screen.button])
        phone.run { screen.button.isHidden = true }
        #expect(phone.findAll(.text("Save")).isEmpty)
    }

    @Test("a gesture waits for the end of an animation, which takes no touches")
    func animated() throws {
        let screen = phone.screen
        phone.run { UIView.animate(withDuration: 0.3) { screen.card.center.y += 10 } }
        try phone.doubleTap("card")
        #expect(screen.events == ["zoom"])
        #expect(phone.time >= .milliseconds(300))
    }

    @Test("code of the app can find views, and does not wait for them")
    func insideTheApp() {
        let screen = phone.screen
        phone.run {
            let found = try? phone.find("card")
            #expect(found === screen.card)
            #expect(throws: PhoneError.self) { try phone.find("cart") }
            #expect(phone.hitTest(CGPoint(x: 187, y: 300)) === screen.card)
        }
        #expect(phone.time == .zero)
    }

    @Test("an impossible gesture is refused with its measure")
    func impossible() throws {
        let error = #expect(throws: PhoneError.self) { try phone.tap(.point(400, 10)) }
        #expect("\(try #require(error))".contains("400"))
        #expect(throws: PhoneError.self) { try phone.drag("card", by: CGVector(dx: 1000, dy: 0)) }
        #expect(phone.screen.events == [])
    }

    @Test("the text of a button may be touched by its label")
    func label() throws {
        let label = try #require(phone.screen.button.titleLabel)
        try phone.tap(.view(label))
        #expect(phone.screen.events == ["saved"])
    }
}

extension UIResponder {
    /// Runs code of the app after some seconds.
    fileprivate func perform(_ code: @escaping () -> Void, after seconds: Double) {
        let closure = Closure(code)
        closure.perform(Selector("call", Closure.call), with: nil, afterDelay: seconds)
    }
}

private final class Closure: NSObject {
    private let code: () -> Void
    init(_ code: @escaping () -> Void) { self.code = code }
    func call() { code() }
}
