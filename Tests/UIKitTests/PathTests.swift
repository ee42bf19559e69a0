import Foundation
import Testing
import UIKit

@Suite("Paths")
struct PathTests {
    private func expectNear(_ a: CGRect, _ b: CGRect, _ location: SourceLocation = #_sourceLocation) {
        let differences = [a.minX - b.minX, a.minY - b.minY, a.width - b.width, a.height - b.height]
        #expect(differences.allSatisfy { abs($0) < 1e-9 }, "\(a) is not \(b)", sourceLocation: location)
    }

    private func expectNear(_ a: CGPoint, _ b: CGPoint, _ location: SourceLocation = #_sourceLocation) {
        #expect(abs(a.x - b.x) < 1e-9 && abs(a.y - b.y) < 1e-9, "\(a) is not \(b)", sourceLocation: location)
    }

    private func path(_ build: (CGMutablePath) -> Void) -> CGMutablePath {
        let made = CGMutablePath()
        build(made)
        return made
    }

    @Test("a bounding box contains control points, the box of the path does not")
    func boxes() {
        let quad = path {
            $0.move(to: .zero)
            $0.addQuadCurve(to: CGPoint(x: 100, y: 0), control: CGPoint(x: 50, y: 100))
        }
        #expect(quad.boundingBox == CGRect(x: 0, y: 0, width: 100, height: 100))
        expectNear(quad.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 100, height: 50))
        let cubic = path {
            $0.move(to: .zero)
            $0.addCurve(
                to: CGPoint(x: 100, y: 0), control1: CGPoint(x: 0, y: 100), control2: CGPoint(x: 100, y: 100))
        }
        expectNear(cubic.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 100, height: 75))
        #expect(CGMutablePath().boundingBox.isNull && CGMutablePath().boundingBoxOfPath.isNull)
        let circle = CGPath(ellipseIn: CGRect(x: 10, y: 20, width: 40, height: 60), transform: nil)
        expectNear(circle.boundingBoxOfPath, CGRect(x: 10, y: 20, width: 40, height: 60))
    }

    @Test("a circle contains the points up to its radius")
    func circle() {
        let circle = UIBezierPath(ovalIn: CGRect(x: 0, y: 0, width: 100, height: 100))
        for (x, y, isInside) in [
            (50.0, 50.0, true), (85.3, 85.3, true), (85.4, 85.4, false), (0.01, 50, true), (-0.01, 50, false),
            (99.99, 50, true), (50, 0.01, true), (50, 100.01, false), (14.7, 14.7, true), (14.6, 14.6, false),
        ] {
            #expect(circle.contains(CGPoint(x: x, y: y)) == isInside, "\(x) \(y)")
        }
    }

    @Test("a rectangle contains its left and top edges only")
    func edges() {
        let rect = CGPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10), transform: nil)
        #expect(rect.contains(CGPoint(x: 5, y: 0)) && !rect.contains(CGPoint(x: 5, y: 10)))
        let diamond = path {
            $0.addLines(between: [
                CGPoint(x: 0, y: 50), CGPoint(x: 50, y: 0), CGPoint(x: 100, y: 50), CGPoint(x: 50, y: 100),
            ])
        }
        // The ray passes through a corner.
        #expect(diamond.contains(CGPoint(x: 1, y: 50)) && !diamond.contains(CGPoint(x: -1, y: 50)))
        #expect(!diamond.contains(CGPoint(x: 0, y: 0)) && !diamond.contains(CGPoint(x: 120, y: 50)))
    }

    @Test("winding and even-odd differ where a path overlaps itself")
    func rules() {
        let star = path { star in
            for index in 0..<5 {
                let angle = CGFloat(index) * 4 * .pi / 5
                let point = CGPoint(x: 50 * sin(angle), y: -50 * cos(angle))
                if index == 0 { star.move(to: point) } else { star.addLine(to: point) }
            }
            star.closeSubpath()
        }
        #expect(star.contains(.zero) && !star.contains(.zero, using: .evenOdd))
        #expect(star.contains(CGPoint(x: 0, y: -40), using: .evenOdd))
        let ring = UIBezierPath(rect: CGRect(x: 0, y: 0, width: 100, height: 100))
        ring.append(UIBezierPath(rect: CGRect(x: 25, y: 25, width: 50, height: 50)))
        #expect(ring.contains(CGPoint(x: 50, y: 50)))
        ring.usesEvenOddFillRule = true
        #expect(!ring.contains(CGPoint(x: 50, y: 50)) && ring.contains(CGPoint(x: 10, y: 50)))
        let hole = UIBezierPath(rect: CGRect(x: 0, y: 0, width: 100, height: 100))
        hole.append(UIBezierPath(rect: CGRect(x: 25, y: 25, width: 50, height: 50)).reversing())
        #expect(!hole.contains(CGPoint(x: 50, y: 50)) && hole.contains(CGPoint(x: 10, y: 50)))
    }

    @Test("a clockwise arc of UIBezierPath follows growing angles")
    func arcs() {
        let quarter = UIBezierPath(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: true)
        expectNear(quarter.currentPoint, CGPoint(x: 0, y: 10))
        expectNear(quarter.cgPath.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 10, height: 10))
        let rest = UIBezierPath(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: false)
        expectNear(rest.currentPoint, CGPoint(x: 0, y: 10))
        expectNear(rest.cgPath.boundingBoxOfPath, CGRect(x: -10, y: -10, width: 20, height: 20))
        let full = UIBezierPath(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
        #expect(full.contains(.zero) && full.contains(CGPoint(x: -7, y: -7)))
        let wrapped = UIBezierPath(
            arcCenter: .zero, radius: 10, startAngle: 1.5 * .pi, endAngle: 0, clockwise: true)
        expectNear(wrapped.cgPath.boundingBoxOfPath, CGRect(x: 0, y: -10, width: 10, height: 10))
        let tangents = path {
            $0.move(to: .zero)
            $0.addArc(tangent1End: CGPoint(x: 100, y: 0), tangent2End: CGPoint(x: 100, y: 100), radius: 20)
        }
        expectNear(tangents.currentPoint, CGPoint(x: 100, y: 20))
        expectNear(tangents.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 100, height: 20))
    }

    @Test("a rounded rectangle is cut at its rounded corners only")
    func roundedRects() {
        let rect = CGRect(x: 0, y: 0, width: 100, height: 50)
        let one = UIBezierPath(
            roundedRect: rect, byRoundingCorners: [.topLeft], cornerRadii: CGSize(width: 10, height: 10))
        #expect(!one.contains(CGPoint(x: 1, y: 1)) && one.contains(CGPoint(x: 99, y: 1)))
        #expect(one.contains(CGPoint(x: 1, y: 49)) && one.contains(CGPoint(x: 99, y: 49)))
        #expect(one.bounds == rect)
        // The radius is limited to half of the height.
        let pill = UIBezierPath(roundedRect: rect, cornerRadius: 40)
        #expect(!pill.contains(CGPoint(x: 5, y: 5)) && pill.contains(CGPoint(x: 25, y: 0.5)))
    }

    @Test("a transformed copy leaves its original alone")
    func copies() throws {
        let original = UIBezierPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10))
        original.lineWidth = 3
        let copy = try #require(original.copy() as? UIBezierPath)
        copy.apply(CGAffineTransform(translationX: 100, y: 0))
        #expect(copy.lineWidth == 3 && copy.bounds.minX == 100 && original.bounds.minX == 0)
        var scale = CGAffineTransform(scaleX: 2, y: 2)
        let scaled = original.cgPath.copy(using: &scale)
        #expect(scaled?.boundingBox == CGRect(x: 0, y: 0, width: 20, height: 20))
        #expect(original.cgPath == CGPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10), transform: nil))
    }

    @Test("after a closed subpath the next line starts at its first point")
    func closing() {
        let path = path {
            $0.addLine(to: CGPoint(x: 5, y: 5))
            $0.move(to: CGPoint(x: 1, y: 2))
            $0.addLine(to: CGPoint(x: 9, y: 2))
            $0.closeSubpath()
        }
        #expect(path.currentPoint == CGPoint(x: 1, y: 2))
        path.addLine(to: CGPoint(x: 1, y: 9))
        var kinds: [CGPathElementType] = []
        var ends: [CGPoint] = []
        path.applyWithBlock { element in
            kinds.append(element.pointee.type)
            if element.pointee.type != .closeSubpath { ends.append(element.pointee.points[0]) }
        }
        #expect(kinds == [.moveToPoint, .addLineToPoint, .closeSubpath, .moveToPoint, .addLineToPoint])
        #expect(ends.map(\.y) == [2, 2, 2, 9])
    }

    @Test("the area of a line has its caps and corners")
    func strokes() {
        let line = path { $0.addLines(between: [.zero, CGPoint(x: 100, y: 0)]) }
        func stroked(_ path: CGPath, _ cap: CGLineCap, _ join: CGLineJoin) -> CGPath {
            path.copy(strokingWithWidth: 10, lineCap: cap, lineJoin: join, miterLimit: 10)
        }
        expectNear(
            stroked(line, .butt, .miter).boundingBoxOfPath, CGRect(x: 0, y: -5, width: 100, height: 10))
        let (round, square) = (stroked(line, .round, .miter), stroked(line, .square, .miter))
        expectNear(round.boundingBoxOfPath, CGRect(x: -5, y: -5, width: 110, height: 10))
        expectNear(square.boundingBoxOfPath, CGRect(x: -5, y: -5, width: 110, height: 10))
        #expect(!round.contains(CGPoint(x: -4, y: -4)) && square.contains(CGPoint(x: -4, y: -4)))
        let corner = path {
            $0.addLines(between: [.zero, CGPoint(x: 100, y: 0), CGPoint(x: 100, y: 100)])
        }
        let tip = CGPoint(x: 104, y: -4)
        #expect(stroked(corner, .butt, .miter).contains(tip) && !stroked(corner, .butt, .round).contains(tip))
        #expect(stroked(corner, .butt, .round).contains(CGPoint(x: 103, y: -3)))
        #expect(!stroked(corner, .butt, .bevel).contains(CGPoint(x: 103, y: -3)))
        #expect(stroked(corner, .butt, .bevel).contains(CGPoint(x: 96, y: 50)))
        let circle = CGPath(ellipseIn: CGRect(x: 0, y: 0, width: 100, height: 100), transform: nil)
        let ring = stroked(circle, .butt, .miter)
        #expect(ring.contains(CGPoint(x: -4, y: 50)) && !ring.contains(CGPoint(x: 50, y: 50)))
    }
}
