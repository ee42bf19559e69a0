import Testbed
import Testing

@testable import touchline

@Suite("Docs/Reference/Faults.md, live faults")
struct FaultsPageTests {
    @Test("Docs/Reference/Faults.md lists the faults of touchline chaos")
    func live() throws {
        let path = "Docs/Reference/Faults.md"
        let written = try WrittenCells(of: path)
        let rows = ChaosRow.allCases.map { row in
            let id = "[\(row.id)](../Spec/Pipeline.md#\(row.id))"
            let cells = ["what is done", "what is demanded"].map { written.cell($0, of: id, below: Self.heading) }
            return [id, "`\(row.rawValue)`", "\(row.unit): \(row.standardTimes)"] + cells
        }
        let table = markdownTable(["id", "name", "usual count", "what is done", "what is demanded"], rows)
        try expectSection(Self.heading, of: path, equals: Self.introduction + "\n\n" + table)
    }

    private static let heading = "## Live faults"
    private static let introduction = """
        `touchline chaos FAULT` applies one of these to a running group, by id or name ([Chaos](../Internals/Chaos.md)). The ids are those of
        [Pipeline, section 4](../Spec/Pipeline.md#4), which gives the counts of F1, F2, F3, F7, F8, F10, F16, F17, F18 and F21; the other
        counts are invented. F15 (10,000 windows) has no row: `touchline bench windows` measures it. Every row also demands the laws
        of the [audit](../Internals/Audit.md).
        """
}
