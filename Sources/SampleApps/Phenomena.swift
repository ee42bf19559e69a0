// Phenomena.swift: an app with a table and a button on a view that recognizes taps, and four surprising results.
//
//     tap a row quickly            the view behind is tapped; the table receives no touch, and selects nothing
//     tap a row for 0.4 s          the table's touch begins, the view behind is tapped, the touch is cancelled
//     hold a row for 2 s           the table selects; the view behind is not tapped
//     tap the button               the button is clicked at once; the view behind is not tapped

import UIKit

final class PhenomenaAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = PhenomenaViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
}

final class PhenomenaViewController: UIViewController, UITableViewDataSource, UITableViewDelegate {
    private let table = LoggingTableView(frame: .zero, style: .plain)
    private let button = LoggingButton(type: .system)
    private let journal = UILabel()
    private let targets = ClosureTargets()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.accessibilityIdentifier = "back"
        targets.add(UITapGestureRecognizer(), to: view) { [unowned self] _ in note("backview taped") }

        table.accessibilityIdentifier = "table"
        table.log = { [unowned self] in note("table \($0)") }
        table.rowHeight = 44
        table.tableFooterView = UIView()
        table.dataSource = self
        table.delegate = self
        view.addSubview(table)

        button.accessibilityIdentifier = "button"
        button.log = { [unowned self] in note("button \($0)") }
        button.setTitle("Click", for: .normal)
        button.addAction(UIAction { [unowned self] _ in note("button clicked!") }, for: .touchUpInside)
        view.addSubview(button)

        journal.accessibilityIdentifier = "journal"
        journal.numberOfLines = 0
        view.addSubview(journal)
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let (width, height) = (view.bounds.width, view.bounds.height)
        table.frame = CGRect(x: 0, y: 0, width: width, height: height - 167)
        button.frame = CGRect(x: width / 2 - 50, y: height - 107, width: 100, height: 44)
        journal.frame = CGRect(x: 0, y: height - 50, width: width, height: 50)
    }

    private func note(_ line: String) {
        journal.text = [journal.text, line].compactMap { $0 }.joined(separator: "\n")
    }

    // MARK: Rows

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 10 }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell =
            tableView.dequeueReusableCell(withIdentifier: "row")
            ?? UITableViewCell(style: .default, reuseIdentifier: "row")
        cell.textLabel?.text = "Row \(indexPath.row)"
        return cell
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        note("selected row \(indexPath.row)")
    }
}

/// A table that logs the touches that it receives.
final class LoggingTableView: UITableView {
    var log: (String) -> Void = { _ in }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        log("touchesBegan")
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        log("touchesMoved")
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        log("touchesEnded")
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        log("touchesCancelled")
        super.touchesCancelled(touches, with: event)
    }
}

/// A button that logs the touches that it receives.
final class LoggingButton: UIButton {
    var log: (String) -> Void = { _ in }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        log("touchesBegan")
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        log("touchesMoved")
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        log("touchesEnded")
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        log("touchesCancelled")
        super.touchesCancelled(touches, with: event)
    }
}
