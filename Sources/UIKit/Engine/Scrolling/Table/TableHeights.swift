// TableHeights.swift: how tall rows, headers and footers are as far as the table itself says, in points.
//
// Input     UITableView's properties, which a subclass may override: UIKit reads them there
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
    /// Of a section's header and footer when they have a title.
    static let standardTitle: CGFloat = 28

    /// - Parameters:
    ///   - height: The delegate's.
    ///   - row: The table's, where the delegate's is automatic.
    static func row(_ height: CGFloat, else row: CGFloat) -> CGFloat {
        let automatic = UITableView.automaticDimension
        return height != automatic ? height : row != automatic ? row : standardRow
    }

    /// - Parameter isThere: Whether there is a title, or a view in its place.
    static func title(_ height: CGFloat, isThere: @autoclosure () -> Bool) -> CGFloat {
        guard height == UITableView.automaticDimension else { return height }
        return isThere() ? standardTitle : 0
    }
}
