import Foundation
import UIKit

/// A delegate that logs the calls of a scroll view or a table.
final class ScrollWitness: NSObject, UITableViewDelegate {
    let log: Log
    var logsScroll = false
    var zooms: UIView?
    var target: CGPoint?
    var onScroll: ((UIScrollView) -> Void)?
    var onEndDragging: ((UIScrollView) -> Void)?
    var onBeginDecelerating: ((UIScrollView) -> Void)?
    var onDisplay: ((UITableView, IndexPath) -> Void)?
    var onEndDisplay: ((UITableView, IndexPath) -> Void)?
    var makesHeader: ((Int) -> UIView?)?
    private(set) var velocity = CGPoint.zero
    private(set) var expected = CGPoint.zero

    init(_ log: Log) { self.log = log }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        if logsScroll { log.add("didScroll") }
        onScroll?(scrollView)
    }
    func scrollViewDidZoom(_ scrollView: UIScrollView) {}
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { log.add("willBeginDragging") }
    func scrollViewWillEndDragging(
        _ scrollView: UIScrollView, withVelocity velocity: CGPoint,
        targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) {
        log.add("willEndDragging")
        self.velocity = velocity
        expected = targetContentOffset.pointee
        if let target { targetContentOffset.pointee = target }
    }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        log.add("didEndDragging \(decelerate)")
        onEndDragging?(scrollView)
    }
    func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {
        log.add("willBeginDecelerating")
        onBeginDecelerating?(scrollView)
    }
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { log.add("didEndDecelerating") }
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) { log.add("didEndScrollingAnimation") }
    func viewForZooming(in scrollView: UIScrollView) -> UIView? { zooms }
    func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) { log.add("willBeginZooming") }
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
        log.add("didEndZooming \(scale)")
    }
    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
        makesHeader?(section)
    }
    func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {
        onDisplay?(tableView, indexPath)
    }
    func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath) {
        onEndDisplay?(tableView, indexPath)
    }
    func tableView(_ tableView: UITableView, didHighlightRowAt indexPath: IndexPath) {
        log.add("highlight \(indexPath.row)")
    }
    func tableView(_ tableView: UITableView, didUnhighlightRowAt indexPath: IndexPath) {
        log.add("unhighlight \(indexPath.row)")
    }
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        log.add("select row=\(indexPath.row)")
    }
    func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
        log.add("deselect row=\(indexPath.row)")
    }
}
