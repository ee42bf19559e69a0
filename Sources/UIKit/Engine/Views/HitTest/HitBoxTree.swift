// HitBoxTree.swift: finds the last of many boxes that contains a point.
//
// Station   hitTest
// Input     the regions of a hit index's items
// Output    the last item that may contain a point
// Knows     boxes. No views.
//
// Eight boxes are a group; the boxes around eight groups are a group above. Neighbors are in one group: items are sorted by
// size, then along a Z-curve. In a group the boxes are ordered by the last item in them, so that a search visits the groups
// with later items first, and ends in a group when no later item is left. A group with fewer boxes uses its last lanes.
//
//     boxes     minX minY maxX maxY, eight of each, in one group: four SIMD registers of a modern CPU
//     last      the greatest item in each box; −1 in an unused lane
//     below     for a group above the items: the group in its box 0. The groups in its boxes follow each other, so that a
//               search loads the next group's number and the boxes at the same time
//     above     the box of each group in the group above
//
// Boxes have 32 bits for each number. Conversion rounds to the nearest number, which never exchanges the order of two
// numbers. A point inside a region is therefore inside its box.

import Foundation

struct HitBoxTree {
    static let width = 8

    private var boxes: UnsafeMutablePointer<SIMD8<Float>>?
    private var last: UnsafeMutablePointer<Int32>?
    private var below: UnsafeMutablePointer<Int32>?
    private var above: UnsafeMutablePointer<Int32>?
    /// The box of each item.
    private var positions: UnsafeMutablePointer<Int32>?
    private var groupCapacity = 0
    private var itemCapacity = 0
    /// The number of groups whose boxes are items. They precede the other groups; the topmost group is the last one.
    private var leafCount = 0
    private var groupCount = 0

    // MARK: Searching

    /// The last item before `limit` that may contain the point, or −1.
    ///
    /// A search descends into the box with the latest item first, and climbs when no later item is left in a group.
    ///
    /// - Parameters:
    ///   - point: A point in the root's coordinates.
    ///   - limit: Items from this one on are passed over.
    ///   - items: The items of the last `build`.
    @inline(__always)
    func lastItem(at point: CGPoint, before limit: Int32, of items: UnsafePointer<HitItem>) -> Int32 {
        var best: Int32 = -1
        guard groupCount > 0, let boxes, let last, let below, let above else { return best }
        let (x, y) = (Float(point.x), Float(point.y))
        var group = groupCount &- 1
        var hits = Self.boxesContaining(x, y, in: boxes + group &* 4)
        // The boxes that contain the point in the groups above, and are not searched yet: eight bits for each group.
        var pending: UInt64 = 0
        while true {
            if hits != 0 {
                let lane = 63 &- hits.leadingZeroBitCount
                let position = group &* Self.width &+ lane
                let candidate = last[position]
                if candidate > best {
                    hits ^= 1 &<< UInt64(truncatingIfNeeded: lane)
                    if group >= leafCount {
                        pending = pending &<< 8 | hits
                        group = Int(below[group]) &+ lane
                        hits = Self.boxesContaining(x, y, in: boxes + group &* 4)
                        continue
                    }
                    guard candidate < limit, items[Int(candidate)].region.mayContain(point) else { continue }
                    best = candidate
                }
            }
            guard pending != 0 else { return best }
            group = Int(above[group]) &>> 3
            hits = pending & 0xFF
            pending &>>= 8
        }
    }

    /// The boxes of a group that contain the point, as bits.
    ///
    /// Halves of four, because the compiler has no short code for a mask of eight lanes in registers of four.
    @inline(__always)
    private static func boxesContaining(_ x: Float, _ y: Float, in box: UnsafePointer<SIMD8<Float>>) -> UInt64 {
        let front =
            (box[0].lowHalf .<= x) .& (box[1].lowHalf .<= y) .& (box[2].lowHalf .>= x) .& (box[3].lowHalf .>= y)
        let back =
            (box[0].highHalf .<= x) .& (box[1].highHalf .<= y) .& (box[2].highHalf .>= x) .& (box[3].highHalf .>= y)
        let bits =
            SIMD4<UInt32>.zero.replacing(with: SIMD4(2, 4, 8, 16), where: front)
            | SIMD4<UInt32>.zero.replacing(with: SIMD4(32, 64, 128, 256), where: back)
        let pairs = unsafeBitCast(bits, to: SIMD2<UInt64>.self)
        let sum = pairs.x | pairs.y
        return UInt64(UInt32(truncatingIfNeeded: sum) | UInt32(truncatingIfNeeded: sum &>> 32)) &>> 1
    }

    // MARK: Moving

    /// Gives an item's box its present region, and enlarges or reduces the boxes around it.
    func move(_ item: Int, to region: HitRegion) {
        guard let boxes, let above, let positions else { return }
        var position = Int(positions[item])
        var box = Self.box(around: region)
        while true {
            let (group, lane) = (position / Self.width, position % Self.width)
            let lanes = boxes + group * 4
            let old = SIMD4<Float>(lanes[0][lane], lanes[1][lane], lanes[2][lane], lanes[3][lane])
            guard old != box else { return }
            for side in 0..<4 { lanes[side][lane] = box[side] }
            guard above[group] >= 0 else { return }
            position = Int(above[group])
            box = Self.union(of: lanes)
        }
    }

    private static func union(of lanes: UnsafePointer<SIMD8<Float>>) -> SIMD4<Float> {
        SIMD4<Float>(lanes[0].min(), lanes[1].min(), lanes[2].max(), lanes[3].max())
    }

