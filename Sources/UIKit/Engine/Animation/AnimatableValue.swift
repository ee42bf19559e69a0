// AnimatableValue.swift: a value of a property that an animation changes gradually, and the values between two of them.
//
// Input     properties of layers; fromValue, toValue and values of animations
// Output    the values of presentation layers
//
// Sources   documented  which properties are animatable: numbers, points, sizes, rectangles, colors, transforms, paths
//           inferred    a transform of the plane turns by its angle, as CATransform3D is interpolated by its parts
//           invented    values that have nothing in common change in the middle

import Foundation

enum AnimatableValue {
    /// A number, a point, a size or a rectangle.
    case numbers([CGFloat])
    case color(CGColor)
    case transform(CATransform3D)
    case path(CGPath)
    case list([AnimatableValue])
    /// A value that cannot change gradually.
    case other(Any)

    static func point(_ p: CGPoint) -> AnimatableValue { .numbers([p.x, p.y]) }
    static func size(_ s: CGSize) -> AnimatableValue { .numbers([s.width, s.height]) }
    static func rect(_ r: CGRect) -> AnimatableValue { .numbers([r.minX, r.minY, r.size.width, r.size.height]) }
    static func number(_ x: CGFloat) -> AnimatableValue { .numbers([x]) }

    init(_ value: Any) {
        switch value {
        case let known as AnimatableValue: self = known
        case let number as CGFloat: self = .number(number)
        case let number as Double: self = .number(CGFloat(number))
        case let number as Float: self = .number(CGFloat(number))
        case let number as Int: self = .number(CGFloat(number))
        case let number as NSNumber: self = .number(CGFloat(number.doubleValue))
        case let point as CGPoint: self = .point(point)
        case let size as CGSize: self = .size(size)
        case let rect as CGRect: self = .rect(rect)
        case let color as CGColor: self = .color(color)
        case let color as UIColor: self = .color(color.cgColor)
        case let transform as CATransform3D: self = .transform(transform)
        case let transform as CGAffineTransform: self = .transform(CATransform3DMakeAffineTransform(transform))
        case let path as CGPath: self = .path(path)
        case let path as UIBezierPath: self = .path(path.cgPath)
        case let values as [Any]: self = .list(values.map { AnimatableValue($0) })
        default: self = .other(value)
        }
    }

    /// The value at a part of the way to another one. A part beyond 0...1 overshoots.
    func part(_ t: CGFloat, to end: AnimatableValue) -> AnimatableValue {
        func mix(_ a: CGFloat, _ b: CGFloat) -> CGFloat { t == 1 ? b : a + (b - a) * t }
        switch (self, end) {
        case (.numbers(let a), .numbers(let b)) where a.count == b.count:
            return .numbers(zip(a, b).map { mix($0, $1) })
        case (.color(let a), .color(let b)):
            return .color(
                CGColor(
                    red: mix(a.red, b.red), green: mix(a.green, b.green), blue: mix(a.blue, b.blue),
                    alpha: mix(a.alpha, b.alpha)))
        case (.transform(let a), .transform(let b)): return .transform(a.part(t, to: b))
        case (.path(let a), .path(let b)):
            guard let elements = a.elements.part(t, to: b.elements) else { break }
            return .path(CGPath(elements))
        case (.list(let a), .list(let b)) where a.count == b.count:
            return .list(zip(a, b).map { $0.part(t, to: $1) })
        default: break
        }
        return t < 0.5 ? self : end
    }

    /// The sum of two values, for an additive animation. Other values than numbers and transforms are replaced.
    func adding(_ other: AnimatableValue) -> AnimatableValue {
        switch (self, other) {
        case (.numbers(let a), .numbers(let b)) where a.count == b.count: .numbers(zip(a, b).map { $0 + $1 })
        case (.transform(let a), .transform(let b)): .transform(CATransform3DConcat(b, a))
        default: other
        }
    }

    /// The numbers of another value, subtracted from this one's; nil if the two are no numbers.
    func difference(from other: AnimatableValue) -> [CGFloat]? {
        guard case .numbers(let a) = self, case .numbers(let b) = other, a.count == b.count else { return nil }
        return zip(a, b).map { $0 - $1 }
    }

    var number: CGFloat? { if case .numbers(let list) = self, list.count == 1 { list[0] } else { nil } }
    var point: CGPoint? {
        if case .numbers(let list) = self, list.count == 2 { CGPoint(x: list[0], y: list[1]) } else { nil }
    }
    var size: CGSize? { point.map { CGSize(width: $0.x, height: $0.y) } }
    var rect: CGRect? {
        guard case .numbers(let list) = self, list.count == 4 else { return nil }
        return CGRect(x: list[0], y: list[1], width: list[2], height: list[3])
    }
    var color: CGColor? { if case .color(let color) = self { color } else { nil } }
    var transform: CATransform3D? { if case .transform(let transform) = self { transform } else { nil } }
    var path: CGPath? { if case .path(let path) = self { path } else { nil } }

