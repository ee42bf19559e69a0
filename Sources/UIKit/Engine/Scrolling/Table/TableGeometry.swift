// TableGeometry.swift: the positions of a table's rows.
//
// Station   gesture
// Input     UITableView, when it reads its data
// Output    the row at a height, the rows between two heights, the span of a row
// Knows     heights, from top to bottom:
//
//     table header │ section header, rows, section footer │ … │ table footer
//
// Rows of one height are computed, and others are looked up: a table of a million even rows costs as much as a table of
// one.

package import Foundation

/// The heights of a table's content, in points.
package struct TableGeometry: Equatable, Sendable {
    /// The heights of a section's rows.
    package enum Heights: Equatable, Sendable {
        case even(CGFloat, count: Int)
        /// The end of each row, measured from the beginning of the first row.
        case uneven([CGFloat])

        package init(_ heights: [CGFloat]) {
            var end: CGFloat = 0
            self = .uneven(
                heights.map {
                    end += max(0, $0)
                    return end
                })
        }

        package var count: Int {
            switch self {
            case .even(_, let count): count
            case .uneven(let ends): ends.count
            }
        }

        var total: CGFloat {
            switch self {
            case .even(let height, let count): max(0, height) * CGFloat(count)
            case .uneven(let ends): ends.last ?? 0
            }
        }

        func span(of row: Int) -> Range<CGFloat> {
            switch self {
            case .even(let height, _):
                let height = max(0, height)
                return CGFloat(row) * height..<CGFloat(row + 1) * height
            case .uneven(let ends): return (row == 0 ? 0 : ends[row - 1])..<ends[row]
            }
        }

        /// The first row that ends below `y`; `count` if no row does.
        func row(endingBelow y: CGFloat) -> Int {
            switch self {
            case .even(let height, let count):
                guard height > 0 else { return count }
                return Int(min(max(0, (y / height).rounded(.down)), CGFloat(count)))
            case .uneven(let ends): return ends.partitionIndex { $0 <= y }
            }
        }
    }

    /// The heights of one section.
    package struct Section: Equatable, Sendable {
        /// Where the header of the section begins.
        package fileprivate(set) var top: CGFloat = 0
        package let header, footer: CGFloat
        package let rows: Heights

        package init(header: CGFloat = 0, rows: Heights, footer: CGFloat = 0) {
            (self.header, self.rows, self.footer) = (max(0, header), rows, max(0, footer))
        }

        package var height: CGFloat { header + rows.total + footer }
        package var firstRow: CGFloat { top + header }
    }

    package private(set) var sections: [Section]
    package let header, footer: CGFloat
    /// The height of the whole table.
    package let height: CGFloat

    package init(header: CGFloat = 0, sections: [Section] = [], footer: CGFloat = 0) {
        (self.header, self.footer) = (max(0, header), max(0, footer))
        self.sections = sections
        var top = max(0, header)
        for index in sections.indices {
            self.sections[index].top = top
            top += sections[index].height
        }
        height = top + max(0, footer)
    }

    /// Whether the table has such a row.
    package func contains(section: Int, row: Int) -> Bool {
        sections.indices.contains(section) && (0..<sections[section].rows.count).contains(row)
    }

    /// The span of an existing row.
    package func span(section: Int, row: Int) -> Range<CGFloat> {
        let section = sections[section]
        let span = section.rows.span(of: row)
        return section.firstRow + span.lowerBound..<section.firstRow + span.upperBound
    }

    /// The row at a height; nil between rows and beyond them.
    package func row(at y: CGFloat) -> (section: Int, row: Int)? {
        let index = sections.partitionIndex { $0.top + $0.height <= y }
        guard index < sections.count else { return nil }
        let section = sections[index]
        guard y >= section.firstRow else { return nil }
        let row = section.rows.row(endingBelow: y - section.firstRow)
        return row < section.rows.count ? (index, row) : nil
    }

    /// The rows that are at least partly between two heights, from top to bottom.
    package func rows(from low: CGFloat, to high: CGFloat) -> [(section: Int, row: Int)] {
        guard low < high else { return [] }
        var found: [(section: Int, row: Int)] = []
        var index = sections.partitionIndex { $0.top + $0.height <= low }
        while index < sections.count, sections[index].top < high {
            let section = sections[index]
            var row = section.rows.row(endingBelow: low - section.firstRow)
            while row < section.rows.count, section.firstRow + section.rows.span(of: row).lowerBound < high {
                found.append((index, row))
                row += 1
            }
            index += 1
        }
        return found
    }
}

extension Array {
    /// The number of elements that satisfy the condition. All of them must come before all others.
    fileprivate func partitionIndex(_ isSo: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSo(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
