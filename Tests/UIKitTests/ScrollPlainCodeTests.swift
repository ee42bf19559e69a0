// ScrollPlainCodeTests.swift: tables and scroll views as code for a phone writes them, importing only XCTest and UIKit.

import UIKit
import XCTest

private class ContactCell: UITableViewCell {
    static let identifier = "ContactCell"
    let badge = UIView()

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        contentView.addSubview(badge)
        selectionStyle = .none
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func prepareForReuse() {
        super.prepareForReuse()
        textLabel?.text = nil
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        badge.frame = CGRect(x: contentView.bounds.width - 30, y: 10, width: 20, height: 20)
    }
}

private class ContactsController: UIViewController, UITableViewDataSource, UITableViewDelegate {
    let tableView = UITableView(frame: .zero, style: .plain)
    var names = ["Ada", "Grace", "Margaret", "Radia"]
    var chosen: [String] = []
    var offsets: [CGFloat] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.frame = view.bounds
        tableView.dataSource = self
        tableView.delegate = self
        tableView.rowHeight = 60
        tableView.tableFooterView = UIView()
        tableView.register(ContactCell.self, forCellReuseIdentifier: ContactCell.identifier)
        view.addSubview(tableView)
    }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        return names.count
    }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        guard
            let cell = tableView.dequeueReusableCell(withIdentifier: ContactCell.identifier, for: indexPath)
                as? ContactCell
        else { return UITableViewCell() }
        cell.textLabel?.text = names[indexPath.row]
        return cell
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        chosen.append(names[indexPath.row])
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        offsets.append(scrollView.contentOffset.y)
    }
}

private class PagesView: UIView, UIScrollViewDelegate {
    private let scrollView = UIScrollView()
    private lazy var stack: UIStackView = {
        let stack = UIStackView(arrangedSubviews: [UIImageView(), UILabel(), UIButton()])
        stack.axis = .horizontal
        stack.distribution = .fillEqually
        return stack
    }()
    private(set) var page = 0

    override init(frame: CGRect) {
        super.init(frame: frame)
        scrollView.isPagingEnabled = true
        scrollView.showsHorizontalScrollIndicator = false
        scrollView.decelerationRate = .fast
        scrollView.contentInsetAdjustmentBehavior = .never
        scrollView.delegate = self
        addSubview(scrollView)
        scrollView.addSubview(stack)
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        scrollView.frame = bounds
        scrollView.contentSize = CGSize(width: bounds.width * 3, height: bounds.height)
        stack.frame = CGRect(origin: .zero, size: scrollView.contentSize)
    }

    func show(page: Int) {
        scrollView.setContentOffset(CGPoint(x: CGFloat(page) * bounds.width, y: 0), animated: false)
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        page = Int((scrollView.contentOffset.x / scrollView.bounds.width).rounded())
    }
}

final class ScrollPlainCodeTests: XCTestCase {
    func testRowsAreShown() {
        let controller = ContactsController()
        controller.view.frame = CGRect(x: 0, y: 0, width: 320, height: 480)
        controller.tableView.frame = controller.view.bounds
        controller.view.layoutIfNeeded()
        XCTAssertEqual(controller.tableView.visibleCells.count, 4)
        let cell = controller.tableView.cellForRow(at: IndexPath(row: 2, section: 0)) as? ContactCell
        XCTAssertEqual(cell?.textLabel?.text, "Margaret")
        XCTAssertEqual(cell?.frame, CGRect(x: 0, y: 120, width: 320, height: 60))
        XCTAssertEqual(controller.tableView.contentSize.height, 240)
    }

    func testDelegateCalledDirectly() {
        let controller = ContactsController()
        controller.loadViewIfNeeded()
        let path = IndexPath(row: 1, section: 0)
        controller.tableView.selectRow(at: path, animated: false, scrollPosition: .none)
        XCTAssertEqual(controller.tableView.indexPathForSelectedRow, path)
        controller.tableView(controller.tableView, didSelectRowAt: path)
        XCTAssertEqual(controller.chosen, ["Grace"])
        XCTAssertNil(controller.tableView.indexPathForSelectedRow)
        controller.tableView.contentOffset.y = 10
        XCTAssertEqual(controller.offsets, [10])
    }

    func testPages() {
        let pages = PagesView(frame: CGRect(x: 0, y: 0, width: 320, height: 200))
        pages.layoutIfNeeded()
        pages.show(page: 2)
        XCTAssertEqual(pages.page, 2)
    }
}
