import Basics
import Hosting
import Journals
import Testing
import Trace
import Wire

@Suite("The dialogue of a replay and the program of an app")
struct ReplayDialogueTests {
    private let answer = ReplayDialogue.Answer(
        effects: [
            .send(Frame(epoch: 1, generation: 2, sequence: SequenceNumber(3), message: .shutdown), to: .supervisor),
            .arm(TimerID(1), at: Instant(nanoseconds: 5)), .disarm(TimerID(2)), .exit(status: 3),
        ],
        facts: [
            ResolvedFact(
                at: Instant(nanoseconds: 5), process: "app1", station: .action, isProbe: true, template: "{a:n} at {b}",
                values: [.word("a\tb\nc → d"), .number(-7)])
        ])

    @Test("an answer decodes to what was encoded")
    func answers() throws {
        #expect(try ReplayDialogue.answer(ReplayDialogue.encode(answer)) == answer)
        let empty = ReplayDialogue.Answer(effects: [], facts: [])
        #expect(try ReplayDialogue.answer(ReplayDialogue.encode(empty)) == empty)
    }

    @Test("an answer with missing or extra bytes is refused")
    func cutAnswers() {
        let bytes = ReplayDialogue.encode(answer)
        for count in 0..<bytes.count {
            #expect(throws: WireError.self, "cut to \(count)") {
                _ = try ReplayDialogue.answer(Array(bytes[..<count]))
            }
        }
        #expect(throws: WireError.self) { _ = try ReplayDialogue.answer(bytes + [0]) }
    }

    @Test("a question decodes to what was encoded", arguments: inputs)
    func questions(_ input: Input) throws {
        let decoded = try ReplayDialogue.input(ReplayDialogue.encode(input, at: Instant(nanoseconds: 7)))
        #expect(decoded.input == input && decoded.moment == Instant(nanoseconds: 7))
    }

    @Test("the header of a journal decodes to what was encoded")
    func headers() throws {
        let order = LaunchOrder(
            peer: .app(1), epoch: 1, generation: 2, runDirectory: "/run",
            settings: [Setting(key: "app.executable", value: "/a/MyApp")])
        let header = JournalHeader(order: order, at: Instant(nanoseconds: 9), pid: 4)
        #expect(try ReplayDialogue.header(ReplayDialogue.encode(header)) == header)
        #expect(throws: JournalError.self) { _ = try ReplayDialogue.header([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) }
    }

    @Test("a message has its length in front, and one that is too long is refused")
    func lengths() {
        let framed = ReplayDialogue.framed([7, 8, 9])
        #expect(framed == [3, 0, 0, 0, 7, 8, 9])
        #expect(ReplayDialogue.length(Array(framed[..<ReplayDialogue.lengthSize])) == 3)
        #expect(ReplayDialogue.length([0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    }
}
