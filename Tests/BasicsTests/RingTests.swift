import Basics
import Testing

@Suite("Rings")
struct RingTests {

    @Test("a ring returns elements first in, first out across its seam")
    func order() {
        var ring = Ring<Int>(capacity: 3)
        var model: [Int] = []
        var chance = SeededGenerator(seed: 7)
        for i in 0..<1000 {
            if Bool.random(using: &chance) {
                #expect(ring.append(i) == (model.count < 3))
                if model.count < 3 { model.append(i) }
            } else {
                #expect(ring.removeFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(ring.elements == model)
        }
    }

    @Test("a full ring that overwrites discards its oldest element")
    func overwriting() {
        var ring = Ring<Int>(capacity: 2)
        for i in 1...3 { ring.overwrite(with: i) }
        #expect(ring.elements == [2, 3])
    }

    @Test("a seeded generator repeats its numbers for the same seed only")
    func chance() {
        func draw(_ seed: UInt64) -> [UInt64] {
            var generator = SeededGenerator(seed: seed)
            return (0..<4).map { _ in generator.next() }
        }
        #expect(draw(1) == draw(1))
        #expect(draw(1) != draw(2))
    }
}
