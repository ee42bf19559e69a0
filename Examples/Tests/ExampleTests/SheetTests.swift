#if os(Linux)
    import Sheet
    import Testing
    import TouchlineTesting
    import UIKit

    @Suite(.phoneReports)
    struct SheetTests {
        let phone = TestPhone { SheetViewController() }
        var sheet: UIView { get throws { try phone.find("sheet") } }
        var controller: SheetViewController? { phone.application.windows[0].rootViewController as? SheetViewController }

        @Test("a tap on the handle opens the sheet, the next one closes it")
        func tap() throws {
            try phone.tap("handle")
            #expect(phone.advanceUntilIdle())
            #expect(controller?.detent == .open)
            #expect(try sheet.frame.minY == 100)
            try phone.tap("handle")
            #expect(phone.advanceUntilIdle())
            #expect(controller?.detent == .closed)
        }

        @Test("a slow drag snaps to the nearer height, a fast one follows the finger")
        func drag() throws {
            try phone.drag("handle", by: CGVector(dx: 0, dy: -100), duration: .seconds(1))
            #expect(phone.advanceUntilIdle())
            #expect(controller?.detent == .closed)
            try phone.swipe("handle", .up)
            #expect(phone.advanceUntilIdle())
            #expect(controller?.detent == .open)
        }

        @Test("the list of an open sheet scrolls; at its top a drag down closes the sheet")
        func list() throws {
            try phone.tap("handle")
            #expect(phone.advanceUntilIdle())
            let list = try phone.find(UIScrollView.self, "list")
            try phone.drag("list", by: CGVector(dx: 0, dy: -200))
            #expect(list.contentOffset.y > 150)
            #expect(controller?.detent == .open)
            phone.run { list.contentOffset = .zero }
            try phone.drag("list", at: CGPoint(x: 187, y: 20), by: CGVector(dx: 0, dy: 300))
            #expect(phone.advanceUntilIdle())
            #expect(controller?.detent == .closed)
        }

        @Test("a lock during a drag leaves the sheet at a height")
        func lock() throws {
            try phone.touchDown("handle")
            for step in 1...10 {
                phone.advance(by: .milliseconds(16))
                try phone.touchMove(to: CGPoint(x: 187, y: 560 - 20 * step))
            }
            phone.lock()
            #expect(phone.advanceUntilIdle())
            #expect(try sheet.frame.minY == 547)
        }
    }
#endif
