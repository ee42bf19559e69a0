import Basics
import Testing

@Suite("Positions of a display in a scene")
struct SceneGeometryTests {
    private let whole = Rect<DisplaySpace>(x: 0, y: 0, width: 375, height: 667)

    private func position(_ orientation: InterfaceOrientation, _ x: Double, _ y: Double) -> Point<SceneSpace> {
        SceneGeometry(frame: whole, orientation: orientation).scenePosition(Point(x, y))
    }

    @Test("a display's corners map to the scene's corner in each orientation")
    func corners() {
        #expect(position(.portrait, 10, 20) == Point(10, 20))
        #expect(position(.landscapeLeft, 10, 657) == Point(10, 10))
        #expect(position(.landscapeRight, 365, 10) == Point(10, 10))
        #expect(position(.portraitUpsideDown, 365, 657) == Point(10, 10))
    }

    @Test("a scene position counts from the corner of the scene's frame")
    func frame() {
        let right = Rect<DisplaySpace>(x: 187.5, y: 100, width: 187.5, height: 567)
        let upright = SceneGeometry(frame: right)
        #expect(upright.scenePosition(Point(200, 90)) == Point(12.5, -10))
        let turned = SceneGeometry(frame: right, orientation: .landscapeLeft)
        #expect(turned.scenePosition(Point(200, 110)) == Point(557, 12.5))
        for scene in [upright, turned] {
            #expect(scene.displayPosition(scene.scenePosition(Point(200, 110))) == Point(200, 110))
        }
        #expect(SceneGeometry.display.scenePosition(Point(200, 110)) == Point(200, 110))
    }

    @Test("a display position converts to the scene and back exactly", arguments: 1...4)
    func roundTrip(value: UInt8) throws {
        let orientation = try #require(InterfaceOrientation(rawValue: value))
        let scene = SceneGeometry(frame: whole, orientation: orientation)
        let size =
            orientation.isLandscape
            ? Rect<SceneSpace>(x: 0, y: 0, width: 667, height: 375) : Rect(x: 0, y: 0, width: 375, height: 667)
        let steps: (Int32) -> [Int32] = { length in Array(-2...2) + [length / 2, length - 1, length, length + 1] }
        for x in steps(375 * 64) + Array(stride(from: 0, to: 375 * 64, by: 7)) {
            for y in steps(667 * 64) + [1024, 40_001] {
                let position = Point<DisplaySpace>(Fixed(rawValue: x * 1024), Fixed(rawValue: y * 1024))
                let own = scene.scenePosition(position)
                #expect(scene.displayPosition(own) == position, "\(orientation) \(x) \(y)")
                // The converse is not checked: the display's far edge can map to an edge inside the scene.
                if whole.contains(position) { #expect(size.contains(own), "\(orientation) \(x) \(y)") }
            }
        }
    }
}
