import Foundation
import Testing
import UIKit

@Suite("UIStackView")
struct StackTests {
    private func views(_ widths: CGFloat...) -> [UIView] {
        widths.map { UIView(frame: CGRect(x: 7, y: 7, width: $0, height: 20)) }
    }

    private func stack(_ views: [UIView], _ change: (UIStackView) -> Void = { _ in }) -> UIStackView {
        let stack = UIStackView(arrangedSubviews: views)
        stack.frame = CGRect(x: 0, y: 0, width: 300, height: 50)
        change(stack)
        stack.layoutIfNeeded()
        return stack
    }

    private func columns(_ stack: UIStackView) -> [[CGFloat]] {
        stack.arrangedSubviews.map { [$0.frame.minX, $0.frame.width] }
    }

    @Test("a stack shares its room by its distribution", arguments: [UIStackView.Distribution.fill, .equalSpacing])
    func distributions(distribution: UIStackView.Distribution) {
        let stack = stack(views(40, 60, 100)) {
            $0.spacing = 10
            $0.distribution = distribution
        }
        let filled: [[CGFloat]] = [[0, 40], [50, 60], [120, 180]]
        let spaced: [[CGFloat]] = [[0, 40], [90, 60], [200, 100]]
        #expect(columns(stack) == (distribution == .fill ? filled : spaced))
    }

    @Test("equal lengths share a stack's room, and proportional ones keep their ratio")
    func shares() {
        func lengths(_ distribution: StackLayout.Distribution) -> [CGFloat] {
            StackLayout.spans(lengths: [40, 60, 100], gaps: [10, 10], room: 300, distribution)
                .map { ($0.length * 1000).rounded() / 1000 }
        }
        #expect(lengths(.fillEqually) == [93.333, 93.333, 93.333])
        #expect(lengths(.fillProportionally) == [56, 84, 140])
        #expect(lengths(.equalCentering) == [40, 60, 100])
    }

    @Test("equal centering keeps centers equally far apart, no nearer than gaps")
    func centres() {
        func starts(_ room: CGFloat) -> [CGFloat] {
            StackLayout.spans(lengths: [40, 60, 100], gaps: [10, 10], room: room, .equalCentering).map(\.start)
        }
        #expect(starts(300) == [0, 105, 200])
        #expect(starts(100) == [0, 80, 150])
    }

    @Test("a view without a length fills a stack, and the last shrinks")
    func filling() {
        #expect(columns(stack(views(40, 0, 60))) == [[0, 40], [40, 200], [240, 60]])
        #expect(columns(stack(views(200, 150, 30))) == [[0, 200], [200, 100], [300, 0]])
    }

    @Test("a stack aligns its views across its axis")
    func alignment() {
        func place(_ alignment: UIStackView.Alignment) -> [CGFloat] {
            let frame = stack(views(40)) { $0.alignment = alignment }.arrangedSubviews[0].frame
            return [frame.minY, frame.height]
        }
        #expect(place(.fill) == [0, 50] && place(.top) == [0, 20])
        #expect(place(.center) == [15, 20] && place(.bottom) == [30, 20])
    }

    @Test("a vertical stack arranges its views in a column")
    func column() {
        let stack = stack(views(40, 60)) {
            $0.axis = .vertical
            $0.spacing = 4
            $0.alignment = .leading
        }
        #expect(stack.arrangedSubviews.map(\.frame.minY) == [0, 24])
        #expect(stack.arrangedSubviews.map(\.frame.width) == [40, 60])
    }

    @Test("a hidden view takes no room in a stack until shown")
    func hidden() {
        let stack = stack(views(40, 60, 100)) { $0.distribution = .equalSpacing }
        stack.arrangedSubviews[1].isHidden = true
        stack.layoutIfNeeded()
        #expect(stack.arrangedSubviews[2].frame.minX == 200 && stack.arrangedSubviews.count == 3)
        stack.arrangedSubviews[1].isHidden = false
        stack.layoutIfNeeded()
        #expect(stack.arrangedSubviews[1].frame == CGRect(x: 90, y: 0, width: 60, height: 50))
    }

    @Test("a custom spacing replaces the stack's spacing after one view")
    func customSpacing() {
        let stack = stack(views(40, 60, 100)) {
            $0.spacing = 10
            $0.setCustomSpacing(30, after: $0.arrangedSubviews[0])
        }
        #expect(columns(stack) == [[0, 40], [70, 60], [140, 160]])
        #expect(stack.customSpacing(after: stack.arrangedSubviews[1]) == UIStackView.spacingUseDefault)
    }

    @Test("removing a subview removes it from a stack's arranged views")
    func membership() {
        let views = views(40, 60, 100)
        let stack = stack(views)
        #expect(stack.subviews == views)
        stack.removeArrangedSubview(views[0])
        #expect(stack.arrangedSubviews == [views[1], views[2]] && views[0].superview === stack)
        views[1].removeFromSuperview()
        #expect(stack.arrangedSubviews == [views[2]])
        stack.insertArrangedSubview(views[0], at: 0)
        #expect(stack.arrangedSubviews == [views[0], views[2]])
        stack.addArrangedSubview(views[0])
        #expect(stack.arrangedSubviews == [views[2], views[0]])
    }

    @Test("a nested stack has the size of its arranged views")
    func nested() {
        let inner = UIStackView(arrangedSubviews: views(40, 60))
        inner.spacing = 5
        let outer = stack([inner] + views(10)) { $0.alignment = .center }
        #expect(inner.frame == CGRect(x: 0, y: 15, width: 105, height: 20))
        #expect(outer.arrangedSubviews[1].frame.minX == 105)
        #expect(UIStackView().sizeThatFits(.zero) == .zero)
    }

    @Test("a touch lands on an arranged view where the stack put it")
    func touches() {
        let stage = Stage()
        let (left, right) = (ProbeView("left", .zero, stage.log), ProbeView("right", .zero, stage.log))
        let stack = UIStackView(arrangedSubviews: [left, right])
        stack.distribution = .fillEqually
        stack.frame = CGRect(x: 0, y: 0, width: 200, height: 40)
        stage.add(stack)
        stage.tap(150, 20)
        #expect(stage.log.drain() == ["touchesBegan right", "touchesEnded right"])
    }
}
