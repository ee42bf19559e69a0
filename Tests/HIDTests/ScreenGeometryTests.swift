import Basics
import HID
import Testing

@Suite struct ScreenGeometryTests {
    @Test("a screen point converts to the panel and back without change")
    func roundTrip() {
        let panels = [
            (375.0, 667.0), (414, 736), (375, 812), (320, 568), (768, 1024), (1024, 1024), (1, 1), (799.5, 479),
        ]
        for (width, height) in panels {
            for rotation in [0, 90, 180, 270] {
                let geometry = ScreenGeometry(width: width, height: height, rotation: rotation)
                let longest = max(geometry.bounds.width, geometry.bounds.height)
                var worst = 0.0
                for step in 0..<Int(longest * 64) {
                    let value = Double(step) / 64
                    let point = Point<ScreenSpace>(
                        min(value, geometry.bounds.width - 1 / 64), min(value, geometry.bounds.height - 1 / 64))
                    let back = geometry.screenPoint(geometry.panelPosition(point))
                    worst = max(worst, abs(back.x - point.x), abs(back.y - point.y))
                }
                #expect(worst == 0, "\(width) × \(height) at \(rotation)")
            }
        }
    }

    @Test("rotating the panel clockwise moves its origin to the next screen corner")
    func corners() {
        func corner(_ rotation: Int) -> Point<ScreenSpace> {
            ScreenGeometry(width: 375, height: 667, rotation: rotation).screenPoint(.zero)
        }
        let (right, bottom) = (375 - 1.0 / 64, 667 - 1.0 / 64)
        #expect(corner(0) == Point(0, 0))
        #expect(corner(90) == Point(bottom, 0))
        #expect(corner(180) == Point(right, bottom))
        #expect(corner(270) == Point(0, right))
        #expect(corner(-90) == corner(270))
    }

    @Test("a position at the panel's edge maps onto the screen", arguments: [0, 90, 180, 270])
    func edges(rotation: Int) {
        for (width, height) in [(375.0, 667.0), (799.5, 479), (1000, 1.01), (1, 4096)] {
            let geometry = ScreenGeometry(width: width, height: height, rotation: rotation)
            for (x, y) in [(Fixed.zero, Fixed.one), (.one, .zero), (.one, .one), (.nan, Fixed(rawValue: .max))] {
                let point = geometry.screenPoint(Point(x, y))
                #expect(geometry.bounds.contains(point), "\(point) on \(width) × \(height)")
            }
        }
    }

    @Test("a screen point beyond the panel is clamped to its edge")
    func beyond() {
        let geometry = ScreenGeometry(width: 375, height: 667, rotation: 90)
        let position = geometry.panelPosition(Point(-20, 380.5))
        let (right, bottom) = (375 - 1.0 / 64, 667 - 1.0 / 64)
        #expect(geometry.screenPoint(position) == Point(0, right))
        let far = geometry.panelPosition(Point(1e300, -.infinity))
        #expect(geometry.screenPoint(far) == Point(bottom, 0))
        _ = geometry.panelPosition(Point(.nan, .nan))
    }
}
