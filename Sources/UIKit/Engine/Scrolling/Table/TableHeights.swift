// TableHeights.swift: the table's own heights for rows, headers and footers, in points.
//
// Station   gesture
// Input     UITableView's properties. UIKit reads the properties, because a subclass may override them.
// Output    TableGeometry
//
// Sources   documented  automaticDimension

import Foundation

struct TableHeights {
    var row = UITableView.automaticDimension
    var estimatedRow = UITableView.automaticDimension
    var header = UITableView.automaticDimension
    var footer = UITableView.automaticDimension

    static let standardRow: CGFloat = 44
    /// The height of a section's header or footer with a title.
    static let standardTitle: CGFloat = 28

    /// The height of a row.
    ///
    /// - Parameters:
    ///   - height: The delegate's height.
    ///   - row: The table's height, used if the delegate's is automatic.
    static func row(_ height: CGFloat, else row: CGFloat) -> CGFloat {
        let automatic = UITableView.automaticDimension
        return height != automatic ? height : row != automatic ? row : standardRow
    }

    /// The height of a header or a footer.
    ///
    /// - Parameter isThere: Whether there is a title, or a view in its place.
    static func title(_ height: CGFloat, isThere: @autoclosure () -> Bool) -> CGFloat {
        guard height == UITableView.automaticDimension else { return height }
        return isThere() ? standardTitle : 0
    }
}
