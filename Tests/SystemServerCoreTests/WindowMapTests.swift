import Basics
import Testing
import Wire

@testable import SystemServerCore

@Suite("An app's windows")
struct WindowMapTests {

    private func put(
        _ id: UInt32, _ x: Double, _ y: Double, _ width: Double, _ height: Double, level: Double = 0, order: UInt32 = 0
    ) -> SceneWindow {
        SceneWindow(
            id: id, frame: Rect(x: x, y: y, width: width, height: height), level: Fixed(level), order: order)
    }

    private func map(_ windows: SceneWindow...) -> WindowMap {
        var map = WindowMap()
        #expect(map.apply(WindowsDiff(number: 1, isWhole: true, changes: windows.map(WindowChange.set))) == .applied)
        return map
    }

    @Test("the topmost touchable window by level, order and number receives a touch")
    func topmost() {
        var low = put(1, 0, 0, 100, 100, order: 9)
        var (high, same) = (put(2, 50, 50, 100, 100, level: 1), put(3, 50, 50, 10, 10, level: 1))
        #expect(map(low, high, same).window(at: Point(55, 55))?.id == 3)
        #expect(map(low, high, same).window(at: Point(70, 70))?.id == 2)
        #expect(map(low, high, same).window(at: Point(10, 10))?.id == 1)
        #expect(map(low, high, same).window(at: Point(150, 150)) == nil, "edges are half-open")
        (same.isHidden, high.acceptsTouches) = (true, false)
        #expect(map(low, high, same).window(at: Point(55, 55))?.id == 1)
        low.frame.width = .zero
        #expect(map(low, high, same).window(at: Point(55, 55)) == nil)
        #expect(map(put(1, -20, -20, 40, 40, level: -1)).receivesTouches(at: Point(-5, 5)))
    }

    @Test("a window change after a missed one waits for a whole declaration")
    func changes() {
        var map = map(put(1, 0, 0, 10, 10), put(2, 20, 0, 10, 10))
        #expect(map.apply(WindowsDiff(number: 2, isWhole: false, changes: [.remove(1)])) == .applied)
        #expect(!map.receivesTouches(at: Point(5, 5)))
        #expect(map.apply(WindowsDiff(number: 4, isWhole: false, changes: [.remove(2)])) == .missed)
        #expect(map.receivesTouches(at: Point(25, 5)))
        #expect(map.number == 2)
        let moved = WindowChange.set(put(2, 40, 0, 10, 10))
        #expect(map.apply(WindowsDiff(number: 5, isWhole: true, changes: [moved])) == .applied)
        #expect(map.receivesTouches(at: Point(45, 5)))
        #expect(!map.receivesTouches(at: Point(25, 5)))
    }

    @Test("excess windows and removals of unknown windows are refused with the limit")
    func refusals() {
        var map = WindowMap()
        for part in 0..<10 {
            let windows = (0..<1000).map { WindowChange.set(put(UInt32(part * 1000 + $0), 0, 0, 5, 5)) }
            #expect(map.apply(WindowsDiff(number: UInt32(part + 1), isWhole: part == 0, changes: windows)) == .applied)
        }
        #expect(map.count == WindowMap.limit)
        #expect(
            map.apply(WindowsDiff(number: 11, isWhole: false, changes: [.set(put(99_999, 0, 0, 5, 5))]))
                == .refused("it declares 10001 windows, limit 10000"))
        #expect(map.count == 0)
        #expect(
            map.apply(WindowsDiff(number: 1, isWhole: true, changes: [.remove(7)]))
                == .refused("it removes window 7, which it has not declared"))
    }

    @Test("the window index equals a walk over 10,000 windows after any changes")
    func equalsWalk() {
        var chance = SeededGenerator(seed: 15)
        var naive: [SceneWindow] = []
        var map = WindowMap()
        var number: UInt32 = 0
        func window(_ id: UInt32) -> SceneWindow {
            // Most windows are small, some are as large as the screen, and some lie beside it.
            let size = Double(1 << (chance.next() % 10))
            var window = put(
                id, Double(chance.next() % 1200) - 100, Double(chance.next() % 1200) - 100,
                size * Double(1 + chance.next() % 4) / 2, size, level: Double(chance.next() % 20),
                order: UInt32(chance.next() % 50))
            window.isHidden = chance.next() % 16 == 0
            window.acceptsTouches = chance.next() % 16 != 0
            return window
        }
        func say(_ changes: [WindowChange]) {
            number += 1
            #expect(map.apply(WindowsDiff(number: number, isWhole: number == 1, changes: changes)) == .applied)
        }
        for part in 0..<10 {
            let new = (0..<1000).map { window(UInt32(part * 1000 + $0)) }
            naive += new
            say(new.map(WindowChange.set))
        }
        func expectEqual(_ points: Int) {
            let sorted = naive.filter { !$0.isHidden && $0.acceptsTouches }
                .sorted { ($0.level, $0.order, $0.id) > ($1.level, $1.order, $1.id) }
            var wrong = 0
            for _ in 0..<points {
                let x = Fixed(rawValue: Int32(truncatingIfNeeded: chance.next() % (1000 << 16)))
                let y = Fixed(rawValue: Int32(truncatingIfNeeded: chance.next() % (1000 << 16)))
                let point = Point<SceneSpace>(x, y)
                if map.window(at: point)?.id != sorted.first(where: { $0.frame.contains(point) })?.id { wrong += 1 }
            }
            #expect(wrong == 0)
        }
        #if DEBUG
            let points = 2_000
        #else
            let points = 100_000
        #endif
        expectEqual(points)
        for _ in 0..<9 {
            var changes: [WindowChange] = []
            for _ in 0..<200 {
                let place = Int(chance.next() % UInt64(naive.count))
                if chance.next() % 4 == 0 {
                    changes.append(.remove(naive[place].id))
                    naive.remove(at: place)
                } else {
                    naive[place] = window(naive[place].id)
                    changes.append(.set(naive[place]))
                }
            }
            say(changes)
            expectEqual(points)
        }
    }

    @Test("an app without declared windows owns its whole scene, otherwise its windows")
    func holes() {
        var scenes = SceneTable.phone
        for app in [1, 2] as [AppID] { _ = scenes.handle(.launched(app)) }
        _ = scenes.act(.overlay(app: 2, frame: Rect(x: 100, y: 100, width: 200, height: 200)))
        #expect(scenes.owner(250, 250) == .app(2))
        let window = WindowChange.set(put(1, 0, 0, 100, 100))
        #expect(scenes.declare(WindowsDiff(number: 1, isWhole: false, changes: [window]), by: 2) == .applied)
        #expect(scenes.owner(199, 199) == .app(2), "in its own space")
        #expect(scenes.owner(250, 250) == .app(1), "beside its window")
        #expect(scenes.declare(WindowsDiff(number: 1, isWhole: true, changes: []), by: 1) == .applied)
        #expect(scenes.owner(250, 250) == .home)
        #expect(
            scenes.act(.interrupt).prefix(3) == [.revoke(.app(1)), .revoke(.app(2)), .revoke(.home)],
            "home is seen beside its windows")
        _ = scenes.act(.resume)
        _ = scenes.declare(WindowsDiff(number: 2, isWhole: false, changes: [.remove(4)]), by: 1)
        #expect(scenes.owner(250, 250) == .app(1), "what was refused is as if nothing had been said")
        _ = scenes.handle(.died(2))
        _ = scenes.handle(.linked(2))
        #expect(scenes.owner(250, 250) == .app(2), "a new link knows of no windows")
    }
}
