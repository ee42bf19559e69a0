import Foundation
import Testbed
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("Table rows and their cells")
struct ScrollTableRowsTests {
    private func table(_ stage: Stage, _ rows: Rows, height: CGFloat = 500) -> UITableView {
        let table = UITableView(frame: CGRect(x: 0, y: 0, width: 375, height: height))
        table.dataSource = rows
        stage.add(table)
        return table
    }

    @Test("table rows lie section after section, 44 points high by default")
    func places() {
        let (stage, rows) = (Stage(), Rows(3, 0, 2))
        rows.titles = [nil, nil, "Last"]
        let table = table(stage, rows)
        #expect(table.contentSize == CGSize(width: 375, height: 5 * 44 + 28))
        #expect(table.numberOfSections == 3 && table.numberOfRows(inSection: 2) == 2)
        #expect(table.rectForRow(at: IndexPath(row: 2, section: 0)) == CGRect(x: 0, y: 88, width: 375, height: 44))
        #expect(table.rectForHeader(inSection: 2) == CGRect(x: 0, y: 132, width: 375, height: 28))
        #expect(table.rectForRow(at: IndexPath(row: 0, section: 2)).minY == 160)
        #expect(table.indexPathForRow(at: CGPoint(x: 5, y: 43.9)) == IndexPath(row: 0, section: 0))
        #expect(table.indexPathForRow(at: CGPoint(x: 5, y: 44)) == IndexPath(row: 1, section: 0))
        #expect(table.indexPathForRow(at: CGPoint(x: 5, y: 140)) == nil)
        #expect(table.indexPathForRow(at: CGPoint(x: 5, y: 250)) == nil)
        #expect(table.indexPathForRow(at: CGPoint(x: 400, y: 10)) == nil)
        table.rowHeight = 60
        #expect(table.rectForRow(at: IndexPath(row: 2, section: 0)).minY == 120)
        #expect(table.rectForRow(at: IndexPath(row: 9, section: 9)) == .zero)
    }

    @Test("uneven table rows lie where their heights say")
    func uneven() {
        let geometry = TableGeometry(
            header: 10,
            sections: [
                .init(header: 5, rows: TableGeometry.Heights([20, 0, 30]), footer: 5),
                .init(rows: .even(10, count: 2)),
            ], footer: 7)
        #expect(geometry.height == 97)
        #expect(geometry.span(section: 0, row: 2) == 35..<65)
        #expect(geometry.row(at: 14.9) == nil && geometry.row(at: 66) == nil && geometry.row(at: 91) == nil)
        #expect(geometry.row(at: 15)! == (0, 0) && geometry.row(at: 35)! == (0, 2) && geometry.row(at: 79)! == (1, 0))
        #expect(geometry.rows(from: 64, to: 81).map(\.row) == [2, 0, 1])
        #expect(geometry.rows(from: 20, to: 20).isEmpty)
    }

    @Test("a million even table rows need no list of heights")
    func many() {
        let geometry = TableGeometry(sections: [.init(rows: .even(44, count: 1_000_000))])
        #expect(geometry.row(at: 44 * 999_999.5)! == (0, 999_999))
        #expect(geometry.rows(from: 22_000_000, to: 22_000_100).map(\.row) == [500_000, 500_001, 500_002])
    }

    @Test("scrolling reuses the cells of table rows that left")
    func reuse() {
        let (stage, rows) = (Stage(), Rows(1000))
        let table = table(stage, rows)
        #expect(table.visibleCells.count == 12 && rows.cellCount == 12)
        #expect(table.cellForRow(at: IndexPath(row: 12, section: 0)) == nil)
        stage.run { table.contentOffset.y = 4400 }
        #expect(table.visibleCells.map(\.tag) == Array(100...111))
        // The cells of the rows that left were used again.
        #expect(rows.cellCount == 12)
        for step in 1...50 { stage.run { table.contentOffset.y = 4400 + Double(step) * 13 } }
        #expect(rows.cellCount <= 13)
        #expect(table.indexPath(for: table.visibleCells[0])?.row == table.visibleCells[0].tag)
    }

