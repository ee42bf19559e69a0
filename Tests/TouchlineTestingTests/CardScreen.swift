import Foundation
import TouchlineTesting
import UIKit

/// A screen as an app has it: a label, a button, a card that a tap opens and a drag moves, a field.
final class CardViewController: UIViewController {
    let heard = UILabel(frame: CGRect(x: 20, y: 20, width: 335, height: 30))
    let card = UIView(frame: CGRect(x: 37.5, y: 200, width: 300, height: 200))
    let field = UITextField(frame: CGRect(x: 20, y: 500, width: 335, height: 40))
    let button = UIButton(frame: CGRect(x: 20, y: 80, width: 120, height: 44))
    private(set) var events: [String] = []

    override func viewDidLoad() {
        heard.accessibilityIdentifier = "heard"
        card.accessibilityIdentifier = "card"
        field.accessibilityIdentifier = "field"
        button.setTitle("Save", for: .normal)
        button.addAction(UIAction { [unowned self] _ in hear("saved") }, for: .touchUpInside)
        for view in [heard, card, field, button] { self.view.addSubview(view) }
        let single = UITapGestureRecognizer(target: self, action: Selector("open", CardViewController.open))
        let double = UITapGestureRecognizer(target: self, action: Selector("zoom", CardViewController.zoom))
        double.numberOfTapsRequired = 2
        single.require(toFail: double)
        let press = UILongPressGestureRecognizer(target: self, action: Selector("menu", CardViewController.menu))
        let pan = UIPanGestureRecognizer(target: self, action: Selector("move", CardViewController.move))
        let pinch = UIPinchGestureRecognizer(target: self, action: Selector("scale", CardViewController.scale))
        let turn = UIRotationGestureRecognizer(target: self, action: Selector("turn", CardViewController.turn))
        let pair = UITapGestureRecognizer(target: self, action: Selector("pair", CardViewController.pair))
        pair.numberOfTouchesRequired = 2
        for recognizer in [single, double, press, pan, pinch, turn, pair] { card.addGestureRecognizer(recognizer) }
        card.isMultipleTouchEnabled = true
    }

    func hear(_ word: String) {
        events.append(word)
        heard.text = word
    }

    private func open() { hear("open") }
    private func zoom() { hear("zoom") }
    private func pair() { hear("pair") }
    private func menu(_ recognizer: UILongPressGestureRecognizer) { if recognizer.state == .began { hear("menu") } }
    private func move(_ recognizer: UIPanGestureRecognizer) {
        let change = recognizer.translation(in: view)
        recognizer.setTranslation(.zero, in: view)
        card.center = CGPoint(x: card.center.x + change.x, y: card.center.y + change.y)
        if recognizer.state == .ended { hear("moved") }
    }
    private func scale(_ recognizer: UIPinchGestureRecognizer) {
        if recognizer.state == .ended { hear("scale \((recognizer.scale * 100).rounded() / 100)") }
    }
    private func turn(_ recognizer: UIRotationGestureRecognizer) {
        if recognizer.state == .ended { hear("turn \((recognizer.rotation * 180 / .pi).rounded())") }
    }

    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) { hear("shaken") }
    override var canBecomeFirstResponder: Bool { true }
}

extension TestPhone {
    var screen: CardViewController {
        guard let controller = application.windows.first?.rootViewController as? CardViewController else {
            preconditionFailure("the phone shows no card")
        }
        return controller
    }
}
