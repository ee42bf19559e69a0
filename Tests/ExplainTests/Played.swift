import Basics
import Explain
import Foundation
import Scenarios
import Testbed
import Trace

/// Plays `script` to a simulated group that shows `windows`, and explains it.
///
/// - Parameters:
///   - windows: The windows as in a scene, not indented.
///   - script: Finger lines in screen points.
func explained(
    _ windows: String, playing script: String, settings: String = ""
) throws -> [Interaction] {
    func indented(_ text: String, by count: Int) -> String {
        text.split(separator: "\n").map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }
    let text = """
        id: explain
        title: explain
        source: [R]
        kind: derived
        windows:
        \(indented(windows, by: 2))
        modes: [simulated]
        config: { \(settings) }
        script: |
        \(indented(script, by: 2))
        expect: ""
        """
    let file = Repository.root.appending(path: "Tests/ExplainTests/script.yaml").path
    let playback = try Scenario(parsing: text, file: file).play(in: .simulated)
    var explain = Explain()
    for fact in playback.facts where fact.at >= playback.begin { explain.add(fact) }
    return Array(explain.interactions)
}

/// One window that fills the screen, with these views in its root.
func window(_ views: String, root: String = "") -> String {
    """
    - name: W
      frame: [0, 0, 375, 667]
      view:
        name: root
        frame: [0, 0, 375, 667]
    \(root.isEmpty ? "" : "    \(root)\n")    subviews:
    \(views.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
    """
}

extension Explain {
    /// One fact of a process, a second after the start; omitted values are zero.
    mutating func add(_ process: String, _ station: Station, _ template: String, _ values: ResolvedFact.Value...) {
        add(
            ResolvedFact(
                at: Instant(seconds: 1), process: process, station: station, template: template, values: values))
    }
}
