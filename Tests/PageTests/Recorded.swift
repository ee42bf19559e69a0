import Explain
import Foundation
import Page
import Runs
import Scenarios
import Testbed

/// Plays `script` to a simulated group that shows `windows`, and records it.
///
/// - Parameters:
///   - windows: The windows as in a scene, not indented.
///   - script: Finger lines in screen points.
func recorded(_ windows: String, playing script: String = tap) throws -> RecordedRun {
    try RecordedRun(of: try played(windows, script))
}

func played(_ windows: String, _ script: String = tap) throws -> Scenario {
    func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
    let text = """
        id: page
        title: page
        source: [R]
        kind: derived
        windows:
        \(indented(windows))
        modes: [simulated]
        script: |
        \(indented(script))
        expect: ""
        """
    return try Scenario(parsing: text, file: Repository.root.appending(path: "Tests/PageTests/script.yaml").path)
}

let tap = """
    down f1 (100,100) @0.000
    up   f1 @0.080
    """

/// A card with a tap that waits for a double tap, and a button.
let cards = """
    - name: W
      frame: [0, 0, 375, 667]
      view:
        name: root
        frame: [0, 0, 375, 667]
        subviews:
          - name: card
            frame: [50, 50, 200, 200]
            gestures:
              - { name: double, class: UITapGestureRecognizer, taps: 2, action: doubled }
              - { name: single, class: UITapGestureRecognizer, requireToFail: [card.double], action: tapped }
          - { name: plus, class: UIButton, frame: [50, 400, 100, 100], on: { touchUpInside: add } }
    """

/// The page's data as Foundation reads it.
func object(of record: RunRecord) throws -> [String: Any] {
    let text = record.json(in: .english).text
    guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else { return [:] }
    return object
}
