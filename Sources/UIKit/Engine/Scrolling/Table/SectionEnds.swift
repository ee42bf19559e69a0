// SectionEnds.swift: the views above and below the rows of each section.
//
// Station   responder
// Input     UITableView
// Knows     each view that the delegate was asked for, once

import Foundation

struct SectionEnds {
    enum End { case header, footer }

    /// Nil as a value: the delegate has no view there.
    private var headers: [Int: UIView?] = [:]
    private var footers: [Int: UIView?] = [:]
    /// Those that are on the table.
    private(set) var views: [UIView] = []

    /// Nil if the delegate has not been asked.
    func known(_ end: End, of section: Int) -> UIView?? {
        switch end {
        case .header: headers[section]
        case .footer: footers[section]
        }
    }

    /// The delegate's answer.
    mutating func know(_ view: UIView?, as end: End, of section: Int) {
        switch end {
        case .header: headers[section] = .some(view)
        case .footer: footers[section] = .some(view)
        }
    }

    /// - Returns: Whether the view was not on the table.
    mutating func add(_ view: UIView) -> Bool {
        guard !views.contains(where: { $0 === view }) else { return false }
        views.append(view)
        return true
    }

    mutating func remove(_ view: UIView) { views.removeAll { $0 === view } }

    /// The delegate is asked again for the section's.
    mutating func forget(_ section: Int) { (headers[section], footers[section]) = (nil, nil) }

    mutating func forgetAll() { self = SectionEnds() }
}
