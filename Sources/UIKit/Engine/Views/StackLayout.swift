// StackLayout.swift: the length of each view of a stack, and where it begins.
//
// Input     UIStackView, once for each layout
// Output    one span for each view
// Knows     one axis: lengths and gaps, in points. No views.
//
// Sources   documented  UIStackView.Distribution
//           invented    with `fill`, views without a length share a surplus; otherwise the last view gets it, or loses
//                       what is missing

package import Foundation

/// Lays out one axis of a stack.
package enum StackLayout {
    /// How a stack distributes its views.
    package enum Distribution: CaseIterable, Sendable {
        case fill, fillEqually, fillProportionally, equalSpacing, equalCentering
    }

    /// The position of one view, in points from the stack's beginning.
    package struct Span: Equatable, Sendable {
        package var start, length: CGFloat
        package init(start: CGFloat, length: CGFloat) { (self.start, self.length) = (start, length) }
    }

    /// Returns the spans of the views, in their order.
    ///
    /// - Parameters:
    ///   - lengths: The intrinsic length of each view, in order.
    ///   - gaps: The gap between each view and the next: one fewer than views.
    ///   - room: The length of the stack.
    package static func spans(
        lengths: [CGFloat], gaps: [CGFloat], room: CGFloat, _ distribution: Distribution
    ) -> [Span] {
        guard !lengths.isEmpty else { return [] }
        precondition(gaps.count == lengths.count - 1, "\(lengths.count) views have \(gaps.count) gaps between them")
        let count = CGFloat(lengths.count)
        let (total, gap) = (lengths.reduce(0, +), gaps.reduce(0, +))
        let left = max(0, room - gap)
        switch distribution {
        case .fill: return row(filled(lengths, by: left - total), gaps)
        case .fillEqually: return row(lengths.map { _ in left / count }, gaps)
        case .fillProportionally:
            return row(lengths.map { total > 0 ? left * $0 / total : left / count }, gaps)
        case .equalSpacing:
            let even = count > 1 ? (room - total) / (count - 1) : 0
            return row(lengths, gaps.map { max($0, even) })
        case .equalCentering:
            guard count > 1 else { return row(lengths, gaps) }
            let (first, last) = (lengths[0] / 2, lengths[lengths.count - 1] / 2)
            let step = (room - first - last) / (count - 1)
            let needed = gaps.indices.map { lengths[$0] / 2 + gaps[$0] + lengths[$0 + 1] / 2 }.max() ?? 0
            return lengths.enumerated().map { index, length in
                Span(start: first + CGFloat(index) * max(step, needed) - length / 2, length: length)
            }
        }
    }

    /// The sum of lengths and gaps: the intrinsic length of the stack.
    package static func length(_ lengths: [CGFloat], gaps: [CGFloat]) -> CGFloat {
        lengths.reduce(0, +) + gaps.reduce(0, +)
    }

    private static func row(_ lengths: [CGFloat], _ gaps: [CGFloat]) -> [Span] {
        var start: CGFloat = 0
        return lengths.enumerated().map { index, length in
            defer { start += length + (index < gaps.count ? gaps[index] : 0) }
            return Span(start: start, length: length)
        }
    }

    private static func filled(_ lengths: [CGFloat], by surplus: CGFloat) -> [CGFloat] {
        let empty = lengths.filter { $0 == 0 }.count
        if surplus > 0, empty > 0 { return lengths.map { $0 == 0 ? surplus / CGFloat(empty) : $0 } }
        var (lengths, surplus) = (lengths, surplus)
        // The last view shrinks first, and no view is shorter than zero.
        for index in lengths.indices.reversed() {
            let length = max(0, lengths[index] + surplus)
            surplus -= length - lengths[index]
            lengths[index] = length
            if surplus == 0 { break }
        }
        return lengths
    }
}
