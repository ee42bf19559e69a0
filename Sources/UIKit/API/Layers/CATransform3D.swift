// CATransform3D.swift: the transform of Core Animation in three dimensions.
//
//     [x y z 1] × | m11 m12 m13 m14 |
//                 | m21 m22 m23 m24 |
//                 | m31 m32 m33 m34 |
//                 | m41 m42 m43 m44 |
//
// Positions of layers use the projection along z, without perspective: m11, m12, m21, m22, m41 and m42.
//
// Sources   documented  CATransform3D; CATransform3DTranslate and its like apply the new step first

public import Foundation

/// A transform in three dimensions.
public struct CATransform3D: Hashable, Sendable {
    public var m11, m12, m13, m14: CGFloat
    public var m21, m22, m23, m24: CGFloat
    public var m31, m32, m33, m34: CGFloat
    public var m41, m42, m43, m44: CGFloat

    public init(
        m11: CGFloat, m12: CGFloat, m13: CGFloat, m14: CGFloat, m21: CGFloat, m22: CGFloat, m23: CGFloat,
        m24: CGFloat, m31: CGFloat, m32: CGFloat, m33: CGFloat, m34: CGFloat, m41: CGFloat, m42: CGFloat,
        m43: CGFloat, m44: CGFloat
    ) {
        (self.m11, self.m12, self.m13, self.m14) = (m11, m12, m13, m14)
        (self.m21, self.m22, self.m23, self.m24) = (m21, m22, m23, m24)
        (self.m31, self.m32, self.m33, self.m34) = (m31, m32, m33, m34)
        (self.m41, self.m42, self.m43, self.m44) = (m41, m42, m43, m44)
    }

    /// Makes a transform whose entries are all 0. It is not the identity.
    public init() { self.init(rows: Array(repeating: 0, count: 16)) }

    init(rows m: [CGFloat]) {
        self.init(
            m11: m[0], m12: m[1], m13: m[2], m14: m[3], m21: m[4], m22: m[5], m23: m[6], m24: m[7], m31: m[8],
            m32: m[9], m33: m[10], m34: m[11], m41: m[12], m42: m[13], m43: m[14], m44: m[15])
    }

    var rows: [CGFloat] {
        [m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44]
    }

    /// The projection along z, without perspective.
    var affinePart: CGAffineTransform { CGAffineTransform(a: m11, b: m12, c: m21, d: m22, tx: m41, ty: m42) }

    /// Whether the transform only concerns x and y, without perspective.
    var isAffine: Bool { self == CATransform3DMakeAffineTransform(affinePart) }
}

/// The transform that changes nothing.
public let CATransform3DIdentity = CATransform3DMakeAffineTransform(.identity)

/// The transform in space that does the same in the plane.
public func CATransform3DMakeAffineTransform(_ m: CGAffineTransform) -> CATransform3D {
    CATransform3D(rows: [m.a, m.b, 0, 0, m.c, m.d, 0, 0, 0, 0, 1, 0, m.tx, m.ty, 0, 1])
}

/// Whether an affine transform does the same in the plane.
public func CATransform3DIsAffine(_ t: CATransform3D) -> Bool { t.isAffine }
/// What the transform does in the plane.
public func CATransform3DGetAffineTransform(_ t: CATransform3D) -> CGAffineTransform { t.affinePart }
/// Whether the transform changes nothing.
public func CATransform3DIsIdentity(_ t: CATransform3D) -> Bool { t == CATransform3DIdentity }
/// Whether all elements are equal.
public func CATransform3DEqualToTransform(_ a: CATransform3D, _ b: CATransform3D) -> Bool { a == b }

/// Makes a translation, in points.
public func CATransform3DMakeTranslation(_ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
    CATransform3D(rows: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, tx, ty, tz, 1])
}

/// Makes a scale by a factor for each axis.
public func CATransform3DMakeScale(_ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
    CATransform3D(rows: [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0, 0, 0, 0, 1])
}

/// Makes a rotation about the vector (x, y, z); the identity if the vector has no length.
///
/// - Parameters:
///   - angle: In radians.
///   - x: The first coordinate of the vector.
///   - y: The second coordinate of the vector.
///   - z: The third coordinate of the vector.
public func CATransform3DMakeRotation(_ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> CATransform3D {
    let length = (x * x + y * y + z * z).squareRoot()
    guard length > 0 else { return CATransform3DIdentity }
    let (x, y, z) = (x / length, y / length, z / length)
    let (s, c) = (sin(angle), cos(angle))
    let r = 1 - c
    return CATransform3D(rows: [
        x * x * r + c, x * y * r + z * s, x * z * r - y * s, 0, x * y * r - z * s, y * y * r + c, y * z * r + x * s, 0,
        x * z * r + y * s, y * z * r - x * s, z * z * r + c, 0, 0, 0, 0, 1,
    ])
}

/// The transform that applies `a` first, and then `b`.
public func CATransform3DConcat(_ a: CATransform3D, _ b: CATransform3D) -> CATransform3D {
    let (a, b) = (a.rows, b.rows)
    return CATransform3D(
        rows: (0..<16).map { index in
            let (row, column) = (index / 4 * 4, index % 4)
            return (0..<4).reduce(0) { $0 + a[row + $1] * b[$1 * 4 + column] }
        })
}

/// The transform that applies a translation first, and then `t`.
public func CATransform3DTranslate(
    _ t: CATransform3D, _ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat
) -> CATransform3D { CATransform3DConcat(CATransform3DMakeTranslation(tx, ty, tz), t) }

/// The transform that applies a scale first, and then `t`.
public func CATransform3DScale(_ t: CATransform3D, _ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeScale(sx, sy, sz), t)
}

/// The transform that applies a rotation first, and then `t`.
public func CATransform3DRotate(
    _ t: CATransform3D, _ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat
) -> CATransform3D { CATransform3DConcat(CATransform3DMakeRotation(angle, x, y, z), t) }

/// The inverse, or the transform itself if it has none. Elimination by rows, with the greatest pivot.
public func CATransform3DInvert(_ t: CATransform3D) -> CATransform3D {
    var (m, inverse) = (t.rows, CATransform3DIdentity.rows)
    for column in 0..<4 {
        let pivot = (column..<4).max { abs(m[$0 * 4 + column]) < abs(m[$1 * 4 + column]) } ?? column
        guard m[pivot * 4 + column] != 0 else { return t }
        for k in 0..<4 {
            m.swapAt(pivot * 4 + k, column * 4 + k)
            inverse.swapAt(pivot * 4 + k, column * 4 + k)
        }
        let divisor = m[column * 4 + column]
        for k in 0..<4 {
            m[column * 4 + k] /= divisor
            inverse[column * 4 + k] /= divisor
        }
        for row in 0..<4 where row != column {
            let factor = m[row * 4 + column]
            for k in 0..<4 {
                m[row * 4 + k] -= factor * m[column * 4 + k]
                inverse[row * 4 + k] -= factor * inverse[column * 4 + k]
            }
        }
    }
    return CATransform3D(rows: inverse)
}
