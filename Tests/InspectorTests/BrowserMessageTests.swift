import Testing

@testable import Inspector

@Suite("Messages of a browser")
struct BrowserMessageTests {
    private static func parse(_ text: String) throws(BrowserMessageError) -> BrowserMessage {
        try BrowserMessage(parsing: Array(text.utf8))
    }

    @Test("each kind of message is parsed")
    func kinds() throws {
        typealias Sample = BrowserMessage.Sample
        #expect(
            try Self.parse(#"{"t":"touch","at":9,"c":[[1,0,10.5,20,-1,5],[4294967295,3,-3,0,0.5,6.25]]}"#)
                == .touch([
                    Sample(finger: 1, phase: .began, x: 10.5, y: 20, at: 5),
                    Sample(finger: .max, phase: .cancelled, x: -3, y: 0, force: 0.5, at: 6.25),
                ]))
        #expect(try Self.parse(#"{"t":"got","n":7}"#) == .drawn(7))
        #expect(try Self.parse(#"{"t":"clock","n":2,"at":12.5}"#) == .clock(number: 2, at: 12.5))
        #expect(try Self.parse(#"{"t":"offset","ns":-26602470000000}"#) == .offset(nanoseconds: -26_602_470_000_000))
    }

    @Test(
        "a message that no page sends is refused, with the field and its limits",
        arguments: [
            ("", "expected a value, found the end in column 1"),
            ("[]", "expected an object with a text \"t\", found an array in column 1"),
            ("{}", "expected an object with a text \"t\", found an object in column 1"),
            (#"{"t":7}"#, "expected an object with a text \"t\", found an object in column 1"),
            (#"{"t":"pull"}"#, "expected \"t\" to be touch, got, clock or offset, found \"pull\" in column 1"),
            (#"{"t":"touch"}"#, "expected \"c\" to be an array of contacts, found an object in column 1"),
            (#"{"t":"touch","c":[]}"#, "expected 1 to 256 contacts in \"c\", found 0 in column 18"),
            (
                #"{"t":"touch","c":[[1,0,1,1,-1]]}"#,
                "expected a contact of six numbers: id, phase, x, y, force, at, found an array in column 19"
            ),
            (
                #"{"t":"touch","c":[[1,4,1,1,-1,0]]}"#,
                "expected a phase to be a whole number of 0 to 3, found 4 in column 22"
            ),
            (
                #"{"t":"touch","c":[[-1,0,1,1,-1,0]]}"#,
                "expected an id to be a whole number of 0 to 4294967295, found -1 in column 20"
            ),
            (
                #"{"t":"touch","c":[[1.5,0,1,1,-1,0]]}"#,
                "expected an id to be a whole number of 0 to 4294967295, found 1.5 in column 20"
            ),
            (
                #"{"t":"touch","c":[[1,0,100001,1,-1,0]]}"#,
                "expected x to be a number of -100000 to 100000, found 100001 in column 24"
            ),
            (
                #"{"t":"touch","c":[[1,0,1,null,-1,0]]}"#,
                "expected y to be a number of -100000 to 100000, found null in column 26"
            ),
            (#"{"t":"touch","c":[[1,0,1,1,-0.5,0]]}"#, "expected a force of 0 to 1, or -1, found -0.5 in column 28"),
            (
                #"{"t":"touch","c":[[1,0,1,1,1,-1]]}"#,
                "expected a time to be a number of 0 to 1000000000000, found -1 in column 30"
            ),
            (#"{"t":"got"}"#, "expected a number \"n\", found none in column 1"),
            (#"{"t":"got","n":-1}"#, "expected n to be a whole number of 0 to 9000000000000000, found -1 in column 16"),
            (
                #"{"t":"offset","ns":1e300}"#,
                "expected ns to be a number of -9000000000000000000 to 9000000000000000000, found 1e+300 in column 20"
            ),
            (#"{"t":"got","n":1} x"#, "expected the end of the JSON text, found \"x\" in column 19"),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: BrowserMessageError.self) { try Self.parse(text) }
        #expect(error?.description == reason)
    }

    @Test("a message of more than 64 KiB or 256 contacts is refused")
    func large() {
        let blank = String(repeating: " ", count: BrowserMessage.sizeLimit)
        let error = #expect(throws: BrowserMessageError.self) { try Self.parse(blank + "x") }
        #expect(error?.description == "expected at most 65536 bytes, found 65537")
        let contacts = [String](repeating: "[1,1,0,0,-1,0]", count: 257).joined(separator: ",")
        let many = #expect(throws: BrowserMessageError.self) { try Self.parse("{\"t\":\"touch\",\"c\":[\(contacts)]}") }
        #expect(many?.description == "expected 1 to 256 contacts in \"c\", found 257 in column 18")
    }
}
