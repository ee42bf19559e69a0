import Basics
import Testing

@Suite("Instants")
struct InstantTests {

    @Test(
        "a time is written in milliseconds, rounded to the nearest microsecond",
        arguments: [(0, "0.000 ms"), (1_500, "0.002 ms"), (-2_000_000, "-2.000 ms"), (123_456_789, "123.457 ms")]
            as [(Int64, String)])
    func text(nanoseconds: Int64, expected: String) { #expect(millisecondsText(nanoseconds) == expected) }

    @Test("a deadline too far to count is never, not the past")
    func saturation() {
        #expect(Instant(nanoseconds: 5).advanced(by: .seconds(Int64.max)) == .never)
        #expect(Instant(seconds: .infinity) == .never)
        #expect(Duration(seconds: .nan).nanoseconds == 0)
        let first = Instant(nanoseconds: .min)
        #expect(first.duration(to: .never).nanoseconds == .max)
        #expect(Instant(nanoseconds: 5).duration(to: first).nanoseconds == .min)
    }

    @Test(
        "a number with decimals is written as printf writes it",
        arguments: [(1.25, 1, "1.3"), (-0.04, 1, "0.0"), (2, 0, "2"), (234.671875, 2, "234.67"), (-1.5, 2, "-1.50")]
            as [(Double, Int, String)])
    func decimals(value: Double, digits: Int, expected: String) {
        #expect(fixedText(value, digits: digits) == expected)
    }
}
