// Drawing.swift: an app with a pad on which fingers draw, with coalesced and predicted touches.
//
// An event has one touch for each finger, with the samples since the last event. Drawing all samples keeps a fast
// stroke smooth. The predicted samples are drawn too, until the next event replaces them.

import UIKit

final class DrawingAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = DrawingViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}

final class DrawingViewController: UIViewController {
    override func loadView() { view = DrawingPad(frame: UIScreen.main.bounds) }
}

/// A stroke: the points of the finger so far, and the predicted ones.
struct Stroke {
    var points: [CGPoint] = []
    var predicted: [CGPoint] = []
}

final class DrawingPad: UIView {
    /// The finished strokes, in the order in which their fingers lifted.
    private(set) var strokes: [Stroke] = []
    /// A description of the drawing, for tests and accessibility.
    private let tally = UILabel()
    /// The strokes of fingers that are down, in the order of their landings.
    private(set) var live: [(touch: UITouch, stroke: Stroke)] = []

    override init(frame: CGRect) {
        super.init(frame: frame)
        accessibilityIdentifier = "pad"
        isMultipleTouchEnabled = true
        tally.accessibilityIdentifier = "tally"
        addSubview(tally)
    }

    private func show() {
        let all = strokes + live.map(\.stroke)
        let (points, foretold) = (all.reduce(0) { $0 + $1.points.count }, all.reduce(0) { $0 + $1.predicted.count })
        tally.text = "\(strokes.count) done, \(points) points, \(foretold) foretold"
        setNeedsDisplay()
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        tally.frame = CGRect(x: 20, y: bounds.height - 40, width: bounds.width - 40, height: 30)
    }

    required init?(coder: NSCoder) { fatalError("no archive holds a pad") }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        for touch in touches.sorted(by: { $0.timestamp < $1.timestamp }) { live.append((touch, Stroke())) }
        extend(touches, event)
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { extend(touches, event) }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        extend(touches, event)
        for index in live.indices where touches.contains(live[index].touch) {
            live[index].stroke.predicted = []
            strokes.append(live[index].stroke)
        }
        live.removeAll { touches.contains($0.touch) }
        show()
    }

    /// Removes the stroke of a cancelled touch.
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        live.removeAll { touches.contains($0.touch) }
        show()
    }

    private func extend(_ touches: Set<UITouch>, _ event: UIEvent?) {
        for index in live.indices where touches.contains(live[index].touch) {
            let touch = live[index].touch
            let samples = event?.coalescedTouches(for: touch) ?? [touch]
            live[index].stroke.points += samples.map { $0.location(in: self) }
            live[index].stroke.predicted = (event?.predictedTouches(for: touch) ?? []).map { $0.location(in: self) }
        }
        show()
    }

    // Touchline has no screen contents, so nothing is drawn there.
    #if canImport(CoreGraphics)
        override func draw(_ rect: CGRect) {
            for stroke in strokes + live.map(\.stroke) {
                let path = UIBezierPath()
                for (index, point) in (stroke.points + stroke.predicted).enumerated() {
                    if index == 0 { path.move(to: point) } else { path.addLine(to: point) }
                }
                path.stroke()
            }
        }
    #endif
}
