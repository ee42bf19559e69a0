// SectionEnds.swift: the header and footer views of each section.
//
// Station   responder
// Input     UITableView
// Knows     the delegate's answers, so that the delegate is asked once for each view

import Foundation

struct SectionEnds {
    enum End { case header, footer }

    /// Nil as a value: the delegate has no view here.
    private var headers: [Int: UIView?] = [:]
    private var footers: [Int: UIView?] = [:]
    /// The views that are on the table.
    private(set) var views: [UIView] = []

    /// The delegate's answer; nil if the delegate has not been asked.
    func answer(for end: End, of section: Int) -> UIView?? {
        switch end {
        case .header: headers[section]
        case .footer: footers[section]
        }
    }

    /// Stores the delegate's answer.
    mutating func store(_ view: UIView?, as end: End, of section: Int) {
        switch end {
        case .header: headers[section] = .some(view)
        case .footer: footers[section] = .some(view)
        }
    }

    /// Adds a view.
    ///
    /// - Returns: Whether the view was not on the table.
    mutating func add(_ view: UIView) -> Bool {
        guard !views.contains(where: { $0 === view }) else { return false }
        views.append(view)
        return true
    }

    mutating func remove(_ view: UIView) { views.removeAll { $0 === view } }

    /// Forgets the answers for a section, so that the delegate is asked again.
    mutating func forget(_ section: Int) { (headers[section], footers[section]) = (nil, nil) }

    mutating func forgetAll() { self = SectionEnds() }
}
