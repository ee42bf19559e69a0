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
        var types = Set<String>()
        var methods: [String: Set<String>] = [:]
        var parents: [String: [String]] = [:]
        for file in files {
            for type in file.outline.types where type.keyword == "protocol" { parents[type.name] = type.inherits }
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
                methods[type.name, default: []].insert(member.fullName)
            }
        }
        #expect(types.count > 60)
        for (name, list) in parents {
            for parent in list where methods[name] != nil { methods[name]!.formUnion(methods[parent] ?? []) }
        }
        // A data source has required methods too.
        let delegates = methods.filter { $0.key.hasSuffix("Delegate") }
        let sources = Set(methods.filter { !$0.key.hasSuffix("Delegate") }.flatMap(\.value))
        #expect(delegates["UITableViewDelegate"]?.contains("scrollViewDidScroll(_:)") == true)
        func list(_ names: Set<String>, _ indent: String = "        ") -> String {
            // A list of one has no comma, as `swift format` writes it.
            names.sorted().map { "\(indent)\"\($0)\"\(names.count > 1 ? "," : "")\n" }.joined()
        }
        let shadows = Set(UIKitNames.shadows)
        #expect(shadows.isSubset(of: types))
        expectDocument(
            "Sources/Porting/UIKitNames.swift",
            equals: """
                // UIKitNames.swift: the names of UIKit that the rules need.
                //
                // Output    OptionalRequirementRule, Shadows, PortReport
                // Knows     the long lists are written by PortingTests from Sources/UIKit/API.
                //
                // Sources   documented  Apple's names

                enum UIKitNames {
                    /// Names of UIKit that Foundation or Dispatch declare too.
                    static let shadows: [String] = [
                \(list(shadows))    ]

                    /// The methods of UIKit's delegate protocols, with those of the protocols that they inherit from. A delegate may
                    /// leave each out.
                    static let delegateMethods: [String: Set<String>] = [
                \(delegates.keys.sorted().map { "        \"\($0)\": [\n\(list(delegates[$0]!, "            "))        ],\n" }.joined())    ]

                    static let allDelegateMethods = Set(delegateMethods.values.flatMap { $0 })

                    /// Methods of other protocols that may be left out.
                    private static let otherMethods: Set<String> = [
                \(list(sources))    ]

                    /// The names, without labels, of all methods that may be left out.
                    static let optionalMethods = Set(
                        allDelegateMethods.union(otherMethods).map { String($0.prefix { $0 != "(" }) })

                    /// The public types and functions of UIKit.
                    static let types: Set<String> = [
                \(list(types))    ]
                }

                """)
    }
}
