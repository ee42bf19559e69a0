@testable import Explain
import Foundation
import Testbed
import Testing

@Suite("The facts that `Explain` reads")
struct VocabularyTests {

    @Test("every fact that Explain reads is noted literally in Sources")
    func noted() throws {
        var text = ""
        for folder in ["UIKit", "AppCore", "SystemServerCore", "InputKitCore"] {
            let sources = Repository.root.appending(path: "Sources/\(folder)")
            let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
            for case let file as URL in files! where file.pathExtension == "swift" {
                text += try String(contentsOf: file, encoding: .utf8)
            }
        }
        for word in FactTemplate.allCases {
            #expect(text.contains("\"\(word.rawValue)\""), "no source notes \(word.rawValue)")
        }
    }
}
