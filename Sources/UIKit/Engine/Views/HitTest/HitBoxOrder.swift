// HitBoxOrder.swift: an order of boxes in which neighbors in the plane are mostly neighbors in the order.
//
// Input     the regions of a hit index's items
// Output    HitBoxTree, which groups neighbors
//
// The key of an item, 27 bits, is sorted in three passes of nine:
//
//     size, 3 bits │ Z-curve of the center, 12 bits of x and 12 of y, alternating
//
// The size comes first, so that the few views around many small ones do not enlarge the boxes of those. Items with equal
// keys keep the order of the index: views that fill their superview form a sequence.
//
// Sources   inferred    a radix sort is stable, and the fastest for keys of this length

import Foundation

struct HitBoxOrder {
    /// The items, sorted.
    let items: UnsafeMutablePointer<Int32>

    init(_ source: UnsafePointer<HitItem>, count: Int) {
        items = .allocate(capacity: max(count, HitBoxTree.width))
        let keys = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        let otherItems = UnsafeMutablePointer<Int32>.allocate(capacity: count)
        let otherKeys = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        defer {
            keys.deallocate()
            otherItems.deallocate()
            otherKeys.deallocate()
        }
        let curve = Curve(around: source, count: count)
        for item in 0..<count {
            otherItems[item] = Int32(item)
            otherKeys[item] = curve.key(of: source[item].region)
        }
        // An odd number of passes ends in `items`.
        Self.pass(0, count, from: (otherKeys, otherItems), to: (keys, items))
        Self.pass(9, count, from: (keys, items), to: (otherKeys, otherItems))
        Self.pass(18, count, from: (otherKeys, otherItems), to: (keys, items))
    }

    func deallocate() { items.deallocate() }

    private typealias Columns = (keys: UnsafeMutablePointer<UInt32>, items: UnsafeMutablePointer<Int32>)

    /// Sorts by nine bits of the keys.
    private static func pass(_ shift: UInt32, _ count: Int, from source: Columns, to target: Columns) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 512) { places in
            places.initialize(repeating: 0)
            for index in 0..<count { places[Int(source.keys[index] &>> shift & 511)] += 1 }
            var sum = 0
            for digit in 0..<512 { (places[digit], sum) = (sum, sum + places[digit]) }
            for index in 0..<count {
                let key = source.keys[index]
                let place = places[Int(key &>> shift & 511)]
                places[Int(key &>> shift & 511)] = place + 1
                target.keys[place] = key
                target.items[place] = source.items[index]
            }
        }
    }

    /// The square around the centers of all regions, in 4,096 by 4,096 cells.
    private struct Curve {
        private var (left, top): (Float, Float) = (.infinity, .infinity)
        private var cells: Float = 0
        private var extent: Float = 1

        init(around source: UnsafePointer<HitItem>, count: Int) {
            var (right, bottom): (Float, Float) = (-.infinity, -.infinity)
            for item in 0..<count {
                let (x, y) = Self.center(of: source[item].region)
                (left, right) = (min(left, x), max(right, x))
                (top, bottom) = (min(top, y), max(bottom, y))
            }
            extent = max(max(right - left, bottom - top), 1)
            cells = 4095 / extent
        }

        private static func center(of region: HitRegion) -> (Float, Float) {
            (Float((region.minX + region.maxX) / 2), Float((region.minY + region.maxY) / 2))
        }

        func key(of region: HitRegion) -> UInt32 {
            let (x, y) = Self.center(of: region)
            let size = Float(max(region.maxX - region.minX, region.maxY - region.minY))
            // 0 for a region as large as all centers are apart, and 1 more each time that the size is halved.
            let halvings = size > 0 ? min(max(-(size / extent).exponent, 0), 7) : 7
            return UInt32(halvings) << 24 | Self.spread((x - left) * cells) | Self.spread((y - top) * cells) << 1
        }

        /// Twelve bits of a number, each followed by a zero.
        private static func spread(_ number: Float) -> UInt32 {
            var bits = UInt32(min(max(number, 0), 4095))
            bits = (bits | bits << 8) & 0x00FF_00FF
            bits = (bits | bits << 4) & 0x0F0F_0F0F
            bits = (bits | bits << 2) & 0x3333_3333
            return (bits | bits << 1) & 0x5555_5555
        }
    }
}
