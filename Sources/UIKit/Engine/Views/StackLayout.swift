// StackLayout.swift: how long each view of a stack is, and where it begins.
//
// Fed by    UIStackView, once a layout
// Knows     one axis: lengths and gaps, in points. No views.
//
// Sources   documented  UIStackView.Distribution
//           invented    what `fill` has over, or is short of, is the last view's, or shared by those without a length

package import Foundation

package enum StackLayout {
    package enum Distribution: CaseIterable, Sendable {
        case fill, fillEqually, fillProportionally, equalSpacing, equalCentering
    }

    package struct Span: Equatable, Sendable {
        package var start, length: CGFloat
        package init(start: CGFloat, length: CGFloat) { (self.start, self.length) = (start, length) }
    }

    /// - Parameters:
    ///   - lengths: What each view would be by itself, in order.
    ///   - gaps: Between each view and the next: one fewer.
    ///   - room: For all of it.
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

    /// All in all, at their own lengths.
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
        // The last gives way first, and no view is shorter than nothing.
        for index in lengths.indices.reversed() {
            let length = max(0, lengths[index] + surplus)
            surplus -= length - lengths[index]
            lengths[index] = length
            if surplus == 0 { break }
        }
        return lengths
    }
}
