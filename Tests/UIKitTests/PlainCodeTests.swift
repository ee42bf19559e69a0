// PlainCodeTests.swift: XCTest code as it is written for a phone, importing only XCTest and UIKit.

import UIKit
import XCTest

private class Card: UIView {
    let label = UILabel()
    private(set) var touched: [String] = []

    init() {
        super.init(frame: .zero)
        addSubview(label)
        backgroundColor = .white
        isMultipleTouchEnabled = true
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        label.frame = bounds.insetBy(dx: 8, dy: 8)
    }

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        bounds.inset(by: UIEdgeInsets(top: -10, left: -10, bottom: -10, right: -10)).contains(point)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
        touched.append("began")
    }
}

private class CardController: UIViewController {
    let card: Card
    var appeared = false

    init(card: Card) {
        self.card = card
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(card)
        card.frame = CGRect(x: 20, y: 20, width: 100, height: 50)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        appeared = true
    }
}

private class FakeTouch: UITouch {
    override var phase: UITouch.Phase { .moved }
    override func location(in view: UIView?) -> CGPoint { CGPoint(x: 1, y: 2) }
}

private class Knob: UIControl {
    override class var layerClass: AnyClass { KnobLayer.self }
    override var isHighlighted: Bool { didSet { backgroundColor = isHighlighted ? .systemGray : .systemBlue } }
    override var isEnabled: Bool { didSet { alpha = isEnabled ? 1 : 0.4 } }
    override var frame: CGRect { didSet { layer.cornerRadius = frame.width / 2 } }
    override var canBecomeFirstResponder: Bool { true }
    override func becomeFirstResponder() -> Bool { super.becomeFirstResponder() }
    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        action == "turn" || super.canPerformAction(action, withSender: sender)
    }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        super.beginTracking(touch, with: event) && event?.touches(for: self)?.count == 1
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) { super.endTracking(touch, with: event) }
    override func sendAction(_ action: Selector, to target: Any?, for event: UIEvent?) {
        super.sendAction(action, to: target, for: event)
    }
}

private class KnobLayer: CALayer {}

private class SpyWindow: UIWindow {
    var began = 0
    override func sendEvent(_ event: UIEvent) {
        began += event.touches(for: self)?.filter { $0.phase == .began }.count ?? 0
        super.sendEvent(event)
    }
}

private class SpyApplication: UIApplication {
    override func sendEvent(_ event: UIEvent) { super.sendEvent(event) }
    override func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: UIEvent?) -> Bool {
        super.sendAction(action, to: target, from: sender, for: event)
    }
}

final class PlainCodeTests: XCTestCase {
    private var window: UIWindow!
    private var controller: CardController!

    override func setUp() {
        super.setUp()
        window = UIWindow(frame: UIScreen.main.bounds)
        controller = CardController(card: Card())
        window.rootViewController = controller
        window.makeKeyAndVisible()
    }

    override func tearDown() {
        window = nil
        controller = nil
        super.tearDown()
    }

    func testViewLoadsAndAppears() {
        XCTAssertTrue(controller.isViewLoaded)
        XCTAssertTrue(controller.appeared)
        XCTAssertEqual(controller.view.superview, window)
    }

    func testHitTestFindsTheCardBeyondItsEdge() {
        XCTAssertEqual(window.hitTest(CGPoint(x: 15, y: 15), with: nil), controller.card)
        XCTAssertEqual(window.hitTest(CGPoint(x: 5, y: 5), with: nil), controller.view)
        XCTAssertNil(window.hitTest(CGPoint(x: -5, y: 5), with: nil))
    }

    func testLayoutFillsTheLabel() {
        controller.view.layoutIfNeeded()
        XCTAssertEqual(controller.card.label.frame, CGRect(x: 8, y: 8, width: 84, height: 34))
    }

    func testTouchesCallClimbsTheChain() {
        controller.card.label.touchesBegan([FakeTouch()], with: UIEvent())
        XCTAssertEqual(controller.card.touched, ["began"])
    }