    /// The value for code that asks for it by its name: a number has the type of another one, or is a `Double`.
    func any(like other: Any?) -> Any {
        guard let number else { return any }
        return switch other {
        case is CGFloat: number
        case is Float: Float(number)
        case is Int: Int(number)
        default: Double(number)
        }
    }

    /// The value for code that asks for it by its name: a number is a `Double`.
    var any: Any {
        switch self {
        case .numbers(let list):
            switch list.count {
            case 1: Double(list[0])
            case 2: CGPoint(x: list[0], y: list[1])
            default: rect ?? CGRect.null
            }
        case .color(let color): color
        case .transform(let transform): transform
        case .path(let path): path
        case .list(let list): list.map(\.any)
        case .other(let value): value
        }
    }
}

extension AnimatableValue: Equatable {
    static func == (a: AnimatableValue, b: AnimatableValue) -> Bool {
        switch (a, b) {
        case (.numbers(let a), .numbers(let b)): a == b
        case (.color(let a), .color(let b)): a == b
        case (.transform(let a), .transform(let b)): a == b
        case (.path(let a), .path(let b)): a === b || a == b
        case (.list(let a), .list(let b)): a == b
        default: false
        }
    }
}

extension CATransform3D {
    /// The transform at a part of the way to another one.
    fileprivate func part(_ t: CGFloat, to end: CATransform3D) -> CATransform3D {
        if t == 0 { return self }
        if t == 1 { return end }
        if isAffine, end.isAffine, let a = TransformParts(affinePart), let b = TransformParts(end.affinePart) {
            return CATransform3DMakeAffineTransform(a.part(t, to: b).transform)
        }
        return CATransform3D(rows: zip(rows, end.rows).map { $0 + ($1 - $0) * t })
    }
}

/// A transform of the plane as a scale, a shear, a rotation and a translation, in this order.
struct TransformParts {
    var scale: CGSize
    var shear: CGFloat
    /// In radians.
    var rotation: CGFloat
    var translation: CGPoint

    /// Nil for a transform that makes the horizontal direction a point.
    init?(_ t: CGAffineTransform) {
        let width = hypot(t.a, t.b)
        guard width > 1e-12 else { return nil }
        let determinant = t.a * t.d - t.b * t.c
        rotation = atan2(t.b, t.a)
        scale = CGSize(width: width, height: determinant / width)
        shear = (t.a * t.c + t.b * t.d) / width
        translation = CGPoint(x: t.tx, y: t.ty)
    }

    var transform: CGAffineTransform {
        let (sine, cosine) = (sin(rotation), cos(rotation))
        return CGAffineTransform(
            a: scale.width * cosine, b: scale.width * sine, c: shear * cosine - scale.height * sine,
            d: shear * sine + scale.height * cosine, tx: translation.x, ty: translation.y)
    }

    /// The parts on the way, with the shorter rotation.
    fileprivate func part(_ t: CGFloat, to end: TransformParts) -> TransformParts {
        func mix(_ a: CGFloat, _ b: CGFloat) -> CGFloat { a + (b - a) * t }
        var made = self
        made.scale = CGSize(
            width: mix(scale.width, end.scale.width), height: mix(scale.height, end.scale.height))
        made.shear = mix(shear, end.shear)
        made.rotation = rotation + remainder(end.rotation - rotation, 2 * .pi) * t
        made.translation = translation.part(t, to: end.translation)
        return made
    }
}

extension [PathElement] {
    /// The elements at a part of the way to another path; nil if the two have different elements.
    fileprivate func part(_ t: CGFloat, to end: [PathElement]) -> [PathElement]? {
        guard count == end.count else { return nil }
        var made: [PathElement] = []
        for pair in zip(self, end) {
            switch pair {
            case (.move(let a), .move(let b)): made.append(.move(a.part(t, to: b)))
            case (.line(let a), .line(let b)): made.append(.line(a.part(t, to: b)))
            case (.quad(let c, let a), .quad(let d, let b)):
                made.append(.quad(control: c.part(t, to: d), a.part(t, to: b)))
            case (.curve(let c, let d, let a), .curve(let e, let f, let b)):
                made.append(.curve(control1: c.part(t, to: e), control2: d.part(t, to: f), a.part(t, to: b)))
            case (.close, .close): made.append(.close)
            default: return nil
            }
        }
        return made
    }
}
