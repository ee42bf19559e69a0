import UIKit

/// A sheet at the bottom of the screen that a finger drags between two heights. Its list scrolls when the sheet is open.
@MainActor
public final class SheetViewController: UIViewController {
    @objc public enum Detent: Int { case closed, open }

    public private(set) var detent = Detent.closed {
        didSet { if detent != oldValue { onChange?(detent) } }
    }
    public var onChange: ((Detent) -> Void)?

    public let list = UIScrollView()
    private let handle = UIView()
    private let sheet = UIView()
    private let closedHeight: CGFloat = 120
    private lazy var pan = UIPanGestureRecognizer(target: self, action: #selector(handlePan(_:)))
    private var startY: CGFloat = 0

    public override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .white
        sheet.accessibilityIdentifier = "sheet"
        handle.accessibilityIdentifier = "handle"
        list.accessibilityIdentifier = "list"
        list.contentSize = CGSize(width: view.bounds.width, height: 2000)
        list.isScrollEnabled = false
        list.delegate = self
        sheet.addSubview(list)
        sheet.addSubview(handle)
        view.addSubview(sheet)
        pan.delegate = self
        sheet.addGestureRecognizer(pan)
        handle.addGestureRecognizer(UITapGestureRecognizer(target: self, action: #selector(toggle)))
    }

    public override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        guard pan.state != .began, pan.state != .changed else { return }
        sheet.frame = CGRect(
            x: 0, y: top(of: detent), width: view.bounds.width, height: view.bounds.height - openTop)
        handle.frame = CGRect(x: 0, y: 0, width: sheet.bounds.width, height: 44)
        list.frame = CGRect(x: 0, y: 44, width: sheet.bounds.width, height: sheet.bounds.height - 44)
    }

    private var openTop: CGFloat { 100 }
    private func top(of detent: Detent) -> CGFloat {
        detent == .open ? openTop : view.bounds.height - closedHeight
    }

    @objc private func toggle() { move(to: detent == .open ? .closed : .open) }

    @objc private func handlePan(_ pan: UIPanGestureRecognizer) {
        switch pan.state {
        case .began:
            startY = sheet.frame.origin.y
        case .changed:
            let y = startY + pan.translation(in: view).y
            sheet.frame.origin.y = min(max(y, openTop), top(of: .closed))
        case .ended:
            let speed = pan.velocity(in: view).y
            let middle = (top(of: .open) + top(of: .closed)) / 2
            let isUp = abs(speed) > 300 ? speed < 0 : sheet.frame.minY < middle
            move(to: isUp ? .open : .closed)
        default:
            move(to: detent)
        }
    }

    private func move(to detent: Detent) {
        list.isScrollEnabled = detent == .open
        UIView.animate(withDuration: 0.3) {
            self.sheet.frame.origin.y = self.top(of: detent)
        } completion: { _ in
            Task { @MainActor in
                await Task.yield()
                self.detent = detent
            }
        }
    }
}

extension SheetViewController: UIGestureRecognizerDelegate, UIScrollViewDelegate {
    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool {
        otherGestureRecognizer === list.panGestureRecognizer
    }

    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        guard gestureRecognizer === pan else { return true }
        // An open sheet moves only from its handle, or when its list is at the top and the finger moves down.
        if detent == .closed || pan.location(in: sheet).y < 44 { return true }
        return list.contentOffset.y <= 0 && pan.velocity(in: view).y > 0
    }
}
