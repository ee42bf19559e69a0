// Assignment.swift: which of the places in a scan each finger of the scan before has gone to.
//
// The squares of the distances sum up to the least there is: the Hungarian method, with a potential for each side and
// one shortest augmenting path per finger, O(n²m). Of several sums that are least, the one that keeps the order of
// the two lists best; what is equal in that too falls to the finger and the place listed first.
//
// Exact for any number: 32 fingers among 256 places are a quarter of a million steps, and no panel has that many.
//
// Station   device
// Fed by    GroupTracker
// Sources   documented  Kuhn 1955, Munkres 1957: the method; kernel multi-touch-protocol.rst leaves the choice to us

struct Assignment: Sendable {
    private struct Point {
        var name: Int
        var x, y: Int32
    }

    private var fingers: [Point] = []
    private var places: [Point] = []
    /// Finger and place, by the names they were added under. Of the shorter list everybody has a partner.
    private(set) var pairs: [(finger: Int, place: Int)] = []

    // Kept between scans for their memory. Index 0 is nobody; rows are the shorter list's, columns the longer's.
    private var rowPotential: [Int128] = []
    private var columnPotential: [Int128] = []
    private var rowOfColumn: [Int] = []
    private var columnBefore: [Int] = []
    private var least: [Int128] = []
    private var isVisited: [Bool] = []

    mutating func begin() {
        fingers.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
    }

    mutating func addFinger(_ name: Int, x: Int32, y: Int32) { fingers.append(Point(name: name, x: x, y: y)) }
    mutating func addPlace(_ name: Int, x: Int32, y: Int32) { places.append(Point(name: name, x: x, y: y)) }

    /// The square of the distance, then, worth less than any unit of it, the square of how far the order changes.
    static func cost(dx: Int64, dy: Int64, step: Int) -> Int128 {
        (Int128(dx) * Int128(dx) + Int128(dy) * Int128(dy)) << 32 + Int128(step * step)
    }

    private func cost(_ row: Int, _ column: Int) -> Int128 {
        let isFingerRow = fingers.count <= places.count
        let finger = fingers[(isFingerRow ? row : column) - 1]
        let place = places[(isFingerRow ? column : row) - 1]
        return Self.cost(
            dx: Int64(finger.x) - Int64(place.x), dy: Int64(finger.y) - Int64(place.y), step: row - column)
    }

    mutating func solve() {
        let (rows, columns) = (min(fingers.count, places.count), max(fingers.count, places.count))
        guard rows > 0 else { return }
        rowPotential.fill(rows + 1, 0)
        columnPotential.fill(columns + 1, 0)
        rowOfColumn.fill(columns + 1, 0)
        columnBefore.fill(columns + 1, 0)
        for row in 1...rows { augment(from: row, columns: columns) }
        for column in 1...columns where rowOfColumn[column] > 0 {
            let row = rowOfColumn[column]
            let isFingerRow = fingers.count <= places.count
            pairs.append(
                (fingers[(isFingerRow ? row : column) - 1].name, places[(isFingerRow ? column : row) - 1].name))
        }
    }

    /// Finds a column for one more row, moving others where that costs least.
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
    /// As many of one value, in the memory it already has.
    fileprivate mutating func fill(_ count: Int, _ value: Element) {
        removeAll(keepingCapacity: true)
        for _ in 0..<count { append(value) }
    }
}
