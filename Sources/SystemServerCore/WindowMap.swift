// WindowMap.swift: one app's windows as it has declared them: which of them a finger at a point lands on.
//
// Station   router
// Fed by    SystemServerCore: declarations, each a few changes
// Feeds     SceneTable: whether the app takes a finger there, or what is behind it does
// Knows     rectangles in the app's scene. No fingers, no views.
//
//     change ─▶ window ─▶ the cells it touches, at most four: squares of the power of two that is no smaller than it
//     point  ─▶ one cell of every size in use ─▶ topmost window there ─▶ topmost of those
//
// So that neither a change nor a question walks all windows: of 10,000 only those whose cell it is. A cell lists its
// windows topmost first. The worst an app can do is to pile all of them on one spot, and that costs as much as a list
// would.
//
// Sources   documented  fault F15; UIWindow.Level
//           invented    the cells

package import Basics
package import Wire

package struct WindowMap: Sendable {
    /// What became of a declaration.
    package enum Verdict: Equatable, Sendable {
        case taken
        /// One before it was not heard: nothing changes until all are said again.
        case missed
        /// No honest app says it; blame: the app. It has declared nothing now.
        case refused(String)
    }

    /// No app needs more.
    package static let limit = 10_000

    /// Of the last declaration taken; 0 before the first.
    private(set) var number: UInt32 = 0

    /// Bounds a finger is compared with, beside each other so that a cell is looked through quickly.
    fileprivate struct Bounds: Sendable {
        /// Level, then order, then id.
        var height: UInt64
        var id: UInt32
        var left, top, right, bottom: Int32
    }

    private var bounds: [Bounds] = []
    /// In the same places.
    private var windows: [SceneWindow] = []
    private var vacant: [Int32] = []
    private var places: [UInt32: Int32] = [:]
    private var cells: [UInt64: [Int32]] = [:]
    /// How many windows have cells of each size, by the power of two.
    private var sizes = [Int](repeating: 0, count: largest + 1)

    /// Cells of 8 points, and up to the longest edge there is.
    private static let smallest = 3
    private static let largest = 15

    package var count: Int { places.count }

    package init() {}

    // MARK: Questions

    /// Whether a finger that lands there is the app's.
    func takes(_ position: Point<SceneSpace>) -> Bool { window(at: position) != nil }

    /// The topmost window that takes touches there. Nil: what is behind the scene gets the finger.
    package func window(at position: Point<SceneSpace>) -> SceneWindow? {
        let (right, down) = (position.x.rawValue, position.y.rawValue)
        var (best, height, id): (Int32?, UInt64, UInt32) = (nil, 0, 0)
        for size in Self.smallest...Self.largest where sizes[size] > 0 {
            guard let cell = cells[Self.key(size, right >> (16 + Int32(size)), down >> (16 + Int32(size)))] else {
                continue
            }
            for place in cell {
                let window = bounds[Int(place)]
                if best != nil, (window.height, window.id) < (height, id) { break }
                guard right >= window.left, right < window.right, down >= window.top, down < window.bottom else {
                    continue
                }
                (best, height, id) = (place, window.height, window.id)
                break
            }
        }
        return best.map { windows[Int($0)] }
    }

    // MARK: Changes

    package mutating func take(_ diff: WindowsDiff) -> Verdict {
        if diff.isWhole {
            removeAll()
        } else if diff.number != number &+ 1 {
            return .missed
        }
        for change in diff.changes {
            switch change {
            case .put(let window):
                guard places[window.id] != nil || places.count < Self.limit else {
                    removeAll()
                    return .refused("it declares \(Self.limit + 1) windows, limit \(Self.limit)")
                }
                put(window)
            case .remove(let id):
                guard remove(id) else {
                    removeAll()
                    return .refused("it removes window \(id), which it has not declared")
                }
            }
        }
        number = diff.number
        return .taken
    }

    private mutating func removeAll() { self = WindowMap() }

    private mutating func put(_ window: SceneWindow) {
        if let place = places[window.id] {
            if windows[Int(place)] == window { return }
            withdraw(place)
            (bounds[Int(place)], windows[Int(place)]) = (Bounds(window), window)
            enter(place)
            return
        }
        let place: Int32
        if let free = vacant.popLast() {
            place = free
            (bounds[Int(place)], windows[Int(place)]) = (Bounds(window), window)
        } else {
            place = Int32(bounds.count)
            bounds.append(Bounds(window))
            windows.append(window)
        }
        places[window.id] = place
        enter(place)
    }

    private mutating func remove(_ id: UInt32) -> Bool {
        guard let place = places.removeValue(forKey: id) else { return false }
        withdraw(place)
        vacant.append(place)
        return true
    }

    private mutating func enter(_ place: Int32) {
        guard let extent = extent(of: place) else { return }
        sizes[extent.size] += 1
        extent.forEachCell { key in
            let index = index(of: place, in: cells[key] ?? [])
            cells[key, default: []].insert(place, at: index)
        }
    }

    private mutating func withdraw(_ place: Int32) {
        guard let extent = extent(of: place) else { return }
        sizes[extent.size] -= 1
        extent.forEachCell { key in
            let index = index(of: place, in: cells[key] ?? [])
            cells[key]?.remove(at: index)
            if cells[key]?.isEmpty == true { cells[key] = nil }
        }
    }

    /// Where it is in a cell's list, or belongs: topmost first.
    private func index(of place: Int32, in cell: [Int32]) -> Int {
        let window = bounds[Int(place)]
        var (low, high) = (0, cell.count)
        while low < high {
            let middle = (low + high) / 2
            let other = bounds[Int(cell[middle])]
            if (other.height, other.id) > (window.height, window.id) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Cells

    /// The cells a window touches.
    private struct Extent {
        let size: Int
        let columns, rows: ClosedRange<Int32>

        func forEachCell(_ body: (UInt64) -> Void) {
            for column in columns { for row in rows { body(WindowMap.key(size, column, row)) } }
        }
    }

    /// Nil for what no finger can land on.
    private func extent(of place: Int32) -> Extent? {
        let (window, bounds) = (windows[Int(place)], bounds[Int(place)])
        guard !window.isHidden, window.takesTouches, bounds.left < bounds.right, bounds.top < bounds.bottom else {
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
            height: UInt64(UInt32(bitPattern: window.level.rawValue ^ .min)) << 32 | UInt64(window.order),
            id: window.id, left: frame.x.rawValue, top: frame.y.rawValue,
            right: Int32(clamping: Int64(frame.x.rawValue) + Int64(frame.width.rawValue)),
            bottom: Int32(clamping: Int64(frame.y.rawValue) + Int64(frame.height.rawValue)))
    }
}
