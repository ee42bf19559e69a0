// ChaosResult.swift: one row of `touchline chaos`, as the tests of faults read it.

import Foundation
import Testbed
import Testing

/// The result of a fault that was applied to a group a number of times.
struct ChaosResult {
    /// Options with which a group survives rows of faults, with room for consecutive deaths.
    static let patient = [
        "--allow-chaos", "--apps", "2", "--set", "supervisor.restartLimit=1000", "--set",
        "supervisor.backoffLimit=0.05",
    ]
    /// The laws that a busy machine cannot break: all but I2 and I5.
    static let laws = ["I1", "I3", "I4", "I6", "I7", "I8", "I9"]

    /// The exit status of the command.
    let status: Int32
    let demands: [(what: String, measured: String, isMet: Bool)]
    let violations: [String]
    let laws: [String]
    let times: Int

    /// Runs one row on a group. The row reports times and does not judge them; it judges that things happen.
    init(_ fault: String, times: Int, on group: LiveGroup) throws {
        let count = ["--repeat", "\(times)"]
        try self.init(
            of: Program(["chaos", fault] + count + ["--json", "--no-timing", "--run-dir", group.runDirectory]))
    }

    /// Waits for a command of one row.
    init(of program: Program) throws {
        status = try program.wait(seconds: Programs.waitLimit * 3)
        guard status == 0 || status == 1,
            let object = try JSONSerialization.jsonObject(with: Data(program.out.utf8)) as? [String: Any],
            let row = (object["rows"] as? [[String: Any]])?.first
        else { throw TestFailure("chaos: exit \(status): \(program.out) \(program.err)") }
        demands = (row["demands"] as? [[String: Any]] ?? []).map { demand in
            (
                what: demand["what"] as? String ?? "", measured: demand["measured"] as? String ?? "",
                isMet: demand["passed"] as? Bool ?? false
            )
        }
        violations = row["violations"] as? [String] ?? []
        laws = row["laws"] as? [String] ?? []
        times = row["times"] as? Int ?? 0
    }

    var unmet: [String] { demands.filter { !$0.isMet }.map { "\($0.what): \($0.measured)" } }

    func measured(_ what: String) -> String? { demands.first { $0.what == what }?.measured }

    /// Expects that these demands were made and are met.
    func expectMet(_ demands: [String], _ location: SourceLocation = #_sourceLocation) {
        for what in demands {
            let isMet = self.demands.contains { $0.what == what && $0.isMet }
            #expect(isMet, "\(what): \(self.demands)", sourceLocation: location)
        }
    }

    /// Expects that every demand is met, and that the journals were checked against every law in `laws`.
    func expectPassed(_ location: SourceLocation = #_sourceLocation) {
        #expect(violations == [], sourceLocation: location)
        var unmet = unmet
        if let kind = Sanitizer.kind {
            print("under the \(kind) sanitizer memory is the sanitizer's: how much it grew is not judged")
            unmet.removeAll { $0.contains(": growth of memory") }
            // A slow server may have the lift in its socket when the kill comes: its touch ends, and is not cancelled.
            unmet.removeAll { kind == "thread" && $0.hasPrefix("cancelled in the app: ") }
        }
        #expect(unmet == [], sourceLocation: location)
        #expect(laws == Self.laws, sourceLocation: location)
        #expect(status == (self.unmet.isEmpty ? 0 : 1), sourceLocation: location)
    }
}
