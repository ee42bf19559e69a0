import Basics
import Testing

@Suite("The seeded generator")
struct SeededGeneratorTests {

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
