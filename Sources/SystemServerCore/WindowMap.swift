// WindowMap.swift: the windows that one app has declared, and which of them contains a position.
//
// Station   router
// Input     SystemServerCore: declarations, each with a few changes
// Output    SceneTable: the app's window at a position; nil if the scene behind receives the touch
// Knows     rectangles in the app's scene. No fingers, no views.
//
//     change ─▶ window ─▶ the cells it touches, at most four: squares of the power of two that is no smaller than it
//     position ─▶ one cell of every size in use ─▶ topmost window in each ─▶ topmost of those
//
// Neither a change nor a lookup visits all windows: among 10,000, only those in the same cells. A cell lists its
// windows topmost first. In the worst case an app stacks all windows in one cell, which costs as much as a list.
//
// Sources   documented  fault F15; UIWindow.Level
//           invented    the cells

package import Basics
package import Wire

/// The windows that one app has declared.
package struct WindowMap: Sendable {
    /// The result of a declaration.
    package enum Verdict: Equatable, Sendable {
        case applied
        /// An earlier declaration is missing. Nothing changes until the app declares all windows again.
        case missed
        /// No correct app sends this declaration. At fault: the app. All its windows are removed.
        case refused(String)
    }

    /// The limit of windows. No app needs more.
    package static let limit = 10_000

    /// The number of the last applied declaration; 0 before the first.
    private(set) var number: UInt32 = 0

    /// The bounds of the windows, in an array of their own so that a cell is searched quickly.
    fileprivate struct Bounds: Sendable {
        /// The stacking order: level, then order. Equal values are ordered by id.
        var stackingOrder: UInt64
        var id: UInt32
        var left, top, right, bottom: Int32
    }

    private var bounds: [Bounds] = []
    /// The windows, by the same indices as `bounds`.
    private var windows: [SceneWindow] = []
    private var vacant: [Int32] = []
    private var slots: [UInt32: Int32] = [:]
    private var cells: [UInt64: [Int32]] = [:]
    /// The number of windows with cells of each size, by the exponent of two.
    private var sizes = [Int](repeating: 0, count: largest + 1)

    /// The exponents of the smallest cells (8 points) and the largest (the longest possible edge).
    private static let smallest = 3
    private static let largest = 15

    package var count: Int { slots.count }

    package init() {}

    // MARK: Lookup

    /// Whether a touch that lands at the position belongs to the app.
    func receivesTouches(at position: Point<SceneSpace>) -> Bool { window(at: position) != nil }

    /// The topmost window that takes touches at the position. Nil: the scene behind receives the touch.
    package func window(at position: Point<SceneSpace>) -> SceneWindow? {
        let (right, down) = (position.x.rawValue, position.y.rawValue)
        var (best, height, id): (Int32?, UInt64, UInt32) = (nil, 0, 0)
        for size in Self.smallest...Self.largest where sizes[size] > 0 {
            guard let cell = cells[Self.key(size, right >> (16 + Int32(size)), down >> (16 + Int32(size)))] else {
                continue
            }
            for slot in cell {
                let window = bounds[Int(slot)]
                if best != nil, (window.stackingOrder, window.id) < (height, id) { break }
                guard right >= window.left, right < window.right, down >= window.top, down < window.bottom else {
                    continue
                }
                (best, height, id) = (slot, window.stackingOrder, window.id)
                break
            }
        }
        return best.map { windows[Int($0)] }
    }

    // MARK: Changes

    /// Applies a declaration.
    package mutating func apply(_ diff: WindowsDiff) -> Verdict {
        if diff.isWhole {
            removeAll()
        } else if diff.number != number &+ 1 {
            return .missed
        }
        for change in diff.changes {
            switch change {
            case .set(let window):
                guard slots[window.id] != nil || slots.count < Self.limit else {
                    removeAll()
                    return .refused("it declares \(Self.limit + 1) windows, limit \(Self.limit)")
                }
                insert(window)
            case .remove(let id):
                guard remove(id) else {
                    removeAll()
                    return .refused("it removes window \(id), which it has not declared")
                }
            }
        }
        number = diff.number
        return .applied
    }

    private mutating func removeAll() { self = WindowMap() }

    private mutating func insert(_ window: SceneWindow) {
        if let slot = slots[window.id] {
            if windows[Int(slot)] == window { return }
            withdraw(slot)
            (bounds[Int(slot)], windows[Int(slot)]) = (Bounds(window), window)
            enter(slot)
            return
        }
        let slot: Int32
        if let free = vacant.popLast() {
            slot = free
            (bounds[Int(slot)], windows[Int(slot)]) = (Bounds(window), window)
        } else {
            slot = Int32(bounds.count)
            bounds.append(Bounds(window))
            windows.append(window)
        }
        slots[window.id] = slot
        enter(slot)
    }

    private mutating func remove(_ id: UInt32) -> Bool {
        guard let slot = slots.removeValue(forKey: id) else { return false }
        withdraw(slot)
        vacant.append(slot)
        return true
    }

    private mutating func enter(_ slot: Int32) {
        guard let extent = extent(of: slot) else { return }
        sizes[extent.size] += 1
        extent.forEachCell { key in
            let index = index(of: slot, in: cells[key] ?? [])
            cells[key, default: []].insert(slot, at: index)
        }
    }

    private mutating func withdraw(_ slot: Int32) {
        guard let extent = extent(of: slot) else { return }
        sizes[extent.size] -= 1
        extent.forEachCell { key in
            let index = index(of: slot, in: cells[key] ?? [])
            cells[key]?.remove(at: index)
            if cells[key]?.isEmpty == true { cells[key] = nil }
        }
    }

    /// The index of a window in a cell's list, or the index at which it would be inserted: topmost first.
    private func index(of slot: Int32, in cell: [Int32]) -> Int {
        let window = bounds[Int(slot)]
        var (low, high) = (0, cell.count)
        while low < high {
            let middle = (low + high) / 2
            let other = bounds[Int(cell[middle])]
            if (other.stackingOrder, other.id) > (window.stackingOrder, window.id) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    // MARK: Cells

    /// The cells that a window touches.
    private struct Extent {
        let size: Int
        let columns, rows: ClosedRange<Int32>

        func forEachCell(_ body: (UInt64) -> Void) {
            for column in columns { for row in rows { body(WindowMap.key(size, column, row)) } }
        }
    }

    /// The cells of a window; nil if no touch can land on it.
    private func extent(of slot: Int32) -> Extent? {
        let (window, bounds) = (windows[Int(slot)], bounds[Int(slot)])
        guard !window.isHidden, window.acceptsTouches, bounds.left < bounds.right, bounds.top < bounds.bottom else {
            return nil
        }
        let edge = max(Int64(window.frame.width.rawValue), Int64(window.frame.height.rawValue))
        var size = Self.smallest
        while size < Self.largest, Int64(1) << Int64(16 + size) < edge { size += 1 }
        let shift = Int32(16 + size)
        return Extent(
            size: size, columns: (bounds.left >> shift)...((bounds.right - 1) >> shift),
            rows: (bounds.top >> shift)...((bounds.bottom - 1) >> shift))
    }

    private static func key(_ size: Int, _ column: Int32, _ row: Int32) -> UInt64 {
        UInt64(size) << 48 | UInt64(UInt32(bitPattern: column) & 0xFF_FFFF) << 24
            | UInt64(UInt32(bitPattern: row) & 0xFF_FFFF)
    }
}

extension WindowMap.Bounds {
    fileprivate init(_ window: SceneWindow) {
        let frame = window.frame
        self.init(
            stackingOrder: UInt64(UInt32(bitPattern: window.level.rawValue ^ .min)) << 32 | UInt64(window.order),
            id: window.id, left: frame.x.rawValue, top: frame.y.rawValue,
            right: Int32(clamping: Int64(frame.x.rawValue) + Int64(frame.width.rawValue)),
            bottom: Int32(clamping: Int64(frame.y.rawValue) + Int64(frame.height.rawValue)))
    }
}
