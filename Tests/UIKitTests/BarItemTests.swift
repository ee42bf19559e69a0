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