    @Test("a selection belongs to its row and not to its cell")
    func selectionOutlivesCells() {
        let (stage, rows) = (Stage(), Rows(100))
        let table = table(stage, rows)
        let path = IndexPath(row: 1, section: 0)
        stage.run { table.selectRow(at: path, animated: false, scrollPosition: .none) }
        #expect(table.cellForRow(at: path)?.isSelected == true)
        stage.run { table.contentOffset.y = 2000 }
        #expect(table.visibleCells.allSatisfy { !$0.isSelected })
        stage.run { table.contentOffset.y = 0 }
        #expect(table.visibleCells.filter(\.isSelected).map(\.tag) == [1])
        stage.run { table.deselectRow(at: path, animated: false) }
        #expect(table.indexPathForSelectedRow == nil && table.visibleCells.allSatisfy { !$0.isSelected })
    }

    @Test("a registered cell class makes cells, also of subclasses")
    func registered() {
        final class Fancy: UITableViewCell {
            var isReady = false
            override init(style: CellStyle, reuseIdentifier: String?) {
                super.init(style: style, reuseIdentifier: reuseIdentifier)
                isReady = true
            }
            required init?(coder: NSCoder) { nil }
        }
        let table = UITableView()
        table.register(Fancy.self, forCellReuseIdentifier: "fancy")
        table.register(UITableViewCell.self, forCellReuseIdentifier: "plain")
        let cell = table.dequeueReusableCell(withIdentifier: "fancy", for: IndexPath(row: 0, section: 0))
        #expect((cell as? Fancy)?.isReady == true && cell.reuseIdentifier == "fancy")
        #expect(table.dequeueReusableCell(withIdentifier: "plain")?.reuseIdentifier == "plain")
        #expect(table.dequeueReusableCell(withIdentifier: "other") == nil)
    }

    @Test("reloadData reads all rows again and clears the selection")
    func reload() {
        let (stage, rows) = (Stage(), Rows(3))
        let table = table(stage, rows)
        stage.run { table.selectRow(at: IndexPath(row: 1, section: 0), animated: false, scrollPosition: .none) }
        rows.counts = [5]
        #expect(table.numberOfRows(inSection: 0) == 3)
        stage.run { table.reloadData() }
        #expect(table.numberOfRows(inSection: 0) == 5 && table.visibleCells.count == 5)
        #expect(table.indexPathForSelectedRow == nil && table.contentSize.height == 220)
    }

    private func cells(of table: UITableView) -> [Int] {
        table.subviews.compactMap { ($0 as? UITableViewCell)?.tag }.sorted()
    }

    @Test("reloading more rows in willDisplay leaves each row one cell")
    func moreRowsInTime() {
        let (stage, rows) = (Stage(), Rows(5))
        let witness = ScrollWitness(stage.log)
        let table = table(stage, rows)
        var inTable: [Bool] = []
        witness.onDisplay = { table, path in
            inTable.append(table.cellForRow(at: path)?.superview === table)
            guard path.row == rows.counts[0] - 1, rows.counts[0] < 8 else { return }
            rows.counts[0] += 3
            table.reloadData()
        }
        stage.run { table.delegate = witness }
        for _ in 1...3 { stage.run {} }
        #expect(cells(of: table) == Array(0...7) && table.visibleCells.map(\.tag) == Array(0...7))
        #expect(inTable.allSatisfy { $0 })
    }

    @Test("reloading in didEndDisplaying leaves no cell to two rows")
    func reloadAsOneGoes() {
        let (stage, rows) = (Stage(), Rows(100))
        let witness = ScrollWitness(stage.log)
        let table = table(stage, rows)
        var left = 3
        witness.onEndDisplay = { table, _ in
            guard left > 0 else { return }
            left -= 1
            table.reloadData()
        }
        stage.run { table.delegate = witness }
        for step in 1...20 { stage.run { table.contentOffset.y = Double(step) * 100 } }
        for _ in 1...3 { stage.run {} }
        let wanted = table.indexPathsForRows(in: table.bounds)!.map(\.row)
        #expect(cells(of: table) == wanted && table.visibleCells.map(\.tag) == wanted)
        #expect(table.visibleCells.allSatisfy { table.indexPath(for: $0)?.row == $0.tag })
    }

