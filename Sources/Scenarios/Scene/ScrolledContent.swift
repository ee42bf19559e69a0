// ScrolledContent.swift: a scroll view's delegate, and a table's rows: both print what they are told.
//
// Station   action
// Fed by    UIScrollView, UITableView
// Feeds     Probe: `scroll V willBeginDragging`, `select T row=2`
//
// Sources   documented  SEMANTICS 0.2 (select); invented: the lines of `scrolling`

import Trace
import UIKit

final class ScrolledContent: NSObject, UITableViewDelegate, UITableViewDataSource {
    private let probe: Probe
    private let rows: Int

    init(_ probe: Probe, rows: Int) { (self.probe, self.rows) = (probe, rows) }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { rows }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        tableView.dequeueReusableCell(withIdentifier: "row")
            ?? UITableViewCell(style: .default, reuseIdentifier: "row")
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        probe.print("select \(probe.name) row=\(indexPath.row)", .action)
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) { probe.didScroll(to: scrollView.contentOffset) }
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { probe.scroll("willBeginDragging") }
    func scrollViewWillEndDragging(
        _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) {
        let target = targetContentOffset.pointee
        probe.scroll("willEndDragging", " velocity=\(tenthsText(velocity)) target=\(tenthsText(target))")
    }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        probe.scroll("didEndDragging decelerate=\(decelerate ? "yes" : "no")")
    }
    func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) { probe.scroll("willBeginDecelerating") }
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { probe.scroll("didEndDecelerating") }
}

extension UIControl {
    /// As `value` prints it.
    var valueText: String {
        switch self {
        case let control as UISwitch: control.isOn ? "on" : "off"
        case let control as UISlider: numberText(CGFloat(control.value))
        case let control as UIStepper: numberText(CGFloat(control.value))
        case let control as UISegmentedControl: "\(control.selectedSegmentIndex)"
        case let control as UIPageControl: "\(control.currentPage)"
        default: "none"
        }
    }
}
