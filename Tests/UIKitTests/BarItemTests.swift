import Testing

@testable import UIKit

private final class Page: UIViewController {
    var saved: [String] = []
    func save(_ sender: UIBarButtonItem) { saved.append(sender.title ?? "") }
}

@Suite("items of bars")
struct BarItemTests {
    @Test("an item's action reaches its target")
    func action() {
        let page = Page()
        page.navigationItem.rightBarButtonItem = UIBarButtonItem(
            barButtonSystemItem: .save, target: page, action: Selector("save:", Page.save(_:)))
        let item = page.navigationItem.rightBarButtonItem!
        let application = UIApplication()
        #expect(application.sendAction(item.action!, to: item.target, from: item, for: nil))
        #expect(page.saved == ["Save"])
        #expect(page.navigationItem.rightBarButtonItems?.count == 1)
    }

    @Test("an item does not retain its target")
    func target() {
        var page: Page? = Page()
        let item = UIBarButtonItem(title: "Save", style: .done, target: page, action: Selector("save:", Page.save(_:)))
        page = nil
        #expect(item.target == nil && item.style == .done)
    }
}

@Suite("tab bar controllers")
struct TabBarControllerTests {
    private final class Tab: UIViewController {
        var events: [String] = []
        override func viewDidAppear(_ animated: Bool) { events.append("appeared") }
        override func viewDidDisappear(_ animated: Bool) { events.append("disappeared") }
    }

    @Test("the selected controller's view is shown, the others' are not")
    func selection() {
        let stage = Stage()
        let (first, second, tabs) = (Tab(), Tab(), UITabBarController())
        stage.run {
            tabs.viewControllers = [first, second]
            stage.window.rootViewController = tabs
        }
        #expect(tabs.selectedIndex == 0 && first.view.window === stage.window && first.tabBarController === tabs)
        stage.run { tabs.selectedViewController = second }
        #expect(first.view.superview == nil && second.view.superview === tabs.view && tabs.selectedIndex == 1)
        #expect(first.events == ["appeared", "disappeared"] && second.events == ["appeared"])
        stage.run { tabs.viewControllers = [first] }
        #expect(tabs.selectedIndex == 0 && second.parent == nil)
    }
}

@Suite("updateConstraints")
struct UpdateConstraintsTests {
    private final class Constrained: UIView {
        var events: [String] = []
        override func updateConstraints() {
            super.updateConstraints()
            events.append("constraints")
        }
        override func layoutSubviews() { events.append("layout") }
    }

    @Test("constraints are updated before layout, once")
    func order() {
        let view = Constrained()
        view.layoutIfNeeded()
        view.setNeedsUpdateConstraints()
        view.setNeedsUpdateConstraints()
        view.layoutIfNeeded()
        view.layoutIfNeeded()
        #expect(view.events == ["layout", "constraints", "layout"])
    }
}