    func testATouchCanBeFaked() {
        let touch: UITouch = FakeTouch()
        XCTAssertEqual(touch.phase, .moved)
        XCTAssertEqual(touch.location(in: nil), CGPoint(x: 1, y: 2))
        XCTAssertEqual(UITouch().phase, .began)
        XCTAssertEqual(UIEvent().type, .touches)
    }

    func testAButtonRunsItsAction() {
        let button = UIButton(type: .system)
        var count = 0
        button.addAction(UIAction { _ in count += 1 }, for: .touchUpInside)
        button.sendActions(for: .touchUpInside)
        XCTAssertEqual(count, 1)
    }

    func testFoundationComesAlong() {
        XCTAssertEqual(NSNumber(value: 1), 1)
        XCTAssertEqual(RunLoop.Mode.tracking.rawValue, "UITrackingRunLoopMode")
    }

    func testAControlOfOnesOwn() {
        let knob = Knob(frame: CGRect(x: 0, y: 0, width: 40, height: 40))
        knob.frame.size = CGSize(width: 60, height: 60)
        XCTAssertEqual(knob.layer.cornerRadius, 30)
        XCTAssertTrue(knob.layer is KnobLayer)
        knob.isEnabled = false
        XCTAssertEqual(knob.alpha, 0.4)
        knob.isHighlighted = true
        XCTAssertEqual(knob.backgroundColor, UIColor.systemGray)
        XCTAssertTrue(knob.canPerformAction("turn", withSender: nil))
        controller.view.addSubview(knob)
        XCTAssertTrue(knob.becomeFirstResponder())
    }

    func testGeometryReadsAsOnAPhone() {
        var turn = CGAffineTransform(rotationAngle: .pi / 2).translatedBy(x: 1, y: 2).scaledBy(x: 2, y: 2)
        turn = turn.concatenating(.identity).inverted().inverted()
        XCTAssertEqual(CGPoint(x: 1, y: 0).applying(turn).x, -2, accuracy: 1e-9)
        XCTAssertEqual(CGSize(width: 1, height: 2).applying(CGAffineTransform(scaleX: 3, y: 3)).height, 6)
        let box = UIView(frame: CGRect(x: 10, y: 10, width: 100, height: 100))
        box.transform = CGAffineTransform(scaleX: 2, y: 2)
        XCTAssertEqual(box.frame, CGRect(x: -40, y: -40, width: 200, height: 200))
        window.addSubview(box)
        XCTAssertEqual(box.convert(CGPoint.zero, to: nil), CGPoint(x: -40, y: -40))
        XCTAssertEqual(box.convert(box.bounds, to: window), box.frame)
        XCTAssertEqual(window.convert(CGPoint(x: 3, y: 4), to: nil), CGPoint(x: 3, y: 4))
    }

    func testWindowsAndColours() {
        window.windowLevel = .alert + 1
        XCTAssertEqual(window.windowLevel.rawValue, 2001)
        XCTAssertTrue(UIWindow.Level.normal < .alert - 1)
        let spy = SpyWindow(frame: UIScreen.main.bounds)
        spy.sendEvent(UIEvent())
        XCTAssertEqual(spy.began, 0)
        XCTAssertEqual(UIScreen.main.maximumFramesPerSecond, 60)
        var (hue, saturation, brightness, alpha, white): (CGFloat, CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0, 0)
        XCTAssertTrue(UIColor.blue.getHue(&hue, saturation: &saturation, brightness: &brightness, alpha: &alpha))
        XCTAssertEqual(hue, 2 / 3, accuracy: 1e-9)
        XCTAssertEqual([saturation, brightness, alpha], [1, 1, 1])
        XCTAssertTrue(UIColor.gray.getWhite(&white, alpha: &alpha))
        XCTAssertEqual(white, 0.5)
        XCTAssertFalse(UIColor.red.getWhite(&white, alpha: nil))
    }
}