    @Test("a section header is requested once until the data is read again")
    func headersOnce() {
        let (stage, rows) = (Stage(), Rows(20, 20))
        let witness = ScrollWitness(stage.log)
        var asked: [Int] = []
        witness.makesHeader = { section in
            asked.append(section)
            return section == 1 ? UIView() : nil
        }
        let table = table(stage, rows)
        stage.run { table.delegate = witness }
        for step in 1...5 { stage.run { table.contentOffset.y = Double(step) * 20 } }
        #expect(asked == [0, 1])
        func header() -> [CGRect] { table.subviews.filter { type(of: $0) == UIView.self }.map(\.frame) }
        #expect(header() == [CGRect(x: 0, y: 880, width: 375, height: 28)])
        stage.run { table.rowHeight = 10 }
        #expect(header() == [CGRect(x: 0, y: 200, width: 375, height: 28)] && asked == [0, 1, 0, 1])
        stage.run { table.frame.size.width = 300 }
        #expect(header() == [CGRect(x: 0, y: 200, width: 300, height: 28)] && asked.count == 4)
    }

    /// The index paths of these rows in one section.
    private func paths(_ section: Int, _ rows: Int...) -> [IndexPath] {
        rows.map { IndexPath(row: $0, section: section) }
    }

    @Test("inserted and deleted rows leave the others their cells and selection")
    func updates() {
        let (stage, rows) = (Stage(), Rows(6, 2))
        let table = table(stage, rows)
        let kept = table.cellForRow(at: IndexPath(row: 3, section: 0))
        let other = table.cellForRow(at: IndexPath(row: 1, section: 1))
        table.allowsMultipleSelection = true
        for row in [1, 3] {
            table.selectRow(at: IndexPath(row: row, section: 0), animated: false, scrollPosition: .none)
        }
        var isDone = false
        stage.run {
            table.performBatchUpdates {
                rows.counts[0] = 7
                table.deleteRows(at: paths(0, 1), with: .fade)
                table.insertRows(at: paths(0, 0, 6), with: .automatic)
            } completion: {
                isDone = $0
            }
        }
        // Before: 0…5. After: a new row, 0, 2, 3, 4, 5, a new row.
        #expect(isDone && table.numberOfRows(inSection: 0) == 7 && table.contentSize.height == 9 * 44)
        #expect(table.cellForRow(at: IndexPath(row: 3, section: 0)) === kept && kept?.frame.minY == 132)
        #expect(table.cellForRow(at: IndexPath(row: 1, section: 1)) === other && other?.frame.minY == 352)
        #expect(table.indexPathsForSelectedRows == paths(0, 3) && kept?.isSelected == true)
        #expect(table.visibleCells.count == 9 && table.subviews.count { $0 is UITableViewCell } == 9)
        #expect(table.visibleCells.filter(\.isSelected).count == 1)
    }

    @Test("a reloaded row is deselected, and a reloaded section may grow")
    func reloadSome() {
        let (stage, rows) = (Stage(), Rows(4, 2))
        let table = table(stage, rows)
        table.selectRow(at: IndexPath(row: 1, section: 0), animated: false, scrollPosition: .none)
        let old = table.visibleCells
        stage.run { table.reloadRows(at: paths(0, 1), with: .none) }
        #expect(table.indexPathForSelectedRow == nil && table.visibleCells.count == 6)
        #expect(zip(old, table.visibleCells).filter { $0 === $1 }.count >= 5)
        rows.counts[1] = 5
        stage.run { table.reloadSections(IndexSet(integer: 1), with: .none) }
        #expect(table.numberOfRows(inSection: 1) == 5 && table.visibleCells.count == 9)
    }

    @Test("a pressed row's highlight moves and ends with the row")
    func pressedRowMoves() {
        let (stage, rows) = (Stage(), Rows(6))
        let witness = ScrollWitness(stage.log)
        let table = table(stage, rows)
        stage.run { table.delegate = witness }
        stage.down(100, 100, at: 0)
        stage.wait(0.2)
        stage.run {
            rows.counts = [5]
            table.deleteRows(at: paths(0, 1), with: .none)
        }
        #expect(stage.log.drain() == ["highlight 2"])
        stage.run {
            rows.counts = [4]
            table.deleteRows(at: paths(0, 1), with: .none)
        }
        #expect(stage.log.drain() == ["unhighlight 1"])
        stage.up(at: 1)
        #expect(stage.log.drain() == [])
    }

