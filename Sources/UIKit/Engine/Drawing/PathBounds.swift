// PathBounds.swift: the rectangles around a path.
//
// Sources   documented  CGPath.boundingBox contains control points, boundingBoxOfPath does not; both are null for an
//                       empty path

import Foundation

extension [PathElement] {
    /// The smallest upright rectangle around all points, control points included.
    var boxOfPoints: CGRect {
        let points = flatMap(\.points)
        return points.isEmpty ? .null : CGRect(around: points)
    }

    /// The smallest upright rectangle around the pieces of the path.
    var boxOfPieces: CGRect {
        var points: [CGPoint] = []
        for subpath in subpaths {
            points.append(subpath.start)
            for piece in subpath.pieces {
                points.append(piece.end)
                guard case .curve(let a, let b, let c, let d) = piece else { continue }
                let turns = turnsOfCurve(a.x, b.x, c.x, d.x) + turnsOfCurve(a.y, b.y, c.y, d.y)
                points += turns.map { pointOfCurve($0, (a, b, c, d)) }
            }
        }
        return points.isEmpty ? .null : CGRect(around: points)
    }
}
