import Basics
import Explain
import Foundation
import Runs
import Scenarios
import Testbed
import Testing

/// The four phenomena of a table before a view that is tapped (S19 to S22), and buttons that did not fire, as a newcomer
/// asks about them.
@Suite("Why did it not fire")
struct PhenomenaTests {
    private func whyNot(_ part: String, _ id: String) throws -> String {
        let library = ScenarioLibrary(folder: Repository.root.appending(path: "Tests/Conformance").path)
        let scenario = try Scenario(contentsOf: try #require(try library.path(ofID: id)))
        let run = try ObservedRun(of: scenario)
        let finger = try #require(run.explained.interactions.last)
        let part = AskedPart(part)
        return finger.whyNot(part).text(of: part, in: .english, since: run.zero)
    }

    @Test(
        "the four phenomena of a table view",
        arguments: [
            (
                "S19", "GLTableView",
                "UITableViewCellContentView in GLTableView never received the touch: it was held for 80.000 ms, and then tap "
                    + "on BackView \"Back\" was recognized"
            ),
            (
                "S20", "GLTableView",
                "UITableViewCellContentView in GLTableView lost its touch when tap on BackView \"Back\" was recognized"
            ),
            ("S21", "GLTableView", "GLTableView did act"),
            ("S21", "Back.tap", "tap on BackView \"Back\" failed: pressed for 1500.000 ms, limit 1500.000 ms"),
            ("S22", "GLButton", "GLButton did act"),
            (
                "S22", "Back.tap",
                "tap on BackView \"Back\" failed: gestureRecognizerShouldBegin of GLButton \"GLButton\" returned false"
            ),
            ("S24", "GLTableView", "GLTableView did act"),
            (
                "S05", "CircleButton",
                "CircleButton \"CircleButton\" does not receive it: the point is outside UIView \"TabBar\""
            ),
        ])
    func phenomena(id: String, part: String, answer: String) throws {
        #expect(try whyNot(part, id) == answer)
    }

    @Test("a touch that a call takes is not blamed on the recognizer that acted")
    func call() throws {
        let finger = try #require(
            try explained(
                window(
                    """
                    - name: Y
                      frame: [0, 0, 300, 300]
                      gestures: [{ name: pan, class: UIPanGestureRecognizer, action: panned, cancelsTouchesInView: no }]
                    """),
                playing: """
                    down f1 (100,100) @0.000
                    move f1 (130,100) @0.050
                    interrupt call @0.100
                    up   f1 @0.200
                    """
            ).first)
        let part = AskedPart("root")
        #expect(finger.whyNot(part).text(of: part, in: .english, since: finger.began) == "cancelled: a call")
    }

    @Test("a class names its views, and a view whose recognizer acted has acted")
    func classes() throws {
        #expect(try whyNot("GLButton", "S22") == "GLButton did act")
        #expect(try whyNot("BackView", "S19") == "BackView did act")
        #expect(try whyNot("Back", "S19") == "Back did act")
    }
}
