@testable import Explain
import Gestures
import Testing

@Suite("Sentences and reasons in three languages")
struct WordsTests {
    private func places(_ template: String) -> Set<Int> { Set(Words.parts(of: template).places) }

    @Test("the translations of a sentence have its placeholders", arguments: Sentence.allCases)
    func placeholders(_ sentence: Sentence) {
        let words = sentence.words
        let english = places(words.english)
        for language in Language.allCases {
            #expect(places(words[language]) == english, "\(words[language])")
            #expect(!words[language].isEmpty)
        }
    }

    @Test("the translations of a reason have its placeholders, and no earlier reason hides it")
    func reasons() {
        for (index, words) in Reason.table.enumerated() {
            let english = places(words.english)
            for language in Language.allCases {
                #expect(places(words[language]) == english, "\(words[language])")
            }
            let example = Words.fill(words.english, with: ["3", "4", "5"])
            let found = Reason.table.firstIndex { $0.values(of: example) != nil }
            #expect(found == index, "\(words.english) is hidden by \(Reason.table[found ?? 0].english)")
        }
    }

    @Test("each failure of a machine has a translation with its measures")
    func failures() {
        let all: [Failure] = [
            .moved(50, limit: 10), .landedAway(50, limit: 45), .pressedFor(.seconds(2), limit: .seconds(1)),
            .waitedFor(.seconds(1), limit: .seconds(1)), .tooManyFingers(2, limit: 1), .tooFewFingers(1, needs: 2),
            .liftedAsItLanded, .liftedEarly(after: .seconds(1), needs: .seconds(2)),
            .liftedEarly(after: .seconds(2), needs: .seconds(1)), .liftedAfterTravel(5, needs: 10),
            .liftedAfterTravel(20, needs: 10), .liftedAfterPinch(1, needs: 8), .liftedAfterTurn(1, needs: 8),
            .took(.seconds(1), limit: .seconds(1)), .wentBack(1, limit: 0), .wentAcross(60, limit: 50),
            .landedInside(.infinity, limit: 1), .landedInside(20, limit: 13), .ranAlongEdge(inward: 1, along: 2),
            .wrongButton(1, needs: 2), .lostTouches, .systemCancelled,
        ]
        for failure in all {
            let english = "\(failure)"
            for language in [Language.japanese, .chinese] {
                let text = Reason.text(of: english, in: language)
                #expect(text != english, "\(english)")
                for measure in english.split(whereSeparator: { !$0.isNumber && $0 != "." })
                where measure.contains(where: \.isNumber) {
                    #expect(text.contains(measure), "\(text) lacks \(measure)")
                }
            }
        }
    }

    @Test("values of a text are those of its template, in any order of placeholders")
    func values() {
        let words = Words("a {1} of {0} b", "", "")
        #expect(words.values(of: "a x of y b") == ["y", "x"])
        #expect(words.values(of: "a x b") == nil)
        #expect(words.values(of: "a x of y b c") == nil)
        #expect(Words("{0}, limit {1}", "", "").values(of: "2 fingers, limit 1") == ["2 fingers", "1"])
        #expect(Words("done", "", "").values(of: "done") == [])
        #expect(Words("done", "", "").values(of: "done it") == nil)
    }

    @Test("an unknown reason stays English")
    func unknown() { #expect(Reason.text(of: "something else", in: .japanese) == "something else") }
}