    @Test("table updates map old row positions to new ones")
    func placesAfterUpdates() {
        var updates = TableUpdates(before: [6])
        updates.delete(paths(0, 0, 3))
        updates.insert(paths(0, 1, 2, 5))
        // After the updates the rows are 1, new, new, 2, 4, new, 5.
        let places = (0...5).map { updates.newPath(of: IndexPath(row: $0, section: 0))?.row }
        #expect(places == [nil, 0, 3, nil, 4, 6] && updates.fault(after: [7]) == nil)
    }

    @Test("a table update whose row counts disagree ends the program")
    func updateMisuse() async throws {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stage, rows) = (Stage(), Rows(3))
            let table = UITableView(frame: CGRect(x: 0, y: 0, width: 375, height: 500))
            table.dataSource = rows
            stage.add(table)
            rows.counts = [5]
            table.insertRows(at: [IndexPath(row: 0, section: 0)], with: .none)
        }
        let text = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("invalid update: section 0 had 3 rows and has 5, with 1 inserted and 0 deleted"), "\(text)")
    }

    @Test("an infinite rectangle holds all rows, and a null one none")
    func everywhere() {
        let (stage, rows) = (Stage(), Rows(3, 2))
        let table = table(stage, rows)
        #expect(table.indexPathsForRows(in: .infinite)?.count == 5)
        #expect(table.indexPathsForRows(in: .null)?.isEmpty == true)
    }

    @Test("a flung table that loses rows rests at its new end")
    func fewerRows() {
        let (stage, rows) = (Stage(), Rows(1000))
        let table = table(stage, rows)
        stage.run { table.contentOffset.y = 5000 }
        stage.down(100, 400, at: 0)
        stage.drag(from: 100, 400, by: 0, -20, frames: 4)
        stage.up(at: stage.now + 1.0 / 60)
        stage.wait(0.1)
        rows.counts = [20]
        stage.run { table.reloadData() }
        stage.wait(10)
        #expect(table.contentOffset.y == 380 && table.visibleCells.last?.tag == 19)
    }

    @Test("scrollToRow brings a row to its position within the content")
    func scrollToRow() {
        let (stage, rows) = (Stage(), Rows(100))
        let table = table(stage, rows)
        func offset(_ row: Int, _ position: UITableView.ScrollPosition) -> CGFloat {
            stage.run { table.scrollToRow(at: IndexPath(row: row, section: 0), at: position, animated: false) }
            return table.contentOffset.y
        }
        #expect(offset(20, .top) == 880)
        #expect(offset(20, .bottom) == 424)
        #expect(offset(20, .middle) == 652)
        #expect(offset(99, .top) == 3900)
        #expect(offset(95, .none) == 3900)
        #expect(offset(0, .none) == 0)
    }

    @Test("a table's header and footer views lie around its rows")
    func ends() {
        let (stage, rows) = (Stage(), Rows(2))
        let table = table(stage, rows)
        stage.run {
            table.tableHeaderView = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 50))
            table.tableFooterView = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 30))
        }
        #expect(table.contentSize.height == 168)
        #expect(table.tableHeaderView?.frame == CGRect(x: 0, y: 0, width: 375, height: 50))
        #expect(table.tableFooterView?.frame == CGRect(x: 0, y: 138, width: 375, height: 30))
        #expect(table.visibleCells[0].frame.minY == 50)
    }

    @Test("scrolling to missing rows and dequeuing unregistered cells end the program")
    func misuse() async throws {
        let row = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UITableView().scrollToRow(at: IndexPath(row: 3, section: 0), at: .top, animated: false)
        }
        let cell = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UITableView().dequeueReusableCell(withIdentifier: "x", for: IndexPath(row: 0, section: 0))
        }
        let text = [row, cell].map { String(decoding: $0?.standardErrorContent ?? [], as: UTF8.self) }
        #expect(text[0].contains("UITableView: scrolling to row 3 of section 0, which it does not have"))
        #expect(text[1].contains("UITableView: no class of cells is registered as \"x\""))
    }

    @Test("an index path has a section and a row")
    func indexPaths() {
        var path = IndexPath(row: 3, section: 1)
        #expect(path.row == 3 && path.item == 3 && path.section == 1 && path == IndexPath(indexes: [1, 3]))
        path.row = 4
        #expect(path == IndexPath(item: 4, section: 1) && IndexPath(row: 9, section: 0) < path)
    }
}
