import Basics
import Testing

@Suite("Quoted text in messages")
struct QuotedTests {
    @Test(
        "quoted text is short and has no terminal control characters",
        arguments: [
            ("frame", "\"frame\""), ("", "nothing"), ("a\u{1B}[2Jb\n", "\"a?[2Jb?\""),
            (String(repeating: "x", count: 60), "\"\(String(repeating: "x", count: 48))…\""),
        ])
    func text(text: String, shown: String) { #expect(quoted(text) == shown) }

    @Test("bytes that are not UTF-8 can be quoted")
    func bytes() { #expect(quoted([0xFF, 0x00, 0x41] as [UInt8]) == "\"\u{FFFD}?A\"") }
}
