import Explain
import Foundation
import Page
import Testing
import Trace

/// The names that a module declares outside of functions, and whether it exports them.
func topLevelNames(of module: String) -> [(name: Substring, isExported: Bool)] {
    let declarations = module.matches(
        of: /(?m)^(export )?(?:async )?(?:function|class|const|let) [\[{]? ?(\w+)(?:, (\w+))?(?:, (\w+))?(?:, (\w+))?/)
    return declarations.flatMap { match in
        [match.2, match.3, match.4, match.5].compactMap { $0 }.map { ($0, match.1 != nil) }
    }
}

@Suite("The page of the inspector")
struct InspectPageTests {
    @Test("the document loads its own components only, and holds no script", arguments: Language.allCases)
    func document(language: Language) throws {
        let text = InspectPage(language: language).html
        #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language.rawValue)\">"))
        for match in text.matches(of: #/ (?:src|href)="([^"]*)"/#) where match.1 != "data:," {
            let name = try #require(match.1.wholeMatch(of: /\/components\/(.*)/)?.1, "\(match.1)")
            #expect(InspectPage.components.contains { $0.name == name }, "\(name)")
        }
        // Data is not executed, and the one script has no text of its own.
        #expect(text.contains("<script type=\"module\" src=\"/components/inspect.js\"></script>"))
        #expect(text.components(separatedBy: "<script").count == 3)
        #expect(!text.contains("<style") && !text.contains(" style=") && text.firstMatch(of: #/ on[a-z]+="/#) == nil)
        #expect(!text.contains("http-equiv"))
        #expect(text.utf8.count < 40_000)
    }

    @Test("the policy of the inspector allows its own server only")
    func policy() {
        let policy = InspectPage.policy(host: "127.0.0.1:8650")
        #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe") && !policy.contains("*"))
        for part in [
            "script-src 'self'", "style-src 'self'", "connect-src 'self' ws://127.0.0.1:8650;", "base-uri 'none'",
            "form-action 'none'", "frame-ancestors 'none'",
        ] { #expect(policy.contains(part), "\(part)") }
    }

    @Test("the data of the document has every word and the name of every station", arguments: Language.allCases)
    func data(language: Language) throws {
        let text = InspectPage(language: language).html
        let json = try #require(text.firstMatch(of: /id="inspector-data">(.*?)<\/script>/)?.1)
        let data = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let words = try #require(data["words"] as? [String: String])
        #expect(words.count == PageWord.allCases.count + InspectWord.allCases.count)
        #expect(words["touchThePhone"] == InspectWord.touchThePhone.text(in: language))
        #expect(data["stations"] as? [String] == Station.allCases.map(\.rawValue))
    }

    @Test("components come with the modules that they import, in the order of their imports")
    func modules() {
        var exports: [String: Set<Substring>] = [:]
        for module in InspectPage.modules {
            for line in module.text.split(separator: "\n") where line.hasPrefix("import ") {
                guard let match = line.wholeMatch(of: /import \{ (.*) \} from "\.\/(\w+\.js)";/) else {
                    Issue.record("\(module.name): \(line)")
                    continue
                }
                for name in match.1.split(separator: ", ") {
                    #expect(exports[String(match.2)]?.contains(name) == true, "\(module.name) imports \(name)")
                    #expect(module.text.components(separatedBy: name).count > 2, "\(module.name) does not use \(name)")
                }
            }
            exports[module.name] = Set(topLevelNames(of: module.text).filter(\.isExported).map(\.name))
        }
        #expect(Set(InspectPage.components.map(\.name)).count == InspectPage.components.count)
    }

    @Test("no component parses HTML or runs a text")
    func markup() {
        let refused = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "http:",
            "https:",
            "url(", "@import", "sendBeacon", "importScripts", "setAttribute(\"style\"",
        ]
        for component in InspectPage.components {
            for word in refused {
                #expect(!component.text.contains(word), "\(component.name) contains \(word)")
            }
            // Swift joins and escapes nothing in them.
            #expect(!component.text.contains("</script"))
        }
        #expect(InspectPage.components.reduce(0) { $0 + $1.text.utf8.count } < 250_000)
    }

    @Test("only the transport knows a socket, and only it asks the server")
    func transport() {
        for module in InspectPage.modules where module.name != "live.js" {
            for word in ["WebSocket", "fetch(", "XMLHttpRequest", "EventSource"] {
                #expect(!module.text.contains(word), "\(module.name) contains \(word)")
            }
        }
    }

    @Test("every text of the inspector exists in every language, and is used")
    func words() {
        let script = InspectPage.modules.map(\.text).joined(separator: "\n")
        for word in InspectWord.allCases {
            let texts = Language.allCases.map { word.text(in: $0) }
            #expect(texts.allSatisfy { !$0.isEmpty }, "\(word)")
            let places = texts.map { Set($0.matches(of: /\{\d\}/).map { String($0.0) }) }
            #expect(Set(places).count == 1, "\(word)")
            #expect(PageWord(rawValue: word.rawValue) == nil, "\(word) is a word of a page about a run")
            // Swift reads this one.
            let isUsed = word == .needsScript || script.contains("words.\(word.rawValue)")
            #expect(isUsed, "no component reads \(word)")
        }
        for match in script.matches(of: /words\.(\w+)/) {
            let name = String(match.1)
            #expect(PageWord(rawValue: name) != nil || InspectWord(rawValue: name) != nil, "no text is called \(name)")
        }
    }
}
