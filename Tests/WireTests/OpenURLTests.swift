import Testing
import Wire

@Suite("URLs in messages")
struct OpenURLTests {

    private func fault(_ text: String) -> URLFault? {
        do throws(URLFault) { _ = try URLText(text) } catch { return error }
        return nil
    }

    @Test("a URL is a scheme followed by characters of RFC 3986")
    func good() throws {
        for text in ["a:", "touchline-demo://hello", "A+b.c-1:x", "x://u@h:1/p;a=b?q='(*)',$&!#f~_[]%20%aF"] {
            #expect(fault(text) == nil, "\(text)")
        }
        #expect(try URLText("Touchline-Demo://Hello").scheme == "touchline-demo")
        #expect(try URLText("Touchline-Demo://Hello").text == "Touchline-Demo://Hello")
        #expect(fault("a:" + String(repeating: "x", count: URLText.limit - 2)) == nil)
    }

    @Test("a URL with a bad character, escape, length or scheme is refused")
    func bad() {
        #expect(fault("a:" + String(repeating: "x", count: URLText.limit - 1)) == .tooLong(URLText.limit + 1))
        for (text, byte, place) in [
            ("a:\u{1B}[2J", 0x1B, 2), ("a:\nb", 0x0A, 2), ("a: b", 0x20, 2), ("a:ü", 0xC3, 2), ("a:\"", 0x22, 2),
            ("a:<", 0x3C, 2), ("\0a:", 0, 0), ("a:\u{7F}", 0x7F, 2),
        ] as [(String, UInt8, Int)] {
            #expect(fault(text) == .badCharacter(byte, at: place), "\(text)")
        }
        for text in ["a:%", "a:%4", "a:%4g", "a:%%%"] { #expect(fault(text) == .badEscape(at: 2), "\(text)") }
        let long = String(repeating: "s", count: URLText.schemeLimit + 1) + ":"
        for text in ["", "hello", "1a:b", ":b", "a_b:", "a/b:c", long] { #expect(fault(text) == .noScheme, "\(text)") }
    }

    @Test("a frame with an invalid URL is refused")
    func unreadable() throws {
        let good = Frame(
            epoch: 1, generation: 1, sequence: 1, message: .open(OpenRequest(id: 1, url: try URLText("a:bcd")))
        ).encoded()
        let place = try #require(good.lastIndex(of: UInt8(ascii: "d")))
        #expect(good.count == place + 1)
        for byte in [0x00, 0x0A, 0x80, 0xFF, UInt8(ascii: "%")] as [UInt8] {
            var bytes = good
            bytes[place] = byte
            #expect(throws: (any Error).self) { _ = try Frame.decode(packet: bytes) }
        }
    }
}
