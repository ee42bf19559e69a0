import Foundation
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("Touches on table rows")
struct ScrollTableTests {
    @Test("S19: a quick tap reaches the recognizer behind and not the table")
    func quickTap() {
        let screen = TableScreen()
        screen.down()
        #expect(screen.lines == [])
        screen.up(at: 0.08)
        #expect(screen.printed == ["action Back.tap"])
        screen.stage.wait(until: 1)
        #expect(screen.lines == [] && screen.stage.timerCount == 0)
    }

    @Test("S20: a short press reaches the table after 0.15 s until cancelled")
    func shortPress() {
        let screen = TableScreen()
        screen.down()
        screen.stage.wait(until: 0.149)
        #expect(screen.lines == [])
        screen.stage.wait(until: 0.15)
        #expect(screen.lines == ["touchesShouldBegin", "touchesBegan GLTableView", "highlight 2"])
        screen.up(at: 0.4)
        #expect(screen.lines == ["action Back.tap", "touchesCancelled GLTableView", "unhighlight 2"])
    }

    @Test("S21: a long press selects its row after the touch ended")
    func longPress() {
        let screen = TableScreen()
        screen.down()
        screen.up(at: 2)
        #expect(
            screen.printed == ["touchesBegan GLTableView", "touchesEnded GLTableView", "select row=2"])
        #expect(screen.table.indexPathForSelectedRow == IndexPath(row: 2, section: 0))
        #expect(screen.table.cellForRow(at: IndexPath(row: 2, section: 0))?.isSelected == true)
    }

    @Test("S23: touchesShouldBegin is asked once, or twice with a wrapper view", arguments: [false, true])
    func hooks(wrapped: Bool) {
        let screen = TableScreen(settings: [("table.hasWrapperView", "\(wrapped)")])
        screen.down()
        screen.stage.wait(until: 0.2)
        #expect(
            screen.lines == (wrapped ? ["touchesShouldBegin"] : [])
                + ["touchesShouldBegin", "touchesBegan GLTableView", "highlight 2"])
    }

    @Test("S24: without a recognizer behind the table a quick tap selects")
    func quickTapAlone() {
        let screen = TableScreen(tapping: false)
        screen.down()
        screen.stage.wait(until: 0.079)
        #expect(screen.lines == [])
        screen.up(at: 0.08)
        #expect(
            screen.lines == [
                "touchesShouldBegin", "touchesBegan GLTableView", "highlight 2", "touchesEnded GLTableView",
                "unhighlight 2", "select row=2",
            ])
    }

    @Test("S25: without the content touch delay a table receives touches at once")
    func noDelay() {
        let screen = TableScreen()
        screen.table.delaysContentTouches = false
        screen.down()
        #expect(screen.printed == ["touchesBegan GLTableView"])
        screen.up(at: 0.08)
        #expect(screen.printed == ["action Back.tap", "touchesCancelled GLTableView"])
        screen.down(at: 1)
        screen.up(at: 1.4)
        #expect(
            screen.printed == ["touchesBegan GLTableView", "action Back.tap", "touchesCancelled GLTableView"])
    }

    @Test("S26: a flick scrolls from the third move and touches no row")
    func flick() {
        let screen = TableScreen(tapping: false)
        screen.down()
        screen.stage.drag(from: 187, 110, by: 0, -4, frames: 2)
        #expect(screen.table.contentOffset == .zero && !screen.table.isDragging && screen.table.isTracking)
        screen.stage.drag(from: 187, 102, by: 0, -4, frames: 1)
        #expect(screen.table.isDragging && screen.stage.mode == .tracking)
        #expect(screen.lines == ["willBeginDragging"])
        screen.stage.drag(from: 187, 98, by: 0, -4, frames: 12)
        #expect(screen.lines == [])
    }

    @Test("S27: a held row's touch is cancelled when the drag begins")
    func holdThenDrag() {
        let screen = TableScreen(tapping: false)
        screen.down()
        screen.stage.wait(until: 0.2)
        _ = screen.lines
        screen.stage.drag(from: 187, 110, by: 0, -4, frames: 3)
        #expect(
            screen.lines == [
                "touchesMoved GLTableView", "touchesMoved GLTableView", "touchesShouldCancel content true",
                "willBeginDragging", "touchesCancelled GLTableView", "unhighlight 2",
            ])
        screen.stage.drag(from: 187, 98, by: 0, -4, frames: 2)
        #expect(screen.lines == [] && screen.table.isDragging)
        screen.up(at: screen.stage.now + 0.2)
        #expect(screen.table.indexPathForSelectedRow == nil)
    }

    @Test("a table's lines are the same in any order of recognizers", arguments: UInt64(1)...20)
    func anyOrder(seed: UInt64) {
        func play(_ screen: TableScreen, _ script: (TableScreen) -> Void) -> [String] {
            script(screen)
            screen.stage.wait(until: 5)
            return screen.lines
        }
        let scripts: [(TableScreen) -> Void] = [
            {
                $0.down()
                $0.up(at: 0.08)
            },
            {
                $0.down()
                $0.up(at: 0.4)
            },
            {
                $0.down()
                $0.up(at: 2)
            },
            {
                $0.down()
                $0.stage.wait(until: 0.2)
                $0.stage.drag(from: 187, 110, by: 0, -4, frames: 6)
                $0.up(at: 0.4)
            },
            {
                $0.down()
                $0.stage.drag(from: 187, 110, by: 0, -14, frames: 3)
                $0.up(at: 0.06)
                $0.down(at: 0.1)
                $0.up(at: 0.15)
            },
        ]
        for script in scripts {
            for tapping in [false, true] {
                #expect(
                    play(
                        TableScreen(tapping: tapping, settings: [("order.mode", "ios"), ("order.seed", "\(seed)")]),
                        script)
                        == play(TableScreen(tapping: tapping), script))
            }
        }
    }

    @Test("a table that refuses a touch never delivers it to its rows")
    func refusedTouch() {
        let screen = TableScreen(tapping: false)
        screen.table.answersBegin = false
        screen.down()
        screen.up(at: 0.5)
        #expect(screen.lines == ["touchesShouldBegin"])
        #expect(screen.stage.facts(.gesture).contains { $0.contains("touchesShouldBegin of") })
    }

    @Test("E2.1: a system cancel delivers a held touch and then cancels it")
    func cancelledWhileHeld() {
        let screen = TableScreen(tapping: false)
        screen.down()
        screen.stage.frame(.cancel(1), at: 0.05)
        #expect(
            screen.lines == [
                "touchesBegan GLTableView", "highlight 2", "touchesCancelled GLTableView", "unhighlight 2",
            ])
        screen.stage.wait(until: 1)
        #expect(screen.lines == [])
    }

    @Test("a pressed row whose cell leaves loses its highlight")
    func pressedCellLeaves() {
        let screen = TableScreen(tapping: false)
        screen.rows.counts = [100]
        screen.stage.run { screen.table.reloadData() }
        screen.down()
        screen.stage.wait(until: 0.2)
        #expect(screen.lines.last == "highlight 2")
        screen.stage.run { screen.table.contentOffset.y = 2200 }
        #expect(screen.lines == ["unhighlight 2"])
        screen.up(at: 1)
        #expect(screen.table.visibleCells.allSatisfy { !$0.isHighlighted })
        _ = screen.lines
        screen.down(at: 2)
        screen.up(at: 2.5)
        #expect(screen.printed.contains("select row=52"))
    }

    @Test("a table handles the press after one whose end it missed")
    func pressUnheard() {
        let screen = TableScreen(tapping: false)
        screen.down()
        screen.stage.wait(until: 0.2)
        screen.stage.run { screen.table.cellForRow(at: IndexPath(row: 2, section: 0))?.removeFromSuperview() }
        screen.up(at: 1)
        _ = screen.lines
        screen.stage.down(187, 20, at: 2)
        screen.up(at: 2.5)
        #expect(
            screen.printed == ["touchesBegan GLTableView", "touchesEnded GLTableView", "select row=0"])
    }

    @Test("a finger that has left its row selects nothing")
    func leftTheRow() {
        let screen = TableScreen(tapping: false)
        screen.table.panGestureRecognizer.isEnabled = false
        screen.down()
        screen.stage.wait(until: 0.2)
        _ = screen.lines
        screen.stage.move(187, 200, at: 0.3)
        #expect(screen.lines == ["touchesMoved GLTableView", "unhighlight 2"])
        screen.up(at: 0.4)
        #expect(screen.lines == ["touchesEnded GLTableView"])
    }

    @Test("selecting a row deselects the last one unless multiple are allowed")
    func otherRow() {
        let screen = TableScreen(tapping: false)
        func tap(_ y: Double, at seconds: Double) -> [String] {
            screen.stage.down(187, y, at: seconds)
            screen.up(at: seconds + 0.05)
            return screen.lines.filter { $0.contains("select") }
        }
        #expect(tap(10, at: 1) == ["select row=0"])
        #expect(tap(50, at: 3) == ["deselect row=0", "select row=1"])
        screen.table.allowsMultipleSelection = true
        #expect(tap(100, at: 5) == ["select row=2"])
        #expect(tap(50, at: 7) == ["deselect row=1"])
        #expect(screen.table.indexPathsForSelectedRows == [IndexPath(row: 2, section: 0)])
        screen.table.allowsSelection = false
        #expect(tap(10, at: 9) == [])
    }

    @Test("a control in a table row keeps its touches")
    func controlInRow() {
        let screen = TableScreen(tapping: false)
        let button = UIButton(frame: CGRect(x: 10, y: 5, width: 60, height: 30))
        let log = screen.stage.log
        button.addAction(UIAction { _ in log.add("pressed") }, for: .touchUpInside)
        screen.table.cellForRow(at: IndexPath(row: 2, section: 0))?.contentView.addSubview(button)
        screen.stage.down(30, 110, at: 0)
        screen.up(at: 0.08)
        #expect(screen.lines == ["touchesShouldBegin", "pressed"])
        // A button that is held keeps its touch when the finger drags.
        screen.stage.down(30, 110, at: 2)
        screen.stage.wait(until: 2.2)
        screen.stage.drag(from: 30, 110, by: 0, -6, frames: 4)
        #expect(screen.lines == ["touchesShouldBegin", "touchesShouldCancel control false"])
        #expect(!screen.table.isDragging && button.isTracking)
        screen.up(at: 3)
        #expect(screen.lines == ["pressed"])
    }
}