    /// The box around a region: minX, minY, maxX, maxY. The box of a region without points contains no point.
    private static func box(around region: HitRegion) -> SIMD4<Float> {
        let slack = region.slack
        let (minX, maxX) = (region.minX - slack, region.maxX + slack)
        let (minY, maxY) = (region.minY - slack, region.maxY + slack)
        guard minX <= maxX, minY <= maxY else { return emptyBox }
        return SIMD4<Float>(Float(minX), Float(minY), Float(maxX), Float(maxY))
    }

    private static var emptyBox: SIMD4<Float> { SIMD4(.infinity, .infinity, -.infinity, -.infinity) }

    // MARK: Building

    /// Arranges the boxes of items, in place of the earlier ones.
    mutating func build(_ items: UnsafePointer<HitItem>, count: Int) {
        // Nine levels, for the bits of `lastItem`.
        precondition(count <= 1 << 27, "a hit index has \(count) views, and at most \(1 << 27) are possible")
        reserve(items: count)
        guard count > 0, let boxes, let last, let below else {
            (leafCount, groupCount) = (0, 0)
            return
        }
        let order = HitBoxOrder(items, count: count)
        defer { order.deallocate() }
        leafCount = (count + Self.width - 1) / Self.width
        for group in 0..<leafCount {
            let range = group * Self.width..<min(count, (group + 1) * Self.width)
            Self.sort(order.items + range.lowerBound, count: range.count)
            clear(group)
            for (offset, index) in range.enumerated() {
                let (item, lane) = (Int(order.items[index]), Self.width - range.count + offset)
                set(Self.box(around: items[item].region), group, lane)
                last[group * Self.width + lane] = Int32(item)
            }
        }
        var level = 0..<leafCount
        groupCount = leafCount
        while level.count > 1 {
            for first in stride(from: level.lowerBound, to: level.upperBound, by: Self.width) {
                let members = first..<min(level.upperBound, first + Self.width)
                sortGroups(members)
                clear(groupCount)
                let shift = Self.width - members.count - first
                below[groupCount] = Int32(-shift)
                for member in members {
                    set(Self.union(of: boxes + member * 4), groupCount, member + shift)
                    last[groupCount * Self.width + member + shift] = greatestItem(in: member)
                }
                groupCount += 1
            }
            level = level.upperBound..<groupCount
        }
        notePositions()
    }

    /// The greatest item in a group.
    private func greatestItem(in group: Int) -> Int32 { last.unsafelyUnwrapped[group * Self.width + Self.width - 1] }

    /// Sorts at most eight groups by their greatest items.
    private func sortGroups(_ groups: Range<Int>) {
        for end in groups.dropFirst() {
            var index = end
            while index > groups.lowerBound, greatestItem(in: index - 1) > greatestItem(in: index) {
                exchange(index - 1, index)
                index -= 1
            }
        }
    }

    /// Exchanges two groups whose positions are not noted yet.
    private func exchange(_ group: Int, _ other: Int) {
        guard let boxes, let last, let below else { return }
        for side in 0..<4 { swap(&boxes[group * 4 + side], &boxes[other * 4 + side]) }
        for lane in 0..<Self.width { swap(&last[group * Self.width + lane], &last[other * Self.width + lane]) }
        swap(&below[group], &below[other])
    }

    /// Notes the box of each item and of each group.
    private func notePositions() {
        guard let last, let below, let above, let positions else { return }
        for position in 0..<groupCount * Self.width where last[position] >= 0 {
            let (group, lane) = (position / Self.width, position % Self.width)
            if group < leafCount {
                positions[Int(last[position])] = Int32(position)
            } else {
                above[Int(below[group]) + lane] = Int32(position)
            }
        }
        above[groupCount - 1] = -1
    }

    /// Empties a group's boxes.
    private func clear(_ group: Int) {
        guard let boxes, let last, let below else { return }
        for side in 0..<4 { boxes[group * 4 + side] = SIMD8<Float>(repeating: Self.emptyBox[side]) }
        for lane in 0..<Self.width { last[group * Self.width + lane] = -1 }
        below[group] = -1
    }

    private func set(_ box: SIMD4<Float>, _ group: Int, _ lane: Int) {
        for side in 0..<4 { boxes.unsafelyUnwrapped[group * 4 + side][lane] = box[side] }
    }

    /// Sorts at most eight numbers.
    @inline(__always)
    private static func sort(_ numbers: UnsafeMutablePointer<Int32>, count: Int) {
        for end in 1..<max(count, 1) {
            let number = numbers[end]
            var index = end
            while index > 0, numbers[index - 1] > number {
                numbers[index] = numbers[index - 1]
                index -= 1
            }
            numbers[index] = number
        }
    }

    // MARK: Memory

    var byteCount: Int {
        let group = 4 * MemoryLayout<SIMD8<Float>>.stride + (Self.width + 2) * MemoryLayout<Int32>.stride
        return groupCapacity * group + itemCapacity * MemoryLayout<Int32>.stride
    }

    private mutating func reserve(items: Int) {
        guard items > itemCapacity else { return }
        deallocate()
        itemCapacity = items + items / 4
        // Each level has an eighth of the groups below it, and at least one.
        groupCapacity = itemCapacity / 7 + 16
        boxes = .allocate(capacity: groupCapacity * 4)
        last = .allocate(capacity: groupCapacity * Self.width)
        below = .allocate(capacity: groupCapacity)
        above = .allocate(capacity: groupCapacity)
        positions = .allocate(capacity: itemCapacity)
    }

    func deallocate() {
        boxes?.deallocate()
        last?.deallocate()
        below?.deallocate()
        above?.deallocate()
        positions?.deallocate()
    }
}
