import Basics
import Testing

@Suite("What a person is shown of a file")
struct QuotedTests {
    @Test(
        "is quoted, short, and nothing a terminal would obey",
        arguments: [
            ("frame", "\"frame\""), ("", "nothing"), ("a\u{1B}[2Jb\n", "\"a?[2Jb?\""),
            (String(repeating: "x", count: 60), "\"\(String(repeating: "x", count: 48))…\""),
        ])
    func text(text: String, shown: String) { #expect(quoted(text) == shown) }

    @Test("may be no text at all")
    func bytes() { #expect(quoted([0xFF, 0x00, 0x41] as [UInt8]) == "\"\u{FFFD}?A\"") }
}
