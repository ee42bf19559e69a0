import Testing
import UIKit

private func near(_ a: CGPoint, _ b: CGPoint) -> Bool { abs(a.x - b.x) < 1e-9 && abs(a.y - b.y) < 1e-9 }

@Suite("CGAffineTransform")
struct AffineTransformTests {
    let point = CGPoint(x: 3, y: 5)

    @Test("the identity transform changes nothing, and a fresh transform is all zeros")
    func identity() {
        #expect(point.applying(.identity) == point)
        #expect(CGAffineTransform.identity.isIdentity)
        #expect(CGAffineTransform() == CGAffineTransform(0, 0, 0, 0, 0, 0))
    }

    @Test("a quarter turn maps right to down")
    func rotation() {
        #expect(near(CGPoint(x: 1, y: 0).applying(CGAffineTransform(rotationAngle: .pi / 2)), CGPoint(x: 0, y: 1)))
    }

    @Test("translatedBy and scaledBy apply first, and concatenating applies last")
    func order() {
        let scale = CGAffineTransform(scaleX: 2, y: 2)
        #expect(point.applying(scale.translatedBy(x: 1, y: 0)) == CGPoint(x: 8, y: 10))
        let move = CGAffineTransform(translationX: 1, y: 0)
        #expect(point.applying(scale.concatenating(move)) == CGPoint(x: 7, y: 10))
        #expect(point.applying(move.scaledBy(x: 2, y: 2)) == CGPoint(x: 7, y: 10))
    }

    @Test("an inverted transform undoes, and a flat transform is its own inverse")
    func inverse() {
        let there = CGAffineTransform(rotationAngle: 0.3).scaledBy(x: 2, y: 0.5).translatedBy(x: 7, y: -9)
        #expect(near(point.applying(there).applying(there.inverted()), point))
        let flat = CGAffineTransform(scaleX: 0, y: 1)
        #expect(flat.inverted() == flat)
    }

    @Test("a transform turns and scales a size but does not move it")
    func size() {
        let t = CGAffineTransform(translationX: 9, y: 9).scaledBy(x: 2, y: 3)
        #expect(CGSize(width: 1, height: 1).applying(t) == CGSize(width: 2, height: 3))
    }

    @Test("a transformed rectangle is its bounding box, without negative sizes")
    func rect() {
        let rect = CGRect(x: 0, y: 0, width: 2, height: 4)
        let turned = rect.applying(CGAffineTransform(rotationAngle: .pi / 2))
        #expect(abs(turned.width - 4) < 1e-9 && abs(turned.height - 2) < 1e-9 && abs(turned.minX + 4) < 1e-9)
        #expect(rect.applying(CGAffineTransform(scaleX: -1, y: 1)) == CGRect(x: -2, y: 0, width: 2, height: 4))
        #expect(
            rect.applying(CGAffineTransform(translationX: 1, y: 1)) == CGRect(x: 1, y: 1, width: 2, height: 4))
    }

    @Test("negative insets grow a rectangle and positive insets shrink it")
    func insets() {
        let rect = CGRect(x: 100, y: 100, width: 100, height: 40)
        #expect(
            rect.inset(by: UIEdgeInsets(top: -10, left: -10, bottom: -10, right: -10))
                == CGRect(x: 90, y: 90, width: 120, height: 60))
        #expect(
            rect.inset(by: UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
                == CGRect(x: 102, y: 101, width: 94, height: 36))
    }
}
