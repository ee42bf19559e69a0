import Foundation
import UIKit

/// A table that logs its touch calls and then does as UITableView does.
final class GLTableView: UITableView {
    var log: Log!
    var answersBegin = true

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        log.add("touchesBegan GLTableView")
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        log.add("touchesMoved GLTableView")
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        log.add("touchesEnded GLTableView")
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        log.add("touchesCancelled GLTableView")
        super.touchesCancelled(touches, with: event)
    }
    override func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool {
        log.add("touchesShouldBegin")
        return answersBegin
    }
    override func touchesShouldCancel(in view: UIView) -> Bool {
        let answer = super.touchesShouldCancel(in: view)
        log.add("touchesShouldCancel \(view is UIControl ? "control" : "content") \(answer)")
        return answer
    }
}

final class Rows: NSObject, UITableViewDataSource {
    var counts: [Int]
    var cellCount = 0
    var titles: [String?] = []
    init(_ counts: Int...) { self.counts = counts }

    func numberOfSections(in tableView: UITableView) -> Int { counts.count }
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { counts[section] }
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        titles.indices.contains(section) ? titles[section] : nil
    }
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell =
            tableView.dequeueReusableCell(withIdentifier: "row")
            ?? {
                cellCount += 1
                return UITableViewCell(style: .default, reuseIdentifier: "row")
            }()
        cell.tag = indexPath.row
        return cell
    }
}

/// TT of the catalogue: a table of ten rows on a view with a tap recognizer.
final class TableScreen {
    let stage: Stage
    let back: ProbeView
    let table: GLTableView
    let rows = Rows(10)
    let witness: ScrollWitness
    let tap = UITapGestureRecognizer()

    init(tapping: Bool = true, settings: [(String, String)] = []) {
        stage = Stage(settings: settings)
        let log = stage.log
        let stage = self.stage
        back = stage.run { stage.view("Back", 0, 0, 375, 667) }
        back.logsTouches = false
        table = stage.run { GLTableView(frame: CGRect(x: 0, y: 0, width: 375, height: 500), style: .plain) }
        table.log = log
        witness = ScrollWitness(log)
        table.dataSource = rows
        table.delegate = witness
        tap.name = "tap"
        tap.addAction(UIAction { _ in log.add("action Back.tap") })
        if tapping { back.addGestureRecognizer(tap) }
        stage.add(table, to: back)
    }

    var lines: [String] { stage.log.drain() }
    /// The lines that the scenarios S19 to S25 print.
    var printed: [String] {
        lines.filter { !$0.hasPrefix("touchesShould") && !$0.contains("highlight") && !$0.contains("Drag") }
    }
    func down(at seconds: Double = 0) { stage.down(187, 110, at: seconds) }
    func up(at seconds: Double) { stage.up(at: seconds) }
}
