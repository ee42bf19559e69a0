// Assignment.swift: matches the fingers of one scan with the positions of the next.
//
// The sum of the squared distances is minimal: the Hungarian method, with a potential for each side and one shortest
// augmenting path per finger, O(n²m). Among equal sums, the one wins that keeps the order of the two lists best.
// Remaining ties go to the finger and the position listed first.
//
// The result is exact for any number of fingers. 32 fingers among 256 positions take a quarter of a million steps, and
// no panel has that many.
//
// Station   device
// Input     GroupTracker
// Output    pairs of indices
// Sources   documented  Kuhn 1955, Munkres 1957: the method; kernel multi-touch-protocol.rst leaves the choice to the
//                       reader

/// An assignment of fingers to positions with the least sum of squared distances.
struct Assignment: Sendable {
    private struct Point {
        var name: Int
        var x, y: Int32
    }

    private var fingers: [Point] = []
    private var positions: [Point] = []
    /// Pairs of a finger and a position, by the names they were added under. Each entry of the shorter list has a
    /// partner.
    private(set) var pairs: [(finger: Int, place: Int)] = []

    // Kept between scans for their memory. Index 0 is unused; rows are the shorter list's, columns the longer's.
    private var rowPotential: [Int128] = []
    private var columnPotential: [Int128] = []
    private var rowOfColumn: [Int] = []
    private var columnBefore: [Int] = []
    private var least: [Int128] = []
    private var isVisited: [Bool] = []

    mutating func begin() {
        fingers.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
    }

    mutating func addFinger(_ name: Int, x: Int32, y: Int32) { fingers.append(Point(name: name, x: x, y: y)) }
    mutating func addPosition(_ name: Int, x: Int32, y: Int32) { positions.append(Point(name: name, x: x, y: y)) }

    /// The squared distance, and, as a smaller unit, the squared change of the order.
    static func cost(dx: Int64, dy: Int64, step: Int) -> Int128 {
        (Int128(dx) * Int128(dx) + Int128(dy) * Int128(dy)) << 32 + Int128(step * step)
    }

    private func cost(_ row: Int, _ column: Int) -> Int128 {
        let isFingerRow = fingers.count <= positions.count
        let finger = fingers[(isFingerRow ? row : column) - 1]
        let position = positions[(isFingerRow ? column : row) - 1]
        return Self.cost(
            dx: Int64(finger.x) - Int64(position.x), dy: Int64(finger.y) - Int64(position.y), step: row - column)
    }

    mutating func solve() {
        let (rows, columns) = (min(fingers.count, positions.count), max(fingers.count, positions.count))
        guard rows > 0 else { return }
        rowPotential.fill(rows + 1, 0)
        columnPotential.fill(columns + 1, 0)
        rowOfColumn.fill(columns + 1, 0)
        columnBefore.fill(columns + 1, 0)
        for row in 1...rows { augment(from: row, columns: columns) }
        for column in 1...columns where rowOfColumn[column] > 0 {
            let row = rowOfColumn[column]
            let isFingerRow = fingers.count <= positions.count
            pairs.append(
                (fingers[(isFingerRow ? row : column) - 1].name, positions[(isFingerRow ? column : row) - 1].name))
        }
    }

    /// Finds a column for one more row, and moves other rows where that costs least.
    private mutating func augment(from row: Int, columns: Int) {
        rowOfColumn[0] = row
        least.fill(columns + 1, .max)
        isVisited.fill(columns + 1, false)
        var column = 0
        repeat {
            isVisited[column] = true
            let row = rowOfColumn[column]
            var (delta, next) = (Int128.max, 0)
            for other in 1...columns where !isVisited[other] {
                let reduced = cost(row, other) - rowPotential[row] - columnPotential[other]
                if reduced < least[other] { (least[other], columnBefore[other]) = (reduced, column) }
                if least[other] < delta { (delta, next) = (least[other], other) }
            }
            for other in 0...columns {
                if isVisited[other] {
                    rowPotential[rowOfColumn[other]] += delta
                    columnPotential[other] -= delta
                } else {
                    least[other] -= delta
                }
            }
            column = next
        } while rowOfColumn[column] != 0
        while column != 0 {
            let before = columnBefore[column]
            rowOfColumn[column] = rowOfColumn[before]
            column = before
        }
    }
}

extension Array {
    /// Fills the array with `count` copies of a value, in its existing memory.
    fileprivate mutating func fill(_ count: Int, _ value: Element) {
        removeAll(keepingCapacity: true)
        for _ in 0..<count { append(value) }
    }
}
