import Basics
import Testing

@Suite("16.16 fixed point")
struct FixedTests {

    @Test("Fixed truncates towards zero and saturates")
    func conversion() {
        #expect(Fixed(0.5).rawValue == 32768)
        #expect(Fixed(-0.000001).rawValue == 0)
        #expect(Fixed(1e9).rawValue == .max)
        #expect(Fixed(-1e9).rawValue == -.max)
        #expect(Fixed(.nan) == .nan)
        #expect(Fixed.nan.double.isNaN)
    }

    @Test(
        "Fixed normalises as IOHIDEventDriver does and saturates at the logical ends",
        arguments: [
            (0, 0, 799, 0), (799, 0, 799, 65536), (400, 0, 800, 32768), (-5, 0, 799, 0), (900, 0, 799, 65536),
            (5, 7, 7, 0), (0, -100, 100, 32768), (Int64.max, Int64.min, Int64.max, 65536),
        ] as [(Int64, Int64, Int64, Int32)])
    func normalising(value: Int64, min: Int64, max: Int64, raw: Int32) {
        #expect(Fixed(normalising: value, from: min, to: max).rawValue == raw)
    }
}
