import Basics
import Testing

@Suite("Search in text")
struct TextSearchTests {
    @Test(
        "the first occurrence of a part is found",
        arguments: [
            ("a", "banana", 1), ("ana", "banana", 1), ("nab", "banana", nil), ("banana", "banana", 0),
            ("bananas", "banana", nil), ("", "banana", 0), ("", "", 0), ("a", "", nil), ("aab", "aaab", 1),
            (" #", "Some panel # its name", 10), ("ß", "Straße", 4),
        ])
    func first(part: String, text: String, offset: Int?) {
        let range = firstRange(of: part, in: text)
        #expect(range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == offset)
        if let range { #expect(text[range] == part) }
        #expect((range != nil) == (part.isEmpty || text.contains(part)))
    }

    @Test("a part of a text is found in the text's own indices")
    func slice() throws {
        let text = "one two one"
        let rest = text.dropFirst(4)
        let range = try #require(firstRange(of: "one", in: rest))
        #expect(text[..<range.lowerBound] == "one two ")
    }

    @Test(
        "each occurrence of a part is replaced from left to right",
        arguments: [
            ("\n", "\\n", "a\nb\n", "a\\nb\\n"), ("aa", "b", "aaaaa", "bba"), ("x", "xx", "axa", "axxa"),
            ("q", "z", "", ""),
        ])
    func replaced(part: String, other: String, text: String, result: String) {
        #expect(replacing(part, with: other, in: text) == result)
    }
}
