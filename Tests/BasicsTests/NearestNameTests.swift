import Basics
import Testbed
import Testing

@Suite("Nearest names")
struct NearestNameTests {

    @Test(
        "a misspelt word finds its nearest name, and a strange word none",
        arguments: [
            ("screen.widht", "screen.width" as String?), ("Frame", "frame"), ("xyz", nil), ("", nil),
            ("farme", "frame"), ("tpa", "tap"), ("OTP", "opt"),
        ] as [(String, String?)])
    func nearest(word: String, expected: String?) {
        #expect(nearestName(to: word, among: ["screen.width", "frame", "bounds", "tap", "opt"]) == expected)
    }

    @Test("a word of a megabyte has no nearest name", .timeLimit(Sanitizer.timeLimit))
    func long() {
        let known = (0..<1000).map { "screen.width\($0)" }
        #expect(nearestName(to: String(repeating: "screen", count: 200_000), among: known) == nil)
    }
}
