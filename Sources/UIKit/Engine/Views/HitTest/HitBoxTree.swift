// HitBoxTree.swift: finds the last of many boxes that contains a point.
//
// Station   hitTest
// Input     the regions of a hit index's items
// Output    the last item that may contain a point
// Knows     boxes. No views.
//
// Eight boxes are a group; the boxes around eight groups are a group above. Neighbors are in one group: items are sorted by
// size, then along a Z-curve. In a group the boxes are ordered by the last item in them, so that a search visits the groups
// with later items first, and ends in a group when no later item is left.
//
//     boxes     minX minY maxX maxY, eight of each, in one group: four SIMD registers of a modern CPU
//     last      the greatest item in each box
//     below     the group in each box of the groups above the items
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
    @inline(__always)
    func lastItem(at point: CGPoint, before limit: Int32, of items: UnsafePointer<HitItem>) -> Int32 {
        var best: Int32 = -1
        guard groupCount > 0 else { return best }
        search(groupCount - 1, point, Float(point.x), Float(point.y), limit, items, &best)
        return best
    }

    private func search(
        _ group: Int, _ point: CGPoint, _ x: Float, _ y: Float, _ limit: Int32, _ items: UnsafePointer<HitItem>,
        _ best: inout Int32
    ) {
        let first = group &* Self.width
        let last = last.unsafelyUnwrapped + first
        var hits = boxesContaining(x, y, in: group)
        while hits != 0 {
            let lane = 31 &- hits.leadingZeroBitCount
            hits &= ~(1 << UInt32(truncatingIfNeeded: lane))
            guard last[lane] > best else { return }
            if group >= leafCount {
                search(
                    Int(below.unsafelyUnwrapped[first &+ lane]), point, x, y, limit, items, &best)
            } else if last[lane] < limit, items[Int(last[lane])].region.mayContain(point) {
                best = last[lane]
                return
            }
        }
    }

    /// The boxes of a group that contain the point, as bits.
    @inline(__always)
    private func boxesContaining(_ x: Float, _ y: Float, in group: Int) -> UInt32 {
        let box = boxes.unsafelyUnwrapped + group &* 4
        let inside = (box[0] .<= x) .& (box[1] .<= y) .& (box[2] .>= x) .& (box[3] .>= y)
        let bits = SIMD8<Int32>.zero.replacing(
            with: SIMD8<Int32>(1, 2, 4, 8, 16, 32, 64, 128), where: inside)
        return UInt32(truncatingIfNeeded: bits.wrappedSum())
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
        reserve(items: count)
        guard count > 0, let boxes, let last, let below, let above, let positions else {
            (leafCount, groupCount) = (0, 0)
            return
        }
        let order = HitBoxOrder(items, count: count)
        defer { order.deallocate() }
        leafCount = (count + Self.width - 1) / Self.width
        for group in 0..<leafCount {
            let range = group * Self.width..<min(count, (group + 1) * Self.width)
            Self.sort(order.items + range.lowerBound, count: range.count) { $0 }
            clear(group)
            for (lane, place) in range.enumerated() {
                let item = Int(order.items[place])
                set(Self.box(around: items[item].region), group, lane)
                last[group * Self.width + lane] = Int32(item)
                positions[item] = Int32(group * Self.width + lane)
            }
            noteLast(of: group, lanes: range.count)
        }
        var level = 0..<leafCount
        groupCount = leafCount
        while level.count > 1 {
            for first in stride(from: level.lowerBound, to: level.upperBound, by: Self.width) {
                let members = first..<min(level.upperBound, first + Self.width)
                for (offset, member) in members.enumerated() { order.items[offset] = Int32(member) }
                Self.sort(order.items, count: members.count) { last[Int($0) * Self.width + Self.width - 1] }
                clear(groupCount)
                for lane in 0..<members.count {
                    let member = Int(order.items[lane])
                    let position = groupCount * Self.width + lane
                    set(Self.union(of: boxes + member * 4), groupCount, lane)
                    last[position] = last[member * Self.width + Self.width - 1]
                    below[position] = Int32(member)
                    above[member] = Int32(position)
                }
                noteLast(of: groupCount, lanes: members.count)
                groupCount += 1
            }
            level = level.upperBound..<groupCount
        }
        above[groupCount - 1] = -1
    }

    /// Notes the greatest item of a group in its last lane, whose box may be unused.
    private func noteLast(of group: Int, lanes: Int) {
        let last = last.unsafelyUnwrapped + group * Self.width
        last[Self.width - 1] = last[lanes - 1]
    }

    /// Empties a group's boxes.
    private func clear(_ group: Int) {
        guard let boxes, let last else { return }
        for side in 0..<4 { boxes[group * 4 + side] = SIMD8<Float>(repeating: Self.emptyBox[side]) }
        for lane in 0..<Self.width { last[group * Self.width + lane] = -1 }
    }

    private func set(_ box: SIMD4<Float>, _ group: Int, _ lane: Int) {
        for side in 0..<4 { boxes.unsafelyUnwrapped[group * 4 + side][lane] = box[side] }
    }

    /// Sorts at most eight numbers by their keys.
    @inline(__always)
    private static func sort(_ numbers: UnsafeMutablePointer<Int32>, count: Int, by key: (Int32) -> Int32) {
        for end in 1..<max(count, 1) {
            let (number, own) = (numbers[end], key(numbers[end]))
            var place = end
            while place > 0, key(numbers[place - 1]) > own {
                numbers[place] = numbers[place - 1]
                place -= 1
            }
            numbers[place] = number
        }
    }

    // MARK: Memory

    var byteCount: Int {
        let group = 4 * MemoryLayout<SIMD8<Float>>.stride + (2 * Self.width + 1) * MemoryLayout<Int32>.stride
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
        below = .allocate(capacity: groupCapacity * Self.width)
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
