import Basics
import Explain
import Foundation
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
                "GLTableView never received the touch: it was held for 80.000 ms, and then tap on BackView \"Back\" was "
                    + "recognized"
            ),
            (
                "S20", "GLTableView",
                "GLTableView lost its touch when tap on BackView \"Back\" was recognized, because cancelsTouchesInView is true"
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
}
