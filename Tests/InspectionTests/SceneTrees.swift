// SceneTrees.swift: the view tree of a scene that a test writes as text.

import Basics
import Inspection
import Scenarios
import Testing
import ViewTrees

/// Returns the tree of a scene before its first input.
///
/// - Parameters:
///   - views: The views in the root view, as YAML of the indent zero: `- { name: a, frame: [0, 0, 10, 10] }`.
///   - window: Further keys of the window, one a line.
func tree(_ views: String, window: String = "", rootKeys: String = "") throws -> ViewTree {
    func indented(_ text: String, by count: Int) -> String {
        text.split(separator: "\n").map { String(repeating: " ", count: count) + $0 + "\n" }.joined()
    }
    let scene = """
        id: S0
        title: a scene of a test
        windows:
          - name: window
        \(indented(window, by: 4))    view:
              name: root
        \(indented(rootKeys, by: 6))      subviews:
        \(indented(views, by: 8))
        script: |
          tap f1 (1,1) @0.000
        """
    let scenario = try Scenario(parsing: scene, file: "test.yaml", isDraft: true)
    return try #require(ShownScreen(before: scenario).apps.first?.tree)
}

extension ViewTree {
    /// The findings as `L10 UIButton "a": 40 × 40 pt`.
    var shortFindings: [String] { lintFindings.map { "\($0.rule.rawValue) \($0.subject): \($0.measure)" } }

    func view(_ identifier: String) -> View? { views.first { $0.identifier == identifier } }
}
