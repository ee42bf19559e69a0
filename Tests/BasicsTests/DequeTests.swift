import Basics
import Testing

@Suite("Deque")
struct DequeTests {
    @Test("a deque's elements leave in the order in which they were appended")
    func order() {
        var deque = Deque<Int>()
        var (next, taken): (Int, [Int]) = (0, [])
        // Three elements come in and two leave, so the deque grows and releases space many times.
        for _ in 0..<1000 {
            for _ in 0..<3 {
                deque.append(next)
                next += 1
            }
            taken += [deque.popFirst(), deque.popFirst()].compactMap { $0 }
        }
        #expect(deque.count == 1000 && Array(deque) == Array(2000..<3000))
        while let element = deque.popFirst() { taken.append(element) }
        #expect(taken == Array(0..<3000) && deque.isEmpty)
    }

    @Test("an element in a deque's middle can be changed, inserted and removed")
    func middle() {
        var deque = Deque([1, 2, 4, 5])
        _ = deque.popFirst()
        deque.insert(3, at: 1)
        deque[2] = 40
        #expect(Array(deque) == [2, 3, 40, 5] && deque.first == 2 && deque.last == 5)
        deque.remove(at: 1)
        deque.remove(at: 0)
        #expect(Array(deque) == [40, 5])
        deque.removeAll()
        deque.append(7)
        #expect(Array(deque) == [7])
    }

    @Test("a deque frees an element when it is removed")
    func freed() {
        final class Item {}
        var deque = Deque<Item>()
        weak var first: Item?
        do {
            let item = Item()
            first = item
            deque.append(item)
            deque.append(Item())
        }
        #expect(first != nil)
        _ = deque.popFirst()
        #expect(first == nil && deque.count == 1)
    }
}
