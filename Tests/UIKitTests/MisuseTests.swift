import Foundation
import Testing
import UIKit

/// Misuse for which a phone raises an exception ends the program with one sentence. A phone's tolerance is kept.
@Suite("Misuse")
struct MisuseTests {
    /// Returns the sentence of the fatal error that ended the program.
    private func sentence(_ result: ExitTest.Result?) -> String {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.contains("Fatal error: ") } ?? ""
        return line.range(of: "Fatal error: ").map { String(line[$0.upperBound...]) } ?? text
    }

    @Test("a NaN frame ends the program, naming the view and the frame")
    func frame() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let view = UIView()
            view.accessibilityIdentifier = "Y"
            view.frame = CGRect(x: CGFloat.nan, y: 1, width: 2, height: 3)
        }
        #expect(sentence(result) == "UIView \"Y\": frame must be finite, and (nan, 1.0; 2.0 × 3.0) is not")
    }

    @Test("an infinite frame ends the program, also in an initializer")
    func infinite() async {
        let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UILabel().frame = CGRect(x: 0, y: 0, width: CGFloat.infinity, height: 3)
        }
        #expect(sentence(set) == "UILabel: frame must be finite, and (0.0, 0.0; inf × 3.0) is not")
        let born = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UIButton(frame: CGRect(x: 0, y: -CGFloat.infinity, width: 1, height: 1))
        }
        #expect(sentence(born) == "UIButton: frame must be finite, and (0.0, -inf; 1.0 × 1.0) is not")
    }

    @Test("a non-finite bounds, center, anchor or transform ends the program")
    func geometry() async {
        let bounds = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIView().bounds = CGRect(x: 0, y: 0, width: CGFloat.nan, height: 1)
        }
        #expect(sentence(bounds) == "UIView: bounds must be finite, and (0.0, 0.0; nan × 1.0) is not")
        let center = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIView().center = CGPoint(x: 1, y: CGFloat.nan)
        }
        #expect(sentence(center) == "UIView: center must be finite, and (1.0, nan) is not")
        let layer = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIView().layer.position = CGPoint(x: CGFloat.infinity, y: 0)
        }
        #expect(sentence(layer) == "UIView: center must be finite, and (inf, 0.0) is not")
        let anchor = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIView().layer.anchorPoint = CGPoint(x: CGFloat.nan, y: 0)
        }
        #expect(sentence(anchor) == "UIView: anchorPoint must be finite, and (nan, 0.0) is not")
        let transform = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIView().transform = CGAffineTransform(scaleX: CGFloat.nan, y: 1)
        }
        #expect(
            sentence(transform) == "UIView: transform must be finite, and [nan, 0.0, 0.0, 1.0, 0.0, 0.0] is not")
    }

    @Test("a view added inside itself ends the program")
    func inside() async {
        let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let view = UIView()
            view.addSubview(view)
        }
        #expect(sentence(itself) == "UIView cannot be put inside itself")
        let around = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (outer, middle, inner) = (UIView(), UIView(), UIView())
            outer.accessibilityIdentifier = "outer"
            inner.accessibilityIdentifier = "inner"
            outer.addSubview(middle)
            middle.addSubview(inner)
            inner.addSubview(outer)
        }
        #expect(sentence(around) == "UIView \"outer\" cannot be put into UIView \"inner\", which lies inside it")
        let layers = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (outer, inner) = (CALayer(), CALayer())
            outer.name = "outer"
            outer.addSublayer(inner)
            inner.addSublayer(outer)
        }
        #expect(sentence(layers) == "outer cannot be put inside itself")
    }

    @Test("exchanging subviews that do not exist ends the program")
    func exchange() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIView().exchangeSubview(at: 0, withSubviewAt: 1)
        }
        #expect(sentence(result) == "UIView has no subviews at 0 and 1: it has 0")
    }

    @Test("a control's target without the action ends the program")
    func selector() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stage = Stage()
            let (button, view) = (UIButton(), UIView())
            stage.window.addSubview(button)
            button.addTarget(view, action: "doIt", for: .touchUpInside)
            button.sendActions(for: .touchUpInside)
        }
        #expect(sentence(result) == "UIView does not respond to doIt")
    }

    @Test("a recognizer's target without the action ends the program")
    func recognizerSelector() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stage = Stage()
            stage.window.addGestureRecognizer(UITapGestureRecognizer(target: stage.window, action: "doIt"))
            stage.tap(25, 25)
        }
        #expect(sentence(result) == "UIWindow does not respond to doIt")
    }

    @Test("invalid ranges, steps, values and indexes of controls end the program")
    func stepper() async {
        let maximum = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIStepper().maximumValue = -1
        }
        #expect(
            sentence(maximum) == "UIStepper.maximumValue must be above minimumValue, 0.0, and -1.0 is not")
        let minimum = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIStepper().minimumValue = 100
        }
        #expect(
            sentence(minimum) == "UIStepper.minimumValue must be below maximumValue, 100.0, and 100.0 is not")
        let step = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UIStepper().stepValue = 0
        }
        #expect(sentence(step) == "UIStepper.stepValue must be above 0, and 0.0 is not")
        let slider = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UISlider().value = .nan
        }
        #expect(sentence(slider) == "UISlider.value cannot be NaN")
        let segment = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UISegmentedControl(items: ["a", "b"]).selectedSegmentIndex = 2
        }
        #expect(sentence(segment) == "UISegmentedControl.selectedSegmentIndex 2 is none of its 2 segments")
    }

    @Test("an invalid push, pop or presentation of a controller ends the program")
    func controllers() async {
        let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let controller = UIViewController()
            UINavigationController(rootViewController: controller).pushViewController(controller, animated: false)
        }
        #expect(sentence(twice) == "UIViewController cannot be pushed: it is on the stack already")
        let stranger = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UINavigationController(rootViewController: UIViewController())
                .popToViewController(UIViewController(), animated: false)
        }
        #expect(sentence(stranger) == "UIViewController cannot be popped to: it is not on the stack")
        let presented = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stage = Stage()
            stage.run {
                let (a, b, c) = (UIViewController(), UIViewController(), UIViewController())
                a.present(c, animated: false)
                b.present(c, animated: false)
            }
        }
        #expect(sentence(presented) == "UIViewController cannot be presented: it is already")
        let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let controller = UIViewController()
            controller.present(controller, animated: false)
        }
        #expect(sentence(itself) == "UIViewController cannot present itself")
    }

    @Test("asking for the location of a missing touch ends the program")
    func locationOfTouch() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let view = UIView()
            let recognizer = UIGestureRecognizer()
            recognizer.name = "g"
            view.addGestureRecognizer(recognizer)
            _ = recognizer.location(ofTouch: 0, in: nil)
        }
        #expect(sentence(result).contains("g on UIView: touch 0 was asked for, and it has 0"))
    }

    // MARK: Tolerated

    @Test("unrelated views can be removed, reordered and converted without harm")
    func strangers() {
        let (view, other) = (UIView(), UIView(frame: CGRect(x: 5, y: 5, width: 10, height: 10)))
        view.removeFromSuperview()
        view.bringSubviewToFront(other)
        view.sendSubviewToBack(other)
        view.insertSubview(other, at: 99)
        view.addSubview(other)
        view.insertSubview(UIView(), belowSubview: UIView())
        #expect(view.subviews.count == 2 && other.superview === view)
        #expect(view.convert(CGPoint(x: 1, y: 1), from: UIView()) == CGPoint(x: 1, y: 1))
        #expect(UIView().hitTest(.zero, with: nil) == nil)
    }

    @Test("a view's size may be zero, negative or enormous")
    func sizes() {
        let stage = Stage()
        let view = UIView(frame: CGRect(x: 10, y: 10, width: -5, height: -5))
        stage.window.addSubview(view)
        #expect(stage.window.hitTest(CGPoint(x: 8, y: 8), with: nil) === stage.window)
        view.bounds = CGRect(x: 0, y: 0, width: CGFloat.greatestFiniteMagnitude, height: 1)
        view.transform = CGAffineTransform(scaleX: 0, y: 0)
        #expect(view.frame.width == 0)
        view.alpha = 7
        #expect(view.alpha == 1)
    }

    @Test("missing targets, actions and recognizers can be removed without harm")
    func absent() {
        let control = UIControl()
        control.removeTarget(UIView(), action: "doIt", for: .allEvents)
        control.removeAction(identifiedBy: .init("none"), for: .allEvents)
        control.sendActions(for: .allEvents)
        control.addTarget(nil, action: "nobody", for: .touchUpInside)
        control.sendActions(for: .touchUpInside)
        let recognizer = UIGestureRecognizer()
        control.removeGestureRecognizer(recognizer)
        control.addGestureRecognizer(recognizer)
        control.addGestureRecognizer(recognizer)
        recognizer.require(toFail: recognizer)
        #expect(control.gestureRecognizers?.count == 1 && recognizer.view === control)
    }

    @Test("a view outside a window cannot become first responder")
    func windowless() {
        let field = UITextField()
        #expect(!field.becomeFirstResponder() && field.resignFirstResponder() && !field.isEditing)
    }

    @Test("control values beyond their range are clamped")
    func ranges() {
        let slider = UISlider()
        slider.value = 9
        #expect(slider.value == 1)
        slider.minimumValue = 5
        #expect(slider.maximumValue == 5 && slider.value == 5)
        let pages = UIPageControl()
        pages.numberOfPages = -3
        pages.currentPage = 4
        #expect(pages.numberOfPages == 0 && pages.currentPage == 0)
        let segments = UISegmentedControl(items: nil)
        segments.removeSegment(at: 7, animated: false)
        segments.setTitle("x", forSegmentAt: 3)
        segments.insertSegment(withTitle: "a", at: 99, animated: false)
        #expect(segments.titleForSegment(at: 9) == "a")
        let stage = Stage()
        stage.run {
            UIApplication.shared.endIgnoringInteractionEvents()
            UIView.animate(withDuration: -1) {}
        }
        #expect(!stage.app.isIgnoringInteractionEvents)
    }

    @Test("a controller that already presents another presents nothing more")
    func presentsTwice() {
        let stage = Stage()
        stage.run {
            let (a, b, c) = (UIViewController(), UIViewController(), UIViewController())
            stage.window.rootViewController = a
            a.present(b, animated: false)
            a.present(c, animated: false)
            #expect(a.presentedViewController === b && c.presentingViewController == nil)
            UIViewController().dismiss(animated: false)
        }
    }
}
