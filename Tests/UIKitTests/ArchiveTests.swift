import Foundation
import Testing
import UIKit

@Suite
struct ArchiveTests {
    func copy<T: NSObject & NSSecureCoding>(_ object: T, secure: Bool) throws -> T? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: secure)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data)
    }

    @Test("an archived path keeps its elements and its line", arguments: [true, false])
    func path(secure: Bool) throws {
        let path = UIBezierPath(roundedRect: CGRect(x: 1, y: 2, width: 30, height: 40), cornerRadius: 5)
        path.addQuadCurve(to: CGPoint(x: -7.25, y: 1e300), controlPoint: CGPoint(x: 0.1, y: 3))
        path.close()
        (path.lineWidth, path.lineCapStyle, path.lineJoinStyle) = (4.5, .square, .bevel)
        (path.miterLimit, path.flatness, path.usesEvenOddFillRule) = (3, 0.25, true)
        path.setLineDash([1, 2.5], count: 2, phase: 0.5)
        let made = try #require(try copy(path, secure: secure))
        #expect(made.cgPath == path.cgPath)
        #expect(made.lineWidth == 4.5 && made.lineCapStyle == .square && made.lineJoinStyle == .bevel)
        #expect(made.miterLimit == 3 && made.flatness == 0.25 && made.usesEvenOddFillRule)
        var (dash, count, phase): ([CGFloat], Int, CGFloat) = ([0, 0], 0, 0)
        made.getLineDash(&dash, count: &count, phase: &phase)
        #expect(dash == [1, 2.5] && count == 2 && phase == 0.5)
    }

    @Test("an archived empty path is empty")
    func emptyPath() throws {
        #expect(try copy(UIBezierPath(), secure: true)?.isEmpty == true)
    }

    @Test("the path of a Bezier path can be cast to a mutable path")
    func mutablePath() throws {
        let path = UIBezierPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10))
        let mutable = try #require(path.cgPath as? CGMutablePath)
        mutable.addLine(to: CGPoint(x: 90, y: 90))
        #expect(path.bounds.maxX == 10)
    }

    @Test("an archived color keeps its components and its space", arguments: [true, false])
    func color(secure: Bool) throws {
        for color in [UIColor(red: 0.1, green: 1.5, blue: -0.25, alpha: 0.5), .darkGray, .clear, .systemBlue] {
            let made = try copy(color, secure: secure)
            #expect(made == color)
            #expect(made?.cgColor == color.cgColor)
        }
    }

    @Test("an archived font keeps its name, size and weight")
    func font() throws {
        for font in [UIFont.boldSystemFont(ofSize: 21), .systemFont(ofSize: 9, weight: .thin)] {
            let made = try copy(font, secure: true)
            #expect(made == font)
            #expect(made?.familyName == font.familyName)
        }
    }

    @Test("values inside a Codable type survive an archive as Data")
    func codable() throws {
        struct Line: Codable {
            var path: Data
            init(_ path: UIBezierPath) throws {
                self.path = try NSKeyedArchiver.archivedData(withRootObject: path, requiringSecureCoding: false)
            }
        }
        let path = UIBezierPath(ovalIn: CGRect(x: 0, y: 0, width: 3, height: 4))
        let data = try JSONEncoder().encode(Line(path))
        let line = try JSONDecoder().decode(Line.self, from: data)
        let made = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(line.path) as? UIBezierPath
        #expect(made?.cgPath == path.cgPath)
    }

    @Test("a copy of a view by an archive has its geometry, look and subviews")
    func view() throws {
        let view = UIView(frame: CGRect(x: 10, y: 20, width: 300, height: 200))
        view.transform = CGAffineTransform(rotationAngle: 0.5)
        (view.alpha, view.tag, view.backgroundColor) = (0.5, 7, .systemRed)
        (view.isUserInteractionEnabled, view.autoresizingMask) = (false, [.flexibleWidth, .flexibleTopMargin])
        let label = UILabel(frame: CGRect(x: 1, y: 2, width: 3, height: 4))
        (label.text, label.font, label.textColor) = ("title", .boldSystemFont(ofSize: 12), .systemBlue)
        let control = UIControl(frame: CGRect(x: 5, y: 5, width: 44, height: 44))
        (control.isEnabled, control.accessibilityIdentifier) = (false, "knob")
        view.addSubview(label)
        view.addSubview(control)
        let data = try NSKeyedArchiver.archivedData(withRootObject: view, requiringSecureCoding: false)
        let made = try #require(try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data) as? UIView)
        #expect(made.center == view.center && made.bounds == view.bounds && made.transform == view.transform)
        #expect(made.alpha == 0.5 && made.tag == 7 && made.backgroundColor == .systemRed)
        #expect(!made.isUserInteractionEnabled && made.autoresizingMask == view.autoresizingMask)
        let madeLabel = try #require(made.subviews.first as? UILabel)
        #expect(madeLabel.text == "title" && madeLabel.font == label.font && madeLabel.textColor == .systemBlue)
        #expect(madeLabel.frame == label.frame && !madeLabel.isUserInteractionEnabled)
        let madeControl = try #require(made.subviews.last as? UIControl)
        #expect(!madeControl.isEnabled && madeControl.accessibilityIdentifier == "knob")
    }

    @Test("a coder without keys makes no view")
    func plainCoder() {
        #expect(UIView(coder: NSCoder()) == nil)
        #expect(UIColor(coder: NSCoder()) == nil)
        #expect(UIBezierPath(coder: NSCoder()) == nil)
    }
}
