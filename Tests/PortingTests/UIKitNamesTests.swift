import Foundation
import Testbed
import Testing

@testable import Porting

@Suite("the names of UIKit that the rewriter knows")
struct UIKitNamesTests {
    @Test("UIKitNames.swift matches the declarations of UIKit")
    func names() throws {
        let root = Repository.root.appending(path: "Sources/UIKit/API")
        let files = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
            .sorted()
            .map { SourceFile(path: $0, bytes: Array(try Data(contentsOf: root.appending(path: $0)))) }
        var (types, methods) = (Set<String>(), Set<String>())
        for file in files {
            for type in file.outline.types where !Set(type.modifiers).isDisjoint(with: ["public", "open"]) {
                types.insert(type.path[0])
            }
            for index in file.tokens.indices.dropFirst(2)
            where file.tokens[index - 1].text == "typealias" && file.tokens[index - 2].text == "public" {
                types.insert(file.tokens[index].text)
            }
            for member in file.outline.members {
                guard let owner = member.owner else {
                    if member.modifiers.contains("public"), member.name.first?.isUppercase == true {
                        types.insert(member.name)
                    }
                    continue
                }
                let type = file.outline.types[owner]
                guard type.keyword == "extension", member.keyword == "func",
                    type.name.hasSuffix("Delegate") || type.name.hasSuffix("DataSource")
                else { continue }
                methods.insert(member.name)
            }
        }
        #expect(types.count > 60)
        func list(_ names: Set<String>) -> String { names.sorted().map { "        \"\($0)\",\n" }.joined() }
        let shadows = Set(UIKitNames.shadows)
        #expect(shadows.isSubset(of: types))
        expectDocument(
            "Sources/Porting/UIKitNames.swift",
            equals: """
                // UIKitNames.swift: the names of UIKit that the rules need.
                //
                // Output    OptionalRequirementRule, Shadows, PortReport
                // Knows     the two long lists are written by PortingTests from Sources/UIKit/API.
                //
                // Sources   documented  Apple's names

                enum UIKitNames {
                    /// Names of UIKit that Foundation or Dispatch declare too.
                    static let shadows: [String] = [
                \(list(shadows))    ]

                    /// The methods of UIKit's delegate protocols, which a delegate may leave out.
                    static let optionalMethods: Set<String> = [
                \(list(methods))    ]

                    /// The public types and functions of UIKit.
                    static let types: Set<String> = [
                \(list(types))    ]
                }

                """)
    }
}
