import Foundation
import Testing
import UIKit

@Suite("Looks of controls")
struct ControlLookTests {
    @Test("a button shows the image of its state in the middle")
    func images() {
        let button = UIButton(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
        let (normal, selected) = (UIImage(systemName: "a"), UIImage(systemName: "b"))
        button.setImage(normal, for: .normal)
        button.setImage(selected, for: .selected)
        #expect(button.currentImage === normal && button.image(for: .highlighted) === normal)
        #expect(button.imageView?.frame == CGRect(x: 41.5, y: 11.5, width: 17, height: 17))
        button.isSelected = true
        button.layoutIfNeeded()
        #expect(button.imageView?.image === selected)
        button.setImage(nil, for: .selected)
        #expect(button.currentImage === normal && button.imageView?.image === normal)
    }

    @Test("touches on a button's image reach the button")
    func touches() {
        let stage = Stage()
        let button = UIButton(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
        button.setImage(UIImage(systemName: "a"), for: .normal)
        var presses = 0
        button.addAction(UIAction { _ in presses += 1 }, for: .touchUpInside)
        stage.run { stage.window.addSubview(button) }
        stage.tap(50, 20)
        #expect(presses == 1)
    }

    @Test("an attributed title is the label's text")
    func attributedTitles() {
        let button = UIButton(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
        button.setAttributedTitle(NSAttributedString(string: "bold"), for: .normal)
        #expect(button.titleLabel?.text == "bold" && button.currentTitle == nil)
    }

    @Test("an empty mutable text is made without an argument")
    func emptyText() {
        let text = NSMutableAttributedString()
        text.append(NSAttributedString(string: "a"))
        #expect(text.string == "a")
    }

    @Test("endEditing resigns a first responder inside the view only")
    func endEditing() {
        let stage = Stage()
        let (inside, outside) = (UIView(), UIView())
        let field = UITextField(frame: CGRect(x: 0, y: 0, width: 50, height: 20))
        stage.run {
            [inside, outside].forEach(stage.window.addSubview)
            inside.addSubview(field)
            #expect(field.becomeFirstResponder())
            #expect(outside.endEditing(false) && field.isFirstResponder)
            #expect(inside.endEditing(false) && !field.isFirstResponder)
        }
    }

    @Test("a segue runs its handler")
    func segues() {
        let (a, b) = (UIViewController(), UIViewController())
        var runs = 0
        UIStoryboardSegue(identifier: "next", source: a, destination: b) { runs += 1 }.perform()
        #expect(runs == 1)
    }
}
