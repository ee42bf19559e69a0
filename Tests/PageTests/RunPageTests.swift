import Explain
import Foundation
import Page
import Runs
import Testing

@Suite("The text of a page")
struct RunPageTests {
    private func page(_ windows: String = cards, _ language: Language = .english, name: String = "run") throws -> String
    {
        RunPage(RunRecord(try recorded(windows)), name: name, language: language).html
    }

    @Test("a page is one file that loads nothing", arguments: Language.allCases)
    func alone(language: Language) throws {
        let text = try page(cards, language)
        #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language.rawValue)\">"))
        for word in ["http:", "https:", "url(", "@import", " src=", " href=", "//cdn", "innerHTML", "eval("] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.components(separatedBy: "</script>").count == 3)
        #expect(text.utf8.count < 200_000)
    }

    @Test("the policy of a page allows its own script and style only")
    func policy() throws {
        let text = try page()
        let policy = try #require(text.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)?.1)
        #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
        #expect(
            !policy.contains("unsafe") && policy.contains("style-src 'sha256-") && policy.contains("base-uri 'none'"))
        // Known: the digest of an empty text.
        #expect(RunPage.digest("") == "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
        #expect(policy.contains(RunPage.digest(RunPage.script)) && policy.contains(RunPage.digest(RunPage.style)))
        #expect(text.contains("<script type=\"module\">\(RunPage.script)</script>"))
        #expect(!text.contains(" style=") && text.firstMatch(of: #/ on[a-z]+="/#) == nil)
    }

    @Test("names of a run cannot end or begin an element")
    func escaping() throws {
        let hostile = """
            - name: W
              view: { name: "</script><h1>" }
            """
        let text = try page(hostile, name: "</title><script>x</script>")
        #expect(text.contains("\\u003c/script\\u003e\\u003ch1\\u003e"))
        #expect(text.components(separatedBy: "</script>").count == 3 && !text.contains("<h1>"))
        #expect(text.contains("&lt;/title&gt;"))
        #expect(JSONText.string("a\u{1}\"\\<&>\n").text == #""a\u0001\"\\\u003c\u0026\u003e\n""#)
    }

    @Test("no name of a page's joined script is declared twice")
    func modules() {
        var declared: Set<Substring> = []
        for module in RunPage.modules {
            for name in topLevelNames(of: module.text).map(\.name) {
                #expect(declared.insert(name).inserted, "\(module.name) declares \(name) again")
            }
        }
        #expect(!RunPage.script.contains("\nimport ") && !RunPage.script.contains("\nexport "))
    }

    @Test("every text of a page exists in every language, and is used")
    func words() {
        // Swift reads these two; components read the others.
        let ofSwift = ["noScript", "title"]
        // Components look these up by the name of a part.
        let byName = ["facts", "interactions"]
        for word in PageWord.allCases {
            let texts = Language.allCases.map { word.text(in: $0) }
            #expect(texts.allSatisfy { !$0.isEmpty }, "\(word)")
            let places = texts.map { Set($0.matches(of: /\{\d\}/).map { String($0.0) }) }
            #expect(Set(places).count == 1, "\(word)")
            let isUsed = RunPage.script.contains("words.\(word.rawValue)") || (ofSwift + byName).contains(word.rawValue)
            #expect(isUsed, "no component reads \(word)")
        }
        for match in RunPage.script.matches(of: /words\.(\w+)/) {
            #expect(PageWord(rawValue: String(match.1)) != nil, "no text is called \(match.1)")
        }
    }
}
